//! `/metrics`: figures for Prometheus.
//!
//! What happens here is counted here: the sum over coordinators is right. What they share comes from the
//! store when it is asked for: each tells all of it.

use std::fmt;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use fleet_api::{PairStatus, Problem, ReportAnswer};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use super::answer::Refusal;
use super::doors::Doors;
use super::visitor::{Reader, Visitor};

/// As Prometheus reads it.
const TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Figures of this coordinator.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    seconds: Family<Route, Histogram>,
    granted: Counter,
    pairs: Family<Status, Counter>,
    artifact_bytes: Family<Way, Counter>,
    shared: Shared,
}

/// Figures that are looked up when somebody asks.
#[derive(Clone, Default)]
struct Shared {
    tests: Family<InState, Gauge>,
    open: Gauge,
    held: Gauge,
    lent: Gauge,
    returned: Gauge,
    workers: Gauge,
    spool: Gauge,
    lapsed: Gauge,
    waiting: Gauge,
    writes: Counter,
    transactions: Counter,
    recounts: Family<Found, Counter>,
    write_seconds: Gauge<f64, std::sync::atomic::AtomicU64>,
    loop_seconds: Gauge<f64, std::sync::atomic::AtomicU64>,
    free: Gauge,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    route: String,
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
    method: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Status {
    status: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct InState {
    state: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Way {
    way: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Found {
    found: &'static str,
}

impl Default for Metrics {
    fn default() -> Self {
        // From a tenth of a millisecond to some three seconds.
        let histogram: fn() -> Histogram = || Histogram::new(exponential_buckets(0.0001, 2.0, 16));
        let seconds = Family::new_with_constructor(histogram);
        let metrics = Self {
            registry: Registry::with_prefix("arbiter"),
            requests: Family::default(),
            seconds,
            granted: Counter::default(),
            pairs: Family::default(),
            artifact_bytes: Family::default(),
            shared: Shared::default(),
        };
        metrics.registered()
    }
}

impl Metrics {
    fn registered(mut self) -> Self {
        let all = &mut self.registry;
        all.register("http_requests", "Requests answered", self.requests.clone());
        let help = "From a request's head to the beginning of its answer";
        all.register("http_request_seconds", help, self.seconds.clone());
        all.register(
            "leases_granted",
            "Leases granted here",
            self.granted.clone(),
        );
        all.register(
            "pairs",
            "Reported pairs by what became of them",
            self.pairs.clone(),
        );
        let help = "Bytes of artifacts that came in and that were sent out";
        all.register("artifact_bytes", help, self.artifact_bytes.clone());
        let shared = &self.shared;
        all.register("tests", "Tests by state", shared.tests.clone());
        let help = "Queued tests of which pairs can be lent";
        all.register("tests_open", help, shared.open.clone());
        all.register("leases_held", "Leases that are held", shared.held.clone());
        let help = "Pairs that are lent and not reported";
        all.register("pairs_lent", help, shared.lent.clone());
        let help = "Pairs that came back and are to be lent again";
        all.register("pairs_returned", help, shared.returned.clone());
        let help = "Workers that were heard of in the last 10 minutes";
        all.register("workers", help, shared.workers.clone());
        let help = "Pairs that these workers have played and nobody has acknowledged";
        all.register("spool_pairs", help, shared.spool.clone());
        let help = "Leases that lapsed, as seen by this coordinator";
        all.register("leases_lapsed", help, shared.lapsed.clone());
        let help = "Writes that wait for their transaction";
        all.register("writes_waiting", help, shared.waiting.clone());
        let help = "Writes that were committed";
        all.register("writes", help, shared.writes.clone());
        let help = "Transactions that held these writes";
        all.register("transactions", help, shared.transactions.clone());
        let help = "Recounts by whether they found what is shown";
        all.register("recounts", help, shared.recounts.clone());
        let help = "How long a write takes now, from the end of the line to its commit";
        all.register("write_lag_seconds", help, shared.write_seconds.clone());
        let help = "By how much a timer of the event loop is late now";
        all.register("loop_lag_seconds", help, shared.loop_seconds.clone());
        let help = "Bytes that are free on the disk of the data";
        all.register("disk_free_bytes", help, shared.free.clone());
        self
    }

    /// A request was answered.
    pub(super) fn answered(&self, route: &str, method: &'static str, status: u16, took: Duration) {
        let route = route.to_owned();
        let place = Route {
            route: route.clone(),
            method,
        };
        self.seconds
            .get_or_create(&place)
            .observe(took.as_secs_f64());
        let answered = Answered {
            route,
            method,
            status,
        };
        self.requests.get_or_create(&answered).inc();
    }

    /// A lease was granted.
    pub(super) fn granted(&self) {
        self.granted.inc();
    }

    /// Pairs were reported.
    pub(super) fn reported(&self, answer: &ReportAnswer) {
        for pair in &answer.pairs {
            let status = match pair.status {
                PairStatus::Counted => "counted",
                PairStatus::Known => "known",
                PairStatus::Late => "late",
                PairStatus::Refused => "refused",
            };
            self.pairs.get_or_create(&Status { status }).inc();
        }
    }

    /// Bytes of artifacts came in.
    pub(super) fn received(&self, bytes: usize) {
        self.artifact_bytes
            .get_or_create(&Way { way: "in" })
            .inc_by(bytes as u64);
    }

    /// Bytes of artifacts are sent out.
    pub(super) fn sent(&self, bytes: u64) {
        self.artifact_bytes
            .get_or_create(&Way { way: "out" })
            .inc_by(bytes);
    }

    async fn look_up(&self, doors: &Doors) -> Result<(), Problem> {
        let shared = &self.shared;
        let figures = doors.office.figures().await?;
        for (state, tests) in figures.counts.tests {
            let state = InState { state };
            shared.tests.get_or_create(&state).set(tests);
        }
        shared.open.set(figures.counts.open);
        shared.held.set(figures.counts.held);
        shared.lent.set(figures.counts.lent);
        shared.returned.set(figures.counts.returned);
        shared.workers.set(figures.counts.workers);
        shared.spool.set(figures.counts.spool);
        shared.lapsed.set(figures.lapsed);
        shared.waiting.set(figures.waiting);
        set(&shared.writes, figures.writes);
        set(&shared.transactions, figures.transactions);
        for (found, recounts) in [
            ("equal", figures.recounts_equal),
            ("different", figures.recounts_differing),
        ] {
            set(&shared.recounts.get_or_create(&Found { found }), recounts);
        }
        shared.write_seconds.set(figures.write.as_secs_f64());
        shared.free.set(figures.free_bytes);
        let (nap, began) = (Duration::from_millis(5), Instant::now());
        tokio::time::sleep(nap).await;
        let late = began.elapsed().saturating_sub(nap);
        shared.loop_seconds.set(late.as_secs_f64());
        Ok(())
    }
}

/// What is counted elsewhere.
fn set(counter: &Counter, count: u64) {
    counter.inner().store(count, Ordering::Relaxed);
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

/// Who may read figures: whoever has a token, or everybody if that was set.
#[derive(Debug)]
pub(super) struct Watcher;

impl FromRequestParts<Doors> for Watcher {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, doors: &Doors) -> Result<Self, Refusal> {
        if !doors.metrics_open {
            Visitor::<Reader>::from_request_parts(parts, doors).await?;
        }
        Ok(Self)
    }
}

/// Figures for Prometheus; without a token if the coordinator was started with `--metrics-open`
#[utoipa::path(
    get, path = "/metrics", tag = "service", operation_id = "metrics",
    responses((status = 200, description = "OpenMetrics", body = String, content_type = "application/openmetrics-text")),
    security(("token" = ["read"])),
)]
pub(super) async fn metrics(State(doors): State<Doors>, _: Watcher) -> Result<Response, Refusal> {
    doors.metrics.look_up(&doors).await?;
    let mut text = String::new();
    encode(&mut text, &doors.metrics.registry).expect("text takes whatever is written");
    Ok(([("content-type", TYPE)], text).into_response())
}
