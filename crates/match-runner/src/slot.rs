//! A place where one game runs at a time: a thread, two engines, one `poll`.
//!
//! The thread owns its engines and waits for both of them, and for orders, in a single call. It tells
//! the dispatcher what happened through a channel without a bound, and waits for nobody else: no
//! reporter, no disk, no other slot is ever on an engine's clock.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::{io, panic};

use match_core::fixture::Fixture;
use match_core::verdict::VoidReason;
use rustix::event::{EventfdFlags, eventfd};

use crate::arena::Arena;
use crate::message::Message;
use crate::process::Farewell;

mod playing;
mod table;
mod watch;

use table::Table;
use watch::Watch;

/// The deepest that a slot's thread goes is a few frames with small buffers; the default of 2 MB would
/// only make the figures of 200 slots look frightening.
const STACK_BYTES: usize = 512 * 1024;

/// What a slot is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Play this game.
    Play(Fixture),
    /// End the game that runs, if one does, as void.
    Cancel(VoidReason),
    /// End the engines and the thread.
    Retire(Farewell),
}

/// The dispatcher's end of a slot.
#[derive(Debug)]
pub(crate) struct Slot {
    orders: Arc<Orders>,
    thread: Option<JoinHandle<()>>,
}

impl Slot {
    /// Starts the thread; it reports [`Message::Up`] when it can take orders and [`Message::Down`] as
    /// the last thing it does.
    ///
    /// # Errors
    /// When there is no thread or no file descriptor to be had.
    pub(crate) fn start(
        number: usize,
        arena: Arc<Arena>,
        mail: Sender<Message>,
    ) -> io::Result<Self> {
        let orders = Arc::new(Orders::new()?);
        let watch = Watch::new(orders.bell())?;
        let thread = thread::Builder::new()
            .name(format!("slot {}", number + 1))
            .stack_size(STACK_BYTES)
            .spawn({
                let orders = Arc::clone(&orders);
                move || {
                    let _last_word = Down {
                        number,
                        mail: mail.clone(),
                    };
                    let _nobody_listens = mail.send(Message::Up { slot: number });
                    work(&mut Table::new(number, arena, mail, watch), &orders);
                }
            })?;
        Ok(Self {
            orders,
            thread: Some(thread),
        })
    }

    pub(crate) fn order(&self, order: Order) {
        self.orders.give(order);
    }

    /// Waits for the thread, which has been told to retire or has reported that it is down. If it
    /// panicked, so do we.
    pub(crate) fn join(mut self) {
        if let Some(Err(payload)) = self.thread.take().map(JoinHandle::join) {
            panic::resume_unwind(payload);
        }
    }
}

impl Drop for Slot {
    /// Whatever path led here, no engine is left behind.
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.order(Order::Retire(Farewell::Kill));
            let _we_are_going_down_already = thread.join();
        }
    }
}

/// The work of the thread: orders, one after the other.
fn work(table: &mut Table, orders: &Orders) {
    loop {
        match orders.take() {
            Some(Order::Play(fixture)) => table.play(fixture, orders),
            Some(Order::Cancel(_)) => {}
            Some(Order::Retire(farewell)) => return table.retire(farewell, orders),
            None => table.rest(),
        }
    }
}

/// Orders on their way, and a bell that wakes whoever waits for engines.
#[derive(Debug)]
struct Orders {
    waiting: Mutex<VecDeque<Order>>,
    bell: OwnedFd,
}

impl Orders {
    fn new() -> io::Result<Self> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Self {
            waiting: Mutex::default(),
            bell,
        })
    }

    fn give(&self, order: Order) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push_back(order);
        // It can only fail when it has rung 2^64 times unheard.
        let _it_rings_already = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }

    fn take(&self) -> Option<Order> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let order = waiting.pop_front();
        self.silence_if_empty(&waiting);
        order
    }

    /// The order that ends a running game. One that ends the slot too is left where it is.
    fn take_cancel(&self) -> Option<VoidReason> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let reason = match waiting.front() {
            Some(Order::Cancel(reason)) => Some(reason.clone()),
            Some(Order::Retire(_)) => return Some(VoidReason::Cancelled),
            Some(Order::Play(_)) => unreachable!("a slot that plays is given no other game"),
            None => None,
        };
        waiting.pop_front();
        self.silence_if_empty(&waiting);
        reason
    }

    /// The bell rings as long as orders wait.
    fn silence_if_empty(&self, waiting: &VecDeque<Order>) {
        if waiting.is_empty() {
            let mut count = [0; 8];
            let _it_did_not_ring = rustix::io::read(&self.bell, &mut count[..]);
        }
    }

    fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }
}

/// Says that the thread is gone, also when it panicked.
struct Down {
    number: usize,
    mail: Sender<Message>,
}

impl Drop for Down {
    fn drop(&mut self) {
        let _nobody_listens = self.mail.send(Message::Down { slot: self.number });
    }
}
