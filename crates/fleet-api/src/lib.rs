//! What coordinator, workers and command line say to each other.
//!
//! Plain data that knows nothing of chess and statistics, and JSON on the wire. It is version 1 as a
//! whole: fields may be added, and unknown ones are ignored, so an older worker and a newer
//! coordinator understand each other; nothing is renamed or removed before version 2.
//!
//! Pairs and openings are counted from 0 here and from 1 where people read them. Instants are
//! milliseconds since 1970-01-01 UTC, spans say their unit in their name.

mod aside;
mod crew;
mod problem;
mod recount;
pub mod routes;
mod secret;
mod test;
mod token;
mod trouble;
mod user;
mod which;
mod wishes;
mod work;
mod worker_line;

pub use aside::{Aside, AsideWorker, BringBack, Moved, SetAside, WithAside};
pub use crew::{Crew, CrewBar, CrewMember, CrewTests, Heterogeneity, Overdispersion};
pub use problem::{Code, Problem};
pub use recount::Recounted;
pub use secret::Secret;
pub use test::{
    Action, ActionRequest, AuditEntry, State, SubmitTest, Submitted, TestLine, TestView,
};
pub use token::{NewToken, Scope, TokenMade};
pub use trouble::{Barred, Failure, Speed, Trouble};
pub use user::{ChangePassword, ChangeUser, LoggedIn, Login, NewUser, TokenView, UserView, Whoami};
pub use which::{WhichTests, WhichWorkers};
pub use wishes::{ChangeTest, OwnerShare};
pub use work::{
    Claim, Claimed, Directive, Fault, Game, Grant, Heartbeat, HeartbeatAnswer, HostFacts, Life,
    PairAnswer, PairReport, PairStatus, Report, ReportAnswer, Returned, Verdict,
};
pub use worker_line::{BarWorker, Playing, UnbarWorker, WorkerBar, WorkerLine};
