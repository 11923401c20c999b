//! What a contest came to: a fold over the ledger, and the shape of `summary.json`.
//!
//! Everything is told from the first engine's side. What is not defined (the Elo of no games, the
//! interval of one pair) is `null`, never NaN or an infinity. Half pairs count for the results of
//! engines and never for the pentanomial and what follows from it.
//!
//! With three or more engines, `pentanomial`, `elo`, `nelo` and `los` are the first engine's
//! against all the others together; every engine then has its `score` and `elo_against_field`, and
//! the `crosstable` tells who did what against whom.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use stats::{Estimate, Pentanomial, Results, Trinomial, Undefined};

use crate::contest::Sequential;
use crate::fixture::EngineId;
use crate::ledger::{Ledger, Standing};
use crate::spec::Spec;

mod sprt;

pub use sprt::{SprtSummary, TestEstimate};

/// The result of a contest so far. Serialized, it is `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Games with a result.
    pub games: u64,
    /// Complete pairs.
    pub pairs: u64,
    /// Plies that engines played in those games; those of the book are not among them.
    pub plies: u64,
    /// How long it took, in seconds.
    pub wall_seconds: f64,
    /// In the order of the spec.
    pub engines: Vec<EngineSummary>,
    /// Complete pairs by the first engine's score 0, ½, 1, 1½, 2.
    pub pentanomial: [u64; 5],
    /// Logistic Elo of the first engine.
    pub elo: Measured,
    /// Normalized Elo of the first engine.
    pub nelo: Measured,
    /// How likely it is that the first engine is the stronger one, 0 to 1.
    pub los: Option<f64>,
    /// The sequential test, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    /// How often games ended in which way.
    pub terminations: BTreeMap<&'static str, u64>,
    /// Times that the host spoilt a game.
    pub void_games: u64,
    /// Every two engines that met, if there are more than two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crosstable: Vec<Encounter>,
}

/// One engine's results and faults.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineSummary {
    /// Its name.
    pub name: String,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Flags that fell, also where the opponent could not win.
    pub time_losses: u64,
    /// Processes that ended by themselves.
    pub crashes: u64,
    /// Questions without an answer.
    pub stalls: u64,
    /// Answers that were no legal move.
    pub illegal_moves: u64,
    /// Its points; only with three or more engines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Its Elo against all the others together, which is on no scale with that of another engine
    /// unless everybody met everybody; only with three or more engines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_against_field: Option<Measured>,
}

/// Two engines that met, from the side of the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Encounter {
    /// Whose side it is told from.
    pub engine: String,
    /// Against whom.
    pub opponent: String,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Complete pairs by score.
    pub pentanomial: [u64; 5],
}

/// A number with its 95 % interval, as far as they are defined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Measured {
    /// The number.
    pub value: Option<f64>,
    /// Lower and upper limit.
    pub ci95: Option<[f64; 2]>,
}

impl Summary {
    /// The summary of the games in `ledger`, which took `wall`; `sprt` has looked at them.
    pub fn new(spec: &Spec, ledger: &Ledger, sprt: Option<&Sequential>, wall: Duration) -> Self {
        let first = EngineId(0);
        let pentanomial = ledger.all_pairs_of(first);
        let results = Results::Pairs(pentanomial);
        let many = spec.engines.len() > 2;
        Self {
            games: ledger.games(),
            pairs: ledger.pairs(),
            plies: ledger.plies(),
            wall_seconds: (wall.as_secs_f64() * 1000.0).round() / 1000.0,
            engines: (0..spec.engines.len())
                .map(|i| EngineSummary::new(spec, ledger, EngineId(i)))
                .collect(),
            pentanomial: pentanomial.0,
            elo: Measured::from(results.elo()),
            nelo: Measured::from(results.nelo()),
            los: results.los().ok(),
            sprt: sprt.map(|test| SprtSummary::new(Arc::clone(test.sprt()), test.progress())),
            terminations: ledger.endings(),
            void_games: ledger.voids(),
            crosstable: if many {
                crosstable(spec, ledger)
            } else {
                Vec::new()
            },
        }
    }
}

impl EngineSummary {
    fn new(spec: &Spec, ledger: &Ledger, engine: EngineId) -> Self {
        let Standing {
            games,
            time_losses,
            crashes,
            stalls,
            illegal_moves,
        } = ledger.standing(engine);
        let many = spec.engines.len() > 2;
        let field = || Measured::from(Results::Pairs(ledger.all_pairs_of(engine)).elo());
        Self {
            name: spec.engines[engine.0].name.clone(),
            wins: games.wins,
            losses: games.losses,
            draws: games.draws,
            time_losses,
            crashes,
            stalls,
            illegal_moves,
            score: many.then_some(games.wins as f64 + games.draws as f64 / 2.0),
            elo_against_field: many.then(field),
        }
    }
}

fn crosstable(spec: &Spec, ledger: &Ledger) -> Vec<Encounter> {
    let engines = spec.engines.len();
    (0..engines)
        .flat_map(|engine| (engine + 1..engines).map(move |opponent| (engine, opponent)))
        .filter_map(|(engine, opponent)| {
            let games = ledger.encounter(EngineId(engine), EngineId(opponent));
            let Trinomial {
                wins,
                draws,
                losses,
            } = games;
            let Pentanomial(pentanomial) = ledger.pairs_of(EngineId(engine), EngineId(opponent));
            (games.games() > 0).then(|| Encounter {
                engine: spec.engines[engine].name.clone(),
                opponent: spec.engines[opponent].name.clone(),
                wins,
                losses,
                draws,
                pentanomial,
            })
        })
        .collect()
}

impl From<Result<Estimate, Undefined>> for Measured {
    fn from(estimate: Result<Estimate, Undefined>) -> Self {
        match estimate {
            Ok(Estimate { value, ci95 }) => Self {
                value: Some(value),
                ci95: ci95.ok().map(|interval| [interval.low, interval.high]),
            },
            Err(_undefined) => Self::default(),
        }
    }
}
