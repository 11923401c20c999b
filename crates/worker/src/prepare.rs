//! From a lease to a contest that can begin: programs, networks and book are fetched or built, and every
//! engine is started once.

use std::error::Error;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;

use fleet_api::{Failure, Grant};
use fleet_client::Client;
use fleet_core::pace::{Factor, OutOfRange};
use fleet_core::test_spec::{Reference, Source, TestError, TestSpec};
use match_core::fixture::{PairNumber, Share};
use match_core::spec::{Concurrency, EngineCommand, EngineSpec, Spec};
use match_runner::{ErrorKind, Host, Interrupts, Prepared};
use thiserror::Error;

use crate::cache::{Cache, FetchError};
use crate::recipe::{BuildError, Builder, hash};
use crate::rules::{Forbidden, Rules};
use crate::speed::{SpeedError, Speeds};

/// What is needed for preparing.
#[derive(Debug)]
pub(crate) struct Workshop {
    pub(crate) client: Client,
    pub(crate) cache: Cache,
    /// For whatever is under way.
    pub(crate) scratch: PathBuf,
    pub(crate) host: Host,
    pub(crate) rules: Rules,
    pub(crate) speeds: Speeds,
    /// Folders of tablebases.
    pub(crate) syzygy: Vec<PathBuf>,
    /// CPUs that are lent.
    pub(crate) cores: NonZeroUsize,
    /// Memory that is lent, in MiB.
    pub(crate) memory_mib: u64,
}

/// Why a lease cannot be played here.
#[derive(Debug, Error)]
pub(crate) enum UnpreparedError {
    #[error("this worker cannot read the test")]
    Test(#[from] TestError),
    #[error("there are no pairs in the lease")]
    Empty,
    #[error("{what}")]
    Fetch { what: String, source: FetchError },
    #[error("engine `{engine}`")]
    Build { engine: String, source: BuildError },
    #[error("{what}")]
    Forbidden { what: String, source: Forbidden },
    #[error(transparent)]
    Speed(#[from] SpeedError),
    #[error("this machine cannot play the test at its reference speed")]
    Pace(#[from] OutOfRange),
    #[error("interrupted")]
    Interrupted,
    #[error("the contest cannot begin")]
    Contest(#[from] match_runner::PrepareError),
}

impl UnpreparedError {
    /// Somebody wants us to stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        match self {
            Self::Contest(error) => error.kind() == ErrorKind::Interrupted,
            Self::Fetch { source, .. } => matches!(source, FetchError::Interrupted),
            Self::Build { source, .. } => source.is_interrupted(),
            Self::Speed(SpeedError::Contest(error)) => error.kind() == ErrorKind::Interrupted,
            Self::Interrupted => true,
            Self::Test(_)
            | Self::Empty
            | Self::Forbidden { .. }
            | Self::Speed(_)
            | Self::Pace(_) => false,
        }
    }

    /// What it was, where that decides how the test goes on.
    pub(crate) fn failure(&self) -> Option<Failure> {
        match self {
            Self::Build { engine, source } => source.failure(engine),
            Self::Contest(_)
            | Self::Fetch { .. }
            | Self::Test(_)
            | Self::Empty
            | Self::Speed(_)
            | Self::Pace(_)
            | Self::Interrupted
            | Self::Forbidden { .. } => None,
        }
    }
}

impl Workshop {
    /// Makes ready what `grant` lends, and says the speed of the base engine if its times depend on it.
    /// Engines live no longer than the thread that calls this.
    pub(crate) fn prepare(
        &self,
        grant: &Grant,
        interrupts: &Interrupts,
    ) -> Result<(Prepared, Option<u64>), UnpreparedError> {
        let test = TestSpec::parse(&grant.spec)?;
        let pairs = NonZeroU64::new(grant.pairs).ok_or(UnpreparedError::Empty)?;
        let mut used = Vec::new();
        let mut programs = Vec::new();
        for (engine, source) in test.spec.engines.iter().zip(&test.programs) {
            programs.push(self.program(&engine.name, source, interrupts)?);
        }
        let book = self.obtain("the book", &test.book, interrupts)?;
        let mut spec = test.for_worker(&programs, book.clone())?;
        used.extend(programs.into_iter().chain([book]).flatten());
        let mut own = Vec::with_capacity(spec.engines.len());
        for (engine, source) in spec.engines.iter_mut().zip(&test.programs) {
            let mut files = Vec::new();
            for (name, value) in &mut engine.options {
                if let Some(sha256) = test.uploaded(value) {
                    let what = format!("option `{name}` of engine `{}`", engine.name);
                    let path = self.fetch(&what, sha256, interrupts)?;
                    *value = path.display().to_string();
                    files.push(path);
                }
            }
            used.extend(files.iter().cloned());
            files.extend(folder(engine, source));
            own.push(files);
        }
        self.rules.bind(&mut spec, own);
        if let Some(rule) = &mut spec.adjudication.syzygy {
            rule.paths.clone_from(&self.syzygy);
        }
        self.cache.evict(&used);
        let nps = self.pace(&mut spec, &test, interrupts)?;
        spec.share = Some(Share {
            first: PairNumber(grant.first_pair),
            pairs,
        });
        spec.concurrency = Concurrency::Slots(self.slots(&test, pairs));
        let prepared = match_runner::prepare(Arc::new(spec), &self.host, interrupts)?;
        Ok((prepared, nps))
    }

    /// Scales the times of `spec` to its reference speed, if it has one, and says the speed here.
    fn pace(
        &self,
        spec: &mut Spec,
        test: &TestSpec,
        interrupts: &Interrupts,
    ) -> Result<Option<u64>, UnpreparedError> {
        let Some(Reference { nps, base }) = test.reference else {
            return Ok(None);
        };
        let slots = self.slots(test, NonZeroU64::MAX);
        let engine = &test.spec.engines[base];
        // What makes the engine, and what slows it down.
        let key = hash(&[
            &format!("{:?} {:?}", test.programs[base], engine.command),
            &format!("{:?}", engine.options),
            &format!("{slots} {:?}", spec.placement),
            env!("CARGO_PKG_VERSION"),
        ]);
        let measured = self
            .speeds
            .of(spec, base, slots, &key, &self.host, interrupts)?;
        let measured = measured.ok_or(UnpreparedError::Interrupted)?;
        *spec = Factor::of(nps, measured)?.scaled(spec);
        Ok(Some(measured))
    }

    /// The path of an engine's program that is not everywhere.
    fn program(
        &self,
        engine: &str,
        source: &Source,
        interrupts: &Interrupts,
    ) -> Result<Option<PathBuf>, UnpreparedError> {
        let Source::Built(recipe) = source else {
            return self.obtain(&format!("engine `{engine}`"), source, interrupts);
        };
        let builder = Builder {
            cache: &self.cache,
            scratch: &self.scratch,
            rules: &self.rules,
            interrupts,
        };
        let program = builder.program(recipe);
        program.map(Some).map_err(|source| UnpreparedError::Build {
            engine: engine.to_owned(),
            source,
        })
    }

    /// The path of what is not everywhere and is not built.
    fn obtain(
        &self,
        what: &str,
        source: &Source,
        interrupts: &Interrupts,
    ) -> Result<Option<PathBuf>, UnpreparedError> {
        match source {
            Source::BuiltIn => Ok(None),
            Source::Trusted(path) => {
                let what = what.to_owned();
                let checked = self.rules.check(path);
                checked.map_err(|source| UnpreparedError::Forbidden { what, source })?;
                Ok(None)
            }
            Source::Artifact(sha256) => self.fetch(what, sha256.as_str(), interrupts).map(Some),
            Source::Built(_) => unreachable!("programs are built, and nothing else"),
        }
    }

    fn fetch(
        &self,
        what: &str,
        sha256: &str,
        interrupts: &Interrupts,
    ) -> Result<PathBuf, UnpreparedError> {
        let fetched = self.cache.fetch(sha256, &self.client, interrupts);
        fetched.map_err(|source| UnpreparedError::Fetch {
            what: what.to_owned(),
            source,
        })
    }

    /// Games that are played at a time: as many as cores and memory allow, and there are.
    fn slots(&self, test: &TestSpec, pairs: NonZeroU64) -> NonZeroUsize {
        let by_cores = self.cores.get() as u64 / u64::from(test.cores().max(1));
        let by_memory = self.memory_mib / test.memory_mib().max(1);
        let slots = by_cores.min(by_memory).min(pairs.get().saturating_mul(2));
        let slots = usize::try_from(slots).unwrap_or(usize::MAX);
        NonZeroUsize::new(slots).unwrap_or(NonZeroUsize::MIN)
    }
}

/// The folder of an engine's program, where that is its own: a recipe may have left its network there, and
/// who trusts a program trusts what lies beside it. Fetched programs of all tests lie in one folder.
fn folder(engine: &EngineSpec, source: &Source) -> Option<PathBuf> {
    let (Source::Built(_) | Source::Trusted(_)) = source else {
        return None;
    };
    let EngineCommand::Program { program, .. } = &engine.command else {
        return None;
    };
    let folder = program.canonicalize().ok()?.parent()?.to_owned();
    folder.parent().is_some().then_some(folder)
}

/// An error and all its causes in one line.
pub(crate) fn chain(error: &dyn Error) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    let texts: Vec<String> = causes.map(ToString::to_string).collect();
    texts.join(": ")
}
