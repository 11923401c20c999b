//! Strength for programs. The names are part of the interface, and those of `summary.json` where it
//! has the same.

use match_core::summary::{Measured, SprtSummary, TestEstimate};
use serde::Serialize;
use stats::{Results, Trinomial};

use super::record::Record;

#[derive(Serialize)]
struct Strength<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponents: Option<&'a [String]>,
    games: u64,
    pairs: Option<u64>,
    /// Games without a partner, which count for nothing but `games`.
    single_games: u64,
    pentanomial: Option<[u64; 5]>,
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
    /// Points a game, 0 to 1.
    score: Option<f64>,
    elo: Measured,
    nelo: Measured,
    los: Option<f64>,
    /// Of pairs, or of games where pairs are not known; 0 to 1.
    draw_ratio: Option<f64>,
    pairs_ratio: Option<f64>,
    #[serde(flatten)]
    test: Option<Test<'a>>,
}

#[derive(Serialize)]
struct Test<'a> {
    sprt: &'a SprtSummary,
    sprt_elo: Option<TestEstimate>,
}

/// One line.
pub(super) fn of(record: &Record, test: Option<&SprtSummary>) -> String {
    let results = record.results();
    let (pairs, draw_ratio, pairs_ratio) = match results {
        Results::Pairs(pairs) => (
            Some(pairs),
            pairs.draw_ratio().ok(),
            pairs.pairs_ratio().ok(),
        ),
        Results::Games(games) => (None, draw_ratio(games), None),
    };
    let games = record.games;
    let strength = Strength {
        engine: (record.players.as_ref()).map(|players| players.engine.as_str()),
        opponents: (record.players.as_ref()).map(|players| players.opponents.as_slice()),
        games: record.total_games(),
        pairs: pairs.map(|pairs| pairs.pairs()),
        single_games: record.single.games(),
        pentanomial: pairs.map(|pairs| pairs.0),
        wins: games.map(|games| games.wins),
        draws: games.map(|games| games.draws),
        losses: games.map(|games| games.losses),
        score: results.score().ok(),
        elo: Measured::from(results.elo()),
        nelo: Measured::from(results.nelo()),
        los: results.los().ok(),
        draw_ratio,
        pairs_ratio,
        test: test.map(|sprt| Test {
            sprt,
            sprt_elo: sprt.estimate().ok().map(TestEstimate::from),
        }),
    };
    serde_json::to_string(&strength).expect("strings and finite numbers are always JSON")
}

fn draw_ratio(games: Trinomial) -> Option<f64> {
    (0 < games.games()).then(|| games.draws as f64 / games.games() as f64)
}
