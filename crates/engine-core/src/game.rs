//! A game: where it started, what was played, and whether it is over.
//!
//! When several reasons to end hold at once, the first of these names the end: checkmate, stalemate,
//! insufficient material, repetition, move count. So a mate on the hundredth ply without progress is
//! a mate (FIDE 9.3 speaks of a player who *may* claim, 9.6.2 says it outright), and a stalemate
//! there is a stalemate.

use crate::{Ending, IllegalMove, Move, Position};

/// A start position and the legal moves played from it.
///
/// The start position counts as the first occurrence for repetition. Moves of an opening are played
/// like any others, so they count too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// The repetition keys of all positions so far, the start first. 64 bits suffice: a game
    /// compares fewer than ten thousand pairs, so a false repetition is to be expected once in
    /// 10^15 games.
    keys: Vec<u64>,
}

impl Game {
    /// The plies without capture or pawn move after which a match's game is a draw (FIDE 9.3).
    pub const FIFTY_MOVES: u16 = 100;
    /// The plies without capture or pawn move after which any game is a draw (FIDE 9.6.2).
    pub const SEVENTY_FIVE_MOVES: u16 = 150;

    /// A game of which nothing has been played.
    pub fn new(start: Position) -> Self {
        Self {
            start,
            position: start,
            moves: Vec::new(),
            keys: vec![start.key()],
        }
    }

    /// A game with its first moves.
    ///
    /// # Errors
    /// The first move that is not legal.
    pub fn with_moves(
        start: Position,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<Self, IllegalMove> {
        let mut game = Self::new(start);
        for mv in moves {
            game.play(mv)?;
        }
        Ok(game)
    }

    /// Begins anew from another position, keeping the memory.
    pub fn restart(&mut self, start: Position) {
        self.start = start;
        self.position = start;
        self.moves.clear();
        self.keys.clear();
        self.keys.push(start.key());
    }

    /// Plays a move, whether or not the game is over.
    ///
    /// # Errors
    /// If the move is not legal; then nothing changes.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal; see [`Position::play_unchecked`].
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        self.position.play_unchecked(mv);
        self.moves.push(mv);
        self.keys.push(self.position.key());
    }

    /// Where it started.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Where it stands.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// What was played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many plies were played.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// How often the present position has occurred, this time included.
    pub fn repetitions(&self) -> u32 {
        self.repetitions_up_to(u32::MAX)
    }

    /// How the rules under which engines play end the game here, if they do: threefold repetition
    /// and the fifty-move rule need no claim.
    ///
    /// An opening may have gone past that; then [`Ending::FivefoldRepetition`] and
    /// [`Ending::SeventyFiveMoveRule`] are named where they hold.
    pub fn ending(&self) -> Option<Ending> {
        self.ending_of_position()
            .or_else(|| match self.repetitions_up_to(5) {
                0..3 => None,
                3..5 => Some(Ending::ThreefoldRepetition),
                5.. => Some(Ending::FivefoldRepetition),
            })
            .or_else(|| match self.position.halfmove_clock() {
                0..Self::FIFTY_MOVES => None,
                Self::FIFTY_MOVES..Self::SEVENTY_FIVE_MOVES => Some(Ending::FiftyMoveRule),
                Self::SEVENTY_FIVE_MOVES.. => Some(Ending::SeventyFiveMoveRule),
            })
    }

    /// How the laws of chess end the game here without anybody's claim, if they do: checkmate,
    /// stalemate, insufficient material, fivefold repetition, seventy-five moves (FIDE 5 and 9.6).
    pub fn forced_ending(&self) -> Option<Ending> {
        self.ending_of_position()
            .or_else(|| (self.repetitions_up_to(5) >= 5).then_some(Ending::FivefoldRepetition))
            .or_else(|| {
                (self.position.halfmove_clock() >= Self::SEVENTY_FIVE_MOVES)
                    .then_some(Ending::SeventyFiveMoveRule)
            })
    }

    fn ending_of_position(&self) -> Option<Ending> {
        let position = &self.position;
        if !position.has_legal_moves() {
            return Some(if position.is_check() {
                Ending::Checkmate {
                    winner: !position.turn(),
                }
            } else {
                Ending::Stalemate
            });
        }
        position
            .is_insufficient_material()
            .then_some(Ending::InsufficientMaterial)
    }

    /// The number of occurrences, but no more than `limit` of them.
    fn repetitions_up_to(&self, limit: u32) -> u32 {
        let Some((&key, before)) = self.keys.split_last() else {
            return 0;
        };
        // Only positions since the last capture or pawn move can be the same, and only every second
        // has the same side to move.
        let reach = before
            .len()
            .min(usize::from(self.position.halfmove_clock()));
        let earlier = before[before.len() - reach..]
            .iter()
            .rev()
            .skip(1)
            .step_by(2)
            .filter(|&&earlier| earlier == key)
            .take(limit as usize - 1)
            .count();
        1 + earlier as u32
    }
}

impl Default for Game {
    /// A game from the start position of standard chess.
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}
