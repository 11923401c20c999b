//! What stands where.

use crate::{Bitboard, Color, Role, Square, attacks};

/// Piece placement as four bit planes.
///
/// The three role planes hold a code for each square, chosen so that what move generation asks most
/// often costs least: sliders are those that do not step.
///
/// | | pawn | knight | bishop | rook | queen | king |
/// | --- | --- | --- | --- | --- | --- | --- |
/// | `diagonal` | | x | x | | x | |
/// | `straight` | | | | x | x | x |
/// | `step` | x | x | | | | x |
///
/// Four words instead of the usual eight make a position cheap to copy, and a piece that is
/// captured need not be known to be removed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    pub(crate) white: Bitboard,
    pub(crate) diagonal: Bitboard,
    pub(crate) straight: Bitboard,
    pub(crate) step: Bitboard,
}

impl Board {
    pub(crate) const EMPTY: Self = Self {
        white: Bitboard::EMPTY,
        diagonal: Bitboard::EMPTY,
        straight: Bitboard::EMPTY,
        step: Bitboard::EMPTY,
    };

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.diagonal | self.straight | self.step
    }

    #[inline(always)]
    pub(crate) fn colored(&self, color: Color) -> Bitboard {
        match color {
            Color::White => self.white,
            Color::Black => self.occupied() - self.white,
        }
    }

    #[inline(always)]
    pub(crate) fn roles(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.step - self.diagonal - self.straight,
            Role::Knight => self.step & self.diagonal,
            Role::Bishop => self.diagonal - self.straight - self.step,
            Role::Rook => self.straight - self.diagonal - self.step,
            Role::Queen => self.diagonal & self.straight,
            Role::King => self.step & self.straight,
        }
    }

    /// The same as [`roles`](Self::roles) without a branch, for a role that could not be predicted.
    #[inline(always)]
    pub(crate) fn roles_at_random(&self, role: Role) -> Bitboard {
        /// The planes that hold each role, pawn to king: `diagonal`, `straight`, `step` from the right.
        const CODES: [u8; 6] = [0b100, 0b101, 0b001, 0b010, 0b011, 0b110];
        let code = u64::from(CODES[role.index()]);
        // Those in the plane if the bit is set, otherwise those not in it.
        let fits =
            |plane: Bitboard, bit: u32| Bitboard(plane.0 ^ (code >> bit & 1).wrapping_sub(1));
        fits(self.diagonal, 0) & fits(self.straight, 1) & fits(self.step, 2)
    }

    /// Bishops and queens.
    #[inline(always)]
    pub(crate) fn diagonal_sliders(&self) -> Bitboard {
        self.diagonal - self.step
    }

    /// Rooks and queens.
    #[inline(always)]
    pub(crate) fn straight_sliders(&self) -> Bitboard {
        self.straight - self.step
    }

    #[inline(always)]
    pub(crate) fn role_at(&self, square: Square) -> Option<Role> {
        /// By the bits of `diagonal`, `straight` and `step`, the lowest first.
        const ROLES: [Option<Role>; 8] = [
            None,
            Some(Role::Bishop),
            Some(Role::Rook),
            Some(Role::Queen),
            Some(Role::Pawn),
            Some(Role::Knight),
            Some(Role::King),
            None,
        ];
        let bit = |plane: Bitboard| plane.0 >> square.index() & 1;
        let code = bit(self.diagonal) | bit(self.straight) << 1 | bit(self.step) << 2;
        ROLES[code as usize]
    }

    /// Puts pieces on squares known to be empty.
    #[inline(always)]
    pub(crate) fn put(&mut self, color: Color, role: Role, squares: Bitboard) {
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        self.white |= squares.only_if(color == Color::White);
        self.diagonal |= squares.only_if(matches!(role, Knight | Bishop | Queen));
        self.straight |= squares.only_if(matches!(role, Rook | Queen | King));
        self.step |= squares.only_if(matches!(role, Pawn | Knight | King));
    }

    /// Empties squares.
    #[inline(always)]
    pub(crate) fn clear(&mut self, squares: Bitboard) {
        self.white -= squares;
        self.diagonal -= squares;
        self.straight -= squares;
        self.step -= squares;
    }

    #[inline(always)]
    pub(crate) fn king(&self, color: Color) -> Square {
        (self.roles(Role::King) & self.colored(color)).first_unchecked()
    }

    /// The pieces of `color` that attack `square`.
    #[inline]
    pub(crate) fn attackers_to(
        &self,
        square: Square,
        occupied: Bitboard,
        color: Color,
    ) -> Bitboard {
        let steps = attacks::pawn(!color, square) & self.roles(Role::Pawn)
            | attacks::knight(square) & self.roles(Role::Knight)
            | attacks::king(square) & self.roles(Role::King);
        let slides = attacks::bishop(square, occupied) & self.diagonal_sliders()
            | attacks::rook(square, occupied) & self.straight_sliders();
        (steps | slides) & self.colored(color)
    }
}
