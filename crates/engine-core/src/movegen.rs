//! Generation of legal moves.
//!
//! [`generate`] walks over the legal moves once, in sets as large as possible, and hands them to a
//! [`Sink`]: one that lists, one that counts bits, one that plays on. Everything is compiled
//! separately for each side and each sink.

use crate::{Bitboard, Color, Move, MoveList, Position, Rank, Role, Square, attacks};

/// A side known at compile time.
pub(crate) trait Side {
    const COLOR: Color;
    type Opponent: Side<Opponent = Self>;

    /// The squares one step ahead.
    #[inline(always)]
    fn forward(squares: Bitboard) -> Bitboard {
        match Self::COLOR {
            Color::White => Bitboard(squares.0 << 8),
            Color::Black => Bitboard(squares.0 >> 8),
        }
    }
}

pub(crate) struct White;
pub(crate) struct Black;

impl Side for White {
    const COLOR: Color = Color::White;
    type Opponent = Black;
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Opponent = White;
}

/// What takes the moves that [`generate`] finds.
pub(crate) trait Sink {
    /// Moves of one piece other than a pawn.
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard);
    /// Single steps and captures of pawns that do not promote, each from `target - offset`.
    fn pawns(&mut self, targets: Bitboard, offset: i32);
    /// Double steps, each from `target - offset`.
    fn double_steps(&mut self, targets: Bitboard, offset: i32);
    /// Steps and captures to the last rank, each in four ways.
    fn promotions(&mut self, targets: Bitboard, offset: i32);
    /// Captures en passant.
    fn en_passant(&mut self, origins: Bitboard, to: Square);
    /// Castling.
    fn castling(&mut self, king: Square, rook: Square);
    /// Whether no more moves are wanted.
    #[inline(always)]
    fn is_full(&self) -> bool {
        false
    }
}

/// The square a move of a pawn came from.
#[inline(always)]
pub(crate) fn origin(to: Square, offset: i32) -> Square {
    Square::wrapping((to.index() as i32 - offset) as u32)
}

impl Position {
    /// All legal moves, in no order to rely on.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.for_each_legal(|mv| moves.push(mv));
        moves
    }

    /// Calls `act` with every legal move.
    #[inline]
    pub fn for_each_legal(&self, act: impl FnMut(Move)) {
        match self.turn() {
            Color::White => generate::<White, _>(self, &mut Each(act)),
            Color::Black => generate::<Black, _>(self, &mut Each(act)),
        }
    }

    /// How many legal moves there are.
    #[inline]
    pub fn count_legal(&self) -> u64 {
        let mut count = Count(0);
        match self.turn() {
            Color::White => generate::<White, _>(self, &mut count),
            Color::Black => generate::<Black, _>(self, &mut count),
        }
        count.0
    }

    /// Whether there is a legal move.
    #[inline]
    pub fn has_legal_moves(&self) -> bool {
        let mut any = Any(false);
        match self.turn() {
            Color::White => generate::<White, _>(self, &mut any),
            Color::Black => generate::<Black, _>(self, &mut any),
        }
        any.0
    }
}

/// Hands every legal move of `S`, the side to move, to `sink`.
#[inline(always)]
pub(crate) fn generate<S: Side, K: Sink>(position: &Position, sink: &mut K) {
    let board = &position.board;
    let occupied = board.occupied();
    let own = board.colored(S::COLOR);
    let enemy = occupied - own;
    let king = board.king(S::COLOR);
    let Threats { checkers, pinned } = threats(position, king, own, enemy, occupied);

    let mut king_targets = Bitboard::EMPTY;
    let lifted = occupied.without(king);
    for to in attacks::king(king) - own {
        if board
            .attackers_to(to, lifted, S::Opponent::COLOR)
            .is_empty()
        {
            king_targets = king_targets.with(to);
        }
    }
    sink.piece(Role::King, king, king_targets);

    if let Some(square) = position.ep_square() {
        sink.en_passant(position.en_passant_origins::<S>(square), square);
    }
    if checkers.several() || sink.is_full() {
        return;
    }

    let mask = match checkers.first() {
        None => {
            for rook in position.castling & own {
                if position.may_castle::<S>(king, rook) {
                    sink.castling(king, rook);
                }
            }
            !own
        }
        Some(checker) => attacks::between(king, checker).with(checker),
    };
    pawn_moves::<S, K>(position, own, king, pinned, mask, sink);

    for from in board.roles(Role::Knight) & own - pinned {
        sink.piece(Role::Knight, from, attacks::knight(from) & mask);
    }
    for role in [Role::Bishop, Role::Rook, Role::Queen] {
        for from in board.roles(role) & own {
            let mut targets = attacks::of(role, S::COLOR, from, occupied) & mask;
            if pinned.contains(from) {
                targets &= attacks::line(king, from);
            }
            sink.piece(role, from, targets);
        }
    }
}

struct Threats {
    checkers: Bitboard,
    /// Own pieces that must stay on their line with the king.
    pinned: Bitboard,
}

#[inline(always)]
fn threats(
    position: &Position,
    king: Square,
    own: Bitboard,
    enemy: Bitboard,
    occupied: Bitboard,
) -> Threats {
    let board = &position.board;
    let mut checkers = attacks::knight(king) & board.roles(Role::Knight) & enemy
        | attacks::pawn(position.turn, king) & board.roles(Role::Pawn) & enemy;
    let mut pinned = Bitboard::EMPTY;
    let snipers = (attacks::bishop_rays(king) & board.diagonal_sliders()
        | attacks::rook_rays(king) & board.straight_sliders())
        & enemy;
    for sniper in snipers {
        let blockers = attacks::between(king, sniper) & occupied;
        if blockers.is_empty() {
            checkers = checkers.with(sniper);
        } else if !blockers.several() {
            pinned |= blockers & own;
        }
    }
    Threats { checkers, pinned }
}

#[inline(always)]
fn pawn_moves<S: Side, K: Sink>(
    position: &Position,
    own: Bitboard,
    king: Square,
    pinned: Bitboard,
    mask: Bitboard,
    sink: &mut K,
) {
    let board = &position.board;
    let pawns = board.roles(Role::Pawn) & own;
    let occupied = board.occupied();
    let enemy = occupied - own;
    let last = Bitboard::from_rank(Rank::Eighth.relative_to(S::COLOR));
    let third = Bitboard::from_rank(Rank::Third.relative_to(S::COLOR));
    let up = match S::COLOR {
        Color::White => 8,
        Color::Black => -8,
    };

    // A pinned pawn may go along its pin: those on the king's file step, those on its diagonals
    // capture that way.
    let stepping = pawns & (!pinned | attacks::file_line(king));
    let (rising, falling) = match S::COLOR {
        Color::White => (attacks::rising_line(king), attacks::falling_line(king)),
        Color::Black => (attacks::falling_line(king), attacks::rising_line(king)),
    };
    let single = S::forward(stepping) - occupied;
    let double = (S::forward(single & third) - occupied) & mask;
    let single = single & mask;
    let right = S::forward(east(pawns & (!pinned | rising))) & enemy & mask;
    let left = S::forward(west(pawns & (!pinned | falling))) & enemy & mask;

    sink.pawns(single - last, up);
    sink.double_steps(double, 2 * up);
    sink.pawns(right - last, up + 1);
    sink.pawns(left - last, up - 1);
    if ((single | right | left) & last).any() {
        sink.promotions(single & last, up);
        sink.promotions(right & last, up + 1);
        sink.promotions(left & last, up - 1);
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

/// Calls a function with each move.
struct Each<F>(F);

impl<F: FnMut(Move)> Sink for Each<F> {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, targets: Bitboard) {
        for to in targets {
            (self.0)(Move::new(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i32) {
        for to in targets {
            (self.0)(Move::new(origin(to, offset), to));
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard, offset: i32) {
        self.pawns(targets, offset);
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, offset: i32) {
        for to in targets {
            for role in Role::PROMOTIONS {
                (self.0)(Move::promoting(origin(to, offset), to, role));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, origins: Bitboard, to: Square) {
        for from in origins {
            (self.0)(Move::new(from, to));
        }
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        (self.0)(Move::new(king, rook));
    }
}

/// Counts moves without looking at them one by one.
pub(crate) struct Count(pub(crate) u64);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32) {
        self.0 += u64::from(targets.count());
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard, _: i32) {
        self.0 += u64::from(targets.count());
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        self.0 += 4 * u64::from(targets.count());
    }

    #[inline(always)]
    fn en_passant(&mut self, origins: Bitboard, _: Square) {
        self.0 += u64::from(origins.count());
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// Learns whether there is a move.
struct Any(bool);

impl Sink for Any {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn double_steps(&mut self, targets: Bitboard, _: i32) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn en_passant(&mut self, origins: Bitboard, _: Square) {
        self.0 |= origins.any();
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 = true;
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.0
    }
}
