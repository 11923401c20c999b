//! What an engine says.

use std::io::Write;

use crate::info::Info;
use crate::words::Words;

/// A line from an engine. Texts are its own bytes, which need not be UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `id name`.
    IdName(&'a [u8]),
    /// `id author`.
    IdAuthor(&'a [u8]),
    /// `option`, with all that follows; see [`OptionDecl::parse`](crate::OptionDecl::parse).
    Option(&'a [u8]),
    /// `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `info`.
    Info(Info<'a>),
    /// `bestmove`.
    BestMove {
        /// The word after it, whatever it is; empty when there is none.
        mv: &'a [u8],
        /// The word after `ponder`.
        ponder: Option<&'a [u8]>,
    },
    /// Anything else: banners, debug output, words of other protocols.
    Noise,
}

impl<'a> Reply<'a> {
    /// Reads a line, with or without its end. Never fails: what is not understood is noise.
    ///
    /// Blanks before and after are ignored. The first word must be the protocol's own, in lower
    /// case and whole: a `readyok` glued to another line is not one.
    pub fn parse(line: &'a [u8]) -> Self {
        let mut words = Words::new(line);
        match words.next() {
            Some(b"info") => Self::Info(Info::parse(words)),
            Some(b"bestmove") => Self::BestMove {
                mv: words.next().unwrap_or_default(),
                ponder: words
                    .next()
                    .filter(|&word| word == b"ponder")
                    .and_then(|_| words.next()),
            },
            Some(b"readyok") => Self::ReadyOk,
            Some(b"uciok") => Self::UciOk,
            Some(b"option") => Self::Option(words.rest()),
            Some(b"id") => match words.next() {
                Some(b"name") => Self::IdName(words.rest()),
                Some(b"author") => Self::IdAuthor(words.rest()),
                _ => Self::Noise,
            },
            _ => Self::Noise,
        }
    }

    /// Appends the line with its end; nothing for noise.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        match *self {
            Self::IdName(name) => out.extend_from_slice(&[b"id name ", name].concat()),
            Self::IdAuthor(author) => out.extend_from_slice(&[b"id author ", author].concat()),
            Self::Option(declaration) => out.extend_from_slice(&[b"option ", declaration].concat()),
            Self::UciOk => out.extend_from_slice(b"uciok"),
            Self::ReadyOk => out.extend_from_slice(b"readyok"),
            Self::Info(info) => write!(out, "{info}").expect("a vector takes all"),
            Self::BestMove { mv, ponder } => {
                out.extend_from_slice(&[b"bestmove ", mv].concat());
                if let Some(ponder) = ponder {
                    out.extend_from_slice(&[b" ponder ", ponder].concat());
                }
            }
            Self::Noise => return,
        }
        out.push(b'\n');
    }
}
