//! What refereeing a ply costs: a game of 200 plies, replayed through the machine.
//!
//! Counted is all between a `bestmove` and the next `go`: reading the move, playing it, the laws,
//! adjudication, the record and the words for the opponent. `cargo bench -p match-core --bench ply`.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints, and stops at the first surprise"
)]

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine_core::{ByColor, CastlingStyle, Color, FlagPolicy, Position};
use match_core::adjudication::{Adjudication, Draw, Resign};
use match_core::fixture::{EngineId, Fixture, GameNumber, OpeningIndex};
use match_core::game::{Game, Input, Output};
use match_core::limits::{Limits, parse_tc};
use match_core::moment::Moment;
use match_core::opening::Opening;
use match_core::rules::Rules;
use match_core::seat::Seat;
use match_core::spec::{Patience, Variant};
use uci::{Command, Session};

const PLIES: usize = 200;
const GAMES: u32 = 20;
const ROUNDS: u32 = 200;

fn main() {
    let words = words();
    println!("{:>8} {:>12}", "infos", "ns per ply");
    for infos in [0, 1, 20] {
        // The fastest round is the one in which the machine did nothing else.
        let round = |_| {
            let begun = Instant::now();
            (0..GAMES).for_each(|_| play(&words, infos));
            begun.elapsed()
        };
        let fastest = (0..ROUNDS).map(round).min().unwrap();
        let nanos = fastest.as_nanos() / u128::from(GAMES) / PLIES as u128;
        println!("{infos:>8} {nanos:>12}");
    }
}

/// Plays the words of a game, with so many lines of `info` before each.
fn play(words: &[String], infos: usize) {
    const INFO: &[u8] =
        b"info depth 18 seldepth 24 multipv 1 score cp 31 nodes 812345 nps 1203456 hashfull 12 \
          tbhits 0 time 675 pv e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7";
    let mut now = Moment::ZERO;
    let opening = Opening {
        start: Position::startpos(),
        moves: Vec::new(),
    };
    let mut game = Game::new(now, fixture(), opening, seats(), rules());
    drain(&mut game, now);
    for color in Color::ALL {
        game.handle(now, Input::Line(color, b"readyok"));
        drain(&mut game, now);
    }
    let mut mover = Color::White;
    for word in words {
        now = now + Duration::from_micros(10);
        for _ in 0..infos {
            game.handle(now, Input::Line(mover, INFO));
        }
        game.handle(now, Input::Line(mover, word.as_bytes()));
        drain(&mut game, now);
        mover = !mover;
    }
    assert_eq!(game.finish().game.unwrap().plies.len(), PLIES);
}

fn drain(game: &mut Game, now: Moment) {
    while let Some(output) = game.poll() {
        if let Output::Write(color) = output {
            assert!(!std::hint::black_box(game.outbox(color)).is_empty());
            game.handle(now, Input::Flushed(color));
        }
    }
}

/// A game that is not over before its time, as the lines of its engines.
fn words() -> Vec<String> {
    'seeds: for seed in 1u64.. {
        let mut dice = seed;
        let mut game = engine_core::Game::default();
        let mut words = Vec::new();
        while words.len() < PLIES {
            dice = dice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let moves = game.position().legal_moves();
            let mv = moves[(dice >> 33) as usize % moves.len()];
            words.push(format!(
                "bestmove {}",
                game.position().uci(mv, CastlingStyle::Standard)
            ));
            game.play(mv).unwrap();
            if game.ending().is_some() {
                continue 'seeds;
            }
        }
        return words;
    }
    unreachable!("there are long games")
}

fn seats() -> ByColor<Seat> {
    ByColor::new_with(|_| {
        let mut session = Session::new();
        session.send(&Command::Uci, &mut Vec::new()).unwrap();
        session.receive(b"uciok").unwrap();
        let limits = Limits {
            clock: parse_tc("10+0.1").unwrap(),
            ..Limits::default()
        };
        Seat {
            session,
            limits,
            options: Vec::new(),
        }
    })
}

fn rules() -> Arc<Rules> {
    let count = |count| NonZeroU32::new(count).unwrap();
    Arc::new(Rules {
        variant: Variant::Standard,
        adjudication: Adjudication {
            resign: Some(Resign {
                count: count(3),
                score: 600,
                two_sided: true,
            }),
            draw: Some(Draw {
                after_move: 34,
                count: count(8),
                score: 20,
            }),
            max_moves: NonZeroU32::new(PLIES as u32 / 2),
            syzygy: None,
        },
        flag_policy: FlagPolicy::default(),
        patience: Patience {
            startup: Duration::from_secs(10),
            ping: Duration::from_secs(60),
            watchdog: Duration::from_secs(60),
            settle: Duration::from_secs(1),
            quit: Duration::from_secs(2),
            start_failures: count(3),
        },
        tablebase: None,
    })
}

fn fixture() -> Fixture {
    Fixture {
        number: GameNumber(0),
        round: 0,
        players: ByColor {
            white: EngineId(0),
            black: EngineId(1),
        },
        opening: OpeningIndex(0),
    }
}
