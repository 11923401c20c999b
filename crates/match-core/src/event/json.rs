//! Events as JSON, one object a line, for `--events`.
//!
//! Every line has `seq` (from 0, no gaps), `at` (seconds since the start of the program) and `event`
//! with one of the names below. Games, pairs, rounds, openings and slots are counted from 1, as
//! people and PGN count them; engines go by their names; times are seconds. A key whose value does
//! not apply is left out.
//!
//! | event | keys |
//! | --- | --- |
//! | `contest_started` | `engines`, `games` (left out when only a decision ends it), `pairs`, `seed`, `slots`, `variant` |
//! | `contest_resumed` | those, and `totals` |
//! | `game_started` | `game`, `pair`, `round`, `opening`, `slot`, `white`, `black` |
//! | `game_finished` | those, `result`, `verdict`, `start`, `book`, `moves`, `spent`, `left`, `seconds`, `totals` |
//! | `engine_start_failed` | `game`, `slot`, `engine`, `failures`, `text` |
//! | `engine_restarted` | `slot`, `engine`, `color`, `fault` |
//! | `warned` | `game`, `engine`, `text` |
//! | `fault_recorded` | `game`, `engine`, `fault`, `file` |
//! | `draining` | `reason`, `text` |
//! | `contest_finished` | `stopped`, `seconds`, `summary` |
//!
//! - `result` is `1-0`, `0-1`, `1/2-1/2` or, for a void game, `*`.
//! - `verdict` has `kind` (`rules`, `adjudicated`, `forfeit`, `void`) and `reason` (`checkmate`,
//!   `time loss`, `resign adjudication`, `cancelled` ...; the names that `terminations` in the
//!   summary counts); an adjudication adds `since_ply`; a forfeit adds `loser` and `fault`; a game
//!   that the host spoilt adds `text`.
//! - `fault` has `kind` (`crash`, `stall`, `time_loss`, `illegal_move`) and `over`, `unanswered` or
//!   `text`.
//! - `start` is the FEN of the first position, `book` the plies of the opening from there and
//!   `moves` what the engines played, in UCI's words with blanks between them; `spent` and `left`
//!   have one number for each of `moves`.
//! - `totals` are `games`, `pairs` and `pentanomial` with this game in them; `summary` is the whole
//!   [`Summary`], as in `summary.json`.

use engine_core::{CastlingStyle, Color, Move, Position};
use serde::Serialize;

use crate::event::{Event, EventKind, StopReason};
use crate::fault::Fault;
use crate::fixture::Fixture;
use crate::record::GameRecord;
use crate::spec::{Spec, Variant};
use crate::summary::Summary;
use crate::verdict::{Verdict, VoidReason};

/// `event` of the contest of `spec` as one line of JSON, without the newline.
pub fn line(event: &Event, spec: &Spec) -> String {
    let line = Line {
        seq: event.seq,
        at: seconds(event.at.as_nanos()),
        kind: Kind::of(&event.kind, spec),
    };
    serde_json::to_string(&line).expect("text keys and finite numbers are JSON")
}

#[derive(Serialize)]
struct Line<'a> {
    seq: u64,
    at: f64,
    #[serde(flatten)]
    kind: Kind<'a>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Kind<'a> {
    ContestStarted(ContestLine<'a>),
    ContestResumed {
        #[serde(flatten)]
        contest: ContestLine<'a>,
        totals: Totals,
    },
    GameStarted {
        #[serde(flatten)]
        fixture: FixtureLine<'a>,
        slot: usize,
    },
    GameFinished(Box<GameLine<'a>>),
    EngineStartFailed {
        game: u64,
        slot: usize,
        engine: &'a str,
        failures: u32,
        text: &'a str,
    },
    EngineRestarted {
        slot: usize,
        engine: &'a str,
        color: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        fault: Option<FaultLine<'a>>,
    },
    Warned {
        #[serde(skip_serializing_if = "Option::is_none")]
        game: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        engine: Option<&'a str>,
        text: &'a str,
    },
    FaultRecorded {
        game: u64,
        engine: &'a str,
        fault: FaultLine<'a>,
        file: std::borrow::Cow<'a, str>,
    },
    Draining {
        reason: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<&'a str>,
    },
    ContestFinished {
        #[serde(skip_serializing_if = "Option::is_none")]
        stopped: Option<&'static str>,
        seconds: f64,
        summary: &'a Summary,
    },
}

#[derive(Serialize)]
struct ContestLine<'a> {
    engines: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<u64>,
    seed: u64,
    slots: usize,
    variant: &'static str,
}

#[derive(Serialize)]
struct FixtureLine<'a> {
    game: u64,
    pair: u64,
    round: u64,
    opening: u64,
    white: &'a str,
    black: &'a str,
}

#[derive(Serialize)]
struct GameLine<'a> {
    #[serde(flatten)]
    fixture: FixtureLine<'a>,
    slot: usize,
    result: &'static str,
    verdict: VerdictLine<'a>,
    start: String,
    book: String,
    moves: String,
    spent: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<Option<f64>>,
    seconds: f64,
    totals: Totals,
}

#[derive(Serialize)]
struct VerdictLine<'a> {
    kind: &'static str,
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    since_ply: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loser: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum FaultLine<'a> {
    Crash,
    Stall { unanswered: &'a str },
    TimeLoss { over: f64 },
    IllegalMove { text: &'a str },
}

#[derive(Serialize)]
struct Totals {
    games: u64,
    pairs: u64,
    pentanomial: [u64; 5],
}

impl<'a> Kind<'a> {
    fn of(kind: &'a EventKind, spec: &'a Spec) -> Self {
        let name = |engine: crate::fixture::EngineId| spec.engines[engine.0].name.as_str();
        match kind {
            EventKind::ContestStarted { spec, games, slots } => {
                Self::ContestStarted(ContestLine::of(spec, *games, *slots))
            }
            EventKind::ContestResumed {
                spec,
                games,
                slots,
                summary,
            } => Self::ContestResumed {
                contest: ContestLine::of(spec, *games, *slots),
                totals: Totals::of(summary),
            },
            EventKind::GameStarted { fixture, slot } => Self::GameStarted {
                fixture: FixtureLine::of(fixture, spec),
                slot: slot + 1,
            },
            EventKind::GameFinished {
                slot,
                record,
                summary,
            } => Self::GameFinished(Box::new(GameLine::of(*slot, record, summary, spec))),
            EventKind::EngineStartFailed {
                slot,
                game,
                engine,
                failures,
                text,
            } => Self::EngineStartFailed {
                game: game.0 + 1,
                slot: slot + 1,
                engine: name(*engine),
                failures: *failures,
                text,
            },
            EventKind::EngineRestarted {
                slot,
                engine,
                color,
                fault,
            } => Self::EngineRestarted {
                slot: slot + 1,
                engine: name(*engine),
                color: color_name(*color),
                fault: fault.as_ref().map(FaultLine::of),
            },
            EventKind::Warned { game, engine, text } => Self::Warned {
                game: game.map(|game| game.0 + 1),
                engine: engine.map(name),
                text,
            },
            EventKind::FaultRecorded {
                game,
                engine,
                fault,
                file,
                evidence: _,
            } => Self::FaultRecorded {
                game: game.0 + 1,
                engine: name(*engine),
                fault: FaultLine::of(fault),
                file: file.to_string_lossy(),
            },
            EventKind::Draining { reason } => Self::Draining {
                reason: reason.name(),
                text: reason.text(),
            },
            EventKind::ContestFinished {
                summary,
                stopped,
                wall,
            } => Self::ContestFinished {
                stopped: stopped.as_ref().map(StopReason::name),
                seconds: wall.as_secs_f64(),
                summary,
            },
        }
    }
}

impl<'a> ContestLine<'a> {
    fn of(spec: &'a Spec, games: u64, slots: usize) -> Self {
        let bounded = !spec.is_open_ended();
        Self {
            engines: spec.engines.iter().map(|e| e.name.as_str()).collect(),
            games: bounded.then_some(games),
            pairs: bounded.then_some(spec.pairs.get()),
            seed: spec.seed,
            slots,
            variant: match spec.variant {
                Variant::Standard => "standard",
                Variant::Chess960 => "chess960",
            },
        }
    }
}

impl Totals {
    fn of(summary: &Summary) -> Self {
        Self {
            games: summary.games,
            pairs: summary.pairs,
            pentanomial: summary.pentanomial,
        }
    }
}

impl<'a> FixtureLine<'a> {
    fn of(fixture: &Fixture, spec: &'a Spec) -> Self {
        Self {
            game: fixture.number.0 + 1,
            pair: fixture.number.pair().0 + 1,
            round: fixture.round + 1,
            opening: fixture.opening.0 + 1,
            white: &spec.engines[fixture.players.white.0].name,
            black: &spec.engines[fixture.players.black.0].name,
        }
    }
}

impl<'a> GameLine<'a> {
    fn of(slot: usize, record: &'a GameRecord, summary: &Summary, spec: &'a Spec) -> Self {
        let style = match spec.variant {
            Variant::Standard => CastlingStyle::Standard,
            Variant::Chess960 => CastlingStyle::Chess960,
        };
        let mut position = record.opening.start;
        let book = play(&mut position, record.opening.moves.iter().copied(), style);
        let moves = play(&mut position, record.plies.iter().map(|ply| ply.mv), style);
        let clocked = record.plies.iter().any(|ply| ply.left.is_some());
        Self {
            fixture: FixtureLine::of(&record.fixture, spec),
            slot: slot + 1,
            result: record
                .verdict
                .outcome()
                .map_or("*", engine_core::Outcome::as_pgn),
            verdict: VerdictLine::of(&record.verdict),
            start: match spec.variant {
                Variant::Standard => record.opening.start.fen(),
                Variant::Chess960 => record.opening.start.fen_shredder(),
            },
            book,
            moves,
            spent: record
                .plies
                .iter()
                .map(|ply| ply.spent.as_secs_f64())
                .collect(),
            left: record
                .plies
                .iter()
                .filter(|_| clocked)
                .map(|ply| ply.left.map(|left| left.as_secs_f64()))
                .collect(),
            seconds: record.duration.as_secs_f64(),
            totals: Totals::of(summary),
        }
    }
}

/// Plays `moves` and gives them as UCI writes them.
fn play(
    position: &mut Position,
    moves: impl Iterator<Item = Move>,
    style: CastlingStyle,
) -> String {
    let mut text = String::new();
    for mv in moves {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&position.uci(mv, style));
        position.play_unchecked(mv);
    }
    text
}

impl<'a> VerdictLine<'a> {
    fn of(verdict: &'a Verdict) -> Self {
        let plain = Self {
            kind: "rules",
            reason: verdict.name(),
            since_ply: None,
            loser: None,
            fault: None,
            text: None,
        };
        match verdict {
            Verdict::Rules(_) => plain,
            Verdict::Adjudicated(ruling) => Self {
                kind: "adjudicated",
                since_ply: Some(ruling.since_ply),
                ..plain
            },
            Verdict::Forfeit { loser, fault, .. } => Self {
                kind: "forfeit",
                loser: Some(color_name(*loser)),
                fault: Some(FaultLine::of(fault)),
                ..plain
            },
            Verdict::Void(why) => Self {
                kind: "void",
                reason: match why {
                    VoidReason::Cancelled => "cancelled",
                    VoidReason::Unneeded => "unneeded",
                    VoidReason::Host(_) => "host",
                },
                text: match why {
                    VoidReason::Host(text) => Some(text),
                    VoidReason::Cancelled | VoidReason::Unneeded => None,
                },
                ..plain
            },
        }
    }
}

impl<'a> FaultLine<'a> {
    fn of(fault: &'a Fault) -> Self {
        match fault {
            Fault::Crash => Self::Crash,
            Fault::Stall { unanswered } => Self::Stall { unanswered },
            Fault::TimeLoss { over } => Self::TimeLoss {
                over: over.as_secs_f64(),
            },
            Fault::IllegalMove { text } => Self::IllegalMove { text },
        }
    }
}

const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn seconds(nanos: u64) -> f64 {
    std::time::Duration::from_nanos(nanos).as_secs_f64()
}
