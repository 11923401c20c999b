//! Moves as UCI writes them.
//!
//! Reading is strict where engines must agree with everybody else, lenient where only one thing can
//! be meant:
//!
//! - Castling is the king's own two steps (`e1g1`) in standard chess and "king takes own rook"
//!   (`e1h1`) in Chess960, and each form only there. `e1g1` under Chess960 would be a plain king
//!   move in other positions, and an engine that says `e1h1` in standard chess has not understood
//!   which game it plays.
//! - The promotion's letter may be in upper case (`c7c8Q`, as some engines write); it is forwarded
//!   in lower case. Squares may not.
//! - A pawn's move to the last rank without a letter is refused; so is a letter anywhere else.
//! - `0000`, `(none)`, `a1a1` and nothing at all are no moves.

use std::fmt;

use crate::{
    Bitboard, CastlingSide, Color, File, Move, Position, Rank, Role, ShortText, Square, attacks,
};

/// How castling is written in UCI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingStyle {
    /// From the king's square to the king's target: `e1g1`, `e8c8`.
    #[default]
    Standard,
    /// From the king's square to the rook's: `e1h1`, as engines do under `UCI_Chess960`.
    Chess960,
}

impl Position {
    /// A legal move as UCI text.
    ///
    /// A castling that standard chess does not know (see [`Position::needs_chess960`]) has no
    /// sensible form in [`CastlingStyle::Standard`]; it is written with the king's target, even
    /// where that is where the king stands.
    pub fn uci(&self, mv: Move, style: CastlingStyle) -> ShortText {
        let to = match self.castling_side(mv) {
            Some(side) if style == CastlingStyle::Standard => {
                Square::new(side.king_target(), mv.from.rank())
            }
            _ => mv.to,
        };
        let mut text = ShortText::EMPTY;
        for square in [mv.from, to] {
            text.push(square.file().char());
            text.push(square.rank().char());
        }
        if let Some(role) = mv.promotion {
            text.push(role.char());
        }
        text
    }

    /// The legal move that UCI text stands for. See the [module](crate::uci_move) for what is
    /// accepted. Nothing is allocated.
    ///
    /// ```
    /// use engine_core::{CastlingStyle, Position, UciMoveError};
    ///
    /// let position = Position::startpos();
    /// let mv = position.parse_uci("g1f3", CastlingStyle::Standard)?;
    /// assert_eq!(position.uci(mv, CastlingStyle::Standard), "g1f3");
    /// assert_eq!(position.parse_uci("0000", CastlingStyle::Standard), Err(UciMoveError::Null));
    /// # Ok::<(), UciMoveError>(())
    /// ```
    pub fn parse_uci(
        &self,
        text: impl AsRef<[u8]>,
        style: CastlingStyle,
    ) -> Result<Move, UciMoveError> {
        let said = parse(text.as_ref())?;
        let mv = match style {
            CastlingStyle::Chess960 => said,
            CastlingStyle::Standard if self.castling_side(said).is_some() => {
                return Err(UciMoveError::CastlingStyle(style));
            }
            CastlingStyle::Standard => self.standard_castling(said).unwrap_or(said),
        };
        if self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(self.why_illegal(said, style))
        }
    }

    /// Towards which side `mv` castles, if it is the move of a king onto an own rook.
    pub(crate) fn castling_side(&self, mv: Move) -> Option<CastlingSide> {
        let own = self.colored(self.turn());
        let castles = mv.promotion.is_none()
            && (own & self.roles(Role::King)).contains(mv.from)
            && (own & self.roles(Role::Rook)).contains(mv.to);
        castles.then(|| {
            if mv.to < mv.from {
                CastlingSide::AFile
            } else {
                CastlingSide::HFile
            }
        })
    }

    /// The castling with a corner's rook that two steps of a king from the e-file stand for.
    pub(crate) fn standard_castling(&self, said: Move) -> Option<Move> {
        let home = match self.turn() {
            Color::White => Square::E1,
            Color::Black => Square::E8,
        };
        if said.from != home || said.from != self.king(self.turn()) || said.promotion.is_some() {
            return None;
        }
        CastlingSide::ALL.into_iter().find_map(|side| {
            let rook = self.castling_rook(self.turn(), side)?;
            let corner = match side {
                CastlingSide::AFile => File::A,
                CastlingSide::HFile => File::H,
            };
            let fits = said.to == Square::new(side.king_target(), home.rank());
            (fits && rook.file() == corner).then(|| Move::new(home, rook))
        })
    }

    fn why_illegal(&self, said: Move, style: CastlingStyle) -> UciMoveError {
        let Some(piece) = self.piece_at(said.from) else {
            return UciMoveError::EmptySquare(said.from);
        };
        if piece.color != self.turn() {
            return UciMoveError::OpponentsPiece(said.from);
        }
        if self.castling_side(said).is_some() {
            return UciMoveError::Castling;
        }
        if piece.role == Role::King
            && said.promotion.is_none()
            && said.from.rank() == said.to.rank()
        {
            let steps = said.from.file().index().abs_diff(said.to.file().index());
            if steps == 2 {
                return match style {
                    CastlingStyle::Standard => UciMoveError::Castling,
                    CastlingStyle::Chess960 => UciMoveError::CastlingStyle(style),
                };
            }
        }
        let last = said.to.rank() == Rank::Eighth.relative_to(self.turn());
        let promotes = piece.role == Role::Pawn && last;
        match said.promotion {
            None if promotes => return UciMoveError::PromotionMissing,
            Some(_) if !promotes => return UciMoveError::PromotionMisplaced,
            _ => {}
        }
        if self.reaches(piece.role, said) {
            UciMoveError::ExposesKing
        } else {
            UciMoveError::Unreachable {
                role: piece.role,
                from: said.from,
                to: said.to,
            }
        }
    }

    /// Whether a piece of the side to move could go there if its king did not matter.
    pub(crate) fn reaches(&self, role: Role, mv: Move) -> bool {
        let occupied = self.occupied();
        if self.colored(self.turn()).contains(mv.to) {
            return false;
        }
        if role != Role::Pawn {
            return attacks::of(role, self.turn(), mv.from, occupied).contains(mv.to);
        }
        // An en passant square is kept only when the capture is legal, so none is missed here.
        if attacks::pawn(self.turn(), mv.from).contains(mv.to) {
            return occupied.contains(mv.to);
        }
        let up = match self.turn() {
            Color::White => 1,
            Color::Black => -1,
        };
        let path = attacks::between(mv.from, mv.to).with(mv.to);
        let single = mv.from.offset(0, up) == Some(mv.to);
        let double = mv.from.offset(0, 2 * up) == Some(mv.to)
            && mv.from.rank() == Rank::Second.relative_to(self.turn());
        (single || double) && (path & occupied) == Bitboard::EMPTY
    }
}

/// The squares and the promotion that the text names, legal or not.
fn parse(text: &[u8]) -> Result<Move, UciMoveError> {
    let (squares, promotion) = match text {
        b"0000" => return Err(UciMoveError::Null),
        b"" | b"(none)" | b"none" | b"NULL" => return Err(UciMoveError::NoMove),
        [squares @ .., letter] if text.len() == 5 => {
            let role = Role::from_char(char::from(*letter))
                .filter(|role| Role::PROMOTIONS.contains(role))
                .ok_or(UciMoveError::Syntax)?;
            (squares, Some(role))
        }
        _ => (text, None),
    };
    let &[a, b, c, d] = squares else {
        return Err(UciMoveError::Syntax);
    };
    let (from, to) = (square(a, b)?, square(c, d)?);
    if from == to {
        return Err(UciMoveError::SameSquare(from));
    }
    Ok(Move {
        from,
        to,
        promotion,
    })
}

fn square(file: u8, rank: u8) -> Result<Square, UciMoveError> {
    match (file, rank) {
        (b'a'..=b'h', b'1'..=b'8') => {
            let index = usize::from(rank - b'1') * 8 + usize::from(file - b'a');
            Square::from_index(index).ok_or(UciMoveError::Syntax)
        }
        _ => Err(UciMoveError::Syntax),
    }
}

/// Why a text is no legal move here. The text itself is with whoever has read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UciMoveError {
    /// It is `0000`.
    Null,
    /// It is empty, `(none)` or the like.
    NoMove,
    /// It is not two squares and at most one of the letters `q r b n`.
    Syntax,
    /// Both squares are this one.
    SameSquare(Square),
    /// Nothing stands there.
    EmptySquare(Square),
    /// The opponent's piece stands there.
    OpponentsPiece(Square),
    /// A pawn reaches the last rank and does not say what it becomes.
    PromotionMissing,
    /// Something promotes that cannot.
    PromotionMisplaced,
    /// Castling is written in the form of the other style than the one given here.
    CastlingStyle(CastlingStyle),
    /// Castling is not allowed now.
    Castling,
    /// The king would be in check afterwards.
    ExposesKing,
    /// The piece does not move like that, or something stands in its way.
    Unreachable {
        /// The piece.
        role: Role,
        /// Where it stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
}

impl fmt::Display for UciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("the null move cannot be played"),
            Self::NoMove => f.write_str("no move was given"),
            Self::Syntax => {
                f.write_str("a move is two squares and for a promotion one of `q r b n`")
            }
            Self::SameSquare(square) => write!(f, "from `{square}` to `{square}` is no move"),
            Self::EmptySquare(square) => write!(f, "nothing stands on `{square}`"),
            Self::OpponentsPiece(square) => {
                write!(f, "the piece on `{square}` is the opponent's")
            }
            Self::PromotionMissing => {
                f.write_str("the pawn does not say what it becomes: `q`, `r`, `b` or `n`")
            }
            Self::PromotionMisplaced => f.write_str("only a pawn on the last rank promotes"),
            Self::CastlingStyle(CastlingStyle::Standard) => f.write_str(
                "castling is written with the king's target here (`e1g1`), not with the rook's square",
            ),
            Self::CastlingStyle(CastlingStyle::Chess960) => f.write_str(
                "castling is written with the rook's square in Chess960 (`e1h1`), not with the king's target",
            ),
            Self::Castling => f.write_str("castling is not allowed here"),
            Self::ExposesKing => f.write_str("it leaves the king in check"),
            Self::Unreachable { role, from, to } => write!(
                f,
                "the {} on `{from}` cannot go to `{to}`",
                role_name(*role)
            ),
        }
    }
}

impl std::error::Error for UciMoveError {}

pub(crate) const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
