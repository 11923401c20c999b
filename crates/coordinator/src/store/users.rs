//! Users, known by hashes of their passwords.

use fleet_api::{Scope, UserView};
use fleet_core::timestamp::Timestamp;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::audit::{signed, unsigned};
use super::tokens::{joined, scopes};
use super::{Store, StoreError, Tx, locking};

/// A user as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct UserRow {
    pub(crate) name: String,
    /// In the form of PHC strings.
    pub(crate) password: String,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) created: Timestamp,
    pub(crate) disabled: Option<Timestamp>,
}

impl UserRow {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let disabled: Option<i64> = row.try_get(4)?;
        Ok(Self {
            name: row.try_get(0)?,
            password: row.try_get(1)?,
            scopes: scopes(row.try_get(2)?),
            created: Timestamp(unsigned(row.try_get(3)?)),
            disabled: disabled.map(|at| Timestamp(unsigned(at))),
        })
    }

    /// What others see.
    pub(crate) fn view(self) -> UserView {
        UserView {
            name: self.name,
            scopes: self.scopes,
            disabled: self.disabled.is_some(),
            created_ms: self.created.0,
        }
    }
}

/// Keeps a new user; whether there was none of that name.
pub(crate) async fn add(tx: &mut Tx<'_>, user: &UserRow) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO users (name, password, scopes, created_ms) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (name) DO NOTHING",
    )
    .bind(&user.name)
    .bind(&user.password)
    .bind(joined(&user.scopes))
    .bind(signed(user.created.0))
    .execute(tx.sql().await?)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// A user that nobody else changes meanwhile.
pub(crate) async fn locked(tx: &mut Tx<'_>, name: &str) -> Result<Option<UserRow>, StoreError> {
    let row = locking!(
        tx,
        "SELECT name, password, scopes, created_ms, disabled_ms FROM users WHERE name = $1"
    )
    .bind(name)
    .fetch_optional(tx.sql().await?)
    .await?;
    row.as_ref().map(UserRow::read).transpose()
}

/// Keeps a user as it is now.
pub(crate) async fn update(tx: &mut Tx<'_>, user: &UserRow) -> Result<(), StoreError> {
    sqlx::query("UPDATE users SET password = $1, scopes = $2, disabled_ms = $3 WHERE name = $4")
        .bind(&user.password)
        .bind(joined(&user.scopes))
        .bind(user.disabled.map(|at| signed(at.0)))
        .bind(&user.name)
        .execute(tx.sql().await?)
        .await?;
    Ok(())
}

/// Ends the tokens that `user` got with a password, but for the one called `kept`.
pub(crate) async fn log_out(
    tx: &mut Tx<'_>,
    at: Timestamp,
    user: &str,
    kept: &str,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE tokens SET revoked_ms = $1 WHERE owner = $2 AND id <> $3 AND by_login = 1 \
         AND revoked_ms IS NULL",
    )
    .bind(signed(at.0))
    .bind(user)
    .bind(kept)
    .execute(tx.sql().await?)
    .await?;
    Ok(())
}

impl Store {
    /// The user called `name`.
    pub(crate) async fn user(&self, name: &str) -> Result<Option<UserRow>, StoreError> {
        let row = sqlx::query(
            "SELECT name, password, scopes, created_ms, disabled_ms FROM users WHERE name = $1",
        )
        .bind(name)
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(UserRow::read).transpose()
    }

    /// All users, by name.
    pub(crate) async fn users(&self) -> Result<Vec<UserRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT name, password, scopes, created_ms, disabled_ms FROM users ORDER BY name",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(UserRow::read).collect()
    }
}
