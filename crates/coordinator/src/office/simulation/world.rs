//! What happens when, and the coordinator to which it happens.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher};

use fleet_api::{PairReport, Scope, SubmitTest};
use fleet_core::agent::Input;
use fleet_core::test_spec::Sha256 as Hash;
use sha2::{Digest, Sha256};
use sqlx::Row;

use super::WORKERS;
use super::coordinator::Coordinator;
use super::dice::Dice;
use super::network::{Call, Request};
use super::report::START;
use super::worker::Worker;
use crate::office::{Office, User};
use crate::secret::hex;
use crate::store::crash::Point;

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
    /// The coordinator will end in the middle of something.
    Arm(Point),
}

pub(super) struct World {
    pub(super) coordinator: Coordinator,
    /// The longest that it lives, in milliseconds, and some seconds more.
    longest_life: u64,
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
    /// Of these, in the middle of something.
    pub(super) crashes: u64,
}

impl World {
    pub(super) fn new(seed: u64, longest_life: u64) -> Self {
        let mut world = Self {
            coordinator: Coordinator::start(),
            longest_life,
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
        self.coordinator.look(async |office| {
            let mut upload = office.artifacts().upload(hash).await.expect("room");
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
        let submitted = self
            .coordinator
            .look(async |office| office.submit(&owner, test).await);
        submitted.expect("a test").id
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
        self.coordinator.set_clock(at);
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
                self.tend();
                self.at(1000, Event::Tend);
            }
            Event::Restart => self.restart(),
            Event::Arm(point) => self.coordinator.arm(point),
        }
    }

    pub(super) fn tend(&mut self) {
        let tended = self.ask(async |office| office.lapse_overdue().await);
        tended.unwrap_or(Ok(())).expect("the store works");
    }

    /// How many workers hold leases of a test.
    pub(super) fn held(&self, test: &str) -> u64 {
        let lent = self
            .coordinator
            .look(async |office| office.store().lent(test).await);
        lent.expect("the store works").1
    }

    /// The coordinator is started again: its clock is looked at anew, and may show anything by now.
    fn restart(&mut self) {
        self.tallies.restarts += 1;
        let skew = self.dice.below(2 * SKEW).cast_signed() - SKEW.cast_signed();
        self.coordinator.restart(self.now, skew);
        let after = 20_000 + self.dice.below(self.longest_life);
        let next = match self.dice.below(3) {
            0 => Event::Restart,
            1 => Event::Arm(Point::BeforeCommit),
            _ => Event::Arm(Point::AfterCommit),
        };
        self.at(after, next);
    }

    /// Asks the coordinator. If it ends over it, it is started again and there is no answer.
    pub(super) fn ask<T>(&mut self, request: impl AsyncFnOnce(Office) -> T) -> Option<T> {
        let answer = self.coordinator.ask(request);
        if answer.is_none() {
            self.tallies.crashes += 1;
            self.restart();
        }
        answer
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
        let view = self
            .coordinator
            .look(async |office| office.view(test).await);
        let view = view.expect("it is there");
        view.summary["pairs"].as_u64().expect("a number")
    }

    /// No pair, and so no opening, is with two at a time.
    pub(super) fn check_that_nobody_shares(&self) {
        let held = sqlx::query(
            "SELECT test, first_pair, pairs FROM leases WHERE state = 'held' \
             ORDER BY test, first_pair",
        );
        let held = self
            .coordinator
            .look(async |office| held.fetch_all(&office.store().pool).await);
        let held = held.expect("the store works");
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
            let page = self
                .coordinator
                .look(async |office| office.store().games(test, next, 1000).await);
            let page = page.expect("the store works");
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
        let view = self
            .coordinator
            .look(async |office| office.view(test).await);
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
            crashes,
        } = self;
        write!(
            f,
            "{messages} messages, {grants} leases, {deaths} deaths, {restarts} restarts, {crashes} of them in the \
             middle of a write, {lies} lies"
        )
    }
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
