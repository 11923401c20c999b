//! Amounts of memory.

use std::num::NonZeroU64;

use serde::de::{Deserializer, Error};

use super::text;

/// Reads an amount of memory whose bare numbers are MiB.
pub(in crate::spec::raw) fn bytes<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<NonZeroU64>, D::Error> {
    let text = text(deserializer)?;
    match size(&text) {
        Some(bytes) => Ok(Some(bytes)),
        None => Err(Error::custom(format_args!(
            "`{text}` is not an amount of memory: a whole number of MiB, or one with `KiB`, `MiB`, \
             `GiB` or `TiB` behind it, more than 0"
        ))),
    }
}

/// `K`, `KB` and `KiB` are the same here: nobody means a thousand bytes of memory.
fn size(text: &str) -> Option<NonZeroU64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "k" | "kb" | "kib" => 10,
        "" | "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return None,
    };
    let number: u64 = digits.parse().ok()?;
    NonZeroU64::new(number.checked_mul(1 << shift)?)
}
