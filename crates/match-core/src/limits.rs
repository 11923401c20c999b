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
    /// A fixed time a move, `st`; never zero. Nothing is saved up for the next move.
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

/// A thousand days: far beyond any use, and sums of such times are far from overflowing.
const TIME_MAX: Duration = Duration::from_secs(1000 * 24 * 60 * 60);

impl Limits {
    /// Whether nothing ends a search.
    pub const fn is_unbounded(&self) -> bool {
        self.clock.is_none()
            && self.move_time.is_none()
            && self.nodes.is_none()
            && self.depth.is_none()
    }

    /// The PGN tag `TimeControl`: the clock, or `5/move` for a fixed time, or `-` for neither.
    pub fn time_control_tag(&self) -> String {
        match (self.clock, self.move_time) {
            (Some(clock), _) => clock.to_string(),
            (None, Some(time)) => format!("{}/move", Seconds(time)),
            (None, None) => "-".to_owned(),
        }
    }
}

/// Reads what `tc` may be: `inf` for no clock, otherwise a [`TimeControl`].
///
/// # Errors
/// See [`TimeControlError`].
pub fn parse_tc(text: &str) -> Result<Option<TimeControl>, TimeControlError> {
    match text.trim() {
        "inf" | "infinite" => Ok(None),
        text => text.parse().map(Some),
    }
}

/// Why a text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("time control `{text}` {why}")]
pub struct TimeControlError {
    /// All of it.
    pub text: String,
    /// Which part, and what is allowed.
    pub why: TimeControlFault,
}

/// What is wrong with a time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TimeControlFault {
    /// Not of the form.
    #[error("is not `[moves/]base+inc`, such as `8+0.08`, `40/60`, `2:30+1` or `inf`")]
    Form,
    /// A part that is no time.
    #[error("has `{0}` where seconds, `m:s` or `h:m:s` are allowed")]
    NoTime(String),
    /// More digits than nanoseconds have.
    #[error("has `{0}`, which is finer than a nanosecond")]
    TooFine(String),
    /// Beyond all use.
    #[error("has `{0}`, which is more than a thousand days")]
    TooLong(String),
    /// No whole number of moves, or none at all.
    #[error("has `{0}` moves in a period: a whole number from 1 is allowed")]
    NoMoves(String),
    /// Nothing to think with.
    #[error("gives no time at all: the base or the increment must be more than 0")]
    Zero,
    /// Periods that differ.
    #[error("has several stages: one is supported, which repeats when its moves are made")]
    Stages,
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads `[moves/]base+inc`, exactly: no number goes through a float.
    ///
    /// Times are seconds with up to nine decimals, `m:s` or `h:m:s`, with an `s` behind them or not.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        parse(text.trim()).map_err(|why| TimeControlError {
            text: text.to_owned(),
            why,
        })
    }
}

fn parse(text: &str) -> Result<TimeControl, TimeControlFault> {
    let is_over = |sign, most| text.matches(sign).count() > most;
    let colon_after_plus = text
        .split_once('+')
        .is_some_and(|(_, after)| after.contains(':'));
    if is_over('/', 1) || is_over('+', 1) || (colon_after_plus && text.contains('/')) {
        return Err(TimeControlFault::Stages);
    }
    let (moves, times) = match text.split_once('/') {
        Some((moves, times)) => {
            let number = moves
                .parse()
                .map_err(|_| TimeControlFault::NoMoves(moves.to_owned()))?;
            (Some(number), times)
        }
        None => (None, text),
    };
    let (base, increment) = match times.split_once('+') {
        Some((base, increment)) => (time(base)?, time(increment)?),
        None if times.is_empty() => return Err(TimeControlFault::Form),
        None => (time(times)?, Duration::ZERO),
    };
    if base.is_zero() && increment.is_zero() {
        return Err(TimeControlFault::Zero);
    }
    Ok(TimeControl {
        moves,
        base,
        increment,
    })
}

/// Reads seconds, `m:s` or `h:m:s`.
fn time(text: &str) -> Result<Duration, TimeControlFault> {
    let no_time = || TimeControlFault::NoTime(text.to_owned());
    let too_long = || TimeControlFault::TooLong(text.to_owned());
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());

    let bare = text.strip_suffix('s').unwrap_or(text);
    let (whole, decimals) = match bare.split_once('.') {
        None => (bare, ""),
        Some(("", "")) => return Err(no_time()),
        Some(("", decimals)) => ("0", decimals),
        Some(parts) => parts,
    };
    let significant = decimals.trim_end_matches('0');
    if !are_digits(decimals) || 2 < whole.matches(':').count() {
        return Err(no_time());
    }
    if 9 < significant.len() {
        return Err(TimeControlFault::TooFine(text.to_owned()));
    }
    let nanos = format!("{significant:0<9}").parse().expect("nine digits");
    let mut seconds: u64 = 0;
    for part in whole.split(':') {
        if part.is_empty() || !are_digits(part) {
            return Err(no_time());
        }
        seconds = part
            .parse()
            .ok()
            .and_then(|part| seconds.checked_mul(60)?.checked_add(part))
            .ok_or_else(too_long)?;
    }
    let time = Duration::new(seconds, nanos);
    if TIME_MAX < time {
        Err(too_long())
    } else {
        Ok(time)
    }
}

impl fmt::Display for TimeControl {
    /// As PGN writes it and [`FromStr`] reads it; an increment of zero is left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", Seconds(self.base))?;
        if !self.increment.is_zero() {
            write!(f, "+{}", Seconds(self.increment))?;
        }
        Ok(())
    }
}

/// Seconds with as many decimals as they need.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs())?;
        match self.0.subsec_nanos() {
            0 => Ok(()),
            nanos => write!(f, ".{}", format!("{nanos:09}").trim_end_matches('0')),
        }
    }
}
