//! Who shares a database with other coordinators hears of what they change: PostgreSQL's LISTEN and
//! NOTIFY. A notice is sent with the transaction that it is about.

use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::postgres::PgListener;
use tokio::sync::broadcast;

use super::{Store, StoreError};

/// The name of the channel.
const CHANNEL: &str = "arbiter";

/// Before a line that broke is tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// Those who are too slow for so many are told that they missed some.
pub(super) const KEPT: usize = 1024;

/// What is heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// The test of this name has changed, here or elsewhere.
    Changed(String),
    /// Something may have.
    Missed,
}

impl Store {
    /// What changes, wherever it does. Nothing is heard where the database is this coordinator's alone.
    pub(crate) fn notices(&self) -> broadcast::Receiver<Notice> {
        self.notices.subscribe()
    }
}

/// Tells all who share the database, once the transaction is committed.
pub(super) async fn send(conn: &mut AnyConnection, test: &str) -> Result<(), StoreError> {
    // A function without a value cannot be selected by itself here.
    sqlx::query("SELECT 1 FROM (SELECT pg_notify($1, $2)) AS sent")
        .bind(CHANNEL)
        .bind(test)
        .execute(conn)
        .await?;
    Ok(())
}

/// Listens as long as there is a store.
pub(super) async fn listen(url: String, notices: broadcast::WeakSender<Notice>) {
    loop {
        if let Err(error) = listen_once(&url, &notices).await {
            tracing::warn!(%error, "the line for notices broke and is tried again");
        }
        tokio::time::sleep(PAUSE).await;
        if notices.strong_count() == 0 {
            return;
        }
    }
}

async fn listen_once(
    url: &str,
    notices: &broadcast::WeakSender<Notice>,
) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect(url).await?;
    listener.listen(CHANNEL).await?;
    let mut notice = Notice::Missed;
    while let Some(all) = notices.upgrade() {
        let _nobody_listens = all.send(notice);
        drop(all);
        notice = match listener.try_recv().await? {
            Some(heard) => Notice::Changed(heard.payload().to_owned()),
            // It has connected again.
            None => Notice::Missed,
        };
    }
    Ok(())
}
