//! How often somebody may: buckets that fill again.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Those who are remembered at a time. Full buckets are forgotten first, which changes nothing.
const MOST: usize = 100_000;

/// A bucket holds `burst` and gets `per_second` back; one is taken each time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rate {
    pub(crate) per_second: f64,
    pub(crate) burst: f64,
}

/// A bucket for each of those who come.
#[derive(Debug)]
pub(crate) struct Limits<K> {
    rate: Rate,
    buckets: Mutex<HashMap<K, Bucket>>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: f64,
    seen: Instant,
}

impl<K: Hash + Eq> Limits<K> {
    pub(crate) fn new(rate: Rate) -> Self {
        Self {
            rate,
            buckets: Mutex::default(),
        }
    }

    /// Takes one from the bucket of `who`.
    ///
    /// # Errors
    /// How long to wait until there is one.
    pub(crate) fn take(&self, who: K, now: Instant) -> Result<(), Duration> {
        let rate = self.rate;
        let mut buckets = self.buckets.lock().expect("nobody panics with it");
        if buckets.len() >= MOST {
            buckets.retain(|_, bucket| bucket.at(now, rate) < rate.burst);
            if buckets.len() >= MOST && !buckets.contains_key(&who) {
                return Err(Duration::from_secs(1));
            }
        }
        let bucket = buckets.entry(who).or_insert(Bucket {
            left: rate.burst,
            seen: now,
        });
        bucket.left = bucket.at(now, rate);
        bucket.seen = now;
        if bucket.left < 1.0 {
            return Err(Duration::from_secs_f64(
                (1.0 - bucket.left) / rate.per_second,
            ));
        }
        bucket.left -= 1.0;
        Ok(())
    }
}

impl Bucket {
    /// What is in it at `now`.
    fn at(&self, now: Instant, rate: Rate) -> f64 {
        let passed = now.saturating_duration_since(self.seen).as_secs_f64();
        (self.left + passed * rate.per_second).min(rate.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate_to_each() {
        let rate = Rate {
            per_second: 2.0,
            burst: 3.0,
        };
        let (limits, start) = (Limits::new(rate), Instant::now());
        for _ in 0..3 {
            assert_eq!(limits.take("a", start), Ok(()));
        }
        assert_eq!(limits.take("a", start), Err(Duration::from_millis(500)));
        assert_eq!(limits.take("b", start), Ok(()));
        let later = start + Duration::from_millis(500);
        assert_eq!(limits.take("a", later), Ok(()));
        assert!(limits.take("a", later).is_err());
    }
}
