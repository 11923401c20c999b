//! From a recipe to a program: clone, check out, build, bench; once for each commit, command and
//! platform.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use fleet_api::Failure;
use fleet_client::Digest;
use fleet_core::test_spec::Recipe;
use match_runner::Interrupts;
use thiserror::Error;

use crate::alias::Alias;
use crate::bench::{self, BenchError};
use crate::cache::{Cache, touch};
use crate::facts;
use crate::job::{self, JobError, Said};
use crate::removal::{Workplace, unlock};
use crate::room::Room;
use crate::rules::{Forbidden, Rules, Site};

/// For a big repository over a slow line.
const FETCH_LIMIT: Duration = Duration::from_secs(20 * 60);

/// For profile-guided builds on a slow machine.
const BUILD_LIMIT: Duration = Duration::from_secs(60 * 60);

/// What a recipe makes is called so.
const PROGRAM: &str = "engine";

/// Why there is no program.
#[derive(Debug, Error)]
pub(crate) enum BuildError {
    #[error("`{0}` is no address that git may be given")]
    Address(String),
    #[error(transparent)]
    Job(#[from] JobError),
    #[error(transparent)]
    Recipe(JobError),
    #[error("the recipe says that it is done, and has made no program `{{out}}`{0}")]
    Nothing(Said),
    #[error("the repository")]
    Repository(#[from] Forbidden),
    #[error(transparent)]
    Bench(#[from] BenchError),
    #[error("failed to write to the worker's folder")]
    Disk(#[from] io::Error),
}

impl BuildError {
    /// Somebody wants us to stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        match self {
            Self::Job(error) | Self::Recipe(error) | Self::Bench(BenchError::Job(error)) => {
                matches!(error, JobError::Interrupted)
            }
            Self::Address(_)
            | Self::Nothing(_)
            | Self::Repository(_)
            | Self::Bench(_)
            | Self::Disk(_) => false,
        }
    }

    /// What is to be told of the recipe of `engine`; nothing when it is not to blame.
    pub(crate) fn failure(&self, engine: &str) -> Option<Failure> {
        let engine = engine.to_owned();
        match self {
            &Self::Bench(BenchError::Mismatch { found, expected }) => Some(Failure::Bench {
                engine,
                expected,
                found,
            }),
            Self::Recipe(_) | Self::Nothing(_) | Self::Bench(_) => Some(Failure::Build { engine }),
            Self::Address(_) | Self::Job(_) | Self::Repository(_) | Self::Disk(_) => None,
        }
    }
}

/// Where programs are built.
pub(crate) struct Builder<'a> {
    pub(crate) cache: &'a Cache,
    /// For whatever is under way.
    pub(crate) scratch: &'a Path,
    pub(crate) rules: &'a Rules,
    pub(crate) interrupts: &'a Interrupts,
}

impl Builder<'_> {
    /// The program of `recipe`, built if it was not yet.
    pub(crate) fn program(&self, recipe: &Recipe) -> Result<PathBuf, BuildError> {
        let folder = self.cache.entry("builds", &key(recipe));
        let program = folder.join(PROGRAM);
        if program.exists() {
            touch(&folder)?;
            return Ok(program);
        }
        let repository = self.repository(recipe)?;
        let work = Workplace::new_in(self.scratch)?;
        let checkout = work.path().join("source");
        self.check_out(&repository, &recipe.commit, &checkout)?;
        let [made, home] = ["made", "home"].map(|name| work.path().join(name));
        fs::create_dir(&made)?;
        fs::create_dir(&home)?;
        let site = Site {
            checkout: &checkout,
            made: &made,
            home: &home,
            repository: &repository,
        };
        let out = made.join(PROGRAM);
        let room = self.cache.room(work.path());
        self.build(recipe, site, &out, room)?;
        if let Some(expected) = recipe.bench {
            bench::check(&out, expected, self.rules, room, self.interrupts)?;
        }
        // What is there has no program, and only an empty folder can be replaced.
        self.cache.discard(&folder)?;
        // Here at once or not at all.
        fs::rename(&made, &folder)?;
        Ok(program)
    }

    /// A bare repository that has the commit.
    fn repository(&self, recipe: &Recipe) -> Result<PathBuf, BuildError> {
        let Recipe { url, commit, .. } = recipe;
        if may_run_programs(url) {
            return Err(BuildError::Address(without_secrets(url)));
        }
        if let Some(path) = local(url) {
            self.rules.check(path)?;
        }
        let path = self.cache.entry("git", &hash(&[url]));
        if !path.join("HEAD").exists() {
            self.git("git init", &path, &["init", "--quiet", "--bare"])?;
        }
        touch(&path)?;
        let object = format!("{commit}^{{commit}}");
        let has_it = ["cat-file", "-e", &object];
        if self.git("git cat-file", &path, &has_it).is_ok() {
            return Ok(path);
        }
        let what = format!("git fetch of {}", without_secrets(url));
        // Many hosts give a single commit when asked for it; from the others everything is taken.
        let one = [
            "fetch",
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--",
            url,
            commit,
        ];
        match self.git(&what, &path, &one) {
            Ok(()) => return Ok(path),
            Err(JobError::Interrupted) => return Err(JobError::Interrupted.into()),
            Err(_) => {}
        }
        let all = ["fetch", "--quiet", "--force", "--", url, "+refs/*:refs/*"];
        self.git(&what, &path, &all)?;
        let what = format!("looking for commit {commit} in {}", without_secrets(url));
        self.git(&what, &path, &has_it)?;
        Ok(path)
    }

    fn check_out(&self, repository: &Path, commit: &str, to: &Path) -> Result<(), BuildError> {
        // Those of earlier builds are gone.
        self.git("git worktree prune", repository, &["worktree", "prune"])?;
        let place = to.display().to_string();
        let add = ["worktree", "add", "--quiet", "--detach", &place, commit];
        self.git("git worktree add", repository, &add)?;
        if to.join(".gitmodules").exists() {
            let mut git = quiet_git();
            git.arg("-C").arg(to);
            git.args(["submodule", "update", "--quiet", "--init", "--recursive"]);
            self.run("git submodule update", git, to)?;
        }
        Ok(())
    }

    fn build(
        &self,
        recipe: &Recipe,
        site: Site<'_>,
        out: &Path,
        room: Room<'_>,
    ) -> Result<(), BuildError> {
        let alias = Alias::of(site.made);
        let command = recipe.build.replace("{out}", &alias.word(PROGRAM));
        let task = self.rules.recipe(&command, site);
        let what = format!("the recipe `{}`", recipe.build);
        let said = job::run(what, task, BUILD_LIMIT, room, self.scratch, self.interrupts);
        let said = said.map_err(BuildError::Recipe)?;
        let _it_may_be_gone = unlock(site.made);
        // A link would lead to what is not there when it is needed, or is not the recipe's.
        match out.symlink_metadata().is_ok_and(|out| out.is_file()) {
            true => Ok(()),
            false => Err(BuildError::Nothing(said)),
        }
    }

    /// Runs git on a repository.
    fn git(&self, what: &str, repository: &Path, words: &[&str]) -> Result<(), JobError> {
        let mut git = quiet_git();
        git.arg("--git-dir").arg(repository).args(words);
        self.run(what, git, repository)
    }

    /// Runs git, which writes to `folder`.
    fn run(&self, what: &str, git: Command, folder: &Path) -> Result<(), JobError> {
        job::run(
            what,
            self.rules.plain(git),
            FETCH_LIMIT,
            self.cache.room(folder),
            self.scratch,
            self.interrupts,
        )
        .map(drop)
    }
}

/// Git that asks nobody for a password.
fn quiet_git() -> Command {
    let mut git = Command::new("git");
    git.env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_ASKPASS", "true")
        .env("SSH_ASKPASS", "true")
        .args(["-c", "advice.detachedHead=false"]);
    git
}

/// Whether git would take it for an option, or for `ext::COMMAND` and its like.
fn may_run_programs(url: &str) -> bool {
    let is_helper = |(name, _): (&str, &str)| name.bytes().all(|b| b.is_ascii_alphanumeric());
    url.starts_with('-') || url.split_once("::").is_some_and(is_helper)
}

/// The path of a repository of this machine, as git understands addresses.
fn local(url: &str) -> Option<&Path> {
    if let Some(path) = url.strip_prefix("file://") {
        return Some(Path::new(path));
    }
    // `host:path` is another machine, unless a slash comes first.
    let is_local = !url.contains("://") && url.split('/').next().is_some_and(|s| !s.contains(':'));
    is_local.then(|| Path::new(url))
}

/// What tells a build from all others.
fn key(recipe: &Recipe) -> String {
    let Recipe {
        url,
        commit,
        build,
        toolchain: _,
        bench,
    } = recipe;
    let bench = bench.map(|nodes| nodes.to_string()).unwrap_or_default();
    hash(&[url, commit, build, &facts::platform(), &bench])
}

pub(crate) fn hash(words: &[&str]) -> String {
    let mut digest = Digest::default();
    for word in words {
        // With its length, so that no two lists are the same text.
        write!(digest, "{}:{word}", word.len()).expect("a hash takes everything");
    }
    digest.finish()
}

/// The address without a password that somebody may have put there.
fn without_secrets(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => url.to_owned(),
    }
}
