//! Who has which token, remembered for a moment: a busy worker shows its own hundreds of times a second.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use fleet_core::timestamp::Timestamp;

use super::User;

/// How long a token that was revoked by another coordinator is still believed.
const MEMORY: Duration = Duration::from_secs(2);

/// Tokens that are remembered; then all are forgotten, and asked for again.
const MOST: usize = 65_536;

/// Users by the hashes of their tokens, and when they were asked for.
#[derive(Debug, Default)]
pub(super) struct Visitors(Mutex<HashMap<String, (User, Timestamp)>>);

impl Visitors {
    /// Whose the token of this hash is, if that was asked for lately.
    pub(super) fn get(&self, hash: &str, at: Timestamp) -> Option<User> {
        let known = self.0.lock().expect("nobody panics with it");
        let (user, since) = known.get(hash)?;
        // A clock that was set back makes nothing young.
        let is_young = *since <= at && at - *since < MEMORY;
        let is_over = user.expires.is_some_and(|end| end <= at);
        (is_young && !is_over).then(|| user.clone())
    }

    pub(super) fn keep(&self, hash: String, user: &User, at: Timestamp) {
        let mut known = self.0.lock().expect("nobody panics with it");
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(hash, (user.clone(), at));
    }

    /// Some token is worth something else from now on.
    pub(super) fn forget(&self) {
        self.0.lock().expect("nobody panics with it").clear();
    }
}
