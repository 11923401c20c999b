//! People change what a test is to have of the fleet, and what its owner is to have.

use fleet_api::{ChangeTest, Code, OwnerShare, Problem};
use fleet_core::life;
use fleet_core::test_spec::WEIGHTS;

use super::contest::no_such_test;
use super::{Office, User, act, problem};
use crate::store::{audit, tests, wishes};

/// The largest class, and the smallest below 0.
const PRIORITY_MAX: i64 = 1000;

/// Bytes of a note, and words of so many bytes each.
const NOTE_MAX: usize = 64 * 1024;
const TAGS_MAX: usize = 64;
const TAG_MAX: usize = 200;

impl Office {
    /// Changes a test that is not over.
    pub(crate) async fn change_test(
        &self,
        user: &User,
        id: &str,
        change: ChangeTest,
    ) -> Result<(), Problem> {
        check(&change)?;
        let (at, user, test) = (self.now(), user.clone(), id.to_owned());
        let done = self
            .store()
            .write(move |tx| {
                let (user, test, change) = (user.clone(), test.clone(), change.clone());
                Box::pin(async move {
                    let Some(row) = tests::locked(tx, &test).await? else {
                        return Ok(Err(no_such_test()));
                    };
                    let actor = user.actor();
                    let allowed = life::may_change(&row.owner, actor).and_then(|()| {
                        life::may_have_priority(change.priority.unwrap_or(0), actor)
                    });
                    if let Err(refusal) = allowed {
                        return Ok(Err(act::refused(&refusal)));
                    }
                    if row.state.is_final() {
                        let text = "a test that is over has no turn any more";
                        return Ok(Err(problem(Code::Conflict, text)));
                    }
                    wishes::change(tx, &test, &change).await?;
                    audit::note(tx, at, &test, &user.name, "set", &told(&change)).await?;
                    Ok(Ok(()))
                })
            })
            .await?;
        self.note_on_board(id).await?;
        self.tell(id);
        done
    }

    /// Gives an owner another share.
    pub(crate) async fn set_owner(&self, user: &User, share: OwnerShare) -> Result<(), Problem> {
        check_weight(share.weight)?;
        if share.owner.trim().is_empty()
            || share.owner.len() > TAG_MAX
            || share.owner.contains(char::is_control)
        {
            let text = format!("an owner has a name of one line, at most {TAG_MAX} bytes");
            return Err(problem(Code::Refused, text));
        }
        let (at, who) = (self.now(), user.name.clone());
        self.store()
            .write(move |tx| {
                let (share, who) = (share.clone(), who.clone());
                Box::pin(async move {
                    wishes::set_owner(tx, &share).await?;
                    let detail = format!("{} has weight {}", share.owner, share.weight);
                    audit::note(tx, at, "", &who, "set owner", &detail).await
                })
            })
            .await?;
        Ok(())
    }

    /// The shares of owners.
    pub(crate) async fn owners(&self) -> Result<Vec<OwnerShare>, Problem> {
        Ok(self.store().owners().await?)
    }
}

fn check(change: &ChangeTest) -> Result<(), Problem> {
    if *change == ChangeTest::default() {
        let text = "nothing is to be changed: priority, weight, tags or note";
        return Err(problem(Code::Refused, text));
    }
    check_priority(change.priority.unwrap_or(0))?;
    if let Some(weight) = change.weight {
        check_weight(weight)?;
    }
    let note = change.note.as_deref().unwrap_or_default();
    check_words(change.tags.as_deref().unwrap_or_default(), note)
}

/// Refuses a class that there is not.
pub(super) fn check_priority(priority: i64) -> Result<(), Problem> {
    if (-PRIORITY_MAX..=PRIORITY_MAX).contains(&priority) {
        return Ok(());
    }
    let text = format!("`priority` is {priority}: -{PRIORITY_MAX} to {PRIORITY_MAX} is allowed");
    Err(problem(Code::Refused, text))
}

/// Refuses tags and notes that are too long or not text.
pub(super) fn check_words(tags: &[String], note: &str) -> Result<(), Problem> {
    let refuse = |text: String| Err(problem(Code::Refused, text));
    let is_odd = |c: char| c.is_control() && !['\n', '\t'].contains(&c);
    let is_tag = |tag: &String| tag.len() <= TAG_MAX && !tag.contains(char::is_control);
    if tags.len() > TAGS_MAX || !tags.iter().all(is_tag) {
        return refuse(format!(
            "at most {TAGS_MAX} tags of at most {TAG_MAX} bytes in one line are allowed"
        ));
    }
    if note.len() > NOTE_MAX || note.contains(is_odd) {
        return refuse(format!("a note has at most {NOTE_MAX} bytes of text"));
    }
    Ok(())
}

fn check_weight(weight: f64) -> Result<(), Problem> {
    if WEIGHTS.contains(&weight) {
        return Ok(());
    }
    let (least, most) = (WEIGHTS.start(), WEIGHTS.end());
    let text = format!("`weight` is {weight}: {least} to {most} is allowed");
    Err(problem(Code::Refused, text))
}

/// What was changed, for those who come later.
fn told(change: &ChangeTest) -> String {
    let parts = [
        change
            .priority
            .map(|priority| format!("priority {priority}")),
        change.weight.map(|weight| format!("weight {weight}")),
        change
            .tags
            .as_ref()
            .map(|tags| format!("tags {}", tags.join(", "))),
        change.note.as_ref().map(|_| "note".to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join("; ")
}
