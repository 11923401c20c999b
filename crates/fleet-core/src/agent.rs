//! A worker: claims, prepares, plays, reports; whatever becomes of the network.
//!
//! ```text
//!         +---------------------- nothing to do, refused, backoff ----------------------+
//!         v                                                                             |
//! Reporting --all said--> Idle --claim--> Claiming --granted--> Preparing --ready--> Playing
//!     ^  \                                                          |                   |
//!     |   +--something is left--> Returning --> Idle                |                   |
//!     +------------------- trouble, all played, cancelled ----------+-------------------+
//! ```
//!
//! Results are reported while play goes on, from the spool, and stay there until they are
//! acknowledged: whatever lease they belong to, and whether or not that lease still exists. Only what
//! the coordinator refuses for good is set aside. A worker first gets rid of what it has and then
//! claims, because a claim hands back what it still holds; but a coordinator that takes claims and
//! no reports does not stop it until the spool is full.

use std::collections::VecDeque;
use std::time::Duration;

use fleet_api::{Claimed, Directive, Failure, Grant, HeartbeatAnswer, Returned};
use match_core::moment::Moment;

mod backoff;
mod spool;
mod words;

use backoff::{Backoff, Dice};
use spool::Spool;
pub use spool::{Segment, SegmentId};
pub use words::{CallFailure, Input, Output};

/// How often a worker says that it is alive, and hears whether it is to stop.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// How long the results of a lease are waited for before the next claim.
const REPORT_PATIENCE: Duration = Duration::from_secs(60);

/// From being told to end until the end, whatever is still unsaid. Who sends SIGTERM sends SIGKILL
/// half a minute later, and something is left for the engines' own end.
const DRAIN_PATIENCE: Duration = Duration::from_secs(20);

/// So long before that the lease is handed back, whatever still prepares or plays: a call takes milliseconds,
/// or is lost and made again.
const FAREWELL: Duration = Duration::from_secs(5);

/// How a worker behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habits {
    /// The most pairs of a report, so that a request has a few hundred kilobytes.
    pub report_pairs: u64,
    /// No claim while more pairs than this wait in the spool.
    pub spool_pairs: u64,
    /// Ends after one lease, or when there is none.
    pub once: bool,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            report_pairs: 32,
            spool_pairs: 20_000,
            once: false,
        }
    }
}

/// The machine of a worker.
#[derive(Clone, Debug)]
pub struct Agent {
    habits: Habits,
    dice: Dice,
    now: Moment,
    state: State,
    spool: Spool,
    /// The report that is under way.
    reporting: Option<(String, Vec<SegmentId>)>,
    report_backoff: Backoff,
    /// The key of the claim that was never answered, to be used again.
    claim_key: Option<String>,
    claim_backoff: Backoff,
    /// Leases that failed in a row: one machine's trouble must not eat a test's leases.
    trouble_backoff: Backoff,
    heartbeat: Heartbeat,
    /// When to end at the latest, once it was told to.
    drain_until: Option<Moment>,
    outputs: VecDeque<Output>,
}

#[derive(Clone, Debug)]
enum State {
    /// Asks for work from then on.
    Idle { from: Moment },
    /// The claim is under way.
    Claiming,
    /// Engines and book are fetched, built and started.
    Preparing(Lease),
    /// Games are played.
    Playing(Lease),
    /// Play is over; what was played is being reported.
    Reporting {
        lease: Option<Lease>,
        returned: Returned,
        until: Moment,
    },
    /// The rest of the lease is given back.
    Returning {
        lease: Lease,
        returned: Returned,
        until: Moment,
        backoff: Backoff,
        is_asked: bool,
    },
    /// It has ended.
    Over,
}

#[derive(Clone, Debug)]
struct Lease {
    grant: Grant,
    /// Pairs that came into the spool.
    kept: u64,
    /// It is over for the coordinator: nothing need be given back.
    revoked: bool,
    /// The coordinator does not know it any more, and says nothing of its test either.
    forgotten: bool,
    /// The shell was told to stop, and will say when it has.
    cancelled: bool,
}

#[derive(Clone, Debug)]
struct Heartbeat {
    due: Moment,
    /// The lease of the one that is under way.
    asked: Option<String>,
}

impl Agent {
    /// A worker that starts, with what an earlier life left in the spool. All seeds are good; two
    /// workers are to have different ones.
    pub fn new(at: Moment, habits: Habits, seed: u64, left: Vec<Segment>) -> Self {
        let mut spool = Spool::default();
        left.into_iter().for_each(|segment| spool.add(segment));
        let mut agent = Self {
            habits,
            dice: Dice::new(seed),
            now: at,
            state: State::Reporting {
                lease: None,
                returned: Returned::default(),
                until: at + REPORT_PATIENCE,
            },
            spool,
            reporting: None,
            report_backoff: Backoff::new(),
            claim_key: None,
            claim_backoff: Backoff::new(),
            trouble_backoff: Backoff::new(),
            heartbeat: Heartbeat {
                due: at,
                asked: None,
            },
            drain_until: None,
            outputs: VecDeque::new(),
        };
        agent.advance();
        agent
    }

    /// Tells it what happened, at `at`. An answer to what it has not asked changes nothing.
    pub fn handle(&mut self, at: Moment, input: Input) {
        self.now = self.now.max(at);
        match input {
            Input::Claimed(answer) => self.claimed(answer),
            Input::Prepared => self.prepared(),
            Input::Kept(segment) => self.kept(segment),
            Input::Ended { trouble, failure } => self.ended(trouble, failure),
            Input::Reported(answer) => self.reported(answer),
            Input::Beaten(answer) => self.beaten(answer),
            Input::Returned(answer) => self.returned(answer),
            Input::Drain => self.drain(),
            Input::Alarm => {}
        }
        self.advance();
    }

    /// What it wants done, in order; to be drained after `new` and after every `handle`.
    pub fn poll(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When to come back with [`Input::Alarm`] if nothing else happens.
    pub fn wake_at(&self) -> Option<Moment> {
        let mut due = Vec::new();
        match &self.state {
            State::Idle { from } => {
                if self.spool.pairs() <= self.habits.spool_pairs && self.drain_until.is_none() {
                    due.push((*from).max(self.claim_backoff.not_before()));
                }
            }
            State::Preparing(_) | State::Playing(_) => {
                if self.heartbeat.asked.is_none() && self.listens() {
                    due.push(self.heartbeat.due);
                }
                due.extend(self.farewell_at());
            }
            State::Reporting { until, .. } => due.push(*until),
            State::Returning {
                until,
                backoff,
                is_asked,
                ..
            } => {
                due.push(*until);
                if !is_asked {
                    due.push(backoff.not_before());
                }
            }
            State::Over => return None,
            State::Claiming => {}
        }
        if self.reporting.is_none() && !self.spool.is_empty() {
            due.push(self.report_backoff.not_before());
        }
        due.extend(self.drain_until);
        due.into_iter().min()
    }

    /// Pairs that are played and not acknowledged.
    pub fn unacknowledged(&self) -> u64 {
        self.spool.pairs()
    }

    /// In a word, for those who watch: `idle`, `claiming`, `preparing`, `playing`, `reporting`,
    /// `returning` or `over`.
    pub fn state(&self) -> &'static str {
        match self.state {
            State::Idle { .. } => "idle",
            State::Claiming => "claiming",
            State::Preparing(_) => "preparing",
            State::Playing(_) => "playing",
            State::Reporting { .. } => "reporting",
            State::Returning { .. } => "returning",
            State::Over => "over",
        }
    }

    fn claimed(&mut self, answer: Result<Claimed, CallFailure>) {
        if !matches!(self.state, State::Claiming) {
            return;
        }
        self.state = State::Idle { from: self.now };
        match answer {
            Ok(Claimed {
                grant,
                retry_after_ms,
            }) => {
                self.claim_key = None;
                self.claim_backoff.succeeded();
                match grant {
                    Some(grant) => self.granted(grant),
                    None if self.habits.once => self.drain(),
                    None => {
                        let wait = Duration::from_millis(retry_after_ms);
                        let from = self.now + wait + self.dice.up_to(wait / 4);
                        self.state = State::Idle { from };
                    }
                }
            }
            Err(failure) => {
                let mut least = None;
                match failure {
                    // It may have granted something and only the answer been lost.
                    CallFailure::Away { retry_after } => least = retry_after,
                    CallFailure::Gone | CallFailure::Refused => self.claim_key = None,
                }
                self.claim_backoff.failed(self.now, least, &mut self.dice);
            }
        }
    }

    fn granted(&mut self, grant: Grant) {
        let lease = Lease {
            grant: grant.clone(),
            kept: 0,
            revoked: false,
            forgotten: false,
            cancelled: false,
        };
        if self.drain_until.is_some() {
            return self.give_back(lease, Returned::default());
        }
        self.heartbeat.due = self.now + HEARTBEAT;
        self.state = State::Preparing(lease);
        self.outputs.push_back(Output::Prepare(grant));
    }

    fn prepared(&mut self) {
        let State::Preparing(lease) = &mut self.state else {
            return;
        };
        let mut lease = lease.clone();
        if lease.cancelled {
            return;
        }
        if lease.revoked {
            lease.cancelled = true;
            self.outputs.push_back(Output::Cancel);
        } else {
            self.outputs.push_back(Output::Play);
        }
        self.state = State::Playing(lease);
    }

    fn kept(&mut self, segment: Segment) {
        if let Some(lease) = self.lease_mut()
            && lease.grant.lease == segment.lease
        {
            lease.kept += segment.pairs;
        }
        self.spool.add(segment);
    }

    fn ended(&mut self, trouble: String, failure: Option<Failure>) {
        let is_ready = matches!(self.state, State::Playing(_));
        let (State::Preparing(lease) | State::Playing(lease)) = &self.state else {
            return;
        };
        let lease = lease.clone();
        let patience = match self.drain_until {
            Some(_) => DRAIN_PATIENCE / 2,
            None => REPORT_PATIENCE,
        };
        // A lease without a single result is one that a machine cannot play.
        if trouble.is_empty() || lease.kept > 0 {
            self.trouble_backoff.succeeded();
        } else {
            self.trouble_backoff.failed(self.now, None, &mut self.dice);
        }
        self.state = State::Reporting {
            lease: Some(lease),
            returned: Returned {
                trouble,
                failure,
                is_ready,
            },
            until: self.now + patience,
        };
    }

    fn reported(&mut self, answer: Result<Directive, CallFailure>) {
        let Some((lease, segments)) = self.reporting.take() else {
            return;
        };
        match answer {
            Ok(directive) => {
                self.report_backoff.succeeded();
                self.spool.remove(&lease, &segments);
                self.outputs.push_back(Output::Forget(segments));
                if directive == Directive::Stop {
                    self.revoke(&lease);
                }
            }
            Err(CallFailure::Away { retry_after }) => {
                self.spool.failed(&lease);
                self.report_backoff
                    .failed(self.now, retry_after, &mut self.dice);
            }
            // What is wrong with one must not cost the others.
            Err(CallFailure::Refused) if segments.len() > 1 => self.spool.narrow(&lease),
            Err(failure @ (CallFailure::Gone | CallFailure::Refused)) => {
                self.spool.remove(&lease, &segments);
                self.outputs.push_back(Output::SetAside(segments));
                if failure == CallFailure::Gone {
                    self.revoke(&lease);
                }
            }
        }
    }

    fn beaten(&mut self, answer: Result<HeartbeatAnswer, CallFailure>) {
        let Some(lease) = self.heartbeat.asked.take() else {
            return;
        };
        self.heartbeat.due = self.now + self.dice.shorten(HEARTBEAT);
        match answer {
            Ok(answer) => {
                if answer.directive == Directive::Stop {
                    self.revoke(&lease);
                    if answer.test_is_off {
                        self.call_off(&lease);
                    }
                }
            }
            Err(CallFailure::Gone | CallFailure::Refused) => {
                self.revoke(&lease);
                if let Some(lease) = self.lease_of(&lease) {
                    lease.forgotten = true;
                }
            }
            Err(CallFailure::Away { retry_after }) => {
                let least = self.now + retry_after.unwrap_or_default();
                self.heartbeat.due = self.heartbeat.due.max(least);
            }
        }
    }

    /// The lease is over for the coordinator: no more of it is played.
    fn revoke(&mut self, id: &str) {
        let is_playing = matches!(self.state, State::Playing(_));
        let Some(lease) = self.lease_of(id) else {
            return;
        };
        lease.revoked = true;
        // What is being built or fetched is finished: the next lease will want the same, and whoever
        // stops each time its lease is over comes to no end.
        if is_playing {
            self.call_off(id);
        }
    }

    /// Nothing more is done for a lease.
    fn call_off(&mut self, id: &str) {
        if let Some(lease) = self.lease_of(id)
            && !std::mem::replace(&mut lease.cancelled, true)
        {
            self.outputs.push_back(Output::Cancel);
        }
    }

    /// That lease, if it is the one under which something is prepared or played.
    fn lease_of(&mut self, id: &str) -> Option<&mut Lease> {
        self.lease_mut().filter(|lease| lease.grant.lease == id)
    }

    fn returned(&mut self, answer: Result<(), CallFailure>) {
        let State::Returning {
            backoff, is_asked, ..
        } = &mut self.state
        else {
            return;
        };
        *is_asked = false;
        match answer {
            Ok(()) | Err(CallFailure::Gone | CallFailure::Refused) => self.rest(),
            Err(CallFailure::Away { retry_after }) => {
                backoff.failed(self.now, retry_after, &mut self.dice);
            }
        }
    }

    fn drain(&mut self) {
        if self.drain_until.is_some() {
            return;
        }
        self.drain_until = Some(self.now + DRAIN_PATIENCE);
        // Now or never.
        self.report_backoff.succeeded();
        match &mut self.state {
            State::Preparing(lease) | State::Playing(lease) => {
                if !std::mem::replace(&mut lease.cancelled, true) {
                    self.outputs.push_back(Output::Cancel);
                }
            }
            State::Reporting { until, .. } => {
                *until = (*until).min(self.now + DRAIN_PATIENCE / 2);
            }
            State::Returning { backoff, .. } => backoff.succeeded(),
            State::Idle { .. } | State::Claiming | State::Over => {}
        }
    }

    /// The lease under which something is prepared or played.
    fn lease_mut(&mut self) -> Option<&mut Lease> {
        match &mut self.state {
            State::Preparing(lease) | State::Playing(lease) => Some(lease),
            State::Idle { .. }
            | State::Claiming
            | State::Reporting { .. }
            | State::Returning { .. }
            | State::Over => None,
        }
    }

    fn give_back(&mut self, lease: Lease, returned: Returned) {
        self.state = State::Returning {
            lease,
            returned,
            until: self.now + REPORT_PATIENCE,
            backoff: Backoff::new(),
            is_asked: false,
        };
    }

    /// When to hand back a lease of which the shell has not said that it ended.
    fn farewell_at(&self) -> Option<Moment> {
        let until = self.drain_until?;
        Some(Moment::ZERO + until.since(Moment::ZERO + FAREWELL))
    }

    /// Hands the lease back though the shell is still at it: what hangs must not keep pairs from others.
    fn bid_farewell(&mut self) {
        let is_ready = matches!(self.state, State::Playing(_));
        let Some(lease) = self.lease_mut().cloned() else {
            return;
        };
        if lease.revoked {
            return self.rest();
        }
        let returned = Returned {
            is_ready,
            ..Returned::default()
        };
        self.give_back(lease, returned);
    }

    /// A lease is done with.
    fn rest(&mut self) {
        let from = self.trouble_backoff.not_before().max(self.now);
        self.state = State::Idle { from };
        if self.habits.once {
            self.drain();
        }
    }

    /// Goes on from where the last input has left it.
    fn advance(&mut self) {
        if matches!(self.state, State::Over) {
            return;
        }
        if self.drain_until.is_some_and(|until| until <= self.now) {
            return self.exit();
        }
        if self.farewell_at().is_some_and(|at| at <= self.now) {
            self.bid_farewell();
        }
        self.report();
        self.beat();
        self.settle();
        self.send_back();
        if let State::Idle { from } = self.state {
            if self.drain_until.is_some() {
                if self.spool.is_empty() {
                    self.exit();
                }
            } else if from.max(self.claim_backoff.not_before()) <= self.now
                && self.spool.pairs() <= self.habits.spool_pairs
            {
                self.claim();
            }
        }
    }

    fn claim(&mut self) {
        let dice = &mut self.dice;
        let key = self
            .claim_key
            .get_or_insert_with(|| format!("{:016x}{:016x}", dice.throw(), dice.throw()))
            .clone();
        self.state = State::Claiming;
        self.outputs.push_back(Output::Claim { key });
    }

    fn report(&mut self) {
        if self.reporting.is_some() || self.now < self.report_backoff.not_before() {
            return;
        }
        let Some((lease, segments)) = self.spool.batch(self.habits.report_pairs) else {
            return;
        };
        let lease = lease.to_owned();
        self.reporting = Some((lease.clone(), segments.clone()));
        self.outputs.push_back(Output::Report { lease, segments });
    }

    fn beat(&mut self) {
        if self.heartbeat.asked.is_some() || self.now < self.heartbeat.due || !self.listens() {
            return;
        }
        let Some(lease) = self.lease_mut() else {
            return;
        };
        let lease = lease.grant.lease.clone();
        self.heartbeat.asked = Some(lease.clone());
        self.outputs.push_back(Output::Heartbeat { lease });
    }

    /// Whether there is something to hear of the lease: that it is over or, of one that is over while it is
    /// still being prepared, that its test is.
    fn listens(&self) -> bool {
        match &self.state {
            State::Preparing(lease) => !lease.revoked || !(lease.cancelled || lease.forgotten),
            State::Playing(lease) => !lease.revoked,
            State::Idle { .. }
            | State::Claiming
            | State::Reporting { .. }
            | State::Returning { .. }
            | State::Over => false,
        }
    }

    /// From `Reporting` on, when all is said or long enough was waited for it.
    fn settle(&mut self) {
        let State::Reporting {
            lease,
            returned,
            until,
        } = &mut self.state
        else {
            return;
        };
        let is_said = match lease {
            Some(lease) => !self.spool.has(&lease.grant.lease),
            None => self.spool.is_empty(),
        };
        if !is_said && self.now < *until {
            return;
        }
        let returned = std::mem::take(returned);
        match lease.take() {
            Some(lease) if !returned.trouble.is_empty() => self.give_back(lease, returned),
            Some(lease) if !lease.revoked && lease.kept < lease.grant.pairs => {
                self.give_back(lease, returned);
            }
            Some(_) => self.rest(),
            None => self.state = State::Idle { from: self.now },
        }
    }

    fn send_back(&mut self) {
        let State::Returning {
            lease,
            returned,
            until,
            backoff,
            is_asked,
        } = &mut self.state
        else {
            return;
        };
        if *is_asked {
            return;
        }
        if *until <= self.now {
            // The next claim hands it back, or its own end does.
            return self.rest();
        }
        if backoff.not_before() <= self.now {
            *is_asked = true;
            self.outputs.push_back(Output::GiveBack {
                lease: lease.grant.lease.clone(),
                returned: returned.clone(),
            });
        }
    }

    fn exit(&mut self) {
        self.state = State::Over;
        self.outputs.push_back(Output::Exit);
    }
}
