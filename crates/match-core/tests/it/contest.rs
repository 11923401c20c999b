//! Which game is played next, and when a contest is over: in virtual time.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

use engine_core::{ByColor, Color};
use match_core::contest::{CANCEL_GRACE, Input, Retry};
use match_core::event::StopReason;
use match_core::fault::Fault;
use match_core::fixture::{EngineId, Fixture, GameNumber, PairNumber, Share};
use match_core::moment::Moment;
use match_core::spec::Spec;
use match_core::verdict::{Verdict, VoidReason};
use proptest::prelude::*;

use crate::sample::{contest, forfeit, mate_by, record, spec, stalemate};
use crate::world::{World, a_second, draw};

/// Some number that looks random, for times and results that depend on nothing but the game.
fn scrambled(seed: u64, fixture: Fixture) -> u64 {
    (seed ^ fixture.number.0).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

#[test]
fn games_are_given_out_from_the_lowest_number_on() {
    let mut world = World::new(&contest(2, 2, ""), 2);
    world.open(2, &mut a_second);
    assert_eq!(world.seen.started, [0, 1]);
    while world.step(&mut a_second, &mut draw).is_some() {}
    assert_eq!(world.seen.started, [0, 1, 2, 3]);
    assert!(world.seen.done);
    assert_eq!(world.seen.stopped, None);
    assert_eq!(
        world.seen.events,
        [
            "started",
            "game started",
            "game started",
            "game finished",
            "game started",
            "game finished",
            "game started",
            "game finished",
            "game finished",
            "finished"
        ]
    );
    assert_eq!(world.contest.summary().pentanomial, [0, 0, 2, 0, 0]);
}

#[test]
fn of_a_share_its_pairs_are_played_and_no_others() {
    let mut spec = contest(3, 10, "");
    spec.share = Some(Share {
        first: PairNumber(4),
        pairs: NonZeroU64::new(2).unwrap(),
    });
    let mut world = World::new(&spec, 3);
    world.open(3, &mut a_second);
    while world.step(&mut a_second, &mut draw).is_some() {}
    assert_eq!(world.seen.started, [8, 9, 10, 11]);
    assert!(world.seen.done);
    assert_eq!(world.seen.stopped, None);
    assert_eq!(world.contest.summary().games, 4);
}

#[test]
fn a_share_ends_with_its_contest() {
    let mut spec = contest(2, 10, "");
    spec.share = Some(Share {
        first: PairNumber(9),
        pairs: NonZeroU64::new(5).unwrap(),
    });
    let mut world = World::new(&spec, 1);
    world.open(1, &mut a_second);
    while world.step(&mut a_second, &mut draw).is_some() {}
    assert_eq!(world.seen.started, [18, 19]);
    assert!(world.seen.done);
}

#[test]
fn a_void_game_is_played_again() {
    let mut world = World::new(&contest(2, 2, ""), 1);
    world.open(1, &mut a_second);
    let mut times = 0;
    let mut void_twice = |fixture: Fixture| {
        times += u64::from(fixture.number == GameNumber(1));
        match (fixture.number, times) {
            (GameNumber(1), ..=2) => Verdict::Void(VoidReason::Host("suspended".to_owned())),
            _ => stalemate(),
        }
    };
    while world.step(&mut a_second, &mut void_twice).is_some() {}
    assert_eq!(world.seen.started, [0, 1, 1, 1, 2, 3]);
    assert_eq!(world.contest.summary().void_games, 2);
    assert!(world.seen.done);
}

#[test]
fn a_host_that_spoils_too_many_games_ends_the_contest() {
    for (limit, voids) in [
        ("'5%'", Some(11)),
        ("3", Some(4)),
        ("0", Some(1)),
        ("'100%'", None),
    ] {
        let more = format!("max-voids = {limit}\n");
        let mut world = World::new(&contest(2, 10, &more), 1);
        world.open(1, &mut a_second);
        // After thirty games the host has done with what it was at.
        let mut games = 0;
        let mut spoil = |_: Fixture| {
            games += 1;
            match games {
                ..=30 => Verdict::Void(VoidReason::Host("starved".to_owned())),
                _ => stalemate(),
            }
        };
        while world.step(&mut a_second, &mut spoil).is_some() {}
        assert!(world.seen.done);
        assert_eq!(world.contest.summary().void_games, voids.unwrap_or(30));
        let stopped = world.seen.stopped.as_ref().map(StopReason::name);
        assert_eq!(stopped, voids.map(|_| "host_unfit"));
    }
}

#[test]
fn an_idle_slot_is_woken_for_a_void_game() {
    let mut world = World::new(&contest(2, 1, ""), 3);
    world.open(3, &mut a_second);
    assert_eq!(world.seen.started, [0, 1]);
    world.step(&mut a_second, &mut |_| {
        Verdict::Void(VoidReason::Host("starved".to_owned()))
    });
    assert_eq!(world.seen.started, [0, 1, 0]);
    while world.step(&mut a_second, &mut draw).is_some() {}
    assert!(world.seen.done);
}

#[test]
fn a_contest_with_an_engine_that_is_broken_ends() {
    let spec = contest(2, 10, "max-faults = 3");
    let mut broken = |fixture: Fixture| {
        let loser = fixture.color_of(EngineId(1)).expect("both play");
        forfeit(loser, Fault::Crash)
    };
    let mut world = World::new(&spec, 2);
    world.open(2, &mut a_second);
    for _ in 0..3 {
        assert!(world.seen.cancelled.is_empty());
        world.step(&mut a_second, &mut broken);
    }
    assert_eq!(world.seen.cancelled, [VoidReason::Cancelled]);
    world.cancel();
    assert!(world.seen.done);
    let why = "`b` has 3 faults, and `max-faults` is 3".to_owned();
    assert_eq!(world.seen.stopped, Some(StopReason::TooManyFaults(why)));
    // Resumed as it is, nothing more can come of it.
    let world = World::resume(&spec, 2, world.contest.ledger().clone());
    assert!(world.seen.done);
    assert_eq!(world.seen.started, [0; 0]);
}

#[test]
fn faults_are_counted_for_each_engine_by_itself() {
    let mut each_in_turn = |fixture: Fixture| match fixture.number.0 {
        0..4 => forfeit(Color::White, Fault::Crash),
        _ => stalemate(),
    };
    let mut world = World::new(&contest(2, 4, "max-faults = 3"), 1);
    world.open(1, &mut a_second);
    while world.step(&mut a_second, &mut each_in_turn).is_some() {}
    assert_eq!(world.seen.stopped, None);
    assert_eq!(world.contest.summary().games, 8);
}

#[test]
fn the_first_interrupt_cancels_and_results_so_far_are_kept() {
    let mut world = World::new(&contest(2, 10, ""), 2);
    world.open(2, &mut a_second);
    world.step(&mut a_second, &mut draw);
    world.handle(Input::Interrupt, &mut a_second);
    assert_eq!(world.seen.cancelled, [VoidReason::Cancelled]);
    assert!(!world.seen.done);
    world.cancel();
    assert!(world.seen.done);
    assert_eq!(world.seen.kills, 0);
    assert_eq!(world.seen.stopped, Some(StopReason::Interrupted));
    let summary = world.contest.summary();
    assert_eq!((summary.games, summary.void_games), (1, 0));
    assert_eq!(world.seen.started, [0, 1, 2]);
}

#[test]
fn a_second_interrupt_kills_at_once() {
    let mut world = World::new(&contest(2, 10, ""), 2);
    world.open(2, &mut a_second);
    world.handle(Input::Interrupt, &mut a_second);
    world.handle(Input::Interrupt, &mut a_second);
    assert!(world.seen.done);
    assert_eq!(world.seen.kills, 1);
    assert_eq!(world.seen.stopped, Some(StopReason::Killed));
    // What comes too late makes no difference.
    world.handle(Input::Interrupt, &mut a_second);
    world.step(&mut a_second, &mut draw);
    assert_eq!(world.contest.summary().games, 0);
}

#[test]
fn cancelled_games_that_do_not_come_back_are_given_up() {
    let mut world = World::new(&contest(2, 10, ""), 2);
    world.open(2, &mut a_second);
    world.handle(Input::Interrupt, &mut a_second);
    let wake_at = world.contest.wake_at().expect("a limit to waiting");
    assert_eq!(wake_at, Moment::ZERO + CANCEL_GRACE);
    world.handle(Input::Alarm, &mut a_second);
    assert!(!world.seen.done);
    world.now = wake_at;
    world.handle(Input::Alarm, &mut a_second);
    assert!(world.seen.done);
    assert_eq!(world.seen.kills, 1);
    assert_eq!(world.seen.stopped, Some(StopReason::Interrupted));
    assert_eq!(world.contest.wake_at(), None);
}

#[test]
fn an_interrupt_before_the_first_game_ends_the_contest() {
    let mut world = World::new(&contest(2, 10, ""), 2);
    world.handle(Input::Interrupt, &mut a_second);
    assert!(world.seen.done);
    assert!(world.seen.cancelled.is_empty());
}

#[test]
fn a_failed_reporter_stops_the_contest() {
    let mut world = World::new(&contest(2, 10, ""), 1);
    world.open(1, &mut a_second);
    world.handle(Input::ReporterFailed("disk full".to_owned()), &mut a_second);
    world.handle(Input::ReporterFailed("again".to_owned()), &mut a_second);
    world.cancel();
    assert!(world.seen.done);
    assert_eq!(world.seen.cancelled.len(), 1);
    assert_eq!(
        world.seen.stopped,
        Some(StopReason::ReporterFailed("disk full".to_owned()))
    );
}

fn start_failed(slot: usize, engine: usize, retry: Retry) -> Input {
    Input::StartFailed {
        slot,
        engine: EngineId(engine),
        text: "it exited with status 1".to_owned(),
        retry,
    }
}

#[test]
fn an_engine_that_fails_to_start_three_times_in_a_row_stops_the_contest() {
    let mut world = World::new(&contest(2, 10, ""), 1);
    world.open(1, &mut a_second);
    for expected in [[0, 0].as_slice(), &[0, 0, 0], &[0, 0, 0]] {
        world.running.clear();
        world.handle(start_failed(0, 1, Retry::MayHelp), &mut a_second);
        assert_eq!(world.seen.started, expected);
    }
    assert!(world.seen.done);
    let why = "`b` cannot be started: it exited with status 1".to_owned();
    assert_eq!(world.seen.stopped, Some(StopReason::EngineUnusable(why)));
    assert_eq!(world.contest.summary().games, 0);
}

#[test]
fn start_failures_count_in_a_row_and_for_each_engine() {
    let mut world = World::new(&contest(2, 10, ""), 1);
    world.open(1, &mut a_second);
    let fail = |world: &mut World, engine| {
        world.running.clear();
        world.handle(start_failed(0, engine, Retry::MayHelp), &mut a_second);
        world.seen.done
    };
    assert!(!fail(&mut world, 0) && !fail(&mut world, 0));
    assert!(!fail(&mut world, 1) && !fail(&mut world, 1));
    world.step(&mut a_second, &mut draw);
    assert!(!fail(&mut world, 0) && !fail(&mut world, 0));
    assert!(fail(&mut world, 0));
}

#[test]
fn an_engine_that_can_never_start_stops_the_contest_at_once() {
    let mut world = World::new(&contest(2, 10, ""), 2);
    world.open(2, &mut a_second);
    world.running.pop_first();
    world.handle(start_failed(0, 0, Retry::IsUseless), &mut a_second);
    assert_eq!(world.seen.cancelled, [VoidReason::Cancelled]);
    world.cancel();
    assert!(world.seen.done);
}

#[test]
fn a_book_that_is_too_short_is_told_at_the_start() {
    let more = "openings = { file = 'x.epd', start = 107 }";
    let world = World::new(&contest(2, 150, more), 1);
    assert_eq!(
        world.seen.events,
        [
            "started",
            "the book has 100 openings: `start=107` is opening 7 of its order",
            "the book has 100 openings for 150 rounds: from game 201 on they are played again, in \
             the same order"
        ]
    );
}

#[test]
#[should_panic(expected = "slot 1 plays no game")]
fn a_report_of_a_game_that_does_not_run_is_a_bug_of_the_shell() {
    let mut world = World::new(&contest(2, 10, ""), 2);
    world.open(1, &mut a_second);
    let ((_, _), fixture) = world.running.pop_first().expect("a game");
    let record = Arc::new(record(fixture, stalemate()));
    world.handle(Input::GameOver { slot: 1, record }, &mut a_second);
}

/// A sequential test of a against b that goes on until it decides.
fn tested(more: &str) -> Spec {
    let engines = "each = { cmd = 'x', nodes = 1 }\nengine = [{ name = 'a' }, { name = 'b' }]";
    spec(&format!("sprt = {{ {more} }}\n{engines}"))
}

/// Plays with a verdict that depends on the game alone, until it is over.
fn play(
    spec: &Spec,
    slots: usize,
    seed: u64,
    mut verdict: impl FnMut(Fixture) -> Verdict,
) -> World {
    let mut takes = |fixture: Fixture| Duration::from_millis(scrambled(seed, fixture) % 1000);
    let mut world = World::new(spec, slots);
    world.open(slots, &mut takes);
    while world.seen.cancelled.is_empty() && world.step(&mut takes, &mut verdict).is_some() {}
    if !world.running.is_empty() {
        world.cancel();
    }
    world
}

/// The engine that is listed first wins.
fn first_wins(fixture: Fixture) -> Verdict {
    mate_by(fixture.color_of(EngineId(0)).expect("it plays"))
}

#[test]
fn a_sequential_test_stops_the_contest_when_it_is_decided() {
    let spec = tested("elo0 = 0, elo1 = 50, alpha = 0.05, beta = 0.05, model = 'logistic'");
    let world = play(&spec, 4, 1, first_wins);
    assert!(world.seen.done);
    assert_eq!(world.seen.stopped, Some(StopReason::Decided));
    assert_eq!(world.seen.cancelled, [VoidReason::Unneeded]);
    let summary = world.contest.summary();
    assert_eq!(summary.void_games, 0);
    let sprt = summary.sprt.expect("a test");
    assert_eq!(sprt.state(), "accepted_h1");
    assert_eq!(sprt.expected_remaining_pairs(), None);
    assert!(sprt.estimate().is_ok());

    let world = play(&spec, 1, 1, |fixture| {
        mate_by(fixture.color_of(EngineId(1)).expect("it plays"))
    });
    let sprt = world.contest.summary().sprt.expect("a test");
    assert_eq!(sprt.state(), "accepted_h0");
    // Two games a pair at concurrency 1: nothing was played in vain.
    assert_eq!(world.contest.summary().games % 2, 0);
    assert!(world.seen.cancelled.is_empty());
}

#[test]
fn a_test_is_told_when_it_plays_openings_again() {
    // Half of the games are won by either side, so it goes on beyond the hundred openings.
    let spec = tested("elo0 = 0, elo1 = 10, alpha = 0.05, beta = 0.05");
    let mut world = World::new(&spec, 1);
    world.open(1, &mut a_second);
    let told = "all openings of the book have been played: from game 201 on they are played again, \
                in the same order";
    let alternate = &mut |fixture: Fixture| match fixture.number.pair().0 % 2 {
        0 => first_wins(fixture),
        _ => first_wins(Fixture {
            players: ByColor {
                white: fixture.players.black,
                black: fixture.players.white,
            },
            ..fixture
        }),
    };
    for _ in 0..200 {
        assert!(!world.seen.events.iter().any(|event| event == told));
        world.step(&mut a_second, alternate);
    }
    assert!(world.seen.events.iter().any(|event| event == told));
}

/// The bounds before the first pair and what is told of them.
fn bounds(more: &str) -> (String, Vec<String>) {
    let world = World::new(&tested(&format!("elo0 = 0, elo1 = 2, {more}")), 1);
    let sprt = world.contest.summary().sprt.expect("a test");
    let progress = sprt.progress();
    assert_eq!((progress.llr, sprt.state()), (0.0, "running"));
    let [lower, upper] = [progress.lower, progress.upper].map(|bound| stats::Fixed(bound, 5));
    (format!("{lower} {upper}"), world.seen.events[1..].to_vec())
}

#[test]
fn bounds_are_those_of_the_rule() {
    let none = Vec::new;
    assert_eq!(
        bounds("alpha = 0.05, beta = 0.05, rule = 'wald'"),
        ("-2.94444 2.94444".to_owned(), none())
    );
    assert_eq!(
        bounds("alpha = 0.05, beta = 0.1, rule = 'wald'"),
        ("-2.25129 2.89037".to_owned(), none())
    );
    let (curved, told) = bounds("alpha = 0.05, beta = 0.05");
    assert_ne!(curved, "-2.94444 2.94444");
    assert_eq!(told, none());
    let (gain, _) = bounds("alpha = 0.05, beta = 0.05, preset = 'gain'");
    assert_ne!(gain, curved);
}

#[test]
fn bounds_other_than_those_asked_for_are_told_of() {
    let (wald, _) = bounds("alpha = 0.0001, beta = 0.05, rule = 'wald'");
    let (bounds, told) = bounds("alpha = 0.0001, beta = 0.05");
    assert_eq!(bounds, wald);
    assert_eq!(
        told,
        [
            "curved bounds are designed for `alpha` and `beta` from 0.001 to 0.2, and these are \
             0.0001 and 0.05: the test has constant bounds (rule `wald`)"
        ]
    );
}

#[test]
fn a_decided_contest_stays_decided_when_it_is_resumed() {
    let spec = tested("elo0 = 0, elo1 = 50, alpha = 0.05, beta = 0.05");
    let ledger = play(&spec, 1, 1, first_wins).contest.ledger().clone();
    let world = World::resume(&spec, 2, ledger);
    assert!(world.seen.done);
    assert_eq!(world.seen.stopped, Some(StopReason::Decided));
    assert!(world.seen.started.is_empty());
}

/// A verdict that depends on nothing but the game.
fn some_verdict(seed: u64, fixture: Fixture) -> Verdict {
    match scrambled(seed, fixture) % 5 {
        0 => mate_by(Color::White),
        1 => mate_by(Color::Black),
        2 => forfeit(Color::White, Fault::Crash),
        _ => stalemate(),
    }
}

proptest! {
    #[test]
    fn every_game_is_played_once_whatever_the_times_and_voids(
        engines in 2_usize..5,
        pairs in 1_u64..8,
        slots in 1_usize..9,
        seed: u64,
        voids in prop::collection::vec(any::<bool>(), 0..40),
    ) {
        let spec = contest(engines, pairs, "max-voids = '100%'\n");
        let mut takes = |fixture: Fixture| Duration::from_millis(scrambled(seed, fixture) % 1000);
        let mut voids = voids.into_iter();
        let mut world = World::new(&spec, slots);
        world.open(slots, &mut takes);
        let mut verdict = |fixture: Fixture| match voids.next() {
            Some(true) => Verdict::Void(VoidReason::Host("starved".to_owned())),
            _ => some_verdict(seed, fixture),
        };
        while world.step(&mut takes, &mut verdict).is_some() {
            prop_assert!(world.running.len() <= slots);
        }
        prop_assert!(world.seen.done);
        let games = pairs * (engines * (engines - 1)) as u64;
        prop_assert_eq!(world.counted(), (0..games).collect::<Vec<_>>());
        let voids = world.seen.finished.len() as u64 - games;
        prop_assert_eq!(world.contest.summary().void_games, voids);
        prop_assert_eq!(world.contest.summary().games, games);
    }

    #[test]
    fn the_decision_does_not_depend_on_which_games_are_over_first(
        slots in 2_usize..9,
        times: u64,
        results: u64,
        model in prop::sample::select(vec!["normalized", "logistic", "bayesian"]),
    ) {
        let spec = tested(&format!(
            "elo0 = 0, elo1 = 60, alpha = 0.1, beta = 0.1, model = '{model}'"
        ));
        let one_by_one = play(&spec, 1, 0, |fixture| some_verdict(results, fixture));
        let side_by_side = play(&spec, slots, times, |fixture| some_verdict(results, fixture));
        prop_assert!(one_by_one.seen.done && side_by_side.seen.done);
        let [one, many] = [&one_by_one, &side_by_side].map(|world| world.contest.summary());
        prop_assert_eq!(&one.sprt, &many.sprt);
        prop_assert!(one.sprt.expect("a test").state() != "running");
        prop_assert!(many.pairs >= one.pairs);
        // At most what was under way is played in vain.
        prop_assert!(many.games <= one.games + 20 * slots as u64);
    }

    #[test]
    fn resuming_anywhere_equals_never_stopping(
        pairs in 1_u64..12,
        slots in 1_usize..6,
        seed: u64,
        stop_after in 0_usize..30,
    ) {
        let spec = contest(2, pairs, "");
        let mut takes = |fixture: Fixture| Duration::from_millis(scrambled(seed, fixture) % 1000);
        let mut verdict = |fixture| some_verdict(seed, fixture);

        let mut whole = World::new(&spec, slots);
        whole.open(slots, &mut takes);
        while whole.step(&mut takes, &mut verdict).is_some() {}

        let mut first = World::new(&spec, slots);
        first.open(slots, &mut takes);
        for _ in 0..stop_after {
            first.step(&mut takes, &mut verdict);
        }
        let ledger = first.contest.ledger().clone();
        let mut second = World::resume(&spec, slots, ledger);
        second.open(slots, &mut takes);
        while second.step(&mut takes, &mut verdict).is_some() {}

        prop_assert!(second.seen.done);
        let mut numbers = first.counted();
        numbers.extend(second.counted());
        numbers.sort_unstable();
        prop_assert_eq!(numbers, whole.counted());
        let mut summary = second.contest.summary();
        summary.wall_seconds = whole.contest.summary().wall_seconds;
        prop_assert_eq!(summary, whole.contest.summary());
    }

    #[test]
    fn however_it_is_disturbed_a_contest_ends(
        slots in 1_usize..5,
        seed: u64,
        inputs in prop::collection::vec(0_u8..6, 0..40),
    ) {
        let mut takes = |fixture: Fixture| Duration::from_millis(scrambled(seed, fixture) % 1000);
        let mut world = World::new(&contest(2, 5, ""), slots);
        world.open(slots, &mut takes);
        for input in inputs {
            let running = world.running.keys().next().copied();
            match (input, running) {
                (0, _) => world.handle(Input::Interrupt, &mut takes),
                (1, _) => world.handle(Input::ReporterFailed("disk full".to_owned()), &mut takes),
                (2, Some((at, slot))) if !world.seen.done => {
                    world.now = at;
                    world.running.remove(&(at, slot));
                    world.handle(start_failed(slot, 0, Retry::MayHelp), &mut takes);
                }
                (3, _) => world.handle(Input::Alarm, &mut takes),
                _ => {
                    world.step(&mut takes, &mut |fixture| some_verdict(seed, fixture));
                }
            }
        }
        while world.step(&mut takes, &mut |fixture| some_verdict(seed, fixture)).is_some() {}
        prop_assert!(world.seen.done);
        let last = world.seen.events.last().map(String::as_str);
        prop_assert_eq!(last, Some("finished"));
    }
}
