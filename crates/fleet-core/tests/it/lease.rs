//! How much is lent and for how long.

use std::time::Duration;

use fleet_core::lease::{self, Held, Term};
use fleet_core::test_spec::TestSpec;
use fleet_core::timestamp::Timestamp;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

const TERM: Term = Term {
    idle: Duration::from_secs(60),
    total: Duration::from_secs(300),
};

#[test]
fn only_plies_extend_a_lease() {
    let start = Timestamp(1_000_000);
    let mut held = Held::new(start, TERM);
    assert_eq!(held.until(), start + seconds(60));
    held.heard(start + seconds(50), 0);
    assert_eq!(
        held.until(),
        start + seconds(60),
        "alive, and no ply further"
    );
    held.heard(start + seconds(50), 7);
    assert_eq!(held.until(), start + seconds(110));
    held.heard(start + seconds(100), 7);
    held.heard(start + seconds(100), 3);
    assert_eq!(
        held.until(),
        start + seconds(110),
        "the same plies again, and an older message"
    );
}

#[test]
fn who_crawls_has_a_last_day_too() {
    let start = Timestamp(0);
    let mut held = Held::new(start, TERM);
    for second in 0..1000 {
        held.heard(start + seconds(second), second + 1);
    }
    assert_eq!(held.until(), start + seconds(300));
}

#[test]
fn a_clock_that_is_set_back_shortens_no_lease() {
    let start = Timestamp(1_000_000);
    let mut held = Held::new(start, TERM);
    held.heard(Timestamp(0), 5);
    assert_eq!(held.until(), start + seconds(60));
}

#[test]
fn a_lease_is_about_two_minutes_of_play() {
    let pair = seconds(10);
    assert_eq!(lease::size(pair, 4, 1_000_000, 1), 48);
    assert_eq!(
        lease::size(seconds(4000), 4, 1_000_000, 1),
        4,
        "a pair a slot at least"
    );
    assert_eq!(
        lease::size(Duration::ZERO, 1, 1_000_000, 1),
        4096,
        "and no more than a report has"
    );
}

#[test]
fn leases_get_smaller_towards_the_end_of_a_fixed_test() {
    let pair = seconds(10);
    assert_eq!(lease::size(pair, 2, 40, 1), 20);
    assert_eq!(lease::size(pair, 2, 40, 10), 2);
    assert_eq!(lease::size(pair, 2, 1, 10), 1);
    assert_eq!(lease::size(pair, 2, 0, 10), 0);
}

#[test]
fn a_lease_outlasts_the_longest_move_and_four_times_its_play() {
    let spec = |tc: &str| {
        let text = format!(
            "pairs = 10\n[each]\ntc = \"{tc}\"\n[[engine]]\ncmd = \"sparring:1\"\n[[engine]]\ncmd = \"sparring:2\"\n"
        );
        TestSpec::parse(&text).expect("a test").spec
    };
    let long = spec("600+5");
    // 60 moves of 5 s and the base, two engines, two games.
    assert_eq!(lease::expected_pair(&long), seconds(4 * (600 + 300)));
    let term = lease::term(&long, seconds(3600), 2, 4);
    assert_eq!(term.idle, seconds(60 + 605));
    assert_eq!(term.total, seconds(4 * 665 + 4 * 2 * 3600));
}
