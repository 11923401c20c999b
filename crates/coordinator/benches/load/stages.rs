//! The stages of the measurement.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use crate::figures::Latencies;
use crate::fleet::{Fleet, Worker};

/// A worker says that it is alive once in so many reports.
const REPORTS_PER_HEARTBEAT: u64 = 16;

/// What one connection measured.
#[derive(Default)]
struct Measured {
    reports: Latencies,
    heartbeats: Latencies,
    claims: Latencies,
}

impl Measured {
    fn extend(&mut self, other: Self) {
        self.reports.extend(other.reports);
        self.heartbeats.extend(other.heartbeats);
        self.claims.extend(other.claims);
    }

    fn print(self, span: Duration) {
        self.reports.print("  reports of one pair", span);
        self.heartbeats.print("  heartbeats", span);
        self.claims.print("  claims", span);
    }
}

/// `rate` reports a second for `span`, over `connections` connections. How many requests it took.
pub(crate) async fn reports(
    fleet: &Arc<Fleet>,
    connections: usize,
    rate: u64,
    span: Duration,
) -> u64 {
    println!("{rate} reports a second, {connections} connections, each a worker:");
    paced(fleet, connections, Some(rate), span).await
}

/// As many reports as can be answered.
pub(crate) async fn flood(fleet: &Arc<Fleet>, connections: usize, span: Duration) -> u64 {
    println!("as many reports as are answered, {connections} connections, each a worker:");
    paced(fleet, connections, None, span).await
}

async fn paced(fleet: &Arc<Fleet>, connections: usize, rate: Option<u64>, span: Duration) -> u64 {
    let mut wire = fleet.wire().await;
    let test = fleet.submit(&mut wire).await;
    let mut workers = Vec::new();
    for _ in 0..connections {
        let mut worker = Worker::new(fleet).await;
        worker.claim().await;
        workers.push(worker);
    }
    let begin = Instant::now() + Duration::from_millis(100);
    let mut running = JoinSet::new();
    for (i, worker) in workers.into_iter().enumerate() {
        let pace = rate.map(|rate| {
            let step = Duration::from_secs(connections as u64) / u32::try_from(rate).expect("few");
            (begin + step * i as u32 / connections as u32, step)
        });
        running.spawn(work(worker, begin, pace, span));
    }
    let mut all = Measured::default();
    while let Some(measured) = running.join_next().await {
        all.extend(measured.expect("no answer was wrong"));
    }
    let took = begin.elapsed();
    let acknowledged = all.reports.len() as u64;
    let requests = acknowledged + (all.heartbeats.len() + all.claims.len()) as u64;
    all.print(took);
    // The first one may have been idle for too long.
    let mut wire = fleet.wire().await;
    let counted = fleet.counted(&mut wire, &test).await;
    assert_eq!(counted, acknowledged, "what was acknowledged is counted");
    println!("  all {counted} acknowledged pairs are in the ledger, each once");
    fleet.pause(&mut wire, &test).await;
    requests
}

/// Reports until the end; with a pace, each when it is due: (the first, the step).
async fn work(
    mut worker: Worker,
    begin: Instant,
    pace: Option<(Instant, Duration)>,
    span: Duration,
) -> Measured {
    let mut measured = Measured::default();
    let end = begin + span;
    for number in 0.. {
        let due = pace.map_or_else(Instant::now, |(first, step)| {
            first + step * u32::try_from(number).expect("few")
        });
        if due >= end {
            break;
        }
        sleep_until(due).await;
        worker.report().await;
        measured.reports.add(due.elapsed());
        if number % REPORTS_PER_HEARTBEAT == 0 {
            let at = Instant::now();
            worker.heartbeat().await;
            measured.heartbeats.add(at.elapsed());
        }
        if worker.is_idle() {
            let at = Instant::now();
            worker.claim().await;
            measured.claims.add(at.elapsed());
        }
    }
    measured
}

/// Submits so many tests.
pub(crate) async fn submit(fleet: &Arc<Fleet>, tests: usize) {
    let mut wire = fleet.wire().await;
    let begin = Instant::now();
    for _ in 0..tests {
        fleet.submit(&mut wire).await;
    }
    println!("{tests} tests submitted in {:.1?}\n", begin.elapsed());
}

/// Claims while `tests` tests run: 200 a second, and then as many as are answered. How many there were.
pub(crate) async fn claims(fleet: &Arc<Fleet>, tests: usize, span: Duration) -> u64 {
    let mut requests = 0;
    for (connections, rate) in [(32, Some(200)), (32, None)] {
        let mut running = JoinSet::new();
        let mut workers = Vec::new();
        for _ in 0..connections {
            workers.push(Worker::new(fleet).await);
        }
        let begin = Instant::now();
        for (i, mut worker) in workers.into_iter().enumerate() {
            running.spawn(async move {
                let mut latencies = Latencies::default();
                for number in 0.. {
                    let due = rate.map_or_else(Instant::now, |rate| {
                        let step = Duration::from_secs(connections) / rate;
                        begin + step * number + step * i as u32 / connections as u32
                    });
                    if due >= begin + span {
                        break;
                    }
                    sleep_until(due).await;
                    worker.become_another();
                    worker.claim().await;
                    latencies.add(due.elapsed());
                }
                latencies
            });
        }
        let mut all = Latencies::default();
        while let Some(latencies) = running.join_next().await {
            all.extend(latencies.expect("no answer was wrong"));
        }
        match rate {
            Some(rate) => println!("{rate} claims a second with {tests} tests, each a new worker:"),
            None => println!("as many claims as are answered, {connections} connections:"),
        }
        requests += all.len() as u64;
        all.print("  claims", begin.elapsed());
    }
    requests
}

/// Claims until `workers` workers are known.
pub(crate) async fn crowd(fleet: &Arc<Fleet>, workers: usize) {
    let begin = Instant::now();
    let mut worker = Worker::new(fleet).await;
    let mut latencies = Latencies::default();
    while fleet.known() < workers as u64 {
        worker.become_another();
        let at = Instant::now();
        worker.claim().await;
        latencies.add(at.elapsed());
    }
    println!("more workers, one after the other, until {workers} are known:");
    latencies.print("  claims", begin.elapsed());
}
