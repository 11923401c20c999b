//! A place where one game runs at a time: a thread, two engines, one wait for all of it.
//!
//! The thread owns its engines and waits for both of them, for orders and for the time in a single
//! call. No reporter, no disk and no other slot is ever on an engine's clock.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::{io, panic};

use match_core::contest::Input;

use crate::arena::Arena;
use crate::cores;
use crate::dispatch::{Dispatch, News};
use crate::orders::{Order, Orders};
use crate::process::Farewell;

mod playing;
mod table;
mod watch;
mod witness;

use table::Table;
use watch::Watch;

/// The deepest that a slot's thread goes is a few frames with small buffers; the default of 2 MB would
/// only make the figures of 200 slots look frightening.
const STACK_BYTES: usize = 512 * 1024;

/// A slot's thread, from the outside.
#[derive(Debug)]
pub(crate) struct Slot {
    orders: Arc<Orders>,
    thread: Option<JoinHandle<()>>,
}

impl Slot {
    /// Starts the thread. It says when it is free, and sends [`News::Down`] as the last thing it does.
    ///
    /// # Errors
    /// When there is no thread or no descriptor to be had.
    pub(crate) fn start(
        number: usize,
        orders: Arc<Orders>,
        arena: Arc<Arena>,
        dispatch: Arc<Dispatch>,
    ) -> io::Result<Self> {
        let watch = Watch::new(orders.bell())?;
        let name = format!("slot {}", number + 1);
        let thread = thread::Builder::new()
            .name(name)
            .stack_size(STACK_BYTES)
            .spawn({
                let orders = Arc::clone(&orders);
                move || {
                    let _last_word = LastWord {
                        number,
                        dispatch: Arc::clone(&dispatch),
                    };
                    if let Some(cpus) = arena.placement.of(number)
                        && let Err(error) = cores::stay_on(cpus)
                    {
                        let text = format!(
                            "slot {} cannot be placed on CPUs {cpus}: {error}",
                            number + 1
                        );
                        dispatch.tell(Input::ReporterFailed(text));
                    }
                    dispatch.tell(Input::SlotFree(number));
                    let mut table = Table::new(number, arena, Arc::clone(&dispatch), watch);
                    work(&mut table, &orders, &dispatch);
                }
            })?;
        Ok(Self {
            orders,
            thread: Some(thread),
        })
    }

    /// Waits for the thread, which has been told to retire or has said that it is down. If it
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
            self.orders.give(Order::Retire(Farewell::Kill));
            let _we_are_going_down_already = thread.join();
        }
    }
}

/// The work of the thread: orders, one after the other.
fn work(table: &mut Table, orders: &Orders, dispatch: &Dispatch) {
    loop {
        match orders.take() {
            Some(Order::Play(fixture)) => {
                dispatch.backlog().wait(|| orders.are_waiting());
                table.play(fixture, orders);
            }
            Some(Order::Cancel(_)) => {}
            Some(Order::Retire(farewell)) => return table.retire(farewell, orders),
            None => table.rest(),
        }
    }
}

/// Says that the thread is gone, also when it panicked.
struct LastWord {
    number: usize,
    dispatch: Arc<Dispatch>,
}

impl Drop for LastWord {
    fn drop(&mut self) {
        self.dispatch.send(News::Down(self.number));
    }
}
