//! Ratings of many players.

use proptest::prelude::*;
use serde_json::Value;
use stats::{
    Anchor, Encounter, Errors, Island, PLAYERS_MAX, PRIOR_DRAWS, Pentanomial, RatingError, Ratings,
    Results, Trinomial, Undefined, score_of_elo,
};

use crate::shared::{assert_near, number, vectors};

fn met(first: usize, second: usize, pairs: [u64; 5]) -> Encounter {
    Encounter {
        first,
        second,
        pairs: Pentanomial(pairs),
        ..Encounter::default()
    }
}

fn played(first: usize, second: usize, [wins, draws, losses]: [u64; 3]) -> Encounter {
    Encounter {
        first,
        second,
        games: Trinomial {
            wins,
            draws,
            losses,
        },
        ..Encounter::default()
    }
}

fn rate(players: usize, encounters: &[Encounter]) -> Ratings {
    Ratings::new(players, encounters, &[]).unwrap()
}

/// Three players: 0 beats 1, 1 beats 2.
fn ladder() -> [Encounter; 3] {
    [
        met(0, 1, [5, 40, 100, 55, 8]),
        met(1, 2, [5, 40, 100, 55, 8]),
        met(0, 2, [3, 30, 100, 70, 12]),
    ]
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

#[test]
fn players_are_rated_as_in_the_vectors() {
    for case in vectors("rating_fit") {
        let inputs = &case["inputs"];
        let players = index(&inputs["players"]);
        let encounters: Vec<Encounter> = (inputs["pairs"].as_array().unwrap().iter())
            .map(|pairing| {
                let counts = pairing["pentanomial"].as_array().unwrap().iter();
                let counts: Vec<u64> = counts.map(|count| count.as_u64().unwrap()).collect();
                let counts = counts.try_into().unwrap();
                met(index(&pairing["i"]), index(&pairing["j"]), counts)
            })
            .collect();
        let ratings = rate(players, &encounters);
        let [island] = ratings.islands() else {
            panic!("{}: not one island", case["name"])
        };
        let prior = number(&inputs["prior_virtual_draws_vs_0"]);
        assert_eq!(if island.has_prior() { PRIOR_DRAWS } else { 0.0 }, prior);
        check_fit(&case, &ratings, island);
    }
}

fn check_fit(case: &Value, ratings: &Ratings, island: &Island) {
    let exact = &case["exact"];
    let tolerance = number(&case["tol_abs"]);
    let near = |found: f64, wanted: &Value, what: &str| {
        let what = format!("{} {what}", case["name"]);
        assert_near(found, number(wanted), tolerance, what);
    };
    let clustered = island.covariance(Errors::Clustered);
    let binomial = island.covariance(Errors::Binomial);
    for i in 0..island.players.len() {
        near(ratings.value(i), &exact["ratings"][i], "rating");
        near(clustered[i][i].sqrt(), &exact["se_sandwich"][i], "sandwich");
        near(
            binomial[i][i].sqrt(),
            &exact["se_naive_binomial"][i],
            "binomial",
        );
        for j in 0..island.players.len() {
            near(clustered[i][j], &exact["cov_sandwich"][i][j], "covariance");
            if !island.has_prior() {
                near(ratings.los(i, j).unwrap(), &exact["los"][i][j], "los");
            } else if i != j {
                // By the sandwich, which our own answer does not trust here.
                let variance = clustered[i][i] + clustered[j][j] - 2.0 * clustered[i][j];
                let z = (ratings.value(i) - ratings.value(j)) / variance.sqrt();
                let los = 0.5 * statrs::function::erf::erfc(-z / std::f64::consts::SQRT_2);
                near(los, &exact["los"][i][j], "los");
            }
        }
        if !island.has_prior() {
            let half = ratings.estimate(i).unwrap().ci95.unwrap().half_width();
            let error = number(&exact["se_sandwich"][i]);
            assert_near(half, 1.959_963_984_540_054 * error, tolerance, "half width");
        }
    }
}

#[test]
fn two_players_are_as_far_apart_as_their_elo_difference() {
    let pairs = [2, 58, 216, 120, 14];
    let elo = Results::from(Pentanomial(pairs)).elo().unwrap();
    let ratings = rate(2, &[met(0, 1, pairs)]);
    assert_near(
        ratings.value(0) - ratings.value(1),
        elo.value,
        1e-9,
        "difference",
    );
    assert_near(ratings.value(0) + ratings.value(1), 0.0, 1e-12, "mean");
    let anchored = Ratings::new(
        2,
        &[met(0, 1, pairs)],
        &[Anchor {
            player: 1,
            rating: 0.0,
        }],
    );
    let half = anchored
        .unwrap()
        .estimate(0)
        .unwrap()
        .ci95
        .unwrap()
        .half_width();
    assert_near(
        half,
        elo.ci95.unwrap().half_width(),
        0.01,
        "half width, to first order",
    );
}

#[test]
fn an_anchor_keeps_its_rating_and_moves_all_others() {
    let free = rate(3, &ladder());
    let anchor = Anchor {
        player: 1,
        rating: 3000.0,
    };
    let anchored = Ratings::new(3, &ladder(), &[anchor]).unwrap();
    let estimate = anchored.estimate(1).unwrap();
    assert_near(estimate.value, 3000.0, 1e-9, "anchor");
    assert_eq!(estimate.ci95.unwrap().half_width(), 0.0);
    for player in 0..3 {
        let shift = anchored.value(player) - free.value(player);
        assert_near(shift, 3000.0 - free.value(1), 1e-9, "shift");
        let [los, free_los] = [&anchored, &free].map(|it| it.los(player, 2).unwrap());
        assert_near(
            los,
            free_los,
            1e-12,
            "differences do not depend on the anchor",
        );
    }
    // The error against the anchor is that of the difference.
    let island = &free.islands()[0];
    let c = island.covariance(Errors::Clustered);
    let error = (c[0][0] + c[1][1] - 2.0 * c[0][1]).sqrt();
    let half = anchored.estimate(0).unwrap().ci95.unwrap().half_width();
    assert_near(half, 1.959_963_984_540_054 * error, 1e-9, "half width");
}

#[test]
fn anchors_that_contradict_the_games_are_met_by_least_squares() {
    let free = rate(3, &ladder());
    let anchors =
        [(0, 100.0), (1, 70.0), (2, -200.0)].map(|(player, rating)| Anchor { player, rating });
    let anchored = Ratings::new(3, &ladder(), &anchors).unwrap();
    let misses: f64 = (anchors.iter())
        .map(|it| anchored.value(it.player) - it.rating)
        .sum();
    assert_near(misses, 0.0, 1e-9, "the sum of what is missed");
    for player in 1..3 {
        let [difference, of_games] = [&anchored, &free].map(|it| it.value(0) - it.value(player));
        assert_near(
            difference,
            of_games,
            1e-9,
            "differences are those of the games",
        );
    }
}

#[test]
fn islands_are_rated_each_on_its_own_scale() {
    let [a, b, _] = ladder();
    let encounters = [
        Encounter {
            first: 4,
            second: 1,
            ..a
        },
        Encounter {
            first: 0,
            second: 3,
            ..a
        },
        Encounter {
            first: 3,
            second: 5,
            ..b
        },
    ];
    let ratings = rate(7, &encounters);
    let islands: Vec<&[usize]> = (ratings.islands().iter())
        .map(|island| &island.players[..])
        .collect();
    assert_eq!(islands, [&[0, 3, 5][..], &[1, 4], &[2], &[6]]);
    assert!(ratings.islands().iter().all(|island| !island.has_prior()));
    assert_near(
        ratings.value(1) + ratings.value(4),
        0.0,
        1e-9,
        "mean of the second island",
    );
    assert_eq!(ratings.los(0, 1), Err(Undefined::Unconnected));
    assert_eq!(ratings.los(2, 6), Err(Undefined::Unconnected));
    assert_eq!(ratings.estimate(2), Err(Undefined::NoGames));
    let alone = rate(2, &[a]);
    assert_near(
        ratings.value(4),
        alone.value(0),
        1e-9,
        "others do not matter",
    );
    assert_eq!(
        ratings.estimate(4).unwrap().ci95.unwrap().half_width(),
        alone.estimate(0).unwrap().ci95.unwrap().half_width()
    );
}

#[test]
fn an_anchor_moves_its_own_island_only() {
    let [a, ..] = ladder();
    let encounters = [
        a,
        Encounter {
            first: 2,
            second: 3,
            ..a
        },
    ];
    let anchor = Anchor {
        player: 2,
        rating: 2500.0,
    };
    let ratings = Ratings::new(4, &encounters, &[anchor]).unwrap();
    assert_near(
        ratings.value(0) + ratings.value(1),
        0.0,
        1e-9,
        "no anchor there",
    );
    assert_near(ratings.value(2), 2500.0, 1e-9, "the anchor");
}

#[test]
fn a_perfect_score_needs_a_prior_and_says_so() {
    // Players 0 and 1 are even, 2 loses everything, 3 wins everything.
    let encounters = [
        met(0, 1, [2, 20, 50, 20, 2]),
        met(2, 0, [30, 0, 0, 0, 0]),
        met(1, 2, [0, 0, 0, 0, 30]),
        met(3, 0, [0, 0, 0, 0, 10]),
        met(3, 1, [0, 0, 0, 0, 10]),
    ];
    let ratings = rate(4, &encounters);
    let [island] = ratings.islands() else {
        panic!("one island")
    };
    assert!(island.has_prior());
    let classes: Vec<(&[usize], bool, bool)> = (island.classes.iter())
        .map(|class| (&class.players[..], class.is_unbeaten, class.is_pointless))
        .collect();
    let wanted: [(&[usize], bool, bool); 3] = [
        (&[3], true, false),
        (&[0, 1], false, false),
        (&[2], false, true),
    ];
    assert_eq!(classes, wanted);
    assert!(300.0 < ratings.value(3) && ratings.value(2) < -300.0);
    // What all the points say is vague, and what was spread is as sharp as without the others.
    let half =
        |ratings: &Ratings, player| ratings.estimate(player).unwrap().ci95.unwrap().half_width();
    assert!(200.0 < half(&ratings, 3), "{}", half(&ratings, 3));
    let alone = rate(2, &encounters[..1]);
    assert_eq!(alone.los(0, 1), Ok(0.5));
    assert_near(ratings.los(0, 1).unwrap(), 0.5, 1e-9, "even");
    let anchor = Anchor {
        player: 1,
        rating: 0.0,
    };
    let [all, alone] = [(4, &encounters[..]), (2, &encounters[..1])]
        .map(|(players, met)| Ratings::new(players, met, &[anchor]).unwrap());
    let [with, without] = [half(&all, 0), half(&alone, 0)];
    assert!((0.8..1.02).contains(&(with / without)), "{with} {without}");
}

#[test]
fn everything_won_by_black_is_no_perfect_score() {
    // Four players, each of whom beats every other with Black and loses with White.
    let encounters: Vec<Encounter> = (0..4)
        .flat_map(|first| (first + 1..4).map(move |second| played(first, second, [1, 0, 1])))
        .collect();
    let ratings = rate(4, &encounters);
    for player in 0..4 {
        assert_eq!(ratings.value(player), 0.0);
    }
}

#[test]
fn results_without_spread_have_no_interval() {
    let ratings = rate(2, &[met(0, 1, [0, 0, 9, 0, 0])]);
    let estimate = ratings.estimate(0).unwrap();
    assert_eq!(
        (estimate.value, estimate.ci95),
        (0.0, Err(Undefined::NoSpread))
    );
    assert_eq!(ratings.los(0, 1), Ok(0.5));
    let ratings = rate(2, &[met(0, 1, [0, 0, 0, 9, 0])]);
    assert_near(
        ratings.value(0) - ratings.value(1),
        190.848,
        1e-3,
        "three quarters",
    );
    assert_eq!(ratings.los(0, 1), Err(Undefined::NoSpread));
}

#[test]
fn nobody_has_ratings_without_games() {
    assert!(rate(0, &[]).islands().is_empty());
    assert_eq!(rate(1, &[]).estimate(0), Err(Undefined::NoGames));
    let ratings = rate(2, &[met(0, 1, [0; 5])]);
    assert_eq!(ratings.islands().len(), 2);
}

#[test]
fn pairs_make_errors_smaller_than_the_same_games_alone() {
    // Sixty openings that White wins: as pairs they are all even, as games all decisive.
    let pairs = rate(2, &[met(0, 1, [1, 4, 50, 4, 1])]);
    let games = rate(2, &[played(0, 1, [58, 4, 58])]);
    let half = |ratings: &Ratings| ratings.estimate(0).unwrap().ci95.unwrap().half_width();
    assert!(half(&pairs) < half(&games) / 2.0);
}

#[test]
fn a_long_chain_and_a_huge_distance_are_solved() {
    let chain: Vec<Encounter> = (0..299)
        .map(|i| met(i, i + 1, [5, 40, 100, 55, 8]))
        .collect();
    let ratings = rate(300, &chain);
    let step = Results::from(chain[0].pairs).elo().unwrap().value;
    assert_near(
        ratings.value(0) - ratings.value(299),
        299.0 * step,
        1e-6,
        "chain",
    );

    // One draw in a million games.
    let ratings = rate(2, &[played(0, 1, [999_999, 1, 0])]);
    let wanted = 400.0 * (999_999.5_f64 / 0.5).log10();
    assert_near(
        ratings.value(0) - ratings.value(1),
        wanted,
        1e-6,
        "distance",
    );
}

#[test]
fn too_many_players_are_refused() {
    let chain: Vec<Encounter> = (0..PLAYERS_MAX)
        .map(|i| played(i, i + 1, [1, 0, 1]))
        .collect();
    let found = PLAYERS_MAX + 1;
    let refused = Ratings::new(found, &chain, &[]).unwrap_err();
    assert_eq!(refused, RatingError::TooManyPlayers { found });
    assert_eq!(
        refused.to_string(),
        "5001 players are linked by games: at most 5000 can be rated together"
    );
}

/// SplitMix64 (Steele, Lea and Flood 2014).
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn intervals_hold_the_truth_in_95_percent_of_tournaments() {
    // Six players, 100 pairs for each two of them, half of the pairs decisive; 1000 tournaments.
    // The bounds on the 6000 intervals are about five standard errors away.
    const TRUTH: [f64; 6] = [50.0, 25.0, 5.0, -10.0, -20.0, -50.0];
    let mut state = 1;
    let (mut held, mut held_by_anchor, mut all) = (0, 0, 0);
    for _ in 0..1000 {
        let mut encounters = Vec::new();
        for (first, mine) in TRUTH.iter().enumerate() {
            for (second, theirs) in TRUTH.iter().enumerate().skip(first + 1) {
                let surplus = 2.0 * score_of_elo(mine - theirs) - 1.0;
                let mut pairs = Pentanomial::default();
                for _ in 0..100 {
                    let u = uniform(&mut state);
                    // P(1½) − P(½) = 2 · surplus, so that the mean is right.
                    pairs.count(if u < 0.5 {
                        2
                    } else if u < 0.75 + surplus {
                        3
                    } else {
                        1
                    });
                }
                encounters.push(met(first, second, pairs.0));
            }
        }
        let free = rate(6, &encounters);
        let anchor = Anchor {
            player: 2,
            rating: TRUTH[2],
        };
        let anchored = Ratings::new(6, &encounters, &[anchor]).unwrap();
        for (player, truth) in TRUTH.into_iter().enumerate() {
            let holds = |ratings: &Ratings| {
                let interval = ratings.estimate(player).unwrap().ci95.unwrap();
                usize::from(interval.contains(truth))
            };
            held += holds(&free);
            if player != 2 {
                held_by_anchor += holds(&anchored);
            }
            all += 1;
        }
    }
    let coverage = held as f64 / f64::from(all);
    assert!((0.935..0.965).contains(&coverage), "{coverage}");
    let coverage = held_by_anchor as f64 / (f64::from(all) * 5.0 / 6.0);
    assert!((0.93..0.97).contains(&coverage), "{coverage}");
}

fn tournaments() -> impl Strategy<Value = (usize, Vec<Encounter>)> {
    (2_usize..7).prop_flat_map(|players| {
        let someone = (0..players, 1..players);
        let encounter = (
            someone,
            prop::array::uniform5(0_u64..9),
            prop::array::uniform3(0_u64..4),
        );
        let encounter = encounter.prop_map(move |((first, distance), pairs, games)| Encounter {
            pairs: Pentanomial(pairs),
            ..played(first, (first + distance) % players, games)
        });
        (Just(players), prop::collection::vec(encounter, 1..12))
    })
}

proptest! {
    #[test]
    fn points_scored_are_points_expected((players, encounters) in tournaments()) {
        let ratings = rate(players, &encounters);
        for island in ratings.islands() {
            for &player in &island.players {
                // The virtual games count where there are any; they are against rating 0.
                let prior = if island.has_prior() { PRIOR_DRAWS } else { 0.0 };
                let mut surplus = prior * (0.5 - score_of_elo(ratings.value(player)));
                for it in &encounters {
                    let difference = ratings.value(it.first) - ratings.value(it.second);
                    let over = it.points() - it.played() as f64 * score_of_elo(difference);
                    if it.first == player {
                        surplus += over;
                    } else if it.second == player {
                        surplus -= over;
                    }
                }
                prop_assert!(surplus.abs() < 1e-6, "{} {}", player, surplus);
            }
        }
    }

    #[test]
    fn everything_is_finite_and_names_do_not_matter((players, encounters) in tournaments()) {
        let ratings = rate(players, &encounters);
        // The same with the players numbered backwards and every encounter told by the other side.
        let mirrored: Vec<Encounter> = encounters.iter().map(|it| Encounter {
            first: players - 1 - it.second,
            second: players - 1 - it.first,
            pairs: it.pairs.reversed(),
            games: it.games.reversed(),
        }).collect();
        let mirrored = rate(players, &mirrored);
        for player in 0..players {
            let other = players - 1 - player;
            prop_assert!((ratings.value(player) - mirrored.value(other)).abs() < 1e-5);
            if let Ok(estimate) = ratings.estimate(player) {
                prop_assert!(estimate.value.is_finite());
                let Ok(interval) = estimate.ci95 else { continue };
                prop_assert!(interval.low.is_finite() && interval.contains(estimate.value));
            }
            for opponent in 0..players {
                let (Ok(los), Ok(reverse)) = (ratings.los(player, opponent), ratings.los(opponent, player)) else {
                    continue;
                };
                prop_assert!((los + reverse - 1.0).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn few_results_make_errors_larger_by_students_law() {
    let factor = |results| stats::few_results_factor(results).unwrap();
    assert_near(
        factor(10.0),
        2.262_157 / 1.959_964 * (10.0_f64 / 9.0).sqrt(),
        1e-5,
        "ten",
    );
    assert_near(factor(30.0), 1.061, 1e-3, "thirty");
    assert_near(factor(1e6), 1.0, 1e-4, "many");
    assert_eq!(stats::few_results_factor(1.0), None);
}
