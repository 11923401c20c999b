//! `key=value` words, as engine testers write them on a command line.
//!
//! The words of a flag are read into the same type as the section of a TOML file that says the
//! same: split as a shell would, each at its first `=`; `option.NAME=` and `env.NAME=` gather in
//! the tables `options` and `env`. What keys there are and how values are read, the type knows.

use std::fmt::{self, Display};

use serde::de::value::{MapDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::near::near;
use crate::spec::error::SpecError;
use crate::spec::raw::unknown::nearest_allowed;

/// Reads the words of `flag` as a `T`; what comes before the first word with `=` is the value of
/// `bare`, blanks and all.
pub(super) fn read<T: DeserializeOwned>(
    flag: &str,
    text: &str,
    bare: Option<&'static str>,
) -> Result<T, SpecError> {
    let refuse = |word: Option<&str>, message: String| SpecError::Words {
        flag: flag.to_owned(),
        word: word.map(str::to_owned),
        near: word
            .filter(|_| are_of_an_engine(&message))
            .and_then(option_meant)
            .or_else(|| nearest_allowed(&message)),
        message,
    };
    let mut words = shlex::split(text).ok_or_else(|| {
        let message = format!("`{text}` has a quotation mark that is not closed");
        refuse(None, message)
    })?;
    if bare.is_some() {
        // The shell took the quotes of `--pgn 'my games.pgn'` away.
        let blanks = words
            .iter()
            .take_while(|word| split(word).is_none())
            .count();
        if 1 < blanks {
            let path = match words.len() {
                all if all == blanks && !text.contains(QUOTES) => text.trim().to_owned(),
                _ => words[..blanks].join(" "),
            };
            words.splice(..blanks, [path]);
        }
    }
    let mut keys: Vec<Key<'_>> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let (name, value) = match (split(word), bare) {
            (Some(pair), _) => pair,
            (None, Some(bare)) if i == 0 => (bare, word.as_str()),
            (None, _) => {
                return Err(refuse(Some(word), "a word is `key=value`".to_owned()));
            }
        };
        add(&mut keys, word, name, value).map_err(|message| refuse(Some(word), message))?;
    }
    T::deserialize(Words(&keys)).map_err(|error| refuse(error.word.as_deref(), error.message))
}

/// What means something to [`shlex`] besides blanks.
const QUOTES: [char; 4] = ['\'', '"', '\\', '#'];

/// Whether the words that were refused are those of an engine: of keys that do not exist the message
/// lists those that do.
fn are_of_an_engine(message: &str) -> bool {
    !message.starts_with("unknown field") || message.contains("`options`")
}

/// The word for an option of the engine that `word`, which was refused, may have meant:
/// `Options.Hash=16` and `Hash=16` are near `option.Hash=16`. Keys of arbiter are in small letters.
fn option_meant(word: &str) -> Option<String> {
    let Some((key, value)) = word.split_once('=') else {
        let is_option = near(word, ["option", "setoption"]).is_some();
        return is_option.then(|| "option.NAME=VALUE".to_owned());
    };
    let name = match key.split_once('.') {
        Some((prefix, name)) if near(prefix, ["option", "setoption"]).is_some() => name,
        Some(_) => return None,
        None => key,
    };
    let is_an_engines = name.starts_with(|first: char| first.is_ascii_uppercase());
    (is_an_engines && key != format!("option.{name}")).then(|| format!("option.{name}={value}"))
}

/// The two sides of `key=value`. No key has a slash but the names of options: `bin/x=y/engine` is a
/// path.
fn split(word: &str) -> Option<(&str, &str)> {
    word.split_once('=').filter(|(key, _)| {
        !key.contains('/') || TABLES.iter().any(|(prefix, _)| key.starts_with(prefix))
    })
}

/// The prefixes that gather in a table.
const TABLES: [(&str, &str); 2] = [("option.", "options"), ("env.", "env")];

fn add<'a>(
    keys: &mut Vec<Key<'a>>,
    word: &'a str,
    name: &'a str,
    value: &'a str,
) -> Result<(), String> {
    let table = TABLES
        .into_iter()
        .find_map(|(prefix, table)| Some((table, name.strip_prefix(prefix)?)));
    if let Some((_, "")) = table {
        return Err(
            "a name is missing: allowed is `option.NAME=VALUE`, as `option.Hash=16`".to_owned(),
        );
    }
    let (name, item) = table.map_or((name, None), |(table, item)| (table, Some(item)));
    match (keys.iter_mut().find(|key| key.name == name), item) {
        (None, None) => keys.push(Key {
            name,
            word,
            value: Value::Text(value),
        }),
        (None, Some(item)) => keys.push(Key {
            name,
            word,
            value: Value::Table(vec![(item, value)]),
        }),
        (
            Some(Key {
                value: Value::Table(items),
                ..
            }),
            Some(item),
        ) => items.push((item, value)),
        (Some(_), _) => return Err(format!("`{name}` is given twice")),
    }
    Ok(())
}

struct Key<'a> {
    name: &'a str,
    /// The (first) word that gave it.
    word: &'a str,
    value: Value<'a>,
}

#[derive(Clone)]
enum Value<'a> {
    Text(&'a str),
    Table(Vec<(&'a str, &'a str)>),
}

/// A refusal and the word that it is about.
#[derive(Debug)]
struct WordError {
    word: Option<String>,
    message: String,
}

impl Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WordError {}

impl Error for WordError {
    fn custom<T: Display>(message: T) -> Self {
        Self {
            word: None,
            message: message.to_string(),
        }
    }
}

struct Words<'a>(&'a [Key<'a>]);

impl<'de> Deserializer<'de> for Words<'_> {
    type Error = WordError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WordError> {
        visitor.visit_map(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

impl<'de> MapAccess<'de> for Words<'_> {
    type Error = WordError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, WordError> {
        let Some(key) = self.0.first() else {
            return Ok(None);
        };
        let name: StrDeserializer<'_, WordError> = key.name.into_deserializer();
        seed.deserialize(name).map(Some).map_err(|e| e.at(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, WordError> {
        let (key, rest) = self.0.split_first().expect("a value follows its key");
        self.0 = rest;
        seed.deserialize(key.value.clone()).map_err(|e| e.at(key))
    }
}

impl WordError {
    fn at(self, key: &Key<'_>) -> Self {
        let word = match key.value {
            Value::Text(_) => Some(key.word.to_owned()),
            Value::Table(_) => None,
        };
        Self { word, ..self }
    }
}

impl<'de> Deserializer<'de> for Value<'_> {
    type Error = WordError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WordError> {
        match self {
            Self::Text(text) => visitor.visit_str(text),
            Self::Table(items) => {
                let entries = items.into_iter();
                MapDeserializer::<_, WordError>::new(entries).deserialize_any(visitor)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WordError> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}
