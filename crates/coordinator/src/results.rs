//! The results of a pair as one line of text: `1-0 checkmate 57; 0-1 time loss w 33`.

use engine_core::{Color, Outcome};
use match_core::ledger::{FaultKind, GameResult};

/// The names of endings that a finished game can have.
const ENDINGS: [&str; 15] = [
    "checkmate",
    "stalemate",
    "threefold repetition",
    "fivefold repetition",
    "fifty-move rule",
    "seventy-five-move rule",
    "insufficient material",
    "tablebase adjudication",
    "resign adjudication",
    "draw adjudication",
    "move limit",
    "crash",
    "stall",
    "time loss",
    "illegal move",
];

type Games = [(GameResult, u64); 2];

/// Writes the results.
pub(crate) fn text(games: &Games) -> String {
    let game = |(result, plies): &(GameResult, u64)| {
        let guilty = match result.fault {
            Some((Color::White, _)) => " w",
            Some((Color::Black, _)) => " b",
            None => "",
        };
        format!("{} {}{guilty} {plies}", result.outcome, result.ending)
    };
    format!("{}; {}", game(&games[0]), game(&games[1]))
}

/// Reads what [`text`] wrote.
pub(crate) fn read(text: &str) -> Option<Games> {
    let (first, second) = text.split_once("; ")?;
    Some([game(first)?, game(second)?])
}

fn game(text: &str) -> Option<(GameResult, u64)> {
    let (outcome, rest) = text.split_once(' ')?;
    let (rest, plies) = rest.rsplit_once(' ')?;
    let outcome = [
        Outcome::win(Color::White),
        Outcome::win(Color::Black),
        Outcome::Draw,
    ]
    .into_iter()
    .find(|known| known.as_pgn() == outcome)?;
    let (name, guilty) = match rest.rsplit_once(' ') {
        Some((name, "w")) => (name, Some(Color::White)),
        Some((name, "b")) => (name, Some(Color::Black)),
        _ => (rest, None),
    };
    let ending = ENDINGS.into_iter().find(|known| *known == name)?;
    let kind = match ending {
        "crash" => Some(FaultKind::Crash),
        "stall" => Some(FaultKind::Stall),
        "time loss" => Some(FaultKind::TimeLoss),
        "illegal move" => Some(FaultKind::IllegalMove),
        _ => None,
    };
    let result = GameResult {
        outcome,
        ending,
        fault: guilty.zip(kind),
    };
    Some((result, plies.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_back_as_they_were() {
        let plain = |outcome, ending| GameResult {
            outcome,
            ending,
            fault: None,
        };
        let lost = GameResult {
            outcome: Outcome::Draw,
            ending: "time loss",
            fault: Some((Color::Black, FaultKind::TimeLoss)),
        };
        let games = [
            (plain(Outcome::win(Color::White), "fifty-move rule"), 57),
            (lost, 0),
        ];
        assert_eq!(
            text(&games),
            "1-0 fifty-move rule 57; 1/2-1/2 time loss b 0"
        );
        assert_eq!(read(&text(&games)), Some(games));
        for other in [
            "",
            "1-0 checkmate 5",
            "1-0 magic 5; 0-1 stall w 3",
            "1-0 checkmate x; *  3",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
