//! What is measured: from the time when all are busy to the time when the first has nothing to do.

use std::time::{Duration, Instant};

/// Told of every game that ends; measures the middle of them.
#[derive(Debug)]
pub(crate) struct Window {
    /// Games that are left out at either end: engines start in them, or slots run dry.
    margin: u64,
    games: u64,
    ended: u64,
    plies: usize,
    from: Option<Stamp>,
    to: Option<Stamp>,
}

/// Microseconds a ply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) wall: f64,
    /// Of this process, without the engines.
    pub(crate) cpu: f64,
}

#[derive(Clone, Copy, Debug)]
struct Stamp {
    wall: Instant,
    cpu: Duration,
}

impl Window {
    pub(crate) fn new(games: u64, slots: usize) -> Self {
        Self {
            margin: 2 * slots as u64,
            games,
            ended: 0,
            plies: 0,
            from: None,
            to: None,
        }
    }

    /// A game of so many plies has ended.
    pub(crate) fn game_ended(&mut self, plies: usize) {
        self.ended += 1;
        if self.from.is_some() && self.to.is_none() {
            self.plies += plies;
        }
        if self.ended == self.margin {
            self.from = Some(Stamp::now());
        }
        if self.ended == self.games - self.margin {
            self.to = Some(Stamp::now());
        }
    }

    pub(crate) fn cost(&self) -> Cost {
        let (from, to) = self
            .from
            .zip(self.to)
            .expect("more games than the two margins hold");
        let a_ply = |time: Duration| time.as_secs_f64() * 1e6 / self.plies as f64;
        Cost {
            wall: a_ply(to.wall - from.wall),
            cpu: a_ply(to.cpu - from.cpu),
        }
    }
}

impl Stamp {
    fn now() -> Self {
        // Threads that are gone count too.
        let cpu = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Self {
            wall: Instant::now(),
            cpu: Duration::try_from(cpu).expect("a CPU clock is not negative"),
        }
    }
}
