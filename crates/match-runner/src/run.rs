//! The thread that called `run`: starts the slots, talks to the reporters, ends everything.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use match_core::contest::{Contest, Input};
use match_core::event::{Event, EventKind, StopReason};
use match_core::fixture::Fixture;
use match_core::summary::Summary;

use crate::arena::Arena;
use crate::chain::chain;
use crate::dispatch::{Dispatch, News};
use crate::interrupt::Interrupts;
use crate::orders::{Order, Orders};
use crate::process::Farewell;
use crate::reporter::{Extent, Reporter};
use crate::slot::Slot;

/// After Ctrl-C engines have so long to end by themselves. With the time that running games have to
/// become void it stays well below the second after which a person presses the keys again.
const INTERRUPTED_GRACE: Duration = Duration::from_millis(250);

/// How a contest ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The result.
    pub summary: Arc<Summary>,
    /// Why it ended before all games were played, if it did.
    pub stopped: Option<StopReason>,
    /// What reporters could not write, the last events included; the first stopped the contest if
    /// it was not over yet.
    pub failures: Vec<String>,
    /// What engines left behind when they ended and was killed, as lines.
    pub left_behind: Vec<String>,
    /// How long it took, pre-flight included.
    pub wall: Duration,
}

/// A contest under way.
pub(crate) struct Run {
    arena: Arc<Arena>,
    dispatch: Arc<Dispatch>,
    slots: Vec<Slot>,
    inbox: Receiver<News>,
    reporters: Vec<Box<dyn Reporter>>,
    failures: Vec<String>,
    /// Whether games are kept nowhere any more.
    unkept: bool,
    /// Those that were not, with their plies.
    lost: Vec<(Fixture, u64)>,
}

impl Run {
    /// Starts the slots, or as many of them as the machine allows.
    pub(crate) fn start(
        arena: Arc<Arena>,
        contest: Contest,
        slots: usize,
        reporters: Vec<Box<dyn Reporter>>,
    ) -> Self {
        let (news, inbox) = mpsc::channel();
        let mut shortage = None;
        let mut keep = |result: io::Result<Orders>| {
            result
                .map(Arc::new)
                .map_err(|error| shortage = Some(error))
                .ok()
        };
        let orders: Vec<_> = (0..slots).map_while(|_| keep(Orders::new())).collect();
        let dispatch = Arc::new(Dispatch::new(arena.wall, contest, orders.clone(), news));
        if let Some(pulse) = &arena.pulse {
            let dispatch = Arc::downgrade(&dispatch);
            pulse.listen(move |text| {
                if let Some(dispatch) = dispatch.upgrade() {
                    dispatch.tell(Input::Warned {
                        game: None,
                        engine: None,
                        text,
                    });
                }
            });
        }
        let mut run = Self {
            arena,
            dispatch,
            slots: Vec::with_capacity(slots),
            inbox,
            reporters,
            failures: Vec::new(),
            unkept: false,
            lost: Vec::new(),
        };
        for (number, orders) in orders.into_iter().enumerate() {
            match Slot::start(
                number,
                orders,
                Arc::clone(&run.arena),
                Arc::clone(&run.dispatch),
            ) {
                Ok(slot) => run.slots.push(slot),
                Err(error) => {
                    shortage = Some(error);
                    break;
                }
            }
        }
        if let Some(error) = shortage {
            run.make_do(slots, &error);
        }
        run
    }

    /// Plays to the end.
    pub(crate) fn finish(mut self, interrupts: &Interrupts) -> Finished {
        let dispatch = Arc::clone(&self.dispatch);
        let so_far = interrupts.listen(move || dispatch.tell(Input::Interrupt));
        (0..so_far).for_each(|_| self.dispatch.tell(Input::Interrupt));
        loop {
            match self.next() {
                Some(News::Event(event)) => {
                    self.report(event);
                    self.dispatch.backlog().shrink();
                }
                Some(News::Done) => break,
                // Nobody told it to: it panicked, which is a bug, and `join` goes on with that panic.
                Some(News::Down(slot)) => self.slots.swap_remove(slot).join(),
                None => self.dispatch.tell(Input::Alarm),
            }
        }
        self.close(interrupts);
        let (summary, stopped) = self.dispatch.result();
        Finished {
            summary: Arc::new(summary),
            stopped,
            failures: self.failures,
            left_behind: (self.arena.launcher.as_ref())
                .map_or_else(Vec::new, |launcher| launcher.found()),
            wall: self.arena.wall.elapsed(),
        }
    }

    /// Waits for news, or until the machine wants to know that time has passed.
    fn next(&self) -> Option<News> {
        let Some(due) = self.dispatch.wake_at() else {
            return Some(self.inbox.recv().expect("we hold a sender"));
        };
        match self.inbox.recv_timeout(self.arena.wall.until(due)) {
            Ok(news) => Some(news),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("we hold a sender"),
        }
    }

    /// Tells the reporters; the contest stops when one fails. Games that nobody keeps any more do not
    /// count: what is said at the end is what is there.
    fn report(&mut self, mut event: Event) {
        if let EventKind::ContestFinished { summary, .. } = &mut event.kind
            && !self.lost.is_empty()
        {
            *summary = Arc::new(self.dispatch.forget(&self.lost));
        }
        let mut failures = Vec::new();
        self.reporters.retain_mut(|reporter| {
            let Err(error) = reporter.event(&event) else {
                return true;
            };
            failures.push(chain(&error));
            self.unkept |= error.extent == Extent::Record;
            error.extent == Extent::Part
        });
        if self.unkept
            && let EventKind::GameFinished { record, .. } = &event.kind
        {
            self.lost.push((record.fixture, record.plies.len() as u64));
        }
        for failure in failures {
            self.failures.push(failure.clone());
            self.dispatch.tell(Input::ReporterFailed(failure));
        }
    }

    /// Ends all engines, those of all slots at the same time. Who asks now to stop wants them dead.
    fn close(&mut self, interrupts: &Interrupts) {
        let patience = self.arena.spec.patience.quit;
        let farewell = match self.dispatch.result().1 {
            Some(StopReason::Killed) => Farewell::Kill,
            Some(StopReason::Interrupted) => Farewell::Quit(patience.min(INTERRUPTED_GRACE)),
            Some(
                StopReason::Decided
                | StopReason::TooManyFaults(_)
                | StopReason::EngineUnusable(_)
                | StopReason::HostUnfit(_)
                | StopReason::ReporterFailed(_),
            )
            | None => Farewell::Quit(patience),
        };
        let dispatch = Arc::clone(&self.dispatch);
        interrupts.listen(move || dispatch.order_all(&Order::Retire(Farewell::Kill)));
        self.dispatch.order_all(&Order::Retire(farewell));
        self.slots.drain(..).for_each(Slot::join);
        self.arena.end_ready(farewell);
    }

    /// There are fewer slots than wanted.
    fn make_do(&self, wanted: usize, error: &io::Error) {
        let started = self.slots.len();
        let text = format!("only {started} of {wanted} slots could be started: {error}");
        self.dispatch.tell(if started > 0 {
            Input::Warned {
                game: None,
                engine: None,
                text,
            }
        } else {
            Input::ReporterFailed(text)
        });
    }
}
