//! Times by speed.

use std::num::NonZeroU64;
use std::time::Duration;

use fleet_core::pace::Factor;
use fleet_core::test_spec::TestSpec;
use proptest::prelude::*;

const REFERENCE: NonZeroU64 = NonZeroU64::new(1_000_000).expect("not 0");

fn test(rest: &str) -> Result<TestSpec, fleet_core::test_spec::TestError> {
    TestSpec::parse(&format!(
        "pairs = 1\n[[engine]]\nname = 'new'\ncmd = 'sparring:2'\ntc = '8+0.08'\ntimemargin = 20\n\
         [[engine]]\nname = 'old'\ncmd = 'sparring:1'\nst = 0.3\n[fleet]\n{rest}\n"
    ))
}

#[test]
fn a_machine_of_half_the_speed_has_twice_the_time_and_no_other_margin() {
    let test = test("reference-nps = 1000000\nbase = 'new'").expect("a test");
    let reference = test.reference.expect("it has one");
    assert_eq!((reference.nps, reference.base), (REFERENCE, 0));
    let slow = test.paced(Some(500_000));
    let clock = slow.engines[0].limits.clock.expect("a clock");
    assert_eq!(clock.base, Duration::from_secs(16));
    assert_eq!(clock.increment, Duration::from_millis(160));
    assert_eq!(slow.engines[0].limits.margin, Duration::from_millis(20));
    assert_eq!(
        slow.engines[1].limits.move_time,
        Some(Duration::from_millis(600))
    );
    assert_eq!(*test.paced(Some(1_000_000)), test.spec);
    // What is not known is not shorter than what may be.
    let unknown = test.paced(None).engines[0].limits.clock.expect("a clock");
    assert_eq!(unknown.base, Duration::from_secs(32));
}

#[test]
fn the_base_engine_is_the_last_one_or_that_of_the_name() {
    let base = |rest: &str| test(rest).map(|test| test.reference.map(|of| of.base));
    assert_eq!(base("reference_nps = 9"), Ok(Some(1)));
    assert_eq!(base(""), Ok(None));
    let error = base("reference-nps = 9\nbase = 'nobody'").expect_err("there is none");
    assert!(
        error.to_string().contains("no engine is called so"),
        "{error}"
    );
}

#[test]
fn what_is_too_fast_or_too_slow_does_not_play() {
    for (measured, factor) in [
        (250_000, Some(4.0)),
        (1_000_000, Some(1.0)),
        (4_000_000, Some(0.25)),
        (249_000, None),
        (4_020_000, None),
        (0, None),
    ] {
        let found = Factor::of(REFERENCE, measured).ok().map(Factor::as_f64);
        assert_eq!(found, factor, "{measured}");
    }
}

proptest! {
    #[test]
    fn faster_machines_never_get_more_time(one in 250_000..4_000_000_u64, other in 250_000..4_000_000_u64) {
        let test = test("reference-nps = 1000000").expect("a test");
        let base = |nps| test.paced(Some(nps)).engines[0].limits.clock.expect("a clock").base;
        let (slow, fast) = (one.min(other), one.max(other));
        prop_assert!(base(slow) >= base(fast));
        // Within a thousandth, the chess is the same: nodes are.
        let nodes = base(one).as_secs_f64() * one as f64;
        prop_assert!((nodes / 8e6 - 1.0).abs() < 0.003, "{nodes}");
    }
}
