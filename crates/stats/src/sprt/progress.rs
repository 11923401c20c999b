//! The course of a sequential test.

use super::Sprt;
use crate::curved::Design;
use crate::llr::{LlrError, approximate_llr, llr};
use crate::results::Results;

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing yet.
    Running,
    /// H0 is accepted: the strength is `elo0` or less.
    AcceptH0,
    /// H1 is accepted: the strength is `elo1` or more.
    AcceptH1,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The decision.
    pub state: State,
    /// The log-likelihood ratio; 0 before the first look.
    pub llr: f64,
    /// H0 is accepted when the LLR gets here. (Looks at groups of results have the bounds moved
    /// inwards by what the LLR will overshoot, so that a test can end a little before.)
    pub lower: f64,
    /// H1 is accepted when the LLR gets here.
    pub upper: f64,
    /// Information so far, in which the LLR has variance 1 a unit.
    pub tau: f64,
    /// The results of the last look.
    pub results: Option<Results>,
    /// Where the LLR met a bound, once decided.
    pub exit: Option<Exit>,
}

/// Where the LLR met a bound, or was when the last bound was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exit {
    /// Information at that moment.
    pub tau: f64,
    /// The LLR at that moment.
    pub llr: f64,
}

/// ζ(½)/√(2π) with its sign turned: by how many standard deviations of a step a random walk
/// overshoots a bound in the mean (Chernoff 1965; Siegmund 1985, chapter 10).
const OVERSHOOT: f64 = 0.582_597_157_939_010_6;

impl Progress {
    pub(super) fn new(lower: f64, upper: f64) -> Self {
        let state = State::Running;
        Self {
            state,
            llr: 0.0,
            lower,
            upper,
            tau: 0.0,
            results: None,
            exit: None,
        }
    }

    fn count(&self) -> u64 {
        self.results.map_or(0, Results::count)
    }
}

/// One more look at a running test.
pub(super) fn look(sprt: &Sprt, before: Progress, results: Results) -> Result<Progress, LlrError> {
    step(sprt, before, results, overshoot(sprt, &before, results))
}

/// One look at a test that was watched all the time.
pub(super) fn snapshot(sprt: &Sprt, results: Results) -> Result<Progress, LlrError> {
    step(sprt, sprt.start(), results, 0.0)
}

impl Sprt {
    /// [`Sprt::look`], but where the LLR is clearly between the bounds it is only approximate, at a
    /// fifth of the cost: for simulations, whose decisions stay the same.
    pub(crate) fn look_if_close(
        &self,
        before: Progress,
        results: Results,
    ) -> Result<Progress, LlrError> {
        let hypotheses = self.hypotheses;
        let overshoot = overshoot(self, &before, results);
        let information = hypotheses.information_per_result(results);
        let tau = before.tau.max(results.count() as f64 * information);
        let (lower, upper) = self.bounds(tau);
        let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
        let llr = approximate_llr(hypotheses.model(), elo0, elo1, results);
        // The approximation errs by a few per cent where effects are large.
        let margin = overshoot + 0.2 + 0.1 * llr.abs();
        let is_over = self
            .design()
            .is_some_and(|design| tau >= design.boundary.end());
        if is_over || llr - margin <= lower || upper <= llr + margin {
            return step(self, before, results, overshoot);
        }
        Ok(Progress {
            llr,
            lower,
            upper,
            tau,
            results: Some(results),
            ..before
        })
    }
}

/// By how much the LLR will be over a bound in the mean when this look finds it there.
fn overshoot(sprt: &Sprt, before: &Progress, results: Results) -> f64 {
    let new = results.count().saturating_sub(before.count());
    OVERSHOOT * (new as f64 * sprt.hypotheses.information_per_result(results)).sqrt()
}

fn step(
    sprt: &Sprt,
    before: Progress,
    results: Results,
    overshoot: f64,
) -> Result<Progress, LlrError> {
    let hypotheses = sprt.hypotheses;
    let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
    let llr = llr(hypotheses.model(), elo0, elo1, results)?;
    // Where the variance is estimated its noise must not turn time back.
    let tau = results.count() as f64 * hypotheses.information_per_result(results);
    let tau = if results.count() < before.count() {
        tau
    } else {
        tau.max(before.tau)
    };
    let (lower, upper) = sprt.bounds(tau);
    let mut after = Progress {
        llr,
        lower,
        upper,
        tau,
        results: Some(results),
        ..before
    };
    if before.state == State::Running {
        after.state = decide(sprt, &after, overshoot);
        after.exit = exit(sprt, &before, &after);
    }
    Ok(after)
}

fn decide(sprt: &Sprt, now: &Progress, overshoot: f64) -> State {
    if let Some(Design { boundary, .. }) = sprt.design()
        && now.tau >= boundary.end()
    {
        let is_above = now.llr >= boundary.threshold();
        return if is_above {
            State::AcceptH1
        } else {
            State::AcceptH0
        };
    }
    // Moved bounds meet halfway at most.
    let shift = overshoot.min((now.upper - now.lower) / 2.0);
    if now.llr >= now.upper - shift {
        State::AcceptH1
    } else if now.llr <= now.lower + shift {
        State::AcceptH0
    } else {
        State::Running
    }
}

/// Where the straight way from the look before met the bound, or the last point if it fell short of
/// it. A test that jumps far over a bound in one look is then as sure of it as it should be.
fn exit(sprt: &Sprt, before: &Progress, now: &Progress) -> Option<Exit> {
    let (beyond, last) = match now.state {
        State::Running => return None,
        State::AcceptH0 => (-1.0, now.lower),
        State::AcceptH1 => (1.0, now.upper),
    };
    let end = sprt
        .design()
        .map_or(f64::INFINITY, |design| design.boundary.end());
    let stop = Exit {
        tau: now.tau.min(end),
        llr: now.llr,
    };
    if beyond * (now.llr - last) < 0.0 || now.tau <= before.tau {
        return Some(stop);
    }
    let on_the_way = |share: f64| Exit {
        tau: before.tau + share * (now.tau - before.tau),
        llr: before.llr + share * (now.llr - before.llr),
    };
    let overshoot = |exit: Exit| {
        let (lower, upper) = sprt.bounds(exit.tau);
        beyond * (exit.llr - if beyond > 0.0 { upper } else { lower })
    };
    let share = crate::root::of_rising(|share| overshoot(on_the_way(share)), 0.0, 1.0);
    let exit = on_the_way(share);
    Some(if exit.tau < end { exit } else { stop })
}
