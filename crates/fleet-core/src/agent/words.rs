//! What a worker is told and what it wants done.

use std::time::Duration;

use fleet_api::{Claimed, Directive, Failure, Grant, HeartbeatAnswer, Returned};

use super::spool::{Segment, SegmentId};

/// What a worker is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A claim came to its end.
    Claimed(Result<Claimed, CallFailure>),
    /// What was to be prepared is ready.
    Prepared,
    /// Pairs were played and are kept: a crash does not lose them any more.
    Kept(Segment),
    /// Preparing or playing is over, and all that was played is kept. With what went wrong, if
    /// something did.
    Ended {
        /// Empty, or for those who look after the test.
        trouble: String,
        /// What it was, where that decides how the test goes on.
        failure: Option<Failure>,
    },
    /// A report came to its end.
    Reported(Result<Directive, CallFailure>),
    /// A heartbeat came to its end.
    Beaten(Result<HeartbeatAnswer, CallFailure>),
    /// Giving back came to its end.
    Returned(Result<(), CallFailure>),
    /// Somebody wants it to end: it says what it has to say, and does.
    Drain,
    /// Time has passed.
    Alarm,
}

/// Why a call has no answer that one can work with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallFailure {
    /// The coordinator is away, busy or broken: later may be better.
    Away {
        /// Not before that, if it said so.
        retry_after: Option<Duration>,
    },
    /// The lease is over.
    Gone,
    /// The request is wrong, and will be wrong again.
    Refused,
}

/// What a worker wants done. Each call is answered by an input, and there is one of a kind at a time.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Ask for work; [`Input::Claimed`] answers.
    Claim {
        /// Of this claim.
        key: String,
    },
    /// Make ready what a lease needs; [`Input::Prepared`] or [`Input::Ended`] answers.
    Prepare(Grant),
    /// Play what was prepared; [`Input::Kept`] for what is played and one [`Input::Ended`] answer.
    Play,
    /// Stop preparing or playing at once; [`Input::Ended`] answers.
    Cancel,
    /// Report these segments; [`Input::Reported`] answers.
    Report {
        /// Under which they were played.
        lease: String,
        /// Which.
        segments: Vec<SegmentId>,
    },
    /// These are acknowledged, and can be forgotten.
    Forget(Vec<SegmentId>),
    /// These are refused for good: somebody may want to look at them.
    SetAside(Vec<SegmentId>),
    /// Say that we are alive, and how many plies were played; [`Input::Beaten`] answers.
    Heartbeat {
        /// Of which lease.
        lease: String,
    },
    /// Play no more of a lease; [`Input::Returned`] answers.
    GiveBack {
        /// Which.
        lease: String,
        /// What to say.
        returned: Returned,
    },
    /// End. Nothing follows.
    Exit,
}
