//! Many tests at once.

/// Which hypotheses to reject so that the expected share of false ones among the rejected is at
/// most `q`: those whose p-value is not above that of the last one, in increasing order, with
/// p₍ᵢ₎ <= q i / m (Benjamini and Hochberg, *Controlling the False Discovery Rate*, 1995). `None`
/// was not tested: it is never rejected and does not count in m.
#[must_use]
pub fn benjamini_hochberg(p_values: &[Option<f64>], q: f64) -> Vec<bool> {
    let mut sorted: Vec<f64> = p_values.iter().flatten().copied().collect();
    sorted.sort_by(f64::total_cmp);
    let tests = sorted.len() as f64;
    let passes = |&(index, &p): &(usize, &f64)| p <= q * (index + 1) as f64 / tests;
    let largest = sorted.iter().enumerate().rev().find(passes);
    let threshold = largest.map(|(_, &p)| p);
    let is_rejected =
        |p: &Option<f64>| matches!((p, threshold), (Some(p), Some(most)) if *p <= most);
    p_values.iter().map(is_rejected).collect()
}
