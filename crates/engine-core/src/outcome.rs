//! How games end: the score, the reason, and who wins when a flag falls.

use std::fmt;
use std::str::FromStr;

use crate::{Bitboard, Color, Position, Role};

/// The score of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// One side won.
    Decisive {
        /// Which.
        winner: Color,
    },
    /// Half a point each.
    Draw,
}

impl Outcome {
    /// The outcome in which `winner` has won.
    pub const fn win(winner: Color) -> Self {
        Self::Decisive { winner }
    }

    /// The outcome in which `loser` has lost.
    pub const fn loss(loser: Color) -> Self {
        match loser {
            Color::White => Self::win(Color::Black),
            Color::Black => Self::win(Color::White),
        }
    }

    /// Who won, if anybody did.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Decisive { winner } => Some(winner),
            Self::Draw => None,
        }
    }

    /// The result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn as_pgn(self) -> &'static str {
        match self {
            Self::Decisive {
                winner: Color::White,
            } => "1-0",
            Self::Decisive {
                winner: Color::Black,
            } => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    /// As PGN writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_pgn())
    }
}

/// How a game came to its end under the laws of chess.
///
/// The first seven are facts of the board and its history; the last three are acts of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The side to move is in check and has no legal move (FIDE 5.1.1).
    Checkmate {
        /// Who gave it.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move (FIDE 5.2.1).
    Stalemate,
    /// The position occurred for the third time (FIDE 9.2).
    ThreefoldRepetition,
    /// The position occurred for the fifth time (FIDE 9.6.1).
    FivefoldRepetition,
    /// 100 plies without a capture or a pawn's move (FIDE 9.3).
    FiftyMoveRule,
    /// 150 plies without a capture or a pawn's move (FIDE 9.6.2).
    SeventyFiveMoveRule,
    /// No sequence of legal moves leads to a mate, because of the material alone (FIDE 5.2.2).
    InsufficientMaterial,
    /// A player gave up (FIDE 5.1.2).
    Resignation {
        /// Who did.
        loser: Color,
    },
    /// The players, or a referee for them, called it a draw (FIDE 5.2.3).
    Agreement,
    /// A flag fell (FIDE 6.9).
    TimeForfeit {
        /// Whose.
        loser: Color,
        /// A loss, or a draw against an opponent who cannot win; see [`FlagPolicy`].
        outcome: Outcome,
    },
}

impl Ending {
    /// The score it gives.
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Checkmate { winner } => Outcome::win(winner),
            Self::Resignation { loser } => Outcome::loss(loser),
            Self::TimeForfeit { outcome, .. } => outcome,
            Self::Stalemate
            | Self::ThreefoldRepetition
            | Self::FivefoldRepetition
            | Self::FiftyMoveRule
            | Self::SeventyFiveMoveRule
            | Self::InsufficientMaterial
            | Self::Agreement => Outcome::Draw,
        }
    }

    /// The name in reports and in the PGN tag `Termination`, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate { .. } => "checkmate",
            Self::Stalemate => "stalemate",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::FiftyMoveRule => "fifty-move rule",
            Self::SeventyFiveMoveRule => "seventy-five-move rule",
            Self::InsufficientMaterial => "insufficient material",
            Self::Resignation { .. } => "resignation",
            Self::Agreement => "agreement",
            Self::TimeForfeit { .. } => "time loss",
        }
    }
}

impl fmt::Display for Ending {
    /// Its name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// When a flag fall is a draw rather than a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FlagPolicy {
    /// A draw if the opponent has nothing but the king. What most servers and runners do.
    #[default]
    BareKing,
    /// A draw if the opponent has no material to mate with, whatever the loser plays (FIDE 6.9, as
    /// far as material can tell): nothing but the king, bishops or a knight that no man of the
    /// loser could help to a mate.
    CannotMate,
    /// Always a loss.
    Loss,
}

impl FlagPolicy {
    /// All policies, the default first.
    pub const ALL: [Self; 3] = [Self::BareKing, Self::CannotMate, Self::Loss];

    /// The word for it in options and files: `bare-king`, `cannot-mate` or `loss`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BareKing => "bare-king",
            Self::CannotMate => "cannot-mate",
            Self::Loss => "loss",
        }
    }
}

impl fmt::Display for FlagPolicy {
    /// Its name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The outcome when the flag of `loser` falls in `position`.
///
/// ```
/// use engine_core::{Color, FlagPolicy, Outcome, Position, flag_fall};
///
/// let position: Position = "4k3/8/8/8/8/4q3/8/4K3 w - - 0 1".parse()?;
/// let fall = |loser| flag_fall(&position, loser, FlagPolicy::BareKing);
/// assert_eq!(fall(Color::White), Outcome::win(Color::Black));
/// assert_eq!(fall(Color::Black), Outcome::Draw);
/// # Ok::<(), engine_core::FenPositionError>(())
/// ```
pub fn flag_fall(position: &Position, loser: Color, policy: FlagPolicy) -> Outcome {
    let winner = !loser;
    let saved = match policy {
        FlagPolicy::BareKing => !position.colored(winner).several(),
        FlagPolicy::CannotMate => cannot_mate(position, winner),
        FlagPolicy::Loss => false,
    };
    if saved {
        Outcome::Draw
    } else {
        Outcome::win(winner)
    }
}

/// Whether no mate by `color` can come about on a board with this material, whatever both sides
/// play.
///
/// A pawn, rook or queen always suffices, and so do two knights, or a knight with a bishop. A lone
/// knight needs a man of the other side that can take a flight square from its king (any but a
/// queen, who would always capture or parry). Bishops of one colour of square need a pawn, a knight
/// or a bishop of the other colour somewhere.
pub fn cannot_mate(position: &Position, color: Color) -> bool {
    let own = position.colored(color);
    let theirs = position.colored(!color);
    let roles = |role| position.roles(role);
    if (own & (roles(Role::Pawn) | roles(Role::Rook) | roles(Role::Queen))).any() {
        return false;
    }
    if (own & roles(Role::Knight)).any() {
        let only_a_knight = own.count() == 2;
        return only_a_knight && (theirs - roles(Role::King) - roles(Role::Queen)).is_empty();
    }
    if (own & roles(Role::Bishop)).any() {
        let bishops = roles(Role::Bishop);
        let one_color =
            (bishops & Bitboard::DARK).is_empty() || (bishops & Bitboard::LIGHT).is_empty();
        return one_color && (roles(Role::Pawn) | roles(Role::Knight)).is_empty();
    }
    true
}

/// A text that names no [`FlagPolicy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagPolicyError;

impl fmt::Display for FlagPolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a flag policy is `bare-king`, `cannot-mate` or `loss`")
    }
}

impl std::error::Error for FlagPolicyError {}

impl FromStr for FlagPolicy {
    type Err = FlagPolicyError;

    fn from_str(text: &str) -> Result<Self, FlagPolicyError> {
        Self::ALL
            .into_iter()
            .find(|policy| policy.name() == text)
            .ok_or(FlagPolicyError)
    }
}
