//! Workers: an agent each, which tells the world what to do, and what survives its death.

use std::collections::BTreeMap;

use fleet_api::{Grant, PairReport};
use fleet_core::agent::{Agent, Habits, Input, Output, Segment, SegmentId};
use match_core::moment::Moment;

use super::WORKERS;
use super::network::Request;
use super::report::{Honesty, crash, lie};
use super::world::{Event, World};

/// A worker's clock jumps forward by less than so many milliseconds: a machine that slept. (It is steady,
/// and cannot go back.)
const JUMP: u64 = 600_000;

#[derive(Default)]
pub(super) struct Worker {
    agent: Option<Agent>,
    pub(super) life: u64,
    pub(super) calls: u64,
    /// The call of each kind that an answer is waited for.
    pub(super) pending: [u64; 4],
    grant: Option<Grant>,
    played: u64,
    plies: u64,
    /// How far its clock is ahead, in milliseconds.
    ahead: u64,
    /// What survives death.
    pub(super) spool: BTreeMap<SegmentId, (Segment, Vec<PairReport>)>,
    next_segment: u64,
}

impl World {
    /// A worker is started, with what its last life left.
    pub(super) fn live(&mut self, worker: usize) {
        let seed = self.dice.next();
        let moment = self.moment(worker);
        let known = &mut self.workers[worker];
        let left = known.spool.values().map(|(segment, _)| segment.clone());
        let agent = Agent::new(moment, Habits::default(), seed, left.collect());
        known.agent = Some(agent);
        known.grant = None;
        known.pending = [0; 4];
        let life = 60_000 + self.dice.below(3_000_000);
        self.at(life, Event::Die(worker));
        let jump = self.dice.below(life);
        self.at(jump, Event::Jump(worker));
        self.carry_out(worker);
    }

    pub(super) fn die(&mut self, worker: usize) {
        self.tallies.deaths += 1;
        self.workers[worker].agent = None;
        self.workers[worker].life += 1;
        let away = 5_000 + self.dice.below(400_000);
        self.at(away, Event::Live(worker));
    }

    pub(super) fn jump(&mut self, worker: usize) {
        self.workers[worker].ahead += self.dice.below(JUMP);
        self.carry_out(worker);
    }

    fn moment(&self, worker: usize) -> Moment {
        Moment::from_nanos((self.now() + self.workers[worker].ahead) * 1_000_000)
    }

    pub(super) fn tell(&mut self, worker: usize, input: Input) {
        let now = self.moment(worker);
        if let Some(agent) = &mut self.workers[worker].agent {
            agent.handle(now, input);
            self.carry_out(worker);
        }
    }

    /// Does what a worker's agent wants.
    fn carry_out(&mut self, worker: usize) {
        while let Some(output) = self.workers[worker].agent.as_mut().and_then(Agent::poll) {
            match output {
                Output::Claim { key } => self.call(worker, Request::Claim(key)),
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
                    self.tell(worker, ended());
                }
                Output::Report { lease, segments } => {
                    let spool = &self.workers[worker].spool;
                    let pairs = segments.iter().flat_map(|id| spool[id].1.clone()).collect();
                    self.call(worker, Request::Report(lease, pairs));
                }
                Output::Heartbeat { lease } => {
                    let plies = self.workers[worker].plies;
                    self.call(worker, Request::Heartbeat(lease, plies));
                }
                Output::GiveBack { lease, returned } => {
                    self.call(worker, Request::GiveBack(lease, returned));
                }
                Output::Forget(segments) => {
                    for id in segments {
                        self.workers[worker].spool.remove(&id);
                    }
                }
                Output::SetAside(segments) => {
                    panic!("{segments:?} are refused as a whole: that is no request of an agent")
                }
                Output::Exit => unreachable!("nobody told it to"),
            }
        }
        let known = &self.workers[worker];
        if let Some(wake) = known.agent.as_ref().and_then(Agent::wake_at) {
            let wake = wake.as_nanos().div_ceil(1_000_000);
            let at = wake.saturating_sub(known.ahead).max(self.now() + 1);
            self.at(at - self.now(), Event::Wake(worker));
        }
    }

    fn play(&mut self, worker: usize) {
        let known = &self.workers[worker];
        let grant = known.grant.as_ref().expect("it was prepared");
        let (life, lease) = (known.life, grant.lease.clone());
        let (slots, seconds, _) = WORKERS[worker];
        // All slots begin together, and then one after the other has a pair.
        let pair = match known.played {
            0 => seconds * 1000,
            _ => seconds * 1000 / u64::from(slots),
        };
        let jitter = self.dice.below(pair / 4 + 1);
        self.at(pair + jitter, Event::Played(worker, life, lease));
    }

    /// A pair is over: it is kept, and the next one begins.
    pub(super) fn played(&mut self, worker: usize, lease: &str) {
        let whites_engine = self.dice.below(2) == 0;
        let known = &mut self.workers[worker];
        let Some(grant) = known.grant.clone().filter(|grant| grant.lease == lease) else {
            return;
        };
        let pair = grant.first_pair + known.played;
        known.played += 1;
        known.plies += 80;
        let (_, seconds, honesty) = WORKERS[worker];
        let report = crash(pair, whites_engine, seconds as f64);
        let report = match honesty {
            Honesty::Honest => {
                self.remember(&grant.test, &report, seconds as f64);
                report
            }
            Honesty::Lying => lie(report, &mut self.dice),
        };
        let known = &mut self.workers[worker];
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
            self.tell(worker, ended());
        } else if self.workers[worker].grant.is_some() {
            self.play(worker);
        }
    }
}

fn ended() -> Input {
    Input::Ended {
        trouble: String::new(),
        failure: None,
    }
}
