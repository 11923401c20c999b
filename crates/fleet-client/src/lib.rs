//! A coordinator as those who call it see it: one blocking client for workers and the command line.
//!
//! Every call has a bound on its time, sends the token in a header and nowhere else, and fails with
//! words that say what to do about it. Nothing is repeated here: whether a call may be made again,
//! and when, is for the caller to say.

mod call_error;
mod client;
mod digest;
mod live;

pub use call_error::{CallError, Trouble};
pub use client::Client;
pub use digest::{Digest, sha256_of};
pub use live::Live;
