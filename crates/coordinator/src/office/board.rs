//! What can be lent, at a glance: the tests of which pairs can be had, kept beside the store so that a
//! claim need not ask it of each of a thousand tests.
//!
//! It may lag behind for a moment. A plan made from it is only a plan: whether there are pairs is found
//! out when they are lent, under lock.

use std::collections::{BTreeMap, BTreeSet};

use fleet_api::HostFacts;
use fleet_core::planner::{self, Candidate, Needs, Offer};
use fleet_core::test_spec::TestSpec;
use tokio::sync::Mutex;

use super::Office;
use crate::StoreError;
use crate::store::plans::OpenTest;

/// What can be lent; nothing is known before it was asked for.
#[derive(Debug, Default)]
pub(super) struct Board(Mutex<Option<Notes>>);

#[derive(Debug, Default)]
struct Notes {
    tests: BTreeMap<String, Note>,
    /// The virtual times of owners.
    owners: BTreeMap<String, f64>,
}

/// A test of which pairs can be lent.
#[derive(Debug)]
struct Note {
    owner: String,
    virtual_time: f64,
    wants: Wants,
}

/// What of a test's text a plan needs.
#[derive(Debug)]
struct Wants {
    priority: i64,
    cores: u32,
    memory_mib: u64,
    platform: Option<String>,
    toolchain: Vec<String>,
    tablebases: u32,
}

impl Office {
    /// The test of which a worker on `host` is to have pairs, but none of `without`.
    pub(super) async fn plan(
        &self,
        host: &HostFacts,
        without: &BTreeSet<String>,
    ) -> Result<Option<String>, StoreError> {
        let mut notes = self.0.board.0.lock().await;
        let notes = match &mut *notes {
            Some(notes) => notes,
            none => none.insert(self.read_board().await?),
        };
        let candidates: Vec<Candidate<'_>> = notes
            .tests
            .iter()
            .filter(|(id, _)| !without.contains(*id))
            .map(|(id, note)| Candidate {
                test: id,
                owner: &note.owner,
                priority: note.wants.priority,
                virtual_time: note.virtual_time,
                needs: note.wants.needs(),
            })
            .collect();
        let chosen = planner::choose(&candidates, &notes.owners, &offer(host));
        Ok(chosen.map(str::to_owned))
    }

    /// A test has changed, or its owner's clock has.
    pub(super) async fn note_on_board(&self, test: &str) -> Result<(), StoreError> {
        let mut notes = self.0.board.0.lock().await;
        let Some(notes) = &mut *notes else {
            return Ok(());
        };
        match self.store().open_test(test).await? {
            Some(open) => self.note(notes, open).await?,
            None => drop(notes.tests.remove(test)),
        }
        Ok(())
    }

    /// Anything may have changed.
    pub(super) async fn forget_board(&self) {
        *self.0.board.0.lock().await = None;
    }

    async fn read_board(&self) -> Result<Notes, StoreError> {
        let mut notes = Notes::default();
        for open in self.store().open_tests().await? {
            self.note(&mut notes, open).await?;
        }
        Ok(notes)
    }

    async fn note(&self, notes: &mut Notes, open: OpenTest) -> Result<(), StoreError> {
        notes.owners.insert(open.owner.clone(), open.owner_time);
        if let Some(note) = notes.tests.get_mut(&open.id) {
            note.virtual_time = open.virtual_time;
            note.wants.priority = open.priority.unwrap_or(note.wants.priority);
            return Ok(());
        }
        let text = self.store().test_text(&open.id).await?.unwrap_or_default();
        // Whatever cannot be read any more is nobody's turn; its owner sees why when he asks for it.
        if let Ok(spec) = TestSpec::parse(&text) {
            let note = Note {
                owner: open.owner,
                virtual_time: open.virtual_time,
                wants: Wants::of(&spec, open.priority),
            };
            notes.tests.insert(open.id, note);
        }
        Ok(())
    }
}

impl Wants {
    fn of(spec: &TestSpec, priority: Option<i64>) -> Self {
        Self {
            priority: priority.unwrap_or(spec.priority),
            cores: spec.cores(),
            memory_mib: spec.memory_mib(),
            platform: spec.platform.clone(),
            toolchain: spec.toolchain().into_iter().map(str::to_owned).collect(),
            tablebases: spec.tablebases(),
        }
    }

    fn needs(&self) -> Needs<'_> {
        Needs {
            cores: self.cores,
            memory_mib: self.memory_mib,
            platform: self.platform.as_deref(),
            toolchain: self.toolchain.iter().map(String::as_str).collect(),
            tablebases: self.tablebases,
        }
    }
}

/// What a worker says that it has.
pub(super) fn offer(host: &HostFacts) -> Offer<'_> {
    Offer {
        cores: host.cores,
        memory_mib: host.memory_mib,
        platform: &host.platform,
        toolchains: host.toolchains.iter().map(String::as_str).collect(),
        tablebases: host.tablebases,
    }
}
