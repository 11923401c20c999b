//! What the results of engine tests say: pairs, Elo, sequential tests, intervals, planning, ratings.
