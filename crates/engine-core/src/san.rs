//! Standard algebraic notation, written strictly and read leniently.
//!
//! Written is what the PGN standard (8.2.3) asks for: the least disambiguation that suffices among
//! legal moves, file before rank before both, `=Q` for promotions, `O-O` with letters, `+` and `#`.
//!
//! Read is that and what other programs write, as long as exactly one legal move fits:
//!
//! - castling with zeros or small letters (`0-0-0`, `o-o`);
//! - promotion without `=`, in lower case or in brackets (`a8Q`, `a8=q`, `a8(Q)`), but not without a
//!   letter: that leaves four candidates and is ambiguous;
//! - too much disambiguation and long algebraic notation (`Ng1f3`, `e7-e5`, `Bf1xb5`), a pawn's
//!   letter (`Pe4`), and plain coordinates as UCI has them (`g1f3`, `e1g1`, `a7a8q`);
//! - captures without `x`, quiet moves with it, missing, wrong or doubled `+` and `#`;
//! - `e.p.` and `ep` after a capture, glued to it or not, `!`, `?` and NAGs after anything.
//!
//! A lower-case `b` is always the file, never a bishop.

use std::fmt;
use std::str::FromStr;

use crate::uci_move::role_name;
use crate::{Bitboard, CastlingSide, File, Move, Position, Rank, Role, ShortText, Square};

mod scan;

pub(crate) use scan::{is_en_passant_mark, is_null_move, scan, scan_plain};

/// A move as SAN describes it: without a position it is only a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum San {
    /// `O-O` or `O-O-O`.
    Castling(CastlingSide),
    /// Anything else.
    Piece(PieceMove),
}

/// What SAN says of a move that is not castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PieceMove {
    /// What moves. With both `from_file` and `from_rank` given a pawn stands for whatever is on that
    /// square, for plain coordinates name no piece.
    pub role: Role,
    /// The file it comes from, if said.
    pub from_file: Option<File>,
    /// The rank it comes from, if said.
    pub from_rank: Option<Rank>,
    /// Whether an `x` or `:` was written. A hint for pawns without a file, otherwise ignored.
    pub capture: bool,
    /// Where it goes.
    pub to: Square,
    /// What a pawn becomes, if said.
    pub promotion: Option<Role>,
}

impl Position {
    /// A legal move as SAN, with `+` or `#`.
    ///
    /// ```
    /// use engine_core::{Move, Position, Square};
    ///
    /// let position: Position = "7k/5Q2/6K1/8/8/8/8/8 w - - 99 120".parse()?;
    /// assert_eq!(position.san(Move::new(Square::F7, Square::G7)), "Qg7#");
    /// # Ok::<(), engine_core::FenPositionError>(())
    /// ```
    pub fn san(&self, mv: Move) -> ShortText {
        let mut text = ShortText::EMPTY;
        match self.castling_side(mv) {
            Some(CastlingSide::HFile) => text.push_str("O-O"),
            Some(CastlingSide::AFile) => text.push_str("O-O-O"),
            None => self.push_piece_move(mv, &mut text),
        }
        let mut after = *self;
        after.play_unchecked(mv);
        if after.is_check() {
            text.push(if after.has_legal_moves() { '+' } else { '#' });
        }
        text
    }

    fn push_piece_move(&self, mv: Move, text: &mut ShortText) {
        let Some(role) = self.role_at(mv.from) else {
            return;
        };
        let (file, rank) = (mv.from.file(), mv.from.rank());
        let mut capture = self.occupied().contains(mv.to);
        if role == Role::Pawn {
            capture |= file != mv.to.file();
            if capture {
                text.push(file.char());
            }
        } else {
            text.push(role.upper_char());
            let rivals = self.legal_origins(role, mv.to).without(mv.from);
            let on_file = (rivals & Bitboard::from_file(file)).any();
            let on_rank = (rivals & Bitboard::from_rank(rank)).any();
            if rivals.any() && (!on_file || on_rank) {
                text.push(file.char());
            }
            if on_file {
                text.push(rank.char());
            }
        }
        if capture {
            text.push('x');
        }
        text.push(mv.to.file().char());
        text.push(mv.to.rank().char());
        if let Some(role) = mv.promotion {
            text.push('=');
            text.push(role.upper_char());
        }
    }

    /// The one legal move that a SAN text stands for. See the [module](crate::san) for what is
    /// accepted.
    ///
    /// ```
    /// use engine_core::{Move, Position, Square};
    ///
    /// let position = Position::startpos();
    /// let knight = Move::new(Square::G1, Square::F3);
    /// assert_eq!(position.parse_san("Nf3"), Ok(knight));
    /// assert_eq!(position.parse_san("Ng1-f3!?"), Ok(knight));
    /// assert!(position.parse_san("Nf4").is_err());
    /// ```
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        text.parse::<San>()?.to_move(self)
    }
}

impl San {
    /// The one legal move that fits the description.
    ///
    /// # Errors
    /// Why there is none, or which ones there are.
    pub fn to_move(self, position: &Position) -> Result<Move, SanError> {
        self.find(position).ok_or_else(|| self.refuse(position))
    }

    /// The one legal move that fits, without the reason if there is none.
    ///
    /// Apart from [`to_move`](Self::to_move) for speed: a move that comes back beside an error comes
    /// back through memory, in pieces that the processor must wait for.
    #[inline]
    pub(crate) fn find(self, position: &Position) -> Option<Move> {
        match self {
            Self::Castling(side) => position.castling_move(side),
            Self::Piece(mv) => mv.find(position),
        }
    }

    #[cold]
    fn refuse(self, position: &Position) -> SanError {
        let Self::Piece(mv) = self else {
            return SanError::Illegal(self);
        };
        let candidates = mv.candidates(position);
        if !candidates.is_empty() {
            SanError::Ambiguous {
                san: self,
                candidates,
            }
        } else if mv.exposes_king(position) {
            SanError::ExposesKing(self)
        } else {
            SanError::Illegal(self)
        }
    }
}

impl PieceMove {
    #[inline(always)]
    fn find(self, position: &Position) -> Option<Move> {
        if let (Some(file), Some(rank)) = (self.from_file, self.from_rank) {
            return self.find_from(Square::new(file, rank), position);
        }
        let from = self.origins(position).single()?;
        self.promotion_fits().then_some(Move {
            from,
            to: self.to,
            promotion: self.promotion,
        })
    }

    /// The move when its start is fully given: long algebraic notation or coordinates.
    fn find_from(self, from: Square, position: &Position) -> Option<Move> {
        let said = Move {
            from,
            to: self.to,
            promotion: self.promotion,
        };
        let mv = position.standard_castling(said).unwrap_or(said);
        let piece_fits = self.role == Role::Pawn || position.role_at(from) == Some(self.role);
        (piece_fits && position.is_legal(mv)).then_some(mv)
    }

    /// Where the pieces stand that fit and may legally go there.
    #[inline(always)]
    fn origins(self, position: &Position) -> Bitboard {
        position.legal_origins_among(self.squares(), self.role, self.to)
    }

    /// The squares that fit what is said of the origin.
    #[inline(always)]
    fn squares(self) -> Bitboard {
        let rank = self.from_rank.map_or(Bitboard::FULL, Bitboard::from_rank);
        let file = self.from_file.unwrap_or(self.to.file());
        let file = Bitboard::from_file(file);
        match (self.from_file, self.role) {
            (Some(_), _) => file & rank,
            // A pawn's capture names its file, so a bare square is a step.
            (None, Role::Pawn) if self.capture => rank - file,
            (None, Role::Pawn) => rank & file,
            (None, _) => rank,
        }
    }

    #[inline(always)]
    fn promotion_fits(self) -> bool {
        match self.promotion {
            None => !self.promotes(),
            Some(role) => self.promotes() && Role::PROMOTIONS.contains(&role),
        }
    }

    /// Pawns reach no last rank but their own, so either will do.
    #[inline(always)]
    fn promotes(self) -> bool {
        self.role == Role::Pawn && matches!(self.to.rank(), Rank::First | Rank::Eighth)
    }

    /// The legal moves that fit, as they should be written; one that does not say what it promotes to
    /// fits four.
    fn candidates(self, position: &Position) -> Vec<ShortText> {
        let becomes = match self.promotion {
            None if self.promotes() => Role::PROMOTIONS.map(Some).to_vec(),
            _ if self.promotion_fits() => vec![self.promotion],
            _ => Vec::new(),
        };
        let mut candidates = Vec::new();
        for from in self.origins(position) {
            candidates.extend(becomes.iter().map(|&promotion| {
                position.san(Move {
                    from,
                    to: self.to,
                    promotion,
                })
            }));
        }
        candidates
    }

    /// Whether a piece fits that could go there if its king did not matter.
    fn exposes_king(self, position: &Position) -> bool {
        (position.pieces(position.turn(), self.role) & self.squares())
            .into_iter()
            .any(|from| position.reaches(self.role, Move::new(from, self.to)))
    }
}

impl FromStr for San {
    type Err = SanError;

    /// Reads one move and the marks behind it: check, glyphs, `e.p.`, NAGs.
    fn from_str(text: &str) -> Result<Self, SanError> {
        let text = text.trim();
        if is_null_move(text.as_bytes()) {
            return Err(SanError::NullMove);
        }
        let unreadable = || SanError::Unreadable(text.chars().take(SanError::TEXT_MAX).collect());
        let (san, len) = scan(text.as_bytes()).ok_or_else(unreadable)?;
        let marks = text[len..].trim_start_matches(['+', '#', '!', '?']);
        let is_mark = |word: &str| {
            is_en_passant_mark(word.as_bytes())
                || word.starts_with('$') && word[1..].bytes().all(|digit| digit.is_ascii_digit())
                || word.bytes().all(|glyph| b"+#!?".contains(&glyph))
        };
        if marks.split_whitespace().all(is_mark) {
            Ok(san)
        } else {
            Err(unreadable())
        }
    }
}

impl fmt::Display for San {
    /// In the standard's form, with as much disambiguation as was read and without `+` and `#`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Castling(CastlingSide::HFile) => f.write_str("O-O"),
            Self::Castling(CastlingSide::AFile) => f.write_str("O-O-O"),
            Self::Piece(mv) => mv.fmt(f),
        }
    }
}

impl fmt::Display for PieceMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.role != Role::Pawn {
            write!(f, "{}", self.role.upper_char())?;
        }
        if let Some(file) = self.from_file {
            write!(f, "{file}")?;
        }
        if let Some(rank) = self.from_rank {
            write!(f, "{rank}")?;
        }
        if self.capture {
            f.write_str("x")?;
        }
        write!(f, "{}", self.to)?;
        match self.promotion {
            Some(role) => write!(f, "={}", role.upper_char()),
            None => Ok(()),
        }
    }
}

/// Why a SAN text is no move in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SanError {
    /// It is not SAN at all; its first [`SanError::TEXT_MAX`] characters.
    Unreadable(String),
    /// It is `--`, `Z0` or another way to write a move that moves nothing.
    NullMove,
    /// No piece of that kind can go there.
    Illegal(San),
    /// A piece could go there, but its king would be in check.
    ExposesKing(San),
    /// Several legal moves fit.
    Ambiguous {
        /// What was read.
        san: San,
        /// The moves that fit, each as it should have been written.
        candidates: Vec<ShortText>,
    },
}

impl SanError {
    /// How much of an unreadable text is kept, in characters.
    pub const TEXT_MAX: usize = 32;
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(text) => write!(f, "`{}` is not a move", text.escape_debug()),
            Self::NullMove => f.write_str("a null move cannot be played"),
            Self::Illegal(san @ San::Castling(_)) => {
                write!(f, "`{san}` is illegal: castling is not allowed here")
            }
            Self::Illegal(San::Piece(mv)) => {
                let role = role_name(mv.role);
                write!(f, "`{mv}` is illegal: no such {role} can go to `{}`", mv.to)
            }
            Self::ExposesKing(san) => {
                write!(f, "`{san}` is illegal: it leaves the king in check")
            }
            Self::Ambiguous { san, candidates } => {
                write!(f, "`{san}` is ambiguous: it may be")?;
                for (index, candidate) in candidates.iter().enumerate() {
                    let joint = match index {
                        0 => " ",
                        _ if index + 1 == candidates.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{joint}`{candidate}`")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for SanError {}
