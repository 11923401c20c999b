//! The virtual times by which owners and their tests are served, in core-seconds over weight.

use sqlx::{AnyConnection, Row};

use super::plans::is_open;
use super::tests::TestRow;
use super::{StoreError, Tx};

/// Where the clock of a test begins of which pairs can be lent from now on: where that of its owner's
/// test furthest behind is, if it is not further already. If the owner has no other such test his own clock
/// is moved on likewise. Nobody saves up who has had nothing to do.
pub(super) async fn join(tx: &mut Tx<'_>, test: &TestRow) -> Result<f64, StoreError> {
    let conn = tx.sql().await?;
    let siblings = sqlx::query(concat!(
        "SELECT MIN(virtual_time) FROM tests WHERE owner = $1 AND id <> $2 AND ",
        is_open!()
    ));
    let siblings = siblings.bind(&test.owner).bind(&test.id);
    let furthest: Option<f64> = siblings.fetch_one(&mut *conn).await?.try_get(0)?;
    if furthest.is_none() {
        join_owners(conn, &test.owner).await?;
    }
    Ok(test.virtual_time.max(furthest.unwrap_or(0.0)))
}

/// Moves the clock of an owner who has had nothing to do on to that of the owner furthest behind.
async fn join_owners(conn: &mut AnyConnection, owner: &str) -> Result<(), StoreError> {
    let others = sqlx::query(concat!(
        "SELECT MIN(COALESCE(owners.virtual_time, 0.0)) FROM tests \
         LEFT JOIN owners ON owners.name = tests.owner WHERE tests.owner <> $1 AND ",
        is_open!()
    ));
    let furthest: Option<f64> = others.bind(owner).fetch_one(&mut *conn).await?.try_get(0)?;
    if let Some(furthest) = furthest {
        sqlx::query(
            "INSERT INTO owners (name, virtual_time) VALUES ($1, $2) ON CONFLICT (name) \
             DO UPDATE SET virtual_time = CASE WHEN owners.virtual_time < excluded.virtual_time \
             THEN excluded.virtual_time ELSE owners.virtual_time END",
        )
        .bind(owner)
        .bind(furthest)
        .execute(conn)
        .await?;
    }
    Ok(())
}
