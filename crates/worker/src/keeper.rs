//! From the events of a contest to pairs in the spool.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use fleet_api::{Game, PairReport};
use fleet_core::agent::Segment;
use match_core::event::{Event, EventKind, json};
use match_core::fixture::{EngineId, PairNumber};
use match_core::spec::Spec;
use match_runner::{ReportError, Reporter};

use crate::spool::Spool;

/// The most pairs of a segment, so that a few of them make a request.
const SEGMENT_PAIRS: usize = 16;

/// The most faults of a lease that are told with what the engines said last.
const FAULTS_MAX: usize = 5;

/// What went wrong while a lease was played.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(Arc<Mutex<Vec<String>>>);

impl Faults {
    fn add(&self, text: String) {
        let mut faults = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if faults.len() < FAULTS_MAX {
            faults.push(text);
        }
    }

    /// All of it.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Listens to a contest and hands on its pairs as soon as both games of one are finished.
pub(crate) struct Collector {
    spec: Option<Arc<Spec>>,
    /// The finished games of pairs that are not complete.
    halves: BTreeMap<PairNumber, Game>,
    /// What was said last of an engine: before its process is replaced that is why.
    warned: BTreeMap<EngineId, String>,
    faults: Faults,
    /// Nodes a second of the base engine, if that is to be told.
    base_nps: Option<u64>,
    pairs: Sender<PairReport>,
}

impl Collector {
    pub(crate) fn new(pairs: Sender<PairReport>, faults: Faults, base_nps: Option<u64>) -> Self {
        Self {
            spec: None,
            halves: BTreeMap::new(),
            warned: BTreeMap::new(),
            faults,
            base_nps,
            pairs,
        }
    }

    /// A finished game, the fields of which are those of its event.
    fn finished(
        &mut self,
        event: &Event,
        number: match_core::fixture::GameNumber,
    ) -> io::Result<()> {
        let spec = self
            .spec
            .as_ref()
            .expect("a contest starts before its games");
        let game: Game = serde_json::from_str(&json::line(event, spec))?;
        let pair = number.pair();
        let Some(other) = self.halves.remove(&pair) else {
            self.halves.insert(pair, game);
            return Ok(());
        };
        let games = match number.is_first_of_pair() {
            true => [game, other],
            false => [other, game],
        };
        let report = PairReport {
            pair: pair.0,
            games,
            base_nps: self.base_nps,
        };
        self.pairs
            .send(report)
            .map_err(|_| io::Error::other("results cannot be kept"))
    }
}

impl Reporter for Collector {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        match &event.kind {
            EventKind::ContestStarted { spec, .. } => self.spec = Some(Arc::clone(spec)),
            EventKind::GameFinished { record, .. } if record.verdict.outcome().is_some() => {
                let number = record.fixture.number;
                return self
                    .finished(event, number)
                    .map_err(|source| ReportError::new("to the spool", source));
            }
            EventKind::Warned {
                engine: Some(engine),
                text,
                ..
            } => {
                self.warned.insert(*engine, text.clone());
            }
            EventKind::EngineRestarted {
                engine,
                fault: Some(fault),
                ..
            } => {
                let spec = self
                    .spec
                    .as_ref()
                    .expect("a contest starts before its games");
                let name = &spec.engines[engine.0].name;
                let why = self.warned.remove(engine);
                let why = why.unwrap_or_else(|| fault.to_string());
                self.faults.add(format!("engine `{name}`: {why}"));
            }
            EventKind::ContestResumed { .. }
            | EventKind::EngineStartFailed { .. }
            | EventKind::GameStarted { .. }
            | EventKind::GameFinished { .. }
            | EventKind::Warned { .. }
            | EventKind::EngineRestarted { .. }
            | EventKind::FaultRecorded { .. }
            | EventKind::Draining { .. }
            | EventKind::ContestFinished { .. } => {}
        }
        Ok(())
    }
}

/// Keeps what comes until nothing more can, as many pairs at a time as have come meanwhile.
pub(crate) fn keep(
    (test, lease): (&str, &str),
    spool: &Spool,
    pairs: &Receiver<PairReport>,
    kept: impl Fn(Segment),
) -> io::Result<()> {
    while let Ok(first) = pairs.recv() {
        let mut segment = vec![first];
        segment.extend(pairs.try_iter().take(SEGMENT_PAIRS - 1));
        kept(spool.keep(test, lease, &segment)?);
    }
    Ok(())
}
