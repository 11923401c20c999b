//! What is lent, and what comes back.

use std::collections::BTreeSet;

use fleet_core::allotment::{Allotment, PairRange, unreported};
use proptest::prelude::*;

fn range(first: u64, count: u64) -> PairRange {
    PairRange { first, count }
}

#[test]
fn what_came_back_is_lent_before_what_is_new() {
    let mut allotment = Allotment::new(100, 1000, vec![range(40, 5), range(10, 3)]);
    assert_eq!(allotment.open(), 908);
    assert_eq!(allotment.lend(2), Some(range(10, 2)));
    assert_eq!(allotment.lend(8), Some(range(12, 1)));
    assert_eq!(allotment.lend(8), Some(range(40, 5)));
    assert_eq!(allotment.lend(8), Some(range(100, 8)));
    assert_eq!(allotment.next(), 108);
}

#[test]
fn a_test_has_no_more_pairs_than_it_has() {
    let mut allotment = Allotment::new(8, 10, Vec::new());
    assert_eq!(allotment.lend(0), None);
    assert_eq!(allotment.lend(100), Some(range(8, 2)));
    assert_eq!(allotment.lend(100), None);
    assert_eq!(allotment.open(), 0);
}

#[test]
fn a_pair_whose_result_came_after_all_is_lent_no_more() {
    let mut allotment = Allotment::new(10, 10, vec![range(2, 5)]);
    assert!(allotment.forget(4));
    assert!(!allotment.forget(4));
    assert_eq!(allotment.returned(), [range(2, 2), range(5, 2)]);
}

#[test]
fn the_holes_of_a_lease_go_back() {
    let reported = BTreeSet::from([3, 4, 7]);
    let holes = unreported(range(2, 7), |pair| reported.contains(&pair));
    assert_eq!(holes, [range(2, 1), range(5, 2), range(8, 1)]);
}

proptest! {
    /// Whatever is lent, returned, forgotten and lent again: nobody has what somebody has, and in the
    /// end everything was reported once.
    #[test]
    fn every_pair_is_with_one_at_a_time(steps in prop::collection::vec((0u8..4, any::<u16>()), 0..200)) {
        const END: u64 = 60;
        let mut allotment = Allotment::new(0, END, Vec::new());
        let mut held: Vec<PairRange> = Vec::new();
        let mut reported = BTreeSet::new();
        let finish = |allotment: &Allotment, lease: PairRange, reported: &BTreeSet<u64>| {
            let mut returned = allotment.returned().to_vec();
            returned.extend(unreported(lease, |pair| reported.contains(&pair)));
            Allotment::new(allotment.next(), END, returned)
        };
        let play = |allotment: &mut Allotment, lease: PairRange, reported: &mut BTreeSet<u64>, most: u64| {
            for pair in (lease.first..lease.end()).take(most as usize) {
                reported.insert(pair);
                allotment.forget(pair);
            }
        };
        for (what, number) in steps {
            let number = u64::from(number);
            match what {
                0 => held.extend(allotment.lend(1 + number % 9)),
                1 if !held.is_empty() => {
                    let lease = held.swap_remove(number as usize % held.len());
                    play(&mut allotment, lease, &mut reported, number % 5);
                    allotment = finish(&allotment, lease, &reported);
                }
                // A worker that was thought lost reports after all.
                2 if !held.is_empty() => {
                    let lease = held.swap_remove(number as usize % held.len());
                    allotment = finish(&allotment, lease, &reported);
                    play(&mut allotment, lease, &mut reported, number % 5);
                }
                _ => {}
            }
            let mut owned = BTreeSet::new();
            for pair in held.iter().chain(allotment.returned()).flat_map(|r| r.first..r.end()) {
                prop_assert!(owned.insert(pair), "pair {} is with two", pair);
                prop_assert!(pair < allotment.next());
            }
        }
        while let Some(lease) = held.pop().or_else(|| allotment.lend(7)) {
            play(&mut allotment, lease, &mut reported, END);
            allotment = finish(&allotment, lease, &reported);
        }
        prop_assert_eq!(reported.len() as u64, END);
    }
}
