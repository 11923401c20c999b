//! Why a test is not played, as far as it can be told from here.

use std::time::Duration;

use fleet_api::{Problem, State};
use fleet_core::planner::Needs;

use super::Office;
use super::board::offer;
use super::contest::Contest;
use super::lend::needs;
use crate::store::tests::TestRow;

/// A worker that has had nothing to do for longer would have asked again.
const RECENT: Duration = Duration::from_secs(10 * 60);

/// Workers that are asked whether they can play it.
const MOST: u32 = 1000;

impl Office {
    /// What keeps a test of which `lent` pairs are lent from being played, if anything does.
    pub(super) async fn obstacle(
        &self,
        contest: &Contest,
        row: &TestRow,
        lent: u64,
    ) -> Result<Option<String>, Problem> {
        if row.state.is_final() {
            return Ok(None);
        }
        if let Err(problem) = self.book(contest).await {
            return Ok(Some(problem.message));
        }
        if row.state != State::Queued || lent > 0 || !self.store().is_open(&row.id).await? {
            return Ok(None);
        }
        let since = self.now().0.saturating_sub(RECENT.as_millis() as u64);
        let hosts = self.store().hosts(since, MOST).await?;
        let needs = needs(contest);
        Ok(match hosts.len() {
            0 => Some("no worker has asked for work in the last 10 minutes".to_owned()),
            _ if hosts.iter().any(|host| offer(host).slots(&needs) > 0) => None,
            1 => Some(format!(
                "the worker that is there cannot play it: {}",
                told(&needs)
            )),
            many => Some(format!(
                "none of the {many} workers that are there can play it: {}",
                told(&needs)
            )),
        })
    }
}

/// What a game takes, in words.
fn told(needs: &Needs<'_>) -> String {
    let mut parts = vec![
        format!("{} CPUs", needs.cores),
        format!("{} MiB of memory", needs.memory_mib),
    ];
    parts.extend(
        needs
            .platform
            .map(|platform| format!("the platform `{platform}`")),
    );
    parts.extend(
        needs
            .toolchain
            .iter()
            .map(|tool| format!("the program `{tool}`")),
    );
    if needs.tablebases > 0 {
        parts.push(format!("tablebases of {} men", needs.tablebases));
    }
    format!("a game needs {}", parts.join(", "))
}
