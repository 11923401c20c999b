//! Leases and results: what workers and coordinator say to each other.

use serde::{Deserialize, Serialize};

use crate::Failure;

/// A worker asks for work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Claim {
    /// Chosen by the worker once and kept: the same after a restart and after a lost connection. A
    /// claim hands back all leases that this worker still holds.
    pub worker: String,
    /// What it is and can.
    pub host: HostFacts,
    /// Chosen anew for each claim and kept when it is repeated for want of an answer: then the
    /// answer is the same lease.
    pub claim: String,
    /// Which process of the worker asks. It tells a worker that was started again from one whose folder
    /// was copied to another machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub life: Option<Life>,
}

/// A process of a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Life {
    /// Chosen anew at each start.
    pub id: String,
    /// Those before it in the same folder: the last that had an answer to a claim, and all since. At most
    /// 64.
    pub before: Vec<String>,
}

/// A worker's machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HostFacts {
    /// For people.
    pub name: String,
    /// Of arbiter.
    pub version: String,
    /// Such as `x86_64-linux`.
    pub platform: String,
    /// CPUs that it lends.
    pub cores: u32,
    /// Memory that it lends, in MiB.
    pub memory_mib: u64,
    /// Tools for building, such as `make`, `gcc`, `cargo`.
    #[serde(default)]
    pub toolchains: Vec<String>,
    /// Men up to which it has tablebases; 0 if it has none.
    #[serde(default)]
    pub tablebases: u32,
}

/// The answer to a claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Claimed {
    /// Work, if there is any for this worker.
    pub grant: Option<Grant>,
    /// Without work: when to ask again.
    pub retry_after_ms: u64,
}

/// A range of pairs of one test, lent for a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Grant {
    /// What the lease is called.
    pub lease: String,
    /// Which test.
    pub test: String,
    /// The test as it was submitted.
    pub spec: String,
    /// The first pair.
    pub first_pair: u64,
    /// How many.
    pub pairs: u64,
    /// How long it is lent without further progress.
    pub term_ms: u64,
}

/// A worker is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Heartbeat {
    /// Plies played under this lease so far. A lease is extended when it grows, not by the mere
    /// heartbeat.
    pub plies: u64,
    /// Pairs that the worker has played and nobody has acknowledged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spool: Option<u64>,
}

/// The answer to a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HeartbeatAnswer {
    /// What to do.
    pub directive: Directive,
    /// The test takes no pairs from anybody: it is over or paused. What is still being fetched or built for it
    /// is of no use then, while the next lease of a test that goes on wants the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test_is_off: bool,
}

/// What a worker is to do with its lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Directive {
    /// Play on.
    Continue,
    /// Stop at once: the test is over or the lease is.
    Stop,
}

/// Results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Report {
    /// Whole pairs, in any order.
    pub pairs: Vec<PairReport>,
}

/// A pair that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PairReport {
    /// Which.
    pub pair: u64,
    /// Its two games, that in which the first engine has the white pieces first.
    pub games: [Game; 2],
    /// Nodes a second of the base engine, in a test whose times are for a reference speed. The same
    /// for all pairs of a lease.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_nps: Option<u64>,
}

/// A game that was played; the fields of `game_finished` in the events of `arbiter match`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Game {
    /// The engine with the white pieces.
    pub white: String,
    /// The engine with the black pieces.
    pub black: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// How it ended.
    pub verdict: Verdict,
    /// The position before the book's moves, FEN.
    pub start: String,
    /// The book's moves, UCI, blanks between them.
    pub book: String,
    /// The engines' moves.
    pub moves: String,
    /// What each of those moves was charged, in seconds.
    pub spent: Vec<f64>,
    /// How long it took, from the first `go` to the verdict, in seconds.
    pub seconds: f64,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// `rules`, `adjudicated` or `forfeit`.
    pub kind: String,
    /// `checkmate`, `time loss`, `resign adjudication` ...
    pub reason: String,
    /// Of an adjudication: the ply since which its condition held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_ply: Option<u32>,
    /// Of a forfeit: `white` or `black`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loser: Option<String>,
    /// Of a forfeit: what was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

/// What an engine did wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fault {
    /// Its process ended.
    Crash,
    /// It did not answer.
    Stall {
        /// What.
        unanswered: String,
    },
    /// Its flag fell.
    TimeLoss {
        /// By how much, in seconds.
        over: f64,
    },
    /// It answered with no legal move.
    IllegalMove {
        /// With what.
        text: String,
    },
}

/// The answer to a report: all of it is durable when this is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportAnswer {
    /// One for each pair of the report, in its order.
    pub pairs: Vec<PairAnswer>,
    /// What to do with the rest of the lease.
    pub directive: Directive,
}

/// What became of a reported pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PairAnswer {
    /// Which.
    pub pair: u64,
    /// What.
    pub status: PairStatus,
    /// Why it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// What became of a reported pair. None of it is to be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PairStatus {
    /// It counts.
    Counted,
    /// It is known; nothing has changed.
    Known,
    /// The test was over, or the worker's results are set aside; kept apart.
    Late,
    /// It cannot be true.
    Refused,
}

/// A worker gives its lease back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Returned {
    /// Why: empty when all is played, else what went wrong, with the end of logs.
    pub trouble: String,
    /// What it was, where that decides how the test goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// All programs were there, those that were built with the benches that they should have.
    #[serde(default)]
    pub is_ready: bool,
}
