//! How far the LLR goes over a bound, learned from its own course.

use std::num::NonZeroU64;

use super::State;

/// The overshoot as fishtest estimates it while a test runs: the yardstick for our own rules, which
/// reckon with the overshoot to be expected instead ([`Sprt::look`](super::Sprt::look)).
///
/// When the LLR reaches a new minimum or maximum, the step by which it does is a *ladder height* H.
/// A bound is a level that such steps run over, and in the limit they overshoot it by
/// E[H²] / 2 E[H] in the mean (Siegmund 1985, corollary 8.33, for the renewal theory; fishtest,
/// `stat_util.update_SPRT`, for the estimator). Both error rates are then right for looks at every
/// batch of results, but only for these: a batch that is missed resets the ladders, and looks at
/// anything but whole batches end the estimation for good.
///
/// ```
/// use stats::{DynamicOvershoot, State};
///
/// let mut overshoot = DynamicOvershoot::new(std::num::NonZeroU64::MIN);
/// for (pairs, llr) in [(1, 0.25), (2, 0.1), (3, 0.75)] {
///     overshoot.look(pairs, llr);
/// }
/// // Two heights, 0.25 and 0.5: (0.25² + 0.5²) / 2 (0.25 + 0.5).
/// let (lower, upper) = overshoot.correct((-1.0, 1.0));
/// assert_eq!((lower, (1000.0 * upper).round()), (-1.0, 792.0));
/// assert_eq!(overshoot.decide(0.8, (-1.0, 1.0)), State::AcceptH1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DynamicOvershoot {
    batch: NonZeroU64,
    ladders: Option<Ladders>,
    illegal_update: Option<u64>,
    lost_samples: Option<u64>,
}

/// Both ladders of a course that was looked at batch by batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ladders {
    /// Results at the last look.
    pub last_update: u64,
    /// Results that went by in missed batches, one less for each time that any did.
    pub skipped_updates: u64,
    /// Of minima; its heights are negative.
    pub lower: Ladder,
    /// Of maxima.
    pub upper: Ladder,
}

/// Steps from record to record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ladder {
    /// The record so far.
    pub reference: f64,
    /// Σ H.
    pub sum: f64,
    /// Σ H².
    pub squares: f64,
}

impl DynamicOvershoot {
    /// Before the first of looks that come after every `batch` results.
    #[must_use]
    pub fn new(batch: NonZeroU64) -> Self {
        Self {
            batch,
            ladders: Some(Ladders::default()),
            illegal_update: None,
            lost_samples: None,
        }
    }

    /// Learns that the LLR is `llr` after `count` results in all. Looking twice changes nothing.
    pub fn look(&mut self, count: u64, llr: f64) {
        if count % self.batch != 0 {
            self.illegal_update = Some(count);
            self.ladders = None;
        }
        let Some(ladders) = &mut self.ladders else {
            return;
        };
        if count < ladders.last_update {
            self.lost_samples = Some(ladders.last_update - count);
            self.ladders = None;
        } else {
            ladders.look(count, llr, self.batch.get());
        }
    }

    /// Bounds moved inwards by the overshoot of either.
    #[must_use]
    pub fn correct(&self, (lower, upper): (f64, f64)) -> (f64, f64) {
        let ladders = self.ladders.unwrap_or_default();
        (
            lower + ladders.lower.overshoot(),
            upper - ladders.upper.overshoot(),
        )
    }

    /// What is decided at `llr` when the bounds without overshoot are `bounds`.
    #[must_use]
    pub fn decide(&self, llr: f64, bounds: (f64, f64)) -> State {
        let (lower, upper) = self.correct(bounds);
        if llr < lower {
            State::AcceptH0
        } else if llr > upper {
            State::AcceptH1
        } else {
            State::Running
        }
    }

    /// What was learned; nothing once looks came that are no whole batches, or results went away.
    #[must_use]
    pub fn ladders(&self) -> Option<Ladders> {
        self.ladders
    }

    /// The number of results at the last look that was not at whole batches.
    #[must_use]
    pub fn illegal_update(&self) -> Option<u64> {
        self.illegal_update
    }

    /// How many results had gone away when the estimation ended for that.
    #[must_use]
    pub fn lost_samples(&self) -> Option<u64> {
        self.lost_samples
    }
}

impl Ladders {
    fn look(&mut self, count: u64, llr: f64, batch: u64) {
        let new = count - self.last_update;
        if new == batch {
            if llr < self.lower.reference {
                self.lower.step_to(llr);
            }
            if llr > self.upper.reference {
                self.upper.step_to(llr);
            }
        } else if new > 0 {
            // Whether there was a record in what was missed is not known.
            self.lower.reference = llr;
            self.upper.reference = llr;
            self.skipped_updates += new - 1;
        }
        self.last_update = count;
    }
}

impl Ladder {
    fn step_to(&mut self, llr: f64) {
        let height = llr - self.reference;
        self.sum += height;
        self.squares += height * height;
        self.reference = llr;
    }

    /// Σ H² / 2 |Σ H|, the mean overshoot; 0 before the first step.
    #[must_use]
    pub fn overshoot(&self) -> f64 {
        if self.sum == 0.0 {
            0.0
        } else {
            self.squares / (2.0 * self.sum.abs())
        }
    }
}
