//! Roots of functions that change sign once.

/// A point of `low..=high` where the sign of `f` changes, to the last digits; where it does not,
/// the end at which |`f`| is taken to be least: `high` if `f` has the sign of `f(low)` throughout.
pub(crate) fn bisect(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let is_negative = f(low) < 0.0;
    // The mantissa has 53 digits; some more for roots near zero.
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if middle <= low || high <= middle {
            break;
        }
        if (f(middle) < 0.0) == is_negative {
            low = middle
        } else {
            high = middle
        }
    }
    high
}
