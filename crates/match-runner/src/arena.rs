//! What all slots of a contest share.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};

use book::Book;
use match_core::fixture::EngineId;
use match_core::rules::Rules;
use match_core::spec::{EngineSpec, Spec};

use crate::cores::{Claims, Placement};
use crate::process::{Farewell, Launcher, Process, Start, end_all};
use crate::pulse::Pulse;
use crate::sandbox::Refusal;
use crate::tablebase::SyzygyTables;
use crate::wall::Wall;

/// Everything that does not change while games are played, and the engines that the pre-flight started.
#[derive(Debug)]
pub(crate) struct Arena {
    pub(crate) spec: Arc<Spec>,
    pub(crate) rules: Arc<Rules>,
    pub(crate) book: Book,
    pub(crate) tables: Option<Arc<SyzygyTables>>,
    /// By engine.
    pub(crate) starts: Vec<Start>,
    pub(crate) launcher: Option<Arc<Launcher>>,
    pub(crate) placement: Placement,
    pub(crate) _claims: Claims,
    pub(crate) keeps_remarks: bool,
    pub(crate) wall: Wall,
    /// Absent when the host is never to blame.
    pub(crate) pulse: Option<Pulse>,
    pub(crate) ready: Mutex<Vec<Engine>>,
    /// Plies played, games under way included.
    pub(crate) plies: Arc<AtomicU64>,
    /// What sandboxes have refused and has been told; once for each engine is enough.
    pub(crate) told: Mutex<Vec<(EngineId, Refusal)>>,
}

/// An engine that runs: its process and what is known of it.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) id: EngineId,
    pub(crate) process: Process,
    pub(crate) session: uci::Session,
}

/// How many refusals of one engine are told in a contest.
const REFUSALS_TOLD_MAX: usize = 16;

impl Arena {
    pub(crate) fn engine(&self, id: EngineId) -> &EngineSpec {
        &self.spec.engines[id.0]
    }

    /// The slot on whose CPUs the pre-flight starts an engine: that of its first game, as far as can be
    /// known.
    pub(crate) fn first_slot(&self, id: EngineId) -> usize {
        id.0 / 2 % self.placement.slots.get()
    }

    /// The pre-flight has started these.
    pub(crate) fn put_ready(&self, engines: Vec<Engine>) {
        self.ready
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(engines);
    }

    /// An engine that the pre-flight started and nobody has taken yet, for `slot`.
    ///
    /// # Errors
    /// When it cannot be moved to the CPUs of the slot; it is ended then.
    pub(crate) fn take_ready(&self, id: EngineId, slot: usize) -> Option<std::io::Result<Engine>> {
        let engine = {
            let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
            let place = ready.iter().position(|engine| engine.id == id)?;
            ready.swap_remove(place)
        };
        let moved = self
            .placement
            .of(slot)
            .map_or(Ok(()), |cpus| engine.process.move_to(cpus));
        Some(moved.map(|()| engine))
    }

    /// Ends those that the pre-flight started and nobody has taken.
    pub(crate) fn end_ready(&self, farewell: Farewell) {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        end_all(
            ready.iter_mut().map(|engine| &mut engine.process).collect(),
            farewell,
            None,
        );
        ready.clear();
    }

    /// What an engine's sandbox has kept it from and nobody was told of yet, as lines.
    pub(crate) fn refused(&self, id: EngineId, process: &Process) -> Vec<String> {
        let refusals = process.refusals();
        if refusals.is_empty() {
            return Vec::new();
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let mut news = Vec::new();
        for refusal in refusals {
            let of_this_engine = told.iter().filter(|(engine, _)| *engine == id).count();
            if of_this_engine < REFUSALS_TOLD_MAX && !told.contains(&(id, refusal.clone())) {
                news.push(format!(
                    "its sandbox kept it from {refusal}{}",
                    refusal.remedy()
                ));
                told.push((id, refusal));
            }
        }
        news
    }

    /// A fresh process on the CPUs of `slot`.
    ///
    /// # Errors
    /// When the operating system does not start it.
    pub(crate) fn spawn(&self, id: EngineId, slot: usize) -> std::io::Result<Engine> {
        let cpus = self.placement.of(slot);
        let process = Process::spawn(&self.starts[id.0], cpus, self.launcher.as_ref())?;
        // A principal variation is a long text; it is only kept where the PGN wants it.
        let wants_pv = self.spec.output.pgn.as_ref().is_some_and(|pgn| pgn.pv);
        Ok(Engine {
            id,
            process,
            session: uci::Session::new()
                .capturing_pv(wants_pv)
                .capturing_remark(self.keeps_remarks),
        })
    }
}
