//! The χ² by which fishtest judges workers, for comparison with its pages.

use crate::tail;

/// What fishtest calls the residuals of a test (`stat_util` and `rundb`, `get_chi2`).
#[derive(Clone, Debug, PartialEq)]
pub struct Residuals {
    /// χ² of the table of workers by won, lost and even pairs.
    pub chi2: f64,
    /// Its degrees of freedom.
    pub dof: u64,
    /// P(so large a χ² or larger).
    pub p: f64,
    /// For every row how many standard deviations from zero a normal variable with the same
    /// p-value is, 0 or more; nothing for rows that are too small.
    pub residual: Vec<Option<f64>>,
    /// Beyond this a residual is in the worst 5 % of its table.
    pub z_95: f64,
    /// Beyond this it is in the worst 1 %.
    pub z_99: f64,
}

/// Compares rows of counts of won, lost and even pairs (or of games), one row a worker.
///
/// Rows with an expected count of 5 or less are left out, again until there is none. Nothing if
/// fewer than two remain.
#[must_use]
pub fn residuals(rows: &[[u64; 3]]) -> Option<Residuals> {
    let mut kept: Vec<usize> = (0..rows.len()).collect();
    let (columns, total) = loop {
        let mut columns = [0; 3];
        for &row in &kept {
            for (sum, count) in columns.iter_mut().zip(rows[row]) {
                *sum += count;
            }
        }
        let total: u64 = columns.iter().sum();
        let before = kept.len();
        kept.retain(|&row| {
            let expected = expected(rows[row], columns, total);
            expected.iter().all(|&count| 5.0 < count)
        });
        if kept.len() == before {
            break (columns, total);
        }
    };
    if kept.len() < 2 {
        return None;
    }
    let mut chi2 = 0.0;
    let mut residual = vec![None; rows.len()];
    for &row in &kept {
        let expected = expected(rows[row], columns, total);
        let of_row: f64 = std::iter::zip(rows[row], expected)
            .map(|(count, expected)| (count as f64 - expected).powi(2) / expected)
            .sum();
        chi2 += of_row;
        let share = size(rows[row]) / total as f64;
        // The 2x3 table of this row against all others has two degrees of freedom.
        let p = tail::chi_squared(of_row / (1.0 - share), 2).max(f64::MIN_POSITIVE);
        residual[row] = Some(if p < 0.5 {
            tail::normal_quantile(p)
        } else {
            0.0
        });
    }
    let dof = 2 * (kept.len() as u64 - 1);
    let worst = |rate: f64| tail::normal_quantile(rate / kept.len() as f64);
    Some(Residuals {
        chi2,
        dof,
        p: tail::chi_squared(chi2, dof),
        residual,
        z_95: worst(0.05),
        z_99: worst(0.01),
    })
}

fn expected(row: [u64; 3], columns: [u64; 3], total: u64) -> [f64; 3] {
    columns.map(|column| size(row) * column as f64 / total as f64)
}

fn size(row: [u64; 3]) -> f64 {
    row.iter().sum::<u64>() as f64
}
