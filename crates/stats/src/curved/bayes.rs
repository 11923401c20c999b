//! Bounds that minimise the mean length of a test under a prior of the drift.

use std::ops::RangeInclusive;

use super::boundary::{Boundary, Node};

/// Nodes of a designed boundary, at τ ∝ j²: bounds bend most at the start.
const NODES: usize = 256;

/// The prior of the drift θ under which the mean length is minimised: normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// Mean of θ; −½ is H0, +½ is H1.
    pub mean: f64,
    /// Standard deviation of θ; 0 minimises the length at the mean alone.
    pub deviation: f64,
}

impl Prior {
    /// The distribution of θ after the LLR has gone from 0 to `x` in time `t`. The prior must have
    /// a deviation above 0.
    #[must_use]
    pub(crate) fn given(self, t: f64, x: f64) -> Self {
        let precision = self.deviation.powi(-2);
        Self {
            mean: (self.mean * precision + x) / (precision + t),
            deviation: (precision + t).sqrt().recip(),
        }
    }

    /// ∫ exp(θ x − θ² t/2) dN(mean, deviation²)(θ): the likelihood of (t, x) relative to motion
    /// without drift, averaged over the prior.
    #[must_use]
    pub(crate) fn likelihood(self, t: f64, x: f64) -> f64 {
        let (m, variance) = (self.mean, self.deviation * self.deviation);
        let spread = 1.0 + variance * t;
        let exponent = (variance * x * x + 2.0 * m * x - m * m * t) / (2.0 * spread);
        exponent.exp() / spread.sqrt()
    }
}

/// What a wrong decision costs, in units of information.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Penalties {
    /// Accepting H1 when H0 is true.
    pub(super) false_accept: f64,
    /// Accepting H0 when H1 is true.
    pub(super) false_reject: f64,
}

/// A grid for backward induction: steps of ±`spacing` in the LLR, `spacing`² in time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    pub(super) spacing: f64,
    /// The last time.
    pub(super) end: f64,
    /// The largest |LLR|.
    pub(super) reach: f64,
}

/// Times over which lattice bounds are averaged: they jump by two places at a time.
const WINDOW: usize = 8;

/// The bounds that minimise ∫ E_θ[τ] dprior + penalties · error probabilities, by backward
/// induction on a driftless random walk. (Chernoff and Petkau 1986 for the walk and the correction
/// of its bounds by half a step.)
///
/// The boundary ends at `horizon`, by default where going on pays no more or somewhat before the
/// lattice does; `None` where not even the first step pays.
pub(super) fn boundary(
    prior: Prior,
    penalties: Penalties,
    lattice: Lattice,
    horizon: Option<f64>,
) -> Option<Boundary> {
    let edges = Induction::new(prior, penalties, lattice).run();
    let step = lattice.spacing * lattice.spacing;
    // The end of the lattice is felt before it is reached, and bounds only a few places apart are
    // no more than noise of the lattice.
    let is_wide = |edges: &Edges| edges.upper - edges.lower > 8.0 * lattice.spacing;
    let natural = || {
        let usable = edges.len() * 17 / 18;
        let last = edges[..usable]
            .iter()
            .rposition(is_wide)
            .filter(|&last| last > 100 * WINDOW)?;
        Some(last as f64 * step)
    };
    let horizon = horizon.or_else(natural)?;
    let nodes = (0..=NODES).map(|j| {
        let tau = horizon * (j as f64 / NODES as f64).powi(2);
        let first = ((0.98 * tau / step) as usize).min(edges.len() - WINDOW);
        let last = ((1.02 * tau / step) as usize).clamp(first + WINDOW, edges.len());
        let around = &edges[first..last];
        let mean =
            |bound: fn(&Edges) -> f64| around.iter().map(bound).sum::<f64>() / around.len() as f64;
        Node {
            tau,
            lower: mean(|edges| edges.lower) - lattice.spacing / 2.0,
            upper: mean(|edges| edges.upper) + lattice.spacing / 2.0,
        }
    });
    let nodes: Vec<_> = nodes.collect();
    if !(nodes[0].lower < 0.0 && 0.0 < nodes[0].upper) {
        return None;
    }
    let threshold = (penalties.false_accept / penalties.false_reject).ln();
    Boundary::new(nodes, threshold).ok()
}

/// Where stopping becomes best, at one time of the lattice.
#[derive(Clone, Copy, Debug)]
struct Edges {
    lower: f64,
    upper: f64,
}

/// Backward induction V(t, x) = min(stop, c(t, x) dt + ½ V(t + dt, x ± h)), all multiplied by
/// exp(t/8), which makes the cost of stopping, min(λ0 e^(−x/2), λ1 e^(x/2)), constant in time.
///
/// Places are (2 j + parity − 2 · `center`) · h; a walk is on even places at even times.
struct Induction {
    prior: Prior,
    lattice: Lattice,
    center: usize,
    stop: [Vec<f64>; 2],
    value: [Vec<f64>; 2],
    cost: [Vec<f64>; 2],
}

/// Steps for which one table of costs of going on is used: costs change by less than 1 % in them.
const COST_STEPS: usize = 16;

impl Induction {
    fn new(prior: Prior, penalties: Penalties, lattice: Lattice) -> Self {
        let center = (lattice.reach / lattice.spacing / 2.0).ceil() as usize;
        let places = 2 * center + 1;
        let stop = [0, 1].map(|parity| {
            (0..places)
                .map(|j| {
                    let x = place(center, lattice.spacing, parity, j);
                    let accept = penalties.false_accept * (-x / 2.0).exp();
                    accept.min(penalties.false_reject * (x / 2.0).exp())
                })
                .collect::<Vec<_>>()
        });
        let cost = [vec![0.0; places], vec![0.0; places]];
        Self {
            prior,
            lattice,
            center,
            value: stop.clone(),
            stop,
            cost,
        }
    }

    /// The edges at each time, from the start.
    fn run(mut self) -> Vec<Edges> {
        let step_of_time = self.lattice.spacing * self.lattice.spacing;
        let steps = (self.lattice.end / step_of_time) as usize;
        let places = self.stop[0].len();
        // Stopping costs most where both decisions cost the same; going on starts to pay there.
        let costs = &self.stop[0];
        let peak = (0..places)
            .max_by(|&a, &b| costs[a].total_cmp(&costs[b]))
            .unwrap_or(0);
        let mut edges = Vec::with_capacity(steps);
        let (mut low, mut high) = (peak, peak);
        for step in (0..steps).rev() {
            // The band grows by two places a step; its neighbours hold the cost of stopping.
            let from = low.saturating_sub(2).max(2);
            let to = (high + 2).min(places - 3);
            if step % COST_STEPS == COST_STEPS - 1 || step + 1 == steps {
                let margin = 2 * COST_STEPS;
                let time = (step as f64 + 1.0 - COST_STEPS as f64 / 2.0).max(0.0) * step_of_time;
                self.tabulate_cost(
                    time,
                    from.saturating_sub(margin),
                    (to + margin).min(places - 1),
                );
            }
            let parity = step % 2;
            let going_on = self.step_back(parity, from, to);
            if let Some((first, last)) = going_on {
                (low, high) = (from + first, from + last);
            }
            edges.push(self.edges(parity, from, going_on, peak));
        }
        edges.reverse();
        edges
    }

    /// Sets the values at `from..=to` from those one step later; the first and the last place where
    /// going on is better, counted from `from`.
    fn step_back(&mut self, parity: usize, from: usize, to: usize) -> Option<(usize, usize)> {
        let keep = self.keep();
        let [even, odd] = &mut self.value;
        let (now, next) = if parity == 0 {
            (even, odd)
        } else {
            (odd, even)
        };
        let (now, next) = (&mut now[from..=to], &next[neighbours(parity, from, to)]);
        let (stop, cost) = (&self.stop[parity][from..=to], &self.cost[parity][from..=to]);
        for i in 0..now.len() {
            let going_on = cost[i] + keep * (next[i] + next[i + 1]);
            now[i] = stop[i].min(going_on);
        }
        let pays = |&i: &usize| now[i] < stop[i];
        let first = (0..now.len()).find(pays)?;
        let last = (first..now.len()).rev().find(pays)?;
        Some((first, last))
    }

    /// Where stopping and going on cost the same, linear between places.
    fn edges(
        &self,
        parity: usize,
        from: usize,
        going_on: Option<(usize, usize)>,
        peak: usize,
    ) -> Edges {
        let h = self.lattice.spacing;
        let x = |j: usize| place(self.center, h, parity, j);
        let Some((first, last)) = going_on else {
            return Edges {
                lower: x(peak),
                upper: x(peak),
            };
        };
        let gain = |j: usize| {
            let next = &self.value[1 - parity][neighbours(parity, j, j)];
            self.stop[parity][j] - self.cost[parity][j] - self.keep() * (next[0] + next[1])
        };
        let zero = |inside: usize, outside: usize| {
            let (inside, outside) = (gain(inside), gain(outside));
            2.0 * h * (inside / (inside - outside)).clamp(0.0, 1.0)
        };
        let (low, high) = (from + first, from + last);
        Edges {
            lower: x(low) - zero(low, low - 1),
            upper: x(high) + zero(high, high + 1),
        }
    }

    /// What a neighbour's value counts for: half, less the growth of exp(t/8) in a step.
    fn keep(&self) -> f64 {
        0.5 * (-self.lattice.spacing * self.lattice.spacing / 8.0).exp()
    }

    /// The cost of a step at `time`, c(t, x) dt exp(t/8), at places `from..=to` of either parity. It
    /// is the exponential of a parabola in x, which two multiplications a place carry on.
    fn tabulate_cost(&mut self, time: f64, from: usize, to: usize) {
        let h = self.lattice.spacing;
        let scale = h * h * (time / 8.0).exp();
        for (parity, cost) in self.cost.iter_mut().enumerate() {
            let at = |j: usize| {
                self.prior
                    .likelihood(time, place(self.center, h, parity, j))
            };
            let (first, second, third) = (at(from), at(from + 1), at(from + 2));
            let (mut value, mut ratio) = (scale * first, second / first);
            let ratio_of_ratios = third / second / ratio;
            for cost in &mut cost[from..=to] {
                *cost = value;
                value *= ratio;
                ratio *= ratio_of_ratios;
            }
        }
    }
}

/// The places of the other parity one step away from `from..=to`: an even place j has the odd
/// neighbours j − 1 and j, an odd one the even j and j + 1.
fn neighbours(parity: usize, from: usize, to: usize) -> RangeInclusive<usize> {
    let shift = 1 - parity;
    from - shift..=to + 1 - shift
}

fn place(center: usize, spacing: f64, parity: usize, j: usize) -> f64 {
    (2.0 * (j as f64 - center as f64) + parity as f64) * spacing
}
