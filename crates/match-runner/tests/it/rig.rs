//! A folder with scripted engines, and contests between them.

use std::cell::RefCell;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use match_core::event::{Event, EventKind};
use match_core::record::GameRecord;
use match_core::spec::Spec;
use match_core::spec::raw::RawSpec;
use match_core::verdict::Verdict;
use match_runner::{
    Finished, Host, Interrupts, PrepareError, Prepared, ReportError, Reporter, prepare,
};

/// The answers of an engine that plays fool's mate from the start position, with either colour.
///
/// `on_start` runs once, `on_go` instead of the answer to `go` (call `answer` for it), `on_quit` at `quit`.
pub(crate) struct Script {
    pub(crate) on_start: &'static str,
    pub(crate) on_uci: &'static str,
    pub(crate) on_ready: &'static str,
    pub(crate) on_go: &'static str,
    pub(crate) on_quit: &'static str,
    pub(crate) at_end: &'static str,
}

impl Default for Script {
    fn default() -> Self {
        Self::PLAIN
    }
}

impl Script {
    /// An engine without fault.
    pub(crate) const PLAIN: Self = Self {
        on_start: ":",
        on_uci: "echo id name scripted; echo uciok",
        on_ready: "echo readyok",
        on_go: "answer",
        on_quit: "exit 0",
        at_end: ":",
    };

    fn text(&self) -> String {
        let Self {
            on_start,
            on_uci,
            on_ready,
            on_go,
            on_quit,
            at_end,
        } = self;
        format!(
            "#!/bin/sh\n\
             answer() {{\n\
             set -- f2f3 e7e5 g2g4 d8h4; shift $plies; echo info depth 1 score cp 13 nodes 20; echo bestmove $1\n\
             }}\n\
             echo $$ >> pids\n\
             {on_start}\n\
             while read -r word rest; do case $word in\n\
             uci) {on_uci};;\n\
             isready) {on_ready};;\n\
             position) set -- $rest; plies=$(($# > 2 ? $# - 2 : 0));;\n\
             go) {on_go};;\n\
             quit) {on_quit};;\n\
             esac; done\n\
             {at_end}\n"
        )
    }
}

/// A folder that is gone at the end of the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for the test"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("a folder");
        }
        fs::write(&path, text).expect("a file");
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("`{name}`: {error}"))
    }

    pub(crate) fn engine(&self, name: &str, script: &Script) -> PathBuf {
        self.program(name, &script.text())
    }

    pub(crate) fn program(&self, name: &str, text: &str) -> PathBuf {
        let path = self.write(name, text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        path
    }

    /// Every process that a scripted engine of this folder ran in and that still exists. One that was
    /// killed is given a second to be gone: whoever sends a signal does not wait for its effect.
    pub(crate) fn survivors(&self) -> Vec<String> {
        let pids = fs::read_to_string(self.path("pids")).unwrap_or_default();
        let deadline = Instant::now() + Duration::from_secs(1);
        loop {
            let alive: Vec<String> = pids
                .lines()
                .filter(|pid| is_alive(pid))
                .map(str::to_owned)
                .collect();
            if alive.is_empty() || deadline < Instant::now() {
                return alive;
            }
            std::thread::yield_now();
        }
    }
}

/// Whether a process exists and is no zombie.
fn is_alive(pid: &str) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    !stat
        .rsplit_once(')')
        .is_some_and(|(_, rest)| rest.trim_start().starts_with('Z'))
}

/// What came of a contest.
pub(crate) struct Played {
    pub(crate) finished: Finished,
    pub(crate) events: Vec<Event>,
}

impl Played {
    pub(crate) fn records(&self) -> Vec<&GameRecord> {
        self.events
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::GameFinished { record, .. } => Some(&**record),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn verdicts(&self) -> Vec<&Verdict> {
        self.records()
            .into_iter()
            .map(|record| &record.verdict)
            .collect()
    }

    pub(crate) fn warnings(&self) -> Vec<&str> {
        self.events
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::Warned { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn restarts(&self) -> usize {
        self.events
            .iter()
            .filter(|event| matches!(event.kind, EventKind::EngineRestarted { .. }))
            .count()
    }
}

/// Keeps all events.
#[derive(Clone, Default)]
pub(crate) struct Collector(pub(crate) Rc<RefCell<Vec<Event>>>);

impl Reporter for Collector {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        self.0.borrow_mut().push(event.clone());
        Ok(())
    }
}

/// A contest from TOML. Its engines work in the folder, and the start position is the book.
pub(crate) fn spec(folder: &Folder, toml: &str) -> Arc<Spec> {
    let book = folder.write(
        "start.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
    );
    let mut toml = toml.replace("$DIR", &folder.path("").display().to_string());
    if !toml.contains("[openings]") {
        toml.push_str(&format!("\n[openings]\nfile = \"{}\"\n", book.display()));
    }
    let raw = RawSpec::from_toml(Path::new("contest.toml"), &toml)
        .unwrap_or_else(|error| panic!("{error}"));
    let (spec, _) = raw.resolve().unwrap_or_else(|error| panic!("{error}"));
    Arc::new(spec)
}

/// A match of `pairs` pairs between the engines `a` and `b` of the folder. Of `more`, lines before the
/// first section hold for each engine.
pub(crate) fn match_of(folder: &Folder, pairs: u32, more: &str) -> Arc<Spec> {
    let (each, sections) = match more.find("\n[") {
        _ if more.starts_with('[') => ("", more),
        Some(end) => more.split_at(end + 1),
        None => (more, ""),
    };
    let clock = if each.contains("tc") {
        ""
    } else {
        "tc = \"10+1\""
    };
    spec(
        folder,
        &format!(
            "pairs = {pairs}\nconcurrency = 1\nhost-blame = false\npin = false\n[each]\ndir = \"$DIR\"\n{clock}\n{each}\n\
             [[engine]]\nname = \"a\"\ncmd = \"./a\"\n[[engine]]\nname = \"b\"\ncmd = \"./b\"\n{sections}"
        ),
    )
}

pub(crate) fn try_prepare(spec: &Arc<Spec>) -> Result<Prepared, PrepareError> {
    prepare(Arc::clone(spec), &Host::default(), &Interrupts::new())
}

/// Plays a contest with no launcher.
#[track_caller]
pub(crate) fn play(spec: &Arc<Spec>) -> Played {
    play_with(spec, &Interrupts::new(), Vec::new())
}

#[track_caller]
pub(crate) fn play_with(
    spec: &Arc<Spec>,
    interrupts: &Interrupts,
    mut reporters: Vec<Box<dyn Reporter>>,
) -> Played {
    let prepared = match prepare(Arc::clone(spec), &Host::default(), interrupts) {
        Ok(prepared) => prepared,
        Err(error) => panic!("{error}"),
    };
    let collector = Collector::default();
    reporters.push(Box::new(collector.clone()));
    let finished = prepared.run(reporters);
    let events = collector.0.take();
    for (number, event) in events.iter().enumerate() {
        assert_eq!(event.seq, number as u64, "events have no gaps");
    }
    Played { finished, events }
}
