//! Connections: how many, how slow they may be, and how they end.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::line::{AnswerBody, Line, Talk};

/// How long the head of a request may take, and a connection be idle.
const HEAD: Duration = Duration::from_secs(30);

/// How long a listener may take nothing of what is sent to it.
const DEAF_MS: u32 = 60_000;

/// Requests under way at the end are given so long; a client that hangs does not hold us up longer.
const DRAIN: Duration = Duration::from_secs(8);

/// Who still sends when he was answered is listened to for so long and so many bytes: otherwise the
/// connection is reset, and he may never see the answer.
const LINGER: Duration = Duration::from_secs(2);
const LINGER_BYTES: usize = 256 * 1024 * 1024;

/// Without files or memory for a new connection: when to try again.
const TRY_AGAIN: Duration = Duration::from_millis(100);

/// Serves `router` until `end` comes. `draining` tells those who would go on for ever.
pub(super) async fn serve(
    router: Router,
    listener: TcpListener,
    connections: usize,
    draining: watch::Sender<bool>,
    end: impl Future<Output = ()>,
) {
    let places = Arc::new(Semaphore::new(connections));
    let mut open = JoinSet::new();
    let mut end = pin!(end);
    loop {
        // Who finds no place waits in the kernel's queue.
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (listener.accept().await, place)
        };
        tokio::select! {
            () = &mut end => break,
            _ended = open.join_next(), if !open.is_empty() => {}
            (accepted, place) = next => match accepted {
                Ok((stream, peer)) => {
                    let (router, draining) = (router.clone(), draining.subscribe());
                    open.spawn(async move {
                        converse(stream, peer, router, draining).await;
                        drop(place);
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    sleep(TRY_AGAIN).await;
                }
            },
        }
    }
    drop(listener);
    draining.send_replace(true);
    let all_ended = async { while open.join_next().await.is_some() {} };
    if timeout(DRAIN, all_ended).await.is_err() {
        tracing::warn!(left = open.len(), "connections were cut off");
        open.abort_all();
    }
}

/// Serves one connection until it ends, or until what is under way is answered when we end.
async fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    mut draining: watch::Receiver<bool>,
) {
    let _only_slower = stream.set_nodelay(true);
    let _only_longer = rustix::net::sockopt::set_tcp_user_timeout(&stream, DEAF_MS);
    let router = TowerToHyperService::new(router);
    let talk = Talk::default();
    let line = Line::new(stream, talk.clone());
    let service = service_fn(move |mut request: Request<Incoming>| {
        talk.begin();
        request.extensions_mut().insert(ConnectInfo(peer));
        let (answering, talk) = (router.call(request), talk.clone());
        let answered = async move {
            let response = answering.await?;
            Ok(response.map(|body| talk.answer(body)))
        };
        Box::pin(answered) as Answered
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(line), service);
    let mut told = false;
    let ended = loop {
        tokio::select! {
            ended = poll_fn(|context| connection.poll_without_shutdown(context)) => break ended,
            _ = draining.wait_for(|draining| *draining), if !told => {
                told = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
        }
    };
    let parts = connection.into_parts();
    let mut line = parts.io.into_inner();
    if let Err(error) = &ended {
        line.ended(error, !parts.read_buf.is_empty());
    }
    if ended.is_ok() || line.has_refused() {
        let _it_may_be_gone = timeout(LINGER, linger(line)).await;
    }
}

type Answered = Pin<Box<dyn Future<Output = Result<Response<AnswerBody>, Infallible>> + Send>>;

/// Listens to the rest of what is sent, so that the answer is heard.
async fn linger(mut line: Line) -> io::Result<()> {
    line.flush().await?;
    line.shutdown().await?;
    let mut left = LINGER_BYTES;
    let mut buffer = vec![0; 64 * 1024];
    while left > 0 {
        match line.read(&mut buffer).await? {
            0 => break,
            read => left = left.saturating_sub(read),
        }
    }
    Ok(())
}
