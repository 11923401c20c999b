//! Whether what a game says of its end agrees with the laws of chess.
//!
//! A game that can be replayed is complained about when
//!
//! - the `Result` tag is no result, or not the result behind the moves, or there is none behind the
//!   moves (a game cut short looks like that);
//! - its last position ends every game (checkmate, stalemate, insufficient material, fivefold
//!   repetition, seventy-five moves) and the result is another one than that;
//! - it goes on behind such a position;
//! - the tag `Termination`, or the words behind the last comma of the comment on the last move, say
//!   that the board ended it (`White mates`, `Draw by 3-fold repetition`, `fifty-move rule` ...) and
//!   the board does not show that;
//! - the tag `PlyCount` is not the number of plies. (One more is right when the game was lost by an
//!   illegal move: some programs count it.)
//!
//! Not complained about is what players and referees may do: resign, agree on a draw, lose on time or
//! by an illegal move or a crash, be adjudicated, and play on behind a threefold repetition or fifty
//! moves that nobody claimed. A tag that is missing or `?` says nothing.
//!
//! Comments are looked at only if the reader was asked to keep them
//! ([`Reader::with_comments`](super::Reader::with_comments)).

use std::fmt;

use crate::{Color, Ending, Game, Position};

use super::{GameResult, PgnError, RawGame};

/// Checks games one after the other, using its memory again.
#[derive(Clone, Debug, Default)]
pub struct Checker {
    game: Game,
    /// Follows the game from its start, to see whether it should have ended before.
    follower: Game,
}

/// What was found out about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Which game of the file, from 1.
    pub game: u64,
    /// The line on which it begins, from 1.
    pub line: u64,
    /// How many plies could be played.
    pub plies: usize,
    /// Where they led; `None` if already the start is impossible.
    pub position: Option<Position>,
    /// How the rules under which engines play end the game there, if they do.
    pub ending: Option<Ending>,
    /// Why it could not be replayed.
    pub error: Option<PgnError>,
    /// What does not agree. Empty for a game that could not be replayed.
    pub complaints: Vec<Complaint>,
}

/// Something that a game says and that is not so.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Complaint {
    /// The tag `Result` holds something else than a result.
    NoSuchResult(String),
    /// There is no result behind the moves.
    NoResult,
    /// The tag and the end of the moves disagree.
    Results {
        /// The result in the tag.
        tag: GameResult,
        /// The result behind the moves.
        moves: GameResult,
    },
    /// The board ended the game with another result.
    Board {
        /// What the board shows.
        ending: Ending,
        /// What the game says.
        result: GameResult,
    },
    /// The board had ended the game before.
    PlayedOn {
        /// How.
        ending: Ending,
        /// After how many plies.
        ply: usize,
    },
    /// The game says that the board ended it, and the board does not show that.
    Claim(String),
    /// The tag `PlyCount` holds another number than that of the plies.
    PlyCount {
        /// What it holds.
        tag: usize,
        /// How many there are.
        plies: usize,
    },
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchResult(text) => {
                write!(f, "the tag `Result` is `{text}`, which is no result")
            }
            Self::NoResult => f.write_str("there is no result behind the moves"),
            Self::Results { tag, moves } => {
                write!(
                    f,
                    "the tag `Result` is `{tag}`, but `{moves}` stands behind the moves"
                )
            }
            Self::Board { ending, result } => write!(
                f,
                "the result is `{result}`, but the board shows {ending}: `{}`",
                ending.outcome()
            ),
            Self::PlayedOn { ending, ply } => {
                write!(
                    f,
                    "the game goes on after ply {ply}, which ended it by {ending}"
                )
            }
            Self::Claim(text) => write!(
                f,
                "the game ended by `{text}`, but the board shows no such end"
            ),
            Self::PlyCount { tag, plies } => {
                write!(
                    f,
                    "the tag `PlyCount` is `{tag}`, but there are {plies} plies"
                )
            }
        }
    }
}

impl Checker {
    /// A checker that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replays a game and compares what it says with what the board shows.
    pub fn check(&mut self, raw: &RawGame) -> Report {
        self.game.restart(Position::startpos());
        let error = raw.replay_into(&mut self.game).err();
        let started = error.as_ref().is_none_or(|error| !error.kind.is_of_start());
        Report {
            game: raw.number(),
            line: raw.line(),
            plies: self.game.plies(),
            position: started.then(|| *self.game.position()),
            ending: self.game.ending().filter(|_| started),
            complaints: match error {
                Some(_) => Vec::new(),
                None => self.complaints(raw),
            },
            error,
        }
    }

    fn complaints(&mut self, raw: &RawGame) -> Vec<Complaint> {
        let mut complaints = Vec::new();
        let tag = raw.tags().get("Result").filter(|&text| text != "?");
        let tag_result = tag.and_then(|text| text.parse().ok());
        if let (Some(text), None) = (tag, tag_result) {
            complaints.push(Complaint::NoSuchResult(text.to_owned()));
        }
        match (tag_result, raw.result()) {
            (_, None) => complaints.push(Complaint::NoResult),
            (Some(tag), Some(moves)) if tag != moves => {
                complaints.push(Complaint::Results { tag, moves });
            }
            _ => {}
        }
        let result = raw.result().or(tag_result);
        if let (Some(ending), Some(result)) = (self.game.forced_ending(), result)
            && result != GameResult::Finished(ending.outcome())
        {
            complaints.push(Complaint::Board { ending, result });
        }
        complaints.extend(self.played_on());
        let termination = raw.tags().get("Termination").unwrap_or_default();
        let claims = [termination, last_words(raw, self.game.plies())];
        complaints.extend(
            claims
                .into_iter()
                .filter(|text| Claim::read(text).is_some_and(|claim| !claim.holds(&self.game)))
                .map(|text| Complaint::Claim(text.to_owned())),
        );
        complaints.extend(self.ply_count(raw, termination));
        complaints
    }

    /// The first position, but for the last, that ends every game.
    fn played_on(&mut self) -> Option<Complaint> {
        self.follower.restart(*self.game.start());
        for (ply, &mv) in self.game.moves().iter().enumerate() {
            if let Some(ending) = self.follower.forced_ending() {
                return Some(Complaint::PlayedOn { ending, ply });
            }
            self.follower.play_unchecked(mv);
        }
        None
    }

    fn ply_count(&self, raw: &RawGame, termination: &str) -> Option<Complaint> {
        let tag: usize = raw.tags().get("PlyCount")?.trim().parse().ok()?;
        let plies = self.game.plies();
        let counts_illegal_ply =
            tag == plies + 1 && termination.to_ascii_lowercase().contains("illegal");
        (tag != plies && !counts_illegal_ply).then_some(Complaint::PlyCount { tag, plies })
    }
}

/// What stands behind the last comma of the comment on the last move.
fn last_words(raw: &RawGame, plies: usize) -> &str {
    raw.comments()
        .filter(|comment| comment.ply == plies)
        .last()
        .and_then(|comment| comment.text.rsplit(',').next())
        .unwrap_or_default()
        .trim()
}

/// An end of the game that only the board can bring about.
enum Claim {
    Checkmate { winner: Option<Color> },
    Stalemate,
    Repetition { times: u32 },
    Moves { plies: u16 },
    InsufficientMaterial,
}

impl Claim {
    /// What the words of arbiter, fastchess, cutechess-cli and c-chess-cli claim; `None` for any others.
    fn read(text: &str) -> Option<Self> {
        let words = text
            .trim_end_matches('.')
            .to_ascii_lowercase()
            .replace('-', " ");
        Some(match words.strip_prefix("draw by ").unwrap_or(&words) {
            "checkmate" | "mate" => Self::Checkmate { winner: None },
            "white mates" => Self::Checkmate {
                winner: Some(Color::White),
            },
            "black mates" => Self::Checkmate {
                winner: Some(Color::Black),
            },
            "stalemate" => Self::Stalemate,
            "threefold repetition" | "3 fold repetition" | "repetition" => {
                Self::Repetition { times: 3 }
            }
            "fivefold repetition" | "5 fold repetition" => Self::Repetition { times: 5 },
            "fifty move rule" | "fifty moves rule" | "50 move rule" | "50 moves rule" => {
                Self::Moves {
                    plies: Game::FIFTY_MOVES,
                }
            }
            "seventy five move rule"
            | "seventy five moves rule"
            | "75 move rule"
            | "75 moves rule" => Self::Moves {
                plies: Game::SEVENTY_FIVE_MOVES,
            },
            "insufficient material" | "insufficient mating material" => Self::InsufficientMaterial,
            _ => return None,
        })
    }

    /// Whether the board shows what is claimed, be it or not the end that [`Game::ending`] names.
    fn holds(&self, game: &Game) -> bool {
        let position = game.position();
        match *self {
            Self::Checkmate { winner } => {
                position.is_checkmate() && winner.is_none_or(|winner| winner != position.turn())
            }
            Self::Stalemate => position.is_stalemate(),
            Self::Repetition { times } => game.repetitions() >= times,
            Self::Moves { plies } => position.halfmove_clock() >= plies,
            Self::InsufficientMaterial => position.is_insufficient_material(),
        }
    }
}
