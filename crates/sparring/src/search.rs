//! Finding a move: iterative deepening of a principal variation search.

use std::time::{Duration, Instant};

use engine_core::{Move, Position};
use uci::Score;

mod history;
mod line;
mod ordering;
mod quiescence;
mod score;
mod visit;

use history::History;
use line::Line;
use score::{INFINITY, MATE, spoken};

use crate::budget::Budget;
use crate::table::Table;

/// No line is searched further than this many plies.
const PLIES_MAX: usize = 96;

/// What has been found so far.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// Plies that were searched in full.
    pub depth: u32,
    /// Plies of the longest line that was looked at.
    pub seldepth: u32,
    /// The score.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// How full the transposition table is, per mille.
    pub hashfull: u32,
    /// What both sides are expected to play; never empty.
    pub pv: &'a [Move],
}

/// Who waits for the result of a search.
pub trait Listener {
    /// Told after each iteration, and when the best move changes in one that is cut short.
    fn report(&mut self, report: &Report<'_>);

    /// Asked every fifth of a millisecond or so whether to end the search.
    fn wants_end(&mut self) -> bool;
}

/// Nobody listens: only the budget ends the search.
impl Listener for () {
    fn report(&mut self, _: &Report<'_>) {}

    fn wants_end(&mut self) -> bool {
        false
    }
}

/// By how much positions are misjudged, the same way each time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blur {
    /// At most so many centipawns, up or down.
    pub centipawns: i32,
    /// Decides which position is misjudged how.
    pub seed: u64,
}

/// What survives from move to move.
#[derive(Debug)]
pub struct Searcher {
    table: Table,
    history: History,
    /// How badly it judges.
    pub blur: Blur,
    /// The only moves that it looks at first; all of them when there are none.
    pub only: Vec<Move>,
}

impl Searcher {
    /// A searcher with a transposition table of so many megabytes.
    pub fn new(megabytes: usize) -> Self {
        Self {
            table: Table::new(megabytes),
            history: History::default(),
            blur: Blur::default(),
            only: Vec::new(),
        }
    }

    /// Forgets everything that was learned in earlier searches.
    pub fn forget(&mut self) {
        self.table.clear();
        self.history = History::default();
    }

    /// The best move of `position`, or nothing if there is no legal one.
    ///
    /// `past` are the repetition keys of the game so far, that of `position` itself excluded.
    pub fn search(
        &mut self,
        position: &Position,
        past: &[u64],
        budget: Budget,
        listener: &mut dyn Listener,
    ) -> Option<Move> {
        self.history.age();
        let search = Search {
            table: &mut self.table,
            history: &mut self.history,
            blur: self.blur,
            only: &self.only,
            path: past.to_vec(),
            lines: Line::stack(),
            nodes: 0,
            seldepth: 0,
            begun: Instant::now(),
            budget,
            listener,
            stopped: false,
        };
        search.run(position)
    }
}

/// One search under way.
struct Search<'a> {
    table: &'a mut Table,
    history: &'a mut History,
    blur: Blur,
    only: &'a [Move],
    /// Keys of the positions that led to the one being visited, from the start of the game.
    path: Vec<u64>,
    /// The best line found from each ply on.
    lines: Vec<Line>,
    nodes: u64,
    seldepth: usize,
    begun: Instant,
    budget: Budget,
    listener: &'a mut dyn Listener,
    stopped: bool,
}

impl Search<'_> {
    fn run(mut self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        // Something to play if not even the first iteration comes to an end.
        let mut best = *moves.iter().find(|mv| self.allows(0, **mv))?;
        let depth_max = self
            .budget
            .depth
            .unwrap_or(u32::MAX)
            .min(PLIES_MAX as u32 / 2);
        for depth in 1..=depth_max {
            let score = self.visit(position, depth as i32, 0, -INFINITY, INFINITY);
            let before = best;
            // Of an iteration that was cut short the best line so far is as good as a finished one:
            // the first move searched was the best of the iteration before.
            if let Some(&first) = self.lines[0].moves().first() {
                best = first;
            }
            if !self.stopped || depth == 1 || best != before {
                self.tell(depth, score);
            }
            if self.stopped || self.is_enough(score, depth, moves.len()) {
                break;
            }
        }
        Some(best)
    }

    /// Whether a move may be looked at, so many plies from the root.
    fn allows(&self, ply: usize, mv: Move) -> bool {
        0 < ply || self.only.is_empty() || self.only.contains(&mv)
    }

    fn tell(&mut self, depth: u32, score: i32) {
        let pv = self.lines[0].moves();
        if !pv.is_empty() {
            self.listener.report(&Report {
                depth,
                seldepth: self.seldepth as u32,
                score: spoken(score),
                nodes: self.nodes,
                time: self.begun.elapsed(),
                hashfull: self.table.per_mille(),
                pv,
            });
        }
    }

    /// Whether another iteration would be in vain or out of time.
    fn is_enough(&self, score: i32, depth: u32, choices: usize) -> bool {
        let mated = MATE - score.abs() <= depth as i32;
        let elapsed = self.begun.elapsed();
        // The next iteration usually takes longer than all before it together.
        let soft = self
            .budget
            .soft
            .is_some_and(|soft| choices == 1 || elapsed > soft / 2);
        mated || soft
    }
}
