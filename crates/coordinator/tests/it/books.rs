//! Books that are not there any more, on every store, and those that lie on the coordinator's machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fleet_api::{
    Action, ActionRequest, Crew, PairStatus, Report, Scope, State, SubmitTest, TestLine, routes,
};
use rustix::fs::{CWD, Mode};

use crate::house::{House, Place, START, Said, Visitor, pairs, sha256, whites_crash};
use crate::work::{play, scenarios};

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

scenarios!(
    a_list_needs_neither_the_book_of_a_test_nor_its_entries,
    without_its_book_a_test_is_shown_and_stopped_and_its_results_are_waited_for,
    a_test_that_cannot_be_counted_again_holds_up_no_other,
);

fn book(house: &House) -> PathBuf {
    let hash = sha256(START);
    house.data.join("artifacts").join(&hash[..2]).join(hash)
}

/// The book of all tests here is lost, and the coordinator started again.
fn lose_the_book(house: &mut House) {
    fs::remove_file(book(house)).expect("it is kept");
    house.restart();
}

fn line(visitor: &Visitor, test: &str) -> TestLine {
    let lines: Vec<TestLine> = visitor.get(routes::TESTS).json();
    let line = lines.into_iter().find(|line| line.id == test);
    line.expect("it is listed")
}

#[track_caller]
fn act(visitor: &Visitor, test: &str, action: Action) {
    let request = ActionRequest {
        action,
        reason: None,
    };
    let said = visitor.post(&routes::actions(test), &request);
    assert_eq!(said.status, 200, "{}", said.body);
}

fn a_list_needs_neither_the_book_of_a_test_nor_its_entries(mut house: House) {
    let admin = house.admin();
    let sprt = "[sprt]\nelo0 = 0.0\nelo1 = 5.0\n";
    let tests = [format!("{}{sprt}", pairs(2)), pairs(2)].map(|text| admin.submit(&text));
    play(&admin, "w", 4);
    let before = tests.each_ref().map(|test| line(&admin, test));
    for (line, has_llr) in before.iter().zip([true, false]) {
        assert_eq!((line.state, line.pairs), (State::Finished, 2));
        assert_eq!(line.llr.is_some(), has_llr);
    }
    house.tamper("DELETE FROM entries");
    lose_the_book(&mut house);
    let admin = house.admin();
    assert_eq!(tests.each_ref().map(|test| line(&admin, test)), before);
}

fn without_its_book_a_test_is_shown_and_stopped_and_its_results_are_waited_for(mut house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(3));
    play(&admin, "w", 1);
    let grant = admin.claim("w", "under way").expect("there is work");
    lose_the_book(&mut house);
    let admin = house.admin();
    assert_eq!(line(&admin, &test).pairs, 1);
    let shown = admin.show(&test);
    assert_eq!(shown["pairs"], 1);
    let obstacle = shown["obstacle"].as_str().expect("it is told");
    assert!(
        obstacle.contains("`start.epd` was not uploaded"),
        "{obstacle}"
    );
    let crew: Crew = admin.get(&routes::workers(&test)).json();
    assert_eq!(crew.workers[0].pairs, 1);
    let pgn = admin.get(&routes::games(&test)).body;
    assert_eq!(pgn.matches("[Result ").count(), 2);
    assert_eq!(admin.claim("x", "nothing can be lent"), None);
    let report = Report {
        pairs: vec![whites_crash(grant.first_pair)],
    };
    let said = admin.post(&routes::report(&grant.lease), &report);
    assert_eq!((said.status, said.code().as_str()), (503, "unavailable"));
    act(&admin, &test, Action::Pause);
    // Who mends it need not start the coordinator again.
    fs::write(book(&house), START).expect("there is room");
    let answer = admin.report(&grant.lease, &[grant.first_pair]);
    assert_eq!(answer.pairs[0].status, PairStatus::Counted);
    assert!(admin.show(&test)["obstacle"].is_null());
    lose_the_book(&mut house);
    act(&house.admin(), &test, Action::Stop);
    assert_eq!(house.admin().show(&test)["state"], "stopped");
}

fn a_test_that_cannot_be_counted_again_holds_up_no_other(mut house: House) {
    let admin = house.admin();
    let broken = admin.submit(&pairs(2));
    play(&admin, "w", 1);
    lose_the_book(&mut house);
    let admin = house.admin();
    act(&admin, &broken, Action::Stop);
    let other = format!("{START}\n");
    let said = admin.send("PUT", &routes::artifact(&sha256(&other)), other.as_bytes());
    assert_eq!(said.status, 200);
    let test = admin.submit(&pairs(1).replace(&sha256(START), &sha256(&other)));
    play(&admin, "w", 1);
    let begun = Instant::now();
    while admin.show(&test)["recount"].is_null() {
        assert!(begun.elapsed() < PATIENCE, "{:#}", admin.show(&test));
        std::thread::yield_now();
    }
    assert!(admin.show(&broken)["recount"].is_null());
}

/// Submits a test with a book at `path` of the coordinator's machine.
fn trust(visitor: &Visitor, path: &Path) -> Said {
    let path = path.display();
    let spec = format!(
        "pairs = 2\n[each]\nnodes = 100\n[[engine]]\nname = \"new\"\ncmd = \"sparring:2\"\n\
         [[engine]]\nname = \"old\"\ncmd = \"sparring:1\"\n[openings]\nfile = \"{path}\"\n\
         format = \"epd\"\n[fleet]\ntrust = [\"{path}\"]\n"
    );
    let test = SubmitTest {
        spec,
        idempotency_key: None,
    };
    visitor.post(routes::TESTS, &test)
}

#[test]
fn only_administrators_have_books_opened_that_lie_where_their_house_did_not_say() {
    let there = tempfile::tempdir().expect("a folder");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let (good, bad) = (there.path().join("good"), there.path().join("bad"));
    let secret = elsewhere.path().join("secret");
    for (path, text) in [(&good, START), (&bad, "root:x:0/a/b"), (&secret, START)] {
        fs::write(path, text).expect("there is room");
    }
    let link = there.path().join("link");
    std::os::unix::fs::symlink(&secret, &link).expect("a link");
    let name = elsewhere.path().file_name().expect("it has one");
    let dots = there.path().join("..").join(name).join("secret");
    let house = House::at(Place {
        books: vec![there.path().to_owned()],
        ..Place::default()
    });
    let ada = house.user("ada", &[Scope::Submit]);
    assert_eq!(trust(&ada, &good).status, 200);
    let away = elsewhere.path().join("away");
    let refused = [&secret, &away, &link, &dots].map(|path| {
        let said = trust(&ada, path);
        assert_eq!((said.status, said.code().as_str()), (403, "forbidden"));
        said.body
    });
    assert!(
        refused.iter().all(|said| *said == refused[0]),
        "{refused:?}"
    );
    // Nothing is told of what is in a file.
    let said = trust(&ada, &bad);
    assert_eq!((said.status, said.code().as_str()), (422, "refused"));
    assert!(
        !said.body.contains("root") && !said.body.contains("line"),
        "{}",
        said.body
    );
    assert_eq!(trust(&house.admin(), &secret).status, 200);
}

#[test]
fn a_pipe_is_no_book_and_keeps_nobody_waiting() {
    let house = House::new();
    let pipe = house.data.join("pipe");
    rustix::fs::mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, Mode::RWXU, 0).expect("a pipe");
    let said = trust(&house.admin(), &pipe);
    assert_eq!((said.status, said.code().as_str()), (422, "refused"));
    house.admin().submit(&pairs(1));
}
