//! Roots.

/// Evaluations before what was found is taken; bisection alone needs some 60.
const EVALUATIONS_MAX: usize = 100;

/// Where a rising function goes from negative to positive; the end of `low..=high` next to it if it
/// lies outside. Regula falsi in the Illinois variant (Dowell and Jarratt 1971), and a bisection
/// after every step that does not halve the interval.
pub(crate) fn of_rising(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let (mut at_low, mut at_high) = (f(low), f(high));
    if at_low >= 0.0 {
        return low;
    }
    if at_high <= 0.0 {
        return high;
    }
    let mut bisects = false;
    for _ in 0..EVALUATIONS_MAX {
        let width = high - low;
        let secant = low - at_low * width / (at_high - at_low);
        let middle = 0.5 * (low + high);
        let x = if bisects || !(low < secant && secant < high) {
            middle
        } else {
            secant
        };
        if x <= low || high <= x {
            break;
        }
        let value = f(x);
        if value < 0.0 {
            (low, at_low) = (x, value);
            at_high *= 0.5;
        } else {
            (high, at_high) = (x, value);
            at_low *= 0.5;
        }
        if value == 0.0 || high - low <= 1e-15 * high.abs().max(low.abs()) {
            break;
        }
        bisects = high - low > 0.5 * width;
    }
    high
}

#[cfg(test)]
mod tests {
    use super::of_rising;

    #[test]
    fn steep_flat_and_outlying_roots_are_found() {
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found}");
        near(of_rising(|x| x * x * x - 2.0, 0.0, 10.0), 2f64.cbrt());
        near(of_rising(|x| (1e6 * (x - 0.3)).tanh(), -50.0, 70.0), 0.3);
        near(of_rising(|x| x.exp() - 1.0, -500.0, 1.0), 0.0);
        near(of_rising(|x| x - 5.0, 0.0, 1.0), 1.0);
        near(of_rising(|x| x + 5.0, 0.0, 1.0), 0.0);
    }
}
