//! The standard normal distribution, over `statrs`.

use statrs::function::erf::erfc;
use std::f64::consts::FRAC_1_SQRT_2;

/// The 97.5 % quantile: half the width of a two-sided 95 % interval in standard errors.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

const FRAC_1_SQRT_TAU: f64 = 0.398_942_280_401_432_7;

/// P(Z <= x).
pub(crate) fn cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

/// The density at x.
pub(crate) fn density(x: f64) -> f64 {
    FRAC_1_SQRT_TAU * (-0.5 * x * x).exp()
}

/// ln P(Z <= x), also where the probability itself is too small for a number.
pub(crate) fn ln_cdf(x: f64) -> f64 {
    if x > -30.0 {
        return cdf(x).ln();
    }
    // Abramowitz and Stegun 26.2.12; the next term is below 1e-10 of the sum.
    let s = 1.0 / (x * x);
    let tail = 1.0 - s * (1.0 - 3.0 * s * (1.0 - 5.0 * s * (1.0 - 7.0 * s)));
    -0.5 * x * x + (FRAC_1_SQRT_TAU * tail / -x).ln()
}
