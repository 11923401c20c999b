//! The standard normal distribution, over `statrs`.

use statrs::function::erf::erfc;
use std::f64::consts::FRAC_1_SQRT_2;

/// The 97.5 % quantile: half the width of a two-sided 95 % interval in standard errors.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// P(Z <= x).
pub(crate) fn cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

/// The density at x.
pub(crate) fn density(x: f64) -> f64 {
    const FRAC_1_SQRT_TAU: f64 = 0.398_942_280_401_432_7;
    FRAC_1_SQRT_TAU * (-0.5 * x * x).exp()
}
