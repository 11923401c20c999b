//! The position to think about, as `position` told it.

use std::fmt;

use engine_core::{CastlingStyle, FenPositionError, Position, UciMoveError};
use uci::Command;

/// A game as far as the engine knows it.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// The command that led here.
    told: String,
    position: Position,
    /// Repetition keys of the positions before.
    past: Vec<u64>,
}

/// A `position` that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BoardError {
    Unreadable,
    Fen(FenPositionError),
    Move { text: String, why: UciMoveError },
}

impl Default for Board {
    fn default() -> Self {
        Self {
            told: String::new(),
            position: Position::startpos(),
            past: Vec::new(),
        }
    }
}

impl Board {
    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn past(&self) -> &[u64] {
        &self.past
    }

    /// Takes a `position` command; on an error nothing changes.
    ///
    /// In a game each command is the one before with two moves more, and only those are played.
    pub(crate) fn set(&mut self, line: &str, style: CastlingStyle) -> Result<(), BoardError> {
        match self.continuation(line) {
            Some(moves) => self.play(moves, style)?,
            None => {
                let Some(Command::Position { fen, moves }) = Command::parse(line) else {
                    return Err(BoardError::Unreadable);
                };
                let position = match fen {
                    Some(fen) => Position::from_fen(fen).map_err(BoardError::Fen)?,
                    None => Position::startpos(),
                };
                let mut board = Self {
                    told: String::new(),
                    position,
                    past: Vec::new(),
                };
                board.play(moves, style)?;
                *self = board;
            }
        }
        self.told.clear();
        self.told.push_str(line);
        Ok(())
    }

    /// The moves that `line` adds to the command before.
    fn continuation<'a>(&self, line: &'a str) -> Option<&'a str> {
        let more = line
            .strip_prefix(self.told.as_str())
            .filter(|_| self.told.contains(" moves "))?;
        (more.is_empty() || more.starts_with(' ')).then_some(more)
    }

    /// Plays all moves or none.
    fn play(&mut self, moves: &str, style: CastlingStyle) -> Result<(), BoardError> {
        let before = (self.position, self.past.len());
        for text in moves.split_ascii_whitespace() {
            match self.position.parse_uci(text, style) {
                Ok(mv) => {
                    self.past.push(self.position.key());
                    self.position.play_unchecked(mv);
                }
                Err(why) => {
                    self.position = before.0;
                    self.past.truncate(before.1);
                    return Err(BoardError::Move {
                        text: text.to_owned(),
                        why,
                    });
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable => write!(f, "neither `startpos` nor `fen` follows `position`"),
            Self::Fen(error) => error.fmt(f),
            Self::Move { text, why } => write!(f, "move `{text}`: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[&str], fen: &str, past: usize) {
        let mut board = Board::default();
        for line in lines {
            board.set(line, CastlingStyle::Standard).unwrap();
        }
        assert_eq!(
            (board.position.fen().as_str(), board.past.len()),
            (fen, past)
        );
    }

    #[test]
    fn a_command_that_continues_the_one_before_leads_to_the_same_position_as_from_scratch() {
        let whole = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1";
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4";
        check(&[whole], fen, 7);
        check(&[&whole[..33], &whole[..43], whole], fen, 7);
        check(&[whole, whole], fen, 7);
    }

    #[test]
    fn a_move_that_only_begins_like_the_last_one_is_not_a_continuation() {
        let start = "position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1 moves a7a8q";
        check(
            &[
                start,
                "position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1 moves a7a8r",
            ],
            "R6k/8/8/8/8/8/8/K7 b - - 0 1",
            1,
        );
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut board = Board::default();
        board
            .set("position startpos moves e2e4", CastlingStyle::Standard)
            .unwrap();
        let before = board.position;
        let error = board.set(
            "position startpos moves e2e4 e7e5 e4e5",
            CastlingStyle::Standard,
        );
        assert!(matches!(error, Err(BoardError::Move { text, .. }) if text == "e4e5"));
        assert_eq!((board.position, board.past.len()), (before, 1));
        assert!(
            board
                .set("position somewhere", CastlingStyle::Standard)
                .is_err()
        );
    }
}
