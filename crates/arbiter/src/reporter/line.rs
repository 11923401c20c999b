//! The lines that tell what happens.

use engine_core::Color;
use match_core::record::GameRecord;
use match_core::spec::{Spec, Tournament};
use match_core::summary::Summary;
use match_core::verdict::Verdict;

/// `40 games of new against old, 2 at a time`.
pub(super) fn started(spec: &Spec, games: u64, slots: usize) -> String {
    let engines = spec.engines.len();
    let who = match (spec.tournament, engines) {
        (_, 2) => format!("{} against {}", spec.engines[0].name, spec.engines[1].name),
        (Tournament::RoundRobin, _) => format!("a round robin of {engines} engines"),
        (Tournament::Gauntlet, _) => {
            format!(
                "a gauntlet of {} against {} engines",
                spec.engines[0].name,
                engines - 1
            )
        }
    };
    if spec.is_open_ended() {
        format!("games of {who} until the test is decided, {slots} at a time")
    } else {
        format!("{games} games of {who}, {slots} at a time")
    }
}

/// `resumed: 120 of 200 games have been played`.
pub(super) fn resumed(spec: &Spec, games: u64, summary: &Summary) -> String {
    let played = summary.games;
    if spec.is_open_ended() {
        format!("resumed: {played} games have been played")
    } else {
        format!("resumed: {played} of {games} games have been played")
    }
}

/// `game 12 of 200: new 1-0 old, checkmate, 84 plies`; white stands first.
pub(super) fn finished(spec: &Spec, games: u64, record: &GameRecord) -> String {
    let number = record.fixture.number;
    let of = if spec.is_open_ended() {
        String::new()
    } else {
        format!(" of {games}")
    };
    let name = |color| &spec.engines[record.fixture.players[color].0].name;
    let (white, black) = (name(Color::White), name(Color::Black));
    let score = record
        .verdict
        .outcome()
        .map_or("*", |outcome| outcome.as_pgn());
    let plies = record.opening.moves.len() + record.plies.len();
    let end = match &record.verdict {
        Verdict::Forfeit { fault, .. } => fault.to_string(),
        verdict => verdict.name().to_owned(),
    };
    format!("game {number}{of}: {white} {score} {black}, {end}, {plies} plies")
}
