//! What one evaluation of the log-likelihood ratio costs.

use divan::{Bencher, black_box};
use stats::{Model, Pentanomial, llr};

fn main() {
    divan::main();
}

const RECORDS: &[(&str, [u64; 5])] = &[
    ("uho", [365, 16_618, 36_229, 16_974, 390]),
    ("balanced", [39, 2_226, 31_451, 2_412, 40]),
    ("few pairs", [0, 1, 30, 2, 0]),
    ("all wins", [0, 0, 0, 0, 10_000_000]),
    ("all draws", [0, 0, 1_000_000, 0, 0]),
];

#[divan::bench(args = RECORDS.iter().map(|(name, _)| name))]
fn normalized(bencher: Bencher<'_, '_>, name: &str) {
    evaluate(bencher, Model::Normalized, name);
}

#[divan::bench(args = RECORDS.iter().map(|(name, _)| name))]
fn logistic(bencher: Bencher<'_, '_>, name: &str) {
    evaluate(bencher, Model::Logistic, name);
}

fn evaluate(bencher: Bencher<'_, '_>, model: Model, name: &str) {
    let record = RECORDS
        .iter()
        .find(|record| record.0 == name)
        .expect("the name is of the list");
    let pairs = Pentanomial(record.1);
    bencher.bench(|| llr(model, black_box(0.0), black_box(5.0), black_box(pairs)));
}
