//! A coordinator for a test, and those who visit it.

use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use coordinator::{ApprovalPolicy, Config, DoorSettings, Server, ServerError, Stopper};
use fleet_api::{
    Claim, Claimed, Fault, Game, Grant, HostFacts, Life, NewToken, PairReport, Report,
    ReportAnswer, Scope, SubmitTest, Submitted, TokenMade, Verdict, routes,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::Connection;
use tempfile::TempDir;
use ureq::Agent;
use ureq::http::HeaderMap;

/// Every opening of a test here: White's engine crashes before its first move, wherever it stands.
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A test of so many pairs.
pub(crate) fn pairs(pairs: u64) -> String {
    format!(
        r#"
pairs = {pairs}
[each]
nodes = 100
[[engine]]
name = "new"
cmd = "sparring:2"
[[engine]]
name = "old"
cmd = "sparring:1"
[openings]
file = "start.epd"
[fleet.artifacts]
"start.epd" = "{}"
"#,
        sha256(START)
    )
}

/// The SHA-256 of a text in hexadecimal.
pub(crate) fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Where a coordinator keeps what is not in its folder, and what it allows.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) database: Option<String>,
    pub(crate) artifacts: Option<String>,
    pub(crate) aws: Vec<(String, String)>,
    pub(crate) doors: DoorSettings,
    /// Bytes of the disk that are to stay free.
    pub(crate) reserve: u64,
    /// Where books lie that everybody may trust.
    pub(crate) books: Vec<PathBuf>,
}

impl Default for Place {
    fn default() -> Self {
        Self {
            database: None,
            artifacts: None,
            aws: Vec::new(),
            // What is asked here in a second is asked by nobody else.
            doors: DoorSettings {
                rate: 0,
                ..DoorSettings::default()
            },
            reserve: 0,
            books: Vec::new(),
        }
    }
}

/// A coordinator that runs.
pub(crate) struct House {
    pub(crate) data: PathBuf,
    place: Place,
    address: SocketAddr,
    stopper: Stopper,
    running: Option<JoinHandle<()>>,
    admin: String,
    _folder: Option<TempDir>,
}

/// An answer: status and body.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: u16,
    pub(crate) body: String,
    headers: HeaderMap,
}

impl Said {
    pub(crate) fn new(status: u16, body: String) -> Self {
        Self {
            status,
            body,
            headers: HeaderMap::new(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let value = self.headers.get(name)?;
        Some(value.to_str().expect("text").to_owned())
    }

    #[track_caller]
    pub(crate) fn json<T: DeserializeOwned>(&self) -> T {
        assert_eq!(self.status, 200, "{}", self.body);
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }

    /// The code of a problem.
    #[track_caller]
    pub(crate) fn code(&self) -> String {
        let problem: Value = serde_json::from_str(&self.body).expect("a problem");
        assert!(
            problem["message"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        problem["code"].as_str().expect("a code").to_owned()
    }
}

impl House {
    /// A new one on SQLite.
    pub(crate) fn new() -> Self {
        Self::on(None)
    }

    /// A new one on an empty database.
    pub(crate) fn on(database: Option<String>) -> Self {
        Self::at(Place {
            database,
            ..Place::default()
        })
    }

    /// A new one with doors of its own.
    pub(crate) fn with(database: Option<String>, doors: DoorSettings) -> Self {
        Self::at(Place {
            database,
            doors,
            ..Place::default()
        })
    }

    /// A new one in a folder of which so many bytes are to stay free.
    pub(crate) fn keeping_free(folder: PathBuf, reserve: u64) -> Self {
        let place = Place {
            reserve,
            doors: DoorSettings::default(),
            ..Place::default()
        };
        let house = Self::open(folder, place);
        let book = routes::artifact(&sha256(START));
        let said = house.admin().send("PUT", &book, START.as_bytes());
        assert_eq!(said.status, 200);
        house
    }

    /// A new one at an empty place.
    pub(crate) fn at(place: Place) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut house = Self::open(folder.path().to_owned(), place);
        house._folder = Some(folder);
        let book = routes::artifact(&sha256(START));
        assert_eq!(
            house.admin().send("PUT", &book, START.as_bytes()).status,
            200
        );
        house
    }

    /// Another coordinator with the same folder and place.
    pub(crate) fn sibling(&self) -> Self {
        Self::open(self.data.clone(), self.place.clone())
    }

    /// Another coordinator with the same folder and database, if that can be.
    pub(crate) fn try_sibling(&self) -> Result<Server, ServerError> {
        self.try_sibling_in(&self.data)
    }

    /// Another coordinator with the same database and this folder, if that can be.
    pub(crate) fn try_sibling_in(&self, data: &Path) -> Result<Server, ServerError> {
        Server::start(&config(data, &self.place))
    }

    fn open(data: PathBuf, place: Place) -> Self {
        let server = Server::start(&config(&data, &place)).expect("it starts");
        let admin = std::fs::read_to_string(data.join(coordinator::ADMIN_TOKEN)).expect("a token");
        Self {
            data,
            place,
            address: server.address(),
            stopper: server.stopper(),
            running: Some(thread::spawn(move || server.run().expect("it serves"))),
            admin: admin.trim().to_owned(),
            _folder: None,
        }
    }

    /// Ends it and starts another one in the same folder.
    pub(crate) fn restart(&mut self) {
        let folder = self._folder.take();
        self.end();
        *self = self.sibling();
        self._folder = folder;
    }

    /// Changes the database behind the coordinator's back.
    pub(crate) fn tamper(&self, sql: &'static str) {
        let file = self.data.join("arbiter.db");
        let sqlite = format!("sqlite://{}", file.display());
        let url = self.place.database.as_deref().unwrap_or(&sqlite);
        sqlx::any::install_default_drivers();
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let done = runtime.block_on(async {
            let mut conn = sqlx::AnyConnection::connect(url).await?;
            sqlx::query(sql).execute(&mut conn).await
        });
        assert!(done.expect("it is done").rows_affected() > 0, "{sql}");
    }

    fn end(&mut self) {
        self.stopper.stop();
        if let Some(running) = self.running.take() {
            running.join().expect("it ends");
        }
    }

    pub(crate) fn admin(&self) -> Visitor {
        self.visitor(&self.admin)
    }

    pub(crate) fn admin_token(&self) -> &str {
        &self.admin
    }

    /// A connection, for those who do not speak HTTP.
    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).expect("it listens")
    }

    /// Somebody with the token in a file of the folder.
    pub(crate) fn bearer_of(&self, file: &str) -> Visitor {
        let token = std::fs::read_to_string(self.data.join(file)).expect("a token");
        self.visitor(token.trim())
    }

    pub(crate) fn visitor(&self, token: &str) -> Visitor {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A refused upload ends its connection.
            .max_idle_connections(0)
            .build();
        Visitor {
            agent: config.into(),
            base: format!("http://{}", self.address),
            token: token.to_owned(),
        }
    }

    /// Somebody with these scopes.
    pub(crate) fn user(&self, name: &str, scopes: &[Scope]) -> Visitor {
        let wanted = NewToken {
            user: name.to_owned(),
            scopes: scopes.to_vec(),
            expires_in_days: None,
        };
        let made: TokenMade = self.admin().post(routes::TOKENS, &wanted).json();
        self.visitor(&made.token)
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.end();
    }
}

pub(crate) fn config(data: &Path, place: &Place) -> Config {
    Config {
        data: data.to_owned(),
        listen: "127.0.0.1:0".parse().expect("an address"),
        database: place.database.clone(),
        artifacts: place.artifacts.clone(),
        aws: place.aws.clone(),
        approval: ApprovalPolicy::Others,
        new_admin_token: false,
        doors: place.doors,
        reserve: place.reserve,
        books: place.books.clone(),
    }
}

/// Somebody with a token.
pub(crate) struct Visitor {
    agent: Agent,
    base: String,
    token: String,
}

impl Visitor {
    pub(crate) fn send(&self, method: &str, path: &str, body: &[u8]) -> Said {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base));
        if !self.token.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.token));
        }
        let request = request.body(body.to_vec()).expect("a request");
        let mut response = self.agent.run(request).expect("an answer");
        Said {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.body_mut().read_to_string().expect("text"),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Said {
        self.send("GET", path, b"")
    }

    pub(crate) fn post(&self, path: &str, body: &impl Serialize) -> Said {
        self.send("POST", path, &serde_json::to_vec(body).expect("JSON"))
    }

    #[track_caller]
    pub(crate) fn submit(&self, spec: &str) -> String {
        let test = SubmitTest {
            spec: spec.to_owned(),
            idempotency_key: None,
        };
        self.post(routes::TESTS, &test).json::<Submitted>().id
    }

    #[track_caller]
    pub(crate) fn show(&self, test: &str) -> Value {
        self.get(&routes::test(test)).json()
    }

    #[track_caller]
    pub(crate) fn claim(&self, worker: &str, claim: &str) -> Option<Grant> {
        self.claim_on(worker, worker, claim)
    }

    /// A worker on a machine of another name.
    #[track_caller]
    pub(crate) fn claim_on(&self, host: &str, worker: &str, claim: &str) -> Option<Grant> {
        self.post_claim(host, worker, claim).json::<Claimed>().grant
    }

    pub(crate) fn post_claim(&self, host: &str, worker: &str, claim: &str) -> Said {
        self.post_claim_of(None, host, worker, claim)
    }

    /// As a worker's process.
    pub(crate) fn post_claim_of(
        &self,
        life: Option<Life>,
        host: &str,
        worker: &str,
        claim: &str,
    ) -> Said {
        let claim = Claim {
            life,
            worker: worker.to_owned(),
            claim: claim.to_owned(),
            host: HostFacts {
                name: host.to_owned(),
                version: "0".to_owned(),
                platform: "x86_64-linux".to_owned(),
                cores: 1,
                memory_mib: 4096,
                toolchains: Vec::new(),
                tablebases: 0,
            },
        };
        self.post(routes::CLAIMS, &claim)
    }

    #[track_caller]
    pub(crate) fn report(&self, lease: &str, pairs: &[u64]) -> ReportAnswer {
        self.report_all(lease, pairs.iter().copied().map(whites_crash).collect())
    }

    #[track_caller]
    pub(crate) fn report_all(&self, lease: &str, pairs: Vec<PairReport>) -> ReportAnswer {
        self.post(&routes::report(lease), &Report { pairs }).json()
    }
}

/// A pair in which White's engine crashes before the first move, twice.
pub(crate) fn whites_crash(pair: u64) -> PairReport {
    forfeits(pair, "crash", &Fault::Crash)
}

/// A pair in which White's flag falls before the first move, twice.
pub(crate) fn whites_flag_falls(pair: u64) -> PairReport {
    forfeits(pair, "time loss", &Fault::TimeLoss { over: 0.1 })
}

/// A pair in which White lets himself be mated, twice, and nobody does anything wrong.
pub(crate) fn fools_mates(pair: u64) -> PairReport {
    let mut report = whites_crash(pair);
    for game in &mut report.games {
        game.verdict = Verdict {
            kind: "rules".to_owned(),
            reason: "checkmate".to_owned(),
            since_ply: None,
            loser: None,
            fault: None,
        };
        game.moves = "f2f3 e7e5 g2g4 d8h4".to_owned();
        game.spent = vec![0.0; 4];
    }
    report
}

/// A pair in which the first engine is mated, twice.
pub(crate) fn first_is_mated(pair: u64) -> PairReport {
    let mut report = fools_mates(pair);
    let game = &mut report.games[1];
    game.moves = "e2e4 f7f6 d2d4 g7g5 d1h5".to_owned();
    game.spent = vec![0.0; 5];
    game.result = "1-0".to_owned();
    report
}

fn forfeits(pair: u64, reason: &str, fault: &Fault) -> PairReport {
    let game = |white: &str, black: &str| Game {
        white: white.to_owned(),
        black: black.to_owned(),
        result: "0-1".to_owned(),
        verdict: Verdict {
            kind: "forfeit".to_owned(),
            reason: reason.to_owned(),
            since_ply: None,
            loser: Some("white".to_owned()),
            fault: Some(fault.clone()),
        },
        start: START.to_owned(),
        book: String::new(),
        moves: String::new(),
        spent: Vec::new(),
        seconds: 0.0,
    };
    PairReport {
        pair,
        games: [game("new", "old"), game("old", "new")],
        base_nps: None,
    }
}
