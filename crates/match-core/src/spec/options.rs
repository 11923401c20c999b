//! What two UCI options say about the machine that an engine needs.

use std::num::NonZeroUsize;

use crate::spec::EngineSpec;

/// Threads of a search.
pub(super) const THREADS: &str = "Threads";

/// MiB of the hash table.
pub(super) const HASH: &str = "Hash";

impl EngineSpec {
    /// CPUs that it keeps busy while it thinks: what its option `Threads` says, and one without it.
    pub fn threads(&self) -> NonZeroUsize {
        number(&self.options, THREADS)
            .and_then(|threads| usize::try_from(threads).ok())
            .and_then(NonZeroUsize::new)
            .unwrap_or(NonZeroUsize::MIN)
    }

    /// MiB of its hash table, if its option `Hash` says so.
    pub fn hash_mib(&self) -> Option<u64> {
        number(&self.options, HASH)
    }
}

/// The number that the option called `wanted` says; UCI's names of options have no case.
pub(super) fn number(options: &[(String, String)], wanted: &str) -> Option<u64> {
    let mut named = options.iter();
    let (_, value) = named.find(|(name, _)| name.eq_ignore_ascii_case(wanted))?;
    value.trim().parse().ok()
}
