//! What all coordinators of a database must agree on.

use sqlx::Row;

use super::{Store, StoreError};

impl Store {
    /// Whether `fingerprint` is that of the signing secret of this database; the first one that comes is.
    pub(crate) async fn has_secret(&self, fingerprint: String) -> Result<bool, StoreError> {
        self.write(move |tx| {
            let fingerprint = fingerprint.clone();
            Box::pin(async move {
                sqlx::query(
                    "INSERT INTO house (name, value) VALUES ('signing secret', $1) \
                     ON CONFLICT (name) DO NOTHING",
                )
                .bind(&fingerprint)
                .execute(tx.sql().await?)
                .await?;
                let row = sqlx::query("SELECT value FROM house WHERE name = 'signing secret'")
                    .fetch_one(tx.sql().await?)
                    .await?;
                let kept: String = row.try_get(0)?;
                Ok(kept == fingerprint)
            })
        })
        .await
    }
}
