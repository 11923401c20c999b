use std::num::NonZeroU64;

use serde_json::Value;
use stats::{DynamicOvershoot, ErrorRates, Hypotheses, Ladders, Rule, Sprt, State};

use crate::shared::{self, assert_near, number};

#[test]
fn the_course_of_a_test_agrees_with_the_vectors() {
    for case in shared::vectors("update_SPRT_sequence") {
        check_course(&case);
    }
}

fn check_course(case: &Value) {
    let (name, params) = (&case["name"], &case["inputs"]["params"]);
    let value = |key: &str| number(&params[key]);
    let model = params["elo_model"].as_str().unwrap().parse().unwrap();
    let hypotheses = Hypotheses::new(model, value("elo0"), value("elo1")).unwrap();
    let rates = ErrorRates::new(value("alpha"), value("beta")).unwrap();
    let sprt = Sprt::new(hypotheses, rates, Rule::Wald);
    let batch = NonZeroU64::new(params["batch_size"].as_u64().unwrap()).unwrap();
    let mut overshoot = DynamicOvershoot::new(batch);
    let mut progress = sprt.start();
    let tolerance = number(&case["tol_abs"]);
    for row in case["exact"].as_array().unwrap() {
        let results = shared::results(&row["pentanomial"]);
        progress = sprt.look(progress, results).unwrap();
        assert_near(progress.llr, number(&row["llr_exact"]), 1e-9, name);
        overshoot.look(results.count(), progress.llr);
        check_ladders(overshoot.ladders(), &row["overshoot"], tolerance, name);
        let or_null = |count: Option<u64>| count.map_or(Value::Null, Value::from);
        assert_eq!(or_null(overshoot.illegal_update()), row["illegal_update"]);
        assert_eq!(or_null(overshoot.lost_samples()), row["lost_samples"]);

        let (lower, upper) = overshoot.correct(rates.wald_bounds());
        let margin = (progress.llr - lower)
            .abs()
            .min((progress.llr - upper).abs());
        assert_near(margin, number(&row["margin"]), tolerance, name);
        // Or the state is not certain.
        assert!(margin > tolerance, "{name}: {margin}");
        let wanted = match row["state"].as_str().unwrap() {
            "accepted" => State::AcceptH1,
            "rejected" => State::AcceptH0,
            _ => State::Running,
        };
        let found = overshoot.decide(progress.llr, rates.wald_bounds());
        assert_eq!(found, wanted, "{name} {row}");
        // The overshoot to be expected and the one seen differ by a little: far from the bounds the
        // rule itself decides the same. (The vectors go on after a decision.)
        if margin > 0.5 && progress.exit.is_none() {
            assert_eq!(progress.state, wanted, "{name}");
        }
    }
}

fn check_ladders(found: Option<Ladders>, wanted: &Value, tolerance: f64, name: &Value) {
    let Some(found) = found else {
        assert_eq!(*wanted, Value::Null, "{name}");
        return;
    };
    for (key, value) in [
        ("last_update", found.last_update as f64),
        ("skipped_updates", found.skipped_updates as f64),
        ("ref0", found.lower.reference),
        ("m0", found.lower.sum),
        ("sq0", found.lower.squares),
        ("ref1", found.upper.reference),
        ("m1", found.upper.sum),
        ("sq1", found.upper.squares),
    ] {
        assert_near(
            value,
            number(&wanted[key]),
            tolerance,
            format!("{name} {key}"),
        );
    }
}

#[test]
fn walds_walk_overshoots_by_what_renewal_theory_says() {
    // Steps of 1 and 2 with equal probability, always upwards: E[H²] / 2 E[H] = 2.5 / 3.
    let mut overshoot = DynamicOvershoot::new(NonZeroU64::MIN);
    let mut llr = 0.0;
    for count in 1..=1000 {
        llr += f64::from(1 + (count % 2) as u8);
        overshoot.look(count, llr);
    }
    let ladders = overshoot.ladders().unwrap();
    assert_near(ladders.upper.overshoot(), 2.5 / 3.0, 1e-12, "upper");
    assert_near(ladders.lower.overshoot(), 0.0, 0.0, "lower");
}
