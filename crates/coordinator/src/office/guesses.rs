//! Those who guess passwords.

use std::net::IpAddr;
use std::time::Instant;

use fleet_api::{Code, Problem};

use super::problem;
use super::users::is_name;
use crate::limits::{Limits, Rate};

/// How often a password may be tried.
#[derive(Debug)]
pub(super) struct Guesses {
    addresses: Limits<IpAddr>,
    users: Limits<(String, IpAddr)>,
    users_from_anywhere: Limits<String>,
}

impl Default for Guesses {
    /// Behind an address may be a club. Ten mistyped passwords are a bad day, and then one a minute is
    /// enough for it. Who tries them at a user from many addresses keeps that user out only if they
    /// are more than ten.
    fn default() -> Self {
        let rate = |per_minute: f64, burst| Rate {
            per_second: per_minute / 60.0,
            burst,
        };
        Self {
            addresses: Limits::new(rate(10.0, 60.0)),
            users: Limits::new(rate(1.0, 10.0)),
            users_from_anywhere: Limits::new(rate(10.0, 100.0)),
        }
    }
}

impl Guesses {
    /// Counts a password for `name`, unless there were too many.
    pub(super) fn one_more(&self, name: &str, from: IpAddr, now: Instant) -> Result<(), Problem> {
        let from = network(from);
        // What nobody can be called is not remembered: it may be long, and there is no end to it.
        let name = if is_name(name) { name } else { "" }.to_owned();
        // Who is sent away does not use up what is left for others.
        let taken = self
            .addresses
            .take(from, now)
            .and_then(|()| self.users.take((name.clone(), from), now))
            .and_then(|()| self.users_from_anywhere.take(name, now));
        taken.map_err(|wait| {
            let text = format!(
                "too many passwords were tried; the next one in {} s",
                wait.as_secs() + 1
            );
            problem(Code::TooManyRequests, text)
        })
    }
}

/// Who has an address of version 6 has 2^64 of them.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => IpAddr::V6((u128::from(six) >> 64 << 64).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of `tries` are let through.
    fn let_through(
        guesses: &Guesses,
        now: Instant,
        tries: impl Iterator<Item = (String, u8)>,
    ) -> usize {
        tries
            .filter(|(name, address)| {
                let from = IpAddr::from([10, 0, 0, *address]);
                guesses.one_more(name, from, now).is_ok()
            })
            .count()
    }

    #[test]
    fn who_guesses_at_a_user_is_kept_out_and_the_user_elsewhere_is_not() {
        let (guesses, now) = (Guesses::default(), Instant::now());
        let ada = |address| (0..1000).map(move |_| ("ada".to_owned(), address));
        assert_eq!(let_through(&guesses, now, ada(1)), 10);
        assert_eq!(let_through(&guesses, now, ada(2).take(3)), 3);
        let bob = std::iter::once(("bob".to_owned(), 1));
        assert_eq!(
            let_through(&guesses, now, bob),
            0,
            "the address has had enough"
        );
    }

    #[test]
    fn a_user_is_guarded_against_many_addresses_too() {
        let (guesses, now) = (Guesses::default(), Instant::now());
        let many = (0..=255).map(|address| ("ada".to_owned(), address));
        assert_eq!(let_through(&guesses, now, many), 100);
    }

    #[test]
    fn what_nobody_can_be_called_is_not_remembered() {
        let (guesses, now) = (Guesses::default(), Instant::now());
        let long = (0..20).map(|i| ("x".repeat(1000 + i), 1));
        assert_eq!(
            let_through(&guesses, now, long),
            10,
            "all of them are one name"
        );
    }
}
