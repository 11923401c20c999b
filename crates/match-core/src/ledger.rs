//! The set of finished games; every total is a fold over it.
//!
//! Recording is idempotent: a game that is recorded again changes nothing, whether it comes from a
//! journal, from a retry or from a second worker, and a contradiction is an error. Void games are
//! counted and leave their number open.
//!
//! A game takes a byte, so ten million of them take ten megabytes: the byte says which of the few
//! distinct results it had, and the totals are kept per two engines and result as games come in.

use std::collections::BTreeMap;

use engine_core::{Color, Outcome};
use stats::{Pentanomial, Trinomial};
use thiserror::Error;

use crate::fault::Fault;
use crate::fixture::{EngineId, Fixture, GameNumber, PairNumber};
use crate::record::GameRecord;
use crate::verdict::{Verdict, VoidReason};

/// The games of a contest that have a result.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    pages: BTreeMap<u64, Page>,
    /// The distinct results so far; a byte in a page is 1 + the place of one here.
    results: Vec<GameResult>,
    /// For White and Black, how often each of the results above.
    counts: BTreeMap<(EngineId, EngineId), Vec<u64>>,
    /// For the first and the second engine of a pairing, its complete pairs.
    pairs: BTreeMap<(EngineId, EngineId), Pentanomial>,
    plies: u64,
    voids: u64,
}

/// Bytes of consecutive games; numbers may begin anywhere, as a lent range does.
type Page = Box<[u8; PAGE_GAMES as usize]>;

const PAGE_GAMES: u64 = 4096;

/// What the ledger keeps of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The score.
    pub outcome: Outcome,
    /// The name of the ending, as [`Verdict::name`] gives it.
    pub ending: &'static str,
    /// Who was at fault, if the game ended by a fault.
    pub fault: Option<(Color, FaultKind)>,
}

/// Faults without their particulars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The process ended.
    Crash,
    /// No answer.
    Stall,
    /// The flag fell.
    TimeLoss,
    /// No legal move.
    IllegalMove,
}

/// Whether a record told the ledger something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    /// It is in the totals now.
    New,
    /// It was there already, the same.
    Known,
    /// It is void.
    Void,
}

/// Two results of one game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game} was `{}` by {} and is now said to be `{}` by {}",
    .known.outcome, .known.ending, .claimed.outcome, .claimed.ending)]
pub struct Conflict {
    /// The game.
    pub game: GameNumber,
    /// What the ledger has, which stays.
    pub known: GameResult,
    /// What was to be recorded.
    pub claimed: GameResult,
}

/// Results and faults of one engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Games by result, from this engine's side.
    pub games: Trinomial,
    /// Flags that fell, lost or not.
    pub time_losses: u64,
    /// Crashes.
    pub crashes: u64,
    /// Stalls.
    pub stalls: u64,
    /// Illegal moves.
    pub illegal_moves: u64,
}

impl GameResult {
    /// The result that `verdict` is; none when it is void.
    pub fn of(verdict: &Verdict) -> Option<Self> {
        let fault = match verdict {
            Verdict::Forfeit { loser, fault, .. } => Some((*loser, FaultKind::of(fault))),
            Verdict::Rules(_) | Verdict::Adjudicated(_) | Verdict::Void(_) => None,
        };
        Some(Self {
            outcome: verdict.outcome()?,
            ending: verdict.name(),
            fault,
        })
    }

    /// This one game as the player of `color` sees it.
    pub fn from_side(self, color: Color) -> Trinomial {
        let mut one = Trinomial::default();
        match self.outcome.winner() {
            Some(winner) if winner == color => one.wins = 1,
            Some(_) => one.losses = 1,
            None => one.draws = 1,
        }
        one
    }
}

impl FaultKind {
    const fn of(fault: &Fault) -> Self {
        match fault {
            Fault::Crash => Self::Crash,
            Fault::Stall { .. } => Self::Stall,
            Fault::TimeLoss { .. } => Self::TimeLoss,
            Fault::IllegalMove { .. } => Self::IllegalMove,
        }
    }
}

impl Ledger {
    /// The ledger before the first game.
    pub fn new() -> Self {
        Self::default()
    }

    /// Records a game, once.
    ///
    /// # Errors
    ///
    /// [`Conflict`] when it is known with another result, which stays as it was.
    pub fn record(&mut self, record: &GameRecord) -> Result<Novelty, Conflict> {
        match (&record.verdict, GameResult::of(&record.verdict)) {
            (_, Some(result)) => {
                self.record_result(&record.fixture, result, record.plies.len() as u64)
            }
            (Verdict::Void(reason), None) => {
                self.record_void(reason);
                Ok(Novelty::Void)
            }
            (Verdict::Rules(_) | Verdict::Adjudicated(_) | Verdict::Forfeit { .. }, None) => {
                unreachable!("only a void game has no result")
            }
        }
    }

    /// Takes note of a game without a result. Only the host's faults count: a game that was given up
    /// because the contest was stopped, or because nobody needs it any more, has simply not been
    /// played.
    pub fn record_void(&mut self, reason: &VoidReason) {
        match reason {
            VoidReason::Host(_) => self.voids += 1,
            VoidReason::Cancelled | VoidReason::Unneeded => {}
        }
    }

    /// Takes back what was recorded of `fixture`, in which the engines played `plies` plies: its
    /// record was lost before anybody kept it.
    pub fn forget(&mut self, fixture: &Fixture, plies: u64) {
        let game = fixture.number;
        let Some(result) = self.result(game) else {
            return;
        };
        let players = (fixture.players.white, fixture.players.black);
        if let Some(half_points) = self.half_points(game.pair()) {
            let pairing = match game.is_first_of_pair() {
                true => players,
                false => (players.1, players.0),
            };
            let pairs = self.pairs.get_mut(&pairing).expect("it was counted");
            pairs.0[half_points] -= 1;
        }
        let place = self.place_of(result);
        let counts = self.counts.get_mut(&players).expect("it was counted");
        counts[place] -= 1;
        *self.byte_mut(game) = 0;
        self.plies -= plies;
    }

    /// Records the `result` of a game in which the engines played `plies` plies, once.
    ///
    /// # Errors
    ///
    /// [`Conflict`] when it is known with another result, which stays as it was.
    pub fn record_result(
        &mut self,
        fixture: &Fixture,
        result: GameResult,
        plies: u64,
    ) -> Result<Novelty, Conflict> {
        let game = fixture.number;
        if let Some(known) = self.result(game) {
            return if known == result {
                Ok(Novelty::Known)
            } else {
                Err(Conflict {
                    game,
                    known,
                    claimed: result,
                })
            };
        }
        let place = self.place_of(result);
        *self.byte_mut(game) = 1 + u8::try_from(place).expect("fewer distinct results than 255");
        let players = (fixture.players.white, fixture.players.black);
        let counts = self.counts.entry(players).or_default();
        counts.resize(counts.len().max(place + 1), 0);
        counts[place] += 1;
        self.plies += plies;
        if let Some(half_points) = self.half_points(game.pair()) {
            let pairing = match game.is_first_of_pair() {
                true => players,
                false => (players.1, players.0),
            };
            self.pairs.entry(pairing).or_default().count(half_points);
        }
        Ok(Novelty::New)
    }

    /// The result of `game`, if it has one.
    pub fn result(&self, game: GameNumber) -> Option<GameResult> {
        let page = self.pages.get(&(game.0 / PAGE_GAMES))?;
        let place = page[(game.0 % PAGE_GAMES) as usize].checked_sub(1)?;
        Some(self.results[usize::from(place)])
    }

    /// Whether `game` has a result.
    pub fn contains(&self, game: GameNumber) -> bool {
        self.result(game).is_some()
    }

    /// What the first engine of `pair` scored, in half points from 0 to 4, if both games have a
    /// result.
    pub fn half_points(&self, pair: PairNumber) -> Option<usize> {
        let [first, second] = pair.games().map(|game| self.result(game));
        let first = first?.from_side(Color::White);
        let Trinomial { wins, draws, .. } = first + second?.from_side(Color::Black);
        Some((2 * wins + draws) as usize)
    }

    /// The games from `first` on that have no result, without end.
    pub fn missing_from(&self, first: GameNumber) -> impl Iterator<Item = GameNumber> + '_ {
        (first.0..)
            .map(GameNumber)
            .filter(|&game| !self.contains(game))
    }

    /// The lowest number without a result.
    pub fn first_gap(&self) -> GameNumber {
        self.missing_from(GameNumber(0))
            .next()
            .expect("there are fewer games than numbers")
    }

    /// Games with a result.
    pub fn games(&self) -> u64 {
        self.counts.values().flatten().sum()
    }

    /// Complete pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs.values().map(|pairs| pairs.pairs()).sum()
    }

    /// Plies that engines played in games with a result.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Times that the host spoilt a game.
    pub fn voids(&self) -> u64 {
        self.voids
    }

    /// How often games ended in which way.
    pub fn endings(&self) -> BTreeMap<&'static str, u64> {
        let mut endings = BTreeMap::new();
        for (_, _, result, count) in self.folded() {
            if 0 < count {
                *endings.entry(result.ending).or_default() += count;
            }
        }
        endings
    }

    /// Results and faults of `engine`.
    pub fn standing(&self, engine: EngineId) -> Standing {
        let mut standing = Standing::default();
        for (white, black, result, count) in self.folded() {
            for (player, color) in [(white, Color::White), (black, Color::Black)] {
                if player == engine {
                    standing.add(color, result, count);
                }
            }
        }
        standing
    }

    /// The games of `engine` against `opponent`, from the former's side, half pairs included.
    pub fn encounter(&self, engine: EngineId, opponent: EngineId) -> Trinomial {
        let mut encounter = Standing::default();
        for (players, color) in [
            ((engine, opponent), Color::White),
            ((opponent, engine), Color::Black),
        ] {
            for (result, &count) in self
                .results
                .iter()
                .zip(self.counts.get(&players).into_iter().flatten())
            {
                encounter.add(color, *result, count);
            }
        }
        encounter.games
    }

    /// The complete pairs of `engine` against `opponent`, from the former's side.
    pub fn pairs_of(&self, engine: EngineId, opponent: EngineId) -> Pentanomial {
        let pairs = |first, second| {
            self.pairs
                .get(&(first, second))
                .copied()
                .unwrap_or_default()
        };
        pairs(engine, opponent) + pairs(opponent, engine).reversed()
    }

    /// The complete pairs of `engine` against everybody, from its side.
    pub fn all_pairs_of(&self, engine: EngineId) -> Pentanomial {
        self.pairs.iter().fold(
            Pentanomial::default(),
            |sum, (&(first, second), &pairs)| match (first == engine, second == engine) {
                (true, _) => sum + pairs,
                (_, true) => sum + pairs.reversed(),
                (false, false) => sum,
            },
        )
    }

    /// White, Black, result and how often.
    fn folded(&self) -> impl Iterator<Item = (EngineId, EngineId, GameResult, u64)> + '_ {
        self.counts.iter().flat_map(|(&(white, black), counts)| {
            let results = self.results.iter().zip(counts);
            results.map(move |(&result, &count)| (white, black, result, count))
        })
    }

    fn place_of(&mut self, result: GameResult) -> usize {
        let known = self.results.iter().position(|&known| known == result);
        known.unwrap_or_else(|| {
            self.results.push(result);
            self.results.len() - 1
        })
    }

    fn byte_mut(&mut self, game: GameNumber) -> &mut u8 {
        let page = self
            .pages
            .entry(game.0 / PAGE_GAMES)
            .or_insert_with(|| Box::new([0; PAGE_GAMES as usize]));
        &mut page[(game.0 % PAGE_GAMES) as usize]
    }
}

impl Standing {
    /// Faults of whatever kind.
    pub const fn faults(&self) -> u64 {
        self.time_losses + self.crashes + self.stalls + self.illegal_moves
    }

    fn add(&mut self, color: Color, result: GameResult, count: u64) {
        let Trinomial {
            wins,
            draws,
            losses,
        } = result.from_side(color);
        self.games.wins += wins * count;
        self.games.draws += draws * count;
        self.games.losses += losses * count;
        match result.fault {
            Some((guilty, kind)) if guilty == color => match kind {
                FaultKind::Crash => self.crashes += count,
                FaultKind::Stall => self.stalls += count,
                FaultKind::TimeLoss => self.time_losses += count,
                FaultKind::IllegalMove => self.illegal_moves += count,
            },
            Some(_) | None => {}
        }
    }
}
