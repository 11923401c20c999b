//! Tokens, known by their hashes only.

use fleet_api::Scope;
use fleet_core::timestamp::Timestamp;
use sqlx::Row;

use super::audit::signed;
use super::{Store, StoreError};

/// A token as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct TokenRow {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) hash: String,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) expires: Option<Timestamp>,
}

impl Store {
    /// Keeps a new token.
    pub(crate) async fn add_token(&self, at: Timestamp, token: TokenRow) -> Result<(), StoreError> {
        self.write(move |tx| {
            let token = token.clone();
            Box::pin(async move {
                let scopes: Vec<&str> = token.scopes.iter().map(|scope| scope.name()).collect();
                sqlx::query(
                    "INSERT INTO tokens (id, owner, hash, scopes, created_ms, expires_ms) \
                     VALUES ($1, $2, $3, $4, $5, $6)",
                )
                .bind(token.id)
                .bind(token.owner)
                .bind(token.hash)
                .bind(scopes.join(" "))
                .bind(signed(at.0))
                .bind(token.expires.map(|at| signed(at.0)))
                .execute(tx.sql().await?)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// The owner and the scopes of the token with `hash`, if it is worth anything at `at`.
    pub(crate) async fn token(
        &self,
        at: Timestamp,
        hash: &str,
    ) -> Result<Option<(String, Vec<Scope>)>, StoreError> {
        let row = sqlx::query(
            "SELECT owner, scopes FROM tokens WHERE hash = $1 AND revoked_ms IS NULL \
             AND (expires_ms IS NULL OR expires_ms > $2)",
        )
        .bind(hash)
        .bind(signed(at.0))
        .fetch_optional(&self.pool)
        .await?;
        row.map(|row| {
            let scopes: String = row.try_get(1)?;
            let scopes = scopes
                .split(' ')
                .filter_map(|name| name.parse().ok())
                .collect();
            Ok((row.try_get(0)?, scopes))
        })
        .transpose()
    }

    /// Takes a token's worth away; whether there was such a token.
    pub(crate) async fn revoke_token(&self, at: Timestamp, id: &str) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.write(move |tx| {
            let id = id.clone();
            Box::pin(async move {
                let done = sqlx::query(
                    "UPDATE tokens SET revoked_ms = $1 WHERE id = $2 AND revoked_ms IS NULL",
                )
                .bind(signed(at.0))
                .bind(id)
                .execute(tx.sql().await?)
                .await?;
                Ok(done.rows_affected() > 0)
            })
        })
        .await
    }

    /// Whether there is any token.
    pub(crate) async fn has_tokens(&self) -> Result<bool, StoreError> {
        let row = sqlx::query("SELECT COUNT(*) FROM tokens")
            .fetch_one(&self.pool)
            .await?;
        let count: i64 = row.try_get(0)?;
        Ok(count > 0)
    }
}
