//! Counting again what was counted: everything that is stored is folded anew and must come to what is
//! shown, and each pair that counts must be what its games say.
//!
//! It is told the entries in their order, then the games by pair, then what was stored meanwhile, and
//! at last what is shown. What it finds are [`Difference`]s; there must be none, ever.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::time::Duration;

use fleet_api::State;
use match_core::fixture::PairNumber;
use match_core::ledger::GameResult;
use match_core::spec::Spec;
use serde_json::Value;
use thiserror::Error;

use crate::standing::{Contradiction, Entry, Played, Standing};

/// So many differences are told; one is bad enough.
const TOLD: usize = 20;

/// The results of a pair, and the plies of each game.
type Games = [(GameResult, u64); 2];

/// Something is not as it must be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Difference {
    /// The sequence has a gap or a place twice.
    #[error("place {expected} of the sequence is expected, and place {found} is stored")]
    Place {
        /// The next one.
        expected: u64,
        /// The one that is there.
        found: u64,
    },
    /// The sequence is shorter or longer than it is said to be.
    #[error("the sequence is said to have {said} entries, and has {stored}")]
    Length {
        /// By the test.
        said: u64,
        /// In the store.
        stored: u64,
    },
    /// An entry that is none.
    #[error("the entry at place {place} cannot be read: {why}")]
    Unreadable {
        /// Where.
        place: u64,
        /// Why.
        why: String,
    },
    /// Entries that cannot all be true.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// A pair has two entries.
    #[error("pair {} is counted twice", .0 + 1)]
    Twice(u64),
    /// A pair without games.
    #[error("pair {} is counted, and its games are not stored", .0 + 1)]
    Missing(u64),
    /// Games without an entry.
    #[error("the games of pair {} are stored, and it is not counted", .0 + 1)]
    Uncounted(u64),
    /// Games that are not what was counted.
    #[error("pair {} is counted as `{counted}`, and its games say `{said}`", .pair + 1)]
    Games {
        /// Which.
        pair: u64,
        /// By the sequence.
        counted: String,
        /// Played again.
        said: String,
    },
    /// Games that cannot have been.
    #[error("the stored games of pair {} cannot be: {why}", .pair + 1)]
    Unbelieved {
        /// Which.
        pair: u64,
        /// Why not.
        why: String,
    },
    /// What is shown is something else.
    #[error("`{field}` is shown as `{shown}`, and counted again it is `{counted}`")]
    Shown {
        /// What.
        field: String,
        /// As it is shown.
        shown: String,
        /// As it is.
        counted: String,
    },
}

/// A ledger that is counted again.
#[derive(Clone, Debug)]
pub struct Recount {
    standing: Standing,
    /// The next place of the sequence.
    place: u64,
    /// The plies of the pairs that count: the ledger has only their sum.
    plies: BTreeMap<u64, [u64; 2]>,
    /// All counted pairs below it have been compared with their games.
    compared: u64,
    /// What is odd about a pair, unless it has changed meanwhile.
    suspects: BTreeMap<u64, Difference>,
    differences: Vec<Difference>,
}

impl Recount {
    /// Before the first entry of a test of `spec` with a book of `book_len` openings. Games are
    /// compared from pair `from` on.
    pub fn new(spec: &Spec, book_len: NonZeroU64, from: u64) -> Self {
        Self {
            standing: Standing::new(spec, book_len),
            place: 0,
            plies: BTreeMap::new(),
            compared: from,
            suspects: BTreeMap::new(),
            differences: Vec::new(),
        }
    }

    /// How things stand by the entries so far.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The pair from which on games are to be compared.
    pub fn next(&self) -> u64 {
        self.compared
    }

    /// The entry at `place`, or why it cannot be read.
    pub fn entry(&mut self, place: u64, entry: Result<Entry, String>) {
        let expected = std::mem::replace(&mut self.place, place + 1);
        if place != expected {
            let found = place;
            self.found(Difference::Place { expected, found });
        }
        let entry = match entry {
            Ok(entry) => entry,
            Err(why) => return self.found(Difference::Unreadable { place, why }),
        };
        match &entry {
            Entry::Pair(played) | Entry::BroughtBack(played) => {
                if self.standing.contains(played.pair) {
                    self.found(Difference::Twice(played.pair));
                }
                let plies = played.games.map(|(_, plies)| plies);
                self.plies.insert(played.pair, plies);
            }
            Entry::SetAside { played, .. } => {
                self.plies.remove(&played.pair);
            }
            Entry::CameAside(_) | Entry::Lapsed(_) => {}
        }
        if let Err(contradiction) = self.standing.take(entry) {
            self.found(contradiction.into());
        }
    }

    /// What the stored games of `pair` say, or why they cannot be. Pairs come in the order of their
    /// numbers.
    pub fn games(&mut self, pair: u64, said: Result<Games, String>) {
        self.missing_below(pair);
        self.compared = pair + 1;
        let difference = match (self.counted(pair), said) {
            (_, Err(why)) => Difference::Unbelieved { pair, why },
            (None, Ok(_)) => Difference::Uncounted(pair),
            (Some(counted), Ok(said)) if counted == said => return,
            (Some(counted), Ok(said)) => Difference::Games {
                pair,
                counted: text(&counted),
                said: text(&said),
            },
        };
        self.suspects.insert(pair, difference);
    }

    /// There are no games of pairs from the next one on to `end`.
    pub fn missing_below(&mut self, end: u64) {
        let missing: Vec<u64> = (self.plies.range(self.compared..end.max(self.compared)))
            .map(|(&pair, _)| pair)
            .collect();
        for pair in missing {
            self.suspects.insert(pair, Difference::Missing(pair));
        }
        self.compared = self.compared.max(end);
    }

    /// This was stored while it was counted: nothing is known of the pairs that it is about.
    pub fn meanwhile(&mut self, place: u64, entry: Result<Entry, String>) {
        match entry {
            Err(why) => self.found(Difference::Unreadable { place, why }),
            Ok(entry) => self.unsuspect(&entry),
        }
    }

    fn unsuspect(&mut self, entry: &Entry) {
        match entry {
            Entry::Pair(Played { pair, .. })
            | Entry::BroughtBack(Played { pair, .. })
            | Entry::CameAside(Played { pair, .. })
            | Entry::SetAside {
                played: Played { pair, .. },
                ..
            } => {
                self.suspects.remove(pair);
            }
            Entry::Lapsed(_) => {}
        }
    }

    /// Everything that is wrong, if a test of `spec` is shown as `shown` by entries up to the same
    /// place, is in the state `state`, and was said to have `entries` at least.
    pub fn against(
        mut self,
        spec: &Spec,
        shown: &Standing,
        state: State,
        entries: u64,
    ) -> Vec<Difference> {
        let (said, stored) = (entries.max(shown.entries()), self.place);
        if said != stored {
            self.found(Difference::Length { said, stored });
        }
        for (_, difference) in std::mem::take(&mut self.suspects) {
            self.found(difference);
        }
        let [fields, counted] = [shown, &self.standing].map(|standing| fields(spec, standing));
        for (field, shown) in fields {
            let counted = counted.get(&field).cloned().unwrap_or(Value::Null);
            if shown != counted {
                self.found(Difference::Shown {
                    field,
                    shown: shown.to_string(),
                    counted: counted.to_string(),
                });
            }
        }
        let decided = self.standing.outcome();
        let fits = match state {
            State::Accepted | State::Rejected | State::Finished => decided == Some(state),
            State::Stopped => true,
            State::Submitted | State::Queued | State::Paused => decided.is_none(),
        };
        if !fits {
            self.found(Difference::Shown {
                field: "state".to_owned(),
                shown: state.name().to_owned(),
                counted: decided.map_or("undecided", State::name).to_owned(),
            });
        }
        self.differences
    }

    fn counted(&self, pair: u64) -> Option<Games> {
        let plies = self.plies.get(&pair)?;
        let [first, second] = PairNumber(pair).games();
        let ledger = self.standing.ledger();
        let results = [ledger.result(first)?, ledger.result(second)?];
        Some([(results[0], plies[0]), (results[1], plies[1])])
    }

    fn found(&mut self, difference: Difference) {
        if self.differences.len() < TOLD {
            self.differences.push(difference);
        }
    }
}

/// Everything that is shown of a standing.
fn fields(spec: &Spec, standing: &Standing) -> serde_json::Map<String, Value> {
    let summary = serde_json::to_value(standing.summary(spec, Duration::ZERO));
    let Ok(Value::Object(mut fields)) = summary else {
        unreachable!("a summary is an object of finite numbers")
    };
    let decision = standing.outcome().map(State::name);
    fields.insert("decision".to_owned(), Value::from(decision));
    for (seat, account) in standing.crew() {
        let tallies = [account.counted, account.aside];
        let numbers = tallies.map(|it| (it.pairs.0, it.time_losses, it.crashes));
        fields.insert(format!("seat {seat}"), Value::from(format!("{numbers:?}")));
    }
    fields
}

/// `1-0 checkmate, 57 plies; 0-1 time loss, 33 plies`.
fn text(games: &Games) -> String {
    let game = |(result, plies): &(GameResult, u64)| {
        format!("{} {}, {plies} plies", result.outcome, result.ending)
    };
    format!("{}; {}", game(&games[0]), game(&games[1]))
}
