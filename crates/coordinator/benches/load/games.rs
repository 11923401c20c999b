//! Games under the laws: random legal moves, until they end the game or one side gives up.

use engine_core::{CastlingStyle, Color, Game as Board, Position};
use fleet_api::{Game, Verdict};

/// Openings of the book.
pub(crate) const OPENINGS: u64 = 64;

/// After so many plies somebody resigns: engines play about as long.
const PLIES: usize = 120;

/// The book, an EPD.
pub(crate) fn book() -> String {
    (0..OPENINGS)
        .map(|number| {
            let board = wander(Position::startpos(), 8, &mut Dice(number + 1)).0;
            let fen = board.position().fen();
            let fields: Vec<&str> = fen.split(' ').take(4).collect();
            format!("{};\n", fields.join(" "))
        })
        .collect()
}

/// The two games from each opening of the book, as JSON, in the order of `starts`.
pub(crate) fn pairs(starts: &[Position]) -> Vec<String> {
    starts
        .iter()
        .enumerate()
        .map(|(i, &start)| {
            let mut dice = Dice(1000 + i as u64);
            let games = [
                game(start, "new", "old", &mut dice),
                game(start, "old", "new", &mut dice),
            ];
            serde_json::to_string(&games).expect("it is JSON")
        })
        .collect()
}

fn game(start: Position, white: &str, black: &str, dice: &mut Dice) -> Game {
    let (board, moves) = wander(start, PLIES, dice);
    let (kind, reason, outcome) = match board.ending() {
        Some(ending) => ("rules", ending.name(), ending.outcome()),
        None => (
            "adjudicated",
            "resign adjudication",
            engine_core::Outcome::win(match dice.roll(2) {
                0 => Color::White,
                _ => Color::Black,
            }),
        ),
    };
    Game {
        white: white.to_owned(),
        black: black.to_owned(),
        result: outcome.as_pgn().to_owned(),
        verdict: Verdict {
            kind: kind.to_owned(),
            reason: reason.to_owned(),
            since_ply: None,
            loser: None,
            fault: None,
        },
        start: start.fen(),
        book: String::new(),
        spent: moves.iter().map(|_| dice.roll(5000) as f64 / 1e6).collect(),
        moves: moves.join(" "),
        seconds: 1.0,
    }
}

/// Plays at most `plies` random moves.
fn wander(start: Position, plies: usize, dice: &mut Dice) -> (Board, Vec<String>) {
    let mut board = Board::new(start);
    let mut moves = Vec::new();
    while board.ending().is_none() && moves.len() < plies {
        let legal = board.position().legal_moves();
        let mv = legal[dice.roll(legal.len() as u64) as usize];
        moves.push(
            board
                .position()
                .uci(mv, CastlingStyle::Standard)
                .to_string(),
        );
        board.play_unchecked(mv);
    }
    (board, moves)
}

/// Marsaglia's xorshift: the same games every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        for _ in 0..3 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
        }
        self.0 % sides
    }
}
