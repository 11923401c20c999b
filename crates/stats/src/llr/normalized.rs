//! Likelihood of a mean score measured in standard deviations.

use super::Sample;
use super::secular::Constrained;

/// Root-finding steps; bisection alone needs 50.
const STEPS_MAX: usize = 100;

/// Points of the scan for several maxima: two maxima lie a factor 2 apart (they belong to scores ¼
/// and ½ from equality), and the grid over the whole range steps by 1.24 at 5 Elo.
const SCAN_POINTS: usize = 24;

/// The largest log-likelihood a result, relative to that of the sample itself, of frequencies with
/// (mean score − ½) / standard deviation = `t` (van den Bergh, *Normalized Elo*; fishtest,
/// `LLRcalc.MLE_t_value`, whose fixed-point iteration this replaces).
///
/// With e the excess of the score and r² = E e², the second moment about ½, the constraint reads
/// E e = T r, where T = t / √(1 + t²). For every r > 0 the *linear* constraint E h = 0,
/// h = e − (T/2)(r + e²/r), contains the solution when r is its r, so that the problem is one of
/// a single unknown. There E e² = r².
///
/// When the sample lies on the convex side of the constraint there is one solution, between two
/// known limits. On the other side there can be two (an all-drawn record can be explained by a few
/// pairs of score ¾ or by as many of score 1), which the scan tells apart.
pub(super) fn log_likelihood(sample: &Sample, t: f64) -> f64 {
    let target = t / t.hypot(1.0);
    if target == 0.0 {
        return super::logistic::log_likelihood(sample, 0.0);
    }
    let curve = Curve::new(sample, target);
    let gap = curve.mean - curve.target * curve.radius;
    if gap >= 0.0 {
        return curve.convex_side();
    }
    curve
        .near_the_sample()
        .unwrap_or_else(|| curve.best_of_all())
}

/// The family of linear constraints, oriented so that T > 0.
struct Curve {
    share: [f64; 5],
    excess: [f64; 5],
    target: f64,
    /// Mean excess of the sample.
    mean: f64,
    /// Root of the second moment of the sample about ½.
    radius: f64,
}

/// The family at one r.
#[derive(Clone, Copy)]
struct Point {
    radius: f64,
    solution: Constrained,
    /// E e² − r².
    gap: f64,
    /// Its derivative by r.
    gap_slope: f64,
}

impl Curve {
    fn new(sample: &Sample, target: f64) -> Self {
        let share = sample.share;
        let excess = sample.excess.map(|e| e * target.signum());
        let mean = share.iter().zip(excess).map(|(p, e)| p * e).sum();
        let square: f64 = share.iter().zip(excess).map(|(p, e)| p * e * e).sum();
        Self {
            share,
            excess,
            target: target.abs(),
            mean,
            radius: square.sqrt(),
        }
    }

    /// The solution of E h = 0 at `radius`, the search for its multiplier starting at `multiplier`.
    fn at(&self, radius: f64, multiplier: f64) -> Option<Point> {
        let half = self.target / 2.0;
        let slope = std::array::from_fn(|i| {
            let e = self.excess[i];
            if self.share[i] > 0.0 {
                e - half * (radius + e * e / radius)
            } else {
                0.0
            }
        });
        let solution = Constrained::new(&self.share, slope, multiplier)?;
        let x = solution.multiplier;
        // d E e² / dr by the implicit function theorem: x moves so that E h stays 0.
        let (mut square, mut moved_h, mut hh, mut e2h, mut e2_moved) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for ((share, e), h) in self.share.iter().zip(self.excess).zip(slope) {
            let scale = 1.0 / (1.0 + x * h);
            let p = share * scale;
            let turn = half * (e * e / (radius * radius) - 1.0);
            square += p * e * e;
            moved_h += p * scale * turn;
            hh += p * scale * h * h;
            e2h += p * scale * e * e * h;
            e2_moved += p * scale * e * e * turn;
        }
        let gap_slope = -e2h * (moved_h / hh) - x * e2_moved - 2.0 * radius;
        Some(Point {
            radius,
            solution,
            gap: square - radius * radius,
            gap_slope,
        })
    }

    /// The only solution when the sample's mean is at least T r: E h of the sample is positive
    /// between the roots of a parabola whose product is r², and E e² = r² between them.
    fn convex_side(&self) -> f64 {
        let center = self.mean / self.target;
        let above = center
            + ((center - self.radius) * (center + self.radius))
                .max(0.0)
                .sqrt();
        let below = self.radius * self.radius / above;
        self.root(below, above.min(0.5), self.radius)
    }

    /// The best solution when the mean is less than T r and the sample so near that no second
    /// maximum can matter; `None` when that is not certain.
    ///
    /// Pinsker's inequality bounds the likelihood of everything far away: frequencies whose second
    /// moment differs by d cost at least 2 (4 d)², as squares of excesses span ¼.
    fn near_the_sample(&self) -> Option<f64> {
        const REACH: f64 = 1.5;
        let moved = self.radius.powi(2) * (1.0 - 1.0 / (REACH * REACH));
        let cost_of_more = 32.0 * moved * moved;
        let (below, above) = (self.radius / REACH, self.radius * REACH);
        let (mut radius, mut multiplier) = (self.radius, 0.0);
        for _ in 0..8 {
            let point = self.at(radius, multiplier)?;
            let next = point.newton();
            if point.gap_slope >= 0.0 || next <= below || above <= next {
                return None;
            }
            if point.is_converged(next) {
                let found = point.solution.log_likelihood(&self.share);
                return (-found < cost_of_more).then_some(found);
            }
            (radius, multiplier) = (next, point.solution.multiplier);
        }
        None
    }

    /// The best of all local maxima, each found between two points of a scan where E e² − r² goes
    /// from positive to negative.
    fn best_of_all(&self) -> f64 {
        // E h = 0 has solutions where some h is positive: around each positive excess e, from
        // e·reach to e/reach. At the lower end all weight is on e and E e² > r²; at the upper end,
        // and at ½, E e² < r².
        let reach = self.target / (1.0 + (1.0 - self.target * self.target).sqrt());
        let positive = |e: &f64| *e > 0.0;
        let most = 0.5;
        let least = self
            .excess
            .iter()
            .copied()
            .filter(positive)
            .fold(most, f64::min);
        let ranges = if least / reach < most * reach {
            [(least * reach, least / reach), (most * reach, most)]
        } else {
            [(least * reach, most), (most, most)]
        };
        ranges
            .into_iter()
            .filter(|(low, high)| low < high)
            .map(|(low, high)| self.best_between(low, high))
            .fold(f64::NEG_INFINITY, f64::max)
    }

    fn best_between(&self, low: f64, high: f64) -> f64 {
        let ratio = (high / low).powf(1.0 / (SCAN_POINTS + 1) as f64);
        let mut best = f64::NEG_INFINITY;
        let (mut below, mut rising, mut multiplier, mut radius) = (low, true, 0.0, low);
        for i in 0..=SCAN_POINTS {
            radius *= ratio;
            let (here, rises) = if i == SCAN_POINTS {
                (high, false)
            } else {
                // Rounding can put the ends of the range just outside.
                let Some(point) = self.at(radius, multiplier) else {
                    continue;
                };
                multiplier = point.solution.multiplier;
                (radius, point.gap > 0.0)
            };
            if rising && !rises {
                best = best.max(self.root(below, here, (below * here).sqrt()));
            }
            (below, rising) = (here, rises);
        }
        best
    }

    /// The log-likelihood at the root of E e² − r², which is positive at `below` and negative at
    /// `above`: Newton's steps, bisection where they leave the interval.
    fn root(&self, mut below: f64, mut above: f64, start: f64) -> f64 {
        let (mut radius, mut multiplier, mut found) = (start, 0.0, f64::NEG_INFINITY);
        for _ in 0..STEPS_MAX {
            let Some(point) = self.at(radius, multiplier) else {
                break;
            };
            found = point.solution.log_likelihood(&self.share);
            if point.gap > 0.0 {
                below = radius;
            } else {
                above = radius;
            }
            let next = point.newton();
            if point.is_converged(next) {
                break;
            }
            radius = if below < next && next < above {
                next
            } else {
                0.5 * (below + above)
            };
            multiplier = point.solution.multiplier;
            if radius <= below || above <= radius {
                break;
            }
        }
        found
    }
}

impl Point {
    fn newton(&self) -> f64 {
        self.radius - self.gap / self.gap_slope
    }

    /// The log-likelihood is stationary at the root, so that half of the digits of r give all of
    /// its own.
    fn is_converged(&self, next: f64) -> bool {
        (next - self.radius).abs() <= 1e-10 * self.radius
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pentanomial::Pentanomial;

    fn curve(counts: [u64; 5], t: f64) -> Curve {
        Curve::new(&Sample::new(Pentanomial(counts).into()), t / t.hypot(1.0))
    }

    #[test]
    fn a_usual_record_needs_no_scan() {
        let curve = curve([365, 16_618, 36_229, 16_974, 390], 0.02);
        assert!((curve.near_the_sample().unwrap() - curve.best_of_all()).abs() < 1e-15);
    }

    #[test]
    fn a_record_of_draws_has_two_maxima_and_needs_the_scan() {
        assert_eq!(curve([0, 0, 1_000_000, 0, 0], 0.02).near_the_sample(), None);
    }

    proptest! {
        /// The short cut is only taken where the scan would find the same.
        #[test]
        fn near_the_sample_is_best_of_all(
            counts in prop::array::uniform5(prop_oneof![Just(0u64), 0u64..5, 0u64..100_000]),
            t in 1e-4..0.3f64,
        ) {
            let curve = curve(counts, t);
            let convex = curve.mean >= curve.target * curve.radius;
            if let (false, Some(near)) = (convex, curve.near_the_sample()) {
                let best = curve.best_of_all();
                prop_assert!((near - best).abs() <= 1e-12 * best.abs() + 1e-15, "{near}, {best}");
            }
        }
    }
}
