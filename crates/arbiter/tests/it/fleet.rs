//! The commands that talk to a coordinator.

use std::process::Command;

use serde_json::{Value, json};

use crate::bench::{Bench, assert_shown};
use crate::fleet::canned::Canned;

mod canned;

const SUBMIT: &str = "POST /api/v1/tests";
const SUBMITTED: &str = r#"{"id": "t7", "state": "queued"}"#;
const AWAY: &str = r#"{"code": "unavailable", "message": "come back later"}"#;

/// A bench with a login file that leads to `canned`.
fn bench(canned: &Canned) -> Bench {
    let bench = Bench::new().with("secret.txt", "wonderful-secret\n");
    let folder = bench.path().join(".config/arbiter");
    std::fs::create_dir_all(&folder).unwrap();
    let login = format!(
        "server = '{}'\ntoken_file = '../../secret.txt'\n",
        canned.address
    );
    std::fs::write(folder.join("login.toml"), login).unwrap();
    bench
}

/// A test as the coordinator shows it.
fn view(state: &str, pairs: u64) -> Value {
    json!({
        "id": "t7", "name": "new against old", "owner": "ada", "state": state, "created_ms": 1,
        "priority": 0, "weight": 1.0, "tags": ["search"], "note": "two\nlines\n", "spec": "",
        "pairs_lent": 4, "workers_now": 2, "late_pairs": 1, "late_pentanomial": [0, 1, 0, 0, 0],
        "games": 2 * pairs, "pairs": pairs, "pentanomial": [3, 20, 50, 22, 5],
        "engines": [
            {"name": "new", "wins": 60, "losses": 40, "draws": 100, "time_losses": 2, "crashes": 0,
             "stalls": 0, "illegal_moves": 0},
            {"name": "old", "wins": 40, "losses": 60, "draws": 100, "time_losses": 0, "crashes": 1,
             "stalls": 0, "illegal_moves": 0}],
        "elo": {"value": 12.2, "ci95": [-3.0, 27.4]}, "nelo": {"value": 18.0, "ci95": null},
        "sprt": {"llr": 1.2, "lower": -2.944, "upper": 2.944, "state": "running"},
    })
}

fn sent_spec(canned: &Canned) -> String {
    let body: Value = serde_json::from_str(&canned.bodies(SUBMIT)[0]).unwrap();
    body["spec"].as_str().unwrap().to_owned()
}

#[test]
fn submit_uploads_what_the_coordinator_lacks_and_notes_it_in_the_test() {
    let (engine, net) = ("#!/bin/sh\n", "a network");
    let spec = "# A patch.\npairs = 10 # few\n[each]\nnodes = 10\noptions = { EvalFile = 'a.nnue', Hash = 16 }\n\
                [[engine]]\nname = 'new'\ncmd = './engine'\n[[engine]]\ncmd = 'sparring:3'\n\
                [[engine]]\ncmd = '/opt/trusted'\n[fleet]\npriority = 3\ntrust = ['/opt/trusted']\n";
    let canned = Canned::start().with(SUBMIT, 200, SUBMITTED);
    let bench = bench(&canned)
        .with("engine", engine)
        .with("a.nnue", net)
        .with("16", "a file that is called like a value")
        .with("test.toml", spec);
    let mut chmod = Command::new("chmod");
    chmod.arg("+x").arg(bench.path().join("engine"));
    assert!(chmod.status().unwrap().success());
    // The coordinator takes what it is given.
    let hashes: Vec<String> = ["engine", "a.nnue"]
        .iter()
        .map(|name| fleet_client::sha256_of(&bench.path().join(name)).unwrap())
        .collect();
    let canned = canned
        .with(&format!("PUT /api/v1/artifacts/{}", hashes[0]), 503, AWAY)
        .with(&format!("PUT /api/v1/artifacts/{}", hashes[0]), 201, "")
        .with(&format!("HEAD /api/v1/artifacts/{}", hashes[1]), 200, "");
    let done = bench.run("submit test.toml --json").expect(0);
    assert_eq!(done.out, "{\"id\":\"t7\",\"state\":\"queued\"}\n");
    assert_eq!(done.err, "warning: come back later; trying again\n");
    let sent = sent_spec(&canned);
    let expected = format!(
        "{spec}\n[fleet.artifacts]\n\"./engine\" = \"{}\"\n\"a.nnue\" = \"{}\"\n",
        hashes[0], hashes[1]
    );
    assert_eq!(sent, expected, "all the rest stays as it was written");
    let uploads = canned.bodies(&format!("PUT /api/v1/artifacts/{}", hashes[0]));
    assert_eq!(uploads, [engine, engine]);
    assert_eq!(
        canned.bodies(&format!("PUT /api/v1/artifacts/{}", hashes[1])),
        [""; 0]
    );
    for asked in &canned.known().asked {
        assert_eq!(asked.authorization, "Bearer wonderful-secret");
        assert!(!asked.line.contains("secret"));
    }
}

const SPARRING: &str = "pairs = 10\n[each]\nnodes = 10\n[[engine]]\ncmd = 'sparring:3'\n[[engine]]\ncmd = 'sparring:2'\n";

#[test]
fn submit_tries_again_with_the_same_key() {
    let canned = Canned::start()
        .with(SUBMIT, 503, AWAY)
        .with(SUBMIT, 503, AWAY)
        .with(SUBMIT, 200, SUBMITTED);
    let bench = bench(&canned).with("test.toml", SPARRING);
    let done = bench.run("submit test.toml").expect(0);
    assert_eq!(done.out, "t7\n");
    assert_eq!(
        done.err,
        "warning: come back later; trying again\n`arbiter watch t7` shows how it goes\n"
    );
    let bodies = canned.bodies(SUBMIT);
    assert_eq!(bodies.len(), 3);
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:#?}");
    let body: Value = serde_json::from_str(&bodies[0]).unwrap();
    assert_eq!(body["idempotency_key"].as_str().map(str::len), Some(32));
    assert_eq!(body["spec"], SPARRING);
}

#[test]
fn submit_pins_a_branch_to_its_commit() {
    let canned = Canned::start().with(SUBMIT, 200, SUBMITTED);
    let bench = bench(&canned).with(
        "test.toml",
        "pairs = 10\n[each]\nnodes = 10\n[[engine]]\nname = 'new'\n\
         git = { url = 'repository', rev = 'patch', build = 'make EXE={out}' }\n\
         [[engine]]\ncmd = 'sparring:2'\n",
    );
    let repository = bench.path().join("repository");
    let git = |words: &str| {
        let output = Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@b", "-C"])
            .arg(&repository)
            .args(words.split(' '))
            .output()
            .unwrap();
        assert!(output.status.success(), "git {words}");
        String::from_utf8(output.stdout).unwrap()
    };
    std::fs::create_dir(&repository).unwrap();
    git("init --quiet -b patch");
    git("commit --quiet --allow-empty -m one");
    bench.run("submit test.toml --json").expect(0);
    let sent = sent_spec(&canned);
    let line = format!(
        "git = {{ url = \"{}\", rev = \"{}\", build = 'make EXE={{out}}' }}",
        repository.display(),
        git("rev-parse HEAD").trim()
    );
    assert!(sent.contains(&line), "{sent}\n{line}");
}

#[test]
fn a_test_is_shown_to_people_and_to_programs() {
    let shown = view("queued", 100);
    let crew = r#"{"workers": [], "heterogeneity": {"overall": null, "within_platforms": null,
        "between_platforms": null}}"#;
    let canned = Canned::start()
        .with("GET /api/v1/tests/t7", 200, &shown.to_string())
        .with("GET /api/v1/tests/t7/workers", 200, crew)
        .with(
            "GET /api/v1/tests",
            200,
            r#"[{"id": "t7", "name": "new against old", "owner": "ada", "state": "queued",
                 "created_ms": 1, "pairs": 100, "llr": 1.2},
                {"id": "t8", "name": "x", "owner": "bob", "state": "finished", "created_ms": 1,
                 "pairs": 5, "pairs_wanted": 5, "more": "of a newer coordinator"}]"#,
        );
    let bench = bench(&canned);
    assert_shown("fleet-show", &bench.transcript(&["tests", "show t7"]));
    let done = bench.run("show t7 --json").expect(0);
    let printed: Value = serde_json::from_str(&done.out).unwrap();
    let mut whole = shown;
    let crew: Value = serde_json::from_str(crew).unwrap();
    let fields = crew.as_object().unwrap().clone();
    whole.as_object_mut().unwrap().extend(fields);
    assert_eq!(printed, whole);
    bench.run("tests --json").expect(0);
}

#[test]
fn watching_ends_with_the_test_and_its_result_is_the_exit_code() {
    for (state, code) in [
        ("accepted", 0),
        // It has a question, and has not decided it.
        ("finished", 1),
        ("rejected", 1),
        ("stopped", 4),
    ] {
        let news = format!(
            ": hello\n\ndata: {}\n\ndata: {}\n\ndata: {}\n\n",
            view("queued", 20),
            view("queued", 20),
            view(state, 100)
        );
        let canned = Canned::start()
            .with("GET /api/v1/tests/t7", 200, &view("queued", 10).to_string())
            .with("GET /api/v1/tests/t7/live", 200, &news);
        let done = bench(&canned).run("watch t7").expect(code);
        let lines: Vec<&str> = done.out.lines().take(3).collect();
        assert!(lines[0].contains("queued, 10 pairs"), "{lines:?}");
        assert!(lines[1].contains("queued, 20 pairs"), "{lines:?}");
        assert!(
            lines[2].contains(&format!("{state}, 100 pairs")),
            "{lines:?}"
        );
    }
}

#[test]
fn watching_survives_a_coordinator_that_is_away() {
    let canned = Canned::start()
        .with("GET /api/v1/tests/t7", 503, AWAY)
        .with(
            "GET /api/v1/tests/t7",
            200,
            &view("accepted", 100).to_string(),
        );
    let done = bench(&canned).run("watch t7").expect(0);
    assert!(done.err.contains("come back later"), "{done:#?}");
}

#[test]
fn a_test_is_stopped_with_a_reason() {
    let canned = Canned::start().with("POST /api/v1/tests/t7/actions", 200, "{}");
    let done = bench(&canned).run("stop t7 --reason 'a bug'").expect(0);
    assert_eq!(done.err, "test t7 is stopped\n");
    let asked = canned.bodies("POST /api/v1/tests/t7/actions");
    assert_eq!(asked, [r#"{"action":"stop","reason":"a bug"}"#]);
}

#[test]
fn what_is_wrong_with_a_call_is_told_with_what_may_help() {
    let canned = Canned::start()
        .with(
            "GET /api/v1/tests/secret",
            401,
            r#"{"code": "unauthenticated", "message": "no such token"}"#,
        )
        .with("GET /api/v1/tests/page", 200, "<html>\n a web page</html>")
        .with("GET /api/v1/tests/moved", 301, "");
    let engines = |first: &str| {
        format!("pairs = 1\n[each]\nnodes = 9\n[[engine]]\n{first}\n[[engine]]\ncmd = 'sparring'\n")
    };
    let bench = bench(&canned)
        .with("broken.toml", "pairs = \n")
        .with(
            "net.toml",
            &engines("cmd = 'sparring:2'\noptions = { EvalFile = 'nets/new.nnue' }"),
        )
        .with(
            "secret.toml",
            &engines("git = { url = 'https://ada:pass@host/x', rev = 'main', build = 'make' }"),
        )
        .with(
            "name.toml",
            &engines("cmd = 'sparring:2'\n[fleet]\nname = \"two\\nlines\""),
        );
    let shown = bench.transcript(&[
        "show t9",
        "show secret",
        "show page",
        "show moved",
        "show t9 --server 127.0.0.1:8080",
        "show t9 --server http://ada:pass@127.0.0.1:8080",
        "show t9 --token-file absent",
        "submit absent.toml",
        "submit broken.toml",
        "submit net.toml",
        "submit secret.toml",
        "submit name.toml",
        "set t9 --weight nan",
        "worker --name ''",
        "worker --slots 0",
    ]);
    assert_shown("errors-fleet", &shown.replace(&canned.address, "[SERVER]"));
    let done = Bench::new().run("tests").expect(2);
    assert!(done.err.contains("which coordinator?"), "{done:#?}");
}

#[test]
fn a_test_that_workers_cannot_play_is_not_submitted() {
    let canned = Canned::start();
    let head =
        "pairs = 1\n[each]\nnodes = 10\n[[engine]]\ncmd = 'sparring:1'\n[[engine]]\nname = 'b'\n";
    let bench = bench(&canned)
        .with("absent.toml", &format!("{head}cmd = './absent'\n"))
        .with("dir.toml", &format!("{head}cmd = 'b'\ndir = '/opt'\n"))
        .with("recipe.toml", &format!("{head}git = {{ url = 'x' }}\n"))
        .with(
            "remote.toml",
            &format!("{head}git = {{ url = './nothing', rev = 'main', build = 'make' }}\n"),
        )
        .with(
            "output.toml",
            &format!("{head}cmd = 'sparring:2'\n[output]\npgn = 'games.pgn'\n"),
        );
    assert_shown(
        "errors-submit",
        &bench.transcript(&[
            "submit absent.toml",
            "submit dir.toml",
            "submit recipe.toml",
            "submit remote.toml",
            "submit output.toml",
        ]),
    );
    assert!(canned.known().asked.is_empty());
}
