use proptest::prelude::*;
use stats::{Fixed, Pentanomial, Results, Trinomial, Undefined, elo_of_score, score_of_elo};

use crate::shared::{self, assert_near, number};

fn pairs(counts: [u64; 5]) -> Results {
    Pentanomial(counts).into()
}

#[test]
fn the_report_of_fixed_samples_agrees_with_the_vectors() {
    for case in shared::vectors("elo_report") {
        let results = shared::results(&case["inputs"]["results"]);
        let (exact, tolerance) = (&case["exact"], number(&case["tol_abs"]));
        let found = results.regularised();
        let check = |found: f64, key: &str| {
            let wanted = number(&exact[key]);
            let tolerance = tolerance.max(1e-12 * wanted.abs());
            assert_near(found, wanted, tolerance, format!("{key} of {results:?}"));
        };
        check(0.5 + found.excess, "score");
        check(found.sigma_per_game(), "sigma_pg");
        check(found.los(), "los");
        check(found.elo().0, "elo");
        check(found.elo().1.half_width(), "elo95");
        check(found.nelo().0, "nelo");
        check(found.nelo().1.half_width(), "nelo95");
    }
}

#[test]
fn a_known_pentanomial_has_its_known_report() {
    let results = pairs([12, 150, 300, 170, 18]);
    let (elo, nelo) = (results.elo().unwrap(), results.nelo().unwrap());
    assert_near(results.score().unwrap(), 0.512_308, 1e-6, "score");
    assert_near(elo.value, 8.553_99, 1e-5, "Elo");
    assert_near(elo.ci95.unwrap().half_width(), 10.978_3, 1e-4, "Elo ±");
    assert_near(nelo.value, 14.726_7, 1e-4, "nElo");
    assert_near(nelo.ci95.unwrap().half_width(), 18.886_5, 1e-4, "nElo ±");
    assert_near(results.los().unwrap(), 0.936_778, 1e-6, "LOS");
}

#[test]
fn the_public_case_of_a_pentanomial_has_its_report() {
    let Some(case) = shared::case("G02") else {
        return;
    };
    let results = shared::results(&case["penta"]);
    let (elo, nelo) = (results.elo().unwrap(), results.nelo().unwrap());
    assert_near(elo.value, number(&case["elo"]), 1e-4, "Elo");
    assert_near(
        elo.ci95.unwrap().half_width(),
        number(&case["elo_err"]),
        1e-3,
        "Elo ±",
    );
    assert_near(nelo.value, number(&case["nelo"]), 1e-3, "nElo");
    assert_near(
        nelo.ci95.unwrap().half_width(),
        number(&case["nelo_err"]),
        1e-3,
        "nElo ±",
    );
    assert_near(results.los().unwrap(), number(&case["los"]), 1e-5, "LOS");
}

#[test]
fn without_games_everything_is_undefined() {
    for results in [pairs([0; 5]), Trinomial::default().into()] {
        assert_eq!(results.score(), Err(Undefined::NoGames));
        assert_eq!(results.variance(), Err(Undefined::NoGames));
        assert_eq!(results.elo(), Err(Undefined::NoGames));
        assert_eq!(results.nelo(), Err(Undefined::NoGames));
        assert_eq!(results.los(), Err(Undefined::NoGames));
    }
}

#[test]
fn equal_results_have_a_score_but_no_interval() {
    for counts in [[0, 0, 50, 0, 0], [0, 0, 1, 0, 0]] {
        let elo = pairs(counts).elo().unwrap();
        assert_eq!(Fixed(elo.value, 2).to_string(), "0.00");
        assert_eq!(elo.ci95, Err(Undefined::OneResult));
        assert_eq!(pairs(counts).nelo(), Err(Undefined::OneResult));
        assert_eq!(pairs(counts).los(), Ok(0.5));
    }
    let elo = pairs([0, 200, 0, 0, 0]).elo().unwrap();
    assert_near(elo.value, -190.85, 0.01, "Elo of one point in four");
    assert_eq!(elo.ci95, Err(Undefined::OneResult));
    assert_eq!(pairs([0, 200, 0, 0, 0]).los(), Err(Undefined::OneResult));
}

#[test]
fn a_perfect_score_has_no_elo() {
    for results in [pairs([0, 0, 0, 0, 40]), pairs([40, 0, 0, 0, 0])] {
        assert_eq!(results.elo(), Err(Undefined::PerfectScore));
        assert_eq!(results.nelo(), Err(Undefined::OneResult));
    }
    assert_eq!(
        Results::from(Trinomial {
            wins: 10,
            draws: 0,
            losses: 0
        })
        .elo(),
        Err(Undefined::PerfectScore)
    );
    assert_eq!(elo_of_score(1.0), Err(Undefined::PerfectScore));
    assert_eq!(elo_of_score(0.0), Err(Undefined::PerfectScore));
    assert_eq!(elo_of_score(f64::NAN), Err(Undefined::PerfectScore));
}

#[test]
fn one_win_and_one_loss_are_zero_without_a_sign() {
    let elo = Results::from(Trinomial {
        wins: 1,
        draws: 0,
        losses: 1,
    })
    .elo()
    .unwrap();
    assert!(elo.value.is_sign_positive());
    assert_eq!(Fixed(elo.value, 2).to_string(), "0.00");
}

#[test]
fn a_number_that_rounds_to_zero_is_shown_without_a_sign() {
    let show = |value| Fixed(value, 2).to_string();
    assert_eq!(show(-0.0), "0.00");
    assert_eq!(show(-0.004), "0.00");
    assert_eq!(show(-0.006), "-0.01");
    assert_eq!(show(-10.0), "-10.00");
    assert_eq!(
        format!("{:>7}|{:<6}|", Fixed(-0.0001, 2), Fixed(1.0, 1)),
        "   0.00|1.0   |"
    );
}

#[test]
fn pairs_are_more_certain_than_their_games() {
    // Openings that favour White make the two results of a pair differ, so the pair's score varies little.
    let as_pairs = pairs([5, 240, 510, 242, 3]);
    let as_games = Results::from(Trinomial {
        wins: 740,
        draws: 522,
        losses: 738,
    });
    let half_width = |results: Results| results.elo().unwrap().ci95.unwrap().half_width();
    assert!(half_width(as_pairs) < 0.8 * half_width(as_games));
}

#[test]
fn seventy_six_percent_are_two_hundred_elo() {
    assert_near(score_of_elo(200.0), 0.759_746_9, 1e-7, "score");
    assert_near(
        elo_of_score(0.759_746_926_647_957_7).unwrap(),
        200.0,
        1e-9,
        "Elo",
    );
}

proptest! {
    #[test]
    fn elo_and_score_are_inverse(elo in -2000.0..2000.0f64) {
        let back = elo_of_score(score_of_elo(elo)).unwrap();
        prop_assert!((back - elo).abs() < 1e-6, "{elo} came back as {back}");
    }

    #[test]
    fn the_other_side_sees_the_opposite(counts in prop::array::uniform5(0u64..1000)) {
        let (mine, theirs) = (Pentanomial(counts), Pentanomial(counts).reversed());
        let (mine, theirs) = (Results::from(mine), Results::from(theirs));
        match (mine.elo(), theirs.elo()) {
            (Ok(mine), Ok(theirs)) => {
                let (mine, theirs) = (mine.value, theirs.value);
                prop_assert!((mine + theirs).abs() <= 1e-12 * mine.abs());
            }
            (mine, theirs) => prop_assert_eq!(mine, theirs),
        }
        match (mine.los(), theirs.los()) {
            (Ok(mine), Ok(theirs)) => prop_assert!((mine + theirs - 1.0).abs() < 1e-12),
            (mine, theirs) => prop_assert_eq!(mine, theirs),
        }
    }

    #[test]
    fn whatever_is_defined_is_finite_and_not_minus_zero(
        counts in prop::array::uniform5(prop_oneof![Just(0u64), 0u64..5, 0u64..10_000_000]),
    ) {
        let results = Results::from(Pentanomial(counts));
        let mut numbers = Vec::new();
        numbers.extend(results.score());
        numbers.extend(results.variance());
        numbers.extend(results.los());
        for estimate in [results.elo(), results.nelo()].into_iter().flatten() {
            numbers.push(estimate.value);
            numbers.extend(estimate.ci95.into_iter().flat_map(|ci95| [ci95.low, ci95.high]));
            prop_assert!(estimate.ci95.is_err() || estimate.ci95.unwrap().contains(estimate.value));
        }
        for number in numbers {
            prop_assert!(number.is_finite());
            prop_assert!(number != 0.0 || number.is_sign_positive());
        }
    }
}
