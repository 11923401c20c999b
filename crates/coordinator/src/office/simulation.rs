//! A whole fleet in virtual time: the agents of workers, this office and its store, and between them a
//! network that loses, repeats, delays and reorders, with workers that die, clocks that jump and a
//! coordinator that is started again. Everything comes from a seed.
//!
//! Whatever happens: each pair is counted once, as somebody played it, no pair is with two at a time,
//! fixed tests have exactly their pairs, and shares follow the weights. `ARBITER_SIMULATED_PAIRS` makes
//! it longer.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fleet_api::{
    Claim, Code, Directive, Fault, Game, Grant, Heartbeat, HostFacts, PairReport, PairStatus,
    Problem, Report, Returned, Scope, SubmitTest, Verdict,
};
use fleet_core::agent::{Agent, CallFailure, Habits, Input, Output, Segment, SegmentId};
use fleet_core::life::ApprovalPolicy;
use fleet_core::test_spec::Sha256 as Hash;
use match_core::moment::Moment;
use sha2::{Digest, Sha256};
use sqlx::Row;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use super::{Office, Settings, User};
use crate::secret::hex;
use crate::{Artifacts, Clock, Disk, Store};
use dice::Dice;

mod dice;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Workers, each with so many slots and so many seconds a pair.
const WORKERS: [(u32, u64); 12] = [
    (1, 8),
    (1, 20),
    (2, 8),
    (2, 12),
    (4, 10),
    (4, 9),
    (4, 30),
    (8, 8),
    (8, 10),
    (3, 7),
    (1, 60),
    (6, 11),
];

/// 2026-01-01 in milliseconds.
const BEGIN: u64 = 1_767_225_600_000;

#[derive(Clone, Debug)]
enum Request {
    Claim(Claim),
    Report(String, Vec<PairReport>),
    Heartbeat(String, u64),
    GiveBack(String, Returned),
}

#[derive(Clone, Debug)]
enum Event {
    /// A worker's alarm.
    Wake(usize),
    /// A request arrives; the answer, if there is to be one, belongs to this life and call.
    Arrive(usize, u64, u64, Request),
    /// An answer arrives.
    Answer(usize, u64, u64, Input),
    /// A worker has played a pair under this lease.
    Played(usize, u64, String),
    /// A worker is ready to play.
    Ready(usize, u64),
    Die(usize),
    Live(usize),
    Tend,
    Restart,
}

struct Worker {
    agent: Option<Agent>,
    life: u64,
    calls: u64,
    /// The call of each kind that an answer is waited for.
    pending: [u64; 4],
    grant: Option<Grant>,
    played: u64,
    plies: u64,
    /// What survives death.
    spool: BTreeMap<SegmentId, (Segment, Vec<PairReport>)>,
    next_segment: u64,
}

struct World {
    runtime: Runtime,
    folder: TempDir,
    clock: Arc<AtomicU64>,
    /// What the coordinator's clock is off by.
    skew: i64,
    office: Office,
    dice: Dice,
    now: u64,
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    events: BTreeMap<u64, Event>,
    next_event: u64,
    workers: Vec<Worker>,
    /// All that was ever played.
    truth: BTreeSet<(String, u64, String)>,
    grants: u64,
    /// Core-seconds that were played, by test.
    effort: BTreeMap<String, f64>,
}

impl World {
    fn new(seed: u64) -> Self {
        let memory = PathBuf::from("/dev/shm");
        let folder = match memory.is_dir() {
            true => tempfile::tempdir_in(memory),
            false => tempfile::tempdir(),
        };
        let folder = folder.expect("a folder");
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let clock = Arc::new(AtomicU64::new(BEGIN));
        let office = open(&runtime, &folder, &clock);
        let mut world = Self {
            runtime,
            folder,
            clock,
            skew: 0,
            office,
            dice: Dice::new(seed),
            now: 0,
            queue: BinaryHeap::new(),
            events: BTreeMap::new(),
            next_event: 0,
            workers: Vec::new(),
            truth: BTreeSet::new(),
            grants: 0,
            effort: BTreeMap::new(),
        };
        world.upload();
        for worker in 0..WORKERS.len() {
            world.workers.push(Worker {
                agent: None,
                life: 0,
                calls: 0,
                pending: [0; 4],
                grant: None,
                played: 0,
                plies: 0,
                spool: BTreeMap::new(),
                next_segment: 0,
            });
            world.at(1, Event::Live(worker));
        }
        world.at(1000, Event::Tend);
        world.at(40_000, Event::Restart);
        world
    }

    fn upload(&self) {
        let hash = Hash::parse(&hex(&Sha256::digest(START.as_bytes()))).expect("a hash");
        let artifacts = self.office.artifacts().clone();
        self.runtime.block_on(async {
            let mut upload = artifacts.upload(hash).await.expect("room");
            upload.write(START.as_bytes()).await.expect("room");
            upload.finish().await.expect("the same bytes");
        });
    }

    fn submit(&self, owner: &str, pairs: u64, weight: f64) -> String {
        let hash = hex(&Sha256::digest(START.as_bytes()));
        let spec = format!(
            "pairs = {pairs}\n[each]\nnodes = 100\n[[engine]]\nname = \"new\"\ncmd = \"sparring:2\"\n\
             [[engine]]\nname = \"old\"\ncmd = \"sparring:1\"\n[openings]\nfile = \"s.epd\"\n[fleet]\n\
             weight = {weight}\nartifacts = {{ \"s.epd\" = \"{hash}\" }}\n"
        );
        let test = SubmitTest {
            spec,
            idempotency_key: None,
        };
        let owner = user(owner);
        let submitted = self.office.submit(&owner, test);
        self.runtime.block_on(submitted).expect("a test").id
    }

    fn at(&mut self, after: u64, event: Event) {
        self.queue
            .push(Reverse((self.now + after, self.next_event)));
        self.events.insert(self.next_event, event);
        self.next_event += 1;
    }

    /// Lets the next thing happen.
    fn step(&mut self) {
        let Reverse((at, id)) = self.queue.pop().expect("tending never ends");
        self.now = at;
        self.set_clock();
        match self.events.remove(&id).expect("each happens once") {
            Event::Wake(worker) => self.tell(worker, Input::Alarm),
            Event::Arrive(worker, life, call, request) => self.arrive(worker, life, call, request),
            Event::Answer(worker, life, call, input) => {
                let kind = kind_of(&input);
                let known = &self.workers[worker];
                if known.life == life && known.pending[kind] == call {
                    self.workers[worker].pending[kind] = 0;
                    self.tell(worker, input);
                }
            }
            Event::Ready(worker, life) if self.workers[worker].life == life => {
                self.tell(worker, Input::Prepared);
            }
            Event::Played(worker, life, lease) if self.workers[worker].life == life => {
                self.played(worker, &lease);
            }
            Event::Ready(..) | Event::Played(..) => {}
            Event::Die(worker) => {
                self.workers[worker].agent = None;
                self.workers[worker].life += 1;
                let away = 5_000 + self.dice.below(400_000);
                self.at(away, Event::Live(worker));
            }
            Event::Live(worker) => self.live(worker),
            Event::Tend => {
                self.runtime
                    .block_on(self.office.lapse_overdue())
                    .expect("the store works");
                self.at(1000, Event::Tend);
            }
            Event::Restart => {
                // Its clock is looked at anew, and may show anything by now.
                self.skew = i64::try_from(self.dice.below(240_000)).expect("small") - 120_000;
                self.set_clock();
                self.office = open(&self.runtime, &self.folder, &self.clock);
                let after = 60_000 + self.dice.below(2_000_000);
                self.at(after, Event::Restart);
            }
        }
    }

    fn set_clock(&self) {
        let shown = i64::try_from(BEGIN + self.now).expect("years from the limit") + self.skew;
        self.clock.store(shown.unsigned_abs(), Ordering::Relaxed);
    }

    fn live(&mut self, worker: usize) {
        let seed = self.dice.next();
        let left = self.workers[worker]
            .spool
            .values()
            .map(|(segment, _)| segment.clone());
        let agent = Agent::new(self.moment(), Habits::default(), seed, left.collect());
        self.workers[worker].agent = Some(agent);
        self.workers[worker].grant = None;
        self.workers[worker].pending = [0; 4];
        let life = 60_000 + self.dice.below(3_000_000);
        self.at(life, Event::Die(worker));
        self.carry_out(worker);
    }

    fn moment(&self) -> Moment {
        Moment::from_nanos(self.now * 1_000_000)
    }

    fn tell(&mut self, worker: usize, input: Input) {
        let now = self.moment();
        if let Some(agent) = &mut self.workers[worker].agent {
            agent.handle(now, input);
            self.carry_out(worker);
        }
    }

    /// Does what a worker's agent wants.
    fn carry_out(&mut self, worker: usize) {
        while let Some(output) = self.workers[worker].agent.as_mut().and_then(Agent::poll) {
            match output {
                Output::Claim { key } => {
                    let claim = claim(worker, key);
                    self.call(worker, 0, Request::Claim(claim));
                }
                Output::Prepare(grant) => {
                    let known = &mut self.workers[worker];
                    known.grant = Some(grant);
                    known.played = 0;
                    let life = known.life;
                    self.at(2_000, Event::Ready(worker, life));
                }
                Output::Play => self.play(worker),
                Output::Cancel => {
                    self.workers[worker].grant = None;
                    self.tell(
                        worker,
                        Input::Ended {
                            trouble: String::new(),
                            failure: None,
                        },
                    );
                }
                Output::Report { lease, segments } => {
                    let spool = &self.workers[worker].spool;
                    let pairs = segments.iter().flat_map(|id| spool[id].1.clone()).collect();
                    self.call(worker, 1, Request::Report(lease, pairs));
                }
                Output::Heartbeat { lease } => {
                    let plies = self.workers[worker].plies;
                    self.call(worker, 2, Request::Heartbeat(lease, plies));
                }
                Output::GiveBack { lease, returned } => {
                    self.call(worker, 3, Request::GiveBack(lease, returned));
                }
                Output::Forget(segments) => {
                    for id in segments {
                        self.workers[worker].spool.remove(&id);
                    }
                }
                Output::SetAside(segments) => {
                    panic!("{segments:?} of an honest worker are refused")
                }
                Output::Exit => unreachable!("nobody told it to"),
            }
        }
        let wake = self.workers[worker].agent.as_ref().and_then(Agent::wake_at);
        if let Some(wake) = wake {
            let at = (wake.as_nanos().div_ceil(1_000_000)).max(self.now + 1);
            self.at(at - self.now, Event::Wake(worker));
        }
    }

    fn play(&mut self, worker: usize) {
        let life = self.workers[worker].life;
        let lease = self.workers[worker]
            .grant
            .as_ref()
            .expect("it was prepared")
            .lease
            .clone();
        let (slots, seconds) = WORKERS[worker];
        // All slots begin together, and then one after the other has a pair.
        let pair = match self.workers[worker].played {
            0 => seconds * 1000,
            _ => seconds * 1000 / u64::from(slots),
        };
        let jitter = self.dice.below(pair / 4 + 1);
        self.at(pair + jitter, Event::Played(worker, life, lease));
    }

    /// A pair is over: it is kept, and the next one begins.
    fn played(&mut self, worker: usize, lease: &str) {
        let whites_engine = self.dice.below(2) == 0;
        let known = &mut self.workers[worker];
        let Some(grant) = known.grant.clone().filter(|grant| grant.lease == lease) else {
            return;
        };
        let pair = grant.first_pair + known.played;
        known.played += 1;
        known.plies += 80;
        *self.effort.entry(grant.test.clone()).or_default() += WORKERS[worker].1 as f64;
        let report = crash(pair, whites_engine, WORKERS[worker].1 as f64);
        let games = serde_json::to_string(&report.games).expect("JSON");
        self.truth.insert((grant.test.clone(), pair, games));
        known.next_segment += 1;
        let segment = Segment {
            id: SegmentId(known.next_segment),
            lease: grant.lease.clone(),
            pairs: 1,
        };
        known
            .spool
            .insert(segment.id, (segment.clone(), vec![report]));
        let is_last = known.played == grant.pairs;
        self.tell(worker, Input::Kept(segment));
        if is_last {
            self.workers[worker].grant = None;
            self.tell(
                worker,
                Input::Ended {
                    trouble: String::new(),
                    failure: None,
                },
            );
        } else if self.workers[worker].grant.is_some() {
            self.play(worker);
        }
    }

    /// Sends a request through the network.
    fn call(&mut self, worker: usize, kind: usize, request: Request) {
        let known = &mut self.workers[worker];
        known.calls += 1;
        let (call, life) = (known.calls, known.life);
        known.pending[kind] = call;
        if self.dice.harm() {
            self.at(30_000, Event::Answer(worker, life, call, away(kind)));
        } else {
            let delay = self.delay();
            self.at(delay, Event::Arrive(worker, life, call, request.clone()));
        }
        if self.dice.harm() {
            let delay = self.delay();
            self.at(delay, Event::Arrive(worker, life, 0, request));
        }
    }

    fn delay(&mut self) -> u64 {
        let most = if self.dice.harm() { 60_000 } else { 300 };
        1 + self.dice.below(most)
    }

    fn arrive(&mut self, worker: usize, life: u64, call: u64, request: Request) {
        let (kind, input) = self.answer(&request);
        if call == 0 {
            return;
        }
        let (delay, input) = match self.dice.harm() {
            true => (30_000, away(kind)),
            false => (self.delay(), input),
        };
        self.at(delay, Event::Answer(worker, life, call, input));
    }

    /// What the coordinator answers.
    fn answer(&mut self, request: &Request) -> (usize, Input) {
        let office = self.office.clone();
        let worker = user("worker");
        match request {
            Request::Claim(claim) => {
                let answer = self.runtime.block_on(office.claim(&worker, claim.clone()));
                if answer.as_ref().is_ok_and(|claimed| claimed.grant.is_some()) {
                    self.grants += 1;
                    if self.grants.is_multiple_of(16) {
                        self.nobody_shares();
                    }
                }
                (
                    0,
                    Input::Claimed(answer.map_err(|problem| failure(&problem))),
                )
            }
            Request::Report(lease, pairs) => {
                let report = Report {
                    pairs: pairs.clone(),
                };
                let answer = self.runtime.block_on(office.report(&worker, lease, report));
                let answer = answer.map(|answer| {
                    for pair in &answer.pairs {
                        assert_ne!(pair.status, PairStatus::Refused, "{:?}", pair.why);
                    }
                    answer.directive
                });
                (
                    1,
                    Input::Reported(answer.map_err(|problem| failure(&problem))),
                )
            }
            Request::Heartbeat(lease, plies) => {
                let heartbeat = Heartbeat {
                    plies: *plies,
                    spool: None,
                };
                let answer = self
                    .runtime
                    .block_on(office.heartbeat(&worker, lease, heartbeat));
                let answer: Result<Directive, _> = answer.map(|answer| answer.directive);
                (
                    2,
                    Input::Beaten(answer.map_err(|problem| failure(&problem))),
                )
            }
            Request::GiveBack(lease, returned) => {
                let answer =
                    self.runtime
                        .block_on(office.take_back(&worker, lease, returned.clone()));
                (
                    3,
                    Input::Returned(answer.map_err(|problem| failure(&problem))),
                )
            }
        }
    }

    /// No pair, and so no opening, is with two at a time.
    fn nobody_shares(&self) {
        let row = self.runtime.block_on(
            sqlx::query(
                "SELECT COUNT(*) FROM leases a JOIN leases b ON a.test = b.test AND a.id < b.id \
                 AND a.state = 'held' AND b.state = 'held' \
                 AND a.first_pair < b.first_pair + b.pairs AND b.first_pair < a.first_pair + a.pairs",
            )
            .fetch_one(&self.office.store().pool),
        );
        let shared: i64 = row.expect("the store works").try_get(0).expect("a number");
        assert_eq!(shared, 0, "a pair is with two workers");
    }

    fn counted(&self, test: &str) -> u64 {
        let view = self
            .runtime
            .block_on(self.office.view(test))
            .expect("it is there");
        view.summary["pairs"].as_u64().expect("a number")
    }

    /// What is stored is what was played, each pair once.
    fn stored(&self, test: &str) -> Vec<(u64, String)> {
        let mut all = Vec::new();
        loop {
            let from = all.last().map_or(0, |(pair, _)| pair + 1);
            let page = self
                .runtime
                .block_on(self.office.store().games(test, from, 1000));
            let page = page.expect("the store works");
            if page.is_empty() {
                return all;
            }
            all.extend(page);
        }
    }
}

fn open(runtime: &Runtime, folder: &TempDir, clock: &Arc<AtomicU64>) -> Office {
    let artifacts = Artifacts::open(folder.path().join("artifacts"), 1 << 20).expect("a folder");
    let settings = Settings::new(
        ApprovalPolicy::Nobody,
        Clock::Told(Arc::clone(clock)),
        Disk::new(folder.path().to_owned(), 0),
    );
    let store = runtime
        .block_on(Store::open_sqlite(folder.path()))
        .expect("a store");
    Office::new(store, artifacts, settings)
}

fn user(name: &str) -> User {
    User {
        name: name.to_owned(),
        scopes: vec![Scope::Submit, Scope::Worker],
        token: String::new(),
        expires: None,
    }
}

fn claim(worker: usize, key: String) -> Claim {
    Claim {
        worker: format!("worker-{worker}"),
        claim: key,
        host: HostFacts {
            name: format!("worker-{worker}"),
            version: "0".to_owned(),
            platform: "x86_64-linux".to_owned(),
            cores: WORKERS[worker].0,
            memory_mib: 1 << 20,
            toolchains: Vec::new(),
            tablebases: 0,
        },
    }
}

/// A pair in which one side's engine crashes before its first move, both times.
fn crash(pair: u64, white: bool, seconds: f64) -> PairReport {
    let (loser, result) = if white {
        ("white", "0-1")
    } else {
        ("black", "1-0")
    };
    let game = |white: &str, black: &str| Game {
        white: white.to_owned(),
        black: black.to_owned(),
        result: result.to_owned(),
        verdict: Verdict {
            kind: "forfeit".to_owned(),
            reason: "crash".to_owned(),
            since_ply: None,
            loser: Some(loser.to_owned()),
            fault: Some(Fault::Crash),
        },
        start: START.to_owned(),
        book: String::new(),
        moves: String::new(),
        spent: Vec::new(),
        seconds: 0.5 * seconds,
    };
    PairReport {
        pair,
        games: [game("new", "old"), game("old", "new")],
        base_nps: None,
    }
}

fn kind_of(input: &Input) -> usize {
    match input {
        Input::Claimed(_) => 0,
        Input::Reported(_) => 1,
        Input::Beaten(_) => 2,
        Input::Returned(_) => 3,
        _ => unreachable!("no answer"),
    }
}

fn away(kind: usize) -> Input {
    let failure = CallFailure::Away { retry_after: None };
    match kind {
        0 => Input::Claimed(Err(failure)),
        1 => Input::Reported(Err(failure)),
        2 => Input::Beaten(Err(failure)),
        _ => Input::Returned(Err(failure)),
    }
}

fn failure(problem: &Problem) -> CallFailure {
    match problem.code {
        Code::NotFound | Code::Gone => CallFailure::Gone,
        Code::Unavailable | Code::Internal => CallFailure::Away { retry_after: None },
        _ => CallFailure::Refused,
    }
}

/// Three tests whose shares are an eighth, three eighths and a half, and as long in all as `pairs`.
fn simulate(seed: u64, pairs: u64) {
    let mut world = World::new(seed);
    let tests =
        [("ada", 1u64, 1.0), ("ada", 3, 3.0), ("bob", 4, 0.7)].map(|(owner, eighths, weight)| {
            let wanted = pairs * eighths / 8;
            (world.submit(owner, wanted, weight), wanted)
        });
    let all = |world: &World| tests.each_ref().map(|(test, _)| world.counted(test));
    let mut halfway = None;
    let limit = Duration::from_secs(60 * 60 * 24 * 365).as_millis() as u64;
    for step in 0u64.. {
        world.step();
        assert!(world.now < limit, "a year has passed: {:?}", all(&world));
        if step % 512 != 0 {
            continue;
        }
        let counted = all(&world);
        let sum: u64 = counted.iter().sum();
        if halfway.is_none() && sum > pairs * 3 / 5 {
            let effort = tests.each_ref().map(|(test, _)| world.effort[test]);
            let sum: f64 = effort.iter().sum();
            halfway = Some(effort.map(|effort| effort / sum));
        }
        let quiet = world.workers.iter().all(|worker| worker.spool.is_empty());
        if quiet
            && counted
                .iter()
                .zip(&tests)
                .all(|(counted, (_, wanted))| counted >= wanted)
        {
            break;
        }
    }
    world.nobody_shares();
    for (share, eighths) in halfway.expect("it passed").into_iter().zip([1.0, 3.0, 4.0]) {
        let error = share * 8.0 / eighths - 1.0;
        assert!(
            error.abs() < 0.05,
            "a share of {eighths} eighths is off by {error}"
        );
    }
    for (test, wanted) in &tests {
        let stored = world.stored(test);
        assert_eq!(stored.len() as u64, *wanted, "exactly full");
        for (i, (pair, games)) in stored.into_iter().enumerate() {
            assert_eq!(pair, i as u64);
            let played = (test.clone(), pair, games);
            assert!(
                world.truth.contains(&played),
                "pair {pair} was not played so"
            );
        }
        let view = world
            .runtime
            .block_on(world.office.view(test))
            .expect("it is there");
        assert_eq!(view.state.name(), "finished");
        assert_eq!(view.late_pairs, 0);
    }
}

#[test]
fn a_fleet_in_a_hostile_world_counts_every_pair_once() {
    let pairs = std::env::var("ARBITER_SIMULATED_PAIRS").ok();
    let pairs = pairs.map_or(20_000, |text| text.parse().expect("a number of pairs"));
    simulate(1, pairs);
}
