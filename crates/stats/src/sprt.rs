//! Sequential tests: play until it is decided which of two hypotheses holds.

mod alike;
mod estimate;
mod hypotheses;
mod overshoot;
mod progress;
mod rule;

use crate::curved::Design;
use crate::llr::LlrError;
use crate::results::Results;

pub use estimate::{SPRT_ELO_MAX, SprtEstimate};
pub use hypotheses::{ErrorRates, Hypotheses, SprtError};
pub use overshoot::{DynamicOvershoot, Ladder, Ladders};
pub use progress::{Exit, Progress, State};
pub use rule::{Fallback, Preset, Rule, UnknownPreset, UnknownRule};

/// A sequential test of `elo0` (H0) against `elo1` (H1).
///
/// The decision is a pure function of the reports in their order: fold [`Sprt::look`] over them.
/// Looks may come at any number of results and need not be regular.
///
/// ```
/// use stats::{ErrorRates, Hypotheses, Model, Pentanomial, Preset, Rule, Sprt, State};
///
/// let hypotheses = Hypotheses::new(Model::Normalized, 0.0, 10.0)?;
/// let sprt = Sprt::new(hypotheses, ErrorRates::new(0.05, 0.05)?, Rule::Curved(Preset::Gain));
/// let mut progress = sprt.start();
/// for report in [[2, 60, 120, 66, 2], [5, 190, 385, 260, 10]] {
///     progress = sprt.look(progress, Pentanomial(report))?;
/// }
/// assert_eq!(progress.state, State::AcceptH1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sprt {
    hypotheses: Hypotheses,
    rates: ErrorRates,
    rule: Rule,
    fallback: Option<Fallback>,
    design: Option<Design>,
}

impl Sprt {
    /// Designs the test. Takes 10 to 20 ms for curved bounds (`benches/design.rs`, sweep: of 324 designs
    /// for error rates from 0.001 to 0.2 the slowest took 21 ms), nothing for constant ones.
    ///
    /// Where curved bounds cannot be had the test has constant ones, and [`Self::fallback`] says
    /// why.
    #[must_use]
    pub fn new(hypotheses: Hypotheses, rates: ErrorRates, rule: Rule) -> Self {
        let (design, fallback) = match rule {
            Rule::Wald => (None, None),
            Rule::Curved(preset) => match rule::design(preset, rates) {
                Ok(design) => (Some(design), None),
                Err(fallback) => (None, Some(fallback)),
            },
        };
        let rule = if design.is_some() { rule } else { Rule::Wald };
        Self {
            hypotheses,
            rates,
            rule,
            fallback,
            design,
        }
    }

    /// The hypotheses.
    #[must_use]
    pub fn hypotheses(&self) -> Hypotheses {
        self.hypotheses
    }

    /// The error rates.
    #[must_use]
    pub fn rates(&self) -> ErrorRates {
        self.rates
    }

    /// The rule in force, which is not the one asked for if there is a [`Self::fallback`].
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Why the rule in force is not the one asked for.
    #[must_use]
    pub fn fallback(&self) -> Option<Fallback> {
        self.fallback
    }

    /// The curved bounds, where these are in force.
    #[must_use]
    pub fn design(&self) -> Option<&Design> {
        self.design.as_ref()
    }

    /// The test before anything was played.
    #[must_use]
    pub fn start(&self) -> Progress {
        let (lower, upper) = self.bounds(0.0);
        Progress::new(lower, upper)
    }

    /// The test after one more look at all results so far.
    ///
    /// A decision is final: later looks, at games that were running when it fell, change the
    /// numbers but not the state.
    ///
    /// # Errors
    ///
    /// [`LlrError`] when the model and the kind of results do not fit.
    pub fn look(
        &self,
        before: Progress,
        results: impl Into<Results>,
    ) -> Result<Progress, LlrError> {
        progress::look(self, before, results.into())
    }

    /// The test if it had been watched after every result and these were its results at this very
    /// moment: for records whose history is not known. Bounds are not moved for the overshoot of
    /// looks in groups.
    ///
    /// # Errors
    ///
    /// [`LlrError`] when the model and the kind of results do not fit.
    pub fn snapshot(&self, results: impl Into<Results>) -> Result<Progress, LlrError> {
        progress::snapshot(self, results.into())
    }

    /// H0 is accepted at or below the first, H1 at or above the second, when so much information
    /// has been gathered (see [`Boundary`](crate::Boundary)).
    #[must_use]
    pub fn bounds(&self, tau: f64) -> (f64, f64) {
        match &self.design {
            Some(design) => {
                let node = design.boundary.at(tau);
                (node.lower, node.upper)
            }
            None => self.rates.wald_bounds(),
        }
    }
}
