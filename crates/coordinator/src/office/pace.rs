//! The times that a worker plays by, in a test whose times are for a reference speed.

use fleet_api::Report;
use fleet_core::pace::Factor;
use match_core::spec::Spec;

use super::Office;
use super::contest::Contest;
use crate::StoreError;
use crate::store::speeds::Said;

/// What holds for the pairs of a report.
pub(super) struct Paced {
    /// The contest with the worker's times; its own without it.
    pub(super) spec: Option<Spec>,
    /// The speed that it says, to be kept.
    pub(super) said: Option<Said>,
}

impl Office {
    /// By which times the pairs of `report` of a `worker`'s `lease` were played; in words why that is
    /// not believed.
    pub(super) async fn pace(
        &self,
        contest: &Contest,
        (lease, worker): (&str, &str),
        report: &Report,
    ) -> Result<Result<Paced, String>, StoreError> {
        let (Some(reference), Some(first)) = (contest.spec.reference, report.pairs.first()) else {
            let (spec, said) = (None, None);
            return Ok(Ok(Paced { spec, said }));
        };
        let Some(nps) = first.base_nps else {
            let why = "the speed of the base engine is not said, and times depend on it";
            return Ok(Err(why.to_owned()));
        };
        let known = self.store().speed(&contest.id, worker).await?;
        let before = known
            .filter(|said| said.lease == lease)
            .map(|said| said.nps);
        let is_same = report.pairs.iter().all(|pair| pair.base_nps == Some(nps));
        if !is_same || before.is_some_and(|before| before != nps) {
            let why = "the speed of the base engine changes within a lease";
            return Ok(Err(why.to_owned()));
        }
        Ok(match Factor::of(reference.nps, nps) {
            Ok(factor) => Ok(Paced {
                spec: Some(factor.scaled(&contest.spec.spec)),
                said: before.is_none().then(|| Said {
                    lease: lease.to_owned(),
                    nps,
                }),
            }),
            Err(out_of_range) => Err(out_of_range.to_string()),
        })
    }
}
