//! The description of a contest as people write it: nothing need be given, unknown keys are refused.
//!
//! One type per section, read from TOML and from `key=value` words alike (`raw/words.rs`), overlaid in
//! the order defaults, file, environment, flags, and resolved in one place ([`RawSpec::resolve`]).
//! Relative paths are relative to the current folder wherever they are written, so that a spec file
//! means the same as the flags that it stands for.
//!
//! To add a setting: a field here or in its section, its overlay beside it (the compiler finds the
//! place), its use in `spec/resolve.rs`, and the resolved field in `spec.rs`.

use std::num::NonZeroU64;
use std::path::Path;
use std::str::FromStr;

use engine_core::FlagPolicy;
use serde::Deserialize;
use thiserror::Error;

use crate::adjudication::TablebaseRulings;
use crate::cpu_list::CpuList;
use crate::spec::error::SpecError;
use crate::spec::{BookFormat, BookOrder, Concurrency, Tournament, Variant, VoidLimit};

mod adjudication;
mod engine;
mod fleet;
mod openings;
mod output;
mod patience;
mod sandbox;
mod sprt;
mod unknown;
mod value;
mod words;
mod written;

pub use adjudication::{RawAdjudication, RawDraw, RawResign, RawSyzygy};
pub use engine::{Protocol, RawEngine};
pub use fleet::{RawFleet, RawGit};
pub use openings::RawOpenings;
pub use output::{RawJournal, RawOutput, RawPgn};
pub use patience::RawPatience;
pub use sandbox::{RawSandbox, RawSandboxSettings};
pub use sprt::{BoundShape, RawSprt};
pub use value::{Settings, UnknownName};
pub use written::{Difference, Written};

/// A contest, as far as it was said.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "a section of settings",
    rename_all = "kebab-case"
)]
pub struct RawSpec {
    /// PGN's `Event`.
    #[serde(deserialize_with = "value::line")]
    pub event: Option<String>,
    /// PGN's `Site`.
    #[serde(deserialize_with = "value::line")]
    pub site: Option<String>,
    /// `round-robin` or `gauntlet`.
    #[serde(deserialize_with = "value::parsed")]
    pub tournament: Option<Tournament>,
    /// Pairs of games for each two engines that meet.
    #[serde(deserialize_with = "value::count")]
    pub pairs: Option<NonZeroU64>,
    /// Decides the order of openings.
    #[serde(deserialize_with = "value::whole")]
    pub seed: Option<u64>,
    /// `standard` or `chess960`.
    #[serde(deserialize_with = "value::parsed")]
    pub variant: Option<Variant>,
    /// Faults of one engine that end the contest.
    #[serde(deserialize_with = "value::count")]
    pub max_faults: Option<NonZeroU64>,
    /// `auto` or a number.
    #[serde(deserialize_with = "value::parsed")]
    pub concurrency: Option<Concurrency>,
    /// The CPUs that engines may use, as `0-3,8`.
    #[serde(deserialize_with = "value::parsed")]
    pub cpus: Option<CpuList>,
    /// Whether each slot's engines stay on CPUs of their own.
    #[serde(deserialize_with = "value::switch")]
    pub pin: Option<bool>,
    /// Whether a game is void that the host spoilt.
    #[serde(deserialize_with = "value::switch")]
    pub host_blame: Option<bool>,
    /// How many of those there may be, as `20` or `5%`.
    #[serde(deserialize_with = "value::parsed")]
    pub max_voids: Option<VoidLimit>,
    /// `bare-king`, `cannot-mate` or `loss`.
    #[serde(deserialize_with = "value::one_of")]
    pub flag_policy: Option<FlagPolicy>,
    /// What all engines share.
    pub each: RawEngine,
    /// The engines.
    #[serde(deserialize_with = "value::sections")]
    pub engine: Vec<RawEngine>,
    /// Where games start.
    pub openings: RawOpenings,
    /// A sequential test, if the section is there at all.
    pub sprt: Option<RawSprt>,
    /// When the referee ends games.
    pub adjudication: RawAdjudication,
    /// How long to wait for engines outside their clocks.
    pub patience: RawPatience,
    /// What is written where.
    pub output: RawOutput,
    /// What only a fleet needs to know.
    pub fleet: RawFleet,
}

impl RawSpec {
    /// Reads a TOML file; `file` is its name for messages.
    ///
    /// # Errors
    ///
    /// [`SpecError::Toml`] for text that is no TOML, for unknown keys and for values that are not
    /// allowed, with line and column.
    pub fn from_toml(file: &Path, text: &str) -> Result<Self, SpecError> {
        toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let before = text.get(..start).unwrap_or(text);
            let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
            SpecError::Toml {
                file: file.to_owned(),
                line: before.matches('\n').count() + 1,
                column: before[line_start..].chars().count() + 1,
                message: error.message().replace('\n', ", "),
                near: unknown::nearest_allowed(error.message()),
            }
        })
    }

    /// Reads `ARBITER_CONCURRENCY` and `ARBITER_SEED` by asking `variable` for their values. They
    /// are what differs from one machine, or from one repetition, to the next.
    ///
    /// # Errors
    ///
    /// [`SpecError::Variable`] for a value that is not allowed.
    pub fn from_env(variable: impl Fn(&str) -> Option<String>) -> Result<Self, SpecError> {
        Ok(Self {
            concurrency: read_variable(&variable, "ARBITER_CONCURRENCY", |text| {
                text.parse()
                    .map_err(|error: ConcurrencyError| error.to_string())
            })?,
            seed: read_variable(&variable, "ARBITER_SEED", |text| {
                text.parse()
                    .map_err(|_| format!("`{text}` is not a seed: a whole number, 0 or more"))
            })?,
            ..Self::default()
        })
    }

    /// This with what `stronger` says in its place, key by key. A list of engines replaces the
    /// whole list: which of the old would a new one stand for?
    #[must_use]
    pub fn overlaid_with(self, stronger: Self) -> Self {
        let Self {
            event,
            site,
            tournament,
            pairs,
            seed,
            variant,
            max_faults,
            concurrency,
            cpus,
            pin,
            host_blame,
            max_voids,
            flag_policy,
            each,
            engine,
            openings,
            sprt,
            adjudication,
            patience,
            output,
            fleet,
        } = stronger;
        Self {
            event: event.or(self.event),
            site: site.or(self.site),
            tournament: tournament.or(self.tournament),
            pairs: pairs.or(self.pairs),
            seed: seed.or(self.seed),
            variant: variant.or(self.variant),
            max_faults: max_faults.or(self.max_faults),
            concurrency: concurrency.or(self.concurrency),
            cpus: cpus.or(self.cpus),
            pin: pin.or(self.pin),
            host_blame: host_blame.or(self.host_blame),
            max_voids: max_voids.or(self.max_voids),
            flag_policy: flag_policy.or(self.flag_policy),
            each: self.each.overlaid_with(each),
            engine: if engine.is_empty() {
                self.engine
            } else {
                engine
            },
            openings: self.openings.overlaid_with(openings),
            sprt: overlay(self.sprt, sprt, RawSprt::overlaid_with),
            adjudication: self.adjudication.overlaid_with(adjudication),
            patience: self.patience.overlaid_with(patience),
            output: self.output.overlaid_with(output),
            // Only a file has it.
            fleet: if fleet == RawFleet::default() {
                self.fleet
            } else {
                fleet
            },
        }
    }
}

/// A section that may be absent, overlaid by one that may be absent.
fn overlay<T>(weaker: Option<T>, stronger: Option<T>, both: impl Fn(T, T) -> T) -> Option<T> {
    match (weaker, stronger) {
        (Some(weaker), Some(stronger)) => Some(both(weaker, stronger)),
        (weaker, stronger) => stronger.or(weaker),
    }
}

fn read_variable<T>(
    variable: impl Fn(&str) -> Option<String>,
    name: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, SpecError> {
    variable(name)
        .map(|text| {
            read(text.trim()).map_err(|message| SpecError::Variable {
                name: name.to_owned(),
                message,
            })
        })
        .transpose()
}

impl value::Named for Tournament {
    const WHAT: &'static str = "a tournament";
    const NAMES: &'static [(&'static str, Self)] = &[
        ("round-robin", Self::RoundRobin),
        ("gauntlet", Self::Gauntlet),
        ("roundrobin", Self::RoundRobin),
    ];
}

impl value::Named for FlagPolicy {
    const WHAT: &'static str = "a flag policy";
    const NAMES: &'static [(&'static str, Self)] = &[
        (Self::BareKing.name(), Self::BareKing),
        (Self::CannotMate.name(), Self::CannotMate),
        (Self::Loss.name(), Self::Loss),
    ];
}

impl value::Named for Variant {
    const WHAT: &'static str = "a variant";
    const NAMES: &'static [(&'static str, Self)] = &[
        ("standard", Self::Standard),
        ("chess960", Self::Chess960),
        ("fischerandom", Self::Chess960),
        ("frc", Self::Chess960),
    ];
}

impl value::Named for BookFormat {
    const WHAT: &'static str = "a format of a book";
    const NAMES: &'static [(&'static str, Self)] =
        &[("epd", Self::Epd), ("pgn", Self::Pgn), ("fen", Self::Epd)];
}

impl value::Named for BookOrder {
    const WHAT: &'static str = "an order of openings";
    const NAMES: &'static [(&'static str, Self)] =
        &[("sequential", Self::Sequential), ("random", Self::Random)];
}

impl value::Named for TablebaseRulings {
    const WHAT: &'static str = "a choice of tablebase rulings";
    const NAMES: &'static [(&'static str, Self)] = &[
        ("all", Self::All),
        ("win-loss", Self::WinLoss),
        ("draw", Self::Draw),
    ];
}

macro_rules! read_by_name {
    ($($type:ty),*) => {$(
        impl FromStr for $type {
            type Err = UnknownName;

            /// Reads the name, whatever its case.
            fn from_str(text: &str) -> Result<Self, UnknownName> {
                value::named(text)
            }
        }
    )*};
}

read_by_name!(
    Tournament,
    Variant,
    BookFormat,
    BookOrder,
    Protocol,
    TablebaseRulings
);

/// A text that is no concurrency.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a concurrency: `auto` or a number from 1")]
pub struct ConcurrencyError(
    /// All of it.
    pub String,
);

impl FromStr for Concurrency {
    type Err = ConcurrencyError;

    /// Reads `auto` or a number from 1.
    fn from_str(text: &str) -> Result<Self, ConcurrencyError> {
        match text.parse() {
            Ok(slots) => Ok(Self::Slots(slots)),
            Err(_) if text.eq_ignore_ascii_case("auto") => Ok(Self::Auto),
            Err(_) => Err(ConcurrencyError(text.to_owned())),
        }
    }
}
