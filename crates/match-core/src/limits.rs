//! What bounds the thinking of an engine.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

/// All bounds on one engine's thinking; any combination goes out in one `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// A clock, `tc`.
    pub clock: Option<TimeControl>,
    /// A fixed time a move, `st`; never zero.
    pub move_time: Option<Duration>,
    /// Nodes a move.
    pub nodes: Option<NonZeroU64>,
    /// Depth a move, in plies.
    pub depth: Option<NonZeroU32>,
    /// How far a clock or a fixed time may be overrun before the flag falls, `timemargin`.
    pub margin: Duration,
}

/// `[moves/]base+inc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves of one side in a period; without it the base is for the whole game.
    pub moves: Option<NonZeroU32>,
    /// Time for a period.
    pub base: Duration,
    /// Added after each move, and once before the first.
    pub increment: Duration,
}

impl fmt::Display for TimeControl {
    /// As it is read, in seconds: `40/60+0.6`, `8+0.08`, `300`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{text}` is not a time control: {why}; it is `[moves/]base[+increment]`, the base in seconds, \
     `minutes:seconds` or `hours:minutes:seconds`"
)]
pub struct ParseTimeControlError {
    text: String,
    why: &'static str,
}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, ParseTimeControlError> {
        let refuse = |why| ParseTimeControlError {
            text: text.to_owned(),
            why,
        };
        let (moves, times) = match text.split_once('/') {
            None => (None, text),
            Some((moves, times)) => {
                let moves = moves
                    .parse()
                    .map_err(|_| refuse("the moves are a whole number from 1"))?;
                (Some(moves), times)
            }
        };
        let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
        let base = parse_base(base).ok_or_else(|| refuse("the base is no time"))?;
        let increment =
            parse_seconds(increment).ok_or_else(|| refuse("the increment is no time"))?;
        if base.is_zero() && increment.is_zero() {
            return Err(refuse("it leaves no time at all"));
        }
        Ok(Self {
            moves,
            base,
            increment,
        })
    }
}

/// `h:m:s`, `m:s` or `s`; only the last has decimals, and minutes and seconds behind a colon are
/// below 60.
fn parse_base(text: &str) -> Option<Duration> {
    let mut parts = text.rsplit(':');
    let mut total = parse_seconds(parts.next()?)?;
    let larger: Vec<&str> = parts.collect();
    if !larger.is_empty() && total >= Duration::from_secs(60) || larger.len() > 2 {
        return None;
    }
    for (i, part) in larger.iter().enumerate() {
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        let number: u32 = part.parse().ok().filter(|_| digits)?;
        let leading = i + 1 == larger.len();
        if !leading && number >= 60 {
            return None;
        }
        total += Duration::from_secs(60).checked_mul(number)? * 60_u32.pow(i as u32);
    }
    (total <= TIME_MAX).then_some(total)
}

/// A thousand days: beyond any use, and far below where sums of times overflow.
const TIME_MAX: Duration = Duration::from_secs(1000 * 24 * 3600);

fn parse_seconds(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| plain)?;
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    (time <= TIME_MAX).then_some(time)
}
