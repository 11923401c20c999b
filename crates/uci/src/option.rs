//! What an engine says can be set.

use std::fmt;

use thiserror::Error;

use crate::words::Words;

/// How UCI writes a text that is empty.
pub(crate) const EMPTY: &str = "<empty>";

/// Longest declaration that is read. The longest seen in the wild are combos that list some hundred
/// network files, about 10 kB.
const DECLARATION_BYTES_MAX: usize = 64 * 1024;

/// An `option` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDecl {
    /// In the engine's own spelling, single spaces between words. UCI compares names without case.
    pub name: String,
    /// What it can be set to.
    pub kind: OptionKind,
}

/// What an option can be set to. A default is `None` or empty when the engine did not state it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// Unless set.
        default: Option<bool>,
    },
    /// A whole number.
    Spin {
        /// Unless set.
        default: Option<i64>,
        /// Least; `i64::MIN` when not stated.
        min: i64,
        /// Most; `i64::MAX` when not stated.
        max: i64,
    },
    /// One of a few texts.
    Combo {
        /// Unless set.
        default: String,
        /// What it may be.
        vars: Vec<String>,
    },
    /// Something to press; has no value.
    Button,
    /// Any text; `<empty>` is read as the empty one.
    String {
        /// Unless set.
        default: String,
    },
}

/// What is wrong with an `option` line. Such a line is ignored and never ends a handshake.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// `option` without `name`, or nothing after it.
    #[error("option without a name: `{line}`")]
    NoName {
        /// The declaration.
        line: String,
    },
    /// No `type`, or one that UCI does not know.
    #[error("option `{name}` without a type that is one of check, spin, combo, button and string")]
    NoType {
        /// All that follows `name`.
        name: String,
    },
    /// A number or truth value that is none.
    #[error("option `{name}` has `{found}` for its `{field}`")]
    BadField {
        /// The option.
        name: String,
        /// `default`, `min` or `max`.
        field: &'static str,
        /// What stands there.
        found: String,
    },
    /// Not even one value is allowed.
    #[error("option `{name}` has min {min} above max {max}")]
    EmptyRange {
        /// The option.
        name: String,
        /// Its least.
        min: i64,
        /// Its most.
        max: i64,
    },
    /// Declared before, and differently; the later declaration is used.
    #[error("option `{name}` is declared twice, the second declaration is used")]
    Duplicate {
        /// The option.
        name: String,
    },
    /// Too long to be meant.
    #[error("an option line of {bytes} bytes is ignored, {DECLARATION_BYTES_MAX} are allowed")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
    /// Too many to be meant; this and all later ones are ignored.
    #[error("more than {max} options are ignored")]
    TooMany {
        /// How many are read.
        max: usize,
    },
}

impl OptionDecl {
    /// Reads what follows the word `option`.
    ///
    /// A name may hold any words, `type`, `value`, `name` and `default` too: it ends before the first
    /// `type` that is followed by a type and then by nothing or a field of a declaration. Words of
    /// the protocol are read in any case, invalid UTF-8 is replaced.
    ///
    /// # Errors
    /// See [`OptionError`].
    pub fn parse(declaration: &[u8]) -> Result<Self, OptionError> {
        if declaration.len() > DECLARATION_BYTES_MAX {
            return Err(OptionError::TooLong {
                bytes: declaration.len(),
            });
        }
        let text = String::from_utf8_lossy(declaration);
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let nameless = || OptionError::NoName {
            line: text.trim_ascii().to_owned(),
        };
        let Some((first, words)) = words.split_first() else {
            return Err(nameless());
        };
        if !first.eq_ignore_ascii_case("name") {
            return Err(nameless());
        }
        let Some(at) = type_position(words) else {
            return match words {
                [] => Err(nameless()),
                _ => Err(OptionError::NoType {
                    name: words.join(" "),
                }),
            };
        };
        if at == 0 {
            return Err(nameless());
        }
        let name = words[..at].join(" ");
        let fields = &words[at + 2..];
        let kind = match Type::of(words[at + 1]) {
            Some(Type::Check) => check(&name, fields)?,
            Some(Type::Spin) => spin(&name, fields)?,
            Some(Type::Combo) => combo(fields),
            Some(Type::Button) => OptionKind::Button,
            Some(Type::String) => string(&text),
            None => unreachable!("`type_position` found a type there"),
        };
        Ok(Self { name, kind })
    }
}

/// UCI's five types.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Check,
    Spin,
    Combo,
    Button,
    String,
}

impl Type {
    fn of(word: &str) -> Option<Self> {
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        Some(match () {
            () if is("check") => Self::Check,
            () if is("spin") => Self::Spin,
            () if is("combo") => Self::Combo,
            () if is("button") => Self::Button,
            () if is("string") => Self::String,
            () => return None,
        })
    }
}

fn is_field(word: &str) -> bool {
    ["default", "min", "max", "var"]
        .iter()
        .any(|field| word.eq_ignore_ascii_case(field))
}

/// Where in `words` the `type` stands that ends the name.
fn type_position(words: &[&str]) -> Option<usize> {
    let is_type =
        |pair: &[&str]| pair[0].eq_ignore_ascii_case("type") && Type::of(pair[1]).is_some();
    let candidates = || {
        words
            .windows(2)
            .enumerate()
            .filter(|(_, pair)| is_type(pair))
            .map(|(at, _)| at)
    };
    candidates()
        .find(|at| words.get(at + 2).is_none_or(|next| is_field(next)))
        .or_else(|| candidates().next())
}

fn unless_empty(value: String) -> String {
    if value == EMPTY { String::new() } else { value }
}

fn check(name: &str, fields: &[&str]) -> Result<OptionKind, OptionError> {
    let default = match fields {
        [] | [_] => None,
        [_, value, ..] if value.eq_ignore_ascii_case("true") => Some(true),
        [_, value, ..] if value.eq_ignore_ascii_case("false") => Some(false),
        [_, value, ..] => {
            return Err(OptionError::BadField {
                name: name.to_owned(),
                field: "default",
                found: (*value).to_owned(),
            });
        }
    };
    Ok(OptionKind::Check { default })
}

fn spin(name: &str, fields: &[&str]) -> Result<OptionKind, OptionError> {
    let (mut default, mut min, mut max) = (None, i64::MIN, i64::MAX);
    let mut words = fields.iter().peekable();
    while let Some(key) = words.next() {
        let field = ["default", "min", "max"]
            .into_iter()
            .find(|field| key.eq_ignore_ascii_case(field));
        let (Some(field), Some(value)) = (field, words.next_if(|word| !is_field(word))) else {
            continue;
        };
        let number = value.parse().map_err(|_| OptionError::BadField {
            name: name.to_owned(),
            field,
            found: (*value).to_owned(),
        })?;
        match field {
            "default" => default = Some(number),
            "min" => min = number,
            _ => max = number,
        }
    }
    if min > max {
        return Err(OptionError::EmptyRange {
            name: name.to_owned(),
            min,
            max,
        });
    }
    Ok(OptionKind::Spin { default, min, max })
}

/// Values may hold several words: one ends before the next `var`, or before the only `default`.
fn combo(fields: &[&str]) -> OptionKind {
    let mut default = None;
    let mut vars = Vec::new();
    let mut rest = fields;
    while let [key, after @ ..] = rest {
        rest = after;
        let is_default = key.eq_ignore_ascii_case("default") && default.is_none();
        let is_var = key.eq_ignore_ascii_case("var");
        if !is_default && !is_var {
            continue;
        }
        let ends = |word: &&str| {
            word.eq_ignore_ascii_case("var")
                || (word.eq_ignore_ascii_case("default") && default.is_none() && !is_default)
        };
        // A `var` has at least one word, even one that looks like a key.
        let least = usize::from(is_var).min(rest.len());
        let len = rest[least..]
            .iter()
            .position(ends)
            .map_or(rest.len(), |at| at + least);
        let value = unless_empty(rest[..len].join(" "));
        rest = &rest[len..];
        if is_default {
            default = Some(value);
        } else {
            vars.push(value);
        }
    }
    OptionKind::Combo {
        default: default.unwrap_or_default(),
        vars,
    }
}

/// The default of a string is the rest of the line as it stands, inner blanks included.
fn string(declaration: &str) -> OptionKind {
    let mut words = Words::new(declaration.as_bytes());
    let mut before = ["", ""];
    while let Some(word) = words.next() {
        let word = str::from_utf8(word).expect("blanks do not cut characters");
        let after_type =
            before[0].eq_ignore_ascii_case("type") && Type::of(before[1]) == Some(Type::String);
        if after_type && word.eq_ignore_ascii_case("default") {
            let rest = str::from_utf8(words.rest()).expect("blanks do not cut characters");
            return OptionKind::String {
                default: unless_empty(rest.to_owned()),
            };
        }
        before = [before[1], word];
    }
    OptionKind::String {
        default: String::new(),
    }
}

impl fmt::Display for OptionDecl {
    /// The line, without its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_empty = |text: &str| {
            if text.is_empty() {
                EMPTY.to_owned()
            } else {
                text.to_owned()
            }
        };
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default: None } => write!(f, "check"),
            OptionKind::Check {
                default: Some(default),
            } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin")?;
                default.map_or(Ok(()), |default| write!(f, " default {default}"))?;
                write!(f, " min {min} max {max}")
            }
            OptionKind::Combo { default, vars } => {
                write!(f, "combo default {}", or_empty(default))?;
                vars.iter()
                    .try_for_each(|var| write!(f, " var {}", or_empty(var)))
            }
            OptionKind::Button => write!(f, "button"),
            OptionKind::String { default } => write!(f, "string default {}", or_empty(default)),
        }
    }
}
