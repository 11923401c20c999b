//! Messages on their way. A fifth of them each is lost, repeated, late by up to a minute, or overtaken by
//! those sent after it; all of that independently, and to answers as to requests.

use fleet_api::{
    Claim, Code, Heartbeat, HostFacts, Life, PairReport, PairStatus, Problem, Report, Returned,
};
use fleet_core::agent::{CallFailure, Input};

use super::WORKERS;
use super::report::Honesty;
use super::world::{Event, World, user};

/// Of so many lives one at least had an answer.
const LIVES: u64 = 20;

/// How long a worker waits for an answer, in milliseconds.
const PATIENCE: u64 = 30_000;

/// What messages usually take at most, what late ones do, and what is enough to be overtaken.
const USUAL: u64 = 300;
const LATE: u64 = 60_000;
const OVERTAKEN: u64 = 1_000;

#[derive(Clone, Debug)]
pub(super) enum Request {
    Claim(String),
    Report(String, Vec<PairReport>),
    Heartbeat(String, u64),
    GiveBack(String, Returned),
}

/// Which call of which life of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    worker: usize,
    life: u64,
    number: u64,
}

impl World {
    /// A worker sends a request.
    pub(super) fn call(&mut self, worker: usize, request: Request) {
        let known = &mut self.workers[worker];
        known.calls += 1;
        known.pending[request.kind()] = known.calls;
        let call = Call {
            worker,
            life: known.life,
            number: known.calls,
        };
        // Whatever comes later than this is no answer any more.
        self.at(PATIENCE, Event::Answer(call, request.away()));
        for delay in self.ways() {
            self.at(delay, Event::Arrive(call, request.clone()));
        }
    }

    /// A worker asks for work, and nothing comes between.
    pub(super) fn claim_once(&mut self, worker: usize) {
        let call = Call {
            worker,
            life: 0,
            number: 1,
        };
        self.answer(call, &Request::Claim("first".to_owned()));
    }

    /// A request arrives: it is answered.
    pub(super) fn arrive(&mut self, call: Call, request: &Request) {
        let Some(answer) = self.answer(call, request) else {
            return;
        };
        for delay in self.ways() {
            self.at(delay, Event::Answer(call, answer.clone()));
        }
    }

    /// An answer arrives: the first to a call is heard.
    pub(super) fn hear(&mut self, call: Call, answer: Input) {
        let kind = kind_of(&answer);
        let known = &mut self.workers[call.worker];
        if known.life == call.life && known.pending[kind] == call.number {
            known.pending[kind] = 0;
            self.tell(call.worker, answer);
        }
    }

    /// When what is sent now arrives, as often as it does.
    fn ways(&mut self) -> Vec<u64> {
        self.tallies.messages += 1;
        let copies = match (self.dice.harm(), self.dice.harm()) {
            (true, false) => 0,
            (false, true) => 2,
            // Of two that were sent one is lost.
            (false, false) | (true, true) => 1,
        };
        let mut way = || {
            let late = if self.dice.harm() { LATE } else { USUAL };
            let overtaken = if self.dice.harm() { OVERTAKEN } else { 0 };
            1 + self.dice.below(late) + overtaken
        };
        (0..copies).map(|_| way()).collect()
    }

    /// What the coordinator answers, unless it ends over it.
    fn answer(&mut self, call: Call, request: &Request) -> Option<Input> {
        let worker = call.worker;
        let user = &user("worker");
        match request {
            Request::Claim(key) => {
                let claim = claim(call, key.clone());
                let answer = self.ask(async |office| office.claim(user, claim).await)?;
                if answer.as_ref().is_ok_and(|claimed| claimed.grant.is_some()) {
                    self.tallies.grants += 1;
                    self.check_that_nobody_shares();
                }
                Some(Input::Claimed(answer.map_err(|problem| failure(&problem))))
            }
            Request::Report(lease, pairs) => {
                let report = Report {
                    pairs: pairs.clone(),
                };
                let answer = self.ask(async |office| office.report(user, lease, report).await)?;
                let answer = answer.map(|answer| {
                    for pair in &answer.pairs {
                        let is_refused = pair.status == PairStatus::Refused;
                        let is_lie = WORKERS[worker].2 == Honesty::Lying;
                        assert_eq!(is_refused, is_lie, "{:?}", pair.why);
                        self.tallies.lies += u64::from(is_refused);
                    }
                    answer.directive
                });
                Some(Input::Reported(answer.map_err(|problem| failure(&problem))))
            }
            Request::Heartbeat(lease, plies) => {
                let beat = Heartbeat {
                    plies: *plies,
                    spool: None,
                };
                let answer = self.ask(async |office| office.heartbeat(user, lease, beat).await)?;
                Some(Input::Beaten(answer.map_err(|problem| failure(&problem))))
            }
            Request::GiveBack(lease, returned) => {
                let returned = returned.clone();
                let answer =
                    self.ask(async |office| office.take_back(user, lease, returned).await)?;
                Some(Input::Returned(answer.map_err(|problem| failure(&problem))))
            }
        }
    }
}

impl Request {
    fn kind(&self) -> usize {
        kind_of(&self.away())
    }

    /// What is heard when there is no answer.
    fn away(&self) -> Input {
        let failure = CallFailure::Away { retry_after: None };
        match self {
            Self::Claim(_) => Input::Claimed(Err(failure)),
            Self::Report(..) => Input::Reported(Err(failure)),
            Self::Heartbeat(..) => Input::Beaten(Err(failure)),
            Self::GiveBack(..) => Input::Returned(Err(failure)),
        }
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

fn claim(call: Call, key: String) -> Claim {
    let Call { worker, life, .. } = call;
    let name = format!("worker-{worker}");
    Claim {
        worker: name.clone(),
        claim: key,
        life: Some(Life {
            id: life.to_string(),
            before: (life.saturating_sub(LIVES)..life)
                .map(|it| it.to_string())
                .collect(),
        }),
        host: HostFacts {
            name,
            version: "0".to_owned(),
            platform: "x86_64-linux".to_owned(),
            cores: WORKERS[worker].0,
            memory_mib: 1 << 20,
            toolchains: Vec::new(),
            tablebases: 0,
        },
    }
}

fn failure(problem: &Problem) -> CallFailure {
    match problem.code {
        Code::NotFound | Code::Gone => CallFailure::Gone,
        Code::Unavailable | Code::Internal => CallFailure::Away { retry_after: None },
        _ => CallFailure::Refused,
    }
}
