//! A body as it comes in: of bounded length, and not for ever.

use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::Request;
use axum::http::header::CONTENT_LENGTH;
use fleet_api::Code;
use futures_util::StreamExt;
use tokio::time::{Instant, timeout_at};

use super::answer::Refusal;
use crate::office::problem;

/// How long a body may take, whatever its length.
const GRACE: Duration = Duration::from_secs(30);

/// Bytes a second that come after that at least: a slow line, and not somebody who holds us up.
const PACE: u64 = 4096;

/// What comes of a body.
pub(super) struct Incoming {
    chunks: BodyDataStream,
    most: u64,
    length: u64,
    began: Instant,
}

impl Incoming {
    /// The body of `request`, if it does not say that it is longer than `most` bytes.
    pub(super) fn of(request: Request, most: u64) -> Result<Self, Refusal> {
        let said = request.headers().get(CONTENT_LENGTH);
        let said = said.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        match said.is_some_and(|length| length > most) {
            true => Err(too_long(most)),
            false => Ok(Self::new(request.into_body(), most)),
        }
    }

    fn new(body: Body, most: u64) -> Self {
        Self {
            chunks: body.into_data_stream(),
            most,
            length: 0,
            began: Instant::now(),
        }
    }

    /// The next bytes; none at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, Refusal> {
        let end = self.began + GRACE + Duration::from_secs(self.length / PACE);
        let Ok(chunk) = timeout_at(end, self.chunks.next()).await else {
            let text = "the body comes too slowly";
            return Err(Refusal::from(problem(Code::TooSlow, text)));
        };
        let Some(chunk) = chunk else {
            return Ok(None);
        };
        let chunk = chunk.map_err(|_| {
            let text = "the body broke off, or is not in the form that its head promises";
            Refusal::from(problem(Code::Malformed, text))
        })?;
        self.length += chunk.len() as u64;
        match self.length > self.most {
            true => Err(too_long(self.most)),
            false => Ok(Some(chunk)),
        }
    }

    /// All of it.
    pub(super) async fn whole(mut self) -> Result<Vec<u8>, Refusal> {
        let mut bytes = Vec::new();
        while let Some(chunk) = self.next().await? {
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}

fn too_long(most: u64) -> Refusal {
    let text = format!("the body is longer than the {most} bytes that are allowed here");
    Refusal::from(problem(Code::TooLarge, text))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use axum::response::IntoResponse;
    use futures_util::stream;

    use super::*;

    /// A body of chunks of so many bytes, each so many seconds after the one before, without end.
    fn drip(bytes: usize, seconds: u64) -> Incoming {
        let drops = stream::unfold((), move |()| async move {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            Some((Ok::<_, Infallible>(vec![0; bytes]), ()))
        });
        Incoming::new(Body::from_stream(drops), 1 << 20)
    }

    async fn refusal(incoming: Incoming) -> u16 {
        let refused = incoming.whole().await.expect_err("it never ends");
        refused.into_response().status().as_u16()
    }

    #[tokio::test(start_paused = true)]
    async fn who_is_silent_or_slow_is_told_so_and_who_is_not_may_go_on() {
        assert_eq!(refusal(drip(1, 1 << 30)).await, Code::TooSlow.status());
        let began = Instant::now();
        assert_eq!(refusal(drip(100, 1)).await, Code::TooSlow.status());
        assert!(began.elapsed() <= 2 * GRACE, "{:?}", began.elapsed());
        // A megabyte, at just the pace that is asked for.
        assert_eq!(refusal(drip(4096, 1)).await, Code::TooLarge.status());
    }
}
