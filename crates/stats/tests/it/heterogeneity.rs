//! Workers that differ from the others.

use proptest::prelude::*;
use serde_json::Value;
use stats::{
    Faulty, Heterogeneity, PairTests, Pentanomial, WorkerTally, benjamini_hochberg, fault_excess,
    residuals,
};

use crate::shared::{assert_near, number, vectors};

fn counts(value: &Value) -> Pentanomial {
    let counts: Vec<u64> = (value.as_array().unwrap().iter())
        .map(|count| count.as_u64().unwrap())
        .collect();
    Pentanomial(counts.try_into().unwrap())
}

fn worker(pairs: [u64; 5]) -> WorkerTally {
    let pairs = Pentanomial(pairs);
    WorkerTally {
        pairs,
        games: pairs.games(),
        ..WorkerTally::default()
    }
}

#[test]
fn workers_are_tested_as_in_the_vectors() {
    for case in vectors("worker_test") {
        let inputs = &case["inputs"];
        assert_eq!(inputs["min_pairs"], stats::FLAGGED_PAIRS_MIN);
        let workers: Vec<WorkerTally> = (inputs["table"].as_array().unwrap().iter())
            .map(|row| worker(counts(row).0))
            .collect();
        let found = Heterogeneity::of(&workers, number(&inputs["q"]));
        let exact = &case["exact"];
        let tolerance = number(&case["tol_abs"]);
        for (index, finding) in found.workers.iter().enumerate() {
            let PairTests {
                z,
                p_mean,
                p_shape,
                p,
                ..
            } = finding.pairs.unwrap();
            for (name, value) in [
                ("z", z),
                ("p_mean", p_mean),
                ("p_shape", p_shape),
                ("p_combined", p),
            ] {
                let what = format!("{} {name} of {index}", case["name"]);
                assert_near(value, number(&exact[name][index]), tolerance, what);
            }
        }
        let flagged: Vec<usize> = (0..workers.len())
            .filter(|&index| found.workers[index].flags.any())
            .collect();
        assert_eq!(Value::from(flagged), exact["flagged"], "{}", case["name"]);
    }
}

#[test]
fn residuals_are_those_of_fishtest() {
    for case in vectors("get_chi2") {
        let mut names: Vec<&str> = Vec::new();
        let mut rows: Vec<[u64; 3]> = Vec::new();
        for task in case["inputs"]["tasks"].as_array().unwrap() {
            let Pentanomial([ll, ld, even, wd, ww]) = counts(&task["pentanomial"]);
            let name = task["worker"].as_str().unwrap();
            let index = names
                .iter()
                .position(|known| *known == name)
                .unwrap_or_else(|| {
                    names.push(name);
                    rows.push([0; 3]);
                    rows.len() - 1
                });
            for (sum, count) in rows[index].iter_mut().zip([wd + ww, ll + ld, even]) {
                *sum += count;
            }
        }
        let wanted = &case["reference"];
        let Some(found) = residuals(&rows) else {
            assert_eq!(wanted["chi2"], Value::Null, "{}", case["name"]);
            continue;
        };
        assert_eq!(found.dof, wanted["dof"], "{}", case["name"]);
        let tolerance = number(&case["tol_abs"]);
        let near = |found: f64, wanted: &Value, what: &str| {
            let what = format!("{} {what}", case["name"]);
            assert_near(found, number(wanted), tolerance, what);
        };
        near(found.chi2, &wanted["chi2"], "chi2");
        near(found.p, &wanted["p"], "p");
        near(found.z_95, &wanted["z_95"], "z_95");
        near(found.z_99, &wanted["z_99"], "z_99");
        let mut bad: Vec<&str> = Vec::new();
        let worst = found.residual.iter().flatten().copied().fold(0.0, f64::max);
        if found.p < 0.001 || worst > 7.0 {
            let is_worst = |index: &usize| found.residual[*index] == Some(worst);
            bad.extend((0..names.len()).filter(is_worst).map(|index| names[index]));
        }
        assert_eq!(Value::from(bad), case["bad_workers"], "{}", case["name"]);
        for (name, residual) in names.iter().zip(found.residual) {
            match (residual, &wanted["residual"][name]) {
                (None, Value::Null) => {}
                (Some(residual), wanted) => near(residual, wanted, name),
                (None, wanted) => panic!("{} {name}: none instead of {wanted}", case["name"]),
            }
        }
    }
}

#[test]
fn discoveries_are_those_of_the_paper() {
    // Benjamini and Hochberg 1995, 4.1: fifteen tests, of which the first four are rejected.
    let p_values = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0000,
    ];
    let rejected = benjamini_hochberg(&p_values.map(Some), 0.05);
    assert_eq!(rejected.iter().filter(|&&it| it).count(), 4);
    assert!(rejected[..4].iter().all(|&it| it));
    assert!(benjamini_hochberg(&[], 0.05).is_empty());
    assert_eq!(
        benjamini_hochberg(&[None, Some(0.01), None], 0.05),
        [false, true, false]
    );
}

#[test]
fn the_excess_of_faults_is_a_binomial_tail() {
    let excess = |worker: [u64; 2], rest: [u64; 2]| {
        let [worker, rest] = [worker, rest].map(|[faults, games]| Faulty { faults, games });
        fault_excess(worker, rest)
    };
    // Half of the games and 3 of 4 faults: (4 + 1) / 16.
    assert_near(excess([3, 100], [1, 100]), 5.0 / 16.0, 1e-14, "3 of 4");
    assert_near(
        excess([4, 100], [0, 300]),
        0.25_f64.powi(4),
        1e-15,
        "4 of 4",
    );
    assert_eq!(excess([0, 100], [7, 100]), 1.0);
    assert_eq!(excess([0, 0], [0, 0]), 1.0);
    // Half a million of a million, either side of the middle term √(2 / (π 10⁶)).
    let upper = excess([500_000, 1], [500_000, 1]);
    assert_near(
        upper,
        0.5 + 0.5 * (2.0 / (std::f64::consts::PI * 1e6)).sqrt(),
        1e-9,
        "a million",
    );
    assert_near(
        excess([500_001, 1], [499_999, 1]),
        1.0 - upper,
        1e-9,
        "a million",
    );
}

#[test]
fn a_worker_that_loses_on_time_is_found_by_the_count_alone() {
    let pairs = [2, 120, 255, 121, 2];
    let mut workers = [WorkerTally {
        time_losses: 1,
        ..worker(pairs)
    }; 8];
    workers[3].time_losses = 20;
    workers[5].crashes = 9;
    let found = Heterogeneity::of(&workers, 0.01);
    for (index, finding) in found.workers.iter().enumerate() {
        assert!(!finding.flags.pairs, "{index}");
        assert_eq!(finding.flags.time_losses, index == 3, "{index}");
        assert_eq!(finding.flags.crashes, index == 5, "{index}");
    }
}

/// I10 of the cases: one loss in one game is no rate.
#[test]
fn few_games_are_never_flagged_for_their_faults() {
    let honest = [2, 120, 255, 121, 2];
    for (pairs, is_flagged) in [(31, false), (32, true)] {
        let faulty = WorkerTally {
            time_losses: 2 * pairs,
            ..worker([pairs, 0, 0, 0, 0])
        };
        let found = Heterogeneity::of(&[worker(honest), worker(honest), faulty], 0.01);
        assert!(found.workers[2].time_losses.unwrap() < 1e-10);
        assert_eq!(found.workers[2].flags.time_losses, is_flagged, "{pairs}");
    }
}

#[test]
fn a_mean_alone_is_nothing_to_act_by() {
    let (honest, shifted) = ([20, 220, 520, 220, 20], [5, 140, 520, 300, 35]);
    let found = Heterogeneity::of(&[worker(honest), worker(honest), worker(shifted)], 0.01);
    let flags = found.workers[2].flags;
    assert!(flags.pairs && !flags.may_act(), "{flags:?}");
    let decisive = [50, 260, 380, 260, 50];
    let found = Heterogeneity::of(&[worker(honest), worker(honest), worker(decisive)], 0.01);
    let flags = found.workers[2].flags;
    assert!(flags.shape && flags.may_act(), "{flags:?}");
}

#[test]
fn few_pairs_are_never_flagged() {
    let workers = [worker([2, 120, 255, 121, 2]), worker([31, 0, 0, 0, 0])];
    let found = Heterogeneity::of(&workers, 0.01);
    assert!(found.workers[1].pairs.unwrap().p < 1e-10);
    assert!(!found.workers[1].flags.any());
    let workers = [worker([2, 120, 255, 121, 2]), worker([32, 0, 0, 0, 0])];
    assert!(Heterogeneity::of(&workers, 0.01).workers[1].flags.pairs);
}

#[test]
fn a_patch_that_suits_one_platform_flags_nobody() {
    let on = |platform, pairs| WorkerTally {
        platform,
        ..worker(pairs)
    };
    let (better, worse) = ([2, 220, 500, 276, 2], [2, 276, 500, 220, 2]);
    let workers: Vec<WorkerTally> = (0..4)
        .map(|index| {
            if index % 2 == 0 {
                on(0, better)
            } else {
                on(1, worse)
            }
        })
        .collect();
    let found = Heterogeneity::of(&workers, 0.05);
    assert!(found.workers.iter().all(|finding| !finding.flags.any()));
    assert_near(found.within_platforms.unwrap().q, 0.0, 1e-12, "within");
    let between = found.between_platforms.unwrap();
    assert_eq!(between.dof, 1);
    assert!(between.p < 0.01, "{between:?}");
    assert!(4.0 < found.overall.unwrap().phi);

    let one_platform: Vec<WorkerTally> = (workers.iter())
        .map(|tally| WorkerTally {
            platform: 7,
            ..*tally
        })
        .collect();
    let found = Heterogeneity::of(&one_platform, 0.05);
    assert!(found.workers.iter().all(|finding| finding.flags.pairs));
    assert_eq!(found.between_platforms, None);
}

#[test]
fn overdispersion_is_cochrans_test_by_hand() {
    // Means 0.55 and 0.45 of 100 pairs each, all pairs at 0.25 or 0.75.
    let workers = [worker([0, 40, 0, 60, 0]), worker([0, 60, 0, 40, 0])];
    let overall = Heterogeneity::of(&workers, 0.05).overall.unwrap();
    // Variance within: 200 · 0.25 · 0.24 / 198; Q = 2 · 100 · 0.05² / variance.
    let q = 2.0 * 100.0 * 0.0025 / (200.0 * 0.25 * 0.24 / 198.0);
    assert_near(overall.q, q, 1e-12, "q");
    assert_near(overall.phi, q, 1e-12, "phi");
    assert_eq!(overall.dof, 1);
    // Reference page on statistics, 6.1.
    let inflated = stats::Overdispersion {
        phi: 1.33,
        ..overall
    };
    assert_near(inflated.error_rate(0.05), 0.098, 1e-3, "error rate");
    let inflated = stats::Overdispersion {
        phi: 1.08,
        ..overall
    };
    assert_near(inflated.error_rate(0.05), 0.062, 1e-3, "error rate");
}

#[test]
fn a_lone_worker_has_nothing_to_be_compared_with() {
    let found = Heterogeneity::of(&[worker([1, 2, 3, 4, 5])], 0.05);
    let finding = found.workers[0];
    assert_eq!(finding.pairs, None);
    assert_eq!(finding.time_losses, None);
    assert!(!finding.flags.any());
    assert_eq!((found.overall, found.within_platforms), (None, None));
    assert!(Heterogeneity::of(&[], 0.05).workers.is_empty());
}

/// Pairs drawn from a law by a generator of its own, from a seed.
struct Draw(u64);

impl Draw {
    /// SplitMix64 (Steele, Lea and Flood 2014).
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The half points that the first engine scores in a game, White winning half of them.
    fn game(&mut self, has_white: bool, time_losses: f64) -> usize {
        let u = self.uniform();
        let of_white = usize::from(u < 0.99) + usize::from(u < 0.5);
        if self.uniform() < time_losses {
            return if self.uniform() < 0.5 { 0 } else { 2 };
        }
        if has_white { of_white } else { 2 - of_white }
    }

    /// `count` pairs of equal engines, either of which loses so many games on time.
    fn worker(&mut self, count: usize, time_losses: f64) -> WorkerTally {
        let mut pairs = Pentanomial::default();
        for _ in 0..count {
            pairs.count(self.game(true, time_losses) + self.game(false, time_losses));
        }
        worker(pairs.0)
    }
}

#[test]
fn time_losses_are_caught_and_honest_workers_left_alone() {
    // Reference page on statistics, 6.3: of 30 workers with 1000 pairs each the one that loses 4 % of
    // its games on time is found in 78 % of tests at q = 0.01 (here in 76 %), and
    // without it at most 1 % of tests have a false alarm. The bounds are four standard errors of 300
    // tests away.
    const TESTS: usize = 300;
    let mut draw = Draw(6);
    let (mut caught, mut alarms) = (0, 0);
    for _ in 0..TESTS {
        let mut workers: Vec<WorkerTally> = (0..29).map(|_| draw.worker(1000, 0.0)).collect();
        workers.push(draw.worker(1000, 0.04));
        let found = Heterogeneity::of(&workers, 0.01);
        caught += usize::from(found.workers[29].flags.pairs);
        workers[29] = draw.worker(1000, 0.0);
        let found = Heterogeneity::of(&workers, 0.01);
        alarms += usize::from(found.workers.iter().any(|finding| finding.flags.pairs));
    }
    assert!(
        (68..88).contains(&(100 * caught / TESTS)),
        "caught in {caught} of {TESTS} tests"
    );
    assert!(
        100 * alarms / TESTS <= 3,
        "false alarms in {alarms} of {TESTS} tests"
    );
}

proptest! {
    #[test]
    fn p_values_are_probabilities(
        table in prop::collection::vec(prop::array::uniform5(0_u64..60), 2..6),
        faults in prop::collection::vec(0_u64..5, 6),
    ) {
        let workers: Vec<WorkerTally> = table.iter().zip(&faults)
            .map(|(&pairs, &faults)| WorkerTally { time_losses: faults, crashes: 4 - faults, ..worker(pairs) })
            .collect();
        let found = Heterogeneity::of(&workers, 0.05);
        for finding in &found.workers {
            let tests = finding.pairs.map_or(vec![], |it| vec![it.p_mean, it.p_shape, it.p]);
            for p in tests.into_iter().chain(finding.time_losses).chain(finding.crashes) {
                prop_assert!((0.0..=1.0).contains(&p), "{:?}", finding);
            }
            prop_assert!(finding.pairs.is_none_or(|it| it.z.is_finite()));
        }
        if let Some(overall) = found.overall {
            prop_assert!(1.0 <= overall.phi && overall.phi.is_finite());
        }
    }

    #[test]
    fn what_varies_overall_varies_within_or_between_platforms(
        table in prop::collection::vec((0_u32..3, prop::array::uniform5(1_u64..60)), 4..9),
    ) {
        let workers: Vec<WorkerTally> = table.iter()
            .map(|&(platform, pairs)| WorkerTally { platform, ..worker(pairs) })
            .collect();
        let found = Heterogeneity::of(&workers, 0.05);
        let q = |part: Option<stats::Overdispersion>| part.map_or(0.0, |part| part.q);
        let sum = q(found.within_platforms) + q(found.between_platforms);
        prop_assert!((q(found.overall) - sum).abs() < 1e-9 * (1.0 + sum));
    }
}
