//! Makes the openings that come with arbiter.
//!
//! ```sh
//! cargo run --release -p sparring --bin make-openings -- --seed 1 --count 1000 > crates/book/books/openings.epd
//! ```
//!
//! From the start position random legal plies are played; what the built-in engine's search finds
//! near balance is kept, each final position once. Output is EPD, a line an opening, with `hmvc`
//! and `fmvn` (the FEN's counters), `ce` (centipawn evaluation, from the side to move) and `acn`
//! (analysis count nodes). The same flags give the same file.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use engine_core::{Game, Position};
use sparring::{Budget, Dice, Listener, Report, Searcher};

/// What to make.
struct Wish {
    seed: u64,
    count: u64,
    plies: u64,
    /// How far from balance an opening may be, in centipawns.
    window: u64,
    /// How many nodes the balance is searched with.
    nodes: u64,
}

fn main() -> ExitCode {
    let mut wish = Wish {
        seed: 1,
        count: 1000,
        plies: 8,
        window: 40,
        nodes: 100_000,
    };
    let result = read_flags(&mut wish)
        .map_err(io::Error::other)
        .and_then(|()| make(&wish));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _nobody_reads_it = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

fn read_flags(wish: &mut Wish) -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    while let Some(flag) = words.next() {
        let number = match flag.as_str() {
            "--seed" => &mut wish.seed,
            "--count" => &mut wish.count,
            "--plies" => &mut wish.plies,
            "--window" => &mut wish.window,
            "--nodes" => &mut wish.nodes,
            _ => {
                return Err(format!(
                    "there is no flag `{flag}`, but --seed, --count, --plies, --window, --nodes"
                ));
            }
        };
        let value = words.next().unwrap_or_default();
        *number = value
            .parse()
            .map_err(|_| format!("`{flag}` needs a number, not `{value}`"))?;
    }
    Ok(())
}

fn make(wish: &Wish) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut dice = Dice::new(wish.seed);
    let mut searcher = Searcher::new(16);
    let mut seen = HashSet::new();
    while (seen.len() as u64) < wish.count {
        let Some(position) = stroll(wish.plies, &mut dice) else {
            continue;
        };
        let mut is_balanced = |nodes, window| {
            let score = score(&mut searcher, &position, nodes)?;
            (score.unsigned_abs() <= window).then_some(score)
        };
        // A glance throws most away; only what survives it is worth the whole search.
        let glance = is_balanced(wish.nodes / 50, wish.window.saturating_mul(2));
        let Some(score) = glance.and_then(|_| is_balanced(wish.nodes, wish.window)) else {
            continue;
        };
        if seen.insert(position.key()) {
            writeln!(out, "{}", epd(&position, score, wish.nodes))?;
        }
    }
    out.flush()
}

/// The position after random plies, unless the game ended on the way.
fn stroll(plies: u64, dice: &mut Dice) -> Option<Position> {
    let mut game = Game::default();
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            return None;
        }
        game.play_unchecked(moves[dice.below(moves.len())]);
    }
    game.ending().is_none().then(|| *game.position())
}

/// Centipawns from the side to move; nothing when a mate is in sight.
fn score(searcher: &mut Searcher, position: &Position, nodes: u64) -> Option<i64> {
    struct Last(Option<i64>);
    impl Listener for Last {
        fn report(&mut self, report: &Report<'_>) {
            self.0 = match report.score {
                uci::Score::Centipawns(score) => Some(score.into()),
                uci::Score::Mate(_) => None,
            };
        }

        fn wants_end(&mut self) -> bool {
            false
        }
    }
    let mut last = Last(None);
    searcher.forget();
    searcher.search(
        position,
        &[],
        Budget {
            nodes: Some(nodes),
            ..Budget::default()
        },
        &mut last,
    );
    last.0
}

fn epd(position: &Position, score: i64, nodes: u64) -> String {
    let fen = position.fen();
    let mut fields = fen.split(' ');
    let four: Vec<_> = fields.by_ref().take(4).collect();
    let (halfmoves, number) = (position.halfmove_clock(), position.fullmove_number());
    format!(
        "{} hmvc {halfmoves}; fmvn {number}; ce {score}; acn {nodes};",
        four.join(" ")
    )
}
