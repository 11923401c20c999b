//! What somebody meant who wrote a key that does not exist.

use crate::near::near;

/// The nearest of the keys that serde's refusal of an unknown one lists: "unknown field `hsh`,
/// expected one of `hash`, `name`". `None` for any other refusal, and when none is near.
///
/// The list is in the message and nowhere else: the derived reader of a type keeps it to itself.
pub(super) fn nearest_allowed(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field `")?;
    let (unknown, rest) = rest.split_once("`, expected")?;
    let allowed = rest.split('`').skip(1).step_by(2);
    near(unknown, allowed).map(str::to_owned)
}
