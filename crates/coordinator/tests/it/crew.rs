//! The workers of a test: compared, barred by rules, set aside and brought back, on every store.

use std::time::{Duration, Instant};

use fleet_api::{
    Action, ActionRequest, AuditEntry, BringBack, Crew, CrewMember, Directive, Moved, PairStatus,
    Recounted, Scope, SetAside, routes,
};
use serde_json::{Value, json};

use crate::house::{
    House, Said, Visitor, first_is_mated, fools_mates, pairs, whites_crash, whites_flag_falls,
};
use crate::work::{play_so, scenarios};

/// Longer than a look takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

scenarios!(
    workers_are_compared_and_one_that_loses_on_time_gets_no_more_pairs,
    a_test_that_cannot_be_followed_holds_up_no_other,
    a_mean_alone_bars_nobody_and_is_not_set_aside_while_a_test_runs,
    what_is_set_aside_is_played_again_and_a_fixed_test_is_exactly_full,
    what_is_brought_back_counts_unless_it_was_played_again,
    what_stayed_aside_comes_back_when_its_replay_is_set_aside_too,
    after_the_end_setting_aside_changes_what_is_shown_and_not_the_state,
    setting_aside_is_for_the_owner_and_for_administrators_with_a_reason,
);

fn crew(visitor: &Visitor, test: &str) -> Crew {
    visitor.get(&routes::workers(test)).json()
}

#[track_caller]
fn member(visitor: &Visitor, test: &str, worker: &str) -> CrewMember {
    let crew = crew(visitor, test);
    let found = crew.workers.iter().find(|member| member.worker == worker);
    found.unwrap_or_else(|| panic!("{crew:#?}")).clone()
}

fn set_aside(visitor: &Visitor, test: &str, worker: &str) -> Said {
    let request = SetAside {
        worker: worker.to_owned(),
        reason: "a hot summer".to_owned(),
    };
    visitor.post(&routes::set_aside(test), &request)
}

fn bring_back(visitor: &Visitor, test: &str, worker: &str) -> Said {
    let request = BringBack {
        worker: worker.to_owned(),
    };
    visitor.post(&routes::bring_back(test), &request)
}

fn stop(visitor: &Visitor, test: &str) {
    let stop = ActionRequest {
        action: Action::Stop,
        reason: None,
    };
    assert_eq!(visitor.post(&routes::actions(test), &stop).status, 200);
}

/// What is stored comes to what is shown.
#[track_caller]
fn is_sound(visitor: &Visitor, test: &str) {
    let counted: Recounted = visitor.send("POST", &routes::recount(test), b"").json();
    assert!(counted.equal, "{counted:#?}");
}

/// Waits until a look has barred it.
fn until_barred(visitor: &Visitor, test: &str, worker: &str) {
    let begun = Instant::now();
    while member(visitor, test, worker).barred.is_none() {
        assert!(begun.elapsed() < PATIENCE, "{:#?}", crew(visitor, test));
        std::thread::yield_now();
    }
}

/// A test of 120 pairs of which a worker with a broken clock has 40 and another one 50; the former
/// is barred.
fn with_a_broken_clock(house: &House) -> (String, Vec<u64>) {
    let admin = house.admin();
    let test = admin.submit(&pairs(120));
    let broken = play_so(&admin, "attic", 40, whites_flag_falls);
    assert_eq!(broken.len(), 40);
    assert_eq!(play_so(&admin, "cellar", 50, fools_mates).len(), 50);
    until_barred(&admin, &test, "attic");
    (test, broken)
}

fn workers_are_compared_and_one_that_loses_on_time_gets_no_more_pairs(house: House) {
    let admin = house.admin();
    let (test, _) = with_a_broken_clock(&house);
    let broken = member(&admin, &test, "attic");
    assert_eq!(
        (broken.pairs, broken.time_losses, broken.crashes),
        (40, 80, 0)
    );
    assert_eq!(broken.platform, "x86_64-linux");
    assert_eq!(broken.flags, ["time losses"]);
    assert!(broken.p.time_losses.is_some_and(|p| p < 1e-9));
    assert!(broken.is_share_large);
    let barred = broken.barred.expect("it is barred");
    assert_eq!(
        (barred.kind.as_str(), barred.who.as_str()),
        ("flagged", "arbiter")
    );
    assert!(barred.why.contains("time losses in"), "{}", barred.why);
    assert_eq!(admin.claim("attic", "once more"), None);
    assert!(admin.claim("cellar", "once more").is_some());
    let honest = member(&admin, &test, "cellar");
    assert_eq!((honest.flags, honest.barred), (Vec::new(), None));
    assert_eq!(honest.score, Some(0.5));
    let audit: Vec<AuditEntry> = admin.get(&routes::audit(&test)).json();
    let last = audit.last().expect("an entry");
    assert_eq!(
        (last.who.as_str(), last.action.as_str()),
        ("arbiter", "bar")
    );
    assert!(
        last.detail.starts_with("attic (attic): "),
        "{}",
        last.detail
    );
    assert_eq!(
        admin.show(&test)["pairs"],
        90,
        "nothing is dropped by itself"
    );
    // Somebody knows better: it plays again, and is left alone.
    assert_eq!(bring_back(&admin, &test, "attic").json::<Moved>().pairs, 0);
    assert!(admin.claim("attic", "again").is_some());
    assert_eq!(bring_back(&admin, &test, "attic").code(), "conflict");
    assert_eq!(admin.get(&routes::workers("x")).status, 404);
}

fn a_test_that_cannot_be_followed_holds_up_no_other(mut house: House) {
    let admin = house.admin();
    let broken = admin.submit(&pairs(2));
    play_so(&admin, "attic", 1, fools_mates);
    house.tamper("UPDATE entries SET results = 'nonsense'");
    house.restart();
    let admin = house.admin();
    let stop = ActionRequest {
        action: Action::Stop,
        reason: None,
    };
    admin.post(&routes::actions(&broken), &stop);
    with_a_broken_clock(&house);
}

fn a_mean_alone_bars_nobody_and_is_not_set_aside_while_a_test_runs(house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(200));
    // As decisive as the others, and all against the first engine.
    let swept = |pair: u64| {
        let mut report = first_is_mated(pair);
        if pair.is_multiple_of(2) {
            report = fools_mates(pair);
        }
        report
    };
    let turned = |pair: u64| {
        let mut report = swept(pair);
        if !pair.is_multiple_of(2) {
            for game in &mut report.games {
                let is_white = game.white == "new";
                let (moves, result) = match is_white {
                    true => ("e2e4 f7f6 d2d4 g7g5 d1h5", "1-0"),
                    false => ("f2f3 e7e5 g2g4 d8h4", "0-1"),
                };
                game.moves = moves.to_owned();
                game.spent = vec![0.0; moves.split(' ').count()];
                game.result = result.to_owned();
            }
        }
        report
    };
    play_so(&admin, "attic", 60, turned);
    play_so(&admin, "cellar", 60, swept);
    let odd = member(&admin, &test, "attic");
    assert_eq!(odd.flags, ["mean or decisiveness"]);
    assert!(odd.p.decisiveness.is_some_and(|p| p > 0.05), "{odd:#?}");
    let said = set_aside(&admin, &test, "attic");
    assert_eq!(said.code(), "conflict");
    assert!(said.body.contains("a mean alone is what the test is about"));
    stop(&admin, &test);
    // When the last look was taken nobody is barred.
    let begun = Instant::now();
    while admin.show(&test)["recount"].is_null() {
        assert!(begun.elapsed() < PATIENCE);
        std::thread::yield_now();
    }
    assert_eq!(member(&admin, &test, "attic").barred, None);
    assert_eq!(set_aside(&admin, &test, "attic").json::<Moved>().pairs, 60);
    is_sound(&admin, &test);
}

fn what_is_set_aside_is_played_again_and_a_fixed_test_is_exactly_full(mut house: House) {
    let (test, broken) = with_a_broken_clock(&house);
    let admin = house.admin();
    let moved: Moved = set_aside(&admin, &test, "attic").json();
    assert_eq!((moved.pairs, moved.worker.as_str()), (40, "attic"));
    let shown = admin.show(&test);
    assert_eq!(
        (&shown["pairs"], &shown["state"]),
        (&50.into(), &"queued".into())
    );
    assert_eq!(shown["engines"][0]["time_losses"], 0);
    assert_eq!(shown["aside"]["pairs"], 40, "{shown:#}");
    assert_eq!(shown["aside"]["workers"][0]["who"], "admin");
    assert_eq!(shown["aside"]["workers"][0]["why"], "a hot summer");
    assert_eq!(
        shown["aside"]["with"]["pentanomial"],
        json!([0, 0, 90, 0, 0])
    );
    is_sound(&admin, &test);
    house.restart();
    let admin = house.admin();
    assert_eq!(admin.claim("attic", "once more"), None);
    let played = play_so(&admin, "cellar", 120, fools_mates);
    let again: Vec<u64> = played
        .iter()
        .copied()
        .filter(|it| broken.contains(it))
        .collect();
    assert_eq!(again.len(), 40);
    assert_eq!(played.len(), 70);
    let shown = admin.show(&test);
    assert_eq!(
        (&shown["pairs"], &shown["state"]),
        (&120.into(), &"finished".into())
    );
    assert_eq!(shown["engines"][0]["time_losses"], 0);
    let pgn = admin.get(&routes::games(&test)).body;
    assert_eq!(pgn.matches("[Termination \"checkmate\"]").count(), 240);
    is_sound(&admin, &test);
}

fn what_is_brought_back_counts_unless_it_was_played_again(house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(120));
    play_so(&admin, "attic", 40, whites_flag_falls);
    let late = admin.claim("attic", "under way").expect("there is work");
    play_so(&admin, "cellar", 50, fools_mates);
    until_barred(&admin, &test, "attic");
    set_aside(&admin, &test, "attic").json::<Moved>();
    // What still comes from it does not count either, and is not lost.
    for status in [PairStatus::Late, PairStatus::Known] {
        let answer = admin.report_all(&late.lease, vec![whites_crash(late.first_pair)]);
        assert_eq!(answer.pairs[0].status, status);
        assert_eq!(answer.directive, Directive::Stop);
    }
    assert_eq!(admin.show(&test)["pairs"], 50);
    is_sound(&admin, &test);
    // Others have the lowest first.
    assert_eq!(play_so(&admin, "cellar", 10, fools_mates).len(), 10);
    let moved: Moved = bring_back(&admin, &test, "attic").json();
    assert_eq!((moved.pairs, moved.left), (31, 10));
    let shown = admin.show(&test);
    assert_eq!(shown["pairs"], 91);
    assert_eq!(shown["aside"]["pairs"], 10);
    assert_eq!(shown["engines"][0]["time_losses"], 30);
    is_sound(&admin, &test);
    assert_eq!(play_so(&admin, "attic", 1, fools_mates).len(), 1);
    play_so(&admin, "cellar", 200, fools_mates);
    let shown = admin.show(&test);
    assert_eq!(
        (&shown["pairs"], &shown["state"]),
        (&120.into(), &"finished".into())
    );
    is_sound(&admin, &test);
}

fn what_stayed_aside_comes_back_when_its_replay_is_set_aside_too(house: House) {
    let admin = house.admin();
    let (test, _) = with_a_broken_clock(&house);
    set_aside(&admin, &test, "attic").json::<Moved>();
    play_so(&admin, "cellar", 10, fools_mates);
    let moved: Moved = bring_back(&admin, &test, "attic").json();
    assert_eq!((moved.pairs, moved.left), (30, 10));
    stop(&admin, &test);
    assert_eq!(set_aside(&admin, &test, "cellar").json::<Moved>().pairs, 60);
    let moved: Moved = bring_back(&admin, &test, "attic").json();
    assert_eq!((moved.pairs, moved.left), (10, 0));
    assert_eq!(bring_back(&admin, &test, "attic").code(), "conflict");
    let moved: Moved = bring_back(&admin, &test, "cellar").json();
    assert_eq!((moved.pairs, moved.left), (50, 10));
    let shown = admin.show(&test);
    assert_eq!(
        (&shown["pairs"], &shown["aside"]["pairs"]),
        (&90.into(), &10.into())
    );
    is_sound(&admin, &test);
}

fn after_the_end_setting_aside_changes_what_is_shown_and_not_the_state(house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(12));
    play_so(&admin, "attic", 5, first_is_mated);
    play_so(&admin, "cellar", 12, fools_mates);
    let before = admin.show(&test);
    assert_eq!(before["state"], "finished");
    assert_eq!(set_aside(&admin, &test, "attic").json::<Moved>().pairs, 5);
    let shown = admin.show(&test);
    assert_eq!(
        (&shown["pairs"], &shown["state"]),
        (&7.into(), &"finished".into())
    );
    assert_eq!(shown["pentanomial"], json!([0, 0, 7, 0, 0]));
    assert_eq!(shown["aside"]["with"]["pentanomial"], before["pentanomial"]);
    assert_eq!(shown["aside"]["with"]["elo"], before["elo"]["value"]);
    assert_eq!(admin.claim("cellar", "nothing is lent"), None);
    is_sound(&admin, &test);
    assert_eq!(bring_back(&admin, &test, "attic").json::<Moved>().pairs, 5);
    let after = admin.show(&test);
    assert_eq!(after["pentanomial"], before["pentanomial"]);
    assert_eq!(after["aside"], Value::Null);
    is_sound(&admin, &test);
    let audit: Vec<AuditEntry> = admin.get(&routes::audit(&test)).json();
    let told: Vec<(&str, &str, &str)> = audit
        .iter()
        .filter(|entry| ["set aside", "bring back"].contains(&entry.action.as_str()))
        .map(|entry| {
            (
                entry.who.as_str(),
                entry.action.as_str(),
                entry.detail.as_str(),
            )
        })
        .collect();
    let expected = [
        ("admin", "set aside", "5 pairs of attic: a hot summer"),
        ("admin", "bring back", "5 pairs of attic"),
    ];
    assert_eq!(told, expected);
}

fn setting_aside_is_for_the_owner_and_for_administrators_with_a_reason(house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(4));
    play_so(&admin, "attic", 2, fools_mates);
    stop(&admin, &test);
    for scopes in [&[Scope::Submit][..], &[Scope::Approve], &[Scope::Worker]] {
        let eve = house.user("eve", scopes);
        assert_eq!(set_aside(&eve, &test, "attic").code(), "forbidden");
        assert_eq!(bring_back(&eve, &test, "attic").code(), "forbidden");
    }
    let request = SetAside {
        worker: "attic".to_owned(),
        reason: " ".to_owned(),
    };
    let said = admin.post(&routes::set_aside(&test), &request);
    assert_eq!((said.status, said.code().as_str()), (422, "refused"));
    assert_eq!(set_aside(&admin, &test, "nobody").code(), "not_found");
    assert_eq!(set_aside(&admin, "x", "attic").code(), "not_found");
    assert_eq!(bring_back(&admin, &test, "attic").code(), "conflict");
    assert_eq!(set_aside(&admin, &test, "attic").json::<Moved>().pairs, 2);
    assert_eq!(
        set_aside(&admin, &test, "attic").json::<Moved>().pairs,
        0,
        "twice is once"
    );
}
