//! Tokens, known by their hashes only.

use fleet_api::{Scope, TokenView};
use fleet_core::timestamp::Timestamp;
use sqlx::Row;

use super::audit::{signed, unsigned};
use super::{Store, StoreError, Tx};

/// A token as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct TokenRow {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) hash: String,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) expires: Option<Timestamp>,
    /// Whether a password brought it: then it ends with that password.
    pub(crate) by_login: bool,
}

/// What a token is worth.
#[derive(Clone, Debug)]
pub(crate) struct Worth {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) expires: Option<Timestamp>,
}

/// Keeps a new token.
pub(crate) async fn add(
    tx: &mut Tx<'_>,
    at: Timestamp,
    token: &TokenRow,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO tokens (id, owner, hash, scopes, created_ms, expires_ms, by_login) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&token.id)
    .bind(&token.owner)
    .bind(&token.hash)
    .bind(joined(&token.scopes))
    .bind(signed(at.0))
    .bind(token.expires.map(|at| signed(at.0)))
    .bind(i64::from(token.by_login))
    .execute(tx.sql().await?)
    .await?;
    Ok(())
}

/// Takes a token's worth away, only that of `owner` if one is given; whether there was such a token.
pub(crate) async fn revoke(
    tx: &mut Tx<'_>,
    at: Timestamp,
    id: &str,
    owner: Option<&str>,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE tokens SET revoked_ms = $1 WHERE id = $2 AND revoked_ms IS NULL \
         AND owner = COALESCE($3, owner)",
    )
    .bind(signed(at.0))
    .bind(id)
    .bind(owner.map(str::to_owned))
    .execute(tx.sql().await?)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// All that the tokens of `owner` allow that are worth something at `at`.
pub(crate) async fn held_by(
    tx: &mut Tx<'_>,
    at: Timestamp,
    owner: &str,
) -> Result<Vec<Scope>, StoreError> {
    let rows = sqlx::query(
        "SELECT DISTINCT scopes FROM tokens WHERE owner = $1 AND revoked_ms IS NULL \
         AND (expires_ms IS NULL OR expires_ms > $2)",
    )
    .bind(owner)
    .bind(signed(at.0))
    .fetch_all(tx.sql().await?)
    .await?;
    let mut held = Vec::new();
    for row in rows {
        held.extend(scopes(row.try_get(0)?));
    }
    Ok(held)
}

impl Store {
    /// What the token with `hash` is worth at `at`: nothing if its user is disabled, and no more
    /// scopes than its user has, if it belongs to one with a password.
    pub(crate) async fn token(
        &self,
        at: Timestamp,
        hash: &str,
    ) -> Result<Option<Worth>, StoreError> {
        let row = sqlx::query(
            "SELECT tokens.id, tokens.owner, tokens.scopes, tokens.expires_ms, users.scopes \
             FROM tokens LEFT JOIN users ON users.name = tokens.owner \
             WHERE tokens.hash = $1 AND tokens.revoked_ms IS NULL AND users.disabled_ms IS NULL \
             AND (tokens.expires_ms IS NULL OR tokens.expires_ms > $2)",
        )
        .bind(hash)
        .bind(signed(at.0))
        .fetch_optional(&self.pool)
        .await?;
        row.map(|row| {
            let expires: Option<i64> = row.try_get(3)?;
            let most: Option<String> = row.try_get(4)?;
            let most = most.map(scopes);
            let mut held = scopes(row.try_get(2)?);
            held.retain(|scope| {
                most.as_ref()
                    .is_none_or(|most| most.iter().any(|of_user| of_user.allows(*scope)))
            });
            Ok(Worth {
                id: row.try_get(0)?,
                owner: row.try_get(1)?,
                scopes: held,
                expires: expires.map(|at| Timestamp(unsigned(at))),
            })
        })
        .transpose()
    }

    /// The tokens that are worth something at `at`, newest first: all, or those of `owner`.
    pub(crate) async fn tokens(
        &self,
        at: Timestamp,
        owner: Option<&str>,
    ) -> Result<Vec<TokenView>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, owner, scopes, created_ms, expires_ms FROM tokens \
             WHERE revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > $1) \
             AND owner = COALESCE($2, owner) ORDER BY created_ms DESC, id DESC",
        )
        .bind(signed(at.0))
        .bind(owner.map(str::to_owned))
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let expires: Option<i64> = row.try_get(4)?;
                Ok(TokenView {
                    id: row.try_get(0)?,
                    user: row.try_get(1)?,
                    scopes: scopes(row.try_get(2)?),
                    created_ms: unsigned(row.try_get(3)?),
                    expires_ms: expires.map(unsigned),
                })
            })
            .collect()
    }

    /// Whether somebody can administrate at `at`, with a token or with a password.
    pub(crate) async fn has_admin(&self, at: Timestamp) -> Result<bool, StoreError> {
        // No other scope has these letters in it.
        let row = sqlx::query(
            "SELECT (SELECT COUNT(*) FROM users \
             WHERE disabled_ms IS NULL AND scopes LIKE '%admin%') + \
             (SELECT COUNT(*) FROM tokens LEFT JOIN users ON users.name = tokens.owner \
             WHERE tokens.scopes LIKE '%admin%' AND tokens.revoked_ms IS NULL \
             AND (tokens.expires_ms IS NULL OR tokens.expires_ms > $1) \
             AND users.disabled_ms IS NULL AND COALESCE(users.scopes, 'admin') LIKE '%admin%')",
        )
        .bind(signed(at.0))
        .fetch_one(&self.pool)
        .await?;
        let count: i64 = row.try_get(0)?;
        Ok(count > 0)
    }
}

/// Scopes as they are kept.
pub(super) fn joined(scopes: &[Scope]) -> String {
    let names: Vec<&str> = scopes.iter().map(|scope| scope.name()).collect();
    names.join(" ")
}

/// And back.
pub(super) fn scopes(text: String) -> Vec<Scope> {
    text.split(' ')
        .filter_map(|name| name.parse().ok())
        .collect()
}
