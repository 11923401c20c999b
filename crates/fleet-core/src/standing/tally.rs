//! What came from one worker.

use engine_core::Color;
use match_core::ledger::{FaultKind, GameResult};
use stats::{Pentanomial, Trinomial, WorkerTally};

/// A pair as it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Which.
    pub pair: u64,
    /// By whom: the seat of a worker on a platform at this test, from 1; 0 is nobody known.
    pub seat: u64,
    /// The two results, that of the game with the first engine as White first, and the plies of each.
    pub games: [(GameResult, u64); 2],
}

/// What came from a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// What counts.
    pub counted: Tally,
    /// What is set aside.
    pub aside: Tally,
}

/// Pairs and faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs by the score of the first engine of their pairing.
    pub pairs: Pentanomial,
    /// Games in which a flag fell, whichever engine's.
    pub time_losses: u64,
    /// Games in which an engine crashed.
    pub crashes: u64,
}

impl Played {
    /// What the first engine of the pairing scored, in half points from 0 to 4.
    pub fn half_points(&self) -> usize {
        let [(first, _), (second, _)] = self.games;
        let both = first.from_side(Color::White) + second.from_side(Color::Black);
        let Trinomial { wins, draws, .. } = both;
        (2 * wins + draws) as usize
    }

    fn faults(&self, kind: FaultKind) -> u64 {
        let is_so = |result: GameResult| result.fault.is_some_and(|(_, fault)| fault == kind);
        let games = self.games.iter();
        games.filter(|(result, _)| is_so(*result)).count() as u64
    }
}

impl Tally {
    pub(super) fn add(&mut self, played: &Played) {
        self.pairs.0[played.half_points()] += 1;
        self.time_losses += played.faults(FaultKind::TimeLoss);
        self.crashes += played.faults(FaultKind::Crash);
    }

    /// Takes back what was [added](Self::add).
    pub(super) fn remove(&mut self, played: &Played) {
        let pairs = &mut self.pairs.0[played.half_points()];
        *pairs = pairs.saturating_sub(1);
        let time_losses = played.faults(FaultKind::TimeLoss);
        self.time_losses = self.time_losses.saturating_sub(time_losses);
        let crashes = played.faults(FaultKind::Crash);
        self.crashes = self.crashes.saturating_sub(crashes);
    }

    /// The same for [`stats::Heterogeneity`], of a worker on a platform with this number.
    pub fn on(&self, platform: u32) -> WorkerTally {
        WorkerTally {
            platform,
            pairs: self.pairs,
            games: self.pairs.games(),
            time_losses: self.time_losses,
            crashes: self.crashes,
        }
    }
}
