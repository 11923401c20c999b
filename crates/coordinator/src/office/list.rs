//! All tests, a line each.

use fleet_api::{Problem, TestLine, WhichTests};

use super::Office;
use super::contest::Contest;
use super::workers::page;
use crate::store::lines::{LineRow, Score};

impl Office {
    /// These tests, newest first.
    pub(crate) async fn list(&self, which: WhichTests) -> Result<Vec<TestLine>, Problem> {
        page(which.limit)?;
        let mut lines = Vec::new();
        let mut last = Vec::new();
        for row in self.store().lines(which).await? {
            let score = match row.score {
                Some(score) if score.entries == row.entries => score,
                stale => match self.score(&row).await {
                    Ok(score) => {
                        if row.state.is_final() {
                            last.push((row.id.clone(), score));
                        }
                        score
                    }
                    // Its book is gone, say: the others are listed all the same.
                    Err(problem) => {
                        tracing::warn!(test = row.id, %problem, "a test cannot be followed");
                        stale.unwrap_or_default()
                    }
                },
            };
            lines.push(line(row, score));
        }
        if !last.is_empty() {
            self.keep_scores(last).await;
        }
        Ok(lines)
    }

    /// How a test stands now.
    async fn score(&self, row: &LineRow) -> Result<Score, Problem> {
        let contest = self.contest(&row.id).await?;
        self.follow_to(&contest, row.entries).await?;
        Ok(contest.score().await)
    }

    /// Keeps scores for the next list. Without them it is only slower.
    pub(super) async fn keep_scores(&self, scores: Vec<(String, Score)>) {
        if let Err(error) = self.store().keep_scores(scores).await {
            tracing::warn!(%error, "scores of tests were not kept");
        }
    }
}

impl Contest {
    /// What a list says of it, as far as it was followed.
    pub(super) async fn score(&self) -> Score {
        let standing = self.standing.lock().await;
        Score {
            entries: standing.entries(),
            pairs: standing.pairs(),
            pairs_wanted: self.spec.pairs_wanted(),
            llr: standing.sequential().map(|test| test.progress().llr),
        }
    }
}

fn line(row: LineRow, score: Score) -> TestLine {
    TestLine {
        id: row.id,
        name: row.name,
        owner: row.owner,
        state: row.state,
        created_ms: row.created.0,
        pairs: score.pairs,
        pairs_wanted: score.pairs_wanted,
        llr: score.llr,
    }
}
