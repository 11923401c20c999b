//! The game on the board, and how an engine is told of it.

use engine_core::{CastlingStyle, Ending, Game, Move, Position, UciMoveError};
use uci::Command;

use crate::opening::Opening;

/// What has been played, as a game and as the text of a `position` command.
#[derive(Debug)]
pub(super) struct Board {
    game: Game,
    style: CastlingStyle,
    /// `None` is `startpos`.
    fen: Option<String>,
    /// Grows by a word a ply: a game's text is written once, not once a ply.
    moves: String,
}

/// Room for the text of an ordinary game's moves, so that it grows once or never.
const MOVES_BYTES_USUAL: usize = 1024;

impl Board {
    /// Plays an opening, up to where the laws end it if they do: what comes after that end is cut
    /// off the opening too.
    ///
    /// # Panics
    /// If it holds an illegal move: a book gives only what can be played.
    pub(super) fn new(opening: &mut Opening, style: CastlingStyle) -> Self {
        let start = opening.start;
        let fen = match style {
            CastlingStyle::Standard => start.fen(),
            CastlingStyle::Chess960 => start.fen_shredder(),
        };
        let is_startpos = start.fen() == Position::startpos().fen();
        let mut board = Self {
            game: Game::new(start),
            style,
            fen: (!is_startpos).then_some(fen),
            moves: String::with_capacity(MOVES_BYTES_USUAL),
        };
        let mut played = 0;
        while played < opening.moves.len() && board.ending().is_none() {
            let mv = opening.moves[played];
            assert!(
                board.position().is_legal(mv),
                "an opening's moves are legal, {mv:?} is not"
            );
            board.play(mv);
            played += 1;
        }
        opening.moves.truncate(played);
        board
    }

    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    pub(super) fn ending(&self) -> Option<Ending> {
        self.game.ending()
    }

    /// Plies since the start, opening included.
    pub(super) fn plies(&self) -> u32 {
        u32::try_from(self.game.plies()).unwrap_or(u32::MAX)
    }

    /// The move that an engine's word stands for.
    pub(super) fn read(&self, word: &[u8]) -> Result<Move, UciMoveError> {
        self.position().parse_uci(word, self.style)
    }

    /// Plays a move that is legal.
    pub(super) fn play(&mut self, mv: Move) {
        if !self.moves.is_empty() {
            self.moves.push(' ');
        }
        self.moves.push_str(&self.position().uci(mv, self.style));
        self.game.play_unchecked(mv);
    }

    /// All of it, for an engine.
    pub(super) fn command(&self) -> Command<'_> {
        Command::Position {
            fen: self.fen.as_deref(),
            moves: &self.moves,
        }
    }
}
