//! What the doors have in common: whom they lead to, who is let through how often, and what is counted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::FromRef;
use tokio::sync::watch;

use super::metrics::Metrics;
use crate::limits::{Limits, Rate};
use crate::office::Office;

/// The seconds' worth of requests that may come at once.
const BURST_SECONDS: f64 = 2.0;

/// How much work the doors take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoorSettings {
    /// Requests a second by one token, for what people ask for; 0 is any number.
    pub rate: u32,
    /// Claims, heartbeats and reports a second by one token, which a whole fleet may share; 0 is any
    /// number.
    pub worker_rate: u32,
    /// Connections at a time.
    pub connections: usize,
    /// Whether figures are for everybody, without a token.
    pub metrics_open: bool,
}

impl Default for DoorSettings {
    fn default() -> Self {
        Self {
            rate: 200,
            worker_rate: 20_000,
            connections: 16_384,
            metrics_open: false,
        }
    }
}

/// What every handler can have.
#[derive(Clone, Debug)]
pub(super) struct Doors {
    pub(super) office: Office,
    pub(super) metrics: Arc<Metrics>,
    pub(super) metrics_open: bool,
    rates: Arc<Rates>,
    /// Whether we end: what would go on for ever is to end too.
    pub(super) draining: watch::Receiver<bool>,
}

/// By the names of tokens.
#[derive(Debug)]
struct Rates {
    people: Option<Limits<String>>,
    players: Option<Limits<String>>,
}

impl Doors {
    pub(super) fn new(
        office: Office,
        settings: DoorSettings,
        draining: watch::Receiver<bool>,
    ) -> Self {
        let limits = |rate: u32| {
            let per_second = f64::from(rate);
            let burst = per_second * BURST_SECONDS;
            (rate > 0).then(|| Limits::new(Rate { per_second, burst }))
        };
        Self {
            office,
            metrics: Arc::default(),
            metrics_open: settings.metrics_open,
            rates: Arc::new(Rates {
                people: limits(settings.rate),
                players: limits(settings.worker_rate),
            }),
            draining,
        }
    }

    /// Lets somebody through with `token`, or says how long to wait.
    pub(super) fn may(&self, token: &str, plays: bool) -> Result<(), Duration> {
        let limits = match plays {
            true => &self.rates.players,
            false => &self.rates.people,
        };
        match limits {
            Some(limits) => limits.take(token.to_owned(), Instant::now()),
            None => Ok(()),
        }
    }
}

impl FromRef<Doors> for Office {
    fn from_ref(doors: &Doors) -> Self {
        doors.office.clone()
    }
}
