//! A coordinator in a few lines: HTTP over loopback, leases from a list, and trouble on demand.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use fleet_api::{
    Claim, Claimed, Code, Directive, Grant, Heartbeat, HeartbeatAnswer, PairAnswer, PairReport,
    PairStatus, Problem, Report, ReportAnswer, Returned,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The token that it accepts.
pub(crate) const TOKEN: &str = "wonderful-secret";

/// Longer than anything takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The coordinator; it is there as long as the test's process.
#[derive(Clone)]
pub(crate) struct Coordinator {
    address: String,
    state: Arc<(Mutex<State>, Condvar)>,
}

/// What it knows.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) grants: VecDeque<Grant>,
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// Downloads that are cut short before one is whole.
    pub(crate) cuts: usize,
    /// Downloads come byte by byte and never to an end.
    pub(crate) trickles: bool,
    /// Reports are answered by 503.
    pub(crate) refuses_reports: bool,
    /// Heartbeats and reports are answered by `Stop`, and the test is over.
    pub(crate) stops: bool,
    pub(crate) claims: Vec<Claim>,
    pub(crate) results: BTreeMap<u64, PairReport>,
    pub(crate) repeated: usize,
    pub(crate) returned: Vec<(String, Returned)>,
    pub(crate) plies: u64,
    /// First lines of all requests.
    pub(crate) requests: Vec<String>,
}

struct Request {
    method: String,
    path: String,
    authorization: Option<String>,
    body: Vec<u8>,
}

struct Response {
    status: u16,
    body: Vec<u8>,
    /// Bytes that are said to come and do not.
    missing: usize,
    /// Instead they come one by one.
    trickles: bool,
}

impl Coordinator {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let address = listener.local_addr().expect("it has one");
        let coordinator = Self {
            address: format!("http://{address}"),
            state: Arc::default(),
        };
        let serving = coordinator.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let serving = serving.clone();
                thread::spawn(move || serving.serve(stream.expect("a connection")));
            }
        });
        coordinator
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.0.lock().expect("no handler panics")
    }

    /// Waits until something is so.
    #[track_caller]
    pub(crate) fn wait_for(&self, what: &str, is_so: impl Fn(&State) -> bool) {
        let state = self.state();
        let (state, timeout) = self
            .state
            .1
            .wait_timeout_while(state, PATIENCE, |state| !is_so(state))
            .expect("no handler panics");
        assert!(
            !timeout.timed_out(),
            "waited in vain for {what}; requests: {:#?}",
            state.requests
        );
    }

    fn serve(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().expect("a descriptor"));
        while let Some(request) = read(&mut reader) {
            let response = self.answer(&request);
            self.state.1.notify_all();
            let length = response.body.len() + response.missing;
            let mut stream = &stream;
            let head = format!(
                "HTTP/1.1 {} X\r\ncontent-length: {length}\r\n\r\n",
                response.status
            );
            let sent = stream
                .write_all(head.as_bytes())
                .and_then(|()| stream.write_all(&response.body));
            while response.trickles && stream.write_all(b"x").is_ok() {
                thread::park_timeout(Duration::from_millis(20));
            }
            if sent.is_err() || response.missing > 0 {
                let _it_may_be_closed = stream.shutdown(std::net::Shutdown::Both);
                return;
            }
        }
    }

    fn answer(&self, request: &Request) -> Response {
        let mut state = self.state();
        let line = format!("{} {}", request.method, request.path);
        state.requests.push(line);
        if request.authorization.as_deref() != Some(&format!("Bearer {TOKEN}")) {
            return problem(401, Code::Unauthenticated, "no such token");
        }
        let path = request.path.strip_prefix("/api/v1/").unwrap_or("");
        match path.split('/').collect::<Vec<_>>()[..] {
            ["claims"] => state.claim(request),
            ["artifacts", hash] => state.artifact(hash),
            ["leases", _, "heartbeat"] => {
                state.plies = body::<Heartbeat>(request).plies;
                let (directive, test_is_off) = (state.directive(), state.stops);
                json(&HeartbeatAnswer {
                    directive,
                    test_is_off,
                })
            }
            ["leases", _, "pairs"] => state.report(request),
            ["leases", lease, "return"] => {
                state.returned.push((lease.to_owned(), body(request)));
                json(&serde_json::json!({}))
            }
            _ => problem(404, Code::NotFound, "nothing here"),
        }
    }
}

impl State {
    /// Lends `pairs` of `spec`.
    pub(crate) fn lend(&mut self, lease: &str, spec: &str, pairs: std::ops::Range<u64>) {
        self.grants.push_back(Grant {
            lease: lease.to_owned(),
            test: "t1".to_owned(),
            spec: spec.to_owned(),
            first_pair: pairs.start,
            pairs: pairs.end - pairs.start,
            term_ms: 60_000,
        });
    }

    fn claim(&mut self, request: &Request) -> Response {
        self.claims.push(body(request));
        json(&Claimed {
            grant: self.grants.pop_front(),
            retry_after_ms: 50,
        })
    }

    fn artifact(&mut self, hash: &str) -> Response {
        let Some(file) = self.files.get(hash) else {
            return problem(404, Code::NotFound, "no such file");
        };
        let mut response = Response {
            status: 200,
            body: file.clone(),
            missing: 0,
            trickles: self.trickles,
        };
        if self.trickles {
            response.missing = 1 << 30;
        }
        if self.cuts > 0 {
            self.cuts -= 1;
            response.missing = response.body.len() / 2;
            response.body.truncate(file.len() - response.missing);
        }
        response
    }

    fn report(&mut self, request: &Request) -> Response {
        if self.refuses_reports {
            return problem(503, Code::Unavailable, "the disk is full");
        }
        let report: Report = body(request);
        let pairs = report
            .pairs
            .into_iter()
            .map(|report| {
                let pair = report.pair;
                let is_new = self.results.insert(pair, report).is_none();
                self.repeated += usize::from(!is_new);
                PairAnswer {
                    pair,
                    status: match is_new {
                        true => PairStatus::Counted,
                        false => PairStatus::Known,
                    },
                    why: None,
                }
            })
            .collect();
        json(&ReportAnswer {
            pairs,
            directive: self.directive(),
        })
    }

    fn directive(&self) -> Directive {
        match self.stops {
            true => Directive::Stop,
            false => Directive::Continue,
        }
    }
}

fn read(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let mut words = line.split_whitespace();
    let mut request = Request {
        method: words.next()?.to_owned(),
        path: words.next()?.to_owned(),
        authorization: None,
        body: Vec::new(),
    };
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(':') else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().ok()?,
            "authorization" => request.authorization = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    request.body.resize(length, 0);
    reader.read_exact(&mut request.body).ok()?;
    Some(request)
}

fn body<T: DeserializeOwned>(request: &Request) -> T {
    serde_json::from_slice(&request.body).expect("a body of the right shape")
}

fn json(body: &impl Serialize) -> Response {
    Response {
        status: 200,
        body: serde_json::to_vec(body).expect("it is plain data"),
        missing: 0,
        trickles: false,
    }
}

fn problem(status: u16, code: Code, message: &str) -> Response {
    let problem = Problem {
        code,
        message: message.to_owned(),
    };
    Response {
        status,
        ..json(&problem)
    }
}
