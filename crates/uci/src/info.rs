//! What an engine says while it thinks.

use std::fmt;
use std::time::Duration;

use crate::words::Words;

/// An `info` line. Whatever is missing, out of range or no number is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info<'a> {
    /// Plies.
    pub depth: Option<u32>,
    /// Plies of the deepest line.
    pub seldepth: Option<u32>,
    /// Which of several best lines this is; the best is 1.
    pub multipv: Option<u32>,
    /// From the engine's side.
    pub score: Option<Score>,
    /// Set when the score is not exact.
    pub bound: Option<Bound>,
    /// Nodes so far.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// How full the hash table is, per mille.
    pub hashfull: Option<u32>,
    /// Tablebase hits so far.
    pub tbhits: Option<u64>,
    /// Time so far; milliseconds in the line.
    pub time: Option<Duration>,
    /// Moves, separated by blanks; ends before the first word that has not the form of a move.
    pub pv: &'a [u8],
    /// Everything after `string`, which is for people and never looked into.
    pub string: &'a [u8],
}

/// A score from the engine's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves (not plies) to mate, negative when the engine is mated.
    ///
    /// Zero is what engines say of a position that is mate, or by mistake; it claims nothing.
    Mate(i32),
}

/// In what way a score is not exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The true score is this or more.
    Lower,
    /// The true score is this or less.
    Upper,
}

impl<'a> Info<'a> {
    /// Reads what follows the word `info`, in whatever order it comes.
    pub(crate) fn parse(mut words: Words<'a>) -> Self {
        let mut info = Self::default();
        while let Some(key) = words.next() {
            match key {
                b"depth" => info.depth = words.number().or(info.depth),
                b"seldepth" => info.seldepth = words.number().or(info.seldepth),
                b"multipv" => info.multipv = words.number().or(info.multipv),
                b"nodes" => info.nodes = words.number().or(info.nodes),
                b"nps" => info.nps = words.number().or(info.nps),
                b"hashfull" => info.hashfull = words.number().or(info.hashfull),
                b"tbhits" => info.tbhits = words.number().or(info.tbhits),
                b"time" => info.time = words.number().map(Duration::from_millis).or(info.time),
                b"score" => info.read_score(&mut words),
                b"lowerbound" => info.bound = Some(Bound::Lower),
                b"upperbound" => info.bound = Some(Bound::Upper),
                b"pv" => info.pv = words.moves(),
                b"string" => {
                    info.string = words.rest();
                    break;
                }
                // `currmove`, `wdl`, things of one engine alone, and their values.
                _ => {}
            }
        }
        info
    }

    /// Reads what follows `score`: a bound may stand on either side of the number.
    fn read_score(&mut self, words: &mut Words<'a>) {
        let mut ahead = words.clone();
        loop {
            match ahead.next() {
                Some(b"cp") => self.score = ahead.number().map(Score::Centipawns),
                Some(b"mate") => self.score = ahead.number().map(Score::Mate),
                Some(b"lowerbound") => self.bound = Some(Bound::Lower),
                Some(b"upperbound") => self.bound = Some(Bound::Upper),
                _ => return,
            }
            *words = ahead.clone();
        }
    }
}

impl fmt::Display for Info<'_> {
    /// The line, without its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn pair(
            f: &mut fmt::Formatter<'_>,
            key: &str,
            value: Option<impl fmt::Display>,
        ) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {key} {value}"))
        }
        f.write_str("info")?;
        pair(f, "depth", self.depth)?;
        pair(f, "seldepth", self.seldepth)?;
        pair(f, "multipv", self.multipv)?;
        pair(f, "score", self.score)?;
        f.write_str(match self.bound {
            Some(Bound::Lower) => " lowerbound",
            Some(Bound::Upper) => " upperbound",
            None => "",
        })?;
        pair(f, "nodes", self.nodes)?;
        pair(f, "nps", self.nps)?;
        pair(f, "hashfull", self.hashfull)?;
        pair(f, "tbhits", self.tbhits)?;
        pair(f, "time", self.time.map(|time| time.as_millis()))?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", String::from_utf8_lossy(self.pv))?;
        }
        if !self.string.is_empty() {
            write!(f, " string {}", String::from_utf8_lossy(self.string))?;
        }
        Ok(())
    }
}

impl fmt::Display for Score {
    /// As UCI writes it: `cp 17`, `mate -3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(centipawns) => write!(f, "cp {centipawns}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}
