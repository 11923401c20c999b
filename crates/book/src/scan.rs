//! The first reading of a book: which entries are good, and what is wrong with the others.

use engine_core::{Ending, Game, Position};
use match_core::spec::Variant;
use thiserror::Error;

/// So many bad entries are reported one by one; the rest is counted.
const COMPLAINTS_MAX: usize = 10;

/// Why an entry that can be read cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum Unplayable {
    #[error(
        "this is a Chess960 position and the contest plays standard chess; `variant=chess960` plays both"
    )]
    Chess960,
    #[error("the game is over here: {}", .0.name())]
    Over(Ending),
}

/// What has been found so far.
#[derive(Debug)]
pub(super) struct Scan {
    variant: Variant,
    /// Where the good entries begin.
    places: Vec<u64>,
    /// The keys of their final positions, to count those that are there twice.
    keys: Vec<u64>,
    complaints: Vec<String>,
    bad: usize,
    /// Kept for its memory.
    game: Game,
}

/// What the first reading found.
#[derive(Debug)]
pub(super) struct Findings {
    pub(super) places: Vec<u64>,
    pub(super) warnings: Vec<String>,
}

impl Scan {
    pub(super) fn new(variant: Variant) -> Self {
        Self {
            variant,
            places: Vec::new(),
            keys: Vec::new(),
            complaints: Vec::new(),
            bad: 0,
            game: Game::new(Position::startpos()),
        }
    }

    /// A position of the book; what is to be played from it goes into the game that is handed out.
    pub(super) fn start(&mut self, start: Position) -> Result<&mut Game, Unplayable> {
        if self.variant == Variant::Standard && start.needs_chess960() {
            return Err(Unplayable::Chess960);
        }
        self.game.restart(start);
        Ok(&mut self.game)
    }

    /// The entry at `place` has been played out. It is good if the game can go on from there.
    pub(super) fn finish(&mut self, place: u64) -> Result<(), Unplayable> {
        if let Some(ending) = self.game.ending() {
            return Err(Unplayable::Over(ending));
        }
        self.places.push(place);
        self.keys.push(self.game.position().key());
        Ok(())
    }

    /// The entry at `line` is skipped.
    pub(super) fn complain(&mut self, line: u64, what: &dyn std::fmt::Display) {
        self.bad += 1;
        if self.complaints.len() < COMPLAINTS_MAX {
            self.complaints.push(format!("line {line}: {what}"));
        }
    }

    /// The sum of it. `name` is how warnings call the book.
    pub(super) fn findings(mut self, name: &str) -> Findings {
        let skipped = |complaint: &String| format!("{name}: {complaint}; skipped");
        let mut warnings: Vec<String> = self.complaints.iter().map(skipped).collect();
        let untold = self.bad - self.complaints.len();
        if untold > 0 {
            warnings.push(format!("{name}: {untold} more entries skipped"));
        }
        self.keys.sort_unstable();
        let twice = self
            .keys
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .count();
        if twice > 0 {
            let (entries, repeat) = if twice == 1 {
                ("entry", "repeats")
            } else {
                ("entries", "repeat")
            };
            warnings.push(format!(
                "{name}: {twice} {entries} {repeat} an earlier position"
            ));
        }
        self.places.shrink_to_fit();
        Findings {
            places: self.places,
            warnings,
        }
    }
}
