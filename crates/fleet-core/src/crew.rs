//! Whether the workers of a test saw the same test, and what is done about one that did not.
//!
//! Everything is shown at any time, and acted on by rules alone (reference page on statistics, 6.3):
//! it is looked at when there are twice as many entries as at the last look and once at the end; a
//! worker that stands out then by decisiveness, time losses or crashes, false discoveries kept to one
//! in a hundred, gets no more pairs of the test. Nothing is taken from the totals by itself, and
//! nobody is barred for the mean of his pairs: that would be choosing results.

use std::collections::BTreeMap;

use match_core::spec::Spec;
use stats::{Flags, Heterogeneity, Pentanomial, WorkerFinding};

use crate::standing::{Account, Standing};

/// The first look.
const LOOK_MIN: u64 = 64;

/// Shares of false discoveries: among what is shown, and among what is acted on.
const Q_SHOWN: f64 = 0.05;
const Q_ACT: f64 = 0.01;

/// A worker with more than this share of the pairs makes its luck that of the test.
pub const SHARE_LARGE: f64 = 0.25;

/// The seats of a test, compared.
#[derive(Clone, Debug)]
pub struct Crew {
    /// In the order of seats.
    pub members: Vec<Member>,
    /// How much they differ, as it is shown.
    pub heterogeneity: Heterogeneity,
}

/// A worker on a platform.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its seat.
    pub seat: u64,
    /// What came from it.
    pub account: Account,
    /// Its part of the pairs that count, 0 to 1.
    pub share: f64,
    /// Its tests against the rest of its platform.
    pub finding: WorkerFinding,
    /// What it stands out by, strictly: by this one may act if it is looked by the rules.
    pub strict: Flags,
}

impl Crew {
    /// Compares the seats of a test of `spec`; `platforms` says what each runs on.
    pub fn of(spec: &Spec, standing: &Standing, platforms: &BTreeMap<u64, String>) -> Self {
        let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
        let tallies: Vec<_> = standing
            .crew()
            .iter()
            .map(|(seat, account)| {
                let platform = platforms.get(seat).map_or("", String::as_str);
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                let number = *numbers.entry(platform).or_insert(next);
                let mut tally = account.counted.on(number);
                // Of many engines each worker has other pairings: their means are not one.
                if spec.engines.len() > 2 {
                    tally.pairs = Pentanomial::default();
                }
                tally
            })
            .collect();
        let heterogeneity = Heterogeneity::of(&tallies, Q_SHOWN);
        let strict = Heterogeneity::of(&tallies, Q_ACT);
        let all = standing.pairs().max(1) as f64;
        let seats = standing.crew().iter();
        let findings = heterogeneity.workers.iter().zip(strict.workers);
        let members = seats
            .zip(findings)
            .map(|((&seat, &account), found)| Member {
                seat,
                account,
                share: account.counted.pairs.pairs() as f64 / all,
                finding: *found.0,
                strict: found.1.flags,
            });
        Self {
            members: members.collect(),
            heterogeneity,
        }
    }
}

impl Member {
    /// Why it gets no more pairs of the test, in words; none if it does.
    pub fn reason(&self) -> Option<String> {
        let Flags {
            shape,
            time_losses,
            crashes,
            ..
        } = self.strict;
        let counted = self.account.counted;
        let games = counted.pairs.games();
        let mut reasons = Vec::new();
        if shape {
            let p = self.finding.pairs.map_or(1.0, |pairs| pairs.p_shape);
            reasons.push(format!(
                "decisiveness of {} pairs (p = {p:.1e})",
                counted.pairs.pairs()
            ));
        }
        let faults = [
            (
                time_losses,
                counted.time_losses,
                "time losses",
                self.finding.time_losses,
            ),
            (crashes, counted.crashes, "crashes", self.finding.crashes),
        ];
        for (_, count, what, p) in faults.into_iter().filter(|(is_flagged, ..)| *is_flagged) {
            let p = p.unwrap_or(1.0);
            reasons.push(format!("{count} {what} in {games} games (p = {p:.1e})"));
        }
        (!reasons.is_empty()).then(|| reasons.join(", "))
    }
}

/// Whether a test with so many `entries` is to be looked at, that was last looked at with `looked`.
pub fn is_due(looked: u64, entries: u64) -> bool {
    entries >= (2 * looked).max(LOOK_MIN)
}
