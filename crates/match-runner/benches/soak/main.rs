//! Whether a long contest in many slots grows: `cargo bench -p match-runner --bench soak -- --slots 200
//! --minutes 10`.
//!
//! Random movers play games of at most 60 moves, with journal, PGN and events written as always, until
//! the time is over and the contest is interrupted. Memory and descriptors of this process, which is
//! the referee alone (engines are processes of their own), are looked at all the time: when all slots
//! have played, in the middle and at the end.
//!
//! This binary is also its own launcher, guard and engine; nothing else need be built.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

use match_core::spec::Spec;
use match_core::spec::raw::RawSpec;
use match_runner::journal::Journal;
use match_runner::{Host, Interrupts, Program, prepare, reporter};

/// The first word with which this binary is an engine.
const SPARRING: &str = "sparring";

/// How often it is looked at.
const PERIOD: Duration = Duration::from_secs(1);

/// Rows that are printed between the first and the last.
const ROWS: u32 = 10;

struct Args {
    slots: u32,
    minutes: f64,
}

fn main() -> ExitCode {
    let mut words = env::args_os().skip(1);
    let first = words.next().unwrap_or_default();
    match first.to_str() {
        Some(match_runner::launch::SUBCOMMAND) => match_runner::launch::main(words),
        Some(match_runner::guard::SUBCOMMAND) => match_runner::guard::main(words),
        Some(SPARRING) => sparring::main(words.filter_map(|word| word.into_string().ok())),
        _ => match Args::parse() {
            Some(args) => soak(&args),
            None => {
                println!("usage: soak [--slots N] [--minutes M]");
                ExitCode::from(2)
            }
        },
    }
}

impl Args {
    /// Cargo adds `--bench` to what was typed.
    fn parse() -> Option<Self> {
        let mut args = Self {
            slots: 200,
            minutes: 1.0,
        };
        let mut words = env::args().skip(1).filter(|word| word != "--bench");
        while let Some(word) = words.next() {
            let value = words.next()?;
            match word.as_str() {
                "--slots" => args.slots = value.parse().ok()?,
                "--minutes" => args.minutes = value.parse().ok()?,
                _ => return None,
            }
        }
        Some(args)
    }
}

fn soak(args: &Args) -> ExitCode {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let spec = spec(args.slots, folder.path());
    let ourselves = env::current_exe().expect("this program is a file");
    let host = Host {
        binary: Some(ourselves.clone()),
        sparring: Some(Program {
            path: ourselves,
            args: vec![SPARRING.into()],
        }),
        ..Host::default()
    };
    let interrupts = Interrupts::new();
    let prepared = prepare(Arc::clone(&spec), &host, &interrupts).expect("all is here");
    let journal = spec.output.journal.as_deref().expect("beside the PGN");
    let head = prepared.head().expect("all can be read");
    let journal = Journal::begin(journal, &head).expect("it can be written");
    let reporters = reporter::open(&spec.output, Some(journal)).expect("they can be written");

    let lasts = Duration::from_secs_f64(60.0 * args.minutes);
    let (over, is_over) = mpsc::channel::<()>();
    let observer = thread::spawn(move || {
        let samples = observe(lasts, &is_over);
        interrupts.interrupt();
        samples
    });
    let finished = prepared.run(reporters);
    drop(over);
    let samples = observer.join().expect("it only looks");
    print(&samples);
    let games = finished.summary.games;
    let wall = finished.wall.as_secs_f64();
    println!("{games} games, {:.0} a second", games as f64 / wall);
    ExitCode::SUCCESS
}

fn spec(slots: u32, folder: &Path) -> Arc<Spec> {
    let text = format!(
        "pairs = 1000000000\nconcurrency = {slots}\n\
         [each]\ntc = \"600+10\"\ncmd = \"sparring\"\n\
         [[engine]]\nname = \"first\"\nargs = \"--random\"\n\
         [[engine]]\nname = \"second\"\nargs = \"--random --seed 2\"\n\
         [adjudication]\nmax-moves = 60\n\
         [patience]\nstartup = 600\nping = 600\n\
         [output]\npgn = '{0}/games.pgn'\nevents = '{0}/events.jsonl'\nsummary = '{0}/summary.json'\n",
        folder.display()
    );
    let raw = RawSpec::from_toml(Path::new("bench.toml"), &text).expect("the text is right");
    let (spec, _) = raw.resolve().expect("the values are right");
    Arc::new(spec)
}

/// How large this process is at some time.
struct Sample {
    after: Duration,
    kilobytes: u64,
    descriptors: usize,
    threads: usize,
}

impl Sample {
    fn take(after: Duration) -> Self {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let count = |folder| fs::read_dir(folder).map_or(0, Iterator::count);
        Self {
            after,
            kilobytes: resident
                .and_then(|text| text.trim().strip_suffix(" kB")?.parse().ok())
                .unwrap_or(0),
            descriptors: count("/proc/self/fd"),
            threads: count("/proc/self/task"),
        }
    }
}

/// Looks until the time is over or the contest is.
fn observe(lasts: Duration, is_over: &mpsc::Receiver<()>) -> Vec<Sample> {
    let begun = Instant::now();
    let mut samples = Vec::new();
    while let Err(RecvTimeoutError::Timeout) = is_over.recv_timeout(PERIOD) {
        let after = begun.elapsed();
        samples.push(Sample::take(after));
        if lasts <= after {
            break;
        }
    }
    samples
}

/// The first row is that of a tenth of the time: before, slots are still being filled.
fn print(samples: &[Sample]) {
    println!("minutes     MB  descriptors  threads");
    for row in 1..=ROWS {
        let index = (samples.len() * row as usize / ROWS as usize).saturating_sub(1);
        if let Some(sample) = samples.get(index) {
            println!(
                "{:>7.1} {:>6.1} {:>12} {:>8}",
                sample.after.as_secs_f64() / 60.0,
                sample.kilobytes as f64 / 1024.0,
                sample.descriptors,
                sample.threads
            );
        }
    }
    let most = |of: fn(&Sample) -> u64| samples.iter().map(of).max().unwrap_or(0);
    println!(
        "at most {:.1} MB, {} descriptors",
        most(|sample| sample.kilobytes) as f64 / 1024.0,
        most(|sample| sample.descriptors as u64)
    );
}
