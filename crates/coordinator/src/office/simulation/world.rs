//! What happens when, and the coordinator to which it happens.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fleet_api::{PairReport, Scope, SubmitTest};
use fleet_core::agent::Input;
use fleet_core::life::ApprovalPolicy;
use fleet_core::test_spec::Sha256 as Hash;
use sha2::{Digest, Sha256};
use sqlx::Row;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use super::WORKERS;
use super::dice::Dice;
use super::network::{Call, Request};
use super::report::START;
use super::worker::Worker;
use crate::office::{Office, Settings, User};
use crate::secret::hex;
use crate::{Artifacts, Clock, Disk, Store};

/// 2026-01-01 in milliseconds.
const BEGIN: u64 = 1_767_225_600_000;

/// The coordinator's clock is found up to so many milliseconds off, either way, when it is started.
const SKEW: u64 = 3_600_000;

#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A worker's alarm.
    Wake(usize),
    Arrive(Call, Request),
    Answer(Call, Input),
    /// A worker has played a pair under this lease, in this life.
    Played(usize, u64, String),
    /// A worker is ready to play.
    Ready(usize, u64),
    Die(usize),
    Live(usize),
    /// A worker's clock jumps.
    Jump(usize),
    Tend,
    Restart,
}

pub(super) struct World {
    pub(super) runtime: Runtime,
    folder: TempDir,
    clock: Arc<AtomicU64>,
    /// What the coordinator's clock is off by.
    skew: i64,
    pub(super) office: Office,
    pub(super) dice: Dice,
    now: u64,
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    events: BTreeMap<u64, Event>,
    next_event: u64,
    pub(super) workers: Vec<Worker>,
    /// All that honest workers ever played, by test: pairs, and what their games hash to.
    truth: BTreeMap<String, BTreeSet<(u64, u64)>>,
    /// Core-seconds that they played, by test.
    effort: BTreeMap<String, f64>,
    pub(super) tallies: Tallies,
}

/// How much has happened.
#[derive(Default)]
pub(super) struct Tallies {
    pub(super) messages: u64,
    pub(super) grants: u64,
    pub(super) deaths: u64,
    pub(super) lies: u64,
    restarts: u64,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
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
            truth: BTreeMap::new(),
            effort: BTreeMap::new(),
            tallies: Tallies::default(),
        };
        world.upload();
        for worker in 0..WORKERS.len() {
            world.workers.push(Worker::default());
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

    /// Gives a fixed test to the coordinator.
    pub(super) fn submit(&self, owner: &str, pairs: u64, weight: f64) -> String {
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

    /// Milliseconds since the beginning.
    pub(super) fn now(&self) -> u64 {
        self.now
    }

    /// Has `event` happen `after` milliseconds from now.
    pub(super) fn at(&mut self, after: u64, event: Event) {
        self.queue
            .push(Reverse((self.now + after, self.next_event)));
        self.events.insert(self.next_event, event);
        self.next_event += 1;
    }

    /// Lets the next thing happen.
    pub(super) fn step(&mut self) {
        let Reverse((at, id)) = self.queue.pop().expect("tending never ends");
        self.now = at;
        self.set_clock();
        match self.events.remove(&id).expect("each happens once") {
            Event::Wake(worker) => self.tell(worker, Input::Alarm),
            Event::Arrive(call, request) => self.arrive(call, &request),
            Event::Answer(call, answer) => self.hear(call, answer),
            Event::Ready(worker, life) if self.workers[worker].life == life => {
                self.tell(worker, Input::Prepared);
            }
            Event::Played(worker, life, lease) if self.workers[worker].life == life => {
                self.played(worker, &lease);
            }
            Event::Ready(..) | Event::Played(..) => {}
            Event::Die(worker) => self.die(worker),
            Event::Live(worker) => self.live(worker),
            Event::Jump(worker) => self.jump(worker),
            Event::Tend => {
                let tended = self.runtime.block_on(self.office.lapse_overdue());
                tended.expect("the store works");
                self.at(1000, Event::Tend);
            }
            Event::Restart => self.restart(),
        }
    }

    /// The coordinator is started again: its clock is looked at anew, and may show anything by now.
    fn restart(&mut self) {
        self.tallies.restarts += 1;
        self.skew = self.dice.below(2 * SKEW).cast_signed() - SKEW.cast_signed();
        self.set_clock();
        self.office = open(&self.runtime, &self.folder, &self.clock);
        let after = 60_000 + self.dice.below(2_000_000);
        self.at(after, Event::Restart);
    }

    fn set_clock(&self) {
        let shown = (BEGIN + self.now).saturating_add_signed(self.skew);
        self.clock.store(shown, Ordering::Relaxed);
    }

    /// An honest worker has played a pair.
    pub(super) fn remember(&mut self, test: &str, report: &PairReport, effort: f64) {
        let games = serde_json::to_string(&report.games).expect("JSON");
        let truth = self.truth.entry(test.to_owned()).or_default();
        truth.insert((report.pair, hash(&games)));
        *self.effort.entry(test.to_owned()).or_default() += effort;
    }

    pub(super) fn effort(&self, test: &str) -> f64 {
        self.effort[test]
    }

    /// Whether nobody has anything to report.
    pub(super) fn is_quiet(&self) -> bool {
        self.workers.iter().all(|worker| worker.spool.is_empty())
    }

    pub(super) fn tallies(&self) -> &Tallies {
        &self.tallies
    }

    /// How many pairs of a test are counted.
    pub(super) fn counted(&self, test: &str) -> u64 {
        let view = self.runtime.block_on(self.office.view(test));
        let view = view.expect("it is there");
        view.summary["pairs"].as_u64().expect("a number")
    }

    /// No pair, and so no opening, is with two at a time.
    pub(super) fn check_that_nobody_shares(&self) {
        let held = sqlx::query(
            "SELECT test, first_pair, pairs FROM leases WHERE state = 'held' \
             ORDER BY test, first_pair",
        );
        let held = held.fetch_all(&self.office.store().pool);
        let held = self.runtime.block_on(held).expect("the store works");
        let held: Vec<(String, i64, i64)> = held
            .iter()
            .map(|row| (row.get(0), row.get(1), row.get(2)))
            .collect();
        for pair in held.windows(2) {
            let [(test, first, pairs), (next_test, next, _)] = pair else {
                unreachable!("two each");
            };
            let apart = test != next_test || first + pairs <= *next;
            assert!(apart, "a pair is with two: {pair:?}");
        }
    }

    /// What is stored is what honest workers played, each pair once, and no other.
    pub(super) fn check_ledger(&self, test: &str, wanted: u64) {
        let truth = &self.truth[test];
        let mut next = 0;
        loop {
            let page = self.office.store().games(test, next, 1000);
            let page = self.runtime.block_on(page).expect("the store works");
            if page.is_empty() {
                break;
            }
            for (pair, games) in page {
                assert_eq!(pair, next, "each pair once");
                let is_true = truth.contains(&(pair, hash(&games)));
                assert!(is_true, "pair {pair} was not played so: {games}");
                next += 1;
            }
        }
        assert_eq!(next, wanted, "exactly full");
        let played = truth.last().map_or(0, |(pair, _)| pair + 1);
        assert_eq!(played, wanted, "what was played is counted");
        let view = self.runtime.block_on(self.office.view(test));
        let view = view.expect("it is there");
        assert_eq!(view.state.name(), "finished");
        assert_eq!(view.late_pairs, 0);
        assert_eq!(view.summary["pairs"], wanted);
    }
}

impl fmt::Display for Tallies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            messages,
            grants,
            deaths,
            lies,
            restarts,
        } = self;
        write!(
            f,
            "{messages} messages, {grants} leases, {deaths} deaths, {restarts} restarts, {lies} lies"
        )
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

pub(super) fn user(name: &str) -> User {
    User {
        name: name.to_owned(),
        scopes: vec![Scope::Submit, Scope::Worker],
        token: String::new(),
        expires: None,
    }
}

fn hash(games: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    games.hash(&mut hasher);
    hasher.finish()
}
