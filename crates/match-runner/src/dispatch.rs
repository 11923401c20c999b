//! The contest machine behind a lock: whoever has news tells it, and at once carries out what it asks.
//!
//! So a slot whose game is over is given its next one without another thread's being woken in between,
//! which would take longer than the machine's work by far. Only the events go to another thread, the
//! one that called `run` and talks to the reporters.

use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard};

use match_core::contest::{Contest, Input, Output};
use match_core::event::{Event, StopReason};
use match_core::moment::Moment;
use match_core::summary::Summary;

use crate::orders::{Order, Orders};
use crate::process::Farewell;
use crate::wall::Wall;

/// The contest and those who carry it out.
#[derive(Debug)]
pub(crate) struct Dispatch {
    wall: Wall,
    contest: Mutex<Contest>,
    /// By slot.
    orders: Vec<Arc<Orders>>,
    news: Sender<News>,
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
            orders,
            news,
        }
    }

    /// Tells the machine and does all that it asks for.
    pub(crate) fn tell(&self, input: Input) {
        let mut contest = self.contest();
        contest.handle(self.wall.now(), input);
        while let Some(output) = contest.poll() {
            match output {
                // Sent under the lock, so that their order is that of their numbers.
                Output::Event(event) => self.send(News::Event(event)),
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

    pub(crate) fn send(&self, news: News) {
        let _the_contest_is_over = self.news.send(news);
    }

    /// When the machine is to be told that time has passed.
    pub(crate) fn wake_at(&self) -> Option<Moment> {
        self.contest().wake_at()
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
