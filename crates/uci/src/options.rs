//! The options of one engine, and whether a setting fits them.

use thiserror::Error;

use crate::command::Command;
use crate::option::{EMPTY, OptionDecl, OptionError, OptionKind};

/// Most options that are kept. The most seen in the wild is about 150; tuning builds declare a few
/// hundred.
const OPTIONS_MAX: usize = 4096;

/// How many near names a warning lists.
const NEAR_NAMES_MAX: usize = 3;

/// What an engine has declared, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    declared: Vec<OptionDecl>,
}

/// A setting that fits: the name and the value in the engine's own spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// As declared.
    pub name: String,
    /// What follows `value`; nothing for a button.
    pub value: Option<String>,
}

/// Why a setting does not fit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// The engine has no such option. Everybody else is served by a warning: engines drop options
    /// between versions, and one test sets many engines alike.
    #[error("no option `{name}`{}", near_names(.near))]
    Unknown {
        /// As it was asked for.
        name: String,
        /// Declared names that may be meant, the nearest first.
        near: Vec<String>,
    },
    /// No whole number.
    #[error("option `{name}` is `{value}`: a whole number from {min} to {max} is allowed")]
    NoNumber {
        /// As declared.
        name: String,
        /// As it was asked for.
        value: String,
        /// Least.
        min: i64,
        /// Most.
        max: i64,
    },
    /// A number out of range.
    #[error("option `{name}` is {value}: {min} to {max} are allowed")]
    OutOfRange {
        /// As declared.
        name: String,
        /// As it was asked for.
        value: i64,
        /// Least.
        min: i64,
        /// Most.
        max: i64,
    },
    /// Neither true nor false.
    #[error("option `{name}` is `{value}`: `true` or `false` is allowed")]
    NoTruth {
        /// As declared.
        name: String,
        /// As it was asked for.
        value: String,
    },
    /// None of the values of a combo.
    #[error("option `{name}` is `{value}`: one of {} is allowed", listed(.vars))]
    NoneOf {
        /// As declared.
        name: String,
        /// As it was asked for.
        value: String,
        /// What is allowed.
        vars: Vec<String>,
    },
    /// A value for a button.
    #[error("option `{name}` is `{value}`: a button takes no value")]
    ValueForButton {
        /// As declared.
        name: String,
        /// As it was asked for.
        value: String,
    },
    /// A line break, which would make another command of the rest.
    #[error("option `{name}` holds a line break")]
    LineBreak {
        /// As it was asked for.
        name: String,
    },
}

fn listed(vars: &[String]) -> String {
    let quoted: Vec<String> = vars
        .iter()
        .map(|var| format!("`{}`", or_empty(var)))
        .collect();
    quoted.join(", ")
}

fn near_names(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!(", did you mean `{}`?", near.join("` or `")),
    }
}

impl Options {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.declared.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.declared.is_empty()
    }

    /// In the order of declaration.
    pub fn iter(&self) -> std::slice::Iter<'_, OptionDecl> {
        self.declared.iter()
    }

    /// The option with this name in whatever case.
    pub fn get(&self, name: &str) -> Option<&OptionDecl> {
        self.declared
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Checks a setting and spells it as the engine does.
    ///
    /// # Errors
    /// [`SettingError::Unknown`] is worth a warning, all others are the user's mistake.
    pub fn check(&self, name: &str, value: &str) -> Result<Setting, SettingError> {
        if name.contains(['\n', '\r']) || value.contains(['\n', '\r']) {
            return Err(SettingError::LineBreak {
                name: name.escape_default().to_string(),
            });
        }
        let wanted = name.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        let Some(OptionDecl { name, kind }) = self.get(&wanted) else {
            return Err(SettingError::Unknown {
                near: self.near(&wanted),
                name: wanted,
            });
        };
        let value = value.trim();
        let (named, found) = (|| name.clone(), || value.to_owned());
        let value = match kind {
            OptionKind::Check { .. } => match value {
                _ if value.eq_ignore_ascii_case("true") => Some("true".to_owned()),
                _ if value.eq_ignore_ascii_case("false") => Some("false".to_owned()),
                _ => {
                    return Err(SettingError::NoTruth {
                        name: named(),
                        value: found(),
                    });
                }
            },
            &OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
                Ok(number) if (min..=max).contains(&number) => Some(number.to_string()),
                Ok(number) => {
                    return Err(SettingError::OutOfRange {
                        name: named(),
                        value: number,
                        min,
                        max,
                    });
                }
                Err(_) => {
                    return Err(SettingError::NoNumber {
                        name: named(),
                        value: found(),
                        min,
                        max,
                    });
                }
            },
            OptionKind::Combo { vars, .. } => {
                let bare = if value == EMPTY { "" } else { value };
                match vars.iter().find(|var| var.eq_ignore_ascii_case(bare)) {
                    Some(var) => Some(or_empty(var)),
                    None => {
                        return Err(SettingError::NoneOf {
                            name: named(),
                            value: found(),
                            vars: vars.clone(),
                        });
                    }
                }
            }
            OptionKind::Button if value.is_empty() || value.eq_ignore_ascii_case("true") => None,
            OptionKind::Button => {
                return Err(SettingError::ValueForButton {
                    name: named(),
                    value: found(),
                });
            }
            OptionKind::String { .. } => Some(or_empty(value)),
        };
        Ok(Setting {
            name: named(),
            value,
        })
    }

    /// Takes in a declaration. A later one of the same name replaces the earlier.
    pub(crate) fn declare(&mut self, declaration: &[u8]) -> Result<(), OptionError> {
        let option = OptionDecl::parse(declaration)?;
        let len = self.declared.len();
        match self
            .declared
            .iter_mut()
            .find(|known| known.name.eq_ignore_ascii_case(&option.name))
        {
            Some(known) if *known == option => {}
            Some(known) => {
                let name = option.name.clone();
                *known = option;
                return Err(OptionError::Duplicate { name });
            }
            None if len == OPTIONS_MAX => return Err(OptionError::TooMany { max: OPTIONS_MAX }),
            None => self.declared.push(option),
        }
        Ok(())
    }

    /// Declared names that somebody who wrote `wanted` may have meant.
    fn near(&self, wanted: &str) -> Vec<String> {
        /// Jaro-Winkler, which forgives wrong ends more than wrong beginnings, gives 0.92 to "hsah"
        /// for "hash", 0.87 to "thread count" for "threads", 0.77 to "there" and 0.46 to "hash".
        const LIKENESS_MIN: f64 = 0.8;
        let wanted = wanted.to_ascii_lowercase();
        let likeness = |name: &str| {
            let name = name.to_ascii_lowercase();
            let is_part = 3 <= wanted.len() && name.contains(&wanted);
            let likeness = strsim::jaro_winkler(&name, &wanted);
            if is_part {
                likeness.max(LIKENESS_MIN)
            } else {
                likeness
            }
        };
        let mut near: Vec<(f64, &str)> = self
            .declared
            .iter()
            .map(|option| (likeness(&option.name), option.name.as_str()))
            .filter(|&(likeness, _)| LIKENESS_MIN <= likeness)
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
        near.truncate(NEAR_NAMES_MAX);
        near.into_iter().map(|(_, name)| name.to_owned()).collect()
    }
}

fn or_empty(text: &str) -> String {
    if text.is_empty() {
        EMPTY.to_owned()
    } else {
        text.to_owned()
    }
}

impl Setting {
    /// The command that sets it.
    pub fn command(&self) -> Command<'_> {
        Command::SetOption {
            name: &self.name,
            value: self.value.as_deref(),
        }
    }
}
