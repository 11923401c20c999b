//! The sequential test of a contest: when the question is answered.
//!
//! Pairs are taken in the order of their numbers, one look after each, and a pair counts only when
//! all before it are complete. Taken as they come in, pairs of short games would come first, and
//! short games are not like long ones; and the decision would depend on how busy the host was. So it
//! is the same whatever the concurrency, whatever is played again and wherever it is resumed. Pairs
//! that are complete beyond the one that decided are in the totals and not in the test.

use engine_core::Color;
use stats::{Model, Pentanomial, Results, Trinomial};

use crate::fixture::PairNumber;
use crate::ledger::Ledger;
use crate::spec::SprtSpec;

/// A sequential test with the pairs that it has looked at.
#[derive(Clone, Debug)]
pub struct Sequential {
    spec: SprtSpec,
    /// The first pair that it has not looked at.
    next: PairNumber,
    pairs: Pentanomial,
    games: Trinomial,
    look: Look,
}

/// What a sequential test says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// At or below this, H0 is accepted.
    pub lower: f64,
    /// At or above this, H1 is accepted.
    pub upper: f64,
    /// What that comes to.
    pub state: SequentialState,
}

/// What a sequential test has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequentialState {
    /// Nothing yet.
    Running,
    /// The first engine is not stronger by what was asked.
    AcceptedH0,
    /// It is.
    AcceptedH1,
}

impl SequentialState {
    /// The name in JSON: `running`, `accepted_h0`, `accepted_h1`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::AcceptedH0 => "accepted_h0",
            Self::AcceptedH1 => "accepted_h1",
        }
    }
}

impl Sequential {
    /// The test before the first pair.
    pub fn new(spec: SprtSpec) -> Self {
        // Wald's bounds (*Sequential Tests of Statistical Hypotheses*, 1945, (3.16)).
        let SprtSpec { alpha, beta, .. } = spec;
        Self {
            spec,
            next: PairNumber(0),
            pairs: Pentanomial::default(),
            games: Trinomial::default(),
            look: Look {
                llr: 0.0,
                lower: (beta / (1.0 - alpha)).ln(),
                upper: ((1.0 - beta) / alpha).ln(),
                state: SequentialState::Running,
            },
        }
    }

    /// What is tested.
    pub fn spec(&self) -> &SprtSpec {
        &self.spec
    }

    /// The last look.
    pub fn look(&self) -> Look {
        self.look
    }

    /// The pairs that it has looked at.
    pub fn pairs(&self) -> Pentanomial {
        self.pairs
    }

    /// Whether it has decided. What is played afterwards makes no difference to it.
    pub fn is_decided(&self) -> bool {
        self.look.state != SequentialState::Running
    }

    /// Looks at the pairs of `ledger` that it has not looked at, until it decides.
    pub fn follow(&mut self, ledger: &Ledger) {
        while !self.is_decided()
            && let Some(half_points) = ledger.half_points(self.next)
        {
            self.pairs.count(half_points);
            for (game, color) in self.next.games().into_iter().zip(Color::ALL) {
                let result = ledger.result(game).expect("the pair is complete");
                self.games += result.from_side(color);
            }
            self.next = PairNumber(self.next.0 + 1);
            self.judge();
        }
    }

    fn judge(&mut self) {
        let SprtSpec {
            elo0, elo1, model, ..
        } = self.spec;
        let results = match model {
            Model::Normalized | Model::Logistic => Results::Pairs(self.pairs),
            Model::Bayesian => Results::Games(self.games),
        };
        let llr = stats::llr(model, elo0, elo1, results).expect("the results are of its kind");
        self.look = Look {
            llr,
            state: if llr <= self.look.lower {
                SequentialState::AcceptedH0
            } else if llr >= self.look.upper {
                SequentialState::AcceptedH1
            } else {
                SequentialState::Running
            },
            ..self.look
        };
    }
}
