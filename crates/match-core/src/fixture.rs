//! What game number n of a contest is.

use std::fmt;
use std::num::NonZeroU64;

use engine_core::{ByColor, Color};
use serde::{Deserialize, Serialize};

/// A game of a contest; the first is 0, people see it as 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameNumber(pub u64);

impl GameNumber {
    /// The pair that this game belongs to: games 2p and 2p + 1 are pair p.
    pub const fn pair(self) -> PairNumber {
        PairNumber(self.0 / 2)
    }

    /// Whether it is the one in which the first engine of the pairing has the white pieces.
    pub const fn is_first_of_pair(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// The other game of the pair.
    pub const fn sibling(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl fmt::Display for GameNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl PairNumber {
    /// Its games, in order.
    pub const fn games(self) -> [GameNumber; 2] {
        [GameNumber(2 * self.0), GameNumber(2 * self.0 + 1)]
    }
}

/// Two games of one opening with colours swapped; the first is 0, people see it as 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairNumber(pub u64);

impl fmt::Display for PairNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// Consecutive pairs of a contest: what is played of it here while others play the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The first.
    pub first: PairNumber,
    /// How many; those beyond the end of the contest are not there.
    pub pairs: NonZeroU64,
}

/// An engine by its place in the spec, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EngineId(pub usize);

/// An opening by its place in the book, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OpeningIndex(pub u64);

/// Who plays whom from which opening; a function of the spec, the seed and the number alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Which game.
    pub number: GameNumber,
    /// Which round, from 0: all pairings of a round share an opening.
    pub round: u64,
    /// Who has the white and who the black pieces.
    pub players: ByColor<EngineId>,
    /// Which entry of the book.
    pub opening: OpeningIndex,
}

impl Fixture {
    /// The colour that `engine` plays, if it plays.
    pub fn color_of(&self, engine: EngineId) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.players[color] == engine)
    }
}
