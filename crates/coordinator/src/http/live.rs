//! `/api/v1/tests/{id}/live`: how a test stands, again whenever it changes.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use fleet_api::TestView;
use futures_util::{Stream, stream};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::answer::Refusal;
use super::doors::Doors;
use super::named::Named;
use super::visitor::{Reader, Visitor};
use crate::office::Office;

/// No listener is told more often: a fast test has hundreds of reports a second.
const PAUSE: Duration = Duration::from_millis(300);

/// Should a notice have been lost, it is looked so often.
const LOOK: Duration = Duration::from_secs(15);

struct Listener {
    office: Office,
    id: String,
    changes: Receiver<String>,
    /// Whether the coordinator ends.
    draining: watch::Receiver<bool>,
    /// Whether it was told anything yet.
    told: bool,
    over: bool,
}

/// A test whenever it changes, until its end
#[utoipa::path(
    get, path = "/api/v1/tests/{id}/live", tag = "tests", operation_id = "watch_test",
    params(("id" = String, Path, description = "Which test")),
    responses((
        status = 200, description = "Server-sent events `test`, a view each",
        body = TestView, content_type = "text/event-stream",
    )),
    security(("token" = ["read"])),
)]
pub(super) async fn test(
    State(doors): State<Doors>,
    _: Visitor<Reader>,
    Named(id): Named,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    // An unknown test is told of by the status, not by a stream that ends.
    let office = doors.office;
    office.view(&id).await?;
    let listener = Listener {
        changes: office.changes(),
        office,
        draining: doors.draining,
        id,
        told: false,
        over: false,
    };
    let events = stream::unfold(listener, |listener| listener.next());
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

impl Listener {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        if self.told {
            sleep(PAUSE).await;
            self.change().await;
        }
        if self.over {
            return None;
        }
        let view = self.office.view(&self.id).await.ok()?;
        self.over = view.state.is_final();
        self.told = true;
        let text = serde_json::to_string(&view).ok()?;
        Some((Ok(Event::default().event("test").data(text)), self))
    }

    /// Waits until this test may have changed.
    async fn change(&mut self) {
        if self.over {
            return;
        }
        let heard = async {
            loop {
                match self.changes.recv().await {
                    Ok(id) if id != self.id => {}
                    Ok(_) | Err(RecvError::Lagged(_) | RecvError::Closed) => break,
                }
            }
        };
        tokio::select! {
            _in_time = timeout(LOOK, heard) => {}
            _ends_or_gone = self.draining.wait_for(|draining| *draining) => self.over = true,
        }
        // Many changes, one view.
        while let Ok(_) | Err(TryRecvError::Lagged(_)) = self.changes.try_recv() {}
    }
}
