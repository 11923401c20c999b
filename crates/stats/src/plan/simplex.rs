//! Minima of functions that are smooth but have no derivative at hand.

/// Moves from `start` to where `f` is least nearby: the simplex method of Nelder and Mead (1965),
/// its first simplex as large as `sizes`, until it has shrunk to `tolerance` of that.
pub(super) fn minimum<const N: usize>(
    f: impl Fn(&[f64; N]) -> f64,
    start: [f64; N],
    sizes: [f64; N],
    tolerance: f64,
) -> [f64; N] {
    let corner = |x: [f64; N]| (f(&x), x);
    let mut simplex = vec![corner(start)];
    for i in 0..N {
        let mut x = start;
        x[i] += sizes[i];
        simplex.push(corner(x));
    }
    for _ in 0..EVALUATIONS_MAX * N {
        simplex.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (best, worst) = (simplex[0], simplex[N]);
        let span = |i: usize| (worst.1[i] - best.1[i]).abs() / sizes[i];
        if (0..N).map(span).fold(0.0, f64::max) < tolerance {
            break;
        }
        let middle: [f64; N] =
            std::array::from_fn(|i| simplex[..N].iter().map(|x| x.1[i]).sum::<f64>() / N as f64);
        let towards = |by: f64| {
            corner(std::array::from_fn(|i| {
                middle[i] + by * (worst.1[i] - middle[i])
            }))
        };
        let reflected = towards(-1.0);
        let better = if reflected.0 < best.0 {
            let expanded = towards(-2.0);
            if expanded.0 < reflected.0 {
                expanded
            } else {
                reflected
            }
        } else if reflected.0 < simplex[N - 1].0 {
            reflected
        } else {
            towards(if reflected.0 < worst.0 { -0.5 } else { 0.5 })
        };
        if better.0 < worst.0 {
            simplex[N] = better;
        } else {
            for old in &mut simplex[1..] {
                *old = corner(std::array::from_fn(|i| 0.5 * (best.1[i] + old.1[i])));
            }
        }
    }
    simplex.sort_by(|a, b| a.0.total_cmp(&b.0));
    simplex[0].1
}

/// Turns a dimension before what was found is taken.
const EVALUATIONS_MAX: usize = 200;

#[cfg(test)]
mod tests {
    use super::minimum;

    #[test]
    fn a_bent_valley_is_followed_to_its_end() {
        // Rosenbrock 1960.
        let valley = |x: &[f64; 2]| 100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2);
        let found = minimum(valley, [-1.2, 1.0], [0.5, 0.5], 1e-7);
        assert!(
            (found[0] - 1.0).abs() < 1e-4 && (found[1] - 1.0).abs() < 1e-4,
            "{found:?}"
        );
    }
}
