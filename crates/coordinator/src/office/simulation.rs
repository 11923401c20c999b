//! A whole fleet in virtual time: the agents of workers, this office and its store, and between them a
//! network that loses, repeats, delays and reorders a fifth of all messages each, with workers that die
//! and workers that lie, clocks that jump and a coordinator that is started again, in the middle of a write
//! too. Everything comes from a seed.
//!
//! Whatever happens: what is counted is what honest workers played, each pair once; no pair, and so no
//! opening, is with two at a time; fixed tests have exactly their pairs; shares follow the weights.
//! `ARBITER_SIMULATED_PAIRS` makes it longer, `ARBITER_SIMULATED_SEED` makes it another one.
//!
//! ```text
//! world        what happens when
//! coordinator  its process and its clock
//! network      messages on their way
//! worker       an agent, and what survives its death
//! report       pairs as honest workers and liars report them
//! dice         chance
//! ```

use std::time::{Duration, Instant};

use report::Honesty::{self, Honest, Lying};
use world::World;

mod coordinator;
mod dice;
mod network;
pub(crate) mod report;
mod worker;
mod world;

/// Workers: slots, seconds that a pair takes, and what they are like.
const WORKERS: [(u32, u64, Honesty); 14] = [
    (1, 8, Honest),
    (1, 20, Honest),
    (2, 8, Honest),
    (2, 12, Honest),
    (4, 10, Honest),
    (4, 9, Honest),
    (4, 30, Honest),
    (8, 8, Honest),
    (8, 10, Honest),
    (3, 7, Honest),
    (1, 60, Honest),
    (6, 11, Honest),
    (2, 10, Lying),
    (4, 8, Lying),
];

/// Owner, eighths of all pairs and of all shares, weight among the owner's tests.
const TESTS: [(&str, u64, f64); 3] = [("ada", 1, 1.0), ("ada", 3, 3.0), ("bob", 4, 0.7)];

/// No fleet needs longer for what is simulated, in milliseconds.
const LIMIT: u64 = 10 * 365 * 24 * 60 * 60 * 1000;

#[test]
fn a_fleet_in_a_hostile_world_counts_every_pair_once() {
    let number = |name: &str, usual: u64| {
        let text = std::env::var(name).ok();
        text.map_or(usual, |text| text.parse().expect("a number"))
    };
    simulate(
        number("ARBITER_SIMULATED_SEED", 1),
        number("ARBITER_SIMULATED_PAIRS", 20_000),
    );
}

#[test]
fn a_coordinator_that_was_away_gives_its_workers_time_to_come_back() {
    let mut world = World::new(1, 400_000);
    let test = world.submit("ada", 8, 1.0);
    world.claim_once(0);
    let (away, minute) = (600_000, 60_000);
    world.coordinator.restart(away, 0);
    let held = |world: &mut World, now| {
        world.coordinator.set_clock(now);
        world.tend();
        world.held(&test)
    };
    assert_eq!(held(&mut world, away + minute), 1);
    assert_eq!(held(&mut world, away + 2 * minute), 0);
    // What was lent in this life it knows all about.
    world.claim_once(0);
    assert_eq!(held(&mut world, away + 3 * minute), 1);
    assert_eq!(held(&mut world, 2 * away), 0);
}

/// Plays tests of so many pairs in all.
fn simulate(seed: u64, pairs: u64) {
    let begun = Instant::now();
    // A coordinator reads what was counted when it starts, so in a long run it starts less often.
    let longest_life = 400_000 * (pairs / 20_000).max(1).isqrt();
    let mut world = World::new(seed, longest_life);
    let tests = TESTS.map(|(owner, eighths, weight)| {
        let wanted = pairs * eighths / 8;
        (world.submit(owner, wanted, weight), wanted)
    });
    let counted = |world: &World| tests.each_ref().map(|(test, _)| world.counted(test));
    let mut shares = None;
    for step in 0u64.. {
        world.step();
        assert!(
            world.now() < LIMIT,
            "it does not end: {:?}",
            counted(&world)
        );
        if !step.is_multiple_of(1 + pairs / 40) {
            continue;
        }
        let counted = counted(&world);
        // Later, tests that are over have no share any more.
        if shares.is_none() && counted.iter().sum::<u64>() > pairs * 3 / 5 {
            shares = Some(tests.each_ref().map(|(test, _)| world.effort(test)));
        }
        let all = counted.iter().zip(&tests);
        if world.is_quiet()
            && all
                .into_iter()
                .all(|(counted, (_, wanted))| counted >= wanted)
        {
            break;
        }
    }
    check_shares(shares.expect("it passed"));
    for (test, wanted) in &tests {
        world.check_ledger(test, *wanted);
    }
    println!(
        "seed {seed}: {pairs} pairs in {:.0} days and {:.1} seconds; {}",
        Duration::from_millis(world.now()).as_secs_f64() / 86_400.0,
        begun.elapsed().as_secs_f64(),
        world.tallies()
    );
}

/// Between the tests of an owner and between owners, in core-seconds that were played.
fn check_shares(effort: [f64; TESTS.len()]) {
    let all: f64 = effort.iter().sum();
    let check = |what: &str, effort: f64, eighths: u64| {
        let error = effort / all * 8.0 / eighths as f64 - 1.0;
        assert!(
            error.abs() < 0.05,
            "{what} has a share of {eighths} eighths that is off by {error}"
        );
    };
    for ((effort, (owner, eighths, _)), test) in effort.into_iter().zip(TESTS).zip(1..) {
        check(&format!("test {test} of {owner}"), effort, eighths);
    }
    check("ada", effort[0] + effort[1], 4);
    check("bob", effort[2], 4);
}
