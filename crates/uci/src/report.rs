//! What an engine said of one search.

use std::time::Duration;

use crate::info::{Bound, Info, Score};

/// The `info` lines of one search, folded.
///
/// A score counts when it is exact and of the best line; the last such one is kept, with the depth
/// and the line that belong to it, whatever bounds come after. Counters are the last ones said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchReport {
    /// The last exact score; nothing when the engine gave none or only bounds.
    pub score: Option<Score>,
    /// The last score of all, when it was only a bound.
    pub bound: Option<(Score, Bound)>,
    /// Plies: of the line that gave `score`, otherwise the last that was said.
    pub depth: Option<u32>,
    /// Plies of the deepest line, chosen like `depth`.
    pub seldepth: Option<u32>,
    /// Nodes in all.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// How full the hash table is, per mille.
    pub hashfull: Option<u32>,
    /// Tablebase hits in all.
    pub tbhits: Option<u64>,
    /// The time the engine says it took.
    pub time: Option<Duration>,
    /// Moves separated by single spaces, chosen like `depth`; only when it was asked for.
    pub pv: Option<Box<str>>,
    /// The last `info string`; only when it was asked for.
    pub remark: Option<Box<str>>,
}

impl SearchReport {
    /// Takes in a line. Says whether the line's `pv` is now the one that belongs to the report.
    ///
    /// Never allocates: engines print thousands of lines a move.
    pub(crate) fn observe(&mut self, info: &Info<'_>) -> bool {
        if info.multipv.is_some_and(|rank| rank > 1) {
            return false;
        }
        self.nodes = info.nodes.or(self.nodes);
        self.nps = info.nps.or(self.nps);
        self.hashfull = info.hashfull.or(self.hashfull);
        self.tbhits = info.tbhits.or(self.tbhits);
        self.time = info.time.or(self.time);

        let exact = info.score.filter(|_| info.bound.is_none());
        if let Some(score) = info.score {
            self.bound = info.bound.map(|bound| (score, bound));
        }
        if exact.is_none() && self.score.is_some() {
            return false;
        }
        self.score = exact;
        self.depth = info.depth.or(self.depth);
        self.seldepth = info.seldepth.or(self.seldepth);
        !info.pv.is_empty()
    }
}
