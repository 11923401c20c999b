//! The contest machine behind a lock: whoever has news tells it, and at once carries out what it asks.
//!
//! So a slot whose game is over is given its next one without another thread's being woken in between,
//! which would take longer than the machine's work by far. Only the events go to another thread, the
//! one that called `run` and talks to the reporters.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard};

use match_core::contest::{Contest, Input, Output};
use match_core::event::{Event, StopReason};
use match_core::fixture::Fixture;
use match_core::moment::Moment;
use match_core::summary::Summary;

use crate::backlog::Backlog;
use crate::orders::{Order, Orders};
use crate::process::Farewell;
use crate::wall::Wall;

/// The contest and those who carry it out.
#[derive(Debug)]
pub(crate) struct Dispatch {
    wall: Wall,
    contest: Mutex<Contest>,
    /// When the machine is to be told that time has passed, in nanoseconds; never if it is the last
    /// moment of all. Beside the lock, so that who waits for news does not stand in the way of those
    /// who bring it.
    wake_at: AtomicU64,
    /// By slot.
    orders: Vec<Arc<Orders>>,
    news: Sender<News>,
    backlog: Backlog,
}

/// What the thread that called `run` hears.
#[derive(Debug)]
pub(crate) enum News {
    /// In the order of their numbers.
    Event(Event),
    /// The last event has been sent.
    Done,
    /// A slot's thread has ended.
    Down(usize),
}

impl Dispatch {
    pub(crate) fn new(
        wall: Wall,
        contest: Contest,
        orders: Vec<Arc<Orders>>,
        news: Sender<News>,
    ) -> Self {
        Self {
            wall,
            contest: Mutex::new(contest),
            wake_at: AtomicU64::new(u64::MAX),
            orders,
            news,
            backlog: Backlog::default(),
        }
    }

    /// Tells the machine and does all that it asks for.
    pub(crate) fn tell(&self, input: Input) {
        let mut contest = self.contest();
        contest.handle(self.wall.now(), input);
        let wake_at = contest.wake_at().map_or(u64::MAX, Moment::as_nanos);
        self.wake_at.store(wake_at, Ordering::Release);
        while let Some(output) = contest.poll() {
            match output {
                // Sent under the lock, so that their order is that of their numbers.
                Output::Event(event) => {
                    self.backlog.grow();
                    self.send(News::Event(event));
                }
                Output::Start { slot, fixture } => self.orders[slot].give(Order::Play(fixture)),
                Output::CancelAll(reason) => self.order_all(&Order::Cancel(reason)),
                Output::KillAll => self.order_all(&Order::Retire(Farewell::Kill)),
                Output::Done => self.send(News::Done),
            }
        }
    }

    pub(crate) fn order_all(&self, order: &Order) {
        for orders in &self.orders {
            orders.give(order.clone());
        }
    }

    /// Events that no reporter has heard yet.
    pub(crate) fn backlog(&self) -> &Backlog {
        &self.backlog
    }

    pub(crate) fn send(&self, news: News) {
        let _the_contest_is_over = self.news.send(news);
    }

    /// When the machine is to be told that time has passed. It changes only with news.
    pub(crate) fn wake_at(&self) -> Option<Moment> {
        let nanos = self.wake_at.load(Ordering::Acquire);
        (nanos < u64::MAX).then(|| Moment::from_nanos(nanos))
    }

    /// What it came to without games that nobody kept.
    pub(crate) fn forget(&self, lost: &[(Fixture, u64)]) -> Summary {
        let mut contest = self.contest();
        contest.forget(lost);
        contest.summary()
    }

    /// How it came out, and why before its time if so.
    pub(crate) fn result(&self) -> (Summary, Option<StopReason>) {
        let contest = self.contest();
        (contest.summary(), contest.stopped().cloned())
    }

    fn contest(&self) -> MutexGuard<'_, Contest> {
        self.contest
            .lock()
            .expect("a machine that panicked is a bug, and that panic goes on")
    }
}
