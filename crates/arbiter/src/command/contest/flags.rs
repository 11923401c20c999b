//! The flags of `arbiter match`: recorded here, given a meaning by [`match_core::spec::raw`].

use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::Resettable;
use engine_core::FlagPolicy;
use match_core::cpu_list::CpuList;
use match_core::spec::raw::{
    RawAdjudication, RawDraw, RawEngine, RawJournal, RawOpenings, RawOutput, RawPatience, RawPgn,
    RawResign, RawSandbox, RawSpec, RawSprt, RawSyzygy,
};
use match_core::spec::{Concurrency, SpecError, Tournament, Variant, VoidLimit};

use crate::cli::{count, whole_number};

/// Play a contest between two or more engines, here and now
///
/// Everything can be said with flags, in a TOML file, or both; a flag wins over the file. Games are
/// played in pairs: one opening twice, with colours swapped. Results are told from the first
/// engine's side. Without an opening book, games start from a built-in set.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, next_help_heading = "Engines")]
pub(crate) struct MatchArgs {
    /// A contest as TOML
    #[arg(value_name = "CONFIG.toml", help_heading = Resettable::Reset)]
    pub(super) config: Option<PathBuf>,

    /// An engine (give one flag for each): `./stockfish`, `sparring:5` or words
    ///
    /// Words: cmd=./new name=new args='--x y' dir=/path env.KEY=value option.Hash=16 restart=on
    /// sandbox=on, and the limits of `--each`. `sparring` is the built-in engine, `sparring:1` to `sparring:10` its
    /// levels. Engines given by flags replace those of the file.
    #[arg(long, value_name = "WORDS")]
    engine: Vec<String>,

    /// What holds for every engine that does not say otherwise, as `tc=8+0.08 option.Hash=16`
    ///
    /// Limits: tc=[moves/]base+increment in seconds, m:s or h:m:s; st=seconds a move; nodes=N;
    /// depth=N; timemargin=milliseconds. Any combination of them holds together.
    #[arg(long, value_name = "WORDS")]
    each: Vec<String>,

    /// Start a fresh process of every engine for every game
    #[arg(long)]
    restart: bool,

    /// Let engines use nothing but a processor and memory, `memory=2GiB processes=16 read=/nets`
    ///
    /// No network, no file but those of its own folder, its working folder (`dir=`), the system's
    /// libraries and what its options name (`EvalFile`, `SyzygyPath`), no process that outlives it. What
    /// is refused is told. Words: memory= (of a process; bare numbers are MiB; by default 2 GiB, the
    /// `Hash`, and 64 MiB a thread), files=1024 (open at a time), processes=16, read=PATHS, write=PATHS
    /// (with `:` between them), or on and off. Per engine: `sandbox=on`, `sandbox='read=/nets'`.
    #[arg(long, value_name = "WORDS", num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    sandbox: Option<String>,

    /// How long to wait for engines outside their clocks, as `startup=10 ping=60 watchdog=60`
    ///
    /// In seconds. Words: startup=10 (until the engine is set up), ping=60 (for `readyok` before a
    /// game), watchdog=60 (for a move without a clock, since the engine's last word), settle=1 (for
    /// the move after `stop`), quit=2 (for the process to end before SIGTERM, and SIGKILL a quarter of
    /// a second later), start-failures=3 (starts that may fail in a row).
    #[arg(long, value_name = "WORDS")]
    patience: Option<String>,

    #[command(flatten)]
    games: GameFlags,
    #[command(flatten)]
    adjudication: AdjudicationFlags,
    #[command(flatten)]
    output: OutputFlags,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Games")]
struct GameFlags {
    /// How many pairs every two engines that meet play [default: 100, or until `--sprt` decides]
    #[arg(long, value_name = "N", value_parser = count::<NonZeroU64>)]
    pairs: Option<NonZeroU64>,

    /// How many games run at a time [env: ARBITER_CONCURRENCY] [default: auto]
    ///
    /// `auto` is the number of physical cores, divided by the most threads that an engine uses.
    #[arg(long, value_name = "N|auto")]
    concurrency: Option<Concurrency>,

    /// Stop when one engine has had so many faults: crashes, stalls, time losses, illegal moves
    ///
    /// Such an engine is broken, and what it loses says nothing more. The exit code is then 3. By
    /// default every fault is a lost game and the contest goes on.
    #[arg(long, value_name = "N", value_parser = count::<NonZeroU64>)]
    max_faults: Option<NonZeroU64>,

    /// The CPUs that engines may use, as `0-3,8` [default: all that this process may use]
    #[arg(long, value_name = "LIST")]
    cpus: Option<CpuList>,

    /// Let the system move engines from CPU to CPU
    ///
    /// Without it the two engines of a game, of which one thinks at a time, stay on a physical core
    /// of their own, or on as many as their option `Threads` says.
    #[arg(long)]
    no_pin: bool,

    /// Whether a game is played again in which the host withheld an engine's time: on (default) or off
    ///
    /// An engine that was late is excused when it provably waited for a CPU, or arbiter or the whole
    /// machine stood still, for at least as long as it was late. With `off` it has lost.
    #[arg(long, value_name = "on|off", value_parser = on_or_off)]
    host_blame: Option<bool>,

    /// How many games the host may spoil before the contest stops: a number, or a share
    /// [default: 5%, and 10 in any case]
    #[arg(long, value_name = "N|P%")]
    max_voids: Option<VoidLimit>,

    /// Who meets whom: round-robin (default), or gauntlet (the first engine meets each other)
    #[arg(long, value_name = "KIND")]
    tournament: Option<Tournament>,

    /// A book of openings: a file, or words as `file=UHO.epd format=epd order=random start=1`
    ///
    /// Words: file=PATH, format=epd|pgn (by default by the name), order=sequential|random, start=N
    /// (from 1), plies=N (of each game of a PGN).
    #[arg(long, value_name = "WORDS")]
    openings: Option<String>,

    /// Decides the order of openings, and nothing else [env: ARBITER_SEED] [default: 1]
    #[arg(long, value_name = "N", value_parser = whole_number::<u64>)]
    seed: Option<u64>,

    /// standard (default) or chess960
    #[arg(long, value_name = "NAME")]
    variant: Option<Variant>,

    /// Stop as soon as a sequential test decides, as `elo0=0 elo1=2`
    ///
    /// Words: elo0=, elo1=, alpha=0.05, beta=0.05, model=normalized|logistic|bayesian,
    /// rule=curved|wald (bounds that meet in the end, or constant ones), and for curved bounds
    /// preset=general|gain|non-regression|deadline (what they are best for).
    #[arg(long, value_name = "WORDS")]
    sprt: Option<String>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Adjudication")]
struct AdjudicationFlags {
    /// End games that one side has given up, as `count=3 score=600 twosided=true`
    #[arg(long, value_name = "WORDS")]
    resign: Option<String>,

    /// End games in which nobody makes progress, as `move=34 count=8 score=20`
    #[arg(long, value_name = "WORDS")]
    draw: Option<String>,

    /// A draw after so many moves of each engine; the opening is not counted
    #[arg(long, value_name = "N", value_parser = count::<NonZeroU32>)]
    max_moves: Option<NonZeroU32>,

    /// End games whose result the Syzygy tablebases know; folders with `:` between them
    #[arg(long, value_name = "PATHS")]
    syzygy: Option<String>,

    /// Look up positions with at most so many men [default: as many as the tables have]
    #[arg(long, value_name = "N", value_parser = count::<NonZeroU32>)]
    syzygy_pieces: Option<NonZeroU32>,

    /// Count a win that the fifty-move rule would spoil as a win
    #[arg(long)]
    syzygy_ignore_50_move_rule: bool,

    /// Who wins when a flag falls: bare-king (default: a draw against a bare king), cannot-mate, loss
    #[arg(long, value_name = "POLICY")]
    flag_policy: Option<FlagPolicy>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct OutputFlags {
    /// Append every game to this file; words choose what comments hold, as `games.pgn nodes=true pv=true`
    ///
    /// Words: file=PATH, nodes=, nps=, seldepth=, hashfull=, timeleft=, pv= (true or false). Score,
    /// depth and time are always there.
    #[arg(long, value_name = "FILE|WORDS")]
    pgn: Option<String>,

    /// Write everything that happens to this file, a JSON object a line
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,

    /// Write the result to this file, as JSON
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,

    /// Write what is known of each fault to a file in this folder, or `off` [default: beside `--pgn`]
    ///
    /// A file a game: the last lines that both engines said and were told, their stderr, how a process
    /// ended, the position and the limits. The folder of `games.pgn` is `games.faults`; it is made when
    /// there is a fault. At most 100 faults of a contest are written.
    #[arg(long, value_name = "FOLDER|off")]
    faults: Option<PathBuf>,

    /// Keep the journal here, from which `--resume` goes on [default: beside the PGN, as games.journal]
    ///
    /// Everything that happens is written there first and brought to the disk once a second. Without a
    /// PGN there is a journal only if this flag asks for one.
    #[arg(long, value_name = "FILE", overrides_with = "no_journal")]
    journal: Option<PathBuf>,

    /// Keep no journal: what was interrupted cannot be gone on with
    #[arg(long, overrides_with = "journal")]
    no_journal: bool,

    /// Go on with an interrupted contest where its journal ends
    ///
    /// All settings are in the journal; flags and files may repeat them. `--concurrency`, `--cpus`,
    /// `--no-pin`, `--patience`, `--max-faults` and `--max-voids` may be changed, everything else would
    /// make it another contest. Relative paths lead from the folder in which the contest was begun.
    /// Environment variables are not asked.
    #[arg(long, value_name = "JOURNAL", conflicts_with = "no_journal")]
    resume: Option<PathBuf>,

    /// The `Event` tag of the PGN
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,

    /// The `Site` tag of the PGN
    #[arg(long, value_name = "TEXT")]
    site: Option<String>,

    /// How progress is shown
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Progress::Auto)]
    progress: Progress,

    /// Show no progress, only the report at the end
    #[arg(long, short, conflicts_with = "progress")]
    quiet: bool,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Progress {
    /// A bar on a terminal, lines elsewhere
    Auto,
    /// A line on standard output for every finished game
    Plain,
    /// A bar on standard error
    Bar,
}

const EXAMPLES: &str = "\
Examples:
  arbiter match configs/quickstart.toml
  arbiter match --engine ./new --engine ./old --each tc=8+0.08 --pairs 100 --pgn games.pgn
  arbiter match --engine ./new --engine ./old --each 'tc=60+0.6 option.Hash=64' \\
    --openings 'file=UHO.epd order=random' --sprt 'elo0=0 elo1=2' \\
    --resign 'count=3 score=600 twosided=true' --draw 'move=34 count=8 score=20'
  arbiter match --engine ./shaky --engine ./old --each 'nodes=20000' --patience 'watchdog=10' \\
    --pgn games.pgn --faults shaky-faults --max-faults 10
  arbiter match --engine sparring:2 --engine sparring:5 --engine sparring:8 --each nodes=5000
  arbiter match --resume games.journal              after Ctrl-C, a crash or a power failure";

impl MatchArgs {
    /// What the flags say, to be laid over what the file says.
    pub(super) fn to_raw(&self) -> Result<RawSpec, SpecError> {
        let mut each = RawEngine::default();
        for words in &self.each {
            each = each.overlaid_with(RawEngine::from_words("--each", words)?);
        }
        if self.restart {
            each.restart = Some(true);
        }
        if let Some(words) = &self.sandbox {
            let sandbox = Some(RawSandbox::from_words("--sandbox", words)?);
            each = each.overlaid_with(RawEngine {
                sandbox,
                ..RawEngine::default()
            });
        }
        let engine = (self.engine.iter())
            .map(|words| RawEngine::from_words("--engine", words))
            .collect::<Result<_, _>>()?;
        let patience = read(
            "--patience",
            self.patience.as_deref(),
            RawPatience::from_words,
        )?;
        Ok(RawSpec {
            each,
            engine,
            adjudication: self.adjudication.to_raw()?,
            output: self.output.to_raw()?,
            patience: patience.unwrap_or_default(),
            event: self.output.event.clone(),
            site: self.output.site.clone(),
            flag_policy: self.adjudication.flag_policy,
            ..self.games.to_raw()?
        })
    }

    /// The journal of the contest to go on with.
    pub(super) fn resume(&self) -> Option<&Path> {
        self.output.resume.as_deref()
    }

    /// Another journal than `resumed` that was asked for.
    pub(super) fn other_journal(&self, resumed: &Path) -> Option<&Path> {
        let journal = self.output.journal.as_deref()?;
        let real = |path: &Path| path.canonicalize().ok();
        (real(journal) != real(resumed)).then_some(journal)
    }

    /// How to show progress; `None` for not at all.
    pub(super) fn progress(&self) -> Option<Progress> {
        (!self.output.quiet).then_some(self.output.progress)
    }
}

impl GameFlags {
    fn to_raw(&self) -> Result<RawSpec, SpecError> {
        let openings = read(
            "--openings",
            self.openings.as_deref(),
            RawOpenings::from_words,
        )?;
        Ok(RawSpec {
            pairs: self.pairs,
            max_faults: self.max_faults,
            concurrency: self.concurrency,
            cpus: self.cpus.clone(),
            pin: self.no_pin.then_some(false),
            host_blame: self.host_blame,
            max_voids: self.max_voids,
            tournament: self.tournament,
            seed: self.seed,
            variant: self.variant,
            openings: openings.unwrap_or_default(),
            sprt: read("--sprt", self.sprt.as_deref(), RawSprt::from_words)?,
            ..RawSpec::default()
        })
    }
}

impl AdjudicationFlags {
    fn to_raw(&self) -> Result<RawAdjudication, SpecError> {
        let syzygy = RawSyzygy {
            pieces: self.syzygy_pieces,
            ignore_50_move_rule: self.syzygy_ignore_50_move_rule.then_some(true),
            ..self
                .syzygy
                .as_deref()
                .map(RawSyzygy::from)
                .unwrap_or_default()
        };
        Ok(RawAdjudication {
            resign: read("--resign", self.resign.as_deref(), RawResign::from_words)?,
            draw: read("--draw", self.draw.as_deref(), RawDraw::from_words)?,
            max_moves: self.max_moves,
            syzygy: (syzygy != RawSyzygy::default()).then_some(syzygy),
        })
    }
}

impl OutputFlags {
    fn to_raw(&self) -> Result<RawOutput, SpecError> {
        Ok(RawOutput {
            pgn: read("--pgn", self.pgn.as_deref(), RawPgn::from_words)?,
            events: self.events.clone(),
            summary: self.summary.clone(),
            faults: self.faults.clone(),
            journal: match &self.journal {
                Some(path) => Some(RawJournal::File(path.clone())),
                None => self.no_journal.then_some(RawJournal::None),
            },
        })
    }
}

/// Reads a switch.
fn on_or_off(text: &str) -> Result<bool, &'static str> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("`on` or `off` is allowed"),
    }
}

/// The words of a flag that was given.
fn read<T>(
    flag: &str,
    words: Option<&str>,
    from_words: impl Fn(&str, &str) -> Result<T, SpecError>,
) -> Result<Option<T>, SpecError> {
    words.map(|words| from_words(flag, words)).transpose()
}
