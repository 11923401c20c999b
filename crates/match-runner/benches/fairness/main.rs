//! What engines are charged for beyond what they thought: `cargo bench -p match-runner --bench fairness`.
//!
//! The built-in engine with `--stopwatch` says before each move how long it thought, from the moment it
//! had read `go` to the moment before it writes `bestmove`. What it is charged is more by two trips
//! through a pipe and two wake-ups, and by whatever keeps a thread from running. At twice as many games
//! as cores engines wait for each other, which nobody can measure away.
//!
//! Each row is the calmest of some short contests (the one with the least difference in the worst of
//! a thousand moves): other work on the machine spoils one or two of them.
//!
//! This binary is also its own launcher, guard and engine; nothing else need be built.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::cell::RefCell;
use std::env;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use match_core::event::{Event, EventKind};
use match_core::record::PlyRecord;
use match_core::spec::Spec;
use match_core::spec::raw::RawSpec;
use match_runner::cores::{here, honest_slots};
use match_runner::{Host, Interrupts, Program, ReportError, Reporter, prepare};

/// The first word with which this binary is an engine.
const SPARRING: &str = "sparring";

/// Contests for each row.
const TURNS: u64 = 5;

/// Pairs of games for each slot in a contest: some 2000 moves of 5 ms at one slot.
const PAIRS: usize = 9;

fn main() -> ExitCode {
    let mut words = env::args_os().skip(1);
    let first = words.next().unwrap_or_default();
    match first.to_str() {
        Some(match_runner::launch::SUBCOMMAND) => match_runner::launch::main(words),
        Some(match_runner::guard::SUBCOMMAND) => match_runner::guard::main(words),
        Some(SPARRING) => sparring::main(words.filter_map(|word| word.into_string().ok())),
        _ => measure(),
    }
}

fn measure() -> ExitCode {
    let cores = honest_slots(&here(), 1).get();
    println!("{cores} cores; charged less thought, in us");
    println!(
        "slots  moves   mean thought   median     p99   p99.9       max   sum of charges to sum of times"
    );
    for slots in [1, cores, 2 * cores] {
        let turns = (0..TURNS).map(|seed| Moves::play(slots, seed));
        let calmest = turns.min_by_key(|moves| moves.quantile(0.999));
        println!(
            "{slots:>5}  {}",
            calmest.expect("there are some turns").row()
        );
    }
    ExitCode::SUCCESS
}

/// What became of the moves of a contest.
#[derive(Debug, Default)]
struct Moves {
    /// Ascending.
    excess: Vec<i64>,
    charged: Duration,
    thought: Duration,
}

impl Moves {
    fn play(slots: usize, seed: u64) -> Self {
        let ourselves = env::current_exe().expect("this program is a file");
        let host = Host {
            binary: Some(ourselves.clone()),
            sparring: Some(Program {
                path: ourselves,
                args: vec![SPARRING.into()],
            }),
            keeps_remarks: true,
        };
        let prepared = prepare(spec(slots, seed), &host, &Interrupts::new()).expect("all is here");
        let moves = Rc::new(RefCell::new(Self::default()));
        prepared.run(vec![Box::new(Listener(Rc::clone(&moves)))]);
        let mut moves = moves.take();
        moves.excess.sort_unstable();
        moves
    }

    fn note(&mut self, ply: &PlyRecord) {
        let thought = thought(ply).expect("the engine has a stopwatch");
        self.charged += ply.spent;
        self.thought += thought;
        let nanos = |time: Duration| i64::try_from(time.as_nanos()).expect("less than centuries");
        self.excess.push(nanos(ply.spent) - nanos(thought));
    }

    fn quantile(&self, share: f64) -> i64 {
        let last = self.excess.len() - 1;
        self.excess[((last as f64) * share).round() as usize]
    }

    fn row(&self) -> String {
        let micros = |share| self.quantile(share) as f64 / 1000.0;
        format!(
            "{:>5} {:>11.0} us {:>8.1} {:>7.1} {:>7.1} {:>9.1}   {:.4}",
            self.excess.len(),
            self.thought.as_secs_f64() * 1e6 / self.excess.len() as f64,
            micros(0.5),
            micros(0.99),
            micros(0.999),
            micros(1.0),
            self.charged.as_secs_f64() / self.thought.as_secs_f64()
        )
    }
}

/// `thought N ns`.
fn thought(ply: &PlyRecord) -> Option<Duration> {
    let remark = ply.search.remark.as_deref()?;
    let nanos = remark.strip_prefix("thought ")?.strip_suffix(" ns")?;
    Some(Duration::from_nanos(nanos.parse().ok()?))
}

fn spec(slots: usize, seed: u64) -> Arc<Spec> {
    let slots = NonZeroUsize::new(slots).expect("not 0");
    let text = format!(
        "pairs = {}\nconcurrency = {slots}\nseed = {seed}\nhost-blame = false\n\
         [each]\ntc = \"0.3+0.003\"\ncmd = \"sparring\"\nargs = [\"--stopwatch\"]\ntimemargin = 1000\n\
         [[engine]]\nname = \"first\"\n[[engine]]\nname = \"second\"\n\
         [adjudication]\nmax-moves = 60\n",
        PAIRS * slots.get()
    );
    let raw = RawSpec::from_toml(Path::new("bench.toml"), &text).expect("the text is right");
    let (spec, _) = raw.resolve().expect("the values are right");
    Arc::new(spec)
}

struct Listener(Rc<RefCell<Moves>>);

impl Reporter for Listener {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        if let EventKind::GameFinished { record, .. } = &event.kind {
            let mut moves = self.0.borrow_mut();
            record.plies.iter().for_each(|ply| moves.note(ply));
        }
        Ok(())
    }
}
