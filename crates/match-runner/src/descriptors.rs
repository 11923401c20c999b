//! How many slots the limit of open files allows.

use std::num::NonZeroUsize;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Of a slot: three pipes, a pidfd and what a sandbox asks on for each of two engines, the bell, the timer,
/// the epoll, and the claim to its CPU.
const BY_SLOT: u64 = 14;

/// Of everything else: standard streams, book, tablebases, result files, the guard, engines on their
/// way in or out.
const BY_THE_REST: u64 = 128;

/// Raises the limit of open files if `slots` need more, by no more than they need: engines inherit it.
/// Returns how many slots fit.
pub(crate) fn allow(slots: NonZeroUsize) -> NonZeroUsize {
    let needed = needed(slots);
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|current| needed <= current) {
        return slots;
    }
    let raised = maximum.map_or(needed, |maximum| maximum.min(needed));
    match setrlimit(
        Resource::Nofile,
        Rlimit {
            current: Some(raised),
            maximum,
        },
    ) {
        Ok(()) => fitting(slots, raised),
        Err(_) => fitting(slots, current.unwrap_or(raised)),
    }
}

pub(crate) fn needed(slots: NonZeroUsize) -> u64 {
    (slots.get() as u64)
        .saturating_mul(BY_SLOT)
        .saturating_add(BY_THE_REST)
}

/// As many slots as `limit` descriptors are enough for, at least one.
fn fitting(slots: NonZeroUsize, limit: u64) -> NonZeroUsize {
    let room = limit.saturating_sub(BY_THE_REST) / BY_SLOT;
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    NonZeroUsize::new(room)
        .unwrap_or(NonZeroUsize::MIN)
        .min(slots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_left_out_but_for_the_last() {
        let slots = |count| NonZeroUsize::new(count).expect("not zero");
        assert_eq!(fitting(slots(64), needed(slots(64))), slots(64));
        assert_eq!(fitting(slots(64), needed(slots(64)) - 1), slots(63));
        assert_eq!(fitting(slots(64), 0), slots(1));
    }
}
