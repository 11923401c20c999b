//! Clocks, to the nanosecond.

use std::time::Duration;

use match_core::clock::{Clock, FlagFall};
use proptest::prelude::*;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn clock(tc: &str) -> Clock {
    Clock::new(tc.parse().expect("a time control"))
}

fn to_go(clock: &Clock) -> u32 {
    clock.moves_to_go().map_or(0, |moves| moves.get())
}

#[test]
fn a_clock_starts_with_an_increment_and_gets_one_after_each_move() {
    let mut clock = clock("10+0.1");
    assert_eq!(clock.left(), ms(10_100));
    clock.charge(ms(600), Duration::ZERO).unwrap();
    assert_eq!(clock.left(), ms(9_600));
    assert_eq!(clock.moves_to_go(), None);
    assert_eq!(self::clock("0+5").left(), ms(5000));
}

#[test]
fn an_overrun_within_the_margin_costs_all_that_is_left_and_no_more() {
    let mut clock = clock("0+0.1");
    assert_eq!(clock.left(), ms(100));
    clock.charge(ms(250), ms(200)).unwrap();
    assert_eq!(clock.left(), ms(100), "nothing, and the increment");
    assert_eq!(
        clock.charge(ms(301), ms(200)),
        Err(FlagFall { over: ms(1) })
    );
    assert_eq!(clock.left(), ms(100), "a fallen flag changes nothing");
    clock.charge(ms(300), ms(200)).unwrap();
}

#[test]
fn moves_to_go_count_down_and_begin_again() {
    let mut clock = clock("40/10+0.1");
    for moves in (1..=40).rev() {
        assert_eq!(to_go(&clock), moves);
        clock.charge(ms(100), Duration::ZERO).unwrap();
    }
    assert_eq!(to_go(&clock), 40);
    assert_eq!(
        clock.left(),
        ms(10_100 + 10_000),
        "what was left, and ten seconds"
    );
}

#[test]
fn the_flag_is_judged_before_a_new_period_brings_its_time() {
    let mut clock = clock("1/10+1");
    assert_eq!(clock.left(), ms(11_000));
    assert_eq!(
        clock.clone().charge(ms(11_001), Duration::ZERO),
        Err(FlagFall { over: ms(1) })
    );
    clock.charge(ms(10_995), Duration::ZERO).unwrap();
    assert_eq!(clock.left(), ms(5 + 10_000 + 1_000));
}

#[test]
fn the_last_nanosecond_is_still_there() {
    let left = ms(10_100);
    let mut clock = clock("10+0.1");
    assert!(
        clock
            .clone()
            .charge(left + Duration::from_nanos(1), Duration::ZERO)
            .is_err()
    );
    clock.charge(left, Duration::ZERO).unwrap();
    assert_eq!(clock.left(), ms(100));
}

proptest! {
    #[test]
    fn time_is_neither_made_nor_lost(
        spent in prop::collection::vec(0u64..3_000_000_000, 1..200),
        moves in 1u32..50,
        margin in 0u64..50,
    ) {
        let mut clock = clock(&format!("{moves}/20+0.5"));
        let mut balance: u64 = 20_500_000_000;
        for (n, &spent) in spent.iter().enumerate() {
            let before = clock.clone();
            let result = clock.charge(Duration::from_nanos(spent), ms(margin));
            if balance + margin * 1_000_000 < spent {
                prop_assert_eq!(result, Err(FlagFall { over: Duration::from_nanos(spent - balance - margin * 1_000_000) }));
                prop_assert_eq!(clock, before);
                break;
            }
            prop_assert_eq!(result, Ok(()));
            balance = balance.saturating_sub(spent) + 500_000_000;
            if (n + 1) % moves as usize == 0 {
                balance += 20_000_000_000;
            }
            prop_assert_eq!(clock.left(), Duration::from_nanos(balance));
        }
    }
}
