//! Before the first game: everything that can be wrong is found here, and nothing has been written yet.

use std::env;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use book::{Book, BookError};
use match_core::adjudication::Tablebase;
use match_core::contest::{Contest, Input};
use match_core::fixture::EngineId;
use match_core::journal::{BookIdentity, Head, Past};
use match_core::rules::Rules;
use match_core::schedule::Schedule;
use match_core::spec::Spec;
use thiserror::Error;

use crate::arena::Arena;
use crate::cores::{self, PlacementError};
use crate::descriptors;
use crate::host::Host;
use crate::interrupt::Interrupts;
use crate::process::{Launcher, Start};
use crate::program::ProgramError;
use crate::pulse::Pulse;
use crate::reporter::Reporter;
use crate::run::{Finished, Run};
use crate::sandbox::SandboxError;
use crate::tablebase::{SyzygyTables, TablebaseError};
use crate::wall::Wall;

mod greet;
mod identity;
mod start;

pub(crate) use start::start;

/// A contest that can begin.
#[derive(Debug)]
pub struct Prepared {
    arena: Arc<Arena>,
    past: Past,
    slots: NonZeroUsize,
    warnings: Vec<Warning>,
    interrupts: Interrupts,
}

/// Something odd that was found on the way and does not keep the contest from being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The engine that it is about, if it is about one.
    pub engine: Option<EngineId>,
    /// One line.
    pub text: String,
}

/// Why a contest cannot begin.
#[derive(Debug, Error)]
pub enum PrepareError {
    /// An engine's program cannot be run.
    #[error("engine `{engine}` cannot be used")]
    Program {
        /// Its name.
        engine: String,
        /// Why.
        source: ProgramError,
    },
    /// The built-in engine is asked for where there is none.
    #[error("engine `{engine}` is the built-in one, which this program does not have")]
    NoSparring {
        /// Its name.
        engine: String,
    },
    /// The book is no good.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The tablebases are no good.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// The CPUs that are asked for cannot be used.
    #[error("`cpus`")]
    Placement(#[from] PlacementError),
    /// An engine was started and cannot play this contest.
    #[error("engine `{engine}` {why}")]
    Unfit {
        /// Its name.
        engine: String,
        /// Such as ``cannot play: option `Hash` ...``.
        why: String,
    },
    /// An engine does not start or does not speak UCI.
    #[error("engine `{engine}` {why}")]
    Unstarted {
        /// Its name.
        engine: String,
        /// Why; its last words are on lines of their own.
        why: String,
    },
    /// An engine's sandbox cannot be had.
    #[error("engine `{engine}` cannot be used")]
    Sandbox {
        /// Its name.
        engine: String,
        /// Why.
        source: SandboxError,
    },
    /// Somebody stopped it.
    #[error("interrupted before the first game")]
    Interrupted,
    /// The machine lets us down.
    #[error("failed to {what}")]
    Host {
        /// What was being done.
        what: &'static str,
        /// Why it failed.
        source: io::Error,
    },
}

/// Whose fault it is that a contest cannot begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Of whoever described the contest.
    Input,
    /// An engine's.
    Engine,
    /// Nobody's: it was interrupted.
    Interrupted,
    /// The machine's.
    Host,
}

impl PrepareError {
    /// Whose fault it is.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::Program { .. }
            | Self::NoSparring { .. }
            | Self::Book(_)
            | Self::Tablebase(_)
            | Self::Sandbox { .. }
            | Self::Placement(_)
            | Self::Unfit { .. } => ErrorKind::Input,
            Self::Unstarted { .. } => ErrorKind::Engine,
            Self::Interrupted => ErrorKind::Interrupted,
            Self::Host { .. } => ErrorKind::Host,
        }
    }

    /// What may help.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Program {
                source: ProgramError::MissingName { program, .. },
                ..
            } if program.to_string_lossy().starts_with("spar") => {
                Some("the built-in engine is `sparring`, or `sparring:5` for level 5".into())
            }
            Self::Program {
                source: ProgramError::MissingName { .. } | ProgramError::MissingPath { .. },
                ..
            } => Some("`cmd=` is a path, or a name that is looked up in PATH".into()),
            Self::Program {
                source: ProgramError::NotExecutable { path },
                ..
            } => Some(format!("try `chmod +x '{}'`", path.display())),
            Self::Unstarted { .. } => {
                Some("run the program by hand and type `uci`: it must answer `uciok`".into())
            }
            Self::Placement(_) => {
                Some("`arbiter doctor` shows the CPUs that this process may use".into())
            }
            Self::Program { .. }
            | Self::NoSparring { .. }
            | Self::Book(_)
            | Self::Tablebase(_)
            | Self::Sandbox { .. }
            | Self::Unfit { .. }
            | Self::Interrupted
            | Self::Host { .. } => None,
        }
    }
}

/// Finds programs, opens book and tablebases, and starts every engine once, all at the same time.
///
/// The engines that were started play the first games. They live no longer than the thread that calls
/// this, so the same thread is to call [`Prepared::run`].
///
/// # Errors
/// For whatever would keep the contest from being played as it is described.
pub fn prepare(
    spec: Arc<Spec>,
    host: &Host,
    interrupts: &Interrupts,
) -> Result<Prepared, PrepareError> {
    prepare_after(Past::default(), spec, host, interrupts)
}

/// As [`prepare`], to go on where the `past` of the contest has ended.
///
/// # Errors
/// For whatever would keep the contest from being played as it is described.
pub fn prepare_after(
    past: Past,
    spec: Arc<Spec>,
    host: &Host,
    interrupts: &Interrupts,
) -> Result<Prepared, PrepareError> {
    let wall = Wall::start_at(past.at);
    let starts: Vec<Start> = spec
        .engines
        .iter()
        .map(|engine| start(engine, host))
        .collect::<Result<_, _>>()?;
    let tables = match &spec.adjudication.syzygy {
        Some(syzygy) => Some(Arc::new(SyzygyTables::open(syzygy)?)),
        None => None,
    };
    let book = Book::open(&spec.openings.source, spec.variant)?;
    let launcher = match &host.binary {
        Some(binary) => {
            Some(
                Launcher::new(binary.clone()).map_err(|source| PrepareError::Host {
                    what: "start our own binary",
                    source,
                })?,
            )
        }
        None => None,
    };
    let pulse = match spec.host.blame {
        true => Some(Pulse::start(wall).map_err(|source| PrepareError::Host {
            what: "start a thread",
            source,
        })?),
        false => None,
    };
    let (mut placement, claims) = cores::place(&spec)?;
    let wanted = placement.slots;
    let slots = descriptors::allow(wanted);
    let rules = Rules::new(
        &spec,
        tables.clone().map(|tables| tables as Arc<dyn Tablebase>),
    );
    let mut warnings: Vec<Warning> = book
        .warnings()
        .iter()
        .map(|text| Warning {
            engine: None,
            text: text.clone(),
        })
        .collect();
    let notes = placement.notes.drain(..);
    warnings.extend(notes.map(|text| Warning { engine: None, text }));
    if slots < wanted {
        let text = format!(
            "{slots} games at a time and not {wanted}: the limit of open files allows no more (`ulimit -n`)"
        );
        warnings.push(Warning { engine: None, text });
    }
    let arena = Arena {
        spec,
        rules: Arc::new(rules),
        book,
        tables,
        starts,
        launcher,
        placement,
        _claims: claims,
        keeps_remarks: host.keeps_remarks,
        wall,
        pulse,
        ready: Mutex::default(),
        plies: Arc::default(),
        told: Mutex::default(),
    };
    greet::all(&arena, interrupts, &mut warnings)?;
    Ok(Prepared {
        arena: Arc::new(arena),
        past,
        slots,
        warnings,
        interrupts: interrupts.clone(),
    })
}

impl Prepared {
    /// How many games run at a time.
    pub fn slots(&self) -> NonZeroUsize {
        self.slots
    }

    /// How many games there are to play.
    pub fn games(&self) -> u64 {
        let share = Schedule::new(&self.arena.spec, self.arena.book.len()).share();
        share.end.0 - share.start.0
    }

    /// How many plies have been played, games under way included; may be kept while it runs.
    pub fn plies(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.arena.plies)
    }

    /// How many openings the book has.
    pub fn book_len(&self) -> u64 {
        self.arena.book.len().get()
    }

    /// What was odd. The reporters hear of it too.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Adds what a person should know before the first game.
    pub fn notice(&mut self, texts: impl IntoIterator<Item = String>) {
        let warning = |text| Warning { engine: None, text };
        self.warnings.extend(texts.into_iter().map(warning));
    }

    /// What is played, for the journal: with book and engines by their content.
    ///
    /// # Errors
    /// When a file cannot be read, or the current folder has no name.
    pub fn head(&self) -> Result<Head, PrepareError> {
        let folder = env::current_dir().map_err(|source| PrepareError::Host {
            what: "find out the current folder",
            source,
        })?;
        Ok(Head {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            folder: folder.display().to_string(),
            spec: Arc::clone(&self.arena.spec),
            book: BookIdentity {
                openings: self.arena.book.len(),
                sha256: self.arena.book.sha256()?,
            },
            engines: identity::of_engines(&self.arena),
            pgn_bytes: (self.arena.spec.output.pgn.as_ref())
                .and_then(|pgn| fs::metadata(&pgn.path).ok())
                .map_or(0, |metadata| metadata.len()),
        })
    }

    /// Plays the contest. Returns when the reporters have heard the last event and all engines are gone.
    pub fn run(self, reporters: Vec<Box<dyn Reporter>>) -> Finished {
        let Self {
            arena,
            mut past,
            slots,
            warnings,
            interrupts,
        } = self;
        let now = arena.wall.now();
        if past.next_seq == 0 {
            past.began = now;
        }
        let spec = Arc::clone(&arena.spec);
        let mut contest = Contest::resume(now, spec, arena.book.len(), slots, past);
        for Warning { engine, text } in warnings {
            contest.handle(
                now,
                Input::Warned {
                    game: None,
                    engine,
                    text,
                },
            );
        }
        Run::start(arena, contest, slots.get(), reporters).finish(&interrupts)
    }
}
