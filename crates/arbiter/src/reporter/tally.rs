//! Games, points and faults of an engine, as people write them.

use match_core::summary::EngineSummary;
use stats::Fixed;

/// `+60 -40 =100`.
pub(super) fn wins_losses_draws(engine: &EngineSummary) -> String {
    format!("+{} -{} ={}", engine.wins, engine.losses, engine.draws)
}

/// Games that an engine has finished.
pub(super) fn games(engine: &EngineSummary) -> u64 {
    engine.wins + engine.losses + engine.draws
}

/// Points of so many wins and draws.
pub(super) fn points(wins: u64, draws: u64) -> f64 {
    wins as f64 + draws as f64 / 2.0
}

/// Per cent of the points of so many games; 0 for none.
pub(super) fn percent(points: f64, games: u64) -> Fixed {
    Fixed(100.0 * points / games.max(1) as f64, 1)
}

/// `2 time losses, 1 crash`; nothing for an engine without faults.
pub(super) fn faults(engine: &EngineSummary) -> Option<String> {
    let counts = [
        (engine.time_losses, "time loss", "time losses"),
        (engine.crashes, "crash", "crashes"),
        (engine.stalls, "stall", "stalls"),
        (engine.illegal_moves, "illegal move", "illegal moves"),
    ];
    let words: Vec<String> = (counts.into_iter())
        .filter(|&(count, ..)| 0 < count)
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect();
    (!words.is_empty()).then(|| words.join(", "))
}
