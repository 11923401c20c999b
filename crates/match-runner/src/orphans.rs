//! What engines leave behind: processes that live on when their engine has ended.
//!
//! A child of an engine is in its process group and dies with it, unless it has left the group. Then
//! three things find it: every engine bears a mark in its environment, which its children inherit; who
//! loses its parent becomes a child of ours, because we are a subreaper; and the guard looks for marks
//! when we are gone. A process that leaves the group *and* wipes its environment is found at the end of
//! the contest only if it is still a child of ours. Engines in a sandbox cannot leave the group at all.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Mutex, PoisonError};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpgrp, getpid, kill_process, set_child_subreaper, waitid,
};

use crate::census;

/// The variable that bears the mark.
pub(crate) const VARIABLE: &str = "ARBITER_ENGINE";

/// Rounds in which processes are looked for: who is killed may have left children of its own, and those
/// are only then seen.
const ROUNDS_MAX: usize = 16;

/// How many different commands are told at the end.
const COMMANDS_MAX: usize = 16;

/// The processes that we have started and know of, and what was found beside them.
#[derive(Debug)]
pub(crate) struct Roster {
    /// Stands for us in the marks of our engines.
    mark: String,
    known: Mutex<Known>,
    found: Mutex<BTreeMap<String, u64>>,
}

#[derive(Debug, Default)]
struct Known {
    ids: Vec<u32>,
    /// Engines started so far.
    engines: u64,
}

impl Roster {
    /// From here on orphans are ours.
    pub(crate) fn new(mark: String) -> Self {
        // Where there is no such thing (before Linux 3.4) they are found by their marks at the end.
        let _orphans_go_to_others = set_child_subreaper(Some(getpid()));
        Self {
            mark,
            known: Mutex::default(),
            found: Mutex::default(),
        }
    }

    /// What stands for us in the marks of our engines.
    pub(crate) fn own_mark(&self) -> &str {
        &self.mark
    }

    /// A mark for us, unlike that of any other process of this machine now.
    pub(crate) fn mark() -> String {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let nanos = now.map_or(0, |now| now.as_nanos());
        format!("{}-{nanos}", std::process::id())
    }

    /// Starts an engine by `spawn`, which is given its mark and says the new process.
    ///
    /// # Errors
    /// Those of `spawn`.
    pub(crate) fn start<T>(
        &self,
        spawn: impl FnOnce(&str) -> std::io::Result<(u32, T)>,
    ) -> std::io::Result<(String, T)> {
        // Under the lock, so that nobody takes the new process for an orphan.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.engines += 1;
        let mark = format!("{}.{}", self.mark, known.engines);
        let (id, started) = spawn(&mark)?;
        known.ids.push(id);
        Ok((mark, started))
    }

    /// An engine has ended and been waited for: kills what bears its mark, and waits for what has died.
    /// `name` is the engine's.
    pub(crate) fn strike(&self, id: u32, mark: &str, name: &str) {
        for _ in 0..ROUNDS_MAX {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.ids.retain(|&known| known != id);
            let orphans = orphans(&known.ids);
            drop(known);
            let mut any = false;
            for orphan in orphans {
                if is_marked(orphan, |found| found == mark) {
                    // Whoever stayed in the group is dying with it already.
                    let group = census::entry(orphan.as_raw_pid().unsigned_abs());
                    if group.is_some_and(|(_, group)| group != id) {
                        self.remember(name, orphan);
                    }
                    let _it_ended_meanwhile = kill_process(orphan, Signal::KILL);
                    let _it_is_dying = waitid(WaitId::Pid(orphan), WaitIdOptions::EXITED);
                    any = true;
                } else if is_dead(orphan) {
                    let nohang = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
                    let _somebody_was_quicker = waitid(WaitId::Pid(orphan), nohang);
                }
            }
            if !any {
                return;
            }
        }
    }

    fn remember(&self, name: &str, orphan: Pid) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let text = format!("{name} left a process behind, `{}`", command_of(orphan));
        if found.len() < COMMANDS_MAX || found.contains_key(&text) {
            *found.entry(text).or_default() += 1;
        }
    }

    /// What was left behind by whom and killed, as lines.
    pub(crate) fn found(&self) -> Vec<String> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let line = |(text, &times): (&String, &u64)| match times {
            1 => format!("{text}, which was killed"),
            _ => format!("{text}, {times} times; they were killed"),
        };
        found.iter().map(line).collect()
    }
}

/// Kills all processes that bear a mark of the arbiter with this one, whoever's children they are, and waits
/// for those that became ours.
pub(crate) fn kill_all(mark: &str) {
    let ours = |found: &str| {
        found
            .strip_prefix(mark)
            .is_some_and(|rest| rest.starts_with('.'))
    };
    for _ in 0..ROUNDS_MAX {
        let Ok(processes) = fs::read_dir("/proc") else {
            return;
        };
        let mut any = false;
        for process in processes.flatten() {
            let id = process.file_name().to_str().and_then(|id| id.parse().ok());
            if let Some(id) = id.and_then(Pid::from_raw)
                && is_marked(id, ours)
            {
                any |= kill_process(id, Signal::KILL).is_ok();
                let _it_is_not_ours = waitid(WaitId::Pid(id), WaitIdOptions::EXITED);
            }
        }
        if !any {
            return;
        }
    }
}

/// Children of ours that are not `known`. Orphans are given to our first thread.
fn orphans(known: &[u32]) -> Vec<Pid> {
    let us = getpid();
    let children = fs::read_to_string(format!("/proc/{us}/task/{us}/children"));
    children
        .unwrap_or_default()
        .split_ascii_whitespace()
        .filter_map(|id| id.parse().ok())
        .filter(|&id: &i32| !known.contains(&id.unsigned_abs()))
        .filter_map(Pid::from_raw)
        .collect()
}

fn is_marked(process: Pid, is_it: impl Fn(&str) -> bool) -> bool {
    let Ok(environment) = fs::read(format!("/proc/{process}/environ")) else {
        return false;
    };
    environment.split(|&byte| byte == 0).any(|entry| {
        str::from_utf8(entry)
            .ok()
            .and_then(|entry| entry.strip_prefix(VARIABLE)?.strip_prefix('='))
            .is_some_and(&is_it)
    })
}

/// Whether it has ended and is not in our own group, where there may be children that others wait for.
fn is_dead(process: Pid) -> bool {
    let ours = getpgrp().as_raw_pid().unsigned_abs();
    census::entry(process.as_raw_pid().unsigned_abs())
        .is_some_and(|(state, group)| state == 'Z' && group != ours)
}

fn command_of(process: Pid) -> String {
    /// Enough to know it again.
    const BYTES_MAX: usize = 200;
    let mut words = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    words.truncate(BYTES_MAX);
    String::from_utf8_lossy(&words)
        .replace(char::is_control, " ")
        .trim()
        .to_owned()
}
