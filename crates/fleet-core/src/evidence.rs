//! A worker's report is a claim: here it is played again before it counts.
//!
//! What can be known is checked: that the game is the one that was lent (engines, colours, opening),
//! that every move is legal and none was played after the end, that the result follows from how it
//! ended, that an adjudication is one of the contest, that nobody was charged more than his clock
//! allows, and that no more time was spent than has passed. What engines said of their searches is not
//! known here, so a resignation or a draw is believed if it could be.

use std::time::Duration;

use engine_core::{CastlingStyle, Color, FlagPolicy, Game as Board, Outcome, flag_fall};
use fleet_api::{Fault as SaidFault, Game, Verdict};
use match_core::fixture::Fixture;
use match_core::ledger::{FaultKind, GameResult};
use match_core::limits::Limits;
use match_core::opening::Opening;
use match_core::spec::{Spec, Variant};
use match_core::verdict::Adjudicator;
use thiserror::Error;

/// Seconds on the wire have no more digits than this is long.
const ROUNDING: Duration = Duration::from_millis(1);

/// No game is longer: a number that is not bounded is not to be added up.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A game that could have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The result.
    pub result: GameResult,
    /// Plies that engines played.
    pub plies: u64,
    /// How long it took.
    pub took: Duration,
}

/// Why a report cannot be true.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Disbelief {
    /// Other engines or colours.
    #[error("{color} is said to be `{said}` and is `{is}` in this game")]
    Player {
        /// `white` or `black`.
        color: &'static str,
        /// Who it is said to be.
        said: String,
        /// Who it is.
        is: String,
    },
    /// Another opening.
    #[error("the opening is not the one of this pair")]
    Opening,
    /// A move that is none.
    #[error("ply {ply}, `{text}`, is not legal")]
    Move {
        /// From 1, the opening included.
        ply: usize,
        /// What was said.
        text: String,
    },
    /// The game was over before.
    #[error("ply {ply} was played after the game was over ({ending})")]
    After {
        /// From 1, the opening included.
        ply: usize,
        /// How it was over.
        ending: &'static str,
    },
    /// The end does not follow from the moves.
    #[error("it is said to have ended by `{said}`, and the board says `{board}`")]
    Ending {
        /// What was said.
        said: String,
        /// What the board says.
        board: &'static str,
    },
    /// The result does not follow from the end.
    #[error("the result `{said}` does not follow from `{reason}`")]
    Result {
        /// What was said.
        said: String,
        /// How it ended.
        reason: String,
    },
    /// Words of no meaning.
    #[error("`{0}` is not a verdict that a finished game can have")]
    Verdict(String),
    /// The contest has no such adjudicator, or it could not rule here.
    #[error("`{0}` cannot have been ruled in this game")]
    Ruling(String),
    /// A number for each move is needed.
    #[error("{times} times for {moves} moves")]
    Times {
        /// How many there are.
        times: usize,
        /// How many there must be.
        moves: usize,
    },
    /// No time.
    #[error("`{0}` is not a time that a move can take")]
    Time(String),
    /// A flag that should have fallen.
    #[error("{color} was charged more for move {number} than there was, and lost no game by it")]
    Overrun {
        /// `white` or `black`.
        color: &'static str,
        /// Of this player, from 1.
        number: usize,
    },
    /// Faster than time.
    #[error(
        "{thought:.1?} were thought in a game of {took:.1?}, {passed:.1?} after the lease began"
    )]
    TooFast {
        /// By the engines.
        thought: Duration,
        /// In all.
        took: Duration,
        /// Since the lease began.
        passed: Duration,
    },
    /// More play than there was time for.
    #[error(
        "the pairs of the lease took {played:.1?} in all, and {slots} games at a time began {passed:.1?} ago"
    )]
    TooMuch {
        /// In all its games.
        played: Duration,
        /// At a time.
        slots: u64,
        /// Since the lease began.
        passed: Duration,
    },
}

/// Plays `game` again, which is said to be `fixture` of `spec` from `opening`, with at most `passed`
/// since it can have begun.
///
/// # Errors
///
/// [`Disbelief`]: the first thing that cannot be.
pub fn check(
    spec: &Spec,
    fixture: &Fixture,
    opening: &Opening,
    game: &Game,
    passed: Duration,
) -> Result<Checked, Disbelief> {
    let name = |color| spec.engines[fixture.players[color].0].name.as_str();
    for (color, said) in [(Color::White, &game.white), (Color::Black, &game.black)] {
        if said != name(color) {
            return Err(Disbelief::Player {
                color: named(color),
                said: said.clone(),
                is: name(color).to_owned(),
            });
        }
    }
    let style = match spec.variant {
        Variant::Standard => CastlingStyle::Standard,
        Variant::Chess960 => CastlingStyle::Chess960,
    };
    let mut board = opened(opening, game, style)?;
    let first_mover = board.position().turn();
    let moves: Vec<&str> = game.moves.split_ascii_whitespace().collect();
    for text in &moves {
        play(&mut board, text, style)?;
    }
    let result = conclude(spec, &board, moves.len(), game)?;
    let thought = clocks(spec, fixture, first_mover, moves.len(), game)?;
    let took = Duration::try_from_secs_f64(game.seconds)
        .ok()
        .filter(|&took| took <= LONGEST)
        .ok_or_else(|| Disbelief::Time(game.seconds.to_string()))?;
    if thought > took + ROUNDING * (1 + game.spent.len() as u32) || took > passed {
        return Err(Disbelief::TooFast {
            thought,
            took,
            passed,
        });
    }
    Ok(Checked {
        result,
        plies: moves.len() as u64,
        took,
    })
}

/// Whether a lease can have had so much play, with so many games at a time and `passed` since it began.
///
/// # Errors
///
/// [`Disbelief::TooMuch`].
pub fn check_lease(played: Duration, slots: u64, passed: Duration) -> Result<(), Disbelief> {
    let at_a_time = u32::try_from(slots).unwrap_or(u32::MAX);
    match played <= passed.saturating_mul(at_a_time) {
        true => Ok(()),
        false => Err(Disbelief::TooMuch {
            played,
            slots,
            passed,
        }),
    }
}

/// The board after the book's moves. They may be cut where the game was over.
fn opened(opening: &Opening, game: &Game, style: CastlingStyle) -> Result<Board, Disbelief> {
    let start = [opening.start.fen(), opening.start.fen_shredder()];
    if !start.contains(&game.start) {
        return Err(Disbelief::Opening);
    }
    let mut board = Board::new(opening.start);
    let said: Vec<&str> = game.book.split_ascii_whitespace().collect();
    for (i, &mv) in opening.moves.iter().enumerate() {
        let Some(&text) = said.get(i) else {
            return match board.ending() {
                Some(_) if game.moves.is_empty() => Ok(board),
                _ => Err(Disbelief::Opening),
            };
        };
        if &*board.position().uci(mv, style) != text {
            return Err(Disbelief::Opening);
        }
        board.play_unchecked(mv);
    }
    if said.len() > opening.moves.len() {
        return Err(Disbelief::Opening);
    }
    Ok(board)
}

fn play(board: &mut Board, text: &str, style: CastlingStyle) -> Result<(), Disbelief> {
    let ply = board.plies() + 1;
    if let Some(ending) = board.ending() {
        return Err(Disbelief::After {
            ply,
            ending: ending.name(),
        });
    }
    let mv = board.position().parse_uci(text, style);
    let mv = mv.map_err(|_| Disbelief::Move {
        ply,
        text: text.chars().take(20).collect(),
    })?;
    board.play_unchecked(mv);
    Ok(())
}

/// The result that follows from the end of the game.
fn conclude(
    spec: &Spec,
    board: &Board,
    moves: usize,
    game: &Game,
) -> Result<GameResult, Disbelief> {
    let Verdict { kind, reason, .. } = &game.verdict;
    let said = |outcome: Outcome| {
        if outcome.as_pgn() == game.result {
            return Ok(outcome);
        }
        Err(Disbelief::Result {
            said: game.result.chars().take(20).collect(),
            reason: reason.chars().take(40).collect(),
        })
    };
    let unknown = || Disbelief::Verdict(format!("{kind}: {reason}").chars().take(60).collect());
    if let Some(ending) = board.ending() {
        // The laws come first: neither referee nor flag ends a game that is over.
        if kind != "rules" || reason != ending.name() {
            return Err(Disbelief::Ending {
                said: reason.chars().take(40).collect(),
                board: ending.name(),
            });
        }
        return Ok(GameResult {
            outcome: said(ending.outcome())?,
            ending: ending.name(),
            fault: None,
        });
    }
    match kind.as_str() {
        "rules" => Err(Disbelief::Ending {
            said: reason.chars().take(40).collect(),
            board: "not over",
        }),
        "adjudicated" => {
            let by = [
                Adjudicator::Tablebase,
                Adjudicator::Resign,
                Adjudicator::Draw,
                Adjudicator::MaxMoves,
            ]
            .into_iter()
            .find(|by| by.name() == reason)
            .ok_or_else(unknown)?;
            let decisive = game.result != Outcome::Draw.as_pgn();
            if !can_rule(spec, by, board, moves, decisive) {
                return Err(Disbelief::Ruling(reason.clone()));
            }
            let outcome = [
                Outcome::win(Color::White),
                Outcome::win(Color::Black),
                Outcome::Draw,
            ]
            .into_iter()
            .find(|outcome| outcome.as_pgn() == game.result)
            .ok_or_else(unknown)?;
            Ok(GameResult {
                outcome,
                ending: by.name(),
                fault: None,
            })
        }
        "forfeit" => forfeit(spec, board, game, said).ok_or_else(unknown)?,
        _ => Err(unknown()),
    }
}

fn forfeit(
    spec: &Spec,
    board: &Board,
    game: &Game,
    said: impl Fn(Outcome) -> Result<Outcome, Disbelief>,
) -> Option<Result<GameResult, Disbelief>> {
    let loser = match game.verdict.loser.as_deref()? {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return None,
    };
    let (fault, ending) = match game.verdict.fault.as_ref()? {
        SaidFault::Crash => (FaultKind::Crash, "crash"),
        SaidFault::Stall { .. } => (FaultKind::Stall, "stall"),
        SaidFault::TimeLoss { .. } => (FaultKind::TimeLoss, "time loss"),
        SaidFault::IllegalMove { .. } => (FaultKind::IllegalMove, "illegal move"),
    };
    if ending != game.verdict.reason {
        return None;
    }
    let to_move = board.position().turn() == loser;
    if !to_move && matches!(fault, FaultKind::TimeLoss | FaultKind::IllegalMove) {
        return None;
    }
    let outcome = match fault {
        FaultKind::TimeLoss => flag_fall(board.position(), loser, spec.flag_policy),
        FaultKind::Crash | FaultKind::Stall | FaultKind::IllegalMove => {
            flag_fall(board.position(), loser, FlagPolicy::Loss)
        }
    };
    Some(said(outcome).map(|outcome| GameResult {
        outcome,
        ending,
        fault: Some((loser, fault)),
    }))
}

/// Whether the contest has this adjudicator and it can have ruled so.
fn can_rule(spec: &Spec, by: Adjudicator, board: &Board, moves: usize, decisive: bool) -> bool {
    let rules = &spec.adjudication;
    match by {
        Adjudicator::Tablebase => {
            let rule = rules.syzygy.as_ref();
            rule.is_some_and(|rule| rule.is_for(board.position()) && rule.rules(decisive))
        }
        Adjudicator::Resign => rules.resign.is_some() && decisive,
        Adjudicator::Draw => rules.draw.is_some() && !decisive,
        Adjudicator::MaxMoves => {
            let limit = |most: std::num::NonZeroU32| moves as u64 >= 2 * u64::from(most.get());
            !decisive && rules.max_moves.is_some_and(limit)
        }
    }
}

/// What engines were charged in all, if no clock allows less.
fn clocks(
    spec: &Spec,
    fixture: &Fixture,
    first_mover: Color,
    moves: usize,
    game: &Game,
) -> Result<Duration, Disbelief> {
    if game.spent.len() != moves {
        return Err(Disbelief::Times {
            times: game.spent.len(),
            moves,
        });
    }
    let mut total = Duration::ZERO;
    for color in Color::ALL {
        let limits = &spec.engines[fixture.players[color].0].limits;
        let skip = usize::from(color != first_mover);
        let mut left = Left::new(limits);
        for (i, &seconds) in game.spent.iter().skip(skip).step_by(2).enumerate() {
            let spent = Duration::try_from_secs_f64(seconds)
                .map_err(|_| Disbelief::Time(seconds.to_string()))?;
            total = total.saturating_add(spent);
            if !left.spend(spent) {
                return Err(Disbelief::Overrun {
                    color: named(color),
                    number: i + 1,
                });
            }
        }
    }
    Ok(total)
}

/// A clock that is told what was spent.
struct Left<'a> {
    limits: &'a Limits,
    time: Duration,
    moves: u32,
}

impl<'a> Left<'a> {
    fn new(limits: &'a Limits) -> Self {
        let time = limits
            .clock
            .map_or(Duration::ZERO, |clock| clock.base + clock.increment);
        Self {
            limits,
            time,
            moves: 0,
        }
    }

    /// Whether it was there to be spent.
    fn spend(&mut self, spent: Duration) -> bool {
        let slack = self.limits.margin + ROUNDING;
        if self
            .limits
            .move_time
            .is_some_and(|most| spent > most + slack)
        {
            return false;
        }
        let Some(clock) = self.limits.clock else {
            return true;
        };
        if spent > self.time + slack {
            return false;
        }
        self.moves += 1;
        self.time = self.time.saturating_sub(spent) + clock.increment;
        if clock
            .moves
            .is_some_and(|period| self.moves.is_multiple_of(period.get()))
        {
            self.time += clock.base;
        }
        true
    }
}

const fn named(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
