//! Brownian motion between two constant bounds, in closed form.

use crate::normal;
use std::f64::consts::PI;

/// Brownian motion from 0 with a drift and a variance a unit of time, absorbed at `lower` and at
/// `upper`: what the LLR of a test with constant bounds is in the limit of small steps.
///
/// Two series are used, each where it converges in a few terms: reflections about the bounds for
/// short times, eigenfunctions for long ones. (Cox and Miller, *The Theory of Stochastic
/// Processes*, 1965, 5.7; checked against each other.)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Absorbed {
    /// The lower bound; below 0.
    pub lower: f64,
    /// The upper bound; above 0.
    pub upper: f64,
    /// Mean change a unit of time.
    pub drift: f64,
    /// Variance of the change in a unit of time; above 0.
    pub variance: f64,
}

/// Time, in squared widths of variance, from which eigenfunctions are used. Both series have terms
/// below 1e-16 after a few there.
const LONG: f64 = 0.15;
const REFLECTIONS: i32 = 4;
const EIGENFUNCTIONS: i32 = 12;

impl Absorbed {
    /// P(outcome not better) than that of a test that is at `level` at `time`: absorbed below by
    /// then, or not absorbed and at most at `level`; at `upper` everything but absorption there.
    #[must_use]
    pub fn outcome_cdf(&self, time: f64, level: f64) -> f64 {
        if level >= self.upper {
            1.0 - self.upper_by(time)
        } else if level <= self.lower {
            self.lower_by(time)
        } else {
            self.lower_by(time) + self.alive_below(time, level)
        }
    }

    /// P(absorbed at the lower bound by `time`).
    #[must_use]
    pub fn lower_by(&self, time: f64) -> f64 {
        let time = time * self.variance;
        if time <= 0.0 {
            0.0
        } else if time < LONG * self.width().powi(2) {
            self.lower_by_reflections(time)
        } else {
            self.lower_by_eigenfunctions(time)
        }
    }

    /// P(absorbed at the upper bound by `time`).
    #[must_use]
    pub fn upper_by(&self, time: f64) -> f64 {
        self.mirrored().lower_by(time)
    }

    /// P(not absorbed by `time`, and at most at `level` then).
    #[must_use]
    pub fn alive_below(&self, time: f64, level: f64) -> f64 {
        let level = level.clamp(self.lower, self.upper);
        let time = time * self.variance;
        if time <= 0.0 {
            f64::from(u8::from(level >= 0.0))
        } else if time < LONG * self.width().powi(2) {
            self.alive_by_reflections(time, level)
        } else {
            self.alive_by_eigenfunctions(time, level)
        }
    }

    /// P(absorbed at the lower bound sooner or later).
    #[must_use]
    pub fn lower_ever(&self) -> f64 {
        if self.drift < 0.0 {
            return 1.0 - self.mirrored().lower_ever();
        }
        let twice = 2.0 * self.slope();
        if twice * self.width() < 1e-12 {
            return self.upper / self.width();
        }
        (-twice * self.upper).exp_m1()
            / ((-twice * self.upper).exp_m1() - (-twice * self.lower).exp_m1())
    }

    /// Mean time until absorption (Wald's identity).
    #[must_use]
    pub fn mean_time(&self) -> f64 {
        let lower_ever = self.lower_ever();
        let mean_level = lower_ever * self.lower + (1.0 - lower_ever) * self.upper;
        // With next to no drift the mean level is next to nothing, and both lose their digits.
        if (self.slope() * self.width()).abs() < 1e-5 {
            -self.lower * self.upper / self.variance
        } else {
            mean_level / self.drift
        }
    }

    fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// Drift a unit of variance: paths have likelihood exp(slope x − slope² t / 2), t in units of
    /// variance, relative to motion without drift.
    fn slope(&self) -> f64 {
        self.drift / self.variance
    }

    fn mirrored(&self) -> Self {
        Self {
            lower: -self.upper,
            upper: -self.lower,
            drift: -self.drift,
            ..*self
        }
    }

    fn lower_by_reflections(&self, time: f64) -> f64 {
        let (g, a, root) = (self.slope(), self.lower, time.sqrt());
        let first_passage = |distance: f64| {
            let towards = normal::ln_cdf((g.abs() * time - distance) / root);
            let against = normal::ln_cdf((-g.abs() * time - distance) / root);
            (g * a - g.abs() * distance + towards).exp()
                + (g * a + g.abs() * distance + against).exp()
        };
        (-REFLECTIONS..=REFLECTIONS)
            .map(|k| 2.0 * f64::from(k) * self.width() - a)
            .map(|distance| distance.signum() * first_passage(distance.abs()))
            .sum()
    }

    fn lower_by_eigenfunctions(&self, time: f64) -> f64 {
        let (g, a, w) = (self.slope(), self.lower, self.width());
        let later = |n: f64| {
            let k = n * PI / w;
            let rate = 0.5 * (g * g + k * k);
            k / w * (-k * a).sin() * (g * a - rate * time).exp() / rate
        };
        self.lower_ever() - (1..=EIGENFUNCTIONS).map(f64::from).map(later).sum::<f64>()
    }

    fn alive_by_reflections(&self, time: f64, level: f64) -> f64 {
        let (g, a, root) = (self.slope(), self.lower, time.sqrt());
        let between = |source: f64| {
            let scaled_tail = |x: f64| (g * source + normal::ln_cdf(x)).exp();
            let [from, to] = [a, level].map(|x| (x - source - g * time) / root);
            // The tail on the far side of the peak: a weight may be e^1000 and its share e^−1000.
            if from > 0.0 {
                scaled_tail(-from) - scaled_tail(-to)
            } else {
                scaled_tail(to) - scaled_tail(from)
            }
        };
        (-REFLECTIONS..=REFLECTIONS)
            .map(|k| 2.0 * f64::from(k) * self.width())
            .map(|shift| between(shift) - between(2.0 * a + shift))
            .sum()
    }

    fn alive_by_eigenfunctions(&self, time: f64, level: f64) -> f64 {
        let (g, a, w) = (self.slope(), self.lower, self.width());
        let part = |n: f64| {
            let k = n * PI / w;
            let rate = 0.5 * (g * g + k * k);
            let (sin, cos) = (k * (level - a)).sin_cos();
            let at_level = (g * level - rate * time).exp() * (g * sin - k * cos);
            let at_lower = (g * a - rate * time).exp() * k;
            (-k * a).sin() / w * (at_level + at_lower) / rate
        };
        (1..=EIGENFUNCTIONS).map(f64::from).map(part).sum()
    }
}
