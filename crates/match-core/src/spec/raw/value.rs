//! How single values are read, from a TOML file and from words alike.
//!
//! Every value may be written as a string, and where TOML has numbers and switches, as those: one
//! parser per type sees the text, so that `tc = 8`, `tc = "8"` and `tc=8` mean the same and fail
//! with the same message. The caller adds where it was (line and column, or flag and word).

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::near::near;

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

/// Reads a finite number.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let text = text(deserializer)?;
    match text.parse() {
        Ok(number) if f64::is_finite(number) => Ok(Some(number)),
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

/// Reads a span of time whose bare numbers are seconds.
pub(super) fn seconds<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Duration>, D::Error> {
    let text = text(deserializer)?;
    span(&text, Unit::Second).map(Some).map_err(Error::custom)
}

/// Reads a span of time whose bare numbers are milliseconds.
pub(super) fn milliseconds<'de, D: Deserializer<'de>>(
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
    let seconds =
        digits
            .trim_end()
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

/// A value that is one of a few words.
pub(super) trait Named: Copy + 'static {
    /// What the value is, with its article.
    const WHAT: &'static str;
    /// The words, the one to recommend first.
    const NAMES: &'static [(&'static str, Self)];
}

/// Reads the name of a value.
pub(super) fn one_of<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Named,
{
    let text = text(deserializer)?;
    named(&text).map(Some).map_err(Error::custom)
}

/// The value that `text` names, whatever its case.
pub(super) fn named<T: Named>(text: &str) -> Result<T, UnknownName> {
    T::NAMES
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text))
        .map(|&(_, value)| value)
        .ok_or_else(|| UnknownName {
            what: T::WHAT,
            found: text.to_owned(),
            allowed: T::NAMES.iter().map(|&(name, _)| name).collect(),
        })
}

/// A word that is none of those that are allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    found: String,
    allowed: Vec<&'static str>,
}

impl std::error::Error for UnknownName {}

impl Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            found,
            allowed,
        } = self;
        write!(f, "`{found}` is not {what}: ")?;
        for (i, name) in allowed.iter().enumerate() {
            let separator = match i {
                0 => "",
                _ if i + 1 == allowed.len() => " or ",
                _ => ", ",
            };
            write!(f, "{separator}`{name}`")?;
        }
        if let Some(name) = near(found, allowed.iter().copied()) {
            write!(f, " (did you mean `{name}`?)")?;
        }
        Ok(())
    }
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

/// Names with values in the order in which they were written, no name twice: the `options` of an
/// engine, or its `env`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings(pub Vec<(String, String)>);

impl Settings {
    /// These, with those of `stronger` in place of or behind them. Names are compared as UCI
    /// compares the names of options: without regard to case.
    #[must_use]
    pub fn overlaid_with(mut self, stronger: Self) -> Self {
        for (name, value) in stronger.0 {
            match self
                .0
                .iter_mut()
                .find(|(n, _)| n.eq_ignore_ascii_case(&name))
            {
                Some(weaker) => *weaker = (name, value),
                None => self.0.push((name, value)),
            }
        }
        self
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SettingsVisitor)
    }
}

struct SettingsVisitor;

impl<'de> Visitor<'de> for SettingsVisitor {
    type Value = Settings;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of names with values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Settings, A::Error> {
        let mut settings = Settings::default();
        while let Some((name, Text(value))) = map.next_entry::<String, Text>()? {
            if name.trim().is_empty() || name.contains(char::is_control) {
                return Err(Error::custom(format_args!(
                    "`{}` is not a name: one line of text is allowed here",
                    name.escape_debug()
                )));
            }
            if value.contains(char::is_control) {
                return Err(Error::custom(format_args!(
                    "the value `{}` of `{name}` has a control character: one line of text is \
                     allowed here",
                    value.escape_debug()
                )));
            }
            if settings
                .0
                .iter()
                .any(|(n, _)| n.eq_ignore_ascii_case(&name))
            {
                return Err(Error::custom(format_args!("`{name}` is given twice")));
            }
            settings.0.push((name, value));
        }
        Ok(settings)
    }
}

/// The arguments of a program: a string that is split into words as a shell would, or a list.
pub(super) fn arguments<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<String>>, D::Error> {
    deserializer
        .deserialize_any(ListVisitor {
            split: |text: &str| {
                shlex::split(text)
                    .ok_or_else(|| format!("`{text}` has a quotation mark that is not closed"))
            },
            what: "arguments",
        })
        .map(Some)
}

/// Folders: a string in which `:` stands between them, as in `PATH`, or a list.
pub(super) fn folders<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<PathBuf>>, D::Error> {
    deserializer
        .deserialize_any(ListVisitor {
            split: |text: &str| Ok(split_folders(text)),
            what: "folders",
        })
        .map(Some)
}

/// The folders of a string in which `:` stands between them.
pub(super) fn split_folders(text: &str) -> Vec<PathBuf> {
    text.split(':')
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
        .collect()
}

struct ListVisitor<F> {
    split: F,
    what: &'static str,
}

impl<'de, T, F> Visitor<'de> for ListVisitor<F>
where
    T: From<String>,
    F: Fn(&str) -> Result<Vec<T>, String>,
{
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a string or a list of {}", self.what)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
        (self.split)(text).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::new();
        while let Some(Text(item)) = list.next_element()? {
            items.push(T::from(item));
        }
        Ok(items)
    }
}

/// Reads a section that may be written as a string, which stands for its main setting.
pub(super) fn text_or_table<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + for<'a> From<&'a str>,
{
    deserializer
        .deserialize_any(TextOrTableVisitor(PhantomData))
        .map(Some)
}

struct TextOrTableVisitor<T>(PhantomData<T>);

impl<'de, T> Visitor<'de> for TextOrTableVisitor<T>
where
    T: Deserialize<'de> + for<'a> From<&'a str>,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a table")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        Ok(T::from(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

/// Reads a list of sections.
pub(super) fn sections<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_seq(SectionsVisitor(PhantomData))
}

struct SectionsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for SectionsVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of sections, each with its head in double brackets")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
        let mut sections = Vec::new();
        while let Some(section) = list.next_element()? {
            sections.push(section);
        }
        Ok(sections)
    }
}
