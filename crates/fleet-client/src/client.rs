//! The calls.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use fleet_api::{
    Action, ActionRequest, AuditEntry, BarWorker, BringBack, ChangeTest, Claim, Claimed, Crew,
    Heartbeat, HeartbeatAnswer, Moved, OwnerShare, Problem, Recounted, Report, ReportAnswer,
    Returned, SetAside, SubmitTest, Submitted, TestLine, TestView, UnbarWorker, WhichTests,
    WhichWorkers, WorkerLine, routes,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::http::Response;
use ureq::http::uri::Authority;
use ureq::{Agent, Body, RequestBuilder};

use crate::call_error::CallError;
use crate::live::Live;

mod users;

/// A host that does not take the connection in this time is not there.
const CONNECT: Duration = Duration::from_secs(10);

/// Bound on a whole call that carries words.
const CALL: Duration = Duration::from_secs(30);

/// Bound on counting a test again: a million pairs are played again meanwhile.
const RECOUNT: Duration = Duration::from_secs(30 * 60);

/// Bound on the silence of a call that carries files or news.
const SILENCE: Duration = Duration::from_secs(60);

/// The longest answer in words that is read.
const ANSWER_BYTES_MAX: u64 = 64 << 20;

/// How much of an answer that nobody understands is shown.
const TEXT_CHARS_MAX: usize = 200;

/// A coordinator, and the token that it knows us by. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    agent: Agent,
    server: String,
    authorization: Option<String>,
}

impl Client {
    /// The coordinator at `server`, such as `http://127.0.0.1:8080`. Without a token one can look, if
    /// the coordinator allows it.
    ///
    /// # Errors
    /// [`CallError::Address`] and [`CallError::Token`]. Nobody is called yet.
    pub fn new(server: &str, token: Option<&str>) -> Result<Self, CallError> {
        let server = server.trim().trim_end_matches('/');
        let host = server
            .strip_prefix("http://")
            .or_else(|| server.strip_prefix("https://"));
        // What is before an `@` would be a secret, and secrets are not in addresses.
        let is_plain = |host: &str| !host.is_empty() && !host.contains(['/', '@', '?', '#', ' ']);
        if !host.is_some_and(|host| is_plain(host) && has_port(host)) {
            let shown = server.rsplit_once('@').map_or(server, |(_, host)| host);
            return Err(CallError::Address(shown.to_owned()));
        }
        let token = token.map(str::trim);
        if token
            .is_some_and(|token| token.is_empty() || !token.bytes().all(|b| b.is_ascii_graphic()))
        {
            return Err(CallError::Token);
        }
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT))
            .user_agent(concat!("arbiter/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Self {
            agent: config.new_agent(),
            server: server.to_owned(),
            authorization: token.map(|token| format!("Bearer {token}")),
        })
    }

    /// The coordinator's address.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Asks for work.
    ///
    /// # Errors
    /// [`CallError`]; so do all calls below.
    pub fn claim(&self, claim: &Claim) -> Result<Claimed, CallError> {
        self.post(routes::CLAIMS, claim)
    }

    /// Says that a lease is alive.
    pub fn heartbeat(&self, lease: &str, beat: Heartbeat) -> Result<HeartbeatAnswer, CallError> {
        self.post(&routes::heartbeat(lease), &beat)
    }

    /// Reports results.
    pub fn report(&self, lease: &str, report: &Report) -> Result<ReportAnswer, CallError> {
        self.post(&routes::report(lease), report)
    }

    /// Gives a lease back.
    pub fn give_back(&self, lease: &str, returned: &Returned) -> Result<(), CallError> {
        let request = self.words(self.agent.post(self.url(&routes::give_back(lease))));
        self.received(request.send(json(returned))).map(drop)
    }

    /// Gives a test to the fleet.
    pub fn submit(&self, test: &SubmitTest) -> Result<Submitted, CallError> {
        self.post(routes::TESTS, test)
    }

    /// Those tests, newest first.
    pub fn tests(&self, which: &WhichTests) -> Result<Vec<TestLine>, CallError> {
        self.get(&which.at(routes::TESTS))
    }

    /// Those workers, the ones heard of last first.
    pub fn workers(&self, which: &WhichWorkers) -> Result<Vec<WorkerLine>, CallError> {
        self.get(&which.at(routes::WORKERS))
    }

    /// Lends a worker nothing any more.
    pub fn bar_worker(&self, wanted: &BarWorker) -> Result<(), CallError> {
        self.post(routes::BAR_WORKER, wanted)
    }

    /// Lets a worker play again.
    pub fn unbar_worker(&self, wanted: &UnbarWorker) -> Result<(), CallError> {
        self.post(routes::UNBAR_WORKER, wanted)
    }

    /// Who did what to a test, oldest first.
    pub fn audit(&self, id: &str) -> Result<Vec<AuditEntry>, CallError> {
        self.get(&routes::audit(id))
    }

    /// The games of a test that were counted, as PGN. Only an end without an error is the end.
    pub fn games(&self, id: &str) -> Result<impl Read + use<>, CallError> {
        self.pgn(&routes::games(id))
    }

    /// Those that came after its end and do not count.
    pub fn late_games(&self, id: &str) -> Result<impl Read + use<>, CallError> {
        self.pgn(&routes::late_games(id))
    }

    fn pgn(&self, path: &str) -> Result<impl Read + use<>, CallError> {
        let request = self.files(self.agent.get(self.url(path)));
        let body = self.received(request.call())?.into_body();
        Ok(body.into_with_config().limit(u64::MAX).reader())
    }

    /// A test.
    pub fn test(&self, id: &str) -> Result<TestView, CallError> {
        self.get(&routes::test(id))
    }

    /// Does something to a test.
    pub fn act(&self, id: &str, action: Action, reason: Option<String>) -> Result<(), CallError> {
        let request = self.words(self.agent.post(self.url(&routes::actions(id))));
        let asked = ActionRequest { action, reason };
        self.received(request.send(json(&asked))).map(drop)
    }

    /// Changes a test that is not over.
    pub fn change(&self, id: &str, change: &ChangeTest) -> Result<TestView, CallError> {
        self.post(&routes::settings(id), change)
    }

    /// Gives an owner another share.
    pub fn set_owner(&self, share: &OwnerShare) -> Result<(), CallError> {
        let request = self.words(self.agent.post(self.url(routes::OWNERS)));
        self.received(request.send(json(share))).map(drop)
    }

    /// The workers of a test, compared.
    pub fn crew(&self, id: &str) -> Result<Crew, CallError> {
        self.get(&routes::workers(id))
    }

    /// Sets the results of a worker aside.
    pub fn set_aside(&self, id: &str, request: &SetAside) -> Result<Moved, CallError> {
        self.post(&routes::set_aside(id), request)
    }

    /// Brings the results of a worker back.
    pub fn bring_back(&self, id: &str, request: &BringBack) -> Result<Moved, CallError> {
        self.post(&routes::bring_back(id), request)
    }

    /// Counts a test again; a long one takes minutes.
    pub fn recount(&self, id: &str) -> Result<Recounted, CallError> {
        let request = self.words(self.agent.post(self.url(&routes::recount(id))));
        let request = request.config().timeout_global(Some(RECOUNT)).build();
        self.read(self.received(request.send_empty())?)
    }

    /// News of a test as they come.
    pub fn live(&self, id: &str) -> Result<Live, CallError> {
        let request = self.files(self.agent.get(self.url(&routes::live(id))));
        let request = request.header("accept", "text/event-stream");
        let response = self.received(request.call())?;
        Ok(Live::new(response.into_body().into_reader()))
    }

    /// Whether the coordinator has the file of this hash.
    pub fn has_artifact(&self, sha256: &str) -> Result<bool, CallError> {
        let request = self.words(self.agent.head(self.url(&routes::artifact(sha256))));
        match self.received(request.call()) {
            Ok(_) => Ok(true),
            Err(
                CallError::Problem { status: 404, .. } | CallError::Foreign { status: 404, .. },
            ) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Hands over a file.
    pub fn put_artifact(&self, sha256: &str, path: &Path) -> Result<(), CallError> {
        let file = File::open(path).map_err(|source| CallError::File {
            what: format!("read `{}`", path.display()),
            source,
        })?;
        let request = self.files(self.agent.put(self.url(&routes::artifact(sha256))));
        let request = request.header("content-type", "application/octet-stream");
        self.received(request.send(file)).map(drop)
    }

    /// The bytes of a file. They may be cut short or wrong: only their hash says that they are right.
    pub fn get_artifact(&self, sha256: &str) -> Result<impl Read + use<>, CallError> {
        let request = self.files(self.agent.get(self.url(&routes::artifact(sha256))));
        let body = self.received(request.call())?.into_body();
        Ok(body.into_with_config().limit(u64::MAX).reader())
    }

    fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, CallError> {
        let request = self.words(self.agent.get(self.url(path)));
        self.read(self.received(request.call())?)
    }

    fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, CallError> {
        let request = self.words(self.agent.post(self.url(path)));
        self.read(self.received(request.send(json(body)))?)
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.server)
    }

    /// A request whose body and answer are words.
    fn words<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        let request = request.config().timeout_global(Some(CALL)).build();
        let request = request.header("content-type", "application/json");
        self.authorized(request)
            .header("accept", "application/json")
    }

    /// A request that takes as long as it goes on.
    fn files<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        let request = request
            .config()
            .timeout_per_read(Some(SILENCE))
            .timeout_per_write(Some(SILENCE))
            .build();
        self.authorized(request)
    }

    fn authorized<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        match &self.authorization {
            Some(authorization) => request.header("authorization", authorization),
            None => request,
        }
    }

    /// The response, if it says yes.
    fn received(
        &self,
        result: Result<Response<Body>, ureq::Error>,
    ) -> Result<Response<Body>, CallError> {
        let response = result.map_err(|error| self.unreachable(error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let retry_after = response
            .headers()
            .get("retry-after")
            .and_then(|value| value.to_str().ok()?.trim().parse().ok())
            .map(Duration::from_secs);
        let text = response
            .into_body()
            .into_with_config()
            .limit(ANSWER_BYTES_MAX)
            .lossy_utf8(true)
            .read_to_string()
            .unwrap_or_default();
        Err(match serde_json::from_str::<Problem>(&text) {
            Ok(problem) => CallError::Problem {
                status: status.as_u16(),
                problem,
                retry_after,
            },
            Err(_) => self.foreign(status.as_u16(), &text, retry_after),
        })
    }

    fn read<T: DeserializeOwned>(&self, response: Response<Body>) -> Result<T, CallError> {
        let status = response.status().as_u16();
        let text = response
            .into_body()
            .into_with_config()
            .limit(ANSWER_BYTES_MAX)
            .read_to_string()
            .map_err(|error| self.unreachable(error))?;
        serde_json::from_str(&text).map_err(|_| self.foreign(status, &text, None))
    }

    fn unreachable(&self, error: ureq::Error) -> CallError {
        CallError::Unreachable {
            server: self.server.clone(),
            source: match error {
                ureq::Error::Io(error) => Box::new(error),
                error => Box::new(error),
            },
        }
    }

    fn foreign(&self, status: u16, text: &str, retry_after: Option<Duration>) -> CallError {
        let line: Vec<&str> = text.split_whitespace().collect();
        let mut text: String = line.join(" ").chars().take(TEXT_CHARS_MAX).collect();
        if text.is_empty() {
            text.push_str("nothing");
        }
        CallError::Foreign {
            server: self.server.clone(),
            status,
            text,
            retry_after,
        }
    }
}

impl fmt::Debug for Client {
    /// Without the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}

/// Whether a host is one, and its port a port if it has one.
fn has_port(host: &str) -> bool {
    host.parse::<Authority>().is_ok_and(|authority| {
        let rest = authority.as_str().strip_prefix(authority.host());
        !authority.host().is_empty() && (rest == Some("") || authority.port_u16().is_some())
    })
}

fn json(body: &impl Serialize) -> String {
    serde_json::to_string(body).expect("text keys and finite numbers are JSON")
}
