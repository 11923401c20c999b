//! Lists, and sections that may be written in short.

use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::Text;

/// The arguments of a program: a string that is split into words as a shell would, or a list.
pub(in crate::spec::raw) fn arguments<'de, D: Deserializer<'de>>(
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
pub(in crate::spec::raw) fn folders<'de, D: Deserializer<'de>>(
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
pub(in crate::spec::raw) fn split_folders(text: &str) -> Vec<PathBuf> {
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
pub(in crate::spec::raw) fn text_or_table<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
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
pub(in crate::spec::raw) fn sections<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
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
