//! The tables, and how older ones become them.

use sqlx::{AnyPool, AssertSqlSafe, Executor, Row};

use super::{Dialect, StoreError};

/// Each takes the database from the version before to the next. What was released is never changed.
const MIGRATIONS: [&str; 1] = [include_str!("schema/1.sql")];

/// Brings the database to the newest version, each step whole or not at all.
pub(super) async fn migrate(pool: &AnyPool, dialect: Dialect) -> Result<(), StoreError> {
    let known = i64::try_from(MIGRATIONS.len()).expect("few migrations");
    let mut conn = pool.acquire().await?;
    if dialect == Dialect::Postgres {
        // Several coordinators may start at once; the lock goes with the connection's session.
        conn.execute("SELECT pg_advisory_lock(7164)").await?;
    }
    conn.execute("CREATE TABLE IF NOT EXISTS arbiter_version (version BIGINT NOT NULL)")
        .await?;
    let found: i64 = sqlx::query("SELECT COALESCE(MAX(version), 0) FROM arbiter_version")
        .fetch_one(&mut *conn)
        .await?
        .try_get(0)?;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    for version in found..known {
        let sql = MIGRATIONS[usize::try_from(version).expect("not negative")];
        let sql = match dialect {
            Dialect::Sqlite => sql.to_owned(),
            Dialect::Postgres => sql.replace("BLOB", "BYTEA"),
        };
        let mut transaction = sqlx::Connection::begin(&mut *conn).await?;
        for statement in sql
            .split(';')
            .map(str::trim)
            .filter(|text| !text.is_empty())
        {
            transaction
                .execute(sqlx::query(AssertSqlSafe(statement.to_owned())))
                .await?;
        }
        sqlx::query("INSERT INTO arbiter_version (version) VALUES ($1)")
            .bind(version + 1)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
    }
    if dialect == Dialect::Postgres {
        conn.execute("SELECT pg_advisory_unlock(7164)").await?;
    }
    Ok(())
}
