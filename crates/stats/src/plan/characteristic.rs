//! Length and outcome of a sequential test as functions of the truth.

use thiserror::Error;

use super::law::{Law, LawError};
use crate::brownian::Absorbed;
use crate::elo::excess_of_elo;
use crate::llr::Model;
use crate::root;
use crate::sprt::Sprt;

/// A sequential test of pairs that follow a law.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    sprt: &'a Sprt,
    law: Law,
}

/// What to expect of a test at one strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Characteristic {
    /// The true strength, on the scale of the test's model.
    pub elo: f64,
    /// P(H1 accepted).
    pub pass: f64,
    /// Mean number of pairs.
    pub mean: f64,
    /// 95 % of tests need no more pairs.
    pub p95: f64,
    /// 99 % of tests need no more pairs.
    pub p99: f64,
    /// No test needs more pairs; `None` for constant bounds, which have no end.
    pub max: Option<f64>,
}

/// Why a test cannot be planned.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PlanError {
    /// Pairs do not say how many games are drawn.
    #[error(
        "model `bayesian` is about single games, and plans are about pairs: allowed are `normalized` and `logistic`"
    )]
    Bayesian,
    /// The law cannot be had at a strength that matters.
    #[error(transparent)]
    Law(#[from] LawError),
}

impl<'a> Plan<'a> {
    /// The plan of a test.
    ///
    /// # Errors
    ///
    /// [`PlanError::Bayesian`] for that model; [`PlanError::Law`] if the law cannot show the
    /// hypotheses themselves.
    pub fn new(sprt: &'a Sprt, law: Law) -> Result<Self, PlanError> {
        let hypotheses = sprt.hypotheses();
        if hypotheses.model() == Model::Bayesian {
            return Err(PlanError::Bayesian);
        }
        for elo in [hypotheses.elo0(), hypotheses.elo1()] {
            law.tilted_to(hypotheses.model(), elo)?;
        }
        Ok(Self { sprt, law })
    }

    /// The test.
    #[must_use]
    pub fn sprt(&self) -> &'a Sprt {
        self.sprt
    }

    /// The law at equality, or wherever it was counted.
    #[must_use]
    pub fn law(&self) -> Law {
        self.law
    }

    /// The law if the true strength is `elo` on the scale of the test's model.
    ///
    /// # Errors
    ///
    /// [`LawError::OutOfReach`] where no such law exists.
    pub fn law_at(&self, elo: f64) -> Result<Law, LawError> {
        self.law.tilted_to(self.sprt.hypotheses().model(), elo)
    }

    /// What to expect if the true strength is `elo` on the scale of the test's model, in the limit
    /// of many pairs (Brownian motion). Simulations agree from some 80 pairs on.
    ///
    /// # Errors
    ///
    /// [`LawError::OutOfReach`] where the law does not exist.
    pub fn at(&self, elo: f64) -> Result<Characteristic, LawError> {
        let hypotheses = self.sprt.hypotheses();
        let law = self.law_at(elo)?;
        let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
        let (theta, information) = match hypotheses.model() {
            Model::Normalized => {
                let theta = (elo - 0.5 * (elo0 + elo1)) / (elo1 - elo0);
                (
                    theta,
                    hypotheses.information_per_result(crate::Pentanomial::default().into()),
                )
            }
            Model::Logistic | Model::Bayesian => {
                let [excess0, excess1] = [elo0, elo1].map(excess_of_elo);
                let width = excess1 - excess0;
                (
                    (law.excess() - 0.5 * (excess0 + excess1)) / width,
                    width * width / law.variance(),
                )
            }
        };
        let law = stopping(self.sprt, theta);
        let pairs = |tau: f64| tau / information;
        Ok(Characteristic {
            elo,
            pass: law.pass,
            mean: pairs(law.mean),
            p95: pairs(law.p95),
            p99: pairs(law.p99),
            max: (self.sprt.design()).map(|design| pairs(design.boundary.end())),
        })
    }

    /// The characteristics at `points` strengths from one and a half widths of the hypotheses below
    /// the middle to as much above; strengths that the law cannot show are left out.
    pub fn table(&self, points: usize) -> impl Iterator<Item = Characteristic> {
        let hypotheses = self.sprt.hypotheses();
        let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
        let middle = 0.5 * (elo0 + elo1);
        let step = 3.0 * (elo1 - elo0) / (points.max(2) - 1) as f64;
        (0..points).filter_map(move |i| {
            self.at(middle + step * (i as f64 - 0.5 * (points - 1) as f64))
                .ok()
        })
    }
}

/// Outcome and length in units of information.
#[derive(Clone, Copy, Debug)]
struct Stopping {
    pass: f64,
    mean: f64,
    p95: f64,
    p99: f64,
}

fn stopping(sprt: &Sprt, theta: f64) -> Stopping {
    let (pass, mean) = pass_and_mean(sprt, theta);
    let quantile = |p| match sprt.design() {
        Some(design) => design.passage.quantile_tau(theta, p),
        None => {
            let motion = between_constant_bounds(sprt, theta);
            let decided = |tau: f64| motion.lower_by(tau) + motion.upper_by(tau) - p;
            let end = 4.0 * (motion.upper - motion.lower).powi(2);
            root::of_rising(decided, 0.0, end)
        }
    };
    Stopping {
        pass,
        mean,
        p95: quantile(0.95),
        p99: quantile(0.99),
    }
}

/// P(H1 accepted) and the mean information at the decision, which cost much less than quantiles.
pub(super) fn pass_and_mean(sprt: &Sprt, theta: f64) -> (f64, f64) {
    if let Some(design) = sprt.design() {
        let passage = &design.passage;
        return (passage.accept_probability(theta), passage.mean_tau(theta));
    }
    let motion = between_constant_bounds(sprt, theta);
    (1.0 - motion.lower_ever(), motion.mean_time())
}

fn between_constant_bounds(sprt: &Sprt, theta: f64) -> Absorbed {
    let (lower, upper) = sprt.rates().wald_bounds();
    Absorbed {
        lower,
        upper,
        drift: theta,
        variance: 1.0,
    }
}
