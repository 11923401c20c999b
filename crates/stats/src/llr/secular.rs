//! The frequencies nearest to a sample's that satisfy one linear constraint.

/// Newton steps before giving up; bisection alone needs 60, and ten are typical of the worst cases.
const STEPS_MAX: usize = 100;

/// Maximises Σ `share` ln p subject to Σ p = 1 and Σ p `slope` = 0. The solution is
/// p = `share` / (1 + x `slope`), where the multiplier x is the root of the secular function
/// Σ `share` `slope` / (1 + x `slope`) between its poles (van den Bergh, *Comments on maximum
/// likelihood estimation for the multinomial distribution*).
#[derive(Clone, Copy, Debug)]
pub(super) struct Constrained {
    pub(super) multiplier: f64,
    slope: [f64; 5],
}

impl Constrained {
    /// `None` when all slopes have one sign: no frequencies satisfy the constraint then.
    pub(super) fn new(share: &[f64; 5], slope: [f64; 5], start: f64) -> Option<Self> {
        let (least, most) = slope.iter().fold((0.0, 0.0), |(least, most), &h| {
            (f64::min(least, h), f64::max(most, h))
        });
        if least == 0.0 || most == 0.0 {
            return None;
        }
        let mean: f64 = share.iter().zip(slope).map(|(share, h)| share * h).sum();
        // The function falls and has the value of the mean at 0, so the root's side is known.
        let pole = if mean < 0.0 { most } else { least };
        let end = -1.0 / pole;
        let (mut below, mut above) = (end.min(0.0), end.max(0.0));
        let mut x = if below < start && start < above {
            start
        } else {
            0.0
        };
        for _ in 0..STEPS_MAX {
            let (mut value, mut derivative) = (0.0, 0.0);
            for (share, h) in share.iter().zip(slope) {
                let ratio = h / (1.0 + x * h);
                value += share * ratio;
                derivative -= share * ratio * ratio;
            }
            if value > 0.0 {
                below = x;
            } else {
                above = x;
            }
            // Multiplied by its distance from the pole on that side the function is smooth, and
            // Newton's step good, up to the very end, where records of nothing but wins have their
            // root.
            let distance = 1.0 + x * pole;
            let newton = x - value * distance / (derivative * distance + value * pole);
            // Newton doubles the digits each time, and the likelihood is stationary at the root.
            // (Asked before anything else: at the root rounding puts the step on a limit.)
            if (newton - x).abs() * pole.abs() <= 1e-8 * distance {
                x = newton;
                break;
            }
            x = if below < newton && newton < above {
                newton
            } else if below == end || above == end {
                // Past the pole, which may be ten orders of magnitude nearer than the root of the
                // tangent: halving would take a step for each binary digit.
                end - (end - x) / 64.0
            } else {
                0.5 * (below + above)
            };
        }
        Some(Self {
            multiplier: x,
            slope,
        })
    }

    /// Σ `share` ln(p / `share`), never positive: what the constraint costs in likelihood.
    pub(super) fn log_likelihood(&self, share: &[f64; 5]) -> f64 {
        let terms = share.iter().zip(self.slope);
        -terms
            .map(|(share, h)| share * (self.multiplier * h).ln_1p())
            .sum::<f64>()
    }
}
