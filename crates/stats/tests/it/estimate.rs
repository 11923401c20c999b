use proptest::prelude::*;
use serde_json::Value;
use stats::{
    Boundary, ErrorRates, Hypotheses, Model, Node, Passage, Pentanomial, Preset, Results, Rule,
    Sprt, Start, State, Trinomial,
};

use crate::shared::{self, assert_near, number};

fn sprt(inputs: &Value, rule: Rule) -> Sprt {
    let value = |key: &str| number(&inputs[key]);
    let model = inputs["elo_model"].as_str().unwrap().parse().unwrap();
    let hypotheses = Hypotheses::new(model, value("elo0"), value("elo1")).unwrap();
    Sprt::new(
        hypotheses,
        ErrorRates::new(value("alpha"), value("beta")).unwrap(),
        rule,
    )
}

#[test]
fn estimates_with_constant_bounds_agree_with_the_vectors() {
    for case in shared::vectors("sprt_analytics") {
        let (inputs, exact, tolerance) =
            (&case["inputs"], &case["exact"], number(&case["tol_abs"]));
        let sprt = sprt(inputs, Rule::Wald);
        let results = shared::results(&inputs["results"]);
        let found = sprt.estimate(&sprt.snapshot(results).unwrap());
        assert_near(
            found.value,
            number(&exact["elo"]),
            tolerance,
            format!("Elo, {inputs}"),
        );
        assert_near(
            found.ci95.low,
            number(&exact["ci"][0]),
            tolerance,
            format!("low, {inputs}"),
        );
        assert_near(
            found.ci95.high,
            number(&exact["ci"][1]),
            tolerance,
            format!("high, {inputs}"),
        );
        assert_near(
            found.los,
            number(&exact["LOS"]),
            tolerance,
            format!("LOS, {inputs}"),
        );
    }
}

#[test]
fn approximate_llrs_agree_with_the_vectors() {
    for (function, model) in [
        ("LLR_alt2_logistic (times N)", Model::Logistic),
        ("LLR_normalized_alt", Model::Normalized),
    ] {
        for case in shared::vectors(function) {
            let inputs = &case["inputs"];
            let (elo0, elo1) = (number(&inputs["elo0"]), number(&inputs["elo1"]));
            let results = shared::results(&inputs["results"]);
            let found = stats::approximate_llr(model, elo0, elo1, results);
            assert_near(
                found,
                number(&case["exact"]),
                number(&case["tol_abs"]),
                inputs,
            );
        }
    }
}

/// P(outcome not better) as a function of θ, for an outcome on a reference boundary.
fn cdf(boundary: &Boundary, outcome: &Value) -> impl Fn(f64) -> f64 {
    let tau = number(&outcome["tau"]);
    let passage = Passage::between(boundary, Start { tau: 0.0, llr: 0.0 }, tau);
    let status = outcome["status"].as_str().unwrap().to_owned();
    let llr = outcome["llr"].as_f64();
    move |theta| match status.as_str() {
        "rejected" => passage.rejected_by(theta, tau),
        "accepted" => 1.0 - passage.accepted_by(theta, tau),
        _ => passage.rejected_by(theta, tau) + passage.alive_below(theta, llr.unwrap()),
    }
}

fn root(f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 {
            low = middle
        } else {
            high = middle
        }
    }
    high
}

#[test]
fn outcomes_with_curved_bounds_agree_with_the_vectors() {
    let designs = shared::vectors("curved_design_oc");
    for case in shared::vectors("curved_outcome") {
        let design = designs
            .iter()
            .find(|design| design["name"] == case["name"])
            .unwrap();
        let list = |key: &str| design["inputs"][key].as_array().unwrap().iter().map(number);
        let nodes = list("tau").zip(list("U")).map(|(tau, u)| Node {
            tau,
            lower: -u,
            upper: u,
        });
        let boundary = Boundary::new(nodes.collect(), 0.0).unwrap();
        let tolerance = |key: &str| number(&case["tol_abs"][key]);
        for outcome in case["exact"].as_array().unwrap() {
            let cdf = cdf(&boundary, outcome);
            for (theta, exact) in outcome["cdf_theta"].as_object().unwrap() {
                let found = cdf(theta.parse().unwrap());
                assert_near(
                    found,
                    number(exact),
                    tolerance("cdf"),
                    format!("{theta}, {outcome}"),
                );
            }
            let theta_at = |p: f64| root(|theta| cdf(theta) - p);
            let check = |p, exact: &Value, key: &str| {
                assert_near(
                    theta_at(p),
                    number(exact),
                    tolerance(key),
                    format!("{p}, {outcome}"),
                );
            };
            check(0.5, &outcome["theta_median"], "theta_median");
            check(0.975, &outcome["theta_ci"][0], "theta_ci");
            check(0.025, &outcome["theta_ci"][1], "theta_ci");
        }
    }
}

fn of(sprt: &Sprt, counts: [u64; 5]) -> stats::SprtEstimate {
    sprt.estimate(&sprt.snapshot(Pentanomial(counts)).unwrap())
}

fn normalized(elo0: f64, elo1: f64, rule: Rule) -> Sprt {
    let hypotheses = Hypotheses::new(Model::Normalized, elo0, elo1).unwrap();
    Sprt::new(hypotheses, ErrorRates::default(), rule)
}

const CURVED: Rule = Rule::Curved(Preset::General);

#[test]
fn while_a_test_is_far_from_its_bounds_the_estimate_is_the_usual_one() {
    let counts = [5, 240, 510, 250, 6];
    let usual = Results::from(Pentanomial(counts)).elo().unwrap();
    for rule in [Rule::Wald, CURVED] {
        let found = of(&normalized(0.0, 2.0, rule), counts);
        assert_near(found.value, usual.value, 0.05, "value");
        assert_near(found.ci95.low, usual.ci95.unwrap().low, 0.15, "low");
        assert_near(found.ci95.high, usual.ci95.unwrap().high, 0.15, "high");
        assert_near(
            found.los,
            Results::from(Pentanomial(counts)).los().unwrap(),
            0.002,
            "los",
        );
    }
}

#[test]
fn a_pass_is_corrected_downwards_and_a_failure_upwards() {
    for rule in [Rule::Wald, CURVED] {
        let sprt = normalized(0.0, 10.0, rule);
        let passed = Pentanomial([8, 420, 900, 525, 14]);
        let failed = passed.reversed();
        let usual = |counts: Pentanomial| Results::from(counts).elo().unwrap().value;
        let progress = |counts| sprt.snapshot(counts).unwrap();
        assert_eq!(progress(passed).state, State::AcceptH1);
        assert!(of(&sprt, passed.0).value < usual(passed), "{rule}");
        assert_eq!(progress(failed).state, State::AcceptH0);
        assert!(of(&sprt, failed.0).value > usual(failed), "{rule}");
    }
}

#[test]
fn an_obvious_result_has_an_estimate_near_the_usual_one() {
    // The bound is met within a few pairs: the closed form for straight paths.
    for rule in [Rule::Wald, CURVED] {
        let found = of(&normalized(0.0, 2.0, rule), [0, 20, 400, 500, 80]);
        let usual = Results::from(Pentanomial([0, 20, 400, 500, 80]))
            .elo()
            .unwrap()
            .value;
        assert!(
            found.ci95.low < usual && usual < found.ci95.high,
            "{rule} {found:?} {usual}"
        );
        assert_near(found.value, usual, 40.0, rule);
        assert!(found.los > 0.99);
    }
}

#[test]
fn the_closed_form_for_straight_paths_goes_over_into_the_grid() {
    // A sweep of results whose straight way meets the bound sooner and sooner.
    let sprt = normalized(0.0, 10.0, CURVED);
    let mut before = f64::INFINITY;
    for wins in (300..700).rev() {
        let value = of(&sprt, [0, 200, 1000 - wins, wins, 10]).value;
        assert!(value <= before + 0.05, "{value} after {before} at {wins}");
        assert!(
            before - value < 3.0 || before.is_infinite(),
            "{value} after {before} at {wins}"
        );
        before = value;
    }
}

#[test]
fn one_result_has_an_estimate_within_the_scale() {
    for rule in [Rule::Wald, CURVED] {
        let found = of(&normalized(0.0, 2.0, rule), [0, 0, 0, 1, 0]);
        assert!(
            found.value > 0.0 && found.ci95.high <= stats::SPRT_ELO_MAX,
            "{found:?}"
        );
        assert!(found.ci95.low <= found.value && found.value <= found.ci95.high);
    }
}

#[test]
fn before_the_first_result_everything_is_possible() {
    for rule in [Rule::Wald, CURVED] {
        let sprt = normalized(0.0, 2.0, rule);
        let none = sprt.estimate(&sprt.start());
        assert_eq!((none.value, none.los), (0.0, 0.5));
        let all = stats::Interval::new(-stats::SPRT_ELO_MAX, stats::SPRT_ELO_MAX);
        assert_eq!(none.ci95, all);
    }
}

#[test]
fn a_pair_or_two_prove_next_to_nothing() {
    for rule in [Rule::Wald, CURVED] {
        let sprt = normalized(0.0, 10.0, rule);
        // 5 % of the points at least: one pair in twenty would then be won.
        let won = of(&sprt, [0, 0, 0, 0, 1]);
        assert_eq!((won.value, won.ci95.high, won.los), (1000.0, 1000.0, 0.75));
        assert_near(won.ci95.low, stats::elo_of_score(0.05).unwrap(), 1e-9, rule);
        let lost = of(&sprt, [1, 0, 0, 0, 0]);
        assert_eq!((lost.value, lost.los), (-won.value, 0.25));
        let half_won = of(&sprt, [0, 0, 0, 1, 0]);
        assert_near(half_won.value, 189.697, 1e-3, rule);
        assert!(half_won.ci95.low < -400.0 && half_won.ci95.high > 400.0);
        assert_near(half_won.los, 2.0 / 3.0, 1e-12, rule);
        // Where there is some variance the estimate is the usual one, whatever the rule.
        let two = of(&sprt, [0, 0, 0, 1, 1]);
        assert_near(two.value, 336.6, 1.0, rule);
    }
    let even = of(&normalized(0.0, 10.0, CURVED), [0, 0, 1000, 0, 0]);
    assert_near(even.ci95.high, 1.04, 0.01, "three in a thousand");
    assert_eq!((even.value, even.los), (0.0, 0.5));
}

/// Perfect and all but perfect records: sure of superiority, and of no more than they show.
#[test]
fn records_of_one_kind_are_sure_of_what_they_show() {
    for rule in [Rule::Wald, CURVED] {
        for model in [Model::Normalized, Model::Logistic] {
            for counts in [
                [0, 0, 0, 0, 17],
                [0, 0, 0, 17, 0],
                [0, 0, 0, 1, 16],
                [0, 0, 0, 40, 2],
            ] {
                let hypotheses = Hypotheses::new(model, 0.0, 50.0).unwrap();
                let sprt = Sprt::new(hypotheses, ErrorRates::default(), rule);
                let mut progress = sprt.start();
                let total: u64 = counts.iter().sum();
                for pairs in 1..=total {
                    let part = counts.map(|count| count * pairs / total);
                    progress = sprt.look(progress, Pentanomial(part)).unwrap();
                }
                let found = sprt.estimate(&progress);
                let what = format!("{rule} {model} {counts:?} {found:?}");
                assert!(found.los > 0.99, "{what}");
                assert!(found.ci95.low > 10.0, "{what}");
                let mirrored = Hypotheses::new(model, -50.0, 0.0).unwrap();
                let mirrored = Sprt::new(mirrored, ErrorRates::default(), rule);
                let progress = mirrored.snapshot(Pentanomial(counts).reversed()).unwrap();
                let lost = mirrored.estimate(&progress);
                assert!(
                    lost.los < 0.02 && lost.ci95.high < -10.0,
                    "{rule} {model} {lost:?}"
                );
            }
        }
    }
}

#[test]
fn games_alone_have_estimates_too() {
    let games = Trinomial {
        wins: 1100,
        draws: 2000,
        losses: 1000,
    };
    for model in [Model::Normalized, Model::Logistic, Model::Bayesian] {
        for rule in [Rule::Wald, CURVED] {
            let hypotheses = Hypotheses::new(model, 0.0, 5.0).unwrap();
            let sprt = Sprt::new(hypotheses, ErrorRates::default(), rule);
            let found = sprt.estimate(&sprt.snapshot(games).unwrap());
            let usual = Results::from(games).elo().unwrap().value;
            assert_near(found.value, usual, 1.5, format!("{model} {rule}"));
        }
    }
}

#[test]
fn the_remaining_length_starts_at_the_mean_and_shrinks_near_a_bound() {
    let sprt = normalized(0.0, 10.0, CURVED);
    let delta2 = 2.0 * (10.0 / stats::NELO_PER_T).powi(2);
    let at_start = sprt.expected_remaining(&sprt.start()).unwrap() * delta2;
    // The Bayes mean under N(0, 1): 0.980 of Wald's 4.65 (reference page, 2.2).
    assert_near(at_start, 0.980 * 4.650, 0.01, "mean at the start");
    let at = |counts| sprt.expected_remaining(&sprt.snapshot(Pentanomial(counts)).unwrap());
    let even = at([5, 240, 510, 247, 6]).unwrap();
    let nearly = at([5, 220, 510, 270, 6]).unwrap();
    assert!(nearly < 0.5 * even, "{nearly} and {even}");
    assert_eq!(at([5, 200, 510, 330, 6]), None);
    let wald = normalized(0.0, 10.0, Rule::Wald);
    let at_start = wald.expected_remaining(&wald.start()).unwrap() * delta2;
    assert_near(at_start, 4.650, 0.01, "Wald's mean at the start");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Whatever the record: an interval around the value, and a better record has a better one.
    #[test]
    fn estimates_are_finite_and_ordered(
        counts in prop::array::uniform5(prop_oneof![0u64..3, 0u64..3000]),
        elo0 in -20.0..20.0f64,
        width in 0.5..30.0f64,
        is_curved in any::<bool>(),
    ) {
        let rule = if is_curved { CURVED } else { Rule::Wald };
        let sprt = normalized(elo0, elo0 + width, rule);
        prop_assume!(counts.iter().sum::<u64>() > 0);
        let found = of(&sprt, counts);
        prop_assert!(found.ci95.low <= found.value && found.value <= found.ci95.high, "{found:?}");
        prop_assert!((0.0..=1.0).contains(&found.los));
        let [ll, ld, even, wd, ww] = counts;
        let better = of(&sprt, [ll, ld, even, wd, ww + 1 + ww / 10]);
        // A record of one kind of pairs has no variance, and its estimate comes from another rule.
        let kinds = counts.iter().filter(|&&count| count > 0).count();
        prop_assert!(kinds == 1 || better.los >= found.los - 1e-3, "{found:?} {better:?}");
    }
}
