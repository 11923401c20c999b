//! The journal of a contest: its settings and every event, from which it can be gone on with.
//!
//! A journal is JSON lines. The first is the [`Head`]: what is played, with every setting, the book
//! and the engines' programs by their content. Each line after it is a record: an event as
//! [`json::line`](crate::event::json::line) writes it, and behind the keys of a finished game its
//! text in the PGN as `pgn`, if one is written. So the journal alone is enough to write all files of
//! the contest again, and who reads events can read it.
//!
//! Whoever plays writes a record before anything else is told of it. What is not in the journal has
//! not happened: on resuming, a torn last record is cut off, and the games that have no record are
//! played.
//!
//! [`Reading`] is a fold over the lines and knows neither files nor time.

use std::sync::Arc;

use serde::Deserialize;
use thiserror::Error;

use crate::contest::Sequential;
use crate::fixture::{EngineId, Fixture, GameNumber};
use crate::ledger::{Conflict, GameResult, Ledger};
use crate::moment::Moment;
use crate::schedule::Schedule;
use crate::spec::{Spec, SpecError};
use crate::summary::Summary;

mod head;
mod result;

pub use head::{BookIdentity, EngineIdentity, Head, VERSION};

use result::Verdict;

/// What has been played of a contest before it is gone on with.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// The games with a result.
    pub ledger: Ledger,
    /// The number of the next event.
    pub next_seq: u64,
    /// When the last event happened, by the clock of the contest.
    pub at: Moment,
    /// When it began, by the same clock, which stands still between an interruption and going on.
    pub began: Moment,
    /// Whether it came to its end: nothing is left to be played.
    pub is_over: bool,
}

/// A journal that is being read.
#[derive(Debug)]
pub struct Reading {
    head: Head,
    spec: Arc<Spec>,
    schedule: Schedule,
    past: Past,
    /// Lines so far, the head included.
    lines: u64,
    /// Bytes of the head and of all records before the first that is broken.
    whole: u64,
    torn: Option<Torn>,
}

/// What a journal holds.
#[derive(Debug)]
pub struct Read {
    /// What is played.
    pub head: Head,
    /// What has been played.
    pub past: Past,
    /// Bytes that are to be kept.
    pub whole: u64,
    /// What stands behind them, if anything does.
    pub torn: Option<Torn>,
}

/// The end of a journal whose writing was cut short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torn {
    /// How long it is.
    pub bytes: u64,
    /// The event that was being written.
    pub seq: u64,
    /// The game that it was about, if that can still be read.
    pub game: Option<GameNumber>,
    line: u64,
    why: String,
}

/// Why a file is no journal to go on with.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum JournalError {
    /// Something else.
    #[error("it is no journal of arbiter: {0}")]
    Foreign(
        /// Why it cannot be.
        String,
    ),
    /// From a program that is newer than this one.
    #[error(
        "it has version {found} of the format of journals, and this arbiter reads version {VERSION}"
    )]
    Version {
        /// The version of its format.
        found: u64,
    },
    /// Its settings mean nothing to this program.
    #[error("its settings cannot be read")]
    Settings(
        /// Why.
        #[source]
        SpecError,
    ),
    /// A record that cannot be read stands before others.
    #[error("line {line} is damaged: {why}; whole records follow it, so it was not cut short")]
    Damaged {
        /// From 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A record that can be read says what cannot be.
    #[error("line {line} {why}")]
    Inconsistent {
        /// From 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// Two results of one game.
    #[error("line {line}: {conflict}")]
    Conflict {
        /// From 1.
        line: u64,
        /// Which.
        conflict: Conflict,
    },
}

/// What of a record means something to the fold; others have more keys.
#[derive(Deserialize)]
struct Record<'a> {
    seq: u64,
    at: f64,
    event: &'a str,
    #[serde(borrow)]
    verdict: Option<Verdict<'a>>,
    result: Option<&'a str>,
    game: Option<u64>,
    white: Option<String>,
    black: Option<String>,
    moves: Option<&'a str>,
    stopped: Option<&'a str>,
}

impl Reading {
    /// Begins with the first line.
    ///
    /// # Errors
    ///
    /// When it is not the head of a journal that this program reads.
    pub fn begin(line: &[u8]) -> Result<Self, JournalError> {
        let head = Head::read(line)?;
        Ok(Self {
            spec: Arc::clone(&head.spec),
            schedule: Schedule::new(&head.spec, head.book.openings),
            head,
            past: Past::default(),
            lines: 1,
            whole: line.len() as u64,
            torn: None,
        })
    }

    /// Takes the next line with its line end; only the last of a file may have none.
    ///
    /// # Errors
    ///
    /// When the journal is damaged otherwise than by a cut at its end.
    pub fn line(&mut self, line: &[u8]) -> Result<(), JournalError> {
        self.lines += 1;
        let length = line.len() as u64;
        let record = parse(line);
        match (&mut self.torn, record) {
            (None, Ok(record)) => {
                self.record(&record)?;
                self.whole += length;
            }
            (None, Err(why)) => {
                self.torn = Some(Torn {
                    bytes: length,
                    seq: self.past.next_seq,
                    game: game_of(line),
                    line: self.lines,
                    why,
                });
            }
            (Some(torn), Err(_)) => torn.bytes += length,
            (Some(torn), Ok(_)) => {
                return Err(JournalError::Damaged {
                    line: torn.line,
                    why: torn.why.clone(),
                });
            }
        }
        Ok(())
    }

    /// What all lines together say.
    pub fn finish(self) -> Read {
        Read {
            head: self.head,
            past: self.past,
            whole: self.whole,
            torn: self.torn,
        }
    }

    fn record(&mut self, record: &Record<'_>) -> Result<(), JournalError> {
        if record.seq != self.past.next_seq {
            return self.inconsistent(format!(
                "has event {} where event {} is due",
                record.seq, self.past.next_seq
            ));
        }
        self.past.next_seq += 1;
        // Seconds are written with all digits; a moment before the first would be nonsense.
        let at = Moment::from_nanos((record.at.max(0.0) * 1e9).round() as u64);
        if record.seq == 0 {
            self.past.began = at;
        }
        self.past.at = self.past.at.max(at);
        self.past.is_over = false;
        match record.event {
            "game_finished" => self.game(record)?,
            "contest_finished" => {
                self.past.is_over = matches!(record.stopped, None | Some("decided"));
            }
            _ => {}
        }
        Ok(())
    }

    fn game(&mut self, record: &Record<'_>) -> Result<(), JournalError> {
        let number = record.game.and_then(|game| game.checked_sub(1));
        let Some(number) = number.filter(|&number| number < self.schedule.games()) else {
            return self.inconsistent("is about no game of this contest".to_owned());
        };
        let fixture = self.schedule.fixture(GameNumber(number));
        let name = |engine: EngineId| Some(&self.spec.engines[engine.0].name);
        let players = (name(fixture.players.white), name(fixture.players.black));
        if players != (record.white.as_ref(), record.black.as_ref()) {
            return self.inconsistent(format!(
                "is about game {} between others than those who play it",
                fixture.number
            ));
        }
        let verdict = record.verdict.as_ref().zip(record.result);
        let Some((verdict, result)) = verdict else {
            return self.inconsistent("is about a game without a verdict".to_owned());
        };
        if let Some(reason) = verdict.void() {
            self.past.ledger.record_void(&reason);
            return Ok(());
        }
        let Some(result) = verdict.result(result) else {
            return self.inconsistent(format!(
                "says that a game was `{result}` by {}, which is no ending",
                verdict.reason
            ));
        };
        let plies = record.moves.unwrap_or_default().split_whitespace().count();
        self.count(&fixture, result, plies as u64)
    }

    fn count(
        &mut self,
        fixture: &Fixture,
        result: GameResult,
        plies: u64,
    ) -> Result<(), JournalError> {
        let recorded = self.past.ledger.record_result(fixture, result, plies);
        recorded
            .map(drop)
            .map_err(|conflict| JournalError::Conflict {
                line: self.lines,
                conflict,
            })
    }

    fn inconsistent(&self, why: String) -> Result<(), JournalError> {
        Err(JournalError::Inconsistent {
            line: self.lines,
            why,
        })
    }
}

impl Past {
    /// What a contest of `spec` has come to.
    pub fn summary(&self, spec: &Spec) -> Summary {
        let mut sequential = spec.sprt.map(Sequential::new);
        if let Some(sequential) = &mut sequential {
            sequential.follow(&self.ledger);
        }
        let wall = self.at.since(self.began);
        Summary::new(spec, &self.ledger, sequential.as_ref(), wall)
    }
}

impl Torn {
    /// What was lost, for people.
    pub fn describe(&self) -> String {
        let Self { bytes, game, .. } = self;
        match game {
            Some(game) => format!("{bytes} bytes of a record of game {game}"),
            None => format!("{bytes} bytes of a record"),
        }
    }
}

/// Adds to the event `line` of a finished game how it stands in the PGN.
pub fn with_pgn(line: &str, pgn: &str) -> String {
    let keys = line.strip_suffix('}').expect("an event is a JSON object");
    let pgn = serde_json::to_string(pgn).expect("a text is JSON");
    format!("{keys}{PGN_KEY}{pgn}}}")
}

/// A record as the event that it is and, of a game in a PGN, the text that is there.
pub fn split_pgn(record: &str) -> (String, Option<String>) {
    // Within a JSON string quotes are escaped, so this is a key and nothing else.
    let split = record.split_once(PGN_KEY).and_then(|(keys, rest)| {
        let pgn = serde_json::from_str(rest.strip_suffix('}')?).ok()?;
        Some((format!("{keys}}}"), Some(pgn)))
    });
    split.unwrap_or_else(|| (record.to_owned(), None))
}

const PGN_KEY: &str = ",\"pgn\":";

fn parse(line: &[u8]) -> Result<Record<'_>, String> {
    let Some(text) = line.strip_suffix(b"\n") else {
        return Err("it has no end".to_owned());
    };
    serde_json::from_slice(text).map_err(|error| error.to_string())
}

/// The game of a record that cannot be read to its end.
fn game_of(line: &[u8]) -> Option<GameNumber> {
    let text = String::from_utf8_lossy(line);
    let (_, rest) = text.split_once("\"game\":")?;
    let (digits, _) = rest.split_once(',')?;
    let number: u64 = digits.parse().ok()?;
    Some(GameNumber(number.checked_sub(1)?))
}
