//! What is played and not acknowledged.

use std::collections::{BTreeMap, BTreeSet};

/// A part of the spool: pairs of one lease that were kept together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Given by the spool, in the order in which they were kept.
    pub id: SegmentId,
    /// Under which lease they were played.
    pub lease: String,
    /// How many.
    pub pairs: u64,
}

/// What a segment is called on this worker; never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentId(pub u64);

/// The segments that nobody has acknowledged.
#[derive(Clone, Debug, Default)]
pub(super) struct Spool {
    segments: BTreeMap<SegmentId, Segment>,
    /// Reports that failed, by lease: what one lease cannot get rid of must not hold up the others.
    failures: BTreeMap<String, u32>,
    /// Leases of which one segment is reported at a time, because several were refused.
    narrow: BTreeSet<String>,
}

impl Spool {
    pub(super) fn add(&mut self, segment: Segment) {
        self.segments.insert(segment.id, segment);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// All pairs in it.
    pub(super) fn pairs(&self) -> u64 {
        self.segments.values().map(|segment| segment.pairs).sum()
    }

    /// Whether something of `lease` is in it.
    pub(super) fn has(&self, lease: &str) -> bool {
        self.segments.values().any(|segment| segment.lease == lease)
    }

    /// What is reported next: the oldest segments of one lease, about `most` pairs.
    pub(super) fn batch(&self, most: u64) -> Option<(&str, Vec<SegmentId>)> {
        let failures = |lease: &str| self.failures.get(lease).copied().unwrap_or(0);
        let first = self
            .segments
            .values()
            .min_by_key(|segment| (failures(&segment.lease), segment.id))?;
        let lease = first.lease.as_str();
        let most = if self.narrow.contains(lease) { 0 } else { most };
        let mut pairs = 0;
        let ids = self
            .segments
            .values()
            .filter(|segment| segment.lease == lease)
            .take_while(|segment| {
                let fits = pairs == 0 || pairs + segment.pairs <= most;
                pairs += segment.pairs;
                fits
            })
            .map(|segment| segment.id)
            .collect();
        Some((lease, ids))
    }

    pub(super) fn failed(&mut self, lease: &str) {
        *self.failures.entry(lease.to_owned()).or_default() += 1;
    }

    pub(super) fn narrow(&mut self, lease: &str) {
        self.narrow.insert(lease.to_owned());
    }

    /// They are acknowledged, or will never be.
    pub(super) fn remove(&mut self, lease: &str, ids: &[SegmentId]) {
        for id in ids {
            self.segments.remove(id);
        }
        self.failures.remove(lease);
        if !self.has(lease) {
            self.narrow.remove(lease);
        }
    }
}
