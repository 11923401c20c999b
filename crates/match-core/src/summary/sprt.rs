//! A sequential test and what it says so far.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use stats::{Progress, Results, Sprt, SprtEstimate, State, Undefined};

/// A sequential test and how it stands. It has looked at the complete pairs in the order of their
/// numbers up to the first gap or to its decision, which may be fewer than there are.
///
/// A contest makes one with every game. What takes milliseconds ([`Self::estimate`],
/// [`Self::expected_remaining_pairs`]) is therefore computed where it is asked for, as when this is
/// serialized.
#[derive(Clone, Debug)]
pub struct SprtSummary {
    sprt: Arc<Sprt>,
    progress: Progress,
}

impl SprtSummary {
    /// `sprt` at this point of its course.
    pub fn new(sprt: Arc<Sprt>, progress: Progress) -> Self {
        Self { sprt, progress }
    }

    /// The test.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The LLR, the bounds that it is compared with, and the decision.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The name of the state in JSON: `running`, `accepted_h0` or `accepted_h1`.
    pub fn state(&self) -> &'static str {
        match self.progress.state {
            State::Running => "running",
            State::AcceptH0 => "accepted_h0",
            State::AcceptH1 => "accepted_h1",
        }
    }

    /// Complete pairs that it has looked at; of single games every two are one.
    pub fn pairs(&self) -> u64 {
        self.progress.results.map_or(0, Results::games) / 2
    }

    /// The strength that it shows, without the bias of stopping when it looks good.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoGames`] before the first look.
    pub fn estimate(&self) -> Result<SprtEstimate, Undefined> {
        if self.progress.results.map_or(0, Results::count) == 0 {
            return Err(Undefined::NoGames);
        }
        Ok(self.sprt.estimate(&self.progress))
    }

    /// How many pairs it will still need in the mean; nothing when it is decided.
    pub fn expected_remaining_pairs(&self) -> Option<f64> {
        let games_per_result = match self.progress.results {
            Some(Results::Games(_)) => 1.0,
            Some(Results::Pairs(_)) | None => 2.0,
        };
        let results = self.sprt.expected_remaining(&self.progress)?;
        Some(results * games_per_result / 2.0)
    }
}

impl PartialEq for SprtSummary {
    fn eq(&self, other: &Self) -> bool {
        let asked = |sprt: &Sprt| (sprt.hypotheses(), sprt.rates(), sprt.rule());
        asked(&self.sprt) == asked(&other.sprt) && self.progress == other.progress
    }
}

/// The names are part of the interface.
#[derive(Serialize)]
struct Shape {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    rule: &'static str,
    preset: Option<&'static str>,
    llr: f64,
    /// Where H0 and H1 are accepted now. A decision comes a hair sooner, by what the LLR goes
    /// beyond a bound in the mean when a look finds it there.
    lower: f64,
    upper: f64,
    state: &'static str,
    pairs: u64,
    expected_remaining_pairs: Option<f64>,
    estimate: Option<TestEstimate>,
}

/// What a sequential test says about strength, as it stands in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TestEstimate {
    /// Median-unbiased logistic Elo; ±1000 stands for that much and more.
    pub value: f64,
    /// Lower and upper limit of its 95 % interval; ±1000 is no limit.
    pub ci95: [f64; 2],
    /// How likely it is that the first engine is the stronger one, 0 to 1.
    pub los: f64,
}

impl Serialize for SprtSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (hypotheses, rates, rule) =
            (self.sprt.hypotheses(), self.sprt.rates(), self.sprt.rule());
        let Progress {
            llr, lower, upper, ..
        } = self.progress;
        let shape = Shape {
            model: hypotheses.model().name(),
            elo0: hypotheses.elo0(),
            elo1: hypotheses.elo1(),
            alpha: rates.alpha(),
            beta: rates.beta(),
            rule: rule.name(),
            preset: rule.preset().map(|preset| preset.name()),
            llr,
            lower,
            upper,
            state: self.state(),
            pairs: self.pairs(),
            expected_remaining_pairs: self.expected_remaining_pairs(),
            estimate: self.estimate().ok().map(TestEstimate::from),
        };
        shape.serialize(serializer)
    }
}

impl From<SprtEstimate> for TestEstimate {
    fn from(estimate: SprtEstimate) -> Self {
        let SprtEstimate { value, ci95, los } = estimate;
        Self {
            value,
            ci95: [ci95.low, ci95.high],
            los,
        }
    }
}
