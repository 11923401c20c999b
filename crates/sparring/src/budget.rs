//! How long and how far to think about a move.

use std::time::Duration;

/// Bounds on one search; whichever is met first ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// When it is no longer worth beginning another iteration.
    pub soft: Option<Duration>,
    /// When to stop, whatever is going on.
    pub hard: Option<Duration>,
    /// Nodes to visit.
    pub nodes: Option<u64>,
    /// Iterations.
    pub depth: Option<u32>,
}

/// One side's clock as `go` tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Added after the move.
    pub increment: Duration,
    /// Moves until more time comes; `None` when there is none to come.
    pub moves_to_go: Option<u32>,
}

/// What is kept back so that a pipe, a busy machine or a neighbour's turn on the processor does not
/// cost the game. A fifth of a second covers what the Linux scheduler does to a process that shares
/// its core with several others; with less than twice of it left, half of what is left is kept.
const RESERVE: Duration = Duration::from_millis(200);

/// A game is planned as if it went on for so many moves.
const HORIZON: u32 = 28;

impl Budget {
    /// A plan for a clock.
    pub fn for_clock(clock: Clock) -> Self {
        let usable = clock.left - RESERVE.min(clock.left / 2);
        let moves = clock
            .moves_to_go
            .map_or(HORIZON, |moves| moves.clamp(1, HORIZON));
        // The increment comes only after the move, so it is spent only from what is there.
        let share = usable / (moves + 1) + clock.increment.mul_f64(0.6);
        let soft = share.min(usable / 2);
        Self {
            soft: Some(soft),
            hard: Some((soft * 4).min(usable * 2 / 3)),
            ..Self::default()
        }
    }

    /// A plan for a fixed time a move, of which a quarter or 20 ms is kept back.
    pub fn for_move_time(time: Duration) -> Self {
        let reserve = Duration::from_millis(20).min(time / 4);
        Self {
            hard: Some(time - reserve),
            ..Self::default()
        }
    }

    /// The bounds of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        fn tighter<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
            [a, b].into_iter().flatten().min()
        }
        Self {
            soft: tighter(self.soft, other.soft),
            hard: tighter(self.hard, other.hard),
            nodes: tighter(self.nodes, other.nodes),
            depth: tighter(self.depth, other.depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// What is left after `moves` moves that each take the whole hard bound and `late` more.
    fn play(
        mut left: Duration,
        increment: Duration,
        late: Duration,
        moves: u32,
    ) -> Option<Duration> {
        for _ in 0..moves {
            let clock = Clock {
                left,
                increment,
                moves_to_go: None,
            };
            let spent = Budget::for_clock(clock).hard.unwrap() + late;
            left = left.checked_sub(spent)? + increment;
        }
        Some(left)
    }

    #[test]
    fn a_game_of_one_second_and_a_hundredth_survives_300_moves_that_each_come_4_ms_late() {
        assert!(play(ms(1_010), ms(10), ms(4), 300).is_some());
    }

    #[test]
    fn the_last_move_before_more_time_comes_may_use_much_of_what_is_left() {
        let clock = Clock {
            left: ms(1_000),
            increment: ms(0),
            moves_to_go: Some(1),
        };
        let budget = Budget::for_clock(clock);
        assert_eq!(
            (budget.soft, budget.hard),
            (Some(ms(400)), Some(ms(1_600) / 3))
        );
    }

    #[test]
    fn a_fixed_time_keeps_something_back() {
        assert_eq!(Budget::for_move_time(ms(1_000)).hard, Some(ms(980)));
        assert_eq!(Budget::for_move_time(ms(4)).hard, Some(ms(3)));
    }

    proptest! {
        #[test]
        fn no_plan_spends_more_than_there_is(left in 0u64..10_000_000, increment in 0u64..100_000, moves in 0u32..200) {
            let clock = Clock { left: ms(left), increment: ms(increment), moves_to_go: Some(moves) };
            let budget = Budget::for_clock(clock);
            prop_assert!(budget.hard.unwrap() <= ms(left));
            prop_assert!(budget.soft <= budget.hard);
        }
    }
}
