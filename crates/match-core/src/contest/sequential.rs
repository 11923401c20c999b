//! The sequential test of a contest: when the question is answered.
//!
//! Pairs are taken in the order of their numbers, one look after each, and a pair counts only when
//! all before it are complete. Taken as they come in, pairs of short games would come first, and
//! short games are not like long ones; and the decision would depend on how busy the host was. So it
//! is the same whatever the concurrency, whatever is played again and wherever it is resumed. Pairs
//! that are complete beyond the one that decided are in the totals and not in the test.

use std::collections::BTreeSet;
use std::sync::Arc;

use engine_core::Color;
use stats::{Model, Pentanomial, Progress, Results, Sprt, State, Trinomial};

use crate::fixture::PairNumber;
use crate::ledger::Ledger;
use crate::spec::SprtSpec;

/// A sequential test with the pairs that it has looked at.
#[derive(Clone, Debug)]
pub struct Sequential {
    sprt: Arc<Sprt>,
    /// The first pair that it has not looked at.
    next: PairNumber,
    pairs: Pentanomial,
    games: Trinomial,
    progress: Progress,
}

impl Sequential {
    /// The test before the first pair. Designing curved bounds takes some 30 ms.
    pub fn new(spec: SprtSpec) -> Self {
        let sprt = Sprt::new(spec.hypotheses, spec.rates, spec.rule);
        Self {
            progress: sprt.start(),
            sprt: Arc::new(sprt),
            next: PairNumber(0),
            pairs: Pentanomial::default(),
            games: Trinomial::default(),
        }
    }

    /// The test itself.
    pub fn sprt(&self) -> &Arc<Sprt> {
        &self.sprt
    }

    /// The first pair that it has not looked at.
    pub fn next(&self) -> PairNumber {
        self.next
    }

    /// Where it stands after the last look.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Whether it has decided. What is played afterwards makes no difference to it.
    pub fn is_decided(&self) -> bool {
        self.progress.state != State::Running
    }

    /// Looks at the pairs of `ledger` that it has not looked at, until it decides.
    pub fn follow(&mut self, ledger: &Ledger) {
        self.follow_without(ledger, &BTreeSet::new());
    }

    /// The same, and takes no notice of the pairs `left_out`: neither of their results nor of their
    /// absence. They are those that a fleet did not want to wait for, which must not depend on how
    /// they come out.
    pub fn follow_without(&mut self, ledger: &Ledger, left_out: &BTreeSet<PairNumber>) {
        while !self.is_decided() {
            if left_out.contains(&self.next) {
                self.next = PairNumber(self.next.0 + 1);
                continue;
            }
            let Some(half_points) = ledger.half_points(self.next) else {
                break;
            };
            self.pairs.count(half_points);
            for (game, color) in self.next.games().into_iter().zip(Color::ALL) {
                let result = ledger.result(game).expect("the pair is complete");
                self.games += result.from_side(color);
            }
            self.next = PairNumber(self.next.0 + 1);
            self.look();
        }
    }

    fn look(&mut self) {
        let results = match self.sprt.hypotheses().model() {
            Model::Normalized | Model::Logistic => Results::Pairs(self.pairs),
            Model::Bayesian => Results::Games(self.games),
        };
        let after = self.sprt.look(self.progress, results);
        self.progress = after.expect("the results are of the model's kind");
    }
}
