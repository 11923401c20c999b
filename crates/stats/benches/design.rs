//! What it takes to design curved bounds: once at the start of a test.

use divan::{Bencher, black_box};
use stats::{Design, ErrorRates, Preset};

fn main() {
    divan::main();
}

const RATES: [(f64, f64); 6] = [
    (0.05, 0.05),
    (0.2, 0.2),
    (0.01, 0.01),
    (0.001, 0.001),
    (0.05, 0.2),
    (0.2, 0.001),
];

#[divan::bench(args = RATES)]
fn general(bencher: Bencher<'_, '_>, rates: &(f64, f64)) {
    design(bencher, Preset::General, rates);
}

#[divan::bench(args = RATES)]
fn gain(bencher: Bencher<'_, '_>, rates: &(f64, f64)) {
    design(bencher, Preset::Gain, rates);
}

#[divan::bench(args = RATES)]
fn non_regression(bencher: Bencher<'_, '_>, rates: &(f64, f64)) {
    design(bencher, Preset::NonRegression, rates);
}

#[divan::bench(args = RATES)]
fn deadline(bencher: Bencher<'_, '_>, rates: &(f64, f64)) {
    design(bencher, Preset::Deadline, rates);
}

fn design(bencher: Bencher<'_, '_>, preset: Preset, &(alpha, beta): &(f64, f64)) {
    let rates = ErrorRates::new(alpha, beta).expect("the rates are of the list");
    bencher.bench(|| Design::new(black_box(preset.prior()), black_box(rates)));
}
