//! What people have changed of tests and of owners' shares since they came.

use fleet_api::{ChangeTest, OwnerShare};
use sqlx::Row;

use super::{Store, StoreError, Tx, tests};

/// What of a test was changed; what was not is as its text says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes {
    pub(crate) priority: Option<i64>,
    pub(crate) tags: Option<Vec<String>>,
    pub(crate) note: Option<String>,
}

impl Store {
    /// What was changed of the test called `id`.
    pub(crate) async fn wishes(&self, id: &str) -> Result<Wishes, StoreError> {
        let row = sqlx::query("SELECT priority, tags, note FROM tests WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        let Some(row) = row else {
            return Ok(Wishes::default());
        };
        let tags: Option<String> = row.try_get(1)?;
        Ok(Wishes {
            priority: row.try_get(0)?,
            tags: tags.and_then(|tags| serde_json::from_str(&tags).ok()),
            note: row.try_get(2)?,
        })
    }

    /// All owners that have had something, or a share of their own.
    pub(crate) async fn owners(&self) -> Result<Vec<OwnerShare>, StoreError> {
        let rows = sqlx::query("SELECT name, weight FROM owners ORDER BY name")
            .fetch_all(&self.pool)
            .await?;
        rows.iter()
            .map(|row| {
                Ok(OwnerShare {
                    owner: row.try_get(0)?,
                    weight: row.try_get(1)?,
                })
            })
            .collect()
    }
}

/// Changes a test that is locked.
pub(crate) async fn change(
    tx: &mut Tx<'_>,
    id: &str,
    change: &ChangeTest,
) -> Result<(), StoreError> {
    let tags = change
        .tags
        .as_ref()
        .map(|tags| serde_json::to_string(tags).expect("words are JSON"));
    sqlx::query(
        "UPDATE tests SET priority = COALESCE($1, priority), tags = COALESCE($2, tags), \
         note = COALESCE($3, note) WHERE id = $4",
    )
    .bind(change.priority)
    .bind(tags)
    .bind(&change.note)
    .bind(id)
    .execute(tx.sql().await?)
    .await?;
    if let Some(weight) = change.weight {
        // By itself: nulls of this type do not reach PostgreSQL as what they are.
        sqlx::query("UPDATE tests SET weight = $1 WHERE id = $2")
            .bind(weight)
            .bind(id)
            .execute(tx.sql().await?)
            .await?;
    }
    tests::set_weight(tx, id, change.weight);
    Ok(())
}

/// Gives an owner another share.
pub(crate) async fn set_owner(tx: &mut Tx<'_>, share: &OwnerShare) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO owners (name, virtual_time, weight) VALUES ($1, 0, $2) \
         ON CONFLICT (name) DO UPDATE SET weight = excluded.weight",
    )
    .bind(&share.owner)
    .bind(share.weight)
    .execute(tx.sql().await?)
    .await?;
    Ok(())
}
