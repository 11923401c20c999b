//! The tables, and how older ones become them.

use sqlx::{AnyPool, AssertSqlSafe, Executor, Row};

use super::{Dialect, StoreError};

#[cfg(test)]
mod ages;

/// Each takes the database from the version before to the next. What was released is never changed.
const MIGRATIONS: [&str; 14] = [
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
    include_str!("schema/5.sql"),
    include_str!("schema/6.sql"),
    include_str!("schema/7.sql"),
    include_str!("schema/8.sql"),
    include_str!("schema/9.sql"),
    include_str!("schema/10.sql"),
    include_str!("schema/11.sql"),
    include_str!("schema/12.sql"),
    include_str!("schema/13.sql"),
    include_str!("schema/14.sql"),
];

/// Brings the database to the newest version, each step whole or not at all.
pub(super) async fn migrate(pool: &AnyPool, dialect: Dialect) -> Result<(), StoreError> {
    migrate_with(&MIGRATIONS, pool, dialect).await
}

async fn migrate_with(
    migrations: &[&str],
    pool: &AnyPool,
    dialect: Dialect,
) -> Result<(), StoreError> {
    let known = i64::try_from(migrations.len()).expect("few migrations");
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
        let sql = migrations[usize::try_from(version).expect("not negative")];
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    /// What a coordinator had of a test before workers had seats: two pairs of one worker and one
    /// of another, and a lease that lapsed.
    const BEFORE: &str = "
        INSERT INTO tests VALUES ('t', 'n', 'ada', 'queued', NULL, '', NULL, 1, NULL, 9, 9, 4, 0, 1, 0);
        INSERT INTO workers VALUES ('w2', 'ada', 'cellar', '{}', 5);
        INSERT INTO leases VALUES ('l1', 't', 'w1', 'c', 0, 2, 'settled', 1, 1, 0, 0, 'x', 0, 0, 2, 0, 0, 0, 0, '');
        INSERT INTO leases VALUES ('l2', 't', 'w2', 'c', 2, 2, 'lapsed', 1, 1, 0, 0, 'x', 0, 0, 1, 0, 0, 0, 0, '');
        INSERT INTO pairs VALUES ('t', 0, 'l1', 'w1', 3, 0, '[]');
        INSERT INTO pairs VALUES ('t', 1, 'l1', 'w1', 3, 0, '[]');
        INSERT INTO pairs VALUES ('t', 2, 'l2', 'w2', 3, 0, '[]');
        INSERT INTO entries VALUES ('t', 0, 1, 1, '1-0 checkmate 5. 0-1 checkmate 5');
        INSERT INTO entries VALUES ('t', 1, 2, 1, '1-0 checkmate 5. 0-1 checkmate 5');
        INSERT INTO entries VALUES ('t', 2, 3, 1, NULL);
        INSERT INTO entries VALUES ('t', 3, 0, 1, '1-0 checkmate 5. 0-1 checkmate 5')";

    #[tokio::test]
    async fn what_was_counted_before_workers_had_seats_is_somebodys() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("arbiter.db");
        sqlx::any::install_default_drivers();
        let url = format!("sqlite://{}?mode=rwc", path.display());
        let pool = AnyPool::connect(&url).await.expect("a database");
        let old = migrate_with(&MIGRATIONS[..1], &pool, Dialect::Sqlite).await;
        old.expect("the first version");
        for row in BEFORE.split(';') {
            pool.execute(row).await.expect("a row");
        }
        pool.close().await;
        let store = Store::open_sqlite(folder.path())
            .await
            .expect("it is migrated");
        let seats = "SELECT entries.place, entries.kind, COALESCE(crew.worker, '-'), \
                     COALESCE(crew.name, '-') FROM entries LEFT JOIN crew \
                     ON crew.test = entries.test AND crew.seat = entries.seat ORDER BY place";
        let rows = sqlx::query(seats).fetch_all(&store.pool).await;
        let found: Vec<(i64, i64, String, String)> = rows
            .expect("rows")
            .iter()
            .map(|row| (row.get(0), row.get(1), row.get(2), row.get(3)))
            .collect();
        let expected = [
            (0, 0, "w1", "w1"),
            (1, 0, "w2", "cellar"),
            (2, 1, "-", "-"),
            (3, 0, "w1", "w1"),
        ];
        let expected = expected.map(|(p, k, w, n)| (p, k, w.to_owned(), n.to_owned()));
        assert_eq!(found, expected);
        let leases = "SELECT COUNT(*) FROM leases JOIN crew ON crew.test = leases.test \
                      AND crew.seat = leases.seat AND crew.worker = leases.worker";
        let count: i64 = sqlx::query(leases)
            .fetch_one(&store.pool)
            .await
            .expect("a number")
            .get(0);
        assert_eq!(count, 2);
    }
}
