//! How tests stand.

use std::time::Duration;

use fleet_api::{AuditEntry, Problem, TestView};

use fleet_core::pace::Factor;

use super::Office;
use super::contest::no_such_test;
use crate::store::tests::TestRow;

/// Troubles that are shown with a test.
const TROUBLES: i64 = 10;

impl Office {
    /// All of a test.
    pub(crate) async fn view(&self, id: &str) -> Result<TestView, Problem> {
        let contest = self.contest(id).await?;
        let standing = self.standing(&contest).await?;
        let row: TestRow = self.store().test(id).await?.ok_or_else(no_such_test)?;
        let wishes = self.store().wishes(id).await?;
        let (pairs_lent, workers_now) = self.store().lent(id).await?;
        let troubles = self.store().troubles(id, TROUBLES).await?;
        let mut speeds = self.store().speeds(id).await?;
        if let Some(reference) = contest.spec.reference {
            for speed in &mut speeds {
                let factor = Factor::of(reference.nps, speed.nps);
                speed.factor = factor.map_or(1.0, Factor::as_f64);
            }
        }
        let barred = self.store().barred(id, self.now()).await?;
        let wall: Duration = row.ended.unwrap_or_else(|| self.now()) - row.created;
        let obstacle = self.obstacle(&contest, &row, pairs_lent).await?;
        let is_of_two = contest.spec.spec.engines.len() == 2;
        let late_pentanomial = match row.late_pairs > 0 && is_of_two {
            true => Some(self.store().late_pentanomial(id).await?),
            false => None,
        };
        // Of pairs that came to an older coordinator it is not known.
        let is_whole = |late: &[u64; 5]| late.iter().sum::<u64>() >= row.late_pairs;
        let late_pentanomial = late_pentanomial.filter(is_whole);
        let summary = standing.summary(&contest.spec.spec, wall);
        let summary = match serde_json::to_value(&summary) {
            Ok(serde_json::Value::Object(fields)) => fields,
            Ok(_) | Err(_) => unreachable!("a summary is an object of finite numbers"),
        };
        Ok(TestView {
            name: row.name,
            owner: row.owner,
            state: row.state,
            reason: row.reason,
            obstacle,
            created_ms: row.created.0,
            ended_ms: row.ended.map(|at| at.0),
            priority: wishes.priority.unwrap_or(contest.spec.priority),
            weight: row.weight,
            tags: wishes.tags.unwrap_or_else(|| contest.spec.tags.clone()),
            note: wishes.note.unwrap_or_else(|| contest.spec.note.clone()),
            spec: contest.text.clone(),
            pairs_wanted: contest.spec.pairs_wanted(),
            pairs_lent,
            workers_now,
            late_pairs: row.late_pairs,
            late_pentanomial,
            troubles,
            barred,
            aside: self.aside(&contest, &standing).await?,
            recount: self.store().recount(id).await?,
            speeds,
            summary,
            id: row.id,
        })
    }

    /// Who did what to a test and when.
    pub(crate) async fn audit(&self, id: &str) -> Result<Vec<AuditEntry>, Problem> {
        let entries = self.store().audit(id).await?;
        match entries.is_empty() {
            true => Err(no_such_test()),
            false => Ok(entries),
        }
    }
}
