//! How fast PGN is read: words only, with the legality of every move, with comments, tags alone; and
//! the same legality check by `pgn-reader` on `shakmaty`, the fastest reader known, in the same run.
//!
//! The text is made here: openings of `../shared/books/8moves_v3.pgn` if it is there, played on at
//! random to the length of real games, with the tags that programs for matches write. Readers take
//! turns, so that a busy machine troubles all alike; the median of the rounds counts.
//! `cargo bench -p engine-core --bench pgn [-- ROUNDS]`, five by default.
#![expect(clippy::print_stdout, reason = "a bench prints its result")]

use std::fmt::Write;
use std::hint::black_box;
use std::io;
use std::ops::ControlFlow;
use std::time::Instant;

use engine_core::pgn::{GameResult, RawGame, Reader, Start, Tags, Writer};
use engine_core::{CastlingStyle, Game, Outcome};
use pgn_reader::{SanPlus, Skip, Visitor};
use shakmaty::{Chess, Position as _};

/// What a round reads of each text, in bytes.
const SIZE: usize = 52 << 20;

/// Something that is measured.
struct Contestant<'a> {
    name: &'static str,
    text: &'a str,
    read: fn(&str) -> u64,
    /// In MB/s, one for every round.
    speeds: Vec<f64>,
}

impl<'a> Contestant<'a> {
    fn new(name: &'static str, text: &'a str, read: fn(&str) -> u64) -> Self {
        let speeds = Vec::new();
        Self {
            name,
            text,
            read,
            speeds,
        }
    }

    fn run(&mut self) {
        let start = Instant::now();
        black_box((self.read)(black_box(self.text)));
        let seconds = start.elapsed().as_secs_f64();
        self.speeds.push(self.text.len() as f64 / 1e6 / seconds);
    }
}

fn main() {
    let rounds = std::env::args()
        .skip(1)
        .find_map(|word| word.parse().ok())
        .unwrap_or(5);
    let plain = text(Comments::None);
    let commented = text(Comments::EveryMove);
    println!(
        "{} MiB of games without comments, {} MiB with one for every move",
        plain.len() >> 20,
        commented.len() >> 20
    );
    let mut contestants = [
        Contestant::new("words only", &plain, words),
        Contestant::new("every move checked", &plain, legality),
        Contestant::new("pgn-reader + shakmaty", &plain, legality_by_pgn_reader),
        Contestant::new("tags only", &plain, tags),
        Contestant::new("moves checked, comments skipped", &commented, legality),
        Contestant::new(
            "pgn-reader + shakmaty, the same",
            &commented,
            legality_by_pgn_reader,
        ),
        Contestant::new("moves checked, comments kept", &commented, comments),
    ];
    for _ in 0..rounds {
        contestants.iter_mut().for_each(Contestant::run);
    }
    for contestant in &contestants {
        let speed = median(contestant.speeds.iter().copied());
        println!("{:<32} {speed:>7.1} MB/s", contestant.name);
    }
    let [_, ours, theirs, _, ours_commented, theirs_commented, _] = &contestants;
    let plies = legality(&plain);
    assert_eq!(plies, legality_by_pgn_reader(&plain));
    let plies_per_byte = plies as f64 / plain.len() as f64;
    println!(
        "{:.1} million plies/s checked, ratio to pgn-reader {:.2}, with comments {:.2}",
        median(ours.speeds.iter().copied()) * plies_per_byte,
        ratio(ours, theirs),
        ratio(ours_commented, theirs_commented)
    );
}

/// How many times as fast `one` is as `other`, round by round.
fn ratio(one: &Contestant<'_>, other: &Contestant<'_>) -> f64 {
    let rounds = one.speeds.iter().zip(&other.speeds);
    median(rounds.map(|(one, other)| one / other))
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Reads the words of all games and looks at no board.
fn words(text: &str) -> u64 {
    let mut reader = Reader::new(text.as_bytes());
    let mut raw = RawGame::new();
    let mut plies = 0;
    while reader.read_game(&mut raw).expect("memory can be read") {
        plies += raw.sans().len() as u64;
    }
    plies
}

/// Plays all games, with their keys for repetition.
fn legality(text: &str) -> u64 {
    replay(Reader::new(text.as_bytes()))
}

fn comments(text: &str) -> u64 {
    replay(Reader::new(text.as_bytes()).with_comments())
}

fn replay(mut reader: Reader<&[u8]>) -> u64 {
    let mut raw = RawGame::new();
    let mut game = Game::default();
    let mut plies = 0;
    while reader.read_game(&mut raw).expect("memory can be read") {
        raw.replay_into(&mut game).expect("a legal game");
        plies += game.plies() as u64;
    }
    plies
}

fn tags(text: &str) -> u64 {
    let mut reader = Reader::new(text.as_bytes());
    let mut raw = RawGame::new();
    let mut tags = 0;
    while reader.read_tags(&mut raw).expect("memory can be read") {
        tags += raw.tags().len() as u64;
    }
    tags
}

fn legality_by_pgn_reader(text: &str) -> u64 {
    let mut reader = pgn_reader::Reader::new(io::Cursor::new(text));
    let mut plies = 0;
    let mut visitor = Legality;
    while let Some(count) = reader.read_game(&mut visitor).expect("memory can be read") {
        plies += count.expect("a legal game");
    }
    plies
}

struct Legality;

impl Visitor for Legality {
    type Tags = ();
    type Movetext = (Chess, u64);
    type Output = Result<u64, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((Chess::default(), 0))
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(
        &mut self,
        (position, plies): &mut Self::Movetext,
        san: SanPlus,
    ) -> ControlFlow<Self::Output> {
        match san.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                *plies += 1;
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(error.to_string())),
        }
    }

    fn end_game(&mut self, (_, plies): Self::Movetext) -> Self::Output {
        Ok(plies)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Comments {
    None,
    EveryMove,
}

/// Games of 60 to 160 plies, about as long as those of engines.
fn text(comments: Comments) -> String {
    let openings = openings();
    let mut random = SplitMix(1);
    let mut text = String::with_capacity(SIZE + (1 << 16));
    let mut number = 0;
    while text.len() < SIZE {
        let mut game = openings[number % openings.len()].clone();
        number += 1;
        let length = 60 + random.below(100);
        while game.plies() < length && game.ending().is_none() {
            let moves = game.position().legal_moves();
            game.play_unchecked(moves[random.below(moves.len())]);
        }
        write_game(&mut text, number, &game, comments, &mut random);
    }
    text
}

fn write_game(
    text: &mut String,
    number: usize,
    game: &Game,
    comments: Comments,
    random: &mut SplitMix,
) {
    let round = number.to_string();
    let plies = game.plies().to_string();
    let tags: Tags = [
        ("Event", "engine match"),
        ("Site", "?"),
        ("Date", "2026.01.02"),
        ("Round", &round),
        ("White", "Stockfish dev-20260101-abcdef12"),
        ("Black", "Stockfish 17.1"),
        ("GameDuration", "00:00:23"),
        ("PlyCount", &plies),
        ("Termination", "normal"),
        ("TimeControl", "8+0.08"),
    ]
    .into_iter()
    .collect();
    let start = Start {
        position: *game.start(),
        style: CastlingStyle::Standard,
    };
    let outcome = game
        .ending()
        .map_or(Outcome::Draw, |ending| ending.outcome());
    let mut writer = Writer::new(text, &tags, &start, GameResult::Finished(outcome));
    let mut comment = String::new();
    for &mv in game.moves() {
        writer.play(mv);
        if comments == Comments::EveryMove {
            comment.clear();
            let (score, depth, time) = (random.below(300), random.below(40), random.below(900));
            write!(
                comment,
                "+{}.{:02}/{depth} 0.{time:03}s",
                score / 100,
                score % 100
            )
            .expect("a string takes everything");
            writer.comment(&comment);
        }
    }
    writer.finish();
}

/// The first openings of the book, or the bare start position.
fn openings() -> Vec<Game> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/books/8moves_v3.pgn"
    );
    let Ok(book) = std::fs::read(path) else {
        println!("without ../shared/books/8moves_v3.pgn: games start from the start position");
        return vec![Game::default()];
    };
    let mut reader = Reader::new(&book[..]);
    let mut raw = RawGame::new();
    let mut openings = Vec::new();
    while openings.len() < 10_000 && reader.read_game(&mut raw).expect("memory can be read") {
        openings.push(raw.replay().expect("a legal opening"));
    }
    openings
}

/// Sebastiano Vigna's splitmix64.
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % bound as u64) as usize
    }
}
