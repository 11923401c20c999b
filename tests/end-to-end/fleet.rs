//! A coordinator, workers and tests as a person has them: processes on loopback.

use std::process::Command;
use std::time::{Duration, Instant};

use end_to_end::{Running, Stage};
use rustix::process::Signal;
use serde_json::Value;

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(100);

/// A coordinator in a stage, and where it listens.
pub(crate) struct Fleet<'a> {
    pub(crate) stage: &'a Stage,
    address: String,
}

impl<'a> Fleet<'a> {
    /// Starts a coordinator on a free port.
    pub(crate) fn start(stage: &'a Stage) -> (Self, Running<'a>) {
        let coordinator = stage.start(&["serve", "--listen", "127.0.0.1:0"]);
        stage.wait_until("the coordinator's token", || {
            coordinator.out().contains("admin token: ")
                && stage.path("arbiter-data/admin-token").exists()
        });
        let out = coordinator.out();
        let mut lines = out.lines();
        let address = lines.find_map(|line| line.strip_prefix("listening on "));
        let address = address.expect("it says where").to_owned();
        (Self { stage, address }, coordinator)
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Starts it again where it was.
    fn start_again(&self) -> Running<'a> {
        let listen = self.address.trim_start_matches("http://");
        self.stage.start(&["serve", "--listen", listen])
    }

    fn start_worker(&self, name: &str) -> Running<'a> {
        self.start_with(&["worker", "--slots", "2", "--data", name, "--name", name])
    }

    /// Starts a command that talks to it.
    pub(crate) fn start_with(&self, words: &[&str]) -> Running<'a> {
        let connection = [
            "--server",
            &self.address,
            "--token-file",
            "arbiter-data/admin-token",
        ];
        self.stage.start(&[words, &connection].concat())
    }

    /// Runs a command that talks to it, and gives what it prints.
    #[track_caller]
    pub(crate) fn run(&self, words: &[&str]) -> String {
        let run = self.start_with(words).finish();
        assert_eq!(run.code, Some(0), "{run:#?}");
        run.out
    }

    #[track_caller]
    pub(crate) fn submit(&self, test: &str) -> String {
        let spec = self.stage.write("test.toml", test);
        let out = self.run(&["submit", &spec, "--json"]);
        let submitted: Value = serde_json::from_str(&out).unwrap();
        submitted["id"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub(crate) fn show(&self, id: &str) -> Value {
        serde_json::from_str(&self.run(&["show", id, "--json"])).unwrap()
    }
}

/// Tells it to end, and waits until it has.
#[track_caller]
pub(crate) fn end(running: Running<'_>) {
    running.signal(Signal::TERM);
    let run = running.finish();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.took < PATIENCE, "{run:#?}");
}

#[track_caller]
pub(crate) fn check_totals(shown: &Value, pairs: u64) {
    assert_eq!(shown["pairs"], pairs, "{shown:#}");
    assert_eq!(shown["games"], 2 * pairs, "{shown:#}");
    let pentanomial = shown["pentanomial"].as_array().unwrap();
    let sum: u64 = pentanomial.iter().filter_map(Value::as_u64).sum();
    assert_eq!(sum, pairs, "{shown:#}");
}

#[test]
fn a_test_of_two_levels_is_taken_to_its_decision() {
    let stage = Stage::default();
    let (fleet, coordinator) = Fleet::start(&stage);
    let worker = fleet.start_worker("attic");
    let id = fleet.submit(
        "[each]\nnodes = 200\n[[engine]]\ncmd = 'sparring:5'\n[[engine]]\ncmd = 'sparring:1'\n\
         [sprt]\nelo0 = 0\nelo1 = 100\n[fleet]\nname = 'levels'\n",
    );
    let watch = fleet.start_with(&["watch", &id]).finish();
    assert_eq!(watch.code, Some(0), "{watch:#?}");
    assert!(watch.out.contains("levels: accepted"), "{watch:#?}");
    let shown = fleet.show(&id);
    assert_eq!(shown["state"], "accepted");
    assert_eq!(shown["sprt"]["state"], "accepted_h1");
    check_totals(&shown, shown["pairs"].as_u64().unwrap());
    end(worker);
    end(coordinator);
    assert_eq!(stage.survivors(), [""; 0]);
}

#[test]
fn killed_again_and_again_a_fixed_test_ends_at_exactly_its_number() {
    const PAIRS: u64 = 150;
    let stage = Stage::default();
    let (fleet, mut coordinator) = Fleet::start(&stage);
    let names = ["attic", "cellar"];
    let mut workers = names.map(|name| fleet.start_worker(name));
    let id = fleet.submit(&format!(
        "pairs = {PAIRS}\n[each]\nnodes = 400\n[[engine]]\ncmd = 'sparring:3'\n[[engine]]\ncmd = 'sparring:4'\n"
    ));
    let begun = Instant::now();
    let mut seen = 0;
    for round in 0.. {
        assert!(begun.elapsed() < PATIENCE, "{:#}", fleet.show(&id));
        let shown = fleet.show(&id);
        if shown["state"] == "finished" {
            break;
        }
        // Somebody dies each time that there are more results.
        let pairs = shown["pairs"].as_u64().unwrap();
        if pairs == seen {
            continue;
        }
        seen = pairs;
        if round % 3 == 0 {
            coordinator.signal(Signal::KILL);
            coordinator.finish();
            coordinator = fleet.start_again();
            stage.wait_until("the coordinator to listen", || {
                coordinator.out().contains("listening on ")
            });
        } else {
            let place = round % 2;
            workers[place].signal(Signal::KILL);
            let again = fleet.start_worker(names[place]);
            std::mem::replace(&mut workers[place], again).finish();
        }
    }
    check_totals(&fleet.show(&id), PAIRS);
    workers.into_iter().for_each(end);
    end(coordinator);
    assert_eq!(stage.survivors(), [""; 0]);
}

#[test]
fn many_engines_meet_with_odds_and_all_their_pairs_are_played_once() {
    let stage = Stage::default();
    let (fleet, coordinator) = Fleet::start(&stage);
    let workers = ["attic", "cellar"].map(|name| fleet.start_worker(name));
    let test = |tournament: &str| {
        format!(
            "pairs = 6\ntournament = '{tournament}'\n[each]\nnodes = 60\n\
             [[engine]]\nname = 'a'\ncmd = 'sparring:3'\nnodes = 30\n\
             [[engine]]\nname = 'b'\ncmd = 'sparring:2'\n\
             [[engine]]\nname = 'c'\ncmd = 'sparring:1'\n"
        )
    };
    for (tournament, pairs, games) in [
        ("round-robin", 18, [24, 24, 24]),
        ("gauntlet", 12, [24, 12, 12]),
    ] {
        let id = fleet.submit(&test(tournament));
        let watch = fleet.start_with(&["watch", &id]).finish();
        assert_eq!(watch.code, Some(0), "{watch:#?}");
        let shown = fleet.show(&id);
        assert_eq!(shown["state"], "finished", "{shown:#}");
        assert_eq!(shown["pairs"], pairs, "{shown:#}");
        assert_eq!(shown["games"], 2 * pairs, "{shown:#}");
        for (engine, games) in shown["engines"].as_array().unwrap().iter().zip(games) {
            let count = |key: &str| engine[key].as_u64().unwrap();
            assert_eq!(
                count("wins") + count("losses") + count("draws"),
                games,
                "{shown:#}"
            );
            assert_eq!(count("illegal_moves") + count("crashes"), 0, "{shown:#}");
        }
        // The names are the engines', whatever pair came last.
        let names: Vec<&str> = shown["engines"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|engine| engine["name"].as_str())
            .collect();
        assert_eq!(names, ["a", "b", "c"]);
    }
    workers.into_iter().for_each(end);
    end(coordinator);
}

#[test]
fn an_engine_is_built_from_a_repository_and_another_is_uploaded() {
    let stage = Stage::default();
    stage.write_script("repository/engine.sh", "exec arbiter sparring --level 3");
    for words in [
        "init --quiet -b main",
        "add engine.sh",
        "-c user.name=A -c user.email=a@b commit --quiet -m one",
    ] {
        let mut git = Command::new("git");
        git.current_dir(stage.path("repository"))
            .args(words.split(' '));
        assert!(git.status().unwrap().success(), "git {words}");
    }
    stage.write_script("uploaded", "exec arbiter sparring --level 2");
    let (fleet, coordinator) = Fleet::start(&stage);
    let worker = fleet.start_worker("attic");
    let id = fleet.submit(
        "pairs = 4\n[each]\nnodes = 50\n[[engine]]\nname = 'built'\n\
         git = { url = 'repository', rev = 'main', build = 'cp engine.sh {out}' }\n\
         [[engine]]\ncmd = './uploaded'\n",
    );
    let watch = fleet.start_with(&["watch", &id]).finish();
    assert_eq!(watch.code, Some(0), "{watch:#?}");
    let shown = fleet.show(&id);
    check_totals(&shown, 4);
    assert_eq!(shown["engines"][0]["name"], "built");
    assert_eq!(shown["engines"][0]["crashes"], 0);
    end(worker);
    end(coordinator);
}

/// Its workers, its games and the test itself are found in lists and files.
#[track_caller]
fn check_lists(stage: &Stage, fleet: &Fleet<'_>, id: &str, worker: &str) {
    let json = |words: &[&str]| -> Vec<Value> { serde_json::from_str(&fleet.run(words)).unwrap() };
    let workers = json(&["workers", "--json"]);
    assert_eq!(workers.len(), 1);
    assert_eq!(workers[0]["id"], worker);
    assert!(workers[0]["cores"].as_u64() > Some(0), "{workers:?}");
    assert!(workers[0]["plays"].is_null(), "{workers:?}");
    let text = fleet.run(&["workers"]);
    assert!(text.contains("attic\u{fffd}"), "{text}");
    fleet.run(&["bar", worker, "--reason", "it is hot"]);
    let text = fleet.run(&["workers"]);
    assert!(text.contains("barred by admin: it is hot"), "{text}");
    fleet.run(&["unbar", worker]);
    let of = |state: &str| json(&["tests", "--state", state, "--owner", "admin", "--json"]);
    assert_eq!(of("finished")[0]["id"], id);
    assert!(of("paused").is_empty());
    fleet.run(&["games", id, "--out", "games.pgn"]);
    let games = stage.read("games.pgn");
    assert_eq!(games.matches("[Result ").count(), 12, "{games}");
    assert_eq!(fleet.run(&["games", id]).trim_end(), games.trim_end());
    let none = fleet
        .start_with(&["games", "nobody", "--out", "games.pgn"])
        .finish();
    assert_eq!(none.code, Some(2), "{none:#?}");
}

#[test]
fn a_test_is_counted_again_its_workers_are_shown_and_one_is_set_aside() {
    let stage = Stage::default();
    let (fleet, coordinator) = Fleet::start(&stage);
    let worker = fleet.start_worker("attic\u{202e}");
    let id = fleet.submit(
        "pairs = 6\n[each]\nnodes = 50\n[[engine]]\ncmd = 'sparring:2'\n[[engine]]\ncmd = 'sparring:1'\n",
    );
    let watch = fleet.start_with(&["watch", &id]).finish();
    assert_eq!(watch.code, Some(0), "{watch:#?}");
    end(worker);
    assert_eq!(
        fleet.run(&["recount", &id]),
        "equal: 6 pairs count, as their games say\n"
    );
    let shown = fleet.show(&id);
    let member = &shown["workers"][0];
    assert_eq!(member["pairs"], 6, "{shown:#}");
    assert_eq!(member["share"], 1.0);
    assert!(shown["heterogeneity"].is_object(), "{shown:#}");
    let text = fleet.run(&["show", &id]);
    assert!(text.contains("attic\u{fffd}"), "{text}");
    assert!(!text.contains('\u{202e}'), "{text}");
    let name = member["worker"].as_str().unwrap();
    check_lists(&stage, &fleet, &id, name);
    fleet.run(&[
        "set-aside",
        &id,
        "--worker",
        name,
        "--reason",
        "a hot summer",
    ]);
    let aside = fleet.show(&id);
    assert_eq!(
        (&aside["state"], &aside["pairs"]),
        (&"finished".into(), &0.into())
    );
    assert_eq!(aside["aside"]["with"]["pentanomial"], shown["pentanomial"]);
    let text = fleet.run(&["show", &id]);
    assert!(text.contains("6 pairs of attic"), "{text}");
    assert!(text.contains("by admin: a hot summer"), "{text}");
    let audit = fleet.run(&["audit", &id]);
    assert!(audit.contains("admin: set aside 6 pairs of "), "{audit}");
    let again = fleet
        .start_with(&["set-aside", &id, "--worker", "nobody", "--reason", "x"])
        .finish();
    assert_eq!(again.code, Some(2), "{again:#?}");
    fleet.run(&["bring-back", &id, "--worker", name]);
    assert_eq!(fleet.show(&id)["pentanomial"], shown["pentanomial"]);
    fleet.run(&["recount", &id, "--json"]);
    end(coordinator);
}

#[test]
fn a_copy_of_a_workers_folder_is_told_and_a_worker_that_is_killed_comes_back() {
    let stage = Stage::default();
    let (fleet, coordinator) = Fleet::start(&stage);
    // Nothing to do: it claims again and again.
    let start = |data: &str| fleet.start_with(&["worker", "--slots", "1", "--data", data]);
    let first = start("one");
    let answered = || {
        let log = coordinator.err();
        log.matches("/api/v1/claims").count()
    };
    stage.wait_until("a claim", || answered() > 0);
    first.signal(Signal::KILL);
    drop(first);
    let again = start("one");
    let before = answered();
    stage.wait_until("its next life", || answered() > before);
    let copied = Command::new("cp")
        .args(["-r", "one", "two"])
        .current_dir(stage.folder())
        .status();
    assert!(copied.expect("cp is there").success());
    let copy = start("two");
    let told = again.finish();
    assert_eq!(told.code, Some(2), "{told:#?}");
    assert!(
        told.err.contains("copy of this worker's folder"),
        "{told:#?}"
    );
    end(copy);
    end(coordinator);
}

#[test]
fn a_worker_in_a_game_without_end_hands_its_lease_back_and_ends_within_half_a_minute() {
    let stage = Stage::default();
    let (fleet, coordinator) = Fleet::start(&stage);
    let worker = fleet.start_worker("attic");
    let going = stage.path("going");
    stage.write_script(
        "slow",
        &format!(
            "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
             go) touch {}; sleep 1000;; quit) exit;; esac; done",
            going.display()
        ),
    );
    let id = fleet.submit(
        "pairs = 4\n[each]\ntc = '600+1'\n[[engine]]\ncmd = './slow'\n\
         [[engine]]\nname = 'other'\ncmd = './slow'\n",
    );
    stage.wait_until("a game", || going.exists());
    let told = Instant::now();
    end(worker);
    // The rest is for a busy machine.
    assert!(
        told.elapsed() < Duration::from_secs(40),
        "{:?}",
        told.elapsed()
    );
    let shown = fleet.show(&id);
    assert_eq!(shown["pairs_lent"], 0, "{shown:#}");
    assert_eq!(shown["state"], "queued", "{shown:#}");
    end(coordinator);
}
