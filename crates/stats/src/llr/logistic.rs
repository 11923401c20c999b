//! Likelihood of a mean score.

use super::Sample;
use super::secular::Constrained;

/// The largest log-likelihood a result, relative to that of the sample itself, of frequencies
/// whose mean score is ½ + `excess`; |`excess`| < ½. (van den Bergh, *GSPRT*; fishtest,
/// `LLRcalc.MLE_expected`.)
pub(super) fn log_likelihood(sample: &Sample, excess: f64) -> f64 {
    let slope = std::array::from_fn(|i| {
        if sample.share[i] > 0.0 {
            sample.excess[i] - excess
        } else {
            0.0
        }
    });
    Constrained::new(&sample.share, slope, 0.0)
        .expect("the mean lies between the lowest and the highest result")
        .log_likelihood(&sample.share)
}
