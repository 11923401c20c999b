//! Who plays what: a pure function from a snapshot.
//!
//! Classes of priority come first. Within a class owners have shares by their weights and each
//! owner's tests by theirs, in core-seconds. Both are kept by virtual time (start-time fair queueing,
//! Goyal, Vin and Cheng 1996): a lease moves its test's clock on by its core-seconds over the weight,
//! and its owner's by its core-seconds over his; whoever is furthest behind is served next. Who comes anew, or
//! comes back from having had nothing to do, starts at the time of the one furthest behind, so nobody saves up.

use std::collections::BTreeMap;

/// A test that has pairs to lend, as the planner sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<'a> {
    /// What it is called.
    pub test: &'a str,
    /// Whose it is.
    pub owner: &'a str,
    /// Higher classes are served first.
    pub priority: i64,
    /// Its virtual time: core-seconds over weight.
    pub virtual_time: f64,
    /// What it needs.
    pub needs: Needs<'a>,
}

/// What a game of a test needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs<'a> {
    /// CPUs.
    pub cores: u32,
    /// MiB.
    pub memory_mib: u64,
    /// The platform of its uploaded programs, if there are any.
    pub platform: Option<&'a str>,
    /// Programs for building.
    pub toolchain: Vec<&'a str>,
    /// Men for which the referee needs tablebases; 0 if it needs none.
    pub tablebases: u32,
}

/// What a worker has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer<'a> {
    /// CPUs.
    pub cores: u32,
    /// MiB.
    pub memory_mib: u64,
    /// Its platform.
    pub platform: &'a str,
    /// Programs for building.
    pub toolchains: Vec<&'a str>,
    /// Men up to which it has tablebases; 0 if it has none.
    pub tablebases: u32,
}

impl Offer<'_> {
    /// Games of a test with these `needs` that it can play at a time.
    pub fn slots(&self, needs: &Needs<'_>) -> u64 {
        let fits = needs
            .platform
            .is_none_or(|platform| platform == self.platform)
            && needs
                .toolchain
                .iter()
                .all(|tool| self.toolchains.contains(tool))
            && needs.tablebases <= self.tablebases;
        if !fits {
            return 0;
        }
        let by_cores = u64::from(self.cores / needs.cores.max(1));
        by_cores.min(self.memory_mib / needs.memory_mib.max(1))
    }
}

/// The test of which `offer` is lent pairs: none if there is none that it can play. `owners` has the
/// virtual times of owners; who is not in it has had nothing yet.
pub fn choose<'a>(
    candidates: &[Candidate<'a>],
    owners: &BTreeMap<String, f64>,
    offer: &Offer<'_>,
) -> Option<&'a str> {
    let owner_time = |owner: &str| owners.get(owner).copied().unwrap_or(0.0);
    candidates
        .iter()
        .filter(|candidate| offer.slots(&candidate.needs) > 0)
        .min_by(|a, b| {
            b.priority
                .cmp(&a.priority)
                .then_with(|| owner_time(a.owner).total_cmp(&owner_time(b.owner)))
                .then_with(|| a.owner.cmp(b.owner))
                .then_with(|| a.virtual_time.total_cmp(&b.virtual_time))
                .then_with(|| a.test.cmp(b.test))
        })
        .map(|candidate| candidate.test)
}
