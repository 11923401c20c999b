//! A position as the side to move sees it, and the moves it has there.

use std::marker::PhantomData;

use crate::position::{Board, castling_ways};
use crate::{Bitboard, Color, Position, Rank, Role, Square, attacks};

use super::{Side, Sink};

/// Hands every legal move of `S`, the side to move, to `sink`.
#[inline(always)]
pub(crate) fn generate<S: Side>(position: &Position, sink: &mut impl Sink) {
    let scene = Scene::<S>::new(position);
    scene.king_moves(sink);
    if let Some(square) = position.ep_square() {
        sink.en_passant(position.en_passant_origins::<S>(square), square);
    }
    if scene.checkers.several() || sink.is_full() {
        return;
    }
    // Where a move answers a check, or anywhere when there is none.
    let targets = match scene.checkers.first() {
        None => !scene.own,
        Some(checker) => attacks::between(scene.king, checker).with(checker),
    };
    scene.pawn_moves(targets, sink);
    if !sink.is_full() {
        scene.piece_moves(targets, sink);
    }
}

/// What generation asks again and again.
struct Scene<'a, S> {
    board: &'a Board,
    /// The own rooks that may still castle.
    castling: Bitboard,
    own: Bitboard,
    enemy: Bitboard,
    occupied: Bitboard,
    king: Square,
    checkers: Bitboard,
    /// Own pieces that must stay on their line with the king.
    pinned: Bitboard,
    side: PhantomData<S>,
}

impl<'a, S: Side> Scene<'a, S> {
    #[inline(always)]
    fn new(position: &'a Position) -> Self {
        let board = &position.board;
        let occupied = board.occupied();
        let own = board.colored(S::COLOR);
        let mut scene = Self {
            board,
            castling: position.castling & own,
            own,
            enemy: occupied - own,
            occupied,
            king: board.king(S::COLOR),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            side: PhantomData,
        };
        scene.look_at_king();
        scene
    }

    /// Finds checkers and pins by looking from the king along empty lines at the enemy's sliders.
    #[inline(always)]
    fn look_at_king(&mut self) {
        let board = self.board;
        let steppers = attacks::knight(self.king) & board.roles(Role::Knight)
            | attacks::pawn(S::COLOR, self.king) & board.roles(Role::Pawn);
        let snipers = attacks::bishop_rays(self.king) & board.diagonal_sliders()
            | attacks::rook_rays(self.king) & board.straight_sliders();
        self.checkers = steppers & self.enemy;
        for sniper in snipers & self.enemy {
            let blockers = attacks::between(self.king, sniper) & self.occupied;
            if blockers.is_empty() {
                self.checkers = self.checkers.with(sniper);
            } else if !blockers.several() {
                self.pinned |= blockers & self.own;
            }
        }
    }

    #[inline(always)]
    fn king_moves(&self, sink: &mut impl Sink) {
        let targets = attacks::king(self.king) - self.own;
        let mut asked = targets;
        let mut castling = Bitboard::EMPTY;
        if self.checkers.is_empty() {
            // A pinned rook shields its king along the rank and may not leave.
            for rook in self.castling - self.pinned {
                let (king_way, rook_way) = castling_ways(self.king, rook);
                let others = self.occupied.without(self.king).without(rook);
                if ((king_way | rook_way) & others).is_empty() {
                    castling = castling.with(rook);
                    asked |= king_way;
                }
            }
        }
        let attacked = self.attacked(asked);
        sink.piece(Role::King, self.king, targets - attacked);
        for rook in castling {
            let (king_way, _) = castling_ways(self.king, rook);
            if (king_way & attacked).is_empty() {
                sink.castling(self.king, rook);
            }
        }
    }

    /// Which of the `asked` squares the enemy attacks (and perhaps others) once the king has left
    /// its own.
    ///
    /// In most positions the king has nowhere to go, or only a few sliders point there: looking
    /// first saves a tenth of all instructions of perft.
    #[inline(always)]
    fn attacked(&self, asked: Bitboard) -> Bitboard {
        let (board, enemy) = (self.board, self.enemy);
        let occupied = self.occupied.without(self.king);
        if asked.is_empty() {
            return Bitboard::EMPTY;
        }
        let pawns = S::Opponent::forward(board.roles(Role::Pawn) & enemy);
        let mut attacked =
            east(pawns) | west(pawns) | attacks::king(board.king(S::Opponent::COLOR));
        for from in board.roles(Role::Knight) & enemy {
            attacked |= attacks::knight(from);
        }
        for from in board.diagonal_sliders() & enemy {
            if (attacks::bishop_rays(from) & asked).any() {
                attacked |= attacks::bishop(from, occupied);
            }
        }
        for from in board.straight_sliders() & enemy {
            if (attacks::rook_rays(from) & asked).any() {
                attacked |= attacks::rook(from, occupied);
            }
        }
        attacked
    }

    #[inline(always)]
    fn pawn_moves(&self, targets: Bitboard, sink: &mut impl Sink) {
        let pawns = self.board.roles(Role::Pawn) & self.own;
        // A pinned pawn may go along its pin: on the king's file it steps, on a diagonal of the king
        // it captures that way.
        let (right_line, left_line) = match S::COLOR {
            Color::White => (
                attacks::rising_line(self.king),
                attacks::falling_line(self.king),
            ),
            Color::Black => (
                attacks::falling_line(self.king),
                attacks::rising_line(self.king),
            ),
        };
        let free_on = |line| pawns & (!self.pinned | line);
        let third = Bitboard::from_rank(Rank::Third.relative_to(S::COLOR));
        let steps = S::forward(free_on(attacks::file_line(self.king))) - self.occupied;
        let double_steps = S::forward(steps & third) - self.occupied;
        let right = S::forward(east(free_on(right_line))) & self.enemy & targets;
        let left = S::forward(west(free_on(left_line))) & self.enemy & targets;
        let steps = steps & targets;

        let up = match S::COLOR {
            Color::White => 8,
            Color::Black => -8,
        };
        let last = Bitboard::from_rank(Rank::Eighth.relative_to(S::COLOR));
        sink.pawns(steps - last, up);
        sink.double_steps(double_steps & targets, 2 * up);
        sink.pawns(right - last, up + 1);
        sink.pawns(left - last, up - 1);
        if ((steps | right | left) & last).any() {
            sink.promotions(steps & last, up);
            sink.promotions(right & last, up + 1);
            sink.promotions(left & last, up - 1);
        }
    }

    #[inline(always)]
    fn piece_moves(&self, targets: Bitboard, sink: &mut impl Sink) {
        // A pinned knight has nowhere to go.
        for from in self.board.roles(Role::Knight) & (self.own - self.pinned) {
            sink.piece(Role::Knight, from, attacks::knight(from) & targets);
        }
        for role in [Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.board.roles(role) & self.own {
                let mut reached = attacks::of(role, S::COLOR, from, self.occupied) & targets;
                if self.pinned.contains(from) {
                    reached &= attacks::line(self.king, from);
                }
                sink.piece(role, from, reached);
            }
        }
    }
}

/// The squares one file towards h.
#[inline(always)]
fn east(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 << 1) & 0xFEFE_FEFE_FEFE_FEFE)
}

/// The squares one file towards a.
#[inline(always)]
fn west(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 >> 1) & 0x7F7F_7F7F_7F7F_7F7F)
}
