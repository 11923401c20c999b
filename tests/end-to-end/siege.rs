//! A fleet under siege: coordinators and workers are killed again and again, at times from a seed, and at
//! the end the totals are those of the workers' own journals.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use end_to_end::{Game, ObjectStorage, Postgres, Running, Stage};
use engine_core::{CastlingStyle, Position};
use rustix::process::Signal;
use serde_json::{Value, json};

/// Longer than it takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Workers.
const WORKERS: usize = 4;

/// One process dies each so many milliseconds on average.
const LULL_MS: u64 = 500;

/// The first coordinator made it.
const TOKEN: &str = "here/admin-token";

#[test]
fn on_sqlite_the_totals_are_those_of_the_workers_journals() {
    let stage = Stage::default();
    let words = ["--data", "here"].map(str::to_owned);
    Siege::lay(&stage, &[words.to_vec()], &[], 1).fight(300);
}

#[test]
fn on_postgresql_two_coordinators_count_what_is_in_the_workers_journals() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let stage = Stage::default();
    let database = postgres.database("siege");
    let storage = ObjectStorage::start();
    // They share nothing on the disk but who they are.
    let secret = "5e".repeat(32);
    for data in ["here", "there"] {
        stage.write(&format!("{data}/signing-secret"), format!("{secret}\n"));
    }
    let words = ["here", "there"].map(|data| {
        let words = [
            "--data",
            data,
            "--database",
            &database,
            "--artifacts",
            "s3://fleet/siege",
        ];
        words.map(str::to_owned).to_vec()
    });
    Siege::lay(&stage, &words, &storage.variables(), 2).fight(300);
}

/// A fleet whose processes die.
struct Siege<'a> {
    stage: &'a Stage,
    posts: Vec<Post<'a>>,
    workers: Vec<Worker<'a>>,
    /// Of coordinators' environments.
    variables: Vec<(String, String)>,
    dice: Dice,
}

/// A coordinator, and where it listens, life after life.
struct Post<'a> {
    /// What it is started with.
    words: Vec<String>,
    address: String,
    process: Running<'a>,
}

/// A worker, and whom it works for in this life.
struct Worker<'a> {
    post: usize,
    process: Running<'a>,
}

/// The games of a pair as one of the journals has them.
type Games = [PlayedGame; 2];

/// What a journal and a PGN must say alike of a game.
#[derive(Clone, Debug, PartialEq)]
struct PlayedGame {
    white: String,
    black: String,
    result: String,
    termination: String,
    moves: Vec<String>,
}

impl<'a> Siege<'a> {
    /// Starts coordinators, each with its words, and workers, which are divided between them.
    fn lay(
        stage: &'a Stage,
        posts: &[Vec<String>],
        variables: &[(String, String)],
        seed: u64,
    ) -> Self {
        let mut siege = Self {
            stage,
            variables: variables.to_vec(),
            posts: Vec::new(),
            workers: Vec::new(),
            dice: Dice(seed),
        };
        for words in posts {
            let (process, address) = siege.start_coordinator(words, "127.0.0.1:0");
            siege.posts.push(Post {
                words: words.clone(),
                address,
                process,
            });
        }
        for worker in 0..WORKERS {
            let post = worker % posts.len();
            let process = siege.start_worker(worker, post);
            siege.workers.push(Worker { post, process });
        }
        siege
    }

    fn start_coordinator(&self, words: &[String], listen: &str) -> (Running<'a>, String) {
        let mut command = self.stage.command(self.stage.program());
        command.args(["serve", "--listen", listen]).args(words);
        command.envs(self.variables.iter().cloned());
        let process = Running::start(self.stage, command);
        self.stage.wait_until("a coordinator to listen", || {
            process.out().contains("listening on ") && self.stage.path(TOKEN).exists()
        });
        let out = process.out();
        let address = out
            .lines()
            .find_map(|line| line.strip_prefix("listening on "));
        let address = address.expect("it says where").to_owned();
        (process, address)
    }

    fn start_worker(&self, worker: usize, post: usize) -> Running<'a> {
        let name = folder(worker);
        self.start(
            post,
            &["worker", "--slots", "1", "--data", &name, "--name", &name],
        )
    }

    /// Starts a command that talks to a coordinator.
    fn start(&self, post: usize, words: &[&str]) -> Running<'a> {
        let connection = ["--server", &self.posts[post].address, "--token-file", TOKEN];
        self.stage.start(&[words, &connection].concat())
    }

    /// Plays a test while processes die, and compares.
    fn fight(mut self, pairs: u64) {
        let id = self.submit(pairs);
        let begun = Instant::now();
        let mut deaths = [0, 0];
        loop {
            let shown = self.show(0, &id);
            if shown["state"] == "finished" {
                break;
            }
            assert!(begun.elapsed() < PATIENCE, "{shown:#}");
            // Not to wait for anything: a death at any moment is what is tried.
            thread::sleep(Duration::from_millis(self.dice.below(2 * LULL_MS)));
            let victims = (WORKERS + self.posts.len()) as u64;
            let victim = usize::try_from(self.dice.below(victims)).expect("few");
            match victim.checked_sub(WORKERS) {
                None => self.kill_worker(victim),
                Some(post) => self.kill_coordinator(post),
            }
            deaths[usize::from(victim < WORKERS)] += 1;
        }
        assert!(deaths.iter().all(|&deaths| deaths > 2), "{deaths:?} deaths");
        for worker in std::mem::take(&mut self.workers) {
            end(worker.process);
        }
        self.compare(&id, pairs);
        for post in self.posts {
            end(post.process);
        }
        assert_eq!(self.stage.survivors(), [""; 0]);
    }

    /// Its next life is in the service of the next coordinator.
    fn kill_worker(&mut self, worker: usize) {
        self.workers[worker].process.signal(Signal::KILL);
        let post = (self.workers[worker].post + 1) % self.posts.len();
        let process = self.start_worker(worker, post);
        let dead = std::mem::replace(&mut self.workers[worker], Worker { post, process });
        dead.process.finish();
    }

    fn kill_coordinator(&mut self, post: usize) {
        self.posts[post].process.signal(Signal::KILL);
        let Post { words, address, .. } = &self.posts[post];
        let listen = address.trim_start_matches("http://");
        let (process, _) = self.start_coordinator(words, listen);
        std::mem::replace(&mut self.posts[post].process, process).finish();
    }

    fn submit(&self, pairs: u64) -> String {
        self.stage
            .write_script("uploaded", "exec arbiter sparring --level 3");
        let spec = format!(
            "pairs = {pairs}\n[each]\nnodes = 300\n[[engine]]\ncmd = './uploaded'\n\
             [[engine]]\ncmd = 'sparring:4'\n"
        );
        let spec = self.stage.write("test.toml", spec);
        let submitted = self.ask(0, &["submit", &spec, "--json"]);
        submitted["id"].as_str().expect("a name").to_owned()
    }

    fn show(&self, post: usize, id: &str) -> Value {
        self.ask(post, &["show", id, "--json"])
    }

    /// What a command that talks to a coordinator says.
    fn ask(&self, post: usize, words: &[&str]) -> Value {
        let run = self.start(post, words).finish();
        assert_eq!(run.code, Some(0), "{run:#?}");
        serde_json::from_str(&run.out).expect("JSON")
    }

    /// What the coordinators say is what the journals say.
    fn compare(&self, id: &str, pairs: u64) {
        let journals = self.journals(id);
        let numbers: Vec<u64> = journals.keys().copied().collect();
        assert_eq!(
            numbers,
            (0..pairs).collect::<Vec<_>>(),
            "played by somebody"
        );
        for post in 0..self.posts.len() {
            let counted = self.counted(post, id);
            let numbers: Vec<u64> = counted.keys().copied().collect();
            assert_eq!(numbers, (0..pairs).collect::<Vec<_>>(), "each pair once");
            for (pair, games) in &counted {
                let played = &journals[pair];
                assert!(
                    played.contains(games),
                    "pair {pair}: {games:?}, not {played:?}"
                );
            }
            let shown = self.show(post, id);
            for (key, total) in totals(counted.values()) {
                assert_eq!(shown.pointer(key), Some(&total), "{key} of {shown:#}");
            }
        }
    }

    /// What the workers say they played: each pair, and its games. Somebody who was thought dead may have
    /// played a pair that was played again by another one.
    fn journals(&self, id: &str) -> BTreeMap<u64, Vec<Games>> {
        let mut all: BTreeMap<u64, Vec<Games>> = BTreeMap::new();
        for worker in 0..WORKERS {
            let folder = self.stage.path(&folder(worker));
            let spool = fs::read_dir(folder.join("spool")).expect("it is there");
            assert_eq!(spool.count(), 0, "everything is acknowledged");
            let journal = fs::read_to_string(folder.join("played.jsonl")).expect("it is there");
            for line in journal.lines() {
                let line: Value = serde_json::from_str(line).expect("a whole line");
                assert_eq!(line["test"], id);
                let games = [0, 1].map(|game| PlayedGame::of_report(&line["games"][game]));
                let pair = line["pair"].as_u64().expect("a number");
                let played = all.entry(pair).or_default();
                if !played.contains(&games) {
                    played.push(games);
                }
            }
        }
        all
    }

    /// The games that a coordinator counted.
    fn counted(&self, post: usize, id: &str) -> BTreeMap<u64, Games> {
        let url = format!("{}/api/v1/tests/{id}/games", self.posts[post].address);
        let token = self.stage.read(TOKEN);
        let answer = ureq::get(url)
            .header("authorization", format!("Bearer {}", token.trim()))
            .call();
        let mut answer = answer.expect("it answers");
        let pgn = answer
            .body_mut()
            .with_config()
            .limit(1 << 30)
            .read_to_string();
        let games = Game::read_all(&pgn.expect("PGN is text"));
        let mut counted = BTreeMap::new();
        for pair in games.chunks(2) {
            let [first, second] = pair else {
                panic!("half a pair: {pair:?}");
            };
            let number = first.tag("Round").split('.').next().expect("a part");
            let number: u64 = number.parse().expect("a number");
            let games = [first, second].map(PlayedGame::of_pgn);
            assert_eq!(
                counted.insert(number - 1, games),
                None,
                "a pair counts twice"
            );
        }
        counted
    }
}

impl PlayedGame {
    /// A game as workers report and keep it.
    fn of_report(game: &Value) -> Self {
        let text = |key: &str| game[key].as_str().expect("text").to_owned();
        let mut position: Position = text("start").parse().expect("a position");
        let moves = format!("{} {}", text("book"), text("moves"));
        let moves = moves.split_ascii_whitespace().map(|mv| {
            let mv = position.parse_uci(mv, CastlingStyle::Standard);
            let mv = mv.expect("a legal move");
            let san = position.san(mv).to_string();
            position.play_unchecked(mv);
            san
        });
        Self {
            white: text("white"),
            black: text("black"),
            result: text("result"),
            termination: game["verdict"]["reason"].as_str().expect("text").to_owned(),
            moves: moves.collect(),
        }
    }

    fn of_pgn(game: &Game) -> Self {
        Self {
            white: game.tag("White").to_owned(),
            black: game.tag("Black").to_owned(),
            result: game.tag("Result").to_owned(),
            termination: game.tag("Termination").to_owned(),
            moves: game.moves().iter().map(|&mv| mv.to_owned()).collect(),
        }
    }

    /// Half points of the first engine, which has the white pieces in the first game.
    fn half_points(&self, has_white: bool) -> usize {
        match (self.result.as_str(), has_white) {
            ("1-0", true) | ("0-1", false) => 2,
            ("1/2-1/2", _) => 1,
            _ => 0,
        }
    }
}

/// What must be shown of these pairs, by its place in what is shown.
fn totals<'g>(pairs: impl Iterator<Item = &'g Games>) -> Vec<(&'static str, Value)> {
    let (mut pentanomial, mut wdl) = ([0u64; 5], [0u64; 3]);
    for [first, second] in pairs {
        let points = [first.half_points(true), second.half_points(false)];
        pentanomial[points[0] + points[1]] += 1;
        points.iter().for_each(|&points| wdl[points] += 1);
    }
    let games: u64 = wdl.iter().sum();
    vec![
        ("/pairs", json!(games / 2)),
        ("/games", json!(games)),
        ("/pentanomial", json!(pentanomial)),
        ("/engines/0/wins", json!(wdl[2])),
        ("/engines/0/draws", json!(wdl[1])),
        ("/engines/0/losses", json!(wdl[0])),
    ]
}

fn folder(worker: usize) -> String {
    format!("worker-{worker}")
}

/// Tells a process to end, and waits until it has.
#[track_caller]
fn end(process: Running<'_>) {
    process.signal(Signal::TERM);
    let run = process.finish();
    assert_eq!(run.code, Some(0), "{run:#?}");
}

/// Numbers from a seed: SplitMix64 (Steele, Lea and Flood 2014).
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % most
    }
}
