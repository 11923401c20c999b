//! Latencies, and what they come to.

use std::time::Duration;

/// How long each answer took.
#[derive(Debug, Default)]
pub(crate) struct Latencies(Vec<Duration>);

impl Latencies {
    pub(crate) fn add(&mut self, latency: Duration) {
        self.0.push(latency);
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// One line: how many, how many a second in `span`, and the quantiles.
    pub(crate) fn print(mut self, what: &str, span: Duration) {
        self.0.sort_unstable();
        let at = |quantile: f64| {
            let place = ((self.0.len() as f64 - 1.0) * quantile).round() as usize;
            self.0
                .get(place)
                .map_or(0.0, |latency| latency.as_secs_f64() * 1e3)
        };
        println!(
            "{what:<34} {:>8}  {:>7.0}/s   p50 {:>7.2}  p90 {:>7.2}  p99 {:>7.2}  p99.9 {:>7.2}  max {:>7.2} ms",
            self.0.len(),
            self.0.len() as f64 / span.as_secs_f64(),
            at(0.50),
            at(0.90),
            at(0.99),
            at(0.999),
            at(1.0)
        );
    }
}
