//! What a reader of a rating list must know.

use stats::{Encounter, Fixed, Island, PRIOR_DRAWS, Ratings, few_results_factor};

use super::field::Field;

/// How many names, groups or reasons are listed.
const LISTED_MAX: usize = 5;

/// With fewer results a player than this, errors by residuals are noticeably too small (reference
/// page on statistics, 4, has it for encounters).
const RESULTS_PER_PLAYER_MIN: u64 = 30;

/// Errors that are more than this times too small are none.
const FACTOR_MAX: f64 = 10.0;

/// All of them, a line each.
pub(super) fn all(ratings: &Ratings, players: &[String], field: &Field) -> Vec<String> {
    let islands = ratings.islands();
    let named = |numbers: &[usize]| names(numbers.iter().map(|&number| players[number].as_str()));
    let mut caveats = Vec::new();
    if 1 < islands.len() {
        let groups = some(
            islands.iter().map(|island| named(&island.players)),
            ["; "; 2],
        );
        caveats.push(format!(
            "no games link these groups, so their ratings cannot be compared: {groups}"
        ));
    }
    if islands.iter().any(Island::has_prior) {
        let classes = islands.iter().flat_map(|island| &island.classes);
        let reasons = classes.flat_map(|class| {
            let who = named(&class.players);
            let unbeaten =
                (class.is_unbeaten).then(|| format!("nobody else took half a point from {who}"));
            let pointless = (class.is_pointless)
                .then(|| format!("{who} took not half a point from anybody else"));
            unbeaten.into_iter().chain(pointless)
        });
        let reasons = some(reasons, ["; "; 2]);
        caveats.push(format!(
            "no finite ratings explain these games, so everybody got {PRIOR_DRAWS} virtual draws against a \
             player of rating 0: {reasons}"
        ));
    }
    let results: u64 = field.encounters().iter().map(results).sum();
    let free = (players.len() - islands.len()) as u64;
    if results < RESULTS_PER_PLAYER_MIN * free {
        let each = results as f64 / free.max(1) as f64;
        let intervals = match few_results_factor(each) {
            Some(factor) if factor < FACTOR_MAX => {
                format!("take the errors {} times as large", Fixed(factor, 2))
            }
            _ => "the errors say nothing yet".to_owned(),
        };
        caveats.push(format!(
            "few pairs and single games, {results} in all: {intervals}"
        ));
    }
    caveats
}

/// Independent results.
fn results(encounter: &Encounter) -> u64 {
    encounter.pairs.pairs() + encounter.games.games()
}

/// `` `A`, `B` and `C` ``; of many only some.
pub(super) fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    some(names.map(|name| format!("`{name}`")), [", ", " and "])
}

/// The first few with `between` them and `before_last`, and how many more there are.
fn some(items: impl Iterator<Item = String>, [between, before_last]: [&str; 2]) -> String {
    let mut items: Vec<String> = items.collect();
    let more = items.len().saturating_sub(LISTED_MAX);
    // One more item is no longer than saying so.
    if 1 < more {
        items.truncate(LISTED_MAX);
        items.push(format!("{more} more"));
    }
    let last = items.pop().unwrap_or_default();
    match items.as_slice() {
        [] => last,
        others => format!("{}{before_last}{last}", others.join(between)),
    }
}
