//! `arbiter plan`.

use serde_json::Value;

use crate::bench::{Bench, assert_shown};

fn plan(words: &str) -> Value {
    let done = Bench::new().run(&format!("plan {words} --json")).expect(0);
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error} in {done:#?}"))
}

#[test]
fn the_table_says_how_long_a_test_takes() {
    let lines = [
        "plan --sprt 'elo0=0 elo1=2' --simulate 0",
        "plan --sprt 'elo0=0 elo1=10 rule=wald' --law 39,8843,26675,9240,44 --simulate 0 --pairs-per-hour 2000",
        "plan --sprt 'elo0=0 elo1=10 model=logistic preset=deadline alpha=0.01' --law weak --simulate 500",
    ];
    assert_shown("plan", &Bench::new().transcript(&lines));
}

/// Theory and dice must agree within the error that is printed, enlarged to where one run in ten
/// thousand would miss.
#[track_caller]
fn agrees(words: &str) {
    let plan = plan(&format!("{words} --simulate 1000"));
    let simulation = &plan["simulation"];
    let agrees = |name: &str, measured: &Value, expected: f64| {
        let number = |value: &Value| value.as_f64().unwrap();
        let error = (number(&measured["ci95"][1]) - number(&measured["ci95"][0])) / 2.0;
        // Near 0 and 1 nothing may have missed in all tests.
        let error = error.max(0.001);
        let off = (number(&measured["value"]) - expected).abs();
        assert!(
            off < 2.0 * error,
            "{words}: {name} is {measured}, expected {expected}"
        );
    };
    for simulated in simulation["table"].as_array().unwrap() {
        let elo = &simulated["elo"];
        let rows = plan["table"].as_array().unwrap();
        let row = rows.iter().find(|row| row["elo"] == *elo).unwrap();
        agrees("pass", &simulated["pass"], row["pass"].as_f64().unwrap());
        agrees(
            "pairs",
            &simulated["pairs"],
            row["pairs"]["mean"].as_f64().unwrap(),
        );
    }
    agrees(
        "alpha",
        &simulation["alpha"],
        plan["alpha"].as_f64().unwrap(),
    );
    agrees("beta", &simulation["beta"], plan["beta"].as_f64().unwrap());
}

#[test]
fn the_plan_agrees_with_tests_that_are_played() {
    agrees("--sprt 'elo0=0 elo1=10' --law uho");
    agrees("--sprt 'elo0=0 elo1=10 rule=wald' --law balanced");
    agrees("--sprt 'elo0=-10 elo1=5 alpha=0.01 beta=0.1 preset=gain' --law weak");
}

#[test]
fn the_same_seed_throws_the_same_dice() {
    let words = "--sprt 'elo0=0 elo1=20' --simulate 50 --seed";
    assert_eq!(plan(&format!("{words} 7")), plan(&format!("{words} 7")));
    assert_ne!(plan(&format!("{words} 7")), plan(&format!("{words} 8")));
}

#[test]
fn a_test_that_is_too_long_to_be_played_with_dice_is_not() {
    assert_eq!(plan("--sprt 'elo0=0 elo1=0.01'")["simulation"], Value::Null);
}

#[test]
fn a_pipeline_is_compared_with_one_that_rejects_sooner() {
    let lines = [
        "plan pipeline --short 'elo0=0 elo1=2 rule=wald' --long 'elo0=0.5 elo1=2.5 rule=wald'",
        "plan pipeline --prior -0.3,0.8 --scaling 0.5 --pairs-per-hour 20000",
    ];
    assert_shown("plan-pipeline", &Bench::new().transcript(&lines));
}

/// The published comparison of a pipeline of constant bounds with one of which the short test has a
/// larger beta: how many games, and how much Elo for them.
#[test]
fn the_gain_of_rejecting_sooner_is_the_published_one() {
    let tests = "--short 'elo0=0 elo1=2 rule=wald' --long 'elo0=0.5 elo1=2.5 rule=wald'";
    for (prior, scaling, [games, tenth, efficiency]) in [
        ("-0.5,1.2", 0.4, [145_600.0, 0.844, 1.107]),
        ("-0.5,1.2", 0.8, [139_000.0, 0.842, 1.102]),
        ("-0.3,0.8", 0.5, [126_100.0, 0.822, 1.101]),
        ("0,3", 1.0, [201_800.0, 0.910, 1.081]),
    ] {
        let plan = plan(&format!(
            "pipeline {tests} --prior {prior} --scaling {scaling}"
        ));
        let [asked, sooner] = [0, 1].map(|i| &plan["table"][i]);
        assert_eq!(sooner["name"], "short beta 0.1");
        let near = |value: &Value, expected: f64, tolerance: f64| {
            let off = value.as_f64().unwrap() / expected - 1.0;
            assert!(off.abs() < tolerance, "{value} instead of {expected}");
        };
        near(&asked["cost"], games, 0.005);
        near(&sooner["relative_cost"], tenth, 0.005);
        near(&sooner["relative_elo_per_cost"], efficiency, 0.01);
    }
}

#[test]
fn plans_are_drawn_as_they_were_drawn_before() {
    let bench = Bench::new();
    bench
        .run("plan --sprt 'elo0=0 elo1=2' --simulate 0 --svg plan.svg --pairs-per-hour 5000")
        .expect(0);
    bench.run("plan pipeline --svg pipeline.svg").expect(0);
    for name in ["plan.svg", "pipeline.svg"] {
        let svg = bench.read(name);
        assert!(
            svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
            "{svg}"
        );
        assert_eq!(
            svg.matches("<polyline").count(),
            if name == "plan.svg" { 4 } else { 3 }
        );
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

#[test]
fn mistakes_say_what_is_allowed() {
    let bench = Bench::new();
    let lines = [
        "plan",
        "plan --sprt elo0=0",
        "plan --sprt 'elo0=2 elo1=0'",
        "plan --sprt 'elo0=0 elo1=2' --law oho",
        "plan --sprt 'elo0=0 elo1=2' --law 0,0,0,0,0",
        "plan --sprt 'elo0=0 elo1=2 model=bayesian'",
        "plan --sprt 'elo0=0 elo1=3000' --law uho",
        "plan --sprt 'elo0=0 elo1=2 alpha=0.0001 beta=0.05 preset=gain' --pairs-per-hour -5",
        "plan --sprt 'elo0=0 elo1=2' --pairs-per-look 0",
        "plan --sprt 'elo0=0 elo1=2' --pairs-per-hour 1e-300",
        "plan --sprt 'elo0=0 elo1=2' --simulate -1",
        "plan --sprt 'elo0=0 elo1=2' --simulate 1",
        "plan --sprt 'elo0=0 elo1=1e308'",
        "plan --sprt 'ELO0=0 elo1=2'",
        "plan --sprt 'elo0=0 elo1=200' --simulate 2 --svg absent/plan.svg",
        "plan pipeline --short 'elo0=0 elo1=2 model=logistic'",
        "plan pipeline --prior 1",
        "plan pipeline --scaling -1",
        "stats",
        "stats --pentanomial 1,2,3",
        "stats --pentanomial 1,2,3,4,-5",
        "stats --wdl 1,2,3,4",
        "stats --wdl -1,2,3",
        "stats --wdl 1,2,3 --pentanomial 1,2,3,4,5",
        "stats --pentanomial 1,2,3,4,5 --sprt 'elo0=0 elo1=5 model=bayesian'",
        "stats --pentanomial 1,2,3,4,5 --sprt 'elo0=0 elo1=5 rule=curvy'",
        "stats --pentanomial 1,2,3,4,5 --engine new",
        "stats --wdl 1,2,3 --by-opening",
    ];
    assert_shown("errors-stats-and-plan", &bench.transcript(&lines));
    assert_eq!(bench.files(), [""; 0], "nothing was written");
}
