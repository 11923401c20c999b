use std::collections::BTreeSet;

use engine_core::{CastlingStyle, Color, Ending, Game, Position};
use sparring::{Blur, Budget, Level, Listener, Report, Searcher};
use uci::Score;

use crate::Talk;

/// A player of a level with a seed.
struct Player {
    searcher: Searcher,
    budget: Budget,
}

impl Player {
    fn new(level: u64, seed: u64) -> Self {
        let level = Level::new(level).unwrap();
        let mut searcher = Searcher::new(1);
        searcher.blur = Blur {
            centipawns: level.blur(),
            seed,
        };
        // The strongest has no bound of its own.
        let nodes = level.nodes().or(Some(50_000));
        Self {
            searcher,
            budget: Budget {
                nodes,
                ..Budget::default()
            },
        }
    }
}

/// A whole game.
fn play(white: &mut Player, black: &mut Player, start: Position) -> Game {
    let mut game = Game::new(start);
    let mut past = Vec::new();
    while game.ending().is_none() {
        let position = *game.position();
        let Player { searcher, budget } = match position.turn() {
            Color::White => &mut *white,
            Color::Black => &mut *black,
        };
        let mv = searcher.search(&position, &past, *budget, &mut ()).unwrap();
        past.push(position.key());
        game.play(mv).unwrap();
    }
    game
}

/// The openings that come with arbiter, with the scores that are said of them.
fn openings() -> Vec<(Position, i32)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../book/books/openings.epd");
    let book = std::fs::read_to_string(path).unwrap();
    let entry = |line: &str| {
        let fields: Vec<_> = line.split(' ').collect();
        let position = Position::from_fen(&fields[..4].join(" ")).unwrap();
        let ce = fields.iter().position(|&field| field == "ce").unwrap();
        (
            position,
            fields[ce + 1].trim_end_matches(';').parse().unwrap(),
        )
    };
    book.lines().map(entry).collect()
}

/// Twice the points of `level` in games against the level below.
fn points(level: u64, pairs: u64) -> u64 {
    let twice = |winner, color| match winner {
        Some(winner) if winner == color => 2,
        Some(_) => 0,
        None => 1,
    };
    let openings = openings();
    let games = (0..pairs).flat_map(|seed| {
        let start = openings[seed as usize].0;
        let players = || (Player::new(level, seed), Player::new(level - 1, seed));
        [Color::White, Color::Black].map(|color| {
            let (mut strong, mut weak) = players();
            let game = match color {
                Color::White => play(&mut strong, &mut weak, start),
                Color::Black => play(&mut weak, &mut strong, start),
            };
            twice(game.ending().unwrap().outcome().winner(), color)
        })
    });
    games.sum()
}

/// The levels above 7 differ by nodes alone, as 6 and 7 do, and would take long.
#[test]
fn each_level_beats_the_one_below() {
    for level in 2..=7 {
        let pairs = 6;
        let points = points(level, pairs);
        // A difference of 80 Elo is 61 %.
        assert!(
            100 * points >= 61 * 4 * pairs,
            "level {level}: {points} half points of {pairs} pairs"
        );
    }
}

#[track_caller]
fn check_best(fen: &str, nodes: u64, san: &str, score: Option<Score>) {
    struct Last(Option<Score>);
    impl Listener for Last {
        fn report(&mut self, report: &Report<'_>) {
            self.0 = Some(report.score);
        }

        fn wants_end(&mut self) -> bool {
            false
        }
    }
    let position = Position::from_fen(fen).unwrap();
    let budget = Budget {
        nodes: Some(nodes),
        ..Budget::default()
    };
    let mut last = Last(None);
    let mv = Searcher::new(1)
        .search(&position, &[], budget, &mut last)
        .unwrap();
    assert_eq!(position.san(mv).as_str(), san);
    if score.is_some() {
        assert_eq!(last.0, score);
    }
}

#[test]
fn mates_are_found_and_counted_in_moves() {
    let mate_in = |moves| Some(Score::Mate(moves));
    check_best(
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
        1_000,
        "Ra8#",
        mate_in(1),
    );
    check_best(
        "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
        20_000,
        "Ra6",
        mate_in(2),
    );
}

#[test]
fn a_piece_that_hangs_is_taken_and_one_that_is_defended_is_not() {
    check_best("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1", 2_000, "exd5", None);
    check_best("4k3/8/4p3/3r4/8/3Q4/8/4K3 b - - 0 1", 5_000, "Rxd3", None);
}

#[test]
fn a_lost_side_repeats_a_position_whichever_it_is() {
    let position = Position::from_fen("8/8/8/3k4/8/8/8/3QK3 b - - 9 20").unwrap();
    for mv in position.legal_moves() {
        let mut repeated = position;
        repeated.play(mv).unwrap();
        let past = [repeated.key(), 1, 2];
        let budget = Budget {
            nodes: Some(5_000),
            ..Budget::default()
        };
        let best = Searcher::new(1).search(&position, &past, budget, &mut ());
        assert_eq!(best, Some(mv));
    }
}

#[test]
fn a_rook_more_is_enough_to_mate() {
    let start = Position::from_fen("8/8/8/3k4/8/8/8/R3K3 w - - 0 1").unwrap();
    let game = play(&mut Player::new(6, 1), &mut Player::new(6, 2), start);
    assert_eq!(
        game.ending(),
        Some(Ending::Checkmate {
            winner: Color::White
        })
    );
}

#[test]
fn the_same_seed_plays_the_same_and_another_does_not() {
    let lines = "position startpos\ngo\nposition startpos moves e2e4\ngo\nposition startpos moves d2d4 d7d5\ngo";
    for args in [["--random", "--seed=5"], ["--level=2", "--seed=5"]] {
        let bestmoves = |seed: &str| {
            let mut talk = Talk::with(&[args[0], seed]);
            let mut said = Vec::new();
            for line in lines.split('\n') {
                talk.say(line);
                if line == "go" {
                    said.extend(talk.hear("bestmove").pop());
                }
            }
            said
        };
        assert_eq!(bestmoves(args[1]), bestmoves(args[1]));
        let others = (6..12).map(|seed| bestmoves(&format!("--seed={seed}")));
        assert!(others.into_iter().any(|other| other != bestmoves(args[1])));
    }
}

#[test]
fn random_moves_are_legal_to_the_end_of_the_game() {
    let mut game = Game::default();
    let mut talk = Talk::with(&["--random", "--seed=3"]);
    let mut line = "position startpos moves".to_owned();
    while game.ending().is_none() {
        talk.say(if game.plies() == 0 {
            "position startpos"
        } else {
            &line
        });
        talk.say("go wtime 1 btime 1");
        let said = talk.hear("bestmove").pop().unwrap();
        let text = said.strip_prefix("bestmove ").unwrap();
        let mv = game
            .position()
            .parse_uci(text, CastlingStyle::Standard)
            .unwrap();
        game.play(mv).unwrap();
        line.push(' ');
        line.push_str(text);
    }
    assert!(game.plies() > 10);
}

#[test]
fn the_openings_are_distinct_playable_and_near_balance() {
    let openings = openings();
    let keys: BTreeSet<_> = openings
        .iter()
        .map(|(position, _)| position.key())
        .collect();
    assert_eq!(keys.len(), openings.len());
    assert!(keys.len() >= 500);
    for (position, score) in openings {
        assert!(
            position.has_legal_moves() && score.abs() <= 40,
            "{position:?}"
        );
    }
}
