//! Results to be judged, wherever they come from.

use std::path::PathBuf;

use match_core::pair_finder::{Cluster, FinishedGame};
use stats::{Pentanomial, Results, Trinomial};

use super::{StatsArgs, StatsError};
use crate::failure::Failure;
use crate::games::{self, Found};
use crate::printer::Printer;

/// The results of an engine.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// Who, and against whom, where that is known.
    pub(super) players: Option<Players>,
    /// Complete pairs, where pairs are known.
    pub(super) pairs: Option<Pentanomial>,
    /// Games, where they are known: those of complete pairs, if there are any.
    pub(super) games: Option<Trinomial>,
    /// Games that have no partner although others have.
    pub(super) single: Trinomial,
}

/// Whose results these are.
#[derive(Debug)]
pub(super) struct Players {
    pub(super) engine: String,
    pub(super) opponents: Vec<String>,
}

impl Record {
    /// What the command line says or names.
    pub(super) fn new(args: &StatsArgs, printer: &Printer) -> Result<Self, Failure> {
        if !args.pgn.is_empty() {
            return Self::read(&args.pgn, args.engine.as_deref(), printer);
        }
        Ok(Self {
            pairs: args.pentanomial,
            games: args.wdl,
            ..Self::default()
        })
    }

    /// What strength follows from.
    pub(super) fn results(&self) -> Results {
        let games = || Results::Games(self.games.unwrap_or_default());
        self.pairs.map_or_else(games, Results::Pairs)
    }

    /// All games, those without a partner too.
    pub(super) fn total_games(&self) -> u64 {
        self.results().games() + self.single.games()
    }

    fn read(files: &[PathBuf], engine: Option<&str>, printer: &Printer) -> Result<Self, Failure> {
        let mut tallies: Vec<Tally> = Vec::new();
        let found = games::read(files, printer, |cluster| {
            for player in [cluster.game.white, cluster.game.black] {
                if tallies.len() <= player {
                    tallies.resize_with(player + 1, Tally::default);
                }
                tallies[player].add(&cluster, player);
            }
        })?;
        let player = number(engine, &found)?;
        let record = tallies.swap_remove(player).record(player, &found);
        if record.pairs.is_none() {
            printer.warning(
                "no two games are a pair: each counts as independent of the others, which makes \
                 errors too wide if they were played in pairs",
            );
        }
        Ok(record)
    }
}

fn number(engine: Option<&str>, found: &Found) -> Result<usize, Failure> {
    let Some(engine) = engine else { return Ok(0) };
    let number = found.players.iter().position(|player| player == engine);
    number.ok_or_else(|| {
        Failure::usage(StatsError::UnknownEngine {
            found: engine.to_owned(),
            known: found.players.clone(),
        })
    })
}

/// What one player of many did.
#[derive(Debug, Default)]
struct Tally {
    pairs: Pentanomial,
    paired: Trinomial,
    single: Trinomial,
    /// Whom he met, by their numbers.
    opponents: Vec<bool>,
}

impl Tally {
    fn add(&mut self, cluster: &Cluster, player: usize) {
        let FinishedGame { white, black, .. } = cluster.game;
        let opponent = white + black - player;
        if self.opponents.len() <= opponent {
            self.opponents.resize(opponent + 1, false);
        }
        self.opponents[opponent] = true;
        let first = cluster.game.half_points(player);
        match cluster.partner {
            Some(partner) => {
                let second = partner.half_points(player);
                self.pairs.count(first + second);
                self.paired += one(first) + one(second);
            }
            None => self.single += one(first),
        }
    }

    fn record(self, player: usize, found: &Found) -> Record {
        let opponents = (found.players.iter().zip(&self.opponents))
            .filter(|&(_, &met)| met)
            .map(|(name, _)| name.clone())
            .collect();
        let players = Players {
            engine: found.players[player].clone(),
            opponents,
        };
        let has_pairs = 0 < self.pairs.pairs();
        Record {
            players: Some(players),
            pairs: has_pairs.then_some(self.pairs),
            games: Some(if has_pairs { self.paired } else { self.single }),
            single: if has_pairs {
                self.single
            } else {
                Trinomial::default()
            },
        }
    }
}

/// One game of so many half points.
fn one(half_points: usize) -> Trinomial {
    let is = |wanted| u64::from(half_points == wanted);
    Trinomial {
        wins: is(2),
        draws: is(1),
        losses: is(0),
    }
}
