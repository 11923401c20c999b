//! Pairs as they are reported.

use fleet_api::{Fault, Game, PairReport, Verdict};

use super::dice::Dice;

/// The only opening.
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What a worker is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Honesty {
    Honest,
    /// Nothing that it says can be true.
    Lying,
}

/// A pair in which one side's engine crashes before its first move, both times: the shortest games that
/// can be true.
pub(crate) fn crash(pair: u64, white: bool, seconds: f64) -> PairReport {
    let (loser, result) = if white {
        ("white", "0-1")
    } else {
        ("black", "1-0")
    };
    let game = |white: &str, black: &str| Game {
        white: white.to_owned(),
        black: black.to_owned(),
        result: result.to_owned(),
        verdict: Verdict {
            kind: "forfeit".to_owned(),
            reason: "crash".to_owned(),
            since_ply: None,
            loser: Some(loser.to_owned()),
            fault: Some(Fault::Crash),
        },
        start: START.to_owned(),
        book: String::new(),
        moves: String::new(),
        spent: Vec::new(),
        seconds: 0.5 * seconds,
    };
    PairReport {
        pair,
        games: [game("new", "old"), game("old", "new")],
        base_nps: None,
    }
}

/// Makes a pair untrue, in one of many ways.
pub(super) fn lie(mut report: PairReport, dice: &mut Dice) -> PairReport {
    let one = usize::from(dice.below(2) == 0);
    let game = &mut report.games[one];
    match dice.below(7) {
        0 => report.pair += 1 << 40,
        1 => game.start = START.replace("RNBQKBNR", "RNBQKBN1").replace("KQkq", "Qkq"),
        2 => {
            game.moves = "e2e5".to_owned();
            game.spent = vec![0.1];
        }
        3 => std::mem::swap(&mut game.white, &mut game.black),
        4 => {
            game.verdict = Verdict {
                kind: "rules".to_owned(),
                reason: "checkmate".to_owned(),
                since_ply: None,
                loser: None,
                fault: None,
            };
        }
        5 => game.result = "1/2-1/2".to_owned(),
        _ => game.book = "e2e4".to_owned(),
    }
    report
}
