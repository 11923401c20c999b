//! One side's clock.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::limits::TimeControl;

/// What is left of one side's time, to the nanosecond. It is never negative.
///
/// It starts with the base and one increment, as in FIDE play (appendix A.4.4 and all digital clocks) and in
/// the other runners; every move adds an increment, and the last move of a period the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    moves_to_go: Option<NonZeroU32>,
}

/// A flag has fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFall {
    /// How much later than the time and its margin allowed.
    pub over: Duration,
}

impl Clock {
    /// A clock before the first move.
    pub const fn new(control: TimeControl) -> Self {
        Self {
            control,
            left: control.base.saturating_add(control.increment),
            moves_to_go: control.moves,
        }
    }

    /// What is left.
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// What is added after each move.
    pub const fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves until the base is added again.
    pub const fn moves_to_go(&self) -> Option<NonZeroU32> {
        self.moves_to_go
    }

    /// Charges a move.
    ///
    /// The flag is judged before anything is added: what a move will bring cannot pay for it. An
    /// overrun within the margin costs all that is left and no more.
    ///
    /// # Errors
    /// If `spent` is more than was left and `margin` together; nothing has changed then.
    pub fn charge(&mut self, spent: Duration, margin: Duration) -> Result<(), FlagFall> {
        if let Some(fall) = flag_fall(spent, self.left, margin) {
            return Err(fall);
        }
        self.left = self
            .left
            .saturating_sub(spent)
            .saturating_add(self.control.increment);
        self.moves_to_go = match self.moves_to_go.map(NonZeroU32::get) {
            None => None,
            Some(1) => {
                self.left = self.left.saturating_add(self.control.base);
                self.control.moves
            }
            Some(moves) => NonZeroU32::new(moves - 1),
        };
        Ok(())
    }
}

/// The flag fall when `spent` is more than `allowed` and its `margin`.
pub(crate) fn flag_fall(spent: Duration, allowed: Duration, margin: Duration) -> Option<FlagFall> {
    let over = spent.saturating_sub(allowed.saturating_add(margin));
    (!over.is_zero()).then_some(FlagFall { over })
}
