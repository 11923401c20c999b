//! Names with values.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::Text;

/// Names with values in the order in which they were written, no name twice: the `options` of an
/// engine, or its `env`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings(pub Vec<(String, String)>);

impl Settings {
    /// These but for the ones that have the `same` name as one of `stronger`, and all of those.
    pub(in crate::spec::raw) fn overlaid_with(
        mut self,
        stronger: Self,
        same: impl Fn(&str, &str) -> bool,
    ) -> Self {
        self.0
            .retain(|(weaker, _)| !stronger.0.iter().any(|(name, _)| same(weaker, name)));
        self.0.extend(stronger.0);
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
            if settings.0.iter().any(|(other, _)| *other == name) {
                return Err(Error::custom(format_args!("`{name}` is given twice")));
            }
            settings.0.push((name, value));
        }
        Ok(settings)
    }
}
