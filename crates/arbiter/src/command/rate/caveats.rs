//! What a reader of a rating list must know.

use stats::{Encounter, PRIOR_DRAWS, Ratings};

use super::field::Field;

/// How many names are listed.
const NAMES_MAX: usize = 5;

/// With fewer results a player than this, errors by residuals are noticeably too small (reference
/// page on statistics, 4, has it for encounters).
const RESULTS_PER_PLAYER_MIN: u64 = 30;

/// All of them, a line each.
pub(super) fn all(ratings: &Ratings, players: &[String], field: &Field) -> Vec<String> {
    let mut caveats = Vec::new();
    let named = |numbers: &[usize]| names(numbers.iter().map(|&number| players[number].as_str()));
    let islands = ratings.islands();
    if 1 < islands.len() {
        let groups: Vec<String> = islands.iter().map(|it| named(&it.players)).collect();
        caveats.push(format!(
            "no games link these groups, so their ratings cannot be compared: {}",
            groups.join("; ")
        ));
    }
    for island in islands.iter().filter(|island| island.has_prior()) {
        let mut reasons = Vec::new();
        for class in &island.classes {
            let who = named(&class.players);
            if class.is_unbeaten {
                reasons.push(format!("nobody else took half a point from {who}"));
            }
            if class.is_pointless {
                reasons.push(format!("{who} took not half a point from anybody else"));
            }
        }
        caveats.push(format!(
            "no finite ratings explain these games, so everybody got {PRIOR_DRAWS} virtual draws against a \
             player of rating 0: {}",
            reasons.join("; ")
        ));
    }
    let results: u64 = field.encounters().iter().map(results).sum();
    let free = (players.len() - islands.len()) as u64;
    if results < RESULTS_PER_PLAYER_MIN * free {
        caveats.push(format!(
            "the errors are rough and rather too small, for there are only {results} independent results \
             (pairs, or games without a partner)"
        ));
    }
    caveats
}

/// Independent results.
fn results(encounter: &Encounter) -> u64 {
    encounter.pairs.pairs() + encounter.games.games()
}

/// `` `A`, `B` and 3 others ``.
pub(super) fn names<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let count = names.len();
    // One more name is no longer than "1 other".
    let shown = if count <= NAMES_MAX + 1 {
        count
    } else {
        NAMES_MAX
    };
    let listed: Vec<String> = names.take(shown).map(|name| format!("`{name}`")).collect();
    match (count - shown, listed.as_slice()) {
        (0, [others @ .., last]) if !others.is_empty() => {
            format!("{} and {last}", others.join(", "))
        }
        (0, listed) => listed.concat(),
        (others, listed) => format!("{} and {others} others", listed.join(", ")),
    }
}
