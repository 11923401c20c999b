//! The line of a connection, on which what is no request is answered with a problem too.
//!
//! A head that hyper cannot read it answers by itself, with a status and nothing else. While no request
//! is being answered nothing else is written, so what is written then is such an answer, and goes out
//! in our words.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, ready};
use std::time::SystemTime;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use fleet_api::{Code, Problem};
use hyper::body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::office::problem;

/// A connection.
#[derive(Debug)]
pub(super) struct Line {
    stream: TcpStream,
    talk: Talk,
    /// What is said instead of what hyper said, as far as it is not sent.
    refusal: Option<Vec<u8>>,
}

/// Whether a request of a connection is being answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Talk(Arc<AtomicU8>);

/// No answer is under way.
const QUIET: u8 = 0;
/// One is.
const ANSWERING: u8 = 1;
/// All of it was written to hyper, which may not have sent it.
const ANSWERED: u8 = 2;

/// The body of an answer, whose end is the answer's.
#[derive(Debug)]
pub(super) struct AnswerBody {
    body: Body,
    _end: AnswerEnd,
}

#[derive(Debug)]
struct AnswerEnd(Talk);

impl Drop for AnswerEnd {
    fn drop(&mut self) {
        self.0.0.store(ANSWERED, Ordering::Relaxed);
    }
}

impl Talk {
    /// A request has come.
    pub(super) fn begin(&self) {
        self.0.store(ANSWERING, Ordering::Relaxed);
    }

    /// This is what is answered.
    pub(super) fn answer(self, body: Body) -> AnswerBody {
        let _end = AnswerEnd(self);
        AnswerBody { body, _end }
    }

    fn is_quiet(&self) -> bool {
        self.0.load(Ordering::Relaxed) == QUIET
    }

    fn flushed(&self) {
        let (answered, quiet) = (ANSWERED, QUIET);
        let _still_answering =
            self.0
                .compare_exchange(answered, quiet, Ordering::Relaxed, Ordering::Relaxed);
    }
}

impl Line {
    pub(super) fn new(stream: TcpStream, talk: Talk) -> Self {
        Self {
            stream,
            talk,
            refusal: None,
        }
    }

    /// Answers what hyper gave up on without a word, unless an answer is under way. `has_begun`: part of
    /// a head has come.
    pub(super) fn ended(&mut self, error: &hyper::Error, has_begun: bool) {
        if self.refusal.is_some() || !self.talk.is_quiet() {
            return;
        }
        if error.is_parse() || error.is_incomplete_message() {
            self.refuse(StatusCode::BAD_REQUEST);
        } else if error.is_timeout() && has_begun {
            self.refuse(StatusCode::REQUEST_TIMEOUT);
        }
    }

    /// Whether what was sent was no request.
    pub(super) fn has_refused(&self) -> bool {
        self.refusal.is_some()
    }

    /// Takes the beginning of what hyper says by itself.
    fn refuse_like(&mut self, said: &[u8]) {
        if self.refusal.is_none() {
            // `HTTP/1.1 431 ...`
            let status = said
                .get(9..12)
                .and_then(|digits| StatusCode::from_bytes(digits).ok());
            self.refuse(status.unwrap_or(StatusCode::BAD_REQUEST));
        }
    }

    fn refuse(&mut self, status: StatusCode) {
        let problem = no_request(status);
        tracing::info!(status = status.as_u16(), %problem, "no request");
        let body = serde_json::to_string(&problem).unwrap_or_default();
        let answer = format!(
            "HTTP/1.1 {} {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             connection: close\r\ndate: {}\r\n\r\n{body}",
            status.as_u16(),
            status.canonical_reason().unwrap_or_default(),
            body.len(),
            httpdate::fmt_http_date(SystemTime::now()),
        );
        self.refusal = Some(answer.into_bytes());
    }
}

/// What is said of a head that cannot be read.
fn no_request(status: StatusCode) -> Problem {
    match status {
        StatusCode::URI_TOO_LONG => problem(Code::TooLarge, "the address is too long"),
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => {
            problem(Code::TooLarge, "the headers are too many or too long")
        }
        StatusCode::REQUEST_TIMEOUT => problem(Code::TooSlow, "the head comes too slowly"),
        _ => {
            let text = "this is no request in HTTP/1.1: its first line or a header cannot be read";
            problem(Code::Malformed, text)
        }
    }
}

impl AsyncRead for Line {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let line = self.get_mut();
        if line.talk.is_quiet() {
            line.refuse_like(bytes);
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut line.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let line = self.get_mut();
        if line.talk.is_quiet() {
            let first = parts.iter().find(|part| !part.is_empty());
            line.refuse_like(first.map_or(&[], |part| part));
            return Poll::Ready(Ok(parts.iter().map(|part| part.len()).sum()));
        }
        Pin::new(&mut line.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let line = self.get_mut();
        while let Some(refusal) = line.refusal.as_mut().filter(|left| !left.is_empty()) {
            let sent = ready!(Pin::new(&mut line.stream).poll_write(context, refusal))?;
            if sent == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            refusal.drain(..sent);
        }
        ready!(Pin::new(&mut line.stream).poll_flush(context))?;
        line.talk.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

impl hyper::body::Body for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
