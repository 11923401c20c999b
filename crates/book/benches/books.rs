//! How long books take to open, every entry checked, and what they hold of memory:
//! `cargo bench -p book --bench books`. The books are those of `../shared/books`.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use book::Book;
use match_core::fixture::OpeningIndex;
use match_core::spec::{BookFormat, BookSource, Variant};

/// Openings of one book are read this often; the best time is told.
const TIMES: usize = 5;

fn main() {
    let books = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/books");
    if !books.is_dir() {
        println!("SKIPPED: ../shared is not here");
        return;
    }
    let mut words = env::args().skip(1).filter(|word| word != "--bench");
    if let (Some(name), Some(plies)) = (words.next(), words.next()) {
        return measure(&books.join(name), plies.parse().ok());
    }
    println!("book                     entries   opens in      held      one opening");
    let ourselves = env::current_exe().expect("this program is a file");
    for (name, plies) in [
        ("UHO_4060_v3.epd", "-"),
        ("8moves_v3.pgn", "16"),
        ("DFRC_4852_v1_head.epd", "-"),
    ] {
        // A process for each, so that memory is its own.
        let output = Command::new(&ourselves)
            .args([name, plies])
            .output()
            .expect("it runs");
        println!(
            "{name:<22} {}",
            String::from_utf8_lossy(&output.stdout).trim_end()
        );
    }
}

fn measure(path: &Path, plies: Option<u32>) {
    let format = match path.extension() {
        Some(extension) if extension == "pgn" => BookFormat::Pgn,
        _ => BookFormat::Epd,
    };
    let source = BookSource::File {
        path: path.into(),
        format,
        plies,
    };
    let open = || Book::open(&source, Variant::Chess960).expect("a good book");
    let before = resident();
    let book = open();
    let held = resident() - before;
    let times = (0..TIMES).map(|_| {
        let began = Instant::now();
        drop(open());
        began.elapsed()
    });
    let best = times.min().expect("at least one");
    let count = book.len().get();
    let began = Instant::now();
    for index in (0..count).step_by(101) {
        book.opening(OpeningIndex(index))
            .expect("it is still there");
    }
    let one = began.elapsed() / u32::try_from(count / 101 + 1).expect("few");
    println!(
        "{count:>9} {:>8.0} ms {held:>6.1} MB {:>12.1} us",
        best.as_secs_f64() * 1e3,
        one.as_secs_f64() * 1e6
    );
}

/// Megabytes of ours that are in memory.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap_or_default();
    let kilobytes: f64 = line
        .trim()
        .split(' ')
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or(f64::NAN);
    kilobytes / 1024.0
}
