//! Object storage of a test's own: a server that speaks S3 and checks signatures.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::{fs, thread};

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

const KEY: &str = "arbiter";
const SECRET: &str = "not-a-secret";

/// A server on loopback with one bucket, `fleet`, until it is dropped.
#[derive(Debug)]
pub struct ObjectStorage {
    folder: TempDir,
    address: SocketAddr,
    runtime: Option<Runtime>,
}

impl ObjectStorage {
    /// Starts one.
    ///
    /// # Panics
    /// When there is no folder, port or thread to be had.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("fleet")).expect("a bucket is a folder");
        let files = FileSystem::new(folder.path()).expect("it is there");
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(KEY, SECRET));
        let service = service.build();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a thread");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"));
        let listener = listener.expect("a port");
        let address = listener.local_addr().expect("it is bound");
        runtime.spawn(serve(listener, service));
        Self {
            folder,
            address,
            runtime: Some(runtime),
        }
    }

    /// Variables of the environment that say where it is and who may use it.
    pub fn variables(&self) -> Vec<(String, String)> {
        let endpoint = format!("http://{}", self.address);
        [
            ("AWS_ENDPOINT_URL", endpoint.as_str()),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", KEY),
            ("AWS_SECRET_ACCESS_KEY", SECRET),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
    }

    /// The names of the objects in the bucket, and of whatever else was left there, sorted.
    pub fn objects(&self) -> Vec<String> {
        let bucket = self.folder.path().join("fleet");
        let mut found = Vec::new();
        let mut folders = vec![bucket.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path: PathBuf = entry.path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => {
                        let name = path.strip_prefix(&bucket).expect("it is in it");
                        found.push(name.display().to_string());
                    }
                }
            }
        }
        found.sort();
        found
    }

    /// Takes an object away.
    ///
    /// # Panics
    /// When there is none.
    pub fn remove(&self, name: &str) {
        let path = self.folder.path().join("fleet").join(name);
        fs::remove_file(path).expect("it is there");
    }
}

impl Drop for ObjectStorage {
    fn drop(&mut self) {
        // Its owner may be in a runtime of his own, which must not wait for another.
        if let Some(runtime) = self.runtime.take() {
            thread::spawn(move || drop(runtime));
        }
    }
}

async fn serve(listener: TcpListener, service: S3Service) {
    while let Ok((socket, _)) = listener.accept().await {
        let service = service.clone();
        tokio::spawn(async move {
            let server = auto::Builder::new(TokioExecutor::new());
            let _it_was_closed = server.serve_connection(TokioIo::new(socket), service).await;
        });
    }
}
