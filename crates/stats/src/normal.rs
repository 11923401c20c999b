//! The standard normal distribution, over `statrs`.

use statrs::function::erf::erfc;
use std::f64::consts::FRAC_1_SQRT_2;

/// The 97.5 % quantile: half the width of a two-sided 95 % interval in standard errors.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// P(Z <= x).
pub(crate) fn cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}
