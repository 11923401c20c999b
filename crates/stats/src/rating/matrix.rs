//! Square symmetric matrices, as far as ratings need them.

use std::ops::{Index, IndexMut};

/// A square matrix, row after row. Indexed by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn filled(size: usize, value: f64) -> Self {
        Self {
            size,
            cells: vec![value; size * size],
        }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn get(&self, row: usize, column: usize) -> f64 {
        self[row][column]
    }

    /// Adds `weight` (eᵢ − eⱼ)(eᵢ − eⱼ)ᵀ: what an observation of the difference of i and j adds.
    pub(super) fn add_difference(&mut self, i: usize, j: usize, weight: f64) {
        self[i][i] += weight;
        self[j][j] += weight;
        self[i][j] -= weight;
        self[j][i] -= weight;
    }

    /// (eᵢ − eⱼ)ᵀ M (eᵢ − eⱼ): the variance of the difference of i and j.
    pub(super) fn difference(&self, i: usize, j: usize) -> f64 {
        self[i][i] + self[j][j] - self[i][j] - self[j][i]
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.cells.chunks_exact(self.size)
    }

    /// The lower triangle L with L Lᵀ = M (Cholesky); M must be symmetric and positive definite.
    pub(super) fn cholesky(mut self) -> Cholesky {
        for i in 0..self.size {
            let (above, row) = self.cells.split_at_mut(i * self.size);
            let row = &mut row[..=i];
            for (j, pivot) in above.chunks_exact(self.size).enumerate() {
                row[j] = (row[j] - dot(&row[..j], &pivot[..j])) / pivot[j];
            }
            let rest = row[i] - dot(&row[..i], &row[..i]);
            // Rounding alone can bring it to zero or below, where games are decided so clearly that
            // they say next to nothing of a difference.
            row[i] = rest.max(row[i] * f64::EPSILON).sqrt();
        }
        Cholesky(self)
    }
}

impl Index<usize> for Matrix {
    type Output = [f64];

    fn index(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }
}

impl IndexMut<usize> for Matrix {
    fn index_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.cells[row * self.size..][..self.size]
    }
}

/// A factored matrix. Only the lower triangle means something.
#[derive(Debug)]
pub(super) struct Cholesky(Matrix);

impl Cholesky {
    /// Solves M x = `right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Self(lower) = self;
        let mut x = right.to_vec();
        for i in 0..x.len() {
            x[i] = (x[i] - dot(&lower[i][..i], &x[..i])) / lower[i][i];
        }
        for i in (0..x.len()).rev() {
            x[i] /= lower[i][i];
            let (known, value) = (&lower[i][..i], x[i]);
            add_multiple(&mut x[..i], -value, known);
        }
        x
    }

    /// M⁻¹.
    pub(super) fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let mut inverse = Matrix::filled(size, 0.0);
        let mut unit = vec![0.0; size];
        for i in 0..size {
            unit[i] = 1.0;
            inverse[i].copy_from_slice(&self.solve(&unit));
            unit[i] = 0.0;
        }
        inverse
    }
}

/// Several sums at a time, which the compiler may not make of one by itself.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let (a_lanes, a_rest) = a.as_chunks::<LANES>();
    let (b_lanes, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// `target` += `factor` · `row`.
fn add_multiple(target: &mut [f64], factor: f64, row: &[f64]) {
    for (target, value) in target.iter_mut().zip(row) {
        *target += factor * value;
    }
}
