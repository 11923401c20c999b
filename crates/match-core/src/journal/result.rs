//! Verdicts as they stand in event lines, read back as far as a ledger keeps them.

use engine_core::{Color, Ending, Outcome};
use serde::Deserialize;

use crate::ledger::{FaultKind, GameResult};
use crate::verdict::{Adjudicator, VoidReason};

#[derive(Deserialize)]
pub(super) struct Verdict<'a> {
    kind: &'a str,
    pub(super) reason: &'a str,
    loser: Option<&'a str>,
    fault: Option<Fault<'a>>,
    text: Option<String>,
}

#[derive(Deserialize)]
struct Fault<'a> {
    kind: &'a str,
}

impl Verdict<'_> {
    /// Why the game does not count, if it does not.
    pub(super) fn void(&self) -> Option<VoidReason> {
        (self.kind == "void").then(|| match self.reason {
            "unneeded" => VoidReason::Unneeded,
            "cancelled" => VoidReason::Cancelled,
            _ => VoidReason::Host(self.text.clone().unwrap_or_default()),
        })
    }

    /// The result of a game that counts and whose score is `score`; nothing for words that no
    /// verdict has.
    pub(super) fn result(&self, score: &str) -> Option<GameResult> {
        let outcomes = [
            Outcome::win(Color::White),
            Outcome::win(Color::Black),
            Outcome::Draw,
        ];
        let outcome = (outcomes.into_iter()).find(|outcome| outcome.as_pgn() == score)?;
        let fault = match &self.fault {
            Some(fault) => Some((color(self.loser?)?, fault_kind(fault.kind)?)),
            None => None,
        };
        Some(GameResult {
            outcome,
            ending: self.ending(fault.map(|(_, kind)| kind))?,
            fault,
        })
    }

    /// The name that the ledger counts it under.
    fn ending(&self, fault: Option<FaultKind>) -> Option<&'static str> {
        let names = match self.kind {
            "rules" => &rules()[..],
            "adjudicated" => &ADJUDICATED,
            "forfeit" => &[forfeit(fault?)],
            _ => return None,
        };
        names.iter().find(|&&name| name == self.reason).copied()
    }
}

fn rules() -> [&'static str; 10] {
    let (winner, loser, outcome) = (Color::White, Color::Black, Outcome::Draw);
    [
        Ending::Checkmate { winner },
        Ending::Stalemate,
        Ending::ThreefoldRepetition,
        Ending::FivefoldRepetition,
        Ending::FiftyMoveRule,
        Ending::SeventyFiveMoveRule,
        Ending::InsufficientMaterial,
        Ending::Resignation { loser },
        Ending::Agreement,
        Ending::TimeForfeit { loser, outcome },
    ]
    .map(Ending::name)
}

const ADJUDICATED: [&str; 4] = [
    Adjudicator::Tablebase.name(),
    Adjudicator::Resign.name(),
    Adjudicator::Draw.name(),
    Adjudicator::MaxMoves.name(),
];

fn forfeit(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Crash => "crash",
        FaultKind::Stall => "stall",
        FaultKind::TimeLoss => "time loss",
        FaultKind::IllegalMove => "illegal move",
    }
}

fn color(name: &str) -> Option<Color> {
    match name {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

fn fault_kind(name: &str) -> Option<FaultKind> {
    match name {
        "crash" => Some(FaultKind::Crash),
        "stall" => Some(FaultKind::Stall),
        "time_loss" => Some(FaultKind::TimeLoss),
        "illegal_move" => Some(FaultKind::IllegalMove),
        _ => None,
    }
}
