//! A test as it was submitted: a contest, and where its engines and files come from.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use match_core::spec::raw::{RawGit, RawOutput, RawSpec, Settings};
use match_core::spec::{BookSource, EngineCommand, EngineSpec, Spec, SpecError, Tournament};
use thiserror::Error;

use crate::pace::Factor;

/// Weights of tests among each other, and of owners. Work is divided by them, so none is next to nothing.
pub const WEIGHTS: RangeInclusive<f64> = 1e-6..=1e6;

/// The longest name of a test, in bytes.
const NAME_MAX: usize = 200;

/// The name under which messages speak of the text.
const FILE: &str = "test";

/// A test that can be played.
#[derive(Clone, Debug, PartialEq)]
pub struct TestSpec {
    /// What it is called; names are not unique.
    pub name: String,
    /// Higher classes are served first.
    pub priority: i64,
    /// Its share among its owner's tests, one of [`WEIGHTS`].
    pub weight: f64,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Free text.
    pub note: String,
    /// The contest. An engine that is built or fetched has a placeholder for its program.
    pub spec: Spec,
    /// Where each engine's program comes from, in the order of the spec.
    pub programs: Vec<Source>,
    /// Where the book comes from.
    pub book: Source,
    /// For which speed its times are meant, if they are meant for one.
    pub reference: Option<Reference>,
    /// Where its uploaded programs run, if they do not run everywhere.
    pub platform: Option<String>,
    raw: RawSpec,
}

/// The speed for which times are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Nodes a second.
    pub nps: NonZeroU64,
    /// Of the engine at this place.
    pub base: usize,
}

/// Where a program or a file comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Every worker has it: the built-in engine, the embedded book.
    BuiltIn,
    /// Workers have it at this path and are told to trust it.
    Trusted(PathBuf),
    /// It is in the coordinator's store.
    Artifact(Sha256),
    /// It is built.
    Built(Recipe),
}

/// The hash of a file, in lower-case hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256(String);

/// How a program is built from a repository.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recipe {
    /// As `git clone` takes it.
    pub url: String,
    /// A full commit hash.
    pub commit: String,
    /// The command, with `{out}` for the program that it is to make.
    pub build: String,
    /// Programs that it needs.
    pub toolchain: Vec<String>,
    /// The nodes that the program counts when it is run with the argument `bench`.
    pub bench: Option<u64>,
}

/// Why a text is no test.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TestError {
    /// It is no contest.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Not a name for a list.
    #[error("`name` in `[fleet]`: a line of at most {NAME_MAX} bytes is allowed")]
    Name,
    /// A share of nothing, or of everything.
    #[error("`weight` in `[fleet]` is {0}: {start} to {end} is allowed", start = WEIGHTS.start(), end = WEIGHTS.end())]
    Weight(f64),
    /// A file that nobody has.
    #[error(
        "{what} is `{}`, which is neither uploaded nor under `trust` in `[fleet]`: `arbiter submit` uploads it",
        path.display()
    )]
    Unknown {
        /// Such as ``engine `new` ``.
        what: String,
        /// The path.
        path: PathBuf,
    },
    /// No hash.
    #[error("`{0}` in `artifacts` is no SHA-256: 64 hexadecimal digits, lower case")]
    Hash(String),
    /// A recipe with a hole.
    #[error("engine `{engine}`: `git` has no `{key}`")]
    Recipe {
        /// Whose.
        engine: String,
        /// What is missing.
        key: &'static str,
    },
    /// What everybody who may look at a test would read.
    #[error(
        "engine `{engine}`: the address in `git` has a name or password before the `@`: workers are given \
         access by their own machine"
    )]
    Secret {
        /// Whose.
        engine: String,
    },
    /// A revision that may come to mean something else.
    #[error(
        "engine `{engine}`: `rev` is `{rev}`: a full commit hash is needed here, `arbiter submit` finds it"
    )]
    Unpinned {
        /// Whose.
        engine: String,
        /// What it says.
        rev: String,
    },
    /// Both of what excludes each other.
    #[error("engine `{engine}` has `cmd` and `git`: one of them is allowed")]
    Twice {
        /// Which.
        engine: String,
    },
    /// Nothing but paths of the submitter's machine.
    #[error("`{0}` is not for a test of a fleet: each worker knows its own")]
    Local(&'static str),
    /// Nobody knows which workers have enough.
    #[error(
        "`adjudication.syzygy` says no `pieces`: workers use tablebases of their own, and must know for how many men"
    )]
    Men,
    /// An engine that is not there.
    #[error("`base` in `[fleet]` is `{0}`, and no engine is called so")]
    Base(String),
    /// No worker has two.
    #[error(
        "engine `{second}` runs on `{other}` and engine `{first}` on `{platform}`: one machine plays both"
    )]
    Platforms {
        /// One engine.
        first: String,
        /// Where it runs.
        platform: String,
        /// Another one.
        second: String,
        /// Where that runs.
        other: String,
    },
}

impl Sha256 {
    /// Reads 64 hexadecimal digits in lower case.
    ///
    /// # Errors
    ///
    /// [`TestError::Hash`] for anything else.
    pub fn parse(text: &str) -> Result<Self, TestError> {
        let digits =
            text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        match digits {
            true => Ok(Self(text.to_owned())),
            false => Err(TestError::Hash(text.to_owned())),
        }
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TestSpec {
    /// Reads what was submitted.
    ///
    /// # Errors
    ///
    /// [`TestError`], for whatever makes no contest or leaves a worker without a program.
    pub fn parse(text: &str) -> Result<Self, TestError> {
        let mut raw = RawSpec::from_toml(Path::new(FILE), text)?;
        if raw.output != RawOutput::default() {
            return Err(TestError::Local("output"));
        }
        if let Some(syzygy) = &mut raw.adjudication.syzygy {
            if syzygy.pieces.is_none() {
                return Err(TestError::Men);
            }
            // Each worker puts its own here.
            syzygy.paths = Some(vec![PathBuf::from(".")]);
        }
        let files = Files::of(&raw)?;
        let weight = raw.fleet.weight.unwrap_or(1.0);
        if !WEIGHTS.contains(&weight) {
            return Err(TestError::Weight(weight));
        }
        if let Some(name) = &raw.fleet.name
            && (name.len() > NAME_MAX || name.contains(char::is_control))
        {
            return Err(TestError::Name);
        }
        let mut recipes = BTreeMap::new();
        for (i, engine) in raw.engine.iter_mut().enumerate() {
            let Some(git) = engine.git.take() else {
                continue;
            };
            let name = engine.name.clone().or_else(|| git.url.as_deref().map(stem));
            let name = name.unwrap_or_else(|| format!("engine {}", i + 1));
            if engine.cmd.is_some() {
                return Err(TestError::Twice { engine: name });
            }
            engine.cmd = Some(format!("./{name}"));
            recipes.insert(i, Recipe::new(&name, git)?);
        }
        let (spec, _notices) = raw.clone().resolve()?;
        let programs = spec
            .engines
            .iter()
            .enumerate()
            .map(|(i, engine)| match (recipes.remove(&i), &engine.command) {
                (Some(recipe), _) => Ok(Source::Built(recipe)),
                (None, EngineCommand::Sparring { .. }) => Ok(Source::BuiltIn),
                (None, EngineCommand::Program { program, .. }) => {
                    files.source(|| format!("engine `{}`", engine.name), program)
                }
            })
            .collect::<Result<Vec<_>, _>>()?;
        let book = match &spec.openings.source {
            BookSource::Embedded => Source::BuiltIn,
            BookSource::File { path, .. } => files.source(|| "the book".to_owned(), path)?,
        };
        let platform = platform(&raw, &spec, &programs)?;
        let reference = reference(&raw, &spec)?;
        let fleet = &raw.fleet;
        Ok(Self {
            name: fleet.name.clone().unwrap_or_else(|| default_name(&spec)),
            priority: fleet.priority.unwrap_or(0),
            weight,
            tags: fleet.tags.clone().unwrap_or_default(),
            note: fleet.note.clone().unwrap_or_default(),
            programs,
            book,
            reference,
            platform,
            spec,
            raw,
        })
    }

    /// The contest as a worker plays it: with the `programs` and the `book` that it has, those that
    /// are given, and without a sequential test, for the coordinator decides.
    ///
    /// # Errors
    ///
    /// [`TestError`] if a path makes no contest.
    pub fn for_worker(
        &self,
        programs: &[Option<PathBuf>],
        book: Option<PathBuf>,
    ) -> Result<Spec, TestError> {
        let (mut spec, _notices) = self.raw.clone().resolve()?;
        spec.sprt = None;
        spec.pairs = self.spec.pairs;
        for (engine, given) in spec.engines.iter_mut().zip(programs) {
            if let (EngineCommand::Program { program, .. }, Some(given)) =
                (&mut engine.command, given)
            {
                program.clone_from(given);
            }
        }
        if let (BookSource::File { path, .. }, Some(given)) = (&mut spec.openings.source, book) {
            *path = given;
        }
        Ok(spec)
    }

    /// The hash of the uploaded file that the text calls `path`: a network that an option names.
    pub fn uploaded(&self, path: &str) -> Option<&str> {
        let Settings(uploaded) = &self.raw.fleet.artifacts;
        let found = uploaded.iter().find(|(name, _)| name == path);
        found.map(|(_, hash)| hash.as_str())
    }

    /// CPUs that a game keeps busy: one engine thinks at a time.
    pub fn cores(&self) -> u32 {
        let threads = self.spec.engines.iter().map(EngineSpec::threads).max();
        u32::try_from(threads.map_or(1, NonZeroUsize::get)).unwrap_or(u32::MAX)
    }

    /// Memory that a game needs, in MiB: both engines' hash tables and something for the rest.
    pub fn memory_mib(&self) -> u64 {
        const REST_MIB: u64 = 128;
        /// What most engines have if nothing is said.
        const HASH_MIB: u64 = 16;
        let need = |engine: &EngineSpec| {
            let hash = engine.hash_mib().unwrap_or(HASH_MIB);
            hash.saturating_add(REST_MIB)
        };
        let mut needs: Vec<u64> = self.spec.engines.iter().map(need).collect();
        needs.sort_unstable();
        needs
            .iter()
            .rev()
            .take(2)
            .fold(0, |sum, &need| sum.saturating_add(need))
    }

    /// The contest as it is played where the base engine searches `nps` nodes a second. Where that is not
    /// known or out of range, with the longest times that there can be.
    pub fn paced(&self, nps: Option<u64>) -> Cow<'_, Spec> {
        let Some(reference) = self.reference else {
            return Cow::Borrowed(&self.spec);
        };
        let factor = nps.and_then(|nps| Factor::of(reference.nps, nps).ok());
        Cow::Owned(factor.unwrap_or(Factor::LARGEST).scaled(&self.spec))
    }

    /// Men for which the referee needs tablebases; 0 if it needs none.
    pub fn tablebases(&self) -> u32 {
        let syzygy = self.spec.adjudication.syzygy.as_ref();
        syzygy.map_or(0, |syzygy| syzygy.pieces)
    }

    /// Programs that a worker needs for building.
    pub fn toolchain(&self) -> Vec<&str> {
        let mut tools: Vec<&str> = self
            .programs
            .iter()
            .filter_map(|source| match source {
                Source::Built(recipe) => Some(&recipe.toolchain),
                Source::BuiltIn | Source::Trusted(_) | Source::Artifact(_) => None,
            })
            .flatten()
            .map(String::as_str)
            .collect();
        tools.sort_unstable();
        tools.dedup();
        tools
    }

    /// Pairs in all; none when only a decision ends it.
    pub fn pairs_wanted(&self) -> Option<u64> {
        let engines = self.spec.engines.len() as u64;
        let pairings = match self.spec.tournament {
            Tournament::RoundRobin => engines * (engines - 1) / 2,
            Tournament::Gauntlet => engines - 1,
        };
        (!self.spec.is_open_ended()).then(|| self.spec.pairs.get() * pairings)
    }
}

/// The files that a test names, by what is known of them.
struct Files {
    trusted: Vec<PathBuf>,
    uploaded: BTreeMap<PathBuf, Sha256>,
}

impl Files {
    fn of(raw: &RawSpec) -> Result<Self, TestError> {
        Ok(Self {
            trusted: raw.fleet.trust.clone().unwrap_or_default(),
            uploaded: raw
                .fleet
                .artifacts
                .0
                .iter()
                .map(|(path, hash)| Ok((PathBuf::from(path), Sha256::parse(hash)?)))
                .collect::<Result<_, TestError>>()?,
        })
    }

    fn source(&self, what: impl Fn() -> String, path: &Path) -> Result<Source, TestError> {
        if let Some(hash) = self.uploaded.get(path) {
            return Ok(Source::Artifact(hash.clone()));
        }
        if self.trusted.iter().any(|trusted| trusted == path) {
            return Ok(Source::Trusted(path.to_owned()));
        }
        Err(TestError::Unknown {
            what: what(),
            path: path.to_owned(),
        })
    }
}

/// Whether an address shows who asks: a password, or with HTTP any name, for that may be a token.
pub fn has_secret(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else {
        return false;
    };
    let host = rest.split('/').next().unwrap_or_default();
    let user = host.rsplit_once('@').map(|(user, _)| user);
    user.is_some_and(|user| user.contains(':') || scheme.to_ascii_lowercase().starts_with("http"))
}

impl Recipe {
    fn new(engine: &str, git: RawGit) -> Result<Self, TestError> {
        let RawGit {
            url,
            rev,
            build,
            toolchain,
            bench,
        } = git;
        let missing = |key| TestError::Recipe {
            engine: engine.to_owned(),
            key,
        };
        let url = url.ok_or_else(|| missing("url"))?;
        if has_secret(&url) {
            return Err(TestError::Secret {
                engine: engine.to_owned(),
            });
        }
        let rev = rev.ok_or_else(|| missing("rev"))?;
        let pinned = matches!(rev.len(), 40 | 64) && rev.bytes().all(|b| b.is_ascii_hexdigit());
        if !pinned {
            return Err(TestError::Unpinned {
                engine: engine.to_owned(),
                rev,
            });
        }
        Ok(Self {
            url,
            commit: rev.to_ascii_lowercase(),
            build: build.ok_or_else(|| missing("build"))?,
            toolchain: toolchain.unwrap_or_default(),
            bench,
        })
    }
}

fn reference(raw: &RawSpec, spec: &Spec) -> Result<Option<Reference>, TestError> {
    let base = match &raw.fleet.base {
        Some(name) => {
            let place = spec.engines.iter().position(|engine| engine.name == *name);
            place.ok_or_else(|| TestError::Base(name.clone()))?
        }
        None => spec.engines.len() - 1,
    };
    Ok(raw.fleet.reference_nps.map(|nps| Reference { nps, base }))
}

/// The platform that every machine must have that plays all uploaded programs.
fn platform(raw: &RawSpec, spec: &Spec, programs: &[Source]) -> Result<Option<String>, TestError> {
    const ANYWHERE: &str = "any";
    let mut found: Option<(&str, &str)> = None;
    for ((engine, raw_engine), source) in spec.engines.iter().zip(&raw.engine).zip(programs) {
        let said = raw_engine.platform.as_ref().or(raw.each.platform.as_ref());
        let (Some(said), Source::Artifact(_)) = (said, source) else {
            continue;
        };
        match found {
            _ if said == ANYWHERE => {}
            Some((first, platform)) if platform != said => {
                return Err(TestError::Platforms {
                    first: first.to_owned(),
                    platform: platform.to_owned(),
                    second: engine.name.clone(),
                    other: said.clone(),
                });
            }
            _ => found = Some((&engine.name, said)),
        }
    }
    Ok(found.map(|(_, platform)| platform.to_owned()))
}

fn default_name(spec: &Spec) -> String {
    match &spec.engines[..] {
        [new, old] => format!("{} against {}", new.name, old.name),
        engines => format!("{} engines", engines.len()),
    }
}

/// `https://host/you/engine.git` is `engine`.
fn stem(url: &str) -> String {
    let last = url.trim_end_matches('/').rsplit(['/', ':']).next();
    last.unwrap_or(url).trim_end_matches(".git").to_owned()
}
