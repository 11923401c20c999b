//! As much of HTTP/1.1 as a load needs: one connection, one request after the other.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// A connection that stays.
pub(crate) struct Wire {
    stream: BufReader<TcpStream>,
    head: String,
    line: String,
    body: Vec<u8>,
}

impl Wire {
    pub(crate) async fn open(address: &str, token: &str) -> Self {
        let stream = TcpStream::connect(address).await.expect("it listens");
        stream.set_nodelay(true).expect("a socket");
        Self {
            stream: BufReader::new(stream),
            head: format!("host: {address}\r\nauthorization: Bearer {token}\r\n"),
            line: String::new(),
            body: Vec::new(),
        }
    }

    /// Sends a body and reads the answer to it, which must be a success.
    pub(crate) async fn send<T: DeserializeOwned>(
        &mut self,
        method: &str,
        path: &str,
        body: &[u8],
    ) -> T {
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\n{}content-length: {}\r\n\r\n",
            self.head,
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        self.stream.write_all(&request).await.expect("it reads");
        let status = self.read().await;
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(status, 200, "{method} {path}: {text}");
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    pub(crate) async fn post<T: DeserializeOwned>(
        &mut self,
        path: &str,
        body: &impl Serialize,
    ) -> T {
        let body = serde_json::to_vec(body).expect("it is JSON");
        self.send("POST", path, &body).await
    }

    /// The status; the body is kept.
    async fn read(&mut self) -> u16 {
        let status = self.next_line().await;
        let status = status.split(' ').nth(1).and_then(|code| code.parse().ok());
        let mut length = 0;
        loop {
            let line = self.next_line().await.to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
        }
        self.body.resize(length, 0);
        self.stream
            .read_exact(&mut self.body)
            .await
            .expect("a whole body");
        status.expect("a status")
    }

    async fn next_line(&mut self) -> &str {
        self.line.clear();
        let read = self.stream.read_line(&mut self.line).await;
        assert!(read.expect("an answer") > 0, "the connection was closed");
        self.line.trim_end()
    }
}
