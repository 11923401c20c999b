//! How single values are read, from a TOML file and from words alike.
//!
//! Every value may be written as a string, and where TOML has numbers and switches, as those: one
//! parser per type sees the text, so that `tc = 8`, `tc = "8"` and `tc=8` mean the same and fail
//! with the same message. The caller adds where it was (line and column, or flag and word).

use std::fmt::{self, Display};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

mod list;
mod name;
mod settings;
mod size;
mod span;

pub(super) use list::{arguments, folders, sections, split_folders, text_or_table};
pub use name::UnknownName;
pub(super) use name::{Named, name_of, named, one_of};
pub use settings::Settings;
pub(super) use size::bytes;
pub(super) use span::{milliseconds, seconds};

/// Reads a value as its text.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    deserializer.deserialize_any(TextVisitor)
}

/// Reads a value with the parser of its type.
pub(super) fn parsed<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    let text = text(deserializer)?;
    text.parse().map(Some).map_err(Error::custom)
}

/// Reads a whole number from 1.
pub(super) fn count<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Count,
{
    let text = text(deserializer)?;
    text.parse().map(Some).map_err(|_| {
        Error::custom(format_args!(
            "`{text}` is not allowed here: a whole number {}",
            T::RANGE
        ))
    })
}

/// The types that [`count`] reads.
pub(super) trait Count: FromStr {
    /// What is read, for people.
    const RANGE: &'static str;
}

impl Count for NonZeroU32 {
    const RANGE: &'static str = "from 1 to 4294967295";
}

impl Count for NonZeroU64 {
    const RANGE: &'static str = "from 1";
}

/// Reads a whole number from 0.
pub(super) fn whole<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr,
{
    let text = text(deserializer)?;
    text.parse().map(Some).map_err(|_| {
        Error::custom(format_args!(
            "`{text}` is not allowed here: a whole number, 0 or more"
        ))
    })
}

/// Reads a whole number of either sign.
pub(super) fn integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let text = text(deserializer)?;
    text.parse()
        .map(Some)
        .map_err(|_| Error::custom(format_args!("`{text}` is not allowed here: a whole number")))
}

/// Reads a number that is not astronomical, and would be hundreds of digits in a message.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let text = text(deserializer)?;
    match text.parse() {
        Ok(number) if f64::abs(number) < 1e15 => Ok(Some(number)),
        Ok(number) if f64::is_finite(number) => Err(Error::custom(format_args!(
            "`{text}` is too large a number"
        ))),
        _ => Err(Error::custom(format_args!("`{text}` is not a number"))),
    }
}

/// Reads `true`, `false`, `on` or `off`.
pub(super) fn switch<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    let text = text(deserializer)?;
    match text.as_str() {
        "true" | "on" => Ok(Some(true)),
        "false" | "off" => Ok(Some(false)),
        _ => Err(Error::custom(format_args!(
            "`{text}` is not a switch: `true`, `false`, `on` or `off`"
        ))),
    }
}

/// Reads a text of at least one character and without control characters: it goes into PGN tags,
/// into commands and onto terminals.
pub(super) fn line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = text(deserializer)?;
    if text.trim().is_empty() {
        return Err(Error::custom("an empty text is not allowed here"));
    }
    if text.contains(char::is_control) {
        return Err(Error::custom(format_args!(
            "`{}` has a control character: one line of text is allowed here",
            text.escape_debug()
        )));
    }
    Ok(Some(text))
}

/// Reads a path.
pub(super) fn path<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<PathBuf>, D::Error> {
    Ok(line(deserializer)?.map(PathBuf::from))
}

/// A value as its text: a string, a number or a switch.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text(deserializer).map(Self)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a single value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<String, E> {
        Ok(value.to_owned())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<String, E> {
        Ok(value)
    }
}
