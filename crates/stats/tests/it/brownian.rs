use proptest::prelude::*;
use stats::{Absorbed, Boundary, Node, Passage};

use crate::shared::{self, assert_near, number};

#[test]
fn outcomes_agree_with_the_vectors() {
    for case in shared::vectors("brownian_outcome_cdf") {
        let input = |key: &str| number(&case["inputs"][key]);
        let motion = Absorbed {
            lower: input("a"),
            upper: input("b"),
            drift: input("mu"),
            variance: input("sigma2"),
        };
        let found = motion.outcome_cdf(input("T"), input("y"));
        assert_near(
            found,
            number(&case["exact"]),
            number(&case["tol_abs"]),
            &case["inputs"],
        );
    }
}

#[test]
fn walds_test_ends_as_wald_says() {
    let bound = 19f64.ln();
    let motion = |drift| Absorbed {
        lower: -bound,
        upper: bound,
        drift,
        variance: 1.0,
    };
    assert_near(motion(0.5).lower_ever(), 0.05, 1e-12, "P(lower)");
    assert_near(motion(-0.5).lower_ever(), 0.95, 1e-12, "P(lower)");
    assert_near(motion(0.5).mean_time(), 5.3, 1e-3, "mean");
    assert_near(
        motion(0.0).mean_time(),
        bound * bound,
        1e-12,
        "mean without drift",
    );
    assert_near(
        motion(1e-7).mean_time(),
        bound * bound,
        1e-6,
        "mean with next to no drift",
    );
}

proptest! {
    /// Whatever the drift: probabilities, which add up to 1 and never fall with time.
    #[test]
    fn all_outcomes_are_one(
        lower in -8.0..-0.2f64,
        upper in 0.2..8.0f64,
        drift in prop_oneof![-2.0..2.0f64, -300.0..300.0f64],
        time in prop_oneof![0.0..1.0f64, 0.0..60.0f64],
    ) {
        let motion = Absorbed { lower, upper, drift, variance: 1.0 };
        let (low, high) = (motion.lower_by(time), motion.upper_by(time));
        let alive = motion.alive_below(time, upper);
        prop_assert!((low + high + alive - 1.0).abs() < 1e-10, "{low} {high} {alive}");
        for p in [low, high, alive] {
            prop_assert!((-1e-12..=1.0 + 1e-12).contains(&p));
        }
        prop_assert!(motion.lower_by(time * 1.1) >= low - 1e-12);
        prop_assert!(motion.outcome_cdf(time, 0.0) <= motion.outcome_cdf(time, upper / 2.0) + 1e-12);
    }
}

#[test]
fn the_closed_form_and_the_grid_agree() {
    let boundary = |lower, upper| {
        let node = |tau| Node { tau, lower, upper };
        Boundary::new(vec![node(0.0), node(20.0)], 0.0).unwrap()
    };
    let passage = Passage::new(&boundary(-2.0, 3.0));
    for drift in [-1.0, 0.0, 0.4] {
        let motion = Absorbed {
            lower: -2.0,
            upper: 3.0,
            drift,
            variance: 1.0,
        };
        for time in [0.5, 2.0, 7.5, 20.0] {
            let what = format!("drift {drift}, time {time}");
            assert_near(
                passage.rejected_by(drift, time),
                motion.lower_by(time),
                5e-5,
                &what,
            );
            assert_near(
                passage.accepted_by(drift, time),
                motion.upper_by(time),
                5e-5,
                &what,
            );
        }
        let below = motion.alive_below(20.0, 1.0);
        assert_near(passage.alive_below(drift, 1.0), below, 5e-5, "alive");
    }
}
