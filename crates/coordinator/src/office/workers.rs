//! Who is there.

use fleet_api::{Code, Problem, WhichWorkers, WorkerLine};

use super::{Office, problem};

/// The longest page of a list, and that of who does not say.
const PAGE_MAX: u32 = 1000;
const PAGE: u32 = 100;

impl Office {
    /// A page of the workers that were ever heard of.
    pub(crate) async fn workers(&self, which: WhichWorkers) -> Result<Vec<WorkerLine>, Problem> {
        let limit = page(which.limit)?.unwrap_or(PAGE);
        let after = which.after.as_deref();
        let workers = self.store().workers(limit, after).await?;
        workers.ok_or_else(|| problem(Code::NotFound, "`after` is no worker that is known here"))
    }
}

/// How many a page has, if that is said and can be.
pub(super) fn page(limit: Option<u32>) -> Result<Option<u32>, Problem> {
    match limit {
        Some(limit) if !(1..=PAGE_MAX).contains(&limit) => {
            let text = format!("`limit` is {limit}: 1 to {PAGE_MAX} is allowed");
            Err(problem(Code::Refused, text))
        }
        said => Ok(said),
    }
}
