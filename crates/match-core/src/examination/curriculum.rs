//! The exercises, in their order.

use std::time::Duration;

use engine_core::{CastlingSide, CastlingStyle, Color, Game, Move, Position};
use uci::{OptionDecl, OptionKind, Options};

use super::exercise::{Await, Board, Exercise, Expect, Step};
use super::grading::Verdict;
use super::options;
use crate::splitmix::SplitMix;

/// How long it thinks before it is disturbed.
const DISTURB_AFTER: Duration = Duration::from_millis(100);

/// `stop` is obeyed at once by who looks at the clock at all.
const STOP_WITHIN: Duration = Duration::from_secs(2);

/// What a runner commonly waits after `quit`.
const END_WITHIN: Duration = Duration::from_secs(2);

/// Promotion wins, and is the only sensible thing to do.
const PROMOTION: &str = "8/P6k/8/8/8/8/7p/7K w - - 0 1";

/// What an engine may say something to, though it need not.
pub(super) const UNKNOWN_WORDS: &str = "unknown words";

/// What comes first and decides whether anything else comes.
pub(super) fn introduction(settings: &[(String, String)]) -> Vec<Exercise> {
    let mut steps = again(settings);
    // A banner is no answer to `uci`.
    steps.insert(0, Step::Pause(Duration::from_millis(50)));
    vec![Exercise {
        item: "greeting",
        about: String::new(),
        gravity: Verdict::Fail,
        steps,
        board: None,
        expect: Expect::Greeting,
    }]
}

/// What a fresh process is told before it goes on.
pub(super) fn again(settings: &[(String, String)]) -> Vec<Step> {
    let mut steps = vec![say("uci"), wait(Await::UciOk)];
    let set =
        |(name, value): &(String, String)| say(&format!("setoption name {name} value {value}"));
    steps.extend(settings.iter().map(set));
    steps.extend(settle());
    steps
}

/// All the rest, for an engine with these options.
pub(super) fn rest(declared: &Options, settings: &[(String, String)]) -> Vec<Exercise> {
    let has = |name: &str| declared.get(name).is_some();
    let is_free = |option: &&OptionDecl| {
        let is_it = |(name, _): &(String, String)| name.eq_ignore_ascii_case(&option.name);
        !settings.iter().any(is_it)
    };
    let mut all: Vec<Exercise> = (declared.iter().filter(is_free))
        .filter_map(options::exercise)
        .collect();
    all.push(answers("ucinewgame", &["ucinewgame"]));
    all.push(answers(UNKNOWN_WORDS, &["xyzzy", "hello engine"]));
    all.push(Exercise {
        gravity: Verdict::Warn,
        ..answers("line ends of Windows", &["isready\r", "debug off\r"])
    });
    all.extend(searches());
    all.extend(disturbances(has("Ponder")));
    all.extend(positions());
    if has("UCI_Chess960") {
        all.extend(chess960());
    }
    if let Some(option) = declared.get("MultiPV") {
        all.extend(several_lines(option));
    }
    all.extend(clocks());
    all.extend(ends());
    all
}

fn say(line: &str) -> Step {
    Step::Say(format!("{line}\n"))
}

fn wait(what: Await) -> Step {
    Step::Await(what, None)
}

/// What every exercise ends with.
fn settle() -> [Step; 2] {
    [say("isready"), wait(Await::ReadyOk)]
}

fn answers(item: &'static str, lines: &[&str]) -> Exercise {
    let mut steps: Vec<Step> = lines.iter().map(|line| say(line)).collect();
    // The line end of `isready\r` is part of what is tried.
    if lines.iter().any(|line| line.starts_with("isready")) {
        steps.insert(1, wait(Await::ReadyOk));
    }
    steps.extend(settle());
    Exercise {
        item,
        about: String::new(),
        gravity: Verdict::Fail,
        steps,
        board: None,
        expect: Expect::Answers,
    }
}

/// A search with what comes between `go` and the answer.
fn search(
    item: &'static str,
    place: &Place,
    go: &str,
    between: Vec<Step>,
    expect: Expect,
) -> Exercise {
    let mut steps = vec![say(&place.text), say(go)];
    steps.extend(between);
    steps.extend(settle());
    Exercise {
        item,
        about: String::new(),
        gravity: Verdict::Fail,
        steps,
        board: Some(Board {
            position: place.position,
            style: place.style,
        }),
        expect,
    }
}

fn plain(item: &'static str, place: &Place, go: &str) -> Exercise {
    search(
        item,
        place,
        go,
        vec![wait(Await::BestMove)],
        Expect::Moves(Vec::new()),
    )
}

/// A position and the command that sets it.
struct Place {
    text: String,
    position: Position,
    style: CastlingStyle,
}

impl Place {
    fn after(start: Position, moves: &[Move], style: CastlingStyle) -> Self {
        let fen = match style {
            CastlingStyle::Standard => start.fen(),
            CastlingStyle::Chess960 => start.fen_shredder(),
        };
        let mut text = if start == Position::startpos() && style == CastlingStyle::Standard {
            "position startpos".to_owned()
        } else {
            format!("position fen {fen}")
        };
        let mut position = start;
        for (index, &mv) in moves.iter().enumerate() {
            text.push_str(if index == 0 { " moves " } else { " " });
            text.push_str(&position.uci(mv, style));
            position.play_unchecked(mv);
        }
        Self {
            text,
            position,
            style,
        }
    }

    fn at(fen: &str) -> Self {
        let position = Position::from_fen(fen).expect("the positions here are legal");
        Self::after(position, &[], CastlingStyle::Standard)
    }

    fn opening() -> Self {
        let start = Position::startpos();
        let moves = line(&start, &["e2e4", "e7e5"]);
        Self::after(start, &moves, CastlingStyle::Standard)
    }
}

/// The moves of a line that is known to be legal.
fn line(start: &Position, words: &[&str]) -> Vec<Move> {
    let mut position = *start;
    let read = |word: &&str| {
        let mv = position
            .parse_uci(word.as_bytes(), CastlingStyle::Standard)
            .expect("the lines here are legal");
        position.play_unchecked(mv);
        mv
    };
    words.iter().map(read).collect()
}

/// Every form of `go` that ends by itself.
fn searches() -> Vec<Exercise> {
    let place = Place::opening();
    let among = line(&place.position, &["a2a3"]);
    let other = line(&place.position, &["h2h3"]);
    let mate = Place::at("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    vec![
        plain("go depth", &place, "go depth 3"),
        plain("go nodes", &place, "go nodes 500"),
        plain("go movetime", &place, "go movetime 100"),
        plain(
            "go wtime",
            &place,
            "go wtime 2000 btime 2000 winc 20 binc 20",
        ),
        plain(
            "go movestogo",
            &place,
            "go wtime 2000 btime 2000 movestogo 20",
        ),
        // No runner's games depend on it.
        Exercise {
            gravity: Verdict::Warn,
            ..search(
                "go searchmoves",
                &place,
                "go depth 2 searchmoves a2a3 h2h3",
                vec![wait(Await::BestMove)],
                Expect::Moves([among, other].concat()),
            )
        },
        Exercise {
            gravity: Verdict::Warn,
            ..plain("go mate", &mate, "go depth 6 mate 1")
        },
    ]
}

/// Searches that are interrupted.
fn disturbances(ponders: bool) -> Vec<Exercise> {
    let place = Place::opening();
    let stop = || vec![say("stop"), Step::Await(Await::BestMove, Some(STOP_WITHIN))];
    let mut all = vec![
        search(
            "go infinite, stop",
            &place,
            "go infinite",
            [vec![Step::Pause(DISTURB_AFTER)], stop()].concat(),
            Expect::Patience,
        ),
        search(
            "isready in a search",
            &place,
            "go infinite",
            [
                vec![
                    Step::Pause(DISTURB_AFTER),
                    say("isready"),
                    wait(Await::ReadyOk),
                ],
                stop(),
            ]
            .concat(),
            Expect::Patience,
        ),
        search(
            "stop at once",
            &place,
            "go infinite",
            stop(),
            Expect::Moves(Vec::new()),
        ),
        answers("stop without go", &["stop"]),
    ];
    if ponders {
        let go = "go ponder wtime 2000 btime 2000 winc 20 binc 20";
        let hit = vec![
            Step::Pause(DISTURB_AFTER),
            say("ponderhit"),
            wait(Await::BestMove),
        ];
        all.push(search(
            "go ponder, ponderhit",
            &place,
            go,
            hit,
            Expect::Patience,
        ));
        let miss = [vec![Step::Pause(DISTURB_AFTER)], stop()].concat();
        all.push(search(
            "go ponder, stop",
            &place,
            go,
            miss,
            Expect::Patience,
        ));
    }
    all
}

/// Positions at which engines have broken.
fn positions() -> Vec<Exercise> {
    let depth = "go depth 2";
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let start = Position::startpos();
    let repeated = Place::after(
        start,
        &line(&start, &knights.repeat(2)[..7]),
        CastlingStyle::Standard,
    );
    let mut all = vec![
        plain("long history", &long_history(), depth),
        plain("before a threefold", &repeated, depth),
    ];
    let at = [
        ("fifty moves near", "8/5k2/8/8/3R4/8/4K3/8 w - - 98 120"),
        (
            "black to move",
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        ),
        (
            "castling",
            "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8",
        ),
        (
            "en passant",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3",
        ),
        ("promotion", PROMOTION),
        ("one legal move", "7k/8/8/8/8/8/4q3/7K w - - 0 1"),
        ("in check", "4k3/8/8/8/7b/8/3P4/R3K2R w KQ - 0 1"),
        (
            "218 legal moves",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ),
    ];
    for (item, fen) in at {
        all.push(plain(item, &Place::at(fen), depth));
    }
    for (item, fen) in [
        ("checkmated", "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 1"),
        ("stalemated", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
    ] {
        let steps = vec![
            Step::Pause(DISTURB_AFTER),
            say("stop"),
            Step::Pause(DISTURB_AFTER),
        ];
        all.push(search(
            item,
            &Place::at(fen),
            "go depth 2",
            steps,
            Expect::Nothing,
        ));
    }
    all
}

/// Plies of a game as long as games get.
const LONG_PLIES: usize = 400;

/// A game of random moves, always the same.
fn long_history() -> Place {
    let start = Position::startpos();
    for seed in 0.. {
        let mut dice = SplitMix::new(seed);
        let mut game = Game::new(start);
        while game.plies() < LONG_PLIES && game.ending().is_none() {
            let moves = game.position().legal_moves();
            let index = dice.draw() % moves.len() as u64;
            game.play_unchecked(moves[index as usize]);
        }
        if game.ending().is_none() {
            return Place::after(start, game.moves(), CastlingStyle::Standard);
        }
    }
    unreachable!("some random game of {LONG_PLIES} plies does not end before")
}

/// Castling both ways, written as king takes rook.
fn chess960() -> Vec<Exercise> {
    let fen = "1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w HBhb - 0 1";
    let start = Position::from_fen(fen).expect("the positions here are legal");
    let mut all = Vec::new();
    for (item, side) in [
        ("chess960, king's side", CastlingSide::HFile),
        ("chess960, queen's side", CastlingSide::AFile),
    ] {
        let mut moves = Vec::new();
        let mut position = start;
        for color in Color::ALL {
            debug_assert_eq!(position.turn(), color);
            if let Some(mv) = position.castling_move(side) {
                moves.push(mv);
                position.play_unchecked(mv);
            }
        }
        let place = Place::after(start, &moves, CastlingStyle::Chess960);
        let mut exercise = plain(item, &place, "go depth 2");
        exercise
            .steps
            .insert(0, say("setoption name UCI_Chess960 value true"));
        exercise
            .steps
            .push(say("setoption name UCI_Chess960 value false"));
        exercise.steps.extend(settle());
        all.push(exercise);
    }
    all
}

/// More than one line, if the engine can.
fn several_lines(option: &OptionDecl) -> Option<Exercise> {
    let OptionKind::Spin { max: 3.., .. } = option.kind else {
        return None;
    };
    let mut exercise = plain("MultiPV", &Place::opening(), "go depth 3");
    exercise
        .steps
        .insert(0, say("setoption name MultiPV value 3"));
    exercise.steps.push(say("setoption name MultiPV value 1"));
    exercise.steps.extend(settle());
    Some(exercise)
}

/// Searches that are timed.
const TIMED: usize = 9;

fn clocks() -> Vec<Exercise> {
    let place = Place::opening();
    let timed = |item, go: &str, within| {
        let mut steps = vec![say(&place.text)];
        for _ in 0..TIMED {
            steps.extend([say(go), wait(Await::BestMove)]);
        }
        steps.extend(settle());
        Exercise {
            item,
            about: String::new(),
            gravity: Verdict::Fail,
            steps,
            board: Some(Board {
                position: place.position,
                style: place.style,
            }),
            expect: Expect::Within(Duration::from_millis(within)),
        }
    };
    vec![
        timed("movetime of 10 ms", "go movetime 10", 10),
        timed("clock of 10 ms", "go wtime 10 btime 10", 10),
        timed(
            "clock of 100 ms",
            "go wtime 100 btime 100 winc 10 binc 10",
            100,
        ),
    ]
}

/// How it ends.
fn ends() -> Vec<Exercise> {
    let end = |item, steps| Exercise {
        item,
        about: String::new(),
        gravity: Verdict::Fail,
        steps,
        board: None,
        expect: Expect::End,
    };
    let ended = || Step::Await(Await::End, Some(END_WITHIN));
    vec![
        end("quit", vec![say("quit"), ended()]),
        end("end of input", vec![Step::CloseInput, ended()]),
        end(
            "quit in a search",
            vec![
                say("position startpos"),
                say("go infinite"),
                Step::Pause(DISTURB_AFTER),
                say("quit"),
                ended(),
            ],
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_sound() {
        let exercises = [positions(), chess960(), searches(), clocks()].concat();
        assert!(exercises.iter().filter(|one| one.board.is_some()).count() > 20);
        for exercise in &exercises {
            let count = |board: &Board| board.position.count_legal();
            match (&exercise.board, exercise.item) {
                (Some(board), "one legal move") => assert_eq!(count(board), 1),
                (Some(board), "218 legal moves") => assert_eq!(count(board), 218),
                (Some(board), item) => {
                    assert_eq!(count(board) == 0, item.ends_with("mated"), "{item}");
                }
                (None, _) => {}
            }
        }
        let history = long_history();
        assert!(history.text.split(' ').count() > LONG_PLIES);
    }
}
