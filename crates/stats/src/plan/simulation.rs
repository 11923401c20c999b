//! Tests played with dice.

use std::num::NonZeroU64;

use super::characteristic::Plan;
use super::law::{Law, LawError};
use crate::pentanomial::Pentanomial;
use crate::random::SplitMix64;
use crate::sprt::{Progress, Sprt, State};

/// Simulates a planned test, looking at it after every so many pairs.
#[derive(Clone, Debug)]
pub struct Simulation<'a> {
    plan: &'a Plan<'a>,
    pairs_per_look: NonZeroU64,
    seed: u64,
}

/// A mean over simulated tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The mean.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
}

/// What happened in simulated tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// The share of tests in which H1 was accepted.
    pub pass: Measured,
    /// Mean number of pairs.
    pub mean: Measured,
    /// 95 % of tests needed no more pairs.
    pub p95: u64,
    /// 99 % of tests needed no more pairs.
    pub p99: u64,
}

/// Error rates of simulated tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatedRates {
    /// P(H1 accepted) under H0.
    pub alpha: Measured,
    /// P(H0 accepted) under H1.
    pub beta: Measured,
}

/// Information after which a simulated test counts as undecided: constant bounds have no end, and
/// one test in 1e12 gets here.
const TAU_MAX: f64 = 1_000.0;

impl<'a> Simulation<'a> {
    /// Simulations that look after every `pairs_per_look` pairs. The same seed plays the same
    /// games.
    #[must_use]
    pub fn new(plan: &'a Plan<'a>, pairs_per_look: NonZeroU64, seed: u64) -> Self {
        Self {
            plan,
            pairs_per_look,
            seed,
        }
    }

    /// Plays `tests` tests in which the true strength is `elo` on the scale of the test's model. One
    /// test shows no spread: its standard errors are 0.
    ///
    /// # Errors
    ///
    /// [`LawError::OutOfReach`] where the law does not exist.
    ///
    /// # Panics
    ///
    /// If `tests` is 0.
    pub fn run(&self, elo: f64, tests: u32) -> Result<Simulated, LawError> {
        assert!(tests > 0, "a mean needs at least one test");
        let dice = Dice::new(self.plan.law_at(elo)?);
        let mut lengths = Vec::with_capacity(tests as usize);
        let mut passed = Vec::with_capacity(tests as usize);
        self.play(&dice, tests, |progress| {
            lengths.push(progress.results.map_or(0, crate::Results::count));
            passed.push(f64::from(u8::from(progress.state == State::AcceptH1)));
        });
        let mean = measured(lengths.iter().map(|&pairs| pairs as f64));
        lengths.sort_unstable();
        let quantile =
            |p: f64| lengths[((p * f64::from(tests)).ceil() as usize - 1).min(lengths.len() - 1)];
        Ok(Simulated {
            pass: measured(passed.iter().copied()),
            mean,
            p95: quantile(0.95),
            p99: quantile(0.99),
        })
    }

    /// Measures both error rates with `tests` tests under either hypothesis.
    ///
    /// Wrong decisions are rare, so they are counted where they are right: tests played under H1
    /// that accept it, each weighted with its likelihood under H0 over that under H1, have the mean
    /// α (Siegmund 1976). One per cent of α takes a thousand tests instead of two hundred thousand.
    ///
    /// # Panics
    ///
    /// If `tests` is 0.
    #[must_use]
    pub fn error_rates(&self, tests: u32) -> SimulatedRates {
        assert!(tests > 0, "a mean needs at least one test");
        let hypotheses = self.plan.sprt().hypotheses();
        let law = |elo| {
            self.plan
                .law_at(elo)
                .expect("a plan can show its hypotheses")
        };
        let (law0, law1) = (law(hypotheses.elo0()), law(hypotheses.elo1()));
        let rate = |played: Law, other: Law, right: State| {
            let logs: [f64; 5] = std::array::from_fn(|i| {
                (other.probabilities()[i] / played.probabilities()[i]).ln()
            });
            let mut weights = Vec::with_capacity(tests as usize);
            self.play(&Dice::new(played), tests, |progress| {
                weights.push(match progress.results {
                    Some(crate::Results::Pairs(pairs)) if progress.state == right => {
                        let terms = pairs.0.iter().zip(logs);
                        terms
                            .map(|(&count, log)| count as f64 * log)
                            .sum::<f64>()
                            .exp()
                    }
                    _ => 0.0,
                });
            });
            measured(weights.into_iter())
        };
        SimulatedRates {
            alpha: rate(law1, law0, State::AcceptH1),
            beta: rate(law0, law1, State::AcceptH0),
        }
    }

    /// Plays tests to their end and hands each over.
    pub fn play_each(
        &self,
        elo: f64,
        tests: u32,
        finished: impl FnMut(&Progress),
    ) -> Result<(), LawError> {
        self.play(&Dice::new(self.plan.law_at(elo)?), tests, finished);
        Ok(())
    }

    fn play(&self, dice: &Dice, tests: u32, mut finished: impl FnMut(&Progress)) {
        let mut random = SplitMix64::new(self.seed);
        for _ in 0..tests {
            let progress = play(
                self.plan.sprt(),
                dice,
                self.pairs_per_look.get(),
                &mut random,
            );
            finished(&progress);
        }
    }
}

/// One test.
fn play(sprt: &Sprt, dice: &Dice, pairs_per_look: u64, random: &mut SplitMix64) -> Progress {
    let mut progress = sprt.start();
    let mut pairs = Pentanomial::default();
    while progress.state == State::Running && progress.tau < TAU_MAX {
        for _ in 0..pairs_per_look {
            pairs.count(dice.throw(random));
        }
        progress = sprt
            .look_if_close(progress, pairs.into())
            .expect("plans are about pairs and their models know them");
    }
    progress
}

fn measured(values: impl ExactSizeIterator<Item = f64> + Clone) -> Measured {
    let count = values.len() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
    let variance = squares / (count - 1.0).max(1.0);
    Measured {
        value: mean,
        standard_error: (variance / count).sqrt(),
    }
}

/// A die with five faces.
#[derive(Clone, Debug)]
struct Dice {
    /// The least random number of each face but the first.
    from: [u64; 4],
}

impl Dice {
    fn new(law: Law) -> Self {
        let mut sum = 0.0;
        let from = std::array::from_fn(|i| {
            sum += law.probabilities()[i];
            (sum * u64::MAX as f64) as u64
        });
        Self { from }
    }

    fn throw(&self, random: &mut SplitMix64) -> usize {
        let number = random.next();
        self.from
            .iter()
            .map(|&from| usize::from(number >= from))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorRates, Hypotheses, Model, Preset, Rule};

    #[test]
    fn approximate_looks_far_from_the_bounds_change_no_decision() {
        for (model, rule) in [
            (Model::Normalized, Rule::Wald),
            (Model::Normalized, Rule::Curved(Preset::Deadline)),
            (Model::Logistic, Rule::Curved(Preset::General)),
        ] {
            let hypotheses = Hypotheses::new(model, 0.0, 20.0).expect("0 < 20");
            let sprt = Sprt::new(hypotheses, ErrorRates::default(), rule);
            for law in [Law::UHO, Law::BALANCED, Law::WEAK] {
                let dice = Dice::new(law.tilted_to(model, 10.0).expect("10 is within reach"));
                for seed in 0..20 {
                    let played = play(&sprt, &dice, 2, &mut SplitMix64::new(seed));
                    let (mut progress, mut pairs) = (sprt.start(), Pentanomial::default());
                    let mut random = SplitMix64::new(seed);
                    while progress.state == State::Running {
                        for _ in 0..2 {
                            pairs.count(dice.throw(&mut random));
                        }
                        progress = sprt.look(progress, pairs).expect("pairs are known to both");
                    }
                    assert_eq!(
                        progress.results, played.results,
                        "{model} {rule} {law:?} {seed}"
                    );
                    assert_eq!(progress.state, played.state);
                }
            }
        }
    }
}
