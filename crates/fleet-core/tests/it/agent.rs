//! A worker and its adversary: messages are lost, answers come late or never, the coordinator is away,
//! leases lapse, the worker is killed. In virtual time.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use fleet_api::{Claimed, Directive, Grant, HeartbeatAnswer};
use fleet_core::agent::{Agent, CallFailure, Habits, Input, Output, Segment, SegmentId};
use match_core::moment::Moment;
use proptest::prelude::*;

/// Pairs of a lease.
const PAIRS: u64 = 6;
/// How long a call that is lost takes to fail.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How long preparing and each pair take.
const STEP: Duration = Duration::from_secs(5);

/// A coordinator that forgets nothing.
#[derive(Default)]
struct Coordinator {
    /// By the key of their claim.
    granted: BTreeMap<String, Option<Grant>>,
    /// Results by lease and pair, with how often each was reported.
    results: BTreeMap<(String, u64), u32>,
    over: BTreeSet<String>,
    /// It does not know leases that are over any more.
    forgets: bool,
    test_is_off: bool,
    returned: BTreeMap<String, String>,
    next: u64,
}

/// What happens to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Fine,
    /// It never arrives.
    Lost,
    /// It arrives, and the answer does not.
    Unanswered,
    /// The answer takes long.
    Slow,
    /// The lease of it lapses just before.
    Lapsed,
}

/// The worker's disk, which outlives it, and its world.
struct World {
    agent: Agent,
    now: Moment,
    coordinator: Coordinator,
    /// The coordinator cannot be reached until then.
    away_until: Moment,
    fate: Box<dyn FnMut() -> Fate>,
    /// What is on the disk: segments with their pairs.
    disk: BTreeMap<SegmentId, (String, Vec<u64>)>,
    /// What will be on it when it is kept.
    waiting: BTreeMap<SegmentId, (String, Vec<u64>)>,
    aside: Vec<SegmentId>,
    played: BTreeSet<(String, u64)>,
    next_segment: u64,
    /// What will be told, in the order of time.
    coming: BTreeMap<(Moment, u64), Input>,
    ticket: u64,
    playing: Option<Grant>,
    habits: Habits,
    /// Calls under way by kind: never two of one kind.
    calls: BTreeSet<&'static str>,
    claims: Vec<(String, Moment)>,
    log: Vec<String>,
    exited: Option<Moment>,
    /// What is told to stop does not.
    hangs: bool,
}

impl World {
    fn new(habits: Habits, fate: impl FnMut() -> Fate + 'static) -> Self {
        let mut world = Self {
            agent: Agent::new(Moment::ZERO, habits, 1, Vec::new()),
            now: Moment::ZERO,
            coordinator: Coordinator::default(),
            away_until: Moment::ZERO,
            fate: Box::new(fate),
            disk: BTreeMap::new(),
            waiting: BTreeMap::new(),
            aside: Vec::new(),
            played: BTreeSet::new(),
            next_segment: 0,
            coming: BTreeMap::new(),
            ticket: 0,
            playing: None,
            habits,
            calls: BTreeSet::new(),
            claims: Vec::new(),
            log: Vec::new(),
            exited: None,
            hangs: false,
        };
        world.drain();
        world
    }

    fn fine() -> Self {
        Self::new(Habits::default(), || Fate::Fine)
    }

    fn later(&mut self, wait: Duration, input: Input) {
        self.ticket += 1;
        self.coming.insert((self.now + wait, self.ticket), input);
    }

    fn tell(&mut self, input: Input) {
        match &input {
            Input::Claimed(_) => self.answered("claim"),
            Input::Reported(_) => self.answered("report"),
            Input::Beaten(_) => self.answered("heartbeat"),
            Input::Returned(_) => self.answered("return"),
            Input::Kept(segment) => {
                let (lease, pairs) = self.waiting.remove(&segment.id).expect("it was played");
                let played = pairs.iter().map(|&pair| (lease.clone(), pair));
                self.played.extend(played);
                self.disk.insert(segment.id, (lease, pairs));
            }
            Input::Ended { .. } => self.playing = None,
            Input::Prepared | Input::Drain | Input::Alarm => {}
        }
        self.agent.handle(self.now, input);
        self.drain();
    }

    fn answered(&mut self, kind: &'static str) {
        assert!(self.calls.remove(kind), "{kind} was not under way");
    }

    /// When the next thing happens.
    fn next_at(&self) -> Option<Moment> {
        let next = self.coming.keys().next().map(|&(at, _)| at);
        next.into_iter().chain(self.agent.wake_at()).min()
    }

    /// Lets the next thing happen.
    fn step(&mut self) -> bool {
        let Some(at) = self.next_at() else {
            return false;
        };
        let next = self.coming.keys().next().map(|&(at, _)| at);
        self.now = self.now.max(at);
        if next == Some(at) {
            let (_, input) = self.coming.pop_first().expect("there is one");
            self.tell(input);
        } else {
            self.tell(Input::Alarm);
        }
        self.exited.is_none()
    }

    fn run_until(&mut self, end: Moment) {
        while self.next_at().is_some_and(|next| next <= end) && self.step() {}
        self.now = self.now.max(end);
    }

    /// The process is killed and started again: what is on the disk is still there.
    fn kill(&mut self) {
        self.coming.clear();
        self.calls.clear();
        self.playing = None;
        let left = self
            .disk
            .iter()
            .map(|(&id, (lease, pairs))| Segment {
                id,
                lease: lease.clone(),
                pairs: pairs.len() as u64,
            })
            .collect();
        self.ticket += 1;
        self.agent = Agent::new(self.now, self.habits, self.ticket, left);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(output) = self.agent.poll() {
            assert_eq!(self.exited, None, "nothing follows `Exit`");
            match output {
                Output::Claim { key } => {
                    let bound = self.habits.spool_pairs;
                    assert!(self.agent.unacknowledged() <= bound, "the spool is full");
                    assert!(self.playing.is_none(), "it has work");
                    self.claims.push((key.clone(), self.now));
                    self.call("claim", |coordinator| {
                        Input::Claimed(coordinator.claim(&key))
                    });
                }
                Output::Prepare(grant) => {
                    self.log.push(format!("prepare {}", grant.lease));
                    self.playing = Some(grant);
                    self.later(STEP, Input::Prepared);
                }
                Output::Play => self.play(),
                Output::Cancel if self.hangs => {}
                Output::Cancel => {
                    self.log.push("cancel".to_owned());
                    self.coming.retain(|_, input| {
                        !matches!(
                            input,
                            Input::Prepared | Input::Kept(_) | Input::Ended { .. }
                        )
                    });
                    self.playing = None;
                    let trouble = String::new();
                    self.later(Duration::from_millis(100), ended(trouble));
                }
                Output::Report { lease, segments } => {
                    let pairs: Vec<u64> = segments
                        .iter()
                        .flat_map(|id| {
                            let (of, pairs) = &self.disk[id];
                            assert_eq!(*of, lease, "a report is of one lease");
                            pairs.clone()
                        })
                        .collect();
                    self.call("report", |coordinator| {
                        Input::Reported(coordinator.report(&lease, &pairs))
                    });
                }
                Output::Forget(segments) => {
                    for id in segments {
                        let (lease, pairs) = self.disk.remove(&id).expect("it is there");
                        for pair in pairs {
                            let known = self.coordinator.results.get(&(lease.clone(), pair));
                            assert!(known.is_some(), "forgotten before it was acknowledged");
                        }
                    }
                }
                Output::SetAside(segments) => {
                    for id in segments {
                        self.disk.remove(&id).expect("it is there");
                        self.aside.push(id);
                    }
                }
                Output::Heartbeat { lease } => self.call("heartbeat", |coordinator| {
                    Input::Beaten(coordinator.heartbeat(&lease))
                }),
                Output::GiveBack { lease, returned } => self.call("return", |coordinator| {
                    coordinator.returned.insert(lease.clone(), returned.trouble);
                    let is_new = coordinator.over.insert(lease);
                    Input::Returned(is_new.then_some(()).ok_or(CallFailure::Gone))
                }),
                Output::Exit => self.exited = Some(self.now),
            }
        }
    }

    /// Keeps pairs two by two and ends.
    fn play(&mut self) {
        let grant = self.playing.clone().expect("it was prepared");
        let mut wait = Duration::ZERO;
        for pair in (grant.first_pair..grant.first_pair + grant.pairs).step_by(2) {
            wait += STEP;
            let id = SegmentId(self.next_segment);
            self.next_segment += 1;
            self.ticket += 1;
            let segment = Segment {
                id,
                lease: grant.lease.clone(),
                pairs: 2,
            };
            self.coming
                .insert((self.now + wait, self.ticket), Input::Kept(segment));
            let pairs = vec![pair, pair + 1];
            self.waiting.insert(id, (grant.lease.clone(), pairs));
        }
        self.ticket += 1;
        let trouble = String::new();
        self.coming
            .insert((self.now + wait, self.ticket), ended(trouble));
    }

    fn call(&mut self, kind: &'static str, serve: impl FnOnce(&mut Coordinator) -> Input) {
        assert!(self.calls.insert(kind), "two calls of the kind `{kind}`");
        self.log.push(kind.to_owned());
        let fate = match (self.fate)() {
            _ if self.now < self.away_until => Fate::Lost,
            fate => fate,
        };
        let failed = || {
            let away = CallFailure::Away { retry_after: None };
            match kind {
                "claim" => Input::Claimed(Err(away)),
                "report" => Input::Reported(Err(away)),
                "heartbeat" => Input::Beaten(Err(away)),
                _ => Input::Returned(Err(away)),
            }
        };
        let (wait, answer) = match fate {
            Fate::Lost => (TIMEOUT, failed()),
            Fate::Unanswered => {
                serve(&mut self.coordinator);
                (TIMEOUT, failed())
            }
            Fate::Slow => (TIMEOUT - STEP, serve(&mut self.coordinator)),
            Fate::Lapsed => {
                let all = self.coordinator.granted.values().flatten();
                let last = all.map(|grant| grant.lease.clone()).max();
                self.coordinator.over.extend(last);
                (Duration::from_millis(20), serve(&mut self.coordinator))
            }
            Fate::Fine => (Duration::from_millis(20), serve(&mut self.coordinator)),
        };
        self.later(wait, answer);
    }

    /// All that was played is with the coordinator or on the disk.
    fn check_nothing_is_lost(&self) {
        let on_disk: BTreeSet<(String, u64)> = self
            .disk
            .values()
            .flat_map(|(lease, pairs)| pairs.iter().map(|&pair| (lease.clone(), pair)))
            .collect();
        for played in &self.played {
            let known = self.coordinator.results.contains_key(played);
            assert!(known || on_disk.contains(played), "{played:?} is lost");
        }
        assert_eq!(self.aside, []);
    }
}

impl Coordinator {
    fn claim(&mut self, key: &str) -> Result<Claimed, CallFailure> {
        if !self.granted.contains_key(key) {
            // A claim hands back what was held.
            let held = self.granted.values().flatten();
            self.over.extend(held.map(|grant| grant.lease.clone()));
            let lease = format!("lease-{:06}", self.next);
            let grant = Grant {
                lease,
                test: "test".to_owned(),
                spec: String::new(),
                first_pair: self.next * PAIRS,
                pairs: PAIRS,
                term_ms: 60_000,
            };
            self.next += 1;
            self.granted.insert(key.to_owned(), Some(grant));
        }
        Ok(Claimed {
            grant: self.granted[key].clone(),
            retry_after_ms: 0,
        })
    }

    fn report(&mut self, lease: &str, pairs: &[u64]) -> Result<Directive, CallFailure> {
        for &pair in pairs {
            *self.results.entry((lease.to_owned(), pair)).or_default() += 1;
        }
        Ok(self.directive(lease))
    }

    fn heartbeat(&mut self, lease: &str) -> Result<HeartbeatAnswer, CallFailure> {
        match (self.directive(lease), self.forgets) {
            (Directive::Stop, true) => Err(CallFailure::Gone),
            (directive, _) => Ok(HeartbeatAnswer {
                directive,
                test_is_off: self.test_is_off,
            }),
        }
    }

    fn directive(&self, lease: &str) -> Directive {
        match self.over.contains(lease) {
            true => Directive::Stop,
            false => Directive::Continue,
        }
    }
}

fn at(seconds: u64) -> Moment {
    Moment::ZERO + Duration::from_secs(seconds)
}

#[test]
fn lease_after_lease_is_played_and_reported() {
    let mut world = World::fine();
    world.run_until(at(100));
    // Preparing and three times two pairs take 20 s.
    assert!(world.coordinator.results.len() as u64 >= 4 * PAIRS);
    assert!(world.coordinator.results.values().all(|&times| times == 1));
    assert!(world.coordinator.returned.is_empty(), "all was played");
    assert_eq!(world.log.iter().filter(|word| *word == "claim").count(), 5);
    world.check_nothing_is_lost();
}

#[test]
fn a_worker_away_from_its_coordinator_keeps_what_it_plays_and_says_it_later() {
    let mut world = World::fine();
    world.run_until(at(12));
    world.away_until = at(5 * 3600);
    world.run_until(at(5 * 3600));
    let before = world.claims.len();
    // The lease was played to its end, and everything of it is still here.
    assert!(world.agent.unacknowledged() > 0);
    assert!(
        before < 400,
        "{before} claims in five hours: it waits longer and longer, up to a minute"
    );
    let mut keys: Vec<&String> = world.claims.iter().map(|(key, _)| key).collect();
    keys.dedup();
    assert_eq!(
        keys.len(),
        2,
        "an unanswered claim is made again with its key"
    );
    world.run_until(at(5 * 3600 + 200));
    assert!(world.coordinator.results.len() as u64 >= 2 * PAIRS);
    world.check_nothing_is_lost();
}

#[test]
fn no_claim_is_made_while_the_spool_is_full() {
    let habits = Habits {
        spool_pairs: 2 * PAIRS,
        ..Habits::default()
    };
    let mut world = World::new(habits, || Fate::Fine);
    // Reports are not taken, everything else is: the claim checks the bound (see `drain`).
    while world.now < at(3600) {
        let next = world.coming.values().next();
        if matches!(next, Some(Input::Reported(_))) {
            let key = *world.coming.keys().next().unwrap();
            let away = CallFailure::Away {
                retry_after: Some(Duration::from_secs(20)),
            };
            world.coming.insert(key, Input::Reported(Err(away)));
            // Nobody heard of it.
            world.coordinator.results.clear();
        }
        world.step();
    }
    assert_eq!(
        world.claims.len(),
        3,
        "two leases and what is over the bound"
    );
    assert_eq!(world.agent.unacknowledged(), 3 * PAIRS);
    assert_eq!(world.agent.state(), "idle");
}

#[test]
fn what_the_coordinator_asks_for_is_waited_for() {
    let mut world = World::fine();
    world.coming.clear();
    let away = CallFailure::Away {
        retry_after: Some(Duration::from_secs(100)),
    };
    world.tell(Input::Claimed(Err(away)));
    world.run_until(at(200));
    let second = world.claims[1].1;
    assert!(at(100) <= second && second <= at(126), "{second:?}");
}

#[test]
fn a_lease_that_is_over_is_cancelled_and_what_was_played_of_it_is_still_reported() {
    let mut world = World::fine();
    // Preparing until 5 s, two pairs at 10 s.
    world.run_until(at(11));
    world.coordinator.over.insert("lease-000000".to_owned());
    world.run_until(at(40));
    assert!(world.log.contains(&"cancel".to_owned()), "{:?}", world.log);
    assert!(
        world
            .coordinator
            .results
            .contains_key(&("lease-000000".to_owned(), 1))
    );
    assert!(world.coordinator.returned.is_empty(), "it is over already");
    assert!(world.log.contains(&"prepare lease-000001".to_owned()));
}

#[test]
fn what_is_being_prepared_is_finished_though_its_lease_is_over() {
    let mut world = World::fine();
    world.run_until(at(1));
    let lease = "lease-000000".to_owned();
    world.coming.clear();
    // A build takes 40 s, and the lease is over after 10.
    world.later(Duration::from_secs(40), Input::Prepared);
    world.coordinator.over.insert(lease);
    world.run_until(at(30));
    assert_eq!(world.agent.state(), "preparing");
    assert!(!world.log.contains(&"cancel".to_owned()));
    world.run_until(at(44));
    assert!(
        !world
            .played
            .iter()
            .any(|(lease, _)| lease == "lease-000000")
    );
    assert!(world.log.contains(&"prepare lease-000001".to_owned()));
}

#[test]
fn what_is_being_prepared_is_given_up_when_the_test_is_off() {
    let mut world = World::fine();
    world.run_until(at(1));
    world.coming.clear();
    // A build that hangs. First its lease lapses, for want of progress, and then the test is stopped.
    world.coordinator.over.insert("lease-000000".to_owned());
    world.run_until(at(100));
    assert_eq!(world.agent.state(), "preparing");
    world.coordinator.test_is_off = true;
    world.run_until(at(111));
    assert!(world.log.contains(&"cancel".to_owned()), "{:?}", world.log);
    world.coordinator.test_is_off = false;
    world.run_until(at(113));
    assert!(world.log.contains(&"prepare lease-000001".to_owned()));
    assert!(world.coordinator.returned.is_empty(), "it is over already");
}

#[test]
fn nobody_asks_again_for_a_lease_that_is_forgotten() {
    let mut world = World::fine();
    world.run_until(at(1));
    world.coming.clear();
    world.coordinator.over.insert("lease-000000".to_owned());
    world.coordinator.forgets = true;
    world.run_until(at(500));
    assert_eq!(world.agent.state(), "preparing");
    let beats = world.log.iter().filter(|word| *word == "heartbeat");
    assert_eq!(beats.count(), 1);
}

#[test]
fn what_cannot_be_prepared_is_given_back_with_the_reason_and_tried_less_and_less_often() {
    let mut world = World::fine();
    while world.now < at(3600) {
        if let Some(prepared) = world
            .coming
            .iter()
            .find(|(_, input)| **input == Input::Prepared)
            .map(|(&key, _)| key)
        {
            let trouble = "no compiler".to_owned();
            world.coming.insert(prepared, ended(trouble));
            world.playing = None;
        }
        world.step();
    }
    let returned = &world.coordinator.returned;
    assert!(returned.values().all(|trouble| trouble == "no compiler"));
    assert!((50..150).contains(&returned.len()), "{}", returned.len());
}

#[test]
fn told_to_end_it_says_what_it_has_and_gives_the_rest_back() {
    let mut world = World::fine();
    world.run_until(at(11));
    world.tell(Input::Drain);
    while world.step() {}
    let exited = world.exited.expect("it ends");
    assert!(exited < at(13), "{exited:?}");
    assert_eq!(world.coordinator.results.len(), 2);
    assert_eq!(world.coordinator.returned["lease-000000"], "");
}

#[test]
fn told_to_end_it_gives_back_also_what_does_not_stop() {
    // While it prepares, and while it plays.
    for begin in [1, 11] {
        let mut world = World::fine();
        world.hangs = true;
        world.run_until(at(begin));
        world
            .coming
            .retain(|_, input| !matches!(input, Input::Kept(_) | Input::Ended { .. }));
        world.tell(Input::Drain);
        world.coming.retain(|_, input| *input != Input::Prepared);
        while world.step() {}
        let took = world.exited.expect("it ends").since(at(begin));
        assert!(took <= Duration::from_secs(20), "{took:?}");
        assert_eq!(world.coordinator.returned["lease-000000"], "");
    }
}

#[test]
fn told_to_end_while_the_coordinator_is_away_it_ends_and_keeps_the_rest() {
    let mut world = World::fine();
    world.away_until = at(1000);
    world.coming.clear();
    world.kill();
    world.run_until(at(50));
    world.tell(Input::Drain);
    let told = world.now;
    while world.step() {}
    let took = world.exited.expect("it ends").since(told);
    assert!(took <= Duration::from_secs(20), "{took:?}");
    world.check_nothing_is_lost();
}

#[test]
fn once_is_one_lease() {
    let habits = Habits {
        once: true,
        ..Habits::default()
    };
    let mut world = World::new(habits, || Fate::Fine);
    while world.step() {}
    assert_eq!(world.coordinator.results.len() as u64, PAIRS);
    assert_eq!(world.claims.len(), 1);
    assert!(world.exited.is_some());
}

#[test]
fn a_segment_that_is_refused_does_not_take_others_with_it() {
    let mut agent = Agent::new(
        Moment::ZERO,
        Habits::default(),
        1,
        (1..=3)
            .map(|id| Segment {
                id: SegmentId(id),
                lease: "x".to_owned(),
                pairs: 1,
            })
            .collect(),
    );
    let mut aside = Vec::new();
    let mut forgotten = Vec::new();
    let mut reported = None;
    for _ in 0..20 {
        while let Some(output) = agent.poll() {
            match output {
                Output::Report { segments, .. } => reported = Some(segments),
                Output::SetAside(segments) => aside.extend(segments),
                Output::Forget(segments) => forgotten.extend(segments),
                _ => {}
            }
        }
        let Some(segments) = reported.take() else {
            break;
        };
        let answer = match segments.contains(&SegmentId(2)) {
            true => Err(CallFailure::Refused),
            false => Ok(Directive::Continue),
        };
        agent.handle(Moment::ZERO, Input::Reported(answer));
    }
    assert_eq!(aside, [SegmentId(2)]);
    assert_eq!(forgotten, [SegmentId(1), SegmentId(3)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_happens_to_messages_nothing_that_was_played_is_lost(
        seed in any::<u64>(),
        kills in proptest::collection::vec(1_u64..2_000, 0..4),
        absence in (0_u64..2_000, 0_u64..10_000),
    ) {
        let mut state = seed;
        let mut world = World::new(Habits::default(), move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            match (state >> 33) % 10 {
                0 => Fate::Lost,
                1 => Fate::Unanswered,
                2 => Fate::Slow,
                3 => Fate::Lapsed,
                _ => Fate::Fine,
            }
        });
        let mut kills = kills;
        kills.sort_unstable();
        for kill in kills {
            world.run_until(at(kill));
            world.check_nothing_is_lost();
            world.kill();
        }
        world.run_until(at(absence.0));
        world.away_until = at(absence.0 + absence.1);
        world.run_until(at(absence.0 + absence.1));
        // Then the network gets well.
        world.fate = Box::new(|| Fate::Fine);
        let now = world.now;
        world.run_until(now + Duration::from_secs(1_000));
        world.tell(Input::Drain);
        while world.step() {}
        prop_assert!(world.exited.is_some());
        world.check_nothing_is_lost();
        prop_assert!(world.disk.is_empty(), "all was said: {:?}", world.disk);
    }
}

fn ended(trouble: String) -> Input {
    let failure = None;
    Input::Ended { trouble, failure }
}
