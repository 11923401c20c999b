//! The tree: what a position is worth when so many plies are looked at.

use engine_core::{Move, Position, Role};

use super::line::Line;
use super::ordering::Ordered;
use super::score::{DRAW, MATE, MATE_MIN, from_table, to_table};
use super::{Blur, PLIES_MAX, Search};
use crate::dice::mix;
use crate::evaluation::evaluate;
use crate::table::{Bound, Entry};

/// The clock is read every so many nodes: a fifth of a millisecond or so.
const NODES_PER_GLANCE: u64 = 256;

impl Search<'_> {
    /// The score of a position, searched `depth` plies deep, as far as it is between alpha and beta.
    pub(super) fn visit(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        self.lines[ply].clear();
        let check = position.is_check();
        let depth = depth + i32::from(check);
        if depth <= 0 || ply + 1 >= PLIES_MAX {
            return self.quiesce(position, ply, alpha, beta);
        }
        if self.is_over() {
            return DRAW;
        }
        let key = position.key();
        if ply > 0 {
            if self.is_draw(position, key) {
                return DRAW;
            }
            // A shorter mate than one already found is all that is of interest.
            alpha = alpha.max(-MATE + ply as i32);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }
        let known = self.table.get(key);
        let open = beta - alpha > 1;
        if let Some(entry) = known
            && !open
            && entry.depth >= depth
            && let Some(score) = settles(entry, ply, alpha, beta)
        {
            return score;
        }
        if !open
            && !check
            && let Some(score) = self.prune(position, depth, ply, beta)
        {
            return score;
        }
        let moves = Ordered::new(
            position,
            known.and_then(|entry| entry.best),
            self.history,
            ply,
        );
        self.path.push(key);
        let score = self.try_moves(
            position,
            moves,
            Window {
                depth,
                ply,
                alpha,
                beta,
                check,
            },
        );
        self.path.pop();
        score
    }

    /// Tries each move in turn and remembers the best.
    fn try_moves(&mut self, position: &Position, mut moves: Ordered, window: Window) -> i32 {
        let Window {
            depth,
            ply,
            mut alpha,
            beta,
            check,
        } = window;
        let mut best: Option<(i32, Move)> = None;
        let mut bound = Bound::Upper;
        let mut tried = 0;
        while let Some(mv) = moves.next() {
            if !self.allows(ply, mv) {
                continue;
            }
            let quiet = is_quiet(position, mv);
            let mut child = *position;
            child.play_unchecked(mv);
            let reduction = if quiet && !check {
                reduction(depth, tried)
            } else {
                0
            };
            let score = self.try_move(&child, window.with_alpha(alpha), tried == 0, reduction);
            if self.stopped {
                break;
            }
            tried += 1;
            if best.is_none_or(|(so_far, _)| score > so_far) {
                best = Some((score, mv));
            }
            if score > alpha {
                alpha = score;
                bound = Bound::Exact;
                Line::extend(&mut self.lines, ply, mv);
            }
            if score >= beta {
                bound = Bound::Lower;
                if quiet {
                    self.history.reward(position, mv, depth, ply);
                }
                break;
            }
            if quiet {
                self.history.blame(position, mv, depth);
            }
        }
        let Some((score, mv)) = best else {
            return match (self.stopped, check) {
                (true, _) | (false, false) => DRAW,
                (false, true) => -MATE + ply as i32,
            };
        };
        // What is true of some moves only is not to be remembered of all.
        if !self.stopped && (0 < ply || self.only.is_empty()) {
            let best = (bound != Bound::Upper).then_some(mv);
            let key = position.key();
            self.table.put(
                key,
                Entry {
                    best,
                    score: to_table(score, ply),
                    depth,
                    bound,
                },
            );
        }
        score
    }

    /// The score of a move that leads to `child`: the first in full, the others with a window of
    /// nothing, and again in full when they turn out to be better than thought.
    fn try_move(&mut self, child: &Position, window: Window, first: bool, reduction: i32) -> i32 {
        let Window {
            depth,
            ply,
            alpha,
            beta,
            ..
        } = window;
        if first {
            return -self.visit(child, depth - 1, ply + 1, -beta, -alpha);
        }
        let mut score = -self.visit(child, depth - 1 - reduction, ply + 1, -alpha - 1, -alpha);
        if score > alpha && reduction > 0 {
            score = -self.visit(child, depth - 1, ply + 1, -alpha - 1, -alpha);
        }
        if score > alpha && score < beta {
            score = -self.visit(child, depth - 1, ply + 1, -beta, -alpha);
        }
        score
    }

    /// A score at or above beta that needs no look at the moves: because the position is so far
    /// above it, or because even passing the move keeps it there (null move; not with pawns alone,
    /// where having to move may be the trouble).
    fn prune(&mut self, position: &Position, depth: i32, ply: usize, beta: i32) -> Option<i32> {
        let standing = self.judge(position);
        if beta.abs() >= MATE_MIN || standing < beta {
            return None;
        }
        if depth <= 4 && standing - 90 * depth >= beta {
            return Some(standing);
        }
        let own = position.colored(position.turn());
        let pieces = own - position.roles(Role::Pawn) - position.roles(Role::King);
        if depth < 3 || pieces.is_empty() {
            return None;
        }
        let passed = position.passed()?;
        // The pass is no move of a game: nothing before it can be repeated after it.
        let path = std::mem::take(&mut self.path);
        let score = -self.visit(&passed, depth - 3 - depth / 4, ply + 1, -beta, -beta + 1);
        self.path = path;
        (score >= beta && !self.stopped).then_some(if score >= MATE_MIN { beta } else { score })
    }

    /// What a position is worth at first sight.
    pub(super) fn judge(&self, position: &Position) -> i32 {
        let worth = evaluate(position);
        let Blur { centipawns, seed } = self.blur;
        if centipawns == 0 {
            return worth;
        }
        let spread = 2 * centipawns as u64 + 1;
        worth + (mix(position.key() ^ seed) % spread) as i32 - centipawns
    }

    /// Draws by the laws; a repetition counts at once, because what was no better the first time is
    /// no better the third time.
    fn is_draw(&self, position: &Position, key: u64) -> bool {
        let reach = usize::from(position.halfmove_clock());
        if reach >= 100 {
            return !position.is_checkmate();
        }
        let repeated = self
            .path
            .iter()
            .rev()
            .take(reach)
            .any(|&earlier| earlier == key);
        repeated || position.is_insufficient_material()
    }

    /// Counts a node, and says whether the search has to end.
    pub(super) fn is_over(&mut self) -> bool {
        if self.stopped || self.budget.nodes.is_some_and(|nodes| self.nodes >= nodes) {
            self.stopped = true;
            return true;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_GLANCE) {
            let late = self
                .budget
                .hard
                .is_some_and(|hard| self.begun.elapsed() >= hard);
            self.stopped = late || self.listener.wants_end();
        }
        self.stopped
    }
}

/// Between what, how deep and where moves are tried.
#[derive(Clone, Copy)]
struct Window {
    depth: i32,
    ply: usize,
    alpha: i32,
    beta: i32,
    check: bool,
}

impl Window {
    const fn with_alpha(self, alpha: i32) -> Self {
        Self { alpha, ..self }
    }
}

/// Late quiet moves are rarely best and are looked at less deeply at first.
const fn reduction(depth: i32, tried: usize) -> i32 {
    if depth < 3 || tried < 3 {
        0
    } else if tried < 8 || depth < 6 {
        1
    } else {
        2
    }
}

/// Neither a capture nor a promotion. A capture en passant passes for quiet, which costs nothing
/// but its place in the order.
fn is_quiet(position: &Position, mv: Move) -> bool {
    let enemy = position.colored(!position.turn());
    mv.promotion.is_none() && !enemy.contains(mv.to)
}

/// The score an entry gives, if it decides the matter between alpha and beta.
fn settles(entry: Entry, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
    let score = from_table(entry.score, ply);
    match entry.bound {
        Bound::Exact => Some(score),
        Bound::Lower => (score >= beta).then_some(score),
        Bound::Upper => (score <= alpha).then_some(score),
    }
}
