//! What all stages share: the coordinator's address, tests, and workers that know the games.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use engine_core::Position;
use fleet_api::{
    Claim, Claimed, Grant, Heartbeat, HeartbeatAnswer, HostFacts, PairStatus, ReportAnswer,
    SubmitTest, Submitted, TestView, routes,
};
use fleet_core::test_spec::TestSpec;
use match_core::fixture::PairNumber;
use match_core::schedule::Schedule;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::games::{self, OPENINGS};
use crate::wire::Wire;

/// Pairs of a test, more than any stage plays.
const PAIRS: u64 = 100_000_000;

/// A coordinator and those who know each other there.
pub(crate) struct Fleet {
    address: String,
    token: String,
    book: String,
    /// The games of the pairs with each opening, JSON.
    games: Vec<String>,
    names: AtomicU64,
}

/// A worker with a connection of its own.
pub(crate) struct Worker {
    fleet: Arc<Fleet>,
    wire: Wire,
    name: String,
    claims: u64,
    lease: Option<(Grant, Schedule)>,
    /// The next pair of the lease to be reported.
    next: u64,
}

impl Fleet {
    pub(crate) fn new(address: String, token: &str) -> Arc<Self> {
        let book = games::book();
        let starts: Vec<Position> = book
            .lines()
            .map(|line| {
                let fen = format!("{} 0 1", line.trim_end_matches(';'));
                fen.parse().expect("a position of the book")
            })
            .collect();
        Arc::new(Self {
            games: games::pairs(&starts),
            address,
            token: token.to_owned(),
            book,
            names: AtomicU64::new(0),
        })
    }

    /// Workers that have claimed.
    pub(crate) fn known(&self) -> u64 {
        self.names.load(Ordering::Relaxed)
    }

    pub(crate) async fn wire(&self) -> Wire {
        Wire::open(&self.address, &self.token).await
    }

    /// Submits a test; its id.
    pub(crate) async fn submit(&self, wire: &mut Wire) -> String {
        let digest = Sha256::digest(self.book.as_bytes());
        let hash: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        wire.send::<Value>("PUT", &routes::artifact(&hash), self.book.as_bytes())
            .await;
        let spec = format!(
            "pairs = {PAIRS}\n[each]\nnodes = 100\n[[engine]]\nname = \"new\"\ncmd = \"sparring:2\"\n\
             [[engine]]\nname = \"old\"\ncmd = \"sparring:1\"\n[openings]\nfile = \"load.epd\"\n\
             [adjudication]\nresign = {{ count = 3, score = 600 }}\n[fleet]\n\
             artifacts = {{ \"load.epd\" = \"{hash}\" }}\n"
        );
        let test = SubmitTest {
            spec,
            idempotency_key: None,
        };
        wire.post::<Submitted>(routes::TESTS, &test).await.id
    }

    /// Pauses a test, so that nobody claims of it any more.
    pub(crate) async fn pause(&self, wire: &mut Wire, test: &str) {
        let action = serde_json::json!({ "action": "pause" });
        wire.post::<TestView>(&routes::actions(test), &action).await;
    }

    /// Pairs that the coordinator has counted of a test.
    pub(crate) async fn counted(&self, wire: &mut Wire, test: &str) -> u64 {
        let view: TestView = wire.send("GET", &routes::test(test), b"").await;
        let pairs = view.summary.get("pairs").and_then(Value::as_u64);
        pairs.unwrap_or_else(|| panic!("no number of pairs in {:?}", view.summary))
    }
}

impl Worker {
    pub(crate) async fn new(fleet: &Arc<Fleet>) -> Self {
        let number = fleet.names.fetch_add(1, Ordering::Relaxed);
        Self {
            wire: fleet.wire().await,
            fleet: Arc::clone(fleet),
            name: format!("worker-{number}"),
            claims: 0,
            lease: None,
            next: 0,
        }
    }

    /// From now on this connection speaks for another worker, one that nobody knows yet.
    pub(crate) fn become_another(&mut self) {
        let number = self.fleet.names.fetch_add(1, Ordering::Relaxed);
        self.name = format!("worker-{number}");
        self.lease = None;
    }

    /// Claims; there must be something.
    pub(crate) async fn claim(&mut self) {
        self.claims += 1;
        let claim = Claim {
            life: None,
            worker: self.name.clone(),
            host: HostFacts {
                name: self.name.clone(),
                version: "load".to_owned(),
                platform: "x86_64-linux".to_owned(),
                cores: 128,
                memory_mib: 1 << 20,
                toolchains: ["make", "gcc", "cargo"].map(str::to_owned).to_vec(),
                tablebases: 0,
            },
            claim: format!("{}-{}", self.name, self.claims),
        };
        let claimed: Claimed = self.wire.post(routes::CLAIMS, &claim).await;
        let grant = claimed.grant.expect("there are pairs to be had");
        let test = TestSpec::parse(&grant.spec).expect("the test that we submitted");
        let openings = OPENINGS.try_into().expect("not 0");
        self.next = grant.first_pair;
        self.lease = Some((grant, Schedule::new(&test.spec, openings)));
    }

    /// Reports the next pair of the lease, which must count.
    pub(crate) async fn report(&mut self) {
        let (grant, schedule) = self.lease.as_ref().expect("a lease");
        let opening = schedule.fixture(PairNumber(self.next).games()[0]).opening.0;
        let games = &self.fleet.games[usize::try_from(opening).expect("few")];
        let body = format!(r#"{{"pairs":[{{"pair":{},"games":{games}}}]}}"#, self.next);
        let path = routes::report(&grant.lease);
        let answer: ReportAnswer = self.wire.send("POST", &path, body.as_bytes()).await;
        let [pair] = &answer.pairs[..] else {
            panic!("one pair was reported: {answer:?}");
        };
        assert_eq!(pair.status, PairStatus::Counted, "{pair:?}");
        self.next += 1;
    }

    /// Says that it is alive.
    pub(crate) async fn heartbeat(&mut self) {
        let (grant, _) = self.lease.as_ref().expect("a lease");
        let heartbeat = Heartbeat {
            plies: self.next * 240,
            spool: Some(0),
        };
        let path = routes::heartbeat(&grant.lease);
        self.wire.post::<HeartbeatAnswer>(&path, &heartbeat).await;
    }

    /// Whether a claim comes next.
    pub(crate) fn is_idle(&self) -> bool {
        self.lease
            .as_ref()
            .is_none_or(|(grant, _)| self.next == grant.first_pair + grant.pairs)
    }
}
