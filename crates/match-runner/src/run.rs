//! The dispatcher: runs the contest machine, gives games to slots and events to reporters.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use match_core::contest::{Contest, Input, Output};
use match_core::event::{Event, StopReason};
use match_core::summary::Summary;

use crate::arena::Arena;
use crate::chain::chain;
use crate::interrupt::Interrupts;
use crate::message::Message;
use crate::process::Farewell;
use crate::reporter::Reporter;
use crate::slot::{Order, Slot};

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
    /// How long it took, pre-flight included.
    pub wall: Duration,
}

/// A contest under way.
pub(crate) struct Dispatcher {
    arena: Arc<Arena>,
    contest: Contest,
    slots: Vec<Slot>,
    inbox: Receiver<Message>,
    reporters: Vec<Box<dyn Reporter>>,
    failures: Vec<String>,
    done: bool,
}

impl Dispatcher {
    /// Starts the slots.
    pub(crate) fn new(
        arena: Arc<Arena>,
        contest: Contest,
        slots: usize,
        interrupts: &Interrupts,
        reporters: Vec<Box<dyn Reporter>>,
    ) -> Self {
        let (mail, inbox) = mpsc::channel();
        let mut dispatcher = Self {
            arena,
            contest,
            slots: Vec::with_capacity(slots),
            inbox,
            reporters,
            failures: Vec::new(),
            done: false,
        };
        for number in 0..slots {
            match Slot::start(number, Arc::clone(&dispatcher.arena), mail.clone()) {
                Ok(slot) => dispatcher.slots.push(slot),
                Err(error) => {
                    dispatcher.no_more_slots(number, slots, &error);
                    break;
                }
            }
        }
        interrupts.listen(move || {
            let _the_contest_is_over = mail.send(Message::Interrupted);
        });
        dispatcher
    }

    /// Plays to the end.
    pub(crate) fn run(mut self) -> Finished {
        self.carry_out();
        while !self.done {
            match self.next_message() {
                Some(message) => self.hear(message),
                None => self.tell(Input::Alarm),
            }
            self.carry_out();
        }
        self.close();
        Finished {
            summary: Arc::new(self.contest.summary()),
            stopped: self.contest.stopped().cloned(),
            failures: self.failures,
            wall: self.arena.wall.elapsed(),
        }
    }

    /// Waits for a slot, a signal or the contest's own alarm.
    fn next_message(&self) -> Option<Message> {
        let Some(due) = self.contest.wake_at() else {
            return Some(self.inbox.recv().expect("the slots hold senders"));
        };
        match self.inbox.recv_timeout(self.arena.wall.until(due)) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("the slots hold senders"),
        }
    }

    fn hear(&mut self, message: Message) {
        let input = match message {
            Message::Up { slot } => Input::SlotFree(slot),
            Message::GameOver { slot, record } => Input::GameOver { slot, record },
            Message::StartFailed {
                slot,
                engine,
                text,
                retry,
            } => Input::StartFailed {
                slot,
                engine,
                text,
                retry,
            },
            Message::EngineRestarted {
                slot,
                engine,
                color,
                fault,
            } => Input::EngineRestarted {
                slot,
                engine,
                color,
                fault,
            },
            Message::Warned { game, engine, text } => Input::Warned { game, engine, text },
            Message::Broken { text } => Input::ReporterFailed(text),
            Message::Interrupted => Input::Interrupt,
            // Nobody told it to: it panicked, which is a bug, and `join` goes on with that panic.
            Message::Down { slot } => return self.slots.swap_remove(slot).join(),
        };
        self.tell(input);
    }

    fn tell(&mut self, input: Input) {
        self.contest.handle(self.arena.wall.now(), input);
    }

    /// Does all that the machine asks for.
    fn carry_out(&mut self) {
        while let Some(output) = self.contest.poll() {
            match output {
                Output::Event(event) => self.report(&event),
                Output::Start { slot, fixture } => self.slots[slot].order(Order::Play(fixture)),
                Output::CancelAll(reason) => self.order_all(&Order::Cancel(reason)),
                Output::KillAll => self.order_all(&Order::Retire(Farewell::Kill)),
                Output::Done => self.done = true,
            }
        }
    }

    /// A reporter that fails hears no more, and the contest stops.
    fn report(&mut self, event: &Event) {
        let mut failures = Vec::new();
        self.reporters
            .retain_mut(|reporter| match reporter.event(event) {
                Ok(()) => true,
                Err(error) => {
                    failures.push(chain(&error));
                    false
                }
            });
        for failure in failures {
            self.failures.push(failure.clone());
            self.tell(Input::ReporterFailed(failure));
        }
    }

    fn order_all(&self, order: &Order) {
        for slot in &self.slots {
            slot.order(order.clone());
        }
    }

    /// Ends all engines, those of all slots at the same time.
    fn close(&mut self) {
        let patience = self.arena.spec.patience.quit;
        let farewell = match self.contest.stopped() {
            Some(StopReason::Killed) => Farewell::Kill,
            Some(StopReason::Interrupted) => Farewell::Quit(patience.min(INTERRUPTED_GRACE)),
            Some(
                StopReason::Decided | StopReason::EngineUnusable(_) | StopReason::ReporterFailed(_),
            )
            | None => Farewell::Quit(patience),
        };
        self.order_all(&Order::Retire(farewell));
        let mut down = 0;
        while down < self.slots.len() {
            match self.inbox.recv().expect("the slots hold senders") {
                Message::Down { .. } => down += 1,
                Message::Interrupted => self.order_all(&Order::Retire(Farewell::Kill)),
                // What a slot says after the last event is told to nobody.
                _ => {}
            }
        }
        self.slots.drain(..).for_each(Slot::join);
        self.arena.end_ready(farewell);
    }

    fn no_more_slots(&mut self, started: usize, wanted: usize, error: &std::io::Error) {
        let text = format!("only {started} of {wanted} slots could be started: {error}");
        self.tell(if started > 0 {
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
