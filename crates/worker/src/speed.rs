//! How fast the base engine of a test is here, while everything that is lent is busy.
//!
//! It plays itself in as many games at a time as the test will have here: two games a slot from the
//! openings that come with arbiter, two moves a side, a quarter of a second a move, with the options,
//! the CPUs and the sandbox of the test. The speed is the median over all moves of the nodes that it
//! says it has searched, over the time that it was charged. A machine whose cores slow down when all of
//! them work is measured as slow as it will be.

use std::fs;
use std::io;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use match_core::adjudication::Adjudication;
use match_core::event::{Event, EventKind};
use match_core::limits::Limits;
use match_core::spec::{
    BookOrder, BookSource, Concurrency, EngineSpec, OpeningsSpec, Spec, Tournament,
};
use match_runner::{Host, Interrupts, PrepareError, ReportError, Reporter};
use thiserror::Error;

use crate::home::write_durably;

/// Of a move: long enough for an engine to come to speed.
const MOVE_TIME: Duration = Duration::from_millis(250);

/// Of a side in a game.
const MOVES: NonZeroU32 = NonZeroU32::new(2).expect("not 0");

/// Machines get new neighbours, fans get dust: after a day it is measured again.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);

/// Why a speed is not known.
#[derive(Debug, Error)]
pub(crate) enum SpeedError {
    #[error(
        "the base engine `{engine}` says no nodes in its `info` lines, and the test has a reference speed"
    )]
    Silent { engine: String },
    #[error("the speed of the base engine cannot be measured")]
    Contest(#[from] PrepareError),
    #[error("failed to keep the speed of the base engine")]
    Disk(#[from] io::Error),
}

/// Where speeds are kept.
#[derive(Clone, Debug)]
pub(crate) struct Speeds {
    folder: PathBuf,
}

/// Hears how many nodes were searched in which time.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<u64>>>);

impl Reporter for Listener {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        if let EventKind::GameFinished { record, .. } = &event.kind {
            let speeds = record.plies.iter().filter_map(|ply| {
                let nodes = ply.search.nodes?;
                Some((nodes as f64 / ply.spent.max(Duration::from_millis(1)).as_secs_f64()) as u64)
            });
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.extend(speeds);
        }
        Ok(())
    }
}

impl Speeds {
    pub(crate) fn open(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }

    /// The nodes a second of the engine at place `base` of `spec`, which is called `key` among all
    /// programs, when `slots` games run at a time; measured if it is not known, or not any more.
    /// Nothing when it was interrupted.
    pub(crate) fn of(
        &self,
        spec: &Spec,
        base: usize,
        slots: NonZeroUsize,
        key: &str,
        host: &Host,
        interrupts: &Interrupts,
    ) -> Result<Option<u64>, SpeedError> {
        let path = self.folder.join(key);
        if let Some(known) = known(&path) {
            return Ok(Some(known));
        }
        let listener = Listener::default();
        let prepared =
            match_runner::prepare(Arc::new(measurement(spec, base, slots)), host, interrupts)?;
        prepared.run(vec![Box::new(listener.clone())]);
        if interrupts.count() > 0 {
            return Ok(None);
        }
        let speeds =
            std::mem::take(&mut *listener.0.lock().unwrap_or_else(PoisonError::into_inner));
        let Some(nps) = median(speeds) else {
            let engine = spec.engines[base].name.clone();
            return Err(SpeedError::Silent { engine });
        };
        write_durably(&self.folder, &path, format!("{nps}\n").as_bytes())?;
        Ok(Some(nps))
    }
}

/// The number in a file, if it is not too old.
fn known(path: &std::path::Path) -> Option<u64> {
    let written = path.metadata().ok()?.modified().ok()?;
    let age = SystemTime::now().duration_since(written).ok()?;
    let text = fs::read_to_string(path).ok()?;
    text.trim().parse().ok().filter(|_| age < FRESH)
}

/// The contest that measures.
fn measurement(spec: &Spec, base: usize, slots: NonZeroUsize) -> Spec {
    let engine = |name: &str| EngineSpec {
        name: name.to_owned(),
        limits: Limits {
            move_time: Some(MOVE_TIME),
            margin: Duration::from_secs(10),
            ..Limits::default()
        },
        ..spec.engines[base].clone()
    };
    Spec {
        engines: vec![engine("base"), engine("base again")],
        tournament: Tournament::RoundRobin,
        pairs: NonZeroU64::new(slots.get() as u64).unwrap_or(NonZeroU64::MIN),
        concurrency: Concurrency::Slots(slots),
        share: None,
        openings: OpeningsSpec {
            source: BookSource::Embedded,
            order: BookOrder::Sequential,
            start: NonZeroU64::MIN,
        },
        adjudication: Adjudication {
            max_moves: Some(MOVES),
            ..Adjudication::default()
        },
        sprt: None,
        max_faults: Some(NonZeroU64::MIN),
        ..spec.clone()
    }
}

fn median(mut speeds: Vec<u64>) -> Option<u64> {
    speeds.sort_unstable();
    speeds.get(speeds.len() / 2).copied().filter(|&nps| nps > 0)
}
