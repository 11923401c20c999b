use proptest::prelude::*;
use stats::{BayesElo, DrawElo, LlrError, Model, Pentanomial, Results, Trinomial, llr};

use crate::shared::{self, assert_near, number};

fn check_vectors(function: &str, model: Model) {
    for case in shared::vectors(function) {
        let inputs = &case["inputs"];
        let (elo0, elo1) = (number(&inputs["elo0"]), number(&inputs["elo1"]));
        let found = llr(model, elo0, elo1, shared::results(&inputs["results"])).unwrap();
        let exact = number(&case["exact"]);
        let tolerance = f64::max(1e-9, 1e-11 * exact.abs());
        assert_near(found, exact, tolerance, format!("{model} llr of {inputs}"));
    }
}

#[test]
fn normalized_llr_agrees_with_the_vectors() {
    check_vectors("LLR_normalized", Model::Normalized);
}

#[test]
fn logistic_llr_agrees_with_the_vectors() {
    check_vectors("LLR_logistic", Model::Logistic);
}

#[test]
fn bayesian_llr_and_bounds_agree_with_the_vectors() {
    for case in shared::vectors("bayeselo_bounds") {
        let (inputs, exact) = (&case["inputs"], &case["exact"]);
        let results = shared::results(&inputs["results"]);
        let Results::Games(games) = results else {
            panic!("BayesElo is about games")
        };
        let draw_elo = DrawElo::of(games);
        let belo = [number(&inputs["belo0"]), number(&inputs["belo1"])];
        let bounds = belo.map(|elo| BayesElo { elo, draw_elo }.to_logistic());
        let legacy = llr(Model::Bayesian, belo[0], belo[1], games).unwrap();
        let gsprt = llr(Model::Logistic, bounds[0], bounds[1], games).unwrap();
        let check = |found: f64, key: &str| {
            let wanted = number(&exact[key]);
            assert_near(
                found,
                wanted,
                f64::max(1e-9, 1e-11 * wanted.abs()),
                format!("{key}, {inputs}"),
            );
        };
        check(bounds[0], "elo0");
        check(bounds[1], "elo1");
        check(legacy, "llr_legacy");
        check(gsprt, "llr_gsprt");
    }
}

#[test]
fn draw_elo_agrees_with_the_vectors() {
    for case in shared::vectors("draw_elo") {
        let Results::Games(games) = shared::results(&case["inputs"]["results"]) else {
            panic!("draw_elo is about games")
        };
        assert_near(
            DrawElo::of(games).0,
            number(&case["exact"]),
            1e-9,
            "draw_elo",
        );
    }
}

#[test]
fn bayeselo_of_a_score_and_draw_ratio_agrees_with_the_vectors() {
    for case in shared::vectors("elo_to_bayeselo") {
        let inputs = &case["inputs"];
        let found = BayesElo::from_logistic(number(&inputs["elo"]), number(&inputs["draw_ratio"]));
        match (found, case["exact"][0].as_f64(), case["exact"][1].as_f64()) {
            (Some(found), Some(elo), Some(draw_elo)) => {
                assert_near(found.elo, elo, 1e-8, "BayesElo");
                assert_near(found.draw_elo.0, draw_elo, 1e-8, "draw_elo");
            }
            (found, elo, _) => assert_eq!((found, elo), (None, None), "{inputs}"),
        }
    }
}

fn check_case(id: &str, counts: &str, key: &str, model: Model, bounds: (f64, f64)) {
    let Some(case) = shared::case(id) else { return };
    let (counts, wanted) = (&case[counts], number(&case[key]));
    let results = match counts.as_array().unwrap().len() {
        // Cases write wins first, then losses, then draws.
        3 => Trinomial {
            wins: counts[0].as_u64().unwrap(),
            losses: counts[1].as_u64().unwrap(),
            draws: counts[2].as_u64().unwrap(),
        }
        .into(),
        _ => shared::results(counts),
    };
    let found = llr(model, bounds.0, bounds.1, results).unwrap();
    assert_near(
        found,
        wanted,
        1e-4,
        format!("{id}: {model} llr of {results:?}"),
    );
}

#[test]
fn public_cases_have_their_llr() {
    check_case(
        "G03",
        "penta",
        "llr_norm_0_5",
        Model::Normalized,
        (0.0, 5.0),
    );
    check_case("G03", "penta", "llr_logi_0_5", Model::Logistic, (0.0, 5.0));
    check_case(
        "G05",
        "penta",
        "llr_norm_0_5",
        Model::Normalized,
        (0.0, 5.0),
    );
    check_case("G05", "penta", "llr_logi_0_5", Model::Logistic, (0.0, 5.0));
    check_case(
        "G17",
        "wld",
        "llr_normalized",
        Model::Normalized,
        (0.0, 10.0),
    );
    check_case("G17", "wld", "llr_logistic", Model::Logistic, (0.0, 10.0));
    let Some(case) = shared::case("G02") else {
        return;
    };
    let results = shared::results(&case["penta"]);
    for (model, key) in [
        (Model::Normalized, "llr_norm"),
        (Model::Logistic, "llr_logi"),
    ] {
        for (bounds, wanted) in case[key].as_object().unwrap() {
            let (elo0, elo1) = bounds.split_once(',').unwrap();
            let found = llr(model, elo0.parse().unwrap(), elo1.parse().unwrap(), results).unwrap();
            assert_near(
                found,
                number(wanted),
                1e-4,
                format!("{model} llr at {bounds}"),
            );
        }
    }
    let zero_variance = shared::case("G04").unwrap();
    for case in zero_variance["cases"].as_array().unwrap() {
        let results = shared::results(&case["penta"]);
        for (model, key) in [
            (Model::Normalized, "llr_norm_0_5"),
            (Model::Logistic, "llr_logi_0_5"),
        ] {
            let found = llr(model, 0.0, 5.0, results).unwrap();
            assert_near(
                found,
                number(&case[key]),
                1e-3,
                format!("{model} llr of {results:?}"),
            );
        }
    }
}

#[test]
fn extreme_bounds_have_a_finite_llr() {
    let of = |counts, elo0, elo1| llr(Model::Normalized, elo0, elo1, Pentanomial(counts)).unwrap();
    assert!(of([144, 3, 1, 0, 0], -1500.0, -500.0) < 0.0);
    assert!(of([549, 54, 33, 1, 0], 500.0, 1500.0) < -100.0);
    assert!(of([0, 0, 0, 0, 1_000_000], -4000.0, 4000.0).is_finite());
}

#[test]
fn no_results_are_no_evidence() {
    for model in [Model::Normalized, Model::Logistic] {
        assert_near(
            llr(model, 0.0, 2.0, Pentanomial::default()).unwrap(),
            0.0,
            1e-4,
            model,
        );
    }
}

#[test]
fn bayesian_llr_of_pairs_is_refused() {
    let found = llr(Model::Bayesian, 0.0, 2.0, Pentanomial([1, 2, 3, 2, 1]));
    assert_eq!(found, Err(LlrError::BayesianPairs));
}

#[test]
fn models_are_known_by_name() {
    assert_eq!("logistic".parse(), Ok(Model::Logistic));
    let error = "pentanomial".parse::<Model>().unwrap_err().to_string();
    assert_eq!(
        error,
        "`pentanomial` is not a model: allowed are `normalized`, `logistic` and `bayesian`"
    );
}

/// Maximises the likelihood by brute force over two free frequencies of three.
fn brute_force_log_likelihood(shares: [f64; 3], t: f64) -> f64 {
    // mean − ½ = (w − l)/2 = t σ has one free parameter left: the frequency d of draws. With
    // q = 1 − d and e = (w − l)/2, q/4 = σ² + e² and e = t σ.
    let value = |d: f64| {
        let q = 1.0 - d;
        let e = t * (q / 4.0 / (1.0 + t * t)).sqrt();
        let (w, l) = (q / 2.0 + e, q / 2.0 - e);
        if w <= 0.0 || l <= 0.0 || d <= 0.0 {
            return f64::NEG_INFINITY;
        }
        [l, d, w]
            .iter()
            .zip(shares)
            .map(|(p, share)| share * (p / share).ln())
            .sum()
    };
    let (mut best, mut step) = (0.5, 0.5);
    let grid = (1..2000).map(|i| f64::from(i) / 2000.0);
    if let Some(found) = grid.max_by(|a, b| value(*a).total_cmp(&value(*b))) {
        (best, step) = (found, 1e-3);
    }
    for _ in 0..200 {
        let moves = [best - step, best, best + step];
        let next = moves
            .into_iter()
            .max_by(|a, b| value(*a).total_cmp(&value(*b)))
            .unwrap();
        step *= if next == best { 0.7 } else { 1.0 };
        best = next;
    }
    value(best)
}

#[test]
fn the_anchored_trinomial_is_what_brute_force_finds() {
    let games = Trinomial {
        wins: 12,
        draws: 20,
        losses: 10,
    };
    let shares = [10.0 / 42.0, 20.0 / 42.0, 12.0 / 42.0];
    let [t0, t1] = [0.0, 5.0 / stats::NELO_PER_T];
    let brute =
        42.0 * (brute_force_log_likelihood(shares, t1) - brute_force_log_likelihood(shares, t0));
    assert_near(brute, 0.035_423_047_103, 1e-9, "by brute force");
    assert_near(
        llr(Model::Normalized, 0.0, 5.0, games).unwrap(),
        brute,
        1e-9,
        "llr",
    );
}

proptest! {
    #[test]
    fn normalized_llr_of_games_is_what_brute_force_finds(
        counts in prop::array::uniform3(1u64..2000),
        nelo0 in -300.0..300.0f64,
        nelo1 in -300.0..300.0f64,
    ) {
        let [losses, draws, wins] = counts;
        let total: u64 = counts.iter().sum();
        let shares = counts.map(|count| count as f64 / total as f64);
        let likelihood = |nelo| brute_force_log_likelihood(shares, nelo / stats::NELO_PER_T);
        let brute = total as f64 * (likelihood(nelo1) - likelihood(nelo0));
        let games = Trinomial { wins, draws, losses };
        let found = llr(Model::Normalized, nelo0, nelo1, games).unwrap();
        prop_assert!((found - brute).abs() <= 1e-7 * (1.0 + brute.abs()), "{found} and {brute}");
    }

    #[test]
    fn llr_is_finite_for_whatever_counts(
        counts in prop::array::uniform5(prop_oneof![Just(0u64), 0u64..5, 0u64..10_000_000]),
        elo0 in -4000.0..4000.0f64,
        elo1 in -4000.0..4000.0f64,
    ) {
        for model in [Model::Normalized, Model::Logistic] {
            let found = llr(model, elo0, elo1, Pentanomial(counts)).unwrap();
            prop_assert!(found.is_finite(), "{model} llr is {found}");
        }
    }

    #[test]
    fn swapping_hypotheses_or_sides_changes_the_sign(
        counts in prop::array::uniform5(prop_oneof![Just(0u64), 0u64..5, 0u64..100_000]),
        elo0 in -50.0..50.0f64,
        width in 0.1..50.0f64,
    ) {
        let elo1 = elo0 + width;
        for model in [Model::Normalized, Model::Logistic] {
            let pairs = Pentanomial(counts);
            let forth = llr(model, elo0, elo1, pairs).unwrap();
            let back = llr(model, elo1, elo0, pairs).unwrap();
            let mirrored = llr(model, -elo1, -elo0, pairs.reversed()).unwrap();
            let tolerance = f64::max(1e-9, 1e-11 * forth.abs());
            prop_assert!((forth + back).abs() <= tolerance);
            prop_assert!((forth + mirrored).abs() <= tolerance, "{forth} and {mirrored}");
        }
    }
}
