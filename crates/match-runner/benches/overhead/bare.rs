//! The same programs and games with nothing between.

use std::env;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::thread;

use engine_core::{ByColor, CastlingStyle, Color};

use crate::contest::{Moves, SPARRING, engine_words};
use crate::window::{Cost, Window};

/// The `go` of a game at 60+0.6; that it never changes costs the engine nothing.
const GO: &[u8] = b"\ngo wtime 60600 btime 60600 winc 600 binc 600\n";

/// What is sent in a game, prepared so that only the talk is measured.
struct Script {
    white: usize,
    /// `position` with all moves.
    text: Vec<u8>,
    /// How much of it is sent at each ply, and by whose turn.
    turns: Vec<(Color, usize)>,
}

/// Drives the games in so many threads, each with two engines of its own.
pub(crate) fn play(games: &[Moves], threads: usize) -> Cost {
    let scripts: Vec<Script> = games.iter().map(Script::new).collect();
    let window = Mutex::new(Window::new(scripts.len() as u64, threads));
    thread::scope(|scope| {
        for number in 0..threads {
            let (scripts, window) = (&scripts, &window);
            // The name tells it apart from a slot in a profile.
            let lane = thread::Builder::new().name("bare".into());
            let started = lane.spawn_scoped(scope, move || {
                let mut engines = [0, 1].map(Pipes::open);
                let mut message = Vec::new();
                for script in scripts.iter().skip(number).step_by(threads) {
                    script.play(&mut engines, &mut message);
                    window
                        .lock()
                        .expect("nobody panics")
                        .game_ended(script.turns.len());
                }
            });
            started.expect("there is a thread to be had");
        }
    });
    window.into_inner().expect("nobody panicked").cost()
}

impl Script {
    fn new(game: &Moves) -> Self {
        let mut position = game.opening.start;
        let mut text = format!("position fen {} moves", position.fen()).into_bytes();
        let mut turns = Vec::new();
        let played = game.played.iter().map(|&mv| (mv, true));
        for (mv, is_played) in game
            .opening
            .moves
            .iter()
            .map(|&mv| (mv, false))
            .chain(played)
        {
            if is_played {
                turns.push((position.turn(), text.len()));
            }
            text.push(b' ');
            text.extend_from_slice(position.uci(mv, CastlingStyle::Standard).as_bytes());
            position.play_unchecked(mv);
        }
        Self {
            white: game.white.0,
            text,
            turns,
        }
    }

    fn play(&self, engines: &mut [Pipes; 2], message: &mut Vec<u8>) {
        for engine in engines.iter_mut() {
            engine.write(b"ucinewgame\nisready\n");
        }
        for engine in engines.iter_mut() {
            engine.read_until(b"readyok");
        }
        let seats = ByColor {
            white: self.white,
            black: 1 - self.white,
        };
        for &(color, length) in &self.turns {
            let engine = &mut engines[seats[color]];
            message.clear();
            message.extend_from_slice(&self.text[..length]);
            message.extend_from_slice(GO);
            engine.write(message);
            engine.read_until(b"bestmove");
        }
    }
}

/// An engine at the ends of two blocking pipes.
struct Pipes {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    buffer: Box<[u8; 4096]>,
}

impl Pipes {
    fn open(engine: usize) -> Self {
        let mut child = Command::new(env::current_exe().expect("this program is a file"))
            .arg(SPARRING)
            .args(engine_words(engine))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let input = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        let mut pipes = Self {
            child,
            input,
            output,
            buffer: Box::new([0; 4096]),
        };
        pipes.write(b"uci\n");
        pipes.read_until(b"uciok");
        pipes
    }

    fn write(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).expect("the engine listens");
    }

    /// Reads until a line begins with `word`; such a line is the last that comes.
    fn read_until(&mut self, word: &[u8]) {
        let mut filled = 0;
        loop {
            let count = self
                .output
                .read(&mut self.buffer[filled..])
                .expect("the engine talks");
            assert_ne!(count, 0, "the engine lives");
            filled += count;
            let text = &self.buffer[..filled];
            if text.ends_with(b"\n")
                && text
                    .split(|&byte| byte == b'\n')
                    .any(|line| line.starts_with(word))
            {
                return;
            }
        }
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        let _it_ends_either_way = self.input.write_all(b"quit\n");
        let _it_is_gone = self.child.wait();
    }
}
