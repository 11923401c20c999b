//! From what people wrote to what will be played: defaults are filled in, contradictions refused.

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::adjudication::{Adjudication, Draw, Resign, Syzygy};
use crate::limits::Limits;
use crate::spec::error::{SPARRING_LEVEL_MAX, SpecError};
use crate::spec::notice::Notice;
use crate::spec::raw::{
    RawAdjudication, RawDraw, RawEngine, RawOpenings, RawOutput, RawPatience, RawPgn, RawResign,
    RawSpec, RawSyzygy, Settings,
};
use crate::spec::{
    BookFormat, BookOrder, BookSource, Concurrency, EngineCommand, EngineSpec, OpeningsSpec,
    OutputSpec, PAIRS_MAX, Patience, PgnOutput, Spec, Tournament, Variant,
};

/// Pairs that are played when nothing says how many: enough to see a large difference (about ±35
/// Elo), few enough to be over soon.
const PAIRS_DEFAULT: NonZeroU64 = NonZeroU64::new(100).expect("not 0");

/// The same openings come in the same order until somebody asks for another one.
const SEED_DEFAULT: u64 = 1;

impl RawSpec {
    /// The whole description, and what a person should know about how it was filled in.
    ///
    /// # Errors
    ///
    /// Whatever makes no contest, as [`SpecError`] lists it.
    pub fn resolve(self) -> Result<(Spec, Vec<Notice>), SpecError> {
        let Self {
            event,
            site,
            tournament,
            pairs,
            seed,
            variant,
            concurrency,
            flag_policy,
            each,
            engine,
            openings,
            sprt,
            adjudication,
            patience,
            output,
        } = self;
        let mut notices = Vec::new();
        let engines = resolve_engines(each, engine, &mut notices)?;
        let sprt = sprt
            .map(|sprt| sprt.resolve(engines.len(), &mut notices))
            .transpose()?;
        let spec = Spec {
            event: event.unwrap_or_else(|| "arbiter match".to_owned()),
            site: site.unwrap_or_else(|| "?".to_owned()),
            tournament: tournament.unwrap_or(Tournament::RoundRobin),
            pairs: resolve_pairs(pairs, sprt.is_some(), &mut notices)?,
            seed: seed.unwrap_or(SEED_DEFAULT),
            variant: variant.unwrap_or(Variant::Standard),
            openings: resolve_openings(openings)?,
            adjudication: resolve_adjudication(adjudication)?,
            flag_policy: flag_policy.unwrap_or_default(),
            concurrency: concurrency.unwrap_or(Concurrency::Auto),
            patience: resolve_patience(patience),
            output: resolve_output(output)?,
            engines,
            sprt,
        };
        Ok((spec, notices))
    }
}

fn resolve_pairs(
    pairs: Option<NonZeroU64>,
    sprt: bool,
    notices: &mut Vec<Notice>,
) -> Result<NonZeroU64, SpecError> {
    match pairs {
        Some(pairs) if pairs > PAIRS_MAX => Err(SpecError::PairsMany {
            found: pairs.get(),
            max: PAIRS_MAX.get(),
        }),
        Some(pairs) => Ok(pairs),
        None if sprt => Ok(PAIRS_MAX),
        None => {
            notices.push(Notice::PairsDefault(PAIRS_DEFAULT));
            Ok(PAIRS_DEFAULT)
        }
    }
}

fn resolve_engines(
    each: RawEngine,
    engines: Vec<RawEngine>,
    notices: &mut Vec<Notice>,
) -> Result<Vec<EngineSpec>, SpecError> {
    if let Some(name) = each.name {
        return Err(SpecError::NameForEach { name });
    }
    if engines.len() < 2 {
        return Err(SpecError::EnginesFew {
            found: engines.len(),
        });
    }
    let engines: Vec<RawEngine> = engines
        .into_iter()
        .map(|engine| each.clone().overlaid_with(engine))
        .collect();
    let names = resolve_names(&engines, notices)?;
    engines
        .into_iter()
        .zip(names)
        .map(|(engine, name)| resolve_engine(engine, name))
        .collect()
}

/// Names that were given must differ. A name made from a command gets a number when it is taken:
/// two builds in two folders are commonly called the same.
fn resolve_names(
    engines: &[RawEngine],
    notices: &mut Vec<Notice>,
) -> Result<Vec<String>, SpecError> {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for (i, engine) in engines.iter().enumerate() {
        if let Some(name) = &engine.name
            && let Some(first) = taken.insert(name.clone(), i)
        {
            return Err(SpecError::NameTwice {
                name: name.clone(),
                first: first + 1,
                second: i + 1,
            });
        }
    }
    let mut names = Vec::with_capacity(engines.len());
    for (i, engine) in engines.iter().enumerate() {
        let name = match (&engine.name, &engine.cmd) {
            (Some(name), _) => name.clone(),
            (None, Some(cmd)) => {
                let plain = name_of_command(cmd);
                let name = (1..)
                    .map(|n| match n {
                        1 => plain.clone(),
                        _ => format!("{plain}-{n}"),
                    })
                    .find(|name| !taken.contains_key(name))
                    .expect("some number is free");
                if name != plain {
                    notices.push(Notice::NameNumbered {
                        engine: i + 1,
                        name: name.clone(),
                    });
                }
                taken.insert(name.clone(), i);
                name
            }
            (None, None) => {
                return Err(SpecError::CommandMissing {
                    engine: format!("engine {}", i + 1),
                });
            }
        };
        names.push(name);
    }
    Ok(names)
}

/// `./builds/new` is `new`, `sparring:5` is `sparring-5`.
fn name_of_command(cmd: &str) -> String {
    if is_sparring(cmd) {
        return cmd.replace(':', "-");
    }
    Path::new(cmd).file_name().map_or_else(
        || cmd.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

const SPARRING: &str = "sparring";

/// Whether the built-in engine is meant; a program of that name is `./sparring`.
fn is_sparring(cmd: &str) -> bool {
    cmd.strip_prefix(SPARRING)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

fn resolve_engine(engine: RawEngine, name: String) -> Result<EngineSpec, SpecError> {
    let RawEngine {
        name: _,
        cmd,
        args,
        dir,
        env,
        options,
        proto: _,
        restart,
        tc,
        st,
        nodes,
        depth,
        timemargin,
    } = engine;
    let Some(cmd) = cmd else {
        let engine = format!("engine `{name}`");
        return Err(SpecError::CommandMissing { engine });
    };
    let limits = Limits {
        clock: tc.flatten(),
        move_time: st,
        nodes,
        depth,
        margin: timemargin.unwrap_or_default(),
    };
    if limits.is_unbounded() {
        return Err(SpecError::LimitMissing { name });
    }
    if st.is_some_and(|st| st.is_zero()) {
        return Err(SpecError::MoveTimeZero { name });
    }
    Ok(EngineSpec {
        name,
        command: resolve_command(cmd, args.unwrap_or_default(), dir, env)?,
        options: threads_first(options),
        limits,
        restart: restart.unwrap_or(false),
    })
}

fn resolve_command(
    cmd: String,
    args: Vec<String>,
    dir: Option<PathBuf>,
    Settings(env): Settings,
) -> Result<EngineCommand, SpecError> {
    if !is_sparring(&cmd) {
        return Ok(EngineCommand::Program {
            program: PathBuf::from(cmd),
            args,
            dir,
            env,
        });
    }
    let Some((_, level)) = cmd.split_once(':') else {
        return Ok(EngineCommand::Sparring { args });
    };
    match level.parse() {
        Ok(level @ 1..=SPARRING_LEVEL_MAX) => {
            let mut all = vec!["--level".to_owned(), level.to_string()];
            all.extend(args);
            Ok(EngineCommand::Sparring { args: all })
        }
        _ => Err(SpecError::SparringLevel { command: cmd }),
    }
}

/// Engines size their hash tables for the threads that they know of, so `Threads` is set first.
fn threads_first(Settings(mut options): Settings) -> Vec<(String, String)> {
    options.sort_by_key(|(name, _)| !name.eq_ignore_ascii_case("Threads"));
    options
}

fn resolve_openings(raw: RawOpenings) -> Result<OpeningsSpec, SpecError> {
    let RawOpenings {
        file,
        format,
        order,
        start,
        plies,
    } = raw;
    let unused = |key, lacking| Err(SpecError::OpeningsUnused { key, lacking });
    let source = match file {
        None if format.is_some() => return unused("format", "there is no `file`"),
        None if plies.is_some() => return unused("plies", "there is no `file`"),
        None => BookSource::Embedded,
        Some(path) => {
            let format = match format.or_else(|| format_of(&path)) {
                Some(format) => format,
                None => return Err(SpecError::BookFormat { file: path }),
            };
            if format == BookFormat::Epd && plies.is_some() {
                return unused("plies", "an EPD book has positions and no moves");
            }
            BookSource::File {
                path,
                format,
                plies,
            }
        }
    };
    // A book has the order that its author gave it. Ours has none, and the 960 start positions by
    // their numbers would begin with the same queer corner every time.
    let order = order.unwrap_or(match source {
        BookSource::File { .. } => BookOrder::Sequential,
        BookSource::Embedded => BookOrder::Random,
    });
    Ok(OpeningsSpec {
        source,
        order,
        start: start.unwrap_or(NonZeroU64::MIN),
    })
}

fn format_of(path: &Path) -> Option<BookFormat> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "epd" | "fen" => Some(BookFormat::Epd),
        "pgn" => Some(BookFormat::Pgn),
        _ => None,
    }
}

fn resolve_adjudication(raw: RawAdjudication) -> Result<Adjudication, SpecError> {
    let RawAdjudication {
        resign,
        draw,
        max_moves,
        syzygy,
    } = raw;
    Ok(Adjudication {
        resign: resign.map(resolve_resign).transpose()?,
        draw: draw.map(resolve_draw).transpose()?,
        max_moves,
        syzygy: syzygy.map(resolve_syzygy).transpose()?,
    })
}

fn resolve_resign(raw: RawResign) -> Result<Resign, SpecError> {
    let RawResign {
        count,
        score,
        twosided,
    } = raw;
    Ok(Resign {
        count: required(count, "resign", "count")?,
        score: required(score, "resign", "score")?,
        two_sided: twosided.unwrap_or(false),
    })
}

fn resolve_draw(raw: RawDraw) -> Result<Draw, SpecError> {
    let RawDraw {
        after_move,
        count,
        score,
    } = raw;
    Ok(Draw {
        after_move: after_move.unwrap_or(0),
        count: required(count, "draw", "count")?,
        score: required(score, "draw", "score")?,
    })
}

/// The largest tablebases that exist; the prober itself knows what is there.
const SYZYGY_PIECES_MAX: NonZeroU32 = NonZeroU32::new(7).expect("not 0");

fn resolve_syzygy(raw: RawSyzygy) -> Result<Syzygy, SpecError> {
    let RawSyzygy {
        paths,
        pieces,
        ignore_50_move_rule,
        rulings,
    } = raw;
    let paths = paths.filter(|paths| !paths.is_empty());
    Ok(Syzygy {
        paths: required(paths, "syzygy", "paths")?,
        pieces: pieces.unwrap_or(SYZYGY_PIECES_MAX).get(),
        fifty_move_rule: !ignore_50_move_rule.unwrap_or(false),
        rulings: rulings.unwrap_or_default(),
    })
}

fn required<T>(value: Option<T>, section: &'static str, key: &'static str) -> Result<T, SpecError> {
    value.ok_or(SpecError::AdjudicationMissing { section, key })
}

fn resolve_patience(raw: RawPatience) -> Patience {
    let RawPatience {
        startup,
        ping,
        watchdog,
        settle,
        quit,
        start_failures,
    } = raw;
    let standard = Patience::default();
    Patience {
        startup: startup.unwrap_or(standard.startup),
        ping: ping.unwrap_or(standard.ping),
        watchdog: watchdog.unwrap_or(standard.watchdog),
        settle: settle.unwrap_or(standard.settle),
        quit: quit.unwrap_or(standard.quit),
        start_failures: start_failures.unwrap_or(standard.start_failures),
    }
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            startup: Duration::from_secs(10),
            ping: Duration::from_secs(60),
            watchdog: Duration::from_secs(60),
            settle: Duration::from_secs(1),
            quit: Duration::from_secs(2),
            start_failures: NonZeroU32::new(3).expect("not 0"),
        }
    }
}

fn resolve_output(raw: RawOutput) -> Result<OutputSpec, SpecError> {
    let RawOutput {
        pgn,
        events,
        summary,
    } = raw;
    let output = OutputSpec {
        pgn: pgn.map(resolve_pgn).transpose()?,
        events,
        summary,
    };
    let pgn = output.pgn.as_ref().map(|pgn| &pgn.path);
    let files = [
        ("pgn", pgn),
        ("events", output.events.as_ref()),
        ("summary", output.summary.as_ref()),
    ];
    for (i, (first, file)) in files.into_iter().enumerate() {
        for (second, other) in files.into_iter().skip(i + 1) {
            if let Some(file) = file
                && Some(file) == other
            {
                return Err(SpecError::OutputTwice {
                    first,
                    second,
                    file: file.clone(),
                });
            }
        }
    }
    Ok(output)
}

fn resolve_pgn(raw: RawPgn) -> Result<PgnOutput, SpecError> {
    let RawPgn {
        file,
        nodes,
        nps,
        seldepth,
        hashfull,
        timeleft,
        pv,
    } = raw;
    Ok(PgnOutput {
        path: file.ok_or(SpecError::PgnFileMissing)?,
        nodes: nodes.unwrap_or(false),
        nps: nps.unwrap_or(false),
        seldepth: seldepth.unwrap_or(false),
        hashfull: hashfull.unwrap_or(false),
        time_left: timeleft.unwrap_or(false),
        pv: pv.unwrap_or(false),
    })
}
