//! Whatever engines say and whenever they say it, a game ends once, with a verdict that its record
//! bears out.
//!
//! The simulated world has every freedom of the real one: lines in pieces of any bytes, answers
//! early, late, twice or never, ends at any moment, pipes that are full, stamps that are behind each
//! other.

#![expect(
    clippy::unwrap_used,
    reason = "in a test, a panic is how a wrong value is told"
)]

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use engine_core::{ByColor, CastlingStyle, Color, FlagPolicy, Outcome, Position};
use match_core::clock::Clock;
use match_core::fault::Fault;
use match_core::game::{Afterwards, Finished, Game, Input, Output};
use match_core::moment::Moment;
use match_core::record::GameRecord;
use match_core::verdict::{Verdict, VoidReason};
use proptest::collection::vec;
use proptest::prelude::*;
use uci::Command;

use crate::table::{Table, fixture, seats};

/// What an engine makes of a question.
#[derive(Clone, Debug)]
enum Mood {
    /// Answers after so many microseconds.
    Honest(u64),
    /// Does not answer.
    Silent,
    /// Says these bytes first.
    Babble(Vec<u8>),
    /// Says the answer to something else first.
    Confused(&'static str),
    /// Answers twice.
    Twice,
    /// Plays what is no move.
    Cheat,
    /// Answers and ends.
    AnswerAndEnd,
    /// Ends.
    End,
    /// Talks on and on, and answers late or never.
    Flood(u64),
    /// Does not read for so many milliseconds.
    Deaf(u64),
    /// Nothing of its own, but the contest is stopped meanwhile.
    Cancelled(bool),
}

/// Mostly honest, so that games come to something.
fn mood() -> impl Strategy<Value = Mood> {
    prop_oneof![
        400 => (0u64..40_000).prop_map(Mood::Honest),
        10 => (0u64..3_000_000).prop_map(Mood::Honest),
        2 => Just(Mood::Silent),
        20 => vec(any::<u8>(), 0..40).prop_map(Mood::Babble),
        20 => prop::sample::select(vec![
            "bestmove e2e4", "bestmove", "readyok", "uciok", "info score mate 0", "info depth 99999999999",
            "option name X type spin", "id name Y", "info string bestmove e2e4", "info pv e2e4 score cp 5",
        ]).prop_map(Mood::Confused),
        8 => Just(Mood::Twice),
        3 => Just(Mood::Cheat),
        2 => Just(Mood::AnswerAndEnd),
        2 => Just(Mood::End),
        2 => (1u64..50).prop_map(Mood::Flood),
        5 => (0u64..100_000).prop_map(Mood::Deaf),
        1 => any::<bool>().prop_map(Mood::Cancelled),
    ]
}

enum Happening {
    Said(Color, Vec<u8>),
    Ended(Color),
    Read(Color),
    Cancelled(bool),
}

struct World {
    now: Moment,
    skew: Duration,
    moods: Vec<Mood>,
    asked: usize,
    happenings: BTreeMap<(Moment, usize), Happening>,
    positions: ByColor<Position>,
    style: CastlingStyle,
}

impl World {
    fn happen(&mut self, after: Duration, what: Happening) {
        let order = self.happenings.len();
        let mut at = (self.now + after, order);
        while self.happenings.contains_key(&at) {
            at.1 += 1;
        }
        self.happenings.insert(at, what);
    }

    /// An engine reads a line.
    fn read(&mut self, color: Color, line: &str) {
        let answer = match Command::parse(line).unwrap() {
            Command::Uci => "uciok".to_owned(),
            Command::IsReady => "readyok".to_owned(),
            Command::Position { fen, moves } => {
                let mut position = fen.map_or(Position::startpos(), |fen| fen.parse().unwrap());
                for word in moves.split(' ').filter(|word| !word.is_empty()) {
                    position
                        .play(position.parse_uci(word, self.style).unwrap())
                        .unwrap();
                }
                self.positions[color] = position;
                return;
            }
            Command::Go(go) => {
                assert!(
                    [go.wtime, go.btime, go.movetime]
                        .into_iter()
                        .flatten()
                        .all(|time| !time.is_zero())
                );
                let position = self.positions[color];
                let moves = position.legal_moves();
                let mv = moves[self.asked * 7 % moves.len()];
                format!("bestmove {}", position.uci(mv, self.style))
            }
            Command::Stop => "bestmove a1a1".to_owned(),
            _ => return,
        };
        let mood = self
            .moods
            .get(self.asked % self.moods.len().max(1))
            .cloned()
            .unwrap_or(Mood::Honest(0));
        self.asked += 1;
        let micros = Duration::from_micros;
        let answer = |world: &mut Self, after: Duration| {
            world.happen(after, Happening::Said(color, answer.clone().into_bytes()));
        };
        match mood {
            Mood::Honest(think) => answer(self, micros(think)),
            Mood::Silent => {}
            Mood::Babble(bytes) => {
                self.happen(micros(1), Happening::Said(color, bytes));
                answer(self, micros(2));
            }
            Mood::Confused(line) => {
                self.happen(micros(1), Happening::Said(color, line.into()));
                answer(self, micros(2));
            }
            Mood::Twice => {
                answer(self, micros(1));
                answer(self, micros(2));
            }
            Mood::Cheat => {
                self.happen(micros(1), Happening::Said(color, b"bestmove e9e4".to_vec()))
            }
            Mood::AnswerAndEnd => {
                answer(self, micros(1));
                self.happen(micros(2), Happening::Ended(color));
            }
            Mood::End => self.happen(micros(1), Happening::Ended(color)),
            Mood::Flood(lines) => {
                for n in 1..lines {
                    self.happen(
                        micros(n * 200_000),
                        Happening::Said(color, b"info depth 1 score cp 5".to_vec()),
                    );
                }
                answer(self, micros(lines * 200_000));
            }
            Mood::Deaf(_) => answer(self, micros(1)),
            Mood::Cancelled(host) => self.happen(micros(1), Happening::Cancelled(host)),
        }
    }
}

/// Plays a game in a world and gives what came of it.
fn play(table: Table, moods: Vec<Mood>, skew: u64) -> Finished {
    let now = Moment::from_nanos(1_000_000);
    let mut world = World {
        now,
        skew: Duration::from_micros(skew),
        moods,
        asked: 0,
        happenings: BTreeMap::new(),
        positions: ByColor::default(),
        style: CastlingStyle::Standard,
    };
    let seats = seats(&table);
    let mut game = Game::new(now, fixture(), table.opening, seats, Arc::new(table.rules));
    let mut steps = 0;
    loop {
        while let Some(output) = game.poll() {
            match output {
                Output::Write(color) => {
                    let deaf = match world.moods.get(world.asked % world.moods.len().max(1)) {
                        Some(&Mood::Deaf(millis)) => Duration::from_millis(millis),
                        _ => Duration::ZERO,
                    };
                    world.happen(deaf, Happening::Read(color));
                }
                Output::Warned { text, .. } => assert!(!text.contains('\n')),
                Output::Over => {
                    assert_eq!(game.poll(), None);
                    assert_eq!(game.wake_at(), None);
                    game.handle(world.now, Input::Alarm);
                    game.handle(world.now, Input::Cancel(VoidReason::Cancelled));
                    assert_eq!(game.poll(), None, "it is over once");
                    return game.finish();
                }
            }
        }
        steps += 1;
        assert!(steps < 100_000, "a game ends");
        let wake = game
            .wake_at()
            .expect("until it is over, something is waited for");
        match world.happenings.first_key_value() {
            Some((&(at, _), _)) if at <= wake => {
                let ((at, _), what) = world.happenings.pop_first().unwrap();
                world.now = world.now.max(at);
                happen(&mut world, &mut game, what);
            }
            _ => {
                world.now = world.now.max(wake);
                game.handle(world.now, Input::Alarm);
            }
        }
    }
}

fn happen(world: &mut World, game: &mut Game, what: Happening) {
    // The stamp of a line may be behind that of the write it answers.
    let stamp = Moment::from_nanos(
        world
            .now
            .as_nanos()
            .saturating_sub(world.skew.as_nanos() as u64),
    );
    match what {
        Happening::Said(color, line) => game.handle(stamp, Input::Line(color, &line)),
        Happening::Ended(color) => game.handle(stamp, Input::Closed(color)),
        Happening::Cancelled(true) => game.handle(
            world.now,
            Input::Cancel(VoidReason::Host("asleep".to_owned())),
        ),
        Happening::Cancelled(false) => game.handle(world.now, Input::Cancel(VoidReason::Cancelled)),
        Happening::Read(color) => {
            let text = String::from_utf8(game.outbox(color).to_vec()).unwrap();
            game.handle(world.now, Input::Flushed(color));
            for line in text.lines() {
                world.read(color, line);
            }
        }
    }
}

/// The moves are legal, the times are those of the clocks, and the verdict fits the last position.
fn verify(record: &GameRecord, table: &Table) {
    let mut game =
        engine_core::Game::with_moves(record.opening.start, record.opening.moves.iter().copied())
            .unwrap();
    let mut clocks = ByColor::new_with(|color| table.limits[color].clock.map(Clock::new));
    for ply in &record.plies {
        assert_eq!(game.ending(), None);
        let mover = game.position().turn();
        game.play(ply.mv).unwrap();
        if let Some(clock) = &mut clocks[mover] {
            clock.charge(ply.spent, table.limits[mover].margin).unwrap();
            assert_eq!(ply.left, Some(clock.left()));
        }
    }
    match &record.verdict {
        Verdict::Rules(ending) => assert_eq!(game.ending(), Some(*ending)),
        Verdict::Adjudicated(ruling) => {
            assert_eq!(game.ending(), None);
            assert!(ruling.since_ply as usize <= game.plies());
        }
        Verdict::Forfeit {
            loser,
            fault,
            outcome,
        } => {
            assert_eq!(game.ending(), None);
            match fault {
                Fault::TimeLoss { over } => {
                    assert!(!over.is_zero());
                    let policy = table.rules.flag_policy;
                    assert_eq!(
                        *outcome,
                        engine_core::flag_fall(game.position(), *loser, policy)
                    );
                }
                Fault::Crash | Fault::Stall { .. } | Fault::IllegalMove { .. } => {
                    assert_eq!(*outcome, Outcome::loss(*loser));
                }
            }
            if !record.plies.is_empty() {
                assert_eq!(
                    game.position().turn(),
                    *loser,
                    "only who is to move can lose by a fault"
                );
            }
        }
        Verdict::Void(_) => {}
    }
}

fn table(tc: &str, fresh: bool, max_moves: u32) -> Table {
    let table = Table::new(tc)
        .margin(10)
        .adjudication(|rules| rules.max_moves = NonZeroU32::new(max_moves));
    let mut table = if tc == "inf" { table.nodes(100) } else { table };
    table.rules.flag_policy = FlagPolicy::CannotMate;
    if fresh { table.fresh() } else { table }
}

proptest! {
    #[test]
    fn every_game_ends_once_with_a_verdict(
        moods in vec(mood(), 1..60),
        tc in prop::sample::select(vec!["1+0.01", "3/0.2", "inf"]),
        fresh in any::<bool>(),
        skew in 0u64..200,
        max_moves in 1u32..30,
    ) {
        let table = table(tc, fresh, max_moves);
        let finished = play(table.clone(), moods.clone(), skew);
        match &finished.game {
            Ok(record) => {
                verify(record, &table);
                prop_assert!(record.plies.len() <= 2 * max_moves as usize);
                let cancelled = moods.iter().any(|mood| matches!(mood, Mood::Cancelled(_)));
                prop_assert!(cancelled || !matches!(record.verdict, Verdict::Void(_)));
            }
            Err(failure) => {
                prop_assert!(fresh);
                prop_assert!(!failure.is_final(), "no settings, no misfit");
                let lost = matches!(finished.engines[failure.color], Afterwards::Discard { fault: Some(_) });
                prop_assert!(lost);
            }
        }
    }

    #[test]
    fn honest_engines_lose_nothing_but_games(
        thinking in vec((0u64..9_000).prop_map(Mood::Honest), 1..80),
        fresh in any::<bool>(),
        skew in 0u64..200,
    ) {
        let table = table("1+0.01", fresh, 20);
        let finished = play(table.clone(), thinking, skew);
        let record = finished.game.unwrap();
        verify(&record, &table);
        prop_assert!(matches!(record.verdict, Verdict::Rules(_) | Verdict::Adjudicated(_)));
        for color in Color::ALL {
            prop_assert!(matches!(finished.engines[color], Afterwards::Keep(_)));
        }
    }
}

#[test]
fn an_anchored_example_of_the_same() {
    let table = table("1+0.01", true, 20);
    let finished = play(table.clone(), vec![Mood::Honest(1000)], 5);
    let record = finished.game.unwrap();
    assert_eq!(
        crate::table::told(&record.verdict),
        "1/2-1/2 move limit since ply 40"
    );
    assert!(
        record
            .plies
            .iter()
            .all(|ply| ply.spent == Duration::from_micros(995))
    );
}
