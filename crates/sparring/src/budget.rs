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
/// cost the game. Two fifths of a second cover what the Linux scheduler does to a process that shares
/// its core with a dozen others; with less than that to spare, three quarters of what is left are kept.
const RESERVE: Duration = Duration::from_millis(400);

/// A game is planned as if it went on for so many moves.
const HORIZON: u32 = 28;

impl Budget {
    /// A plan for a clock.
    pub fn for_clock(clock: Clock) -> Self {
        let usable = clock.left - RESERVE.min(clock.left / 4 * 3);
        let moves = clock
            .moves_to_go
            .map_or(HORIZON, |moves| moves.clamp(1, HORIZON));
        // Of the increment the less is spent the poorer the clock is, so that one that was late
        // for whatever reason recovers. It comes only after the move: nothing is spent before.
        let wealth = clock.left.as_secs_f64() / (clock.left + 2 * RESERVE).as_secs_f64();
        let share = usable / (moves + 1) + clock.increment.mul_f64(wealth);
        let soft = share.min(usable / 3);
        Self {
            soft: Some(soft),
            hard: Some(2 * soft),
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

    /// The least that is left on a clock of 1 s and 0.01 s a move in a game of 300 moves, when each
    /// takes as long as `bound` of its plan, and `late` more.
    fn least_left(bound: impl Fn(Budget) -> Option<Duration>, late: Duration) -> Duration {
        let increment = ms(10);
        let mut left = ms(1_010);
        let mut least = left;
        for _ in 0..300 {
            let clock = Clock {
                left,
                increment,
                moves_to_go: None,
            };
            left = left.saturating_sub(bound(Budget::for_clock(clock)).unwrap() + late);
            least = least.min(left);
            left += increment;
        }
        least
    }

    #[test]
    fn a_fast_game_keeps_a_reserve_to_its_end() {
        let usual = least_left(|budget| budget.soft, ms(0));
        assert!(usual > ms(400), "{usual:?}");
        let worst = least_left(|budget| budget.hard, ms(5));
        assert!(worst > ms(90), "{worst:?}");
    }

    #[test]
    fn the_last_move_before_more_time_comes_may_use_much_of_what_is_left() {
        let clock = Clock {
            left: ms(1_000),
            increment: ms(0),
            moves_to_go: Some(1),
        };
        let budget = Budget::for_clock(clock);
        assert_eq!((budget.soft, budget.hard), (Some(ms(200)), Some(ms(400))));
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
