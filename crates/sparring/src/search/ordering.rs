//! In which order moves are tried: the sooner the best one comes, the less there is to search.

use engine_core::{Move, MoveList, Position, Role};

use super::history::{CREDIT_MAX, History};

/// Legal moves that come best first.
pub(super) struct Ordered {
    moves: MoveList,
    promise: [i32; MoveList::CAPACITY],
    given: usize,
}

const KNOWN: i32 = i32::MAX;
const CAPTURE: i32 = 4 * CREDIT_MAX;
const KILLER: i32 = 2 * CREDIT_MAX;

impl Ordered {
    /// All legal moves: the one the table knows, captures and promotions, killers, the others.
    pub(super) fn new(
        position: &Position,
        known: Option<Move>,
        history: &History,
        ply: usize,
    ) -> Self {
        Self::by(position.legal_moves(), |mv| {
            if Some(mv) == known {
                KNOWN
            } else if let Some(gain) = gain(position, mv) {
                CAPTURE + gain
            } else if history.is_killer(mv, ply) {
                KILLER
            } else {
                history.credit(position, mv)
            }
        })
    }

    /// Captures and promotions to a queen alone.
    pub(super) fn loud(position: &Position) -> Self {
        let mut moves = MoveList::new();
        position.for_each_legal(|mv| {
            if gain(position, mv).is_some() {
                moves.push(mv);
            }
        });
        Self::by(moves, |mv| gain(position, mv).unwrap_or(0))
    }

    fn by(moves: MoveList, promise_of: impl Fn(Move) -> i32) -> Self {
        let mut promise = [0; MoveList::CAPACITY];
        for (promise, &mv) in promise.iter_mut().zip(&moves) {
            *promise = promise_of(mv);
        }
        Self {
            moves,
            promise,
            given: 0,
        }
    }

    /// The most promising move that has not been given yet. Most nodes end after the first few, so
    /// the rest is never sorted.
    pub(super) fn next(&mut self) -> Option<Move> {
        let best = (self.given..self.moves.len()).max_by_key(|&index| self.promise[index])?;
        self.moves.swap(self.given, best);
        self.promise.swap(self.given, best);
        self.given += 1;
        Some(self.moves[self.given - 1])
    }
}

/// What a capture or a promotion to a queen gains: most valuable victim first, then least valuable
/// attacker. Other moves gain nothing.
fn gain(position: &Position, mv: Move) -> Option<i32> {
    let enemy = position.colored(!position.turn());
    let victim = if enemy.contains(mv.to) {
        position.role_at(mv.to)
    } else {
        None
    };
    let promotion = mv.promotion.filter(|&role| role == Role::Queen);
    if victim.is_none() && promotion.is_none() {
        return None;
    }
    let rank = |role: Option<Role>| role.map_or(0, |role| role.index() as i32 + 1);
    Some(16 * (rank(victim) + rank(promotion)) - rank(position.role_at(mv.from)))
}
