//! How strong the engine plays.

use std::fmt;

/// From 1, a beginner, to 10, as strong as it can.
///
/// A level bounds the nodes a move and, at the low end, blurs the evaluation. Both depend on
/// nothing but the position and the seed, so a level is equally strong on every machine, and a game
/// is the same again as long as the clock does not cut a search short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// The weakest.
    pub const MIN: Self = Self(1);
    /// The strongest.
    pub const MAX: Self = Self(10);

    /// The level with this number, if there is one.
    pub const fn new(number: u64) -> Option<Self> {
        if 1 <= number && number <= 10 {
            Some(Self(number as u8))
        } else {
            None
        }
    }

    /// Its number, 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// How many nodes a move it may visit; the strongest may visit any number.
    pub const fn nodes(self) -> Option<u64> {
        match self.strength() {
            Strength { nodes: 0, .. } => None,
            Strength { nodes, .. } => Some(nodes),
        }
    }

    /// By how many centipawns at most it misjudges a position.
    pub const fn blur(self) -> i32 {
        self.strength().blur
    }

    const fn strength(self) -> Strength {
        STRENGTHS[self.0 as usize - 1]
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::MAX
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[derive(Clone, Copy)]
struct Strength {
    nodes: u64,
    blur: i32,
}

/// Each step was worth 170 to 300 Elo in matches of the engine against itself (100 to 400 games from
/// the openings' kind of positions; the last step with 50,000 nodes for the strongest).
const STRENGTHS: [Strength; 10] = [
    Strength {
        nodes: 60,
        blur: 250,
    },
    Strength {
        nodes: 100,
        blur: 150,
    },
    Strength {
        nodes: 200,
        blur: 100,
    },
    Strength {
        nodes: 400,
        blur: 60,
    },
    Strength {
        nodes: 800,
        blur: 30,
    },
    Strength {
        nodes: 1_600,
        blur: 0,
    },
    Strength {
        nodes: 3_500,
        blur: 0,
    },
    Strength {
        nodes: 7_000,
        blur: 0,
    },
    Strength {
        nodes: 14_000,
        blur: 0,
    },
    Strength { nodes: 0, blur: 0 },
];
