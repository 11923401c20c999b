//! What becomes of games that the host spoils.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Whether a host is blamed at all, and how often before it is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostSpec {
    /// Whether a game is void, and played again, that an engine loses because the host withheld its
    /// time. Otherwise it is lost.
    pub blame: bool,
    /// How many games may be void for that before the contest stops.
    pub max_voids: VoidLimit,
}

/// How many games the host may spoil.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoidLimit {
    /// So many.
    Games(u64),
    /// So many of a hundred games that ended, and always [`VoidLimit::ALWAYS`].
    PerCent(u8),
}

impl VoidLimit {
    /// What a share allows also in a short contest: in one of twenty games, 5 % is one game.
    pub const ALWAYS: u64 = 10;

    /// Whether `voids` of `games` games, which are among them, are too many.
    pub fn is_exceeded(self, voids: u64, games: u64) -> bool {
        match self {
            Self::Games(allowed) => voids > allowed,
            Self::PerCent(share) => {
                voids > Self::ALWAYS
                    && u128::from(voids) * 100 > u128::from(games) * u128::from(share)
            }
        }
    }
}

impl Default for VoidLimit {
    /// One game of twenty.
    fn default() -> Self {
        Self::PerCent(5)
    }
}

/// A text that is no limit of void games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is no limit of void games: a number of games from 0, or a share from `0%` to `100%`"
)]
pub struct VoidLimitError(
    /// All of it.
    pub String,
);

impl FromStr for VoidLimit {
    type Err = VoidLimitError;

    /// Reads `20` or `5%`.
    fn from_str(text: &str) -> Result<Self, VoidLimitError> {
        let limit = match text.strip_suffix('%') {
            Some(share) => share
                .parse()
                .ok()
                .filter(|&share| share <= 100)
                .map(Self::PerCent),
            None => text.parse().ok().map(Self::Games),
        };
        limit.ok_or_else(|| VoidLimitError(text.to_owned()))
    }
}

impl fmt::Display for VoidLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Games(games) => write!(f, "{games}"),
            Self::PerCent(share) => write!(f, "{share}%"),
        }
    }
}
