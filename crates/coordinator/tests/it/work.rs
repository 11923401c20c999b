//! Leases and results, on every store.

use fleet_api::{
    Action, ActionRequest, Directive, Failure, Grant, Heartbeat, HeartbeatAnswer, Life, PairReport,
    PairStatus, Report, ReportAnswer, Returned, routes,
};

use crate::house::{House, Visitor, first_is_mated, pairs, whites_crash};

/// Each is a test on SQLite; on PostgreSQL they share a server, see `postgres.rs`.
macro_rules! scenarios {
    ($($name:ident),* $(,)?) => {
        mod on_sqlite {
            use crate::house::House;

            $(#[test]
            fn $name() {
                super::$name(House::new());
            })*
        }

        pub(crate) const SCENARIOS: &[(&str, fn(House))] = &[$((stringify!($name), $name)),*];
    };
}

scenarios!(
    a_test_is_lent_reported_and_finished_with_exactly_its_pairs,
    what_is_sent_again_or_by_somebody_thought_dead_changes_nothing,
    a_pair_that_is_given_back_is_lent_again_first,
    the_end_of_a_lease_is_told_apart_from_that_of_its_test,
    a_worker_that_had_trouble_with_a_test_is_given_another_one,
    a_host_that_counts_other_nodes_gets_no_more_and_two_of_them_stop_the_test,
    a_failure_that_a_test_cannot_have_is_not_believed,
    a_host_that_agreed_keeps_the_test_going,
    a_test_that_two_hosts_cannot_build_is_paused_and_can_go_on,
    a_test_is_lent_only_to_machines_that_can_play_it,
    a_speed_is_said_once_for_a_lease_and_times_follow_it,
    what_cannot_be_true_is_refused_pair_by_pair,
    what_comes_after_the_end_is_kept_apart,
    nothing_is_forgotten_when_the_coordinator_is_started_again,
    a_copy_of_a_worker_is_told_from_its_next_life,
);

pub(crate) use scenarios;

/// `worker` claims and reports, until it has reported `pairs` pairs or there is nothing more to claim.
pub(crate) fn play(visitor: &Visitor, worker: &str, pairs: u64) {
    play_so(visitor, worker, pairs, whites_crash);
}

/// The same with pairs that end so.
pub(crate) fn play_so(
    visitor: &Visitor,
    worker: &str,
    pairs: u64,
    how: impl Fn(u64) -> PairReport,
) -> Vec<u64> {
    let mut played = Vec::new();
    while (played.len() as u64) < pairs {
        let claim = format!("{worker}-{}-{pairs}", played.len());
        let Some(grant) = visitor.claim(worker, &claim) else {
            break;
        };
        let left = pairs - played.len() as u64;
        let end = grant.first_pair + grant.pairs.min(left);
        let range: Vec<u64> = (grant.first_pair..end).collect();
        visitor.report_all(&grant.lease, range.iter().copied().map(&how).collect());
        played.extend(range);
        if end < grant.first_pair + grant.pairs {
            let back = Returned::default();
            let said = visitor.post(&routes::give_back(&grant.lease), &back);
            assert_eq!(said.status, 200);
        }
    }
    played
}

fn statuses(answer: &ReportAnswer) -> Vec<PairStatus> {
    answer.pairs.iter().map(|pair| pair.status).collect()
}

#[track_caller]
fn claimed(visitor: &Visitor, worker: &str, claim: &str) -> Grant {
    visitor.claim(worker, claim).expect("there is work")
}

fn heartbeat(visitor: &Visitor, lease: &str) -> Directive {
    beat(visitor, lease).directive
}

fn beat(visitor: &Visitor, lease: &str) -> HeartbeatAnswer {
    let answer = visitor.post(
        &routes::heartbeat(lease),
        &Heartbeat {
            plies: 1,
            spool: Some(3),
        },
    );
    answer.json()
}

fn a_test_is_lent_reported_and_finished_with_exactly_its_pairs(house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(3));
    assert_eq!(admin.show(&test)["state"], "queued");
    let mut played = Vec::new();
    for claim in 0.. {
        let Some(grant) = admin.claim("w", &claim.to_string()) else {
            break;
        };
        assert_eq!(grant.test, test);
        let range: Vec<u64> = (grant.first_pair..grant.first_pair + grant.pairs).collect();
        let answer = admin.report(&grant.lease, &range);
        assert!(
            statuses(&answer)
                .iter()
                .all(|status| *status == PairStatus::Counted)
        );
        played.extend(range);
    }
    assert_eq!(played, [0, 1, 2]);
    let shown = admin.show(&test);
    assert_eq!(shown["state"], "finished");
    assert_eq!(shown["games"], 6);
    assert_eq!(shown["pentanomial"], serde_json::json!([0, 0, 3, 0, 0]));
    assert_eq!(shown["terminations"]["crash"], 6);
    assert_eq!(shown["engines"][0]["crashes"], 3);
    let pgn = admin.get(&routes::games(&test)).body;
    assert_eq!(pgn.matches("[Termination \"crash\"]").count(), 6);
    assert_eq!(admin.get(&routes::games("x")).status, 404);
}

fn what_is_sent_again_or_by_somebody_thought_dead_changes_nothing(house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(2));
    let first = claimed(&admin, "w", "a");
    assert_eq!(
        claimed(&admin, "w", "a"),
        first,
        "the same claim is the same lease"
    );
    // Another claim: the worker has forgotten the first, and gets the same pairs again.
    let second = claimed(&admin, "w", "b");
    assert_ne!(second.lease, first.lease);
    assert_eq!(second.first_pair, first.first_pair);
    let zero = [second.first_pair];
    assert_eq!(
        statuses(&admin.report(&first.lease, &zero)),
        [PairStatus::Counted]
    );
    assert_eq!(
        statuses(&admin.report(&second.lease, &zero)),
        [PairStatus::Known]
    );
    assert_eq!(
        statuses(&admin.report(&second.lease, &zero)),
        [PairStatus::Known]
    );
    assert_eq!(admin.show(&test)["pairs"], 1);
    let rest = claimed(&admin, "other", "c");
    assert_ne!(
        rest.first_pair, second.first_pair,
        "what is counted is not lent again"
    );
}

fn a_pair_that_is_given_back_is_lent_again_first(house: House) {
    let admin = house.admin();
    admin.submit(&pairs(8));
    let first = claimed(&admin, "one", "a");
    let second = claimed(&admin, "two", "b");
    assert!(
        second.first_pair >= first.first_pair + first.pairs,
        "no pair is with two"
    );
    let back = Returned::default();
    assert_eq!(
        admin.post(&routes::give_back(&first.lease), &back).status,
        200
    );
    assert_eq!(
        admin.post(&routes::give_back(&first.lease), &back).status,
        200,
        "twice is once"
    );
    assert_eq!(claimed(&admin, "three", "c").first_pair, first.first_pair);
    assert_eq!(heartbeat(&admin, &first.lease), Directive::Stop);
    assert_eq!(heartbeat(&admin, &second.lease), Directive::Continue);
}

fn the_end_of_a_lease_is_told_apart_from_that_of_its_test(house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(8));
    let over = claimed(&admin, "one", "a");
    let held = claimed(&admin, "two", "b");
    give_back(&admin, &over.lease, "", None);
    let beat = |grant: &Grant| {
        let answer = beat(&admin, &grant.lease);
        (answer.directive, answer.test_is_off)
    };
    assert_eq!(beat(&over), (Directive::Stop, false));
    assert_eq!(beat(&held), (Directive::Continue, false));
    for (action, of_held) in [
        (Action::Pause, (Directive::Continue, false)),
        (Action::Stop, (Directive::Stop, true)),
    ] {
        let action = ActionRequest {
            action,
            reason: None,
        };
        assert_eq!(admin.post(&routes::actions(&test), &action).status, 200);
        assert_eq!(beat(&over), (Directive::Stop, true));
        assert_eq!(
            beat(&held),
            of_held,
            "what is lent of a paused test is played"
        );
    }
}

fn a_worker_that_had_trouble_with_a_test_is_given_another_one(house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(8));
    let grant = claimed(&admin, "one", "a");
    assert_eq!(grant.test, test);
    let back = Returned {
        trouble: "make: command not found".to_owned(),
        ..Returned::default()
    };
    assert_eq!(
        admin.post(&routes::give_back(&grant.lease), &back).status,
        200
    );
    assert_eq!(admin.claim("one", "b"), None);
    assert_eq!(claimed(&admin, "two", "c").test, test);
}

#[track_caller]
fn give_back(visitor: &Visitor, lease: &str, trouble: &str, failure: Option<Failure>) {
    let back = Returned {
        trouble: trouble.to_owned(),
        failure,
        is_ready: false,
    };
    assert_eq!(visitor.post(&routes::give_back(lease), &back).status, 200);
}

/// A test whose first engine is built, and counts seven nodes.
fn built() -> String {
    let git = "git = { url = \"https://forge/new\", rev = \"0123456789012345678901234567890123456789\", \
               build = \"make\", bench = 7 }";
    pairs(8).replace("cmd = \"sparring:2\"", git)
}

fn bench(found: u64) -> Option<Failure> {
    Some(Failure::Bench {
        engine: "new".to_owned(),
        expected: 7,
        found,
    })
}

fn a_host_that_counts_other_nodes_gets_no_more_and_two_of_them_stop_the_test(house: House) {
    let admin = house.admin();
    let test = admin.submit(&built());
    let grant = claimed(&admin, "one", "a");
    give_back(&admin, &grant.lease, "`bench` counts 8", bench(8));
    assert_eq!(admin.claim("one", "b"), None);
    let grant = admin.claim_on("one", "twin", "c").expect("another worker");
    give_back(&admin, &grant.lease, "`bench` counts 8", bench(8));
    give_back(&admin, &grant.lease, "`bench` counts 8", bench(8));
    let shown = admin.show(&test);
    assert_eq!(shown["state"], "queued", "two workers of one host: {shown}");
    assert_eq!(shown["barred"].as_array().map(Vec::len), Some(2), "{shown}");
    assert_eq!(shown["barred"][0]["until_ms"], serde_json::Value::Null);
    assert_eq!(
        shown["troubles"].as_array().map(Vec::len),
        Some(2),
        "{shown}"
    );
    assert_eq!(shown["troubles"][0]["text"], "`bench` counts 8");
    let grant = claimed(&admin, "two", "d");
    give_back(&admin, &grant.lease, "`bench` counts 9", bench(9));
    let shown = admin.show(&test);
    assert_eq!(shown["state"], "stopped");
    let reason = shown["reason"].as_str().expect("a reason");
    assert!(reason.contains("should count 7 nodes"), "{reason}");
    assert!(
        reason.contains("`one` counts 8, `two` counts 9"),
        "{reason}"
    );
    let audit = admin.get(&routes::audit(&test)).body;
    assert_eq!(audit.matches("quarantine").count(), 3, "{audit}");
}

fn a_failure_that_a_test_cannot_have_is_not_believed(house: House) {
    let admin = house.admin();
    let said = |engine: &str, expected, found| {
        let engine = engine.to_owned();
        Some(Failure::Bench {
            engine,
            expected,
            found,
        })
    };
    let build = |engine: &str| {
        let engine = engine.to_owned();
        Some(Failure::Build { engine })
    };
    let cannot_be = [
        (built(), said("nosuch", 7, 8)),
        (built(), said("old", 7, 8)),
        (built(), said("new", 8, 9)),
        (built(), said("new", 7, 7)),
        (pairs(8), said("new", 7, 8)),
        (built(), build("old")),
        (built(), build("nosuch")),
    ];
    for (i, (spec, failure)) in cannot_be.into_iter().enumerate() {
        let test = admin.submit(&spec);
        for host in ["one", "two"] {
            let grant = claimed(&admin, &format!("{host}{i}"), host);
            assert_eq!(grant.test, test);
            give_back(&admin, &grant.lease, "it went wrong", failure.clone());
        }
        let shown = admin.show(&test);
        assert_eq!(shown["state"], "queued", "{i}: {shown}");
        // It is heard all the same, and who cannot play is asked later.
        assert_eq!(shown["barred"][0]["why"], "no pair could be played");
        let stop = ActionRequest {
            action: Action::Stop,
            reason: None,
        };
        assert_eq!(admin.post(&routes::actions(&test), &stop).status, 200);
    }
}

fn a_host_that_agreed_keeps_the_test_going(house: House) {
    let admin = house.admin();
    let test = admin.submit(&built());
    let grant = claimed(&admin, "good", "a");
    admin.report(&grant.lease, &[grant.first_pair]);
    for worker in ["one", "two", "three"] {
        let grant = claimed(&admin, worker, worker);
        give_back(&admin, &grant.lease, "`bench` counts 8", bench(8));
    }
    assert_eq!(admin.show(&test)["state"], "queued");
}

fn a_test_that_two_hosts_cannot_build_is_paused_and_can_go_on(house: House) {
    let admin = house.admin();
    let test = admin.submit(&built());
    for worker in ["one", "two"] {
        let grant = claimed(&admin, worker, worker);
        let engine = "new".to_owned();
        let failure = Some(Failure::Build { engine });
        give_back(&admin, &grant.lease, "no rule to make target", failure);
    }
    let shown = admin.show(&test);
    assert_eq!(shown["state"], "paused");
    let reason = shown["reason"].as_str().expect("a reason");
    assert!(
        reason.contains("cannot be built on `one`, `two`"),
        "{reason}"
    );
    let resume = ActionRequest {
        action: Action::Resume,
        reason: None,
    };
    assert_eq!(admin.post(&routes::actions(&test), &resume).status, 200);
    assert_eq!(claimed(&admin, "one", "again").test, test);
}

fn a_test_is_lent_only_to_machines_that_can_play_it(house: House) {
    let admin = house.admin();
    let tables = "\n[adjudication]\nsyzygy = { pieces = 5 }\n";
    let idle = admin.submit(&(pairs(8) + tables));
    let obstacle = |test: &str| admin.show(test)["obstacle"].as_str().map(str::to_owned);
    let told = obstacle(&idle).expect("nobody is there");
    assert!(told.contains("no worker has asked"), "{told}");
    assert_eq!(admin.claim("w", "a"), None, "it has no tablebases");
    let told = obstacle(&idle).expect("nobody can play it");
    assert!(
        told.contains("cannot play it: a game needs 1 CPUs"),
        "{told}"
    );
    assert!(told.contains("tablebases of 5 men"), "{told}");
    let there = |platform: &str| {
        let uploaded = format!("cmd = \"start.epd\"\nplatform = \"{platform}\"");
        pairs(8).replace("cmd = \"sparring:2\"", &uploaded)
    };
    admin.submit(&there("riscv64-linux"));
    assert_eq!(admin.claim("w", "b"), None, "it is no such machine");
    let test = admin.submit(&there("x86_64-linux"));
    assert_eq!(obstacle(&test), None);
    assert_eq!(claimed(&admin, "w", "c").test, test);
    assert_eq!(obstacle(&test), None);
}

fn a_speed_is_said_once_for_a_lease_and_times_follow_it(house: House) {
    let admin = house.admin();
    let reference = "[fleet]\nreference-nps = 1000\n[fleet.artifacts]";
    let test = admin.submit(&pairs(8).replace("[fleet.artifacts]", reference));
    let grant = claimed(&admin, "w", "a");
    let report = |lease: &str, nps: &[Option<u64>]| {
        let pairs = (grant.first_pair..)
            .zip(nps)
            .map(|(pair, &base_nps)| PairReport {
                base_nps,
                ..whites_crash(pair)
            });
        let report = Report {
            pairs: pairs.collect(),
        };
        let answer = admin.post(&routes::report(lease), &report);
        statuses(&answer.json::<ReportAnswer>())
    };
    for nps in [None, Some(249), Some(4_100)] {
        assert_eq!(
            report(&grant.lease, &[nps]),
            [PairStatus::Refused],
            "{nps:?}"
        );
    }
    assert_eq!(report(&grant.lease, &[Some(500)]), [PairStatus::Counted]);
    assert_eq!(report(&grant.lease, &[Some(501)]), [PairStatus::Refused]);
    assert_eq!(report(&grant.lease, &[Some(500)]), [PairStatus::Known]);
    let speeds = &admin.show(&test)["speeds"];
    assert_eq!(speeds[0]["nps"], 500, "{speeds}");
    assert_eq!(speeds[0]["factor"], 2.0, "{speeds}");
}

fn what_cannot_be_true_is_refused_pair_by_pair(house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(4));
    let grant = claimed(&admin, "w", "a");
    let mut wrong = whites_crash(grant.first_pair);
    wrong.games[0].result = "1-0".to_owned();
    let report = Report {
        pairs: vec![wrong, whites_crash(999), whites_crash(grant.first_pair)],
    };
    let answer: ReportAnswer = admin.post(&routes::report(&grant.lease), &report).json();
    assert_eq!(
        statuses(&answer),
        [
            PairStatus::Refused,
            PairStatus::Refused,
            PairStatus::Counted
        ]
    );
    assert!(
        answer.pairs[0]
            .why
            .as_deref()
            .is_some_and(|why| why.contains("does not follow"))
    );
    assert_eq!(admin.show(&test)["pairs"], 1);
}

fn what_comes_after_the_end_is_kept_apart(house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(4));
    let grant = claimed(&admin, "w", "a");
    let other = claimed(&admin, "v", "a");
    let stop = ActionRequest {
        action: Action::Stop,
        reason: Some("wrong branch".to_owned()),
    };
    assert_eq!(admin.post(&routes::actions(&test), &stop).status, 200);
    assert_eq!(heartbeat(&admin, &grant.lease), Directive::Stop);
    let answer = admin.report(&grant.lease, &[grant.first_pair]);
    assert_eq!(statuses(&answer), [PairStatus::Late]);
    assert_eq!(answer.directive, Directive::Stop);
    let shown = admin.show(&test);
    assert_eq!(
        (&shown["state"], &shown["reason"]),
        (&"stopped".into(), &"wrong branch".into())
    );
    assert_eq!(
        (&shown["pairs"], &shown["late_pairs"]),
        (&0.into(), &1.into())
    );
    assert_eq!(
        shown["late_pentanomial"],
        serde_json::json!([0, 0, 1, 0, 0])
    );
    let lost = vec![first_is_mated(other.first_pair)];
    for status in [PairStatus::Late, PairStatus::Known] {
        let answer = admin.report_all(&other.lease, lost.clone());
        assert_eq!(statuses(&answer), [status]);
    }
    assert_eq!(
        admin.show(&test)["late_pentanomial"],
        serde_json::json!([1, 0, 1, 0, 0])
    );
    assert_eq!(admin.get(&routes::games(&test)).body, "");
    let late = admin.get(&routes::late_games(&test)).body;
    assert_eq!(late.matches("[Result ").count(), 4, "{late}");
    let round = format!("[Round \"{}.2\"]", other.first_pair + 1);
    assert!(late.contains(&round), "{late}");
    assert_eq!(admin.claim("w", "b"), None);
}

fn nothing_is_forgotten_when_the_coordinator_is_started_again(mut house: House) {
    let test = house.admin().submit(&pairs(6));
    let grant = claimed(&house.admin(), "w", "a");
    house.admin().report(&grant.lease, &[grant.first_pair]);
    let before = house.admin().show(&test);
    house.restart();
    let admin = house.admin();
    let after = admin.show(&test);
    assert_eq!(after["pairs"], 1);
    assert_eq!(after["pentanomial"], before["pentanomial"]);
    assert_eq!(
        claimed(&admin, "w", "a"),
        grant,
        "the lease is the same one"
    );
    let late = admin.report(&grant.lease, &[grant.first_pair]);
    assert_eq!(statuses(&late), [PairStatus::Known]);
}

fn a_copy_of_a_worker_is_told_from_its_next_life(house: House) {
    let admin = house.admin();
    admin.submit(&pairs(100));
    let claim = |life: &str, before: &[&str]| {
        let life = Life {
            id: life.to_owned(),
            before: before.iter().map(|&it| it.to_owned()).collect(),
        };
        admin.post_claim_of(Some(life), "host", "w", "any")
    };
    // Started, killed before it had an answer twice, and started again.
    for (life, before) in [
        ("1", &[][..]),
        ("4", &["1", "2", "3"]),
        ("4", &["1", "2", "3"]),
    ] {
        assert_eq!(claim(life, before).status, 200);
    }
    // A copy of the folder, as it was then, on another machine.
    assert_eq!(claim("copy", &["4"]).status, 200);
    for (life, before) in [("4", &["1", "2", "3"][..]), ("5", &["4"])] {
        let said = claim(life, before);
        assert_eq!(said.code(), "conflict");
        assert!(
            said.body.contains("copy of this worker's folder"),
            "{}",
            said.body
        );
    }
    assert_eq!(claim("next", &["copy"]).status, 200);
}
