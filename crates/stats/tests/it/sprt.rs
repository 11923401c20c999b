use proptest::prelude::*;
use stats::{
    ErrorRates, Fallback, Hypotheses, Model, Pentanomial, Preset, Progress, Results, Rule, Sprt,
    SprtError, State, Trinomial,
};

use crate::shared::{self, assert_near, number};

fn sprt(model: Model, elo0: f64, elo1: f64, rule: Rule) -> Sprt {
    Sprt::new(
        Hypotheses::new(model, elo0, elo1).unwrap(),
        ErrorRates::default(),
        rule,
    )
}

const CURVED: Rule = Rule::Curved(Preset::General);

fn fold(sprt: &Sprt, reports: impl IntoIterator<Item = Pentanomial>) -> Progress {
    let look = |before, report| sprt.look(before, report).unwrap();
    reports.into_iter().fold(sprt.start(), look)
}

#[test]
fn wald_bounds_are_those_of_the_public_case() {
    let Some(case) = shared::case("G08") else {
        return;
    };
    for (rates, bounds) in case["bounds"].as_object().unwrap() {
        let (alpha, beta) = rates.split_once(',').unwrap();
        let rates = ErrorRates::new(alpha.parse().unwrap(), beta.parse().unwrap()).unwrap();
        let (lower, upper) = rates.wald_bounds();
        assert_near(lower, number(&bounds[0]), 1e-5, "lower");
        assert_near(upper, number(&bounds[1]), 1e-5, "upper");
    }
}

#[test]
fn a_test_starts_at_zero_and_stays_there_without_pairs() {
    for rule in [Rule::Wald, CURVED] {
        let sprt = sprt(Model::Normalized, 0.0, 2.0, rule);
        let progress = fold(&sprt, [Pentanomial::default()]);
        assert_eq!(progress.state, State::Running);
        assert_near(progress.llr, 0.0, 1e-5, "llr");
        assert_eq!(
            (progress.lower, progress.upper),
            (sprt.start().lower, sprt.start().upper)
        );
    }
}

#[test]
fn clear_results_decide_and_the_decision_is_final() {
    for rule in [Rule::Wald, CURVED] {
        for model in [Model::Normalized, Model::Logistic] {
            let sprt = sprt(model, 0.0, 10.0, rule);
            let good = fold(&sprt, [Pentanomial([5, 200, 500, 400, 20])]);
            assert_eq!(good.state, State::AcceptH1, "{rule} {model}");
            let bad = sprt
                .look(good, Pentanomial([400, 600, 500, 400, 20]))
                .unwrap();
            assert_eq!((bad.state, bad.exit), (good.state, good.exit));
            assert!(bad.llr < 0.0);
            let bad = fold(&sprt, [Pentanomial([20, 400, 500, 200, 5])]);
            assert_eq!(bad.state, State::AcceptH0, "{rule} {model}");
        }
    }
}

#[test]
fn a_few_drawn_pairs_decide_nothing() {
    for rule in [Rule::Wald, CURVED] {
        for model in [Model::Normalized, Model::Logistic] {
            let sprt = sprt(model, 0.0, 20.0, rule);
            let reports = (1..=12).map(|pairs| Pentanomial([0, 0, pairs, 0, 0]));
            assert_eq!(fold(&sprt, reports).state, State::Running, "{rule} {model}");
        }
    }
}

#[test]
fn curved_bounds_end_a_test_whatever_the_llr() {
    let sprt = sprt(Model::Normalized, 0.0, 10.0, CURVED);
    // Five normalized Elo, the very middle.
    let middle =
        |scale: u64| Pentanomial([50, 2326, 5100, 2474, 50].map(|count| count * scale / 10));
    for scale in 1..30 {
        let progress = sprt.snapshot(middle(scale)).unwrap();
        let end = sprt.design().unwrap().boundary.end();
        assert_eq!(
            progress.state == State::Running,
            progress.tau < end,
            "after {scale}000 pairs"
        );
    }
    let exit = sprt.snapshot(middle(30)).unwrap().exit.unwrap();
    assert!(exit.llr.abs() < 1.0);
}

#[test]
fn looks_at_groups_move_the_bounds_inwards_and_snapshots_do_not() {
    let wald = sprt(Model::Normalized, 0.0, 10.0, Rule::Wald);
    let results = Pentanomial([10, 483, 1000, 551, 12]);
    let progress = wald.look(wald.start(), results).unwrap();
    assert!(progress.llr < progress.upper);
    assert_eq!(
        progress.state,
        State::AcceptH1,
        "moved by one look at all results"
    );
    assert_eq!(wald.snapshot(results).unwrap().state, State::Running);
}

#[test]
fn a_jump_far_over_the_bound_is_taken_back_to_where_it_met_it() {
    for rule in [Rule::Wald, CURVED] {
        let sprt = sprt(Model::Normalized, 0.0, 10.0, rule);
        let progress = sprt.snapshot(Pentanomial([0, 20, 400, 500, 80])).unwrap();
        let exit = progress.exit.unwrap();
        assert!(progress.llr > 5.0 && exit.tau < progress.tau / 2.0);
        assert_near(
            exit.llr,
            sprt.bounds(exit.tau).1,
            1e-9,
            "llr where it met the bound",
        );
    }
}

#[test]
fn single_games_can_be_tested_with_every_model() {
    let games = Trinomial {
        wins: 700,
        draws: 900,
        losses: 400,
    };
    for model in [Model::Normalized, Model::Logistic, Model::Bayesian] {
        for rule in [Rule::Wald, CURVED] {
            let sprt = sprt(model, 0.0, 10.0, rule);
            assert_eq!(
                sprt.snapshot(games).unwrap().state,
                State::AcceptH1,
                "{model} {rule}"
            );
        }
    }
    let bayesian = sprt(Model::Bayesian, 0.0, 10.0, CURVED);
    assert!(bayesian.snapshot(Pentanomial([1, 2, 3, 4, 5])).is_err());
}

#[test]
fn bad_tests_are_refused_with_the_reason() {
    let hypotheses = |elo0, elo1| Hypotheses::new(Model::Normalized, elo0, elo1).unwrap_err();
    assert_eq!(
        hypotheses(2.0, 0.0).to_string(),
        "`elo0` is 2 and `elo1` is 0: `elo0` must be the smaller one"
    );
    assert_eq!(
        hypotheses(1.0, 1.0),
        SprtError::Order {
            elo0: 1.0,
            elo1: 1.0
        }
    );
    assert_eq!(
        hypotheses(1.0, 1.0 + 1e-9).to_string(),
        "`elo0` is 1 and `elo1` is 1.000000001: they must be at least 0.001 apart"
    );
    assert_eq!(
        hypotheses(0.0, f64::INFINITY).to_string(),
        "`elo1` is inf: allowed are -4000 to 4000"
    );
    assert!(matches!(
        hypotheses(f64::NAN, 1.0),
        SprtError::Elo { name: "elo0", .. }
    ));
    let rates = |alpha, beta| ErrorRates::new(alpha, beta).unwrap_err().to_string();
    assert_eq!(
        rates(0.0, 0.05),
        "`alpha` is 0: allowed are probabilities above 0 and below 1"
    );
    assert_eq!(
        rates(0.05, 1.0),
        "`beta` is 1: allowed are probabilities above 0 and below 1"
    );
    assert_eq!(
        rates(0.5, 0.6),
        "`alpha` 0.5 and `beta` 0.6 add up to 1 or more: no games are needed for that"
    );
    assert!(ErrorRates::new(f64::NAN, 0.05).is_err());
}

#[test]
fn rules_and_presets_are_known_by_name() {
    assert_eq!("wald".parse(), Ok(Rule::Wald));
    assert_eq!("curved".parse(), Ok(CURVED));
    for preset in Preset::ALL {
        assert_eq!(preset.name().parse(), Ok(preset));
    }
    assert_eq!(
        "triangle".parse::<Rule>().unwrap_err().to_string(),
        "`triangle` is not a rule: allowed are `curved` and `wald`"
    );
    assert!(
        "gains"
            .parse::<Preset>()
            .unwrap_err()
            .to_string()
            .contains("non-regression")
    );
}

#[test]
fn error_rates_out_of_range_fall_back_to_constant_bounds_and_say_so() {
    let hypotheses = Hypotheses::new(Model::Normalized, 0.0, 2.0).unwrap();
    let sprt = Sprt::new(hypotheses, ErrorRates::new(0.0001, 0.05).unwrap(), CURVED);
    assert_eq!(sprt.rule(), Rule::Wald);
    assert_eq!(
        sprt.fallback(),
        Some(Fallback::Rates {
            alpha: 0.0001,
            beta: 0.05
        })
    );
    assert!(
        sprt.fallback()
            .unwrap()
            .to_string()
            .contains("from 0.001 to 0.2")
    );
    assert_eq!(sprt.bounds(3.0), sprt.rates().wald_bounds());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A decision depends on the ordered reports alone, and never comes from nothing new.
    #[test]
    fn looking_twice_changes_nothing(
        steps in prop::collection::vec(prop::array::uniform5(0u64..40), 1..30),
    ) {
        let sprt = sprt(Model::Normalized, 0.0, 10.0, CURVED);
        let mut total = Pentanomial::default();
        let mut reports = Vec::new();
        for step in steps {
            total += Pentanomial(step);
            reports.push(total);
        }
        let once = fold(&sprt, reports.clone());
        let twice = fold(&sprt, reports.into_iter().flat_map(|report| [report, report]));
        prop_assert_eq!(once, twice);
    }

    #[test]
    fn the_other_side_decides_the_opposite(
        steps in prop::collection::vec(prop::array::uniform5(0u64..40), 1..30),
    ) {
        let mine = sprt(Model::Normalized, -2.0, 5.0, CURVED);
        let theirs = sprt(Model::Normalized, -5.0, 2.0, CURVED);
        let (mut a, mut b) = (mine.start(), theirs.start());
        let mut total = Pentanomial::default();
        for step in steps {
            total += Pentanomial(step);
            a = mine.look(a, total).unwrap();
            b = theirs.look(b, Results::from(total.reversed())).unwrap();
            let opposite = match b.state {
                State::Running => State::Running,
                State::AcceptH0 => State::AcceptH1,
                State::AcceptH1 => State::AcceptH0,
            };
            prop_assert_eq!(a.state, opposite);
        }
    }
}
