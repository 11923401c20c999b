//! What slots are told, and the bell that wakes them.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

use match_core::fixture::Fixture;
use match_core::verdict::VoidReason;
use rustix::event::{EventfdFlags, eventfd};

use crate::process::Farewell;

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

/// Orders on their way to one slot.
#[derive(Debug)]
pub(crate) struct Orders {
    waiting: Mutex<VecDeque<Order>>,
    /// Readable as long as orders wait.
    bell: OwnedFd,
}

impl Orders {
    /// # Errors
    /// When there is no descriptor to be had.
    pub(crate) fn new() -> io::Result<Self> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Self {
            waiting: Mutex::default(),
            bell,
        })
    }

    pub(crate) fn give(&self, order: Order) {
        let mut waiting = self.waiting();
        waiting.push_back(order);
        // It can only fail when it has rung 2^64 times unheard.
        let _it_rings_already = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }

    pub(crate) fn take(&self) -> Option<Order> {
        let mut waiting = self.waiting();
        let order = waiting.pop_front();
        self.silence_if_empty(&waiting);
        order
    }

    /// Whether there is any.
    pub(crate) fn are_waiting(&self) -> bool {
        !self.waiting().is_empty()
    }

    /// The order that ends a running game. One that ends the slot too is left where it is.
    pub(crate) fn take_cancel(&self) -> Option<VoidReason> {
        let mut waiting = self.waiting();
        let reason = match waiting.front()? {
            Order::Cancel(reason) => reason.clone(),
            Order::Retire(_) => return Some(VoidReason::Cancelled),
            Order::Play(_) => unreachable!("a slot that plays is given no other game"),
        };
        waiting.pop_front();
        self.silence_if_empty(&waiting);
        Some(reason)
    }

    pub(crate) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    fn silence_if_empty(&self, waiting: &VecDeque<Order>) {
        if waiting.is_empty() {
            let mut count = [0; 8];
            let _it_did_not_ring = rustix::io::read(&self.bell, &mut count[..]);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Order>> {
        // Nothing between lock and unlock leaves the queue half changed.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
