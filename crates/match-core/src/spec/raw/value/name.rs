//! Values that are one of a few words.

use std::fmt::{self, Display};

use serde::de::{Deserializer, Error};

use super::text;
use crate::near::near;

/// A value that is one of a few words.
pub(in crate::spec::raw) trait Named: Copy + 'static {
    /// What the value is, with its article.
    const WHAT: &'static str;
    /// The words, the one to recommend first.
    const NAMES: &'static [(&'static str, Self)];
}

/// Reads the name of a value.
pub(in crate::spec::raw) fn one_of<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Named,
{
    let text = text(deserializer)?;
    named(&text).map(Some).map_err(Error::custom)
}

/// The value that `text` names, whatever its case.
pub(in crate::spec::raw) fn named<T: Named>(text: &str) -> Result<T, UnknownName> {
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

/// The word to recommend for a value.
pub(in crate::spec::raw) fn name_of<T: Named + PartialEq>(value: T) -> &'static str {
    let named = T::NAMES.iter().find(|&&(_, named)| named == value);
    named.expect("every value has a name").0
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
