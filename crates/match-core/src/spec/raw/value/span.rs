//! Spans of time.

use std::time::Duration;

use serde::de::{Deserializer, Error};

use super::text;

/// Reads a span of time whose bare numbers are seconds.
pub(in crate::spec::raw) fn seconds<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Duration>, D::Error> {
    let text = text(deserializer)?;
    span(&text, Unit::Second).map(Some).map_err(Error::custom)
}

/// Reads a span of time whose bare numbers are milliseconds.
pub(in crate::spec::raw) fn milliseconds<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Duration>, D::Error> {
    let text = text(deserializer)?;
    span(&text, Unit::Millisecond)
        .map(Some)
        .map_err(Error::custom)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Millisecond,
    Second,
    Minute,
}

/// A thousand days: far beyond any use, far below where sums of spans overflow.
const SPAN_MAX_SECONDS: f64 = 1000.0 * 24.0 * 3600.0;

fn span(text: &str, bare: Unit) -> Result<Duration, String> {
    let (digits, unit) = if let Some(digits) = text.strip_suffix("ms") {
        (digits, Unit::Millisecond)
    } else if let Some(digits) = text.strip_suffix('s') {
        (digits, Unit::Second)
    } else if let Some(digits) = text.strip_suffix('m') {
        (digits, Unit::Minute)
    } else {
        (text, bare)
    };
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let seconds = digits
        .parse::<f64>()
        .ok()
        .filter(|_| plain)
        .map(|number| match unit {
            Unit::Millisecond => number / 1000.0,
            Unit::Second => number,
            Unit::Minute => number * 60.0,
        });
    match seconds {
        Some(seconds) if seconds <= SPAN_MAX_SECONDS => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(format!(
            "`{text}` is not a span of time: a number of {}, or a number with `ms`, `s` or `m` \
             behind it, up to a thousand days",
            match bare {
                Unit::Millisecond => "milliseconds",
                Unit::Second | Unit::Minute => "seconds",
            }
        )),
    }
}
