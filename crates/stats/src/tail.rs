//! Upper tails of the distributions that tests compare with.

use std::f64::consts::SQRT_2;

use statrs::function::erf::{erfc, erfc_inv};
use statrs::function::gamma::{gamma_ur, ln_gamma};

/// P(|Z| > |z|) of the standard normal distribution.
pub(crate) fn normal_two_sided(z: f64) -> f64 {
    erfc(z.abs() / SQRT_2)
}

/// The z with P(Z > z) = `p`, for `p` strictly between 0 and 1.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    SQRT_2 * erfc_inv(2.0 * p)
}

/// P(X > x) of the χ² distribution with `dof` degrees of freedom; 1 with none.
pub(crate) fn chi_squared(x: f64, dof: u64) -> f64 {
    match dof {
        0 => 1.0,
        _ if x <= 0.0 => 1.0,
        // Exact to the last digits also far out.
        1 => normal_two_sided(x.sqrt()),
        2 => (-0.5 * x).exp(),
        _ => gamma_ur(0.5 * dof as f64, 0.5 * x),
    }
}

/// P(X >= x) of a binomial variable: `trials` trials, each a success with probability `p`, 0 to 1.
///
/// Summed outward from x, where the terms fall faster than geometrically on the side away from the
/// mean; the continued fraction of the incomplete beta function needs too many steps for millions
/// of trials.
pub(crate) fn binomial(x: u64, trials: u64, p: f64) -> f64 {
    if x == 0 {
        return 1.0;
    }
    if trials < x || p <= 0.0 {
        return 0.0;
    }
    if 1.0 <= p {
        return 1.0;
    }
    let (n, odds) = (trials as f64, p / (1.0 - p));
    // Ratios of each term to the one before it.
    let up = |k: f64| (n - k + 1.0) / k * odds;
    if x as f64 > n * p {
        let mut term = binomial_term(x, trials, p);
        let mut sum = term;
        for k in x + 1..=trials {
            term *= up(k as f64);
            sum += term;
            if term < sum * f64::EPSILON {
                break;
            }
        }
        return sum.min(1.0);
    }
    let mut term = binomial_term(x - 1, trials, p);
    let mut below = term;
    for k in (1..x).rev() {
        term /= up(k as f64);
        below += term;
        if term < below * f64::EPSILON {
            break;
        }
    }
    (1.0 - below).max(0.0)
}

fn binomial_term(x: u64, trials: u64, p: f64) -> f64 {
    let (k, n) = (x as f64, trials as f64);
    let ln_choose = ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0);
    (ln_choose + k * p.ln() + (n - k) * (-p).ln_1p()).exp()
}
