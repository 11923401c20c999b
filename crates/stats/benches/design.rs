//! What it takes to design curved bounds: once at the start of a test.
//!
//! `cargo bench -p stats --bench design -- sweep` designs for a grid of error rates over all that
//! are allowed, and says which took longest and which had none. On Linux its times are those on a
//! processor, so that it can run beside other work.

use std::fmt;
use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use divan::{Bencher, black_box};
use stats::{Design, ErrorRates, Preset};

fn main() {
    if std::env::args().any(|word| word == "sweep") {
        sweep();
    } else {
        divan::main();
    }
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

const SWEEP: [f64; 9] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2];

/// Times are means over so many.
const REPEATS: u32 = 8;

/// A design of the sweep.
#[derive(Clone, Copy)]
struct Case {
    preset: Preset,
    alpha: f64,
    beta: f64,
    time: Duration,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            preset,
            alpha,
            beta,
            time,
        } = self;
        let milliseconds = 1e3 * time.as_secs_f64();
        write!(
            f,
            "{preset} alpha={alpha} beta={beta}: {milliseconds:.1} ms"
        )
    }
}

#[expect(clippy::print_stdout, reason = "a bench says what it measured")]
fn sweep() {
    for preset in Preset::ALL {
        let mut cases = Vec::new();
        for (alpha, beta) in SWEEP.iter().flat_map(|&a| SWEEP.map(|b| (a, b))) {
            let rates = ErrorRates::new(alpha, beta).expect("the rates are of the list");
            let design = || Design::new(black_box(preset.prior()), black_box(rates));
            if design().is_none() {
                println!("{preset} alpha={alpha} beta={beta}: no design");
            }
            let start = now();
            for _ in 0..REPEATS {
                black_box(design());
            }
            cases.push(Case {
                preset,
                alpha,
                beta,
                time: (now() - start) / REPEATS,
            });
        }
        cases.sort_by_key(|case| case.time);
        let (median, slowest) = (cases[cases.len() / 2], cases[cases.len() - 1]);
        println!("median  {median}");
        println!("slowest {slowest}");
    }
}

/// The time that this thread has been on a processor, to a few milliseconds; where the system does
/// not tell, what a clock shows.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let on_processor = || {
        let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
        Some(Duration::from_nanos(nanoseconds))
    };
    on_processor().unwrap_or_else(|| START.elapsed())
}
