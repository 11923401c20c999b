//! Which games of a PGN file are pairs.
//!
//! Two games are a pair if the same two players played the same opening with colours swapped, and
//! the tag `Round` does not say otherwise:
//!
//! - `N.1` and `N.2` belong together, and so do `N.3` and `N.4` and so on: what arbiter and
//!   c-chess-cli write. Other games never do.
//! - Equal rounds belong together: what fastchess writes, and cutechess-cli with two games a round.
//! - Games that are left over then, in rounds of their own or in none, belong together if the
//!   opening is known: what cutechess-cli writes with one game a round.
//!
//! The opening is known by the tag `FEN` (its first four fields) and by the moves at the beginning
//! that have the comment `book`. Two games of one round that say nothing of their opening are taken
//! to have the same one.
//!
//! Memory does not grow with the number of games: one that waits while [`WINDOW`] others come stays
//! without a partner.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::{self, Write};

use engine_core::pgn::{GameResult, RawGame};
use engine_core::{Color, Outcome};
use thiserror::Error;

/// For how many games a game waits for its partner at least; a contest on thousands of cores does
/// not bring its games further out of order.
pub const WINDOW: usize = 1 << 16;

/// Finds pairs in the games of a file, one after the other.
///
/// ```
/// use engine_core::pgn::{RawGame, Reader};
/// use match_core::pair_finder::PairFinder;
///
/// let text = "[Round \"7.1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
///             [Round \"7.2\"]\n[White \"B\"]\n[Black \"A\"]\n[Result \"1/2-1/2\"]\n";
/// let (mut reader, mut raw) = (Reader::new(text.as_bytes()).with_comments(), RawGame::new());
/// let mut finder = PairFinder::new();
/// while reader.read_game(&mut raw)? {
///     finder.add(&raw)?;
/// }
/// finder.end_file();
/// let cluster = finder.poll().expect("a pair");
/// let half_points = [cluster.game, cluster.partner.expect("two games")].map(|it| it.half_points(0));
/// assert_eq!((finder.players(), half_points), (&["A".to_owned(), "B".to_owned()][..], [2, 1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct PairFinder {
    players: Names,
    time_controls: Names,
    /// Games that came last, up to [`WINDOW`] of them.
    young: Waiting,
    young_games: usize,
    /// As many before those.
    old: Waiting,
    found: VecDeque<Cluster>,
}

/// Names, each with a number: its place in the list.
#[derive(Debug, Default)]
struct Names {
    list: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

/// Games without a partner so far. Those of a place all have the same colours.
type Waiting = BTreeMap<Place, VecDeque<FinishedGame>>;

/// Where a game's partner must be found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// In ascending order.
    players: [usize; 2],
    round: Round,
    opening: Opening,
}

/// A game as far as it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// The number of the player of White.
    pub white: usize,
    /// The number of the player of Black.
    pub black: usize,
    /// The score.
    pub outcome: Outcome,
    /// The number of what the tag `TimeControl` says.
    pub time_control: usize,
}

/// Games whose results depend on each other: a pair, or a single game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// How the games began.
    pub opening: Opening,
    /// The game, or the one of the two that came first.
    pub game: FinishedGame,
    /// The same opening with colours swapped.
    pub partner: Option<FinishedGame>,
}

/// How a game began, as far as its text tells.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    /// The first four fields of the tag `FEN`, its counters left out; empty without the tag.
    pub fen: String,
    /// The moves with the comment `book`, as SAN with blanks between.
    pub moves: String,
}

/// What the tag `Round` says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Round {
    Unknown,
    Number(u64),
    Text(String),
    /// `round.game` with two games a pair.
    Pair {
        round: String,
        pair: u64,
    },
}

/// Why a game does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Error)]
pub enum Omission {
    /// The result is `*` or missing.
    #[error("no result")]
    Unfinished,
    /// A name is missing or `?`.
    #[error("a player has no name")]
    Nameless,
    /// Both names are the same.
    #[error("both players have the same name")]
    AgainstItself,
}

impl FinishedGame {
    /// What a player scored in halves of a point.
    ///
    /// # Panics
    ///
    /// If he did not play.
    #[must_use]
    pub fn half_points(self, player: usize) -> usize {
        let color = match player {
            _ if player == self.white => Color::White,
            _ if player == self.black => Color::Black,
            _ => panic!("player {player} is not in {self:?}"),
        };
        match self.outcome.winner() {
            Some(winner) if winner == color => 2,
            Some(_) => 0,
            None => 1,
        }
    }

    fn swaps_colors_of(self, other: Self) -> bool {
        self.white == other.black && self.black == other.white
    }
}

impl PairFinder {
    /// One that has seen no game.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next game, read with its comments. Ask [`Self::poll`] afterwards.
    ///
    /// # Errors
    ///
    /// [`Omission`] if the game does not count.
    pub fn add(&mut self, raw: &RawGame) -> Result<(), Omission> {
        let outcome = outcome(raw).ok_or(Omission::Unfinished)?;
        let [white, black] =
            ["White", "Black"].map(|tag| raw.tags().get(tag).unwrap_or_default().trim());
        if [white, black].iter().any(|name| matches!(*name, "" | "?")) {
            return Err(Omission::Nameless);
        }
        if white == black {
            return Err(Omission::AgainstItself);
        }
        let [white, black] = [white, black].map(|name| self.players.number(name));
        let time_control = raw.tags().get("TimeControl").unwrap_or_default().trim();
        let game = FinishedGame {
            white,
            black,
            outcome,
            time_control: self.time_controls.number(time_control),
        };
        let place = Place {
            players: [white.min(black), white.max(black)],
            round: Round::parse(raw.tags().get("Round").unwrap_or_default()),
            opening: Opening::of(raw),
        };
        if place.round == Round::Unknown && !place.opening.is_known() {
            self.found.push_back(place.opening.single(game));
            return Ok(());
        }
        let partner = [&mut self.old, &mut self.young]
            .into_iter()
            .find_map(|waiting| take_partner(waiting, &place, game));
        match partner {
            Some(partner) => self.found.push_back(place.opening.pair(partner, game)),
            None => self.wait(place, game),
        }
        Ok(())
    }

    /// No partner comes any more for what was added.
    pub fn end_file(&mut self) {
        self.young_games = 0;
        let mut waiting = std::mem::take(&mut self.old);
        for (place, games) in std::mem::take(&mut self.young) {
            waiting.entry(place).or_default().extend(games);
        }
        self.settle(waiting);
    }

    /// The next cluster that is complete. Drained to `None` after every call of the others.
    pub fn poll(&mut self) -> Option<Cluster> {
        self.found.pop_front()
    }

    /// The names of the players; numbers are places in this list.
    #[must_use]
    pub fn players(&self) -> &[String] {
        &self.players.list
    }

    /// What the tag `TimeControl` said, nothing where it was missing; numbers are places in this
    /// list.
    #[must_use]
    pub fn time_controls(&self) -> &[String] {
        &self.time_controls.list
    }

    fn wait(&mut self, place: Place, game: FinishedGame) {
        if self.young_games == WINDOW {
            self.young_games = 0;
            let young = std::mem::take(&mut self.young);
            let old = std::mem::replace(&mut self.old, young);
            self.settle(old);
        }
        self.young.entry(place).or_default().push_back(game);
        self.young_games += 1;
    }

    /// Finds partners across rounds among games that found none in their own; what is left then is
    /// single.
    fn settle(&mut self, waiting: Waiting) {
        let mut left: BTreeMap<_, VecDeque<FinishedGame>> = BTreeMap::new();
        for (place, games) in waiting {
            let Place {
                players,
                round,
                opening,
            } = place;
            if matches!(round, Round::Pair { .. }) || !opening.is_known() {
                let singles = games.into_iter().map(|game| opening.clone().single(game));
                self.found.extend(singles);
                continue;
            }
            let same = left.entry((players, opening.clone())).or_default();
            for game in games {
                match same.pop_front_if(|partner| partner.swaps_colors_of(game)) {
                    Some(partner) => self.found.push_back(opening.clone().pair(partner, game)),
                    None => same.push_back(game),
                }
            }
        }
        for ((_, opening), games) in left {
            let singles = games.into_iter().map(|game| opening.clone().single(game));
            self.found.extend(singles);
        }
    }
}

impl Names {
    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.list.len();
        self.list.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

fn take_partner(waiting: &mut Waiting, place: &Place, game: FinishedGame) -> Option<FinishedGame> {
    let games = waiting.get_mut(place)?;
    let partner = games.pop_front_if(|partner| partner.swaps_colors_of(game))?;
    if games.is_empty() {
        waiting.remove(place);
    }
    Some(partner)
}

/// Behind the last move of a game that ended in the book there is the reason too.
fn is_book(comment: &str) -> bool {
    comment
        .strip_prefix("book")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
}

/// The result behind the moves, else the one of the tag.
fn outcome(raw: &RawGame) -> Option<Outcome> {
    let tag = || raw.tags().get("Result")?.trim().parse().ok();
    raw.result()
        .and_then(GameResult::outcome)
        .or_else(|| tag().and_then(GameResult::outcome))
}

impl Opening {
    /// The opening of a game that was read with its comments.
    #[must_use]
    pub fn of(raw: &RawGame) -> Self {
        let fen = raw.tags().get("FEN").unwrap_or_default();
        let fields: Vec<&str> = fen.split_ascii_whitespace().take(4).collect();
        let book = (raw.comments())
            .filter(|comment| 0 < comment.ply)
            .zip(1..)
            .take_while(|(comment, ply)| comment.ply == *ply && is_book(comment.text))
            .count();
        let mut moves = String::new();
        for san in raw.sans().take(book) {
            let blank = if moves.is_empty() { "" } else { " " };
            let _a_string_takes_all = write!(moves, "{blank}{san}");
        }
        Self {
            fen: fields.join(" "),
            moves,
        }
    }

    /// Whether the text tells anything of it. The start position without book moves may be any
    /// opening.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !(self.fen.is_empty() && self.moves.is_empty())
    }

    fn single(self, game: FinishedGame) -> Cluster {
        Cluster {
            opening: self,
            game,
            partner: None,
        }
    }

    fn pair(self, game: FinishedGame, partner: FinishedGame) -> Cluster {
        Cluster {
            opening: self,
            game,
            partner: Some(partner),
        }
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.fen.as_str(), self.moves.as_str()) {
            ("", "") => f.write_str("not told"),
            (text, "") | ("", text) => f.write_str(text),
            (fen, moves) => write!(f, "{fen}; {moves}"),
        }
    }
}

impl Round {
    fn parse(text: &str) -> Self {
        let text = text.trim();
        if matches!(text, "" | "?" | "-") {
            return Self::Unknown;
        }
        if let Some(number) = parse_number(text) {
            return Self::Number(number);
        }
        match text.rsplit_once('.') {
            Some((round, game)) if let Some(game) = parse_number(game) => Self::Pair {
                round: round.to_owned(),
                pair: game.div_ceil(2),
            },
            _ => Self::Text(text.to_owned()),
        }
    }
}

/// Digits alone: the standard library takes a sign too.
fn parse_number(text: &str) -> Option<u64> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}
