//! The conversation: hears UCI, thinks, answers.

use std::io;
use std::num::{NonZeroU32, NonZeroU64};
use std::thread;
use std::time::Instant;

use engine_core::{CastlingStyle, Color, Move, Position};
use uci::{Command, Go};

mod attention;
mod options;

use attention::Attention;
use options::HASH_DEFAULT;

use crate::args::Args;
use crate::board::Board;
use crate::budget::{Budget, Clock};
use crate::dice::{Dice, mix};
use crate::input::Input;
use crate::level::Level;
use crate::search::{Blur, Searcher};
use crate::vice::conduct::{Conduct, Manners};
use crate::voice::Voice;

const TWO: NonZeroU32 = NonZeroU32::new(2).expect("2 is not 0");

/// The engine and its two ends of the line.
#[derive(Debug)]
pub(crate) struct Engine {
    name: String,
    input: Input,
    voice: Voice,
    conduct: Conduct,
    board: Board,
    style: CastlingStyle,
    mind: Mind,
    level: Level,
    seed: u64,
    stopwatch: bool,
    /// A move that is withheld until the next word is heard.
    withheld: Option<[String; 2]>,
}

/// What chooses the moves.
#[derive(Debug)]
enum Mind {
    /// Any legal move, at once.
    Random(Dice),
    /// The best that can be found. Made when it is first needed, for its table may be big.
    Search {
        hash: usize,
        searcher: Option<Box<Searcher>>,
    },
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Line,
    End,
}

impl Engine {
    pub(crate) fn new(args: Args) -> Self {
        let Args {
            level,
            random,
            seed,
            name,
            stopwatch,
            vices,
        } = args;
        let default_name = if random {
            "sparring random".into()
        } else {
            format!("sparring level {level}")
        };
        Self {
            name: name.unwrap_or(default_name),
            input: Input::default(),
            voice: Voice::new(&vices),
            conduct: Conduct::new(vices),
            board: Board::default(),
            style: CastlingStyle::Standard,
            mind: if random {
                Mind::Random(Dice::new(seed))
            } else {
                Mind::Search {
                    hash: HASH_DEFAULT as usize,
                    searcher: None,
                }
            },
            level,
            seed,
            stopwatch,
            withheld: None,
        }
    }

    /// Talks until `quit` or the end of the input. An error is the other side's end of the pipes.
    pub(crate) fn run(mut self) -> io::Result<()> {
        self.conduct.at_start(&mut self.voice)?;
        let mut line = Vec::new();
        loop {
            if !self.input.line_here(&mut line) {
                self.voice.flush()?;
                while self.conduct.is_restless() && !self.input.is_ready() {}
                if !self.input.next_line(&mut line)? {
                    return self.conduct.at_eof(&mut self.voice);
                }
            }
            if self.hear(&line)? == Next::End {
                return self.voice.flush();
            }
        }
    }

    fn hear(&mut self, line: &[u8]) -> io::Result<Next> {
        let heard = Instant::now();
        if let (Some([mv, other]), Some(late)) = (self.withheld.take(), self.conduct.lateness()) {
            thread::sleep(late);
            self.conduct.say_bestmove(&mv, &other, &mut self.voice)?;
        }
        let Ok(line) = str::from_utf8(line) else {
            return Ok(Next::Line);
        };
        let line = line.trim_ascii();
        // The board reads the long line of a long game itself, and only what is new in it.
        if line.starts_with("position") {
            if let Err(error) = self.board.set(line, self.style) {
                self.voice.say(format!("info string {error}"));
            }
            return Ok(Next::Line);
        }
        match Command::parse(line) {
            Some(Command::Uci) => self.introduce()?,
            Some(Command::IsReady) => self.be_ready()?,
            Some(Command::UciNewGame) => {
                self.conduct.at_newgame(&mut self.voice)?;
                self.forget();
            }
            Some(Command::SetOption { name, value }) => self.set_option(name, value.unwrap_or("")),
            Some(Command::Go(go)) => return self.go(&go, heard),
            Some(Command::Quit) if self.conduct.at_quit(&mut self.voice)? == Manners::Good => {
                return Ok(Next::End);
            }
            Some(
                Command::Quit
                | Command::Stop
                | Command::PonderHit
                | Command::Debug(_)
                | Command::Position { .. },
            )
            | None => {}
        }
        Ok(Next::Line)
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.conduct.at_uci(&mut self.voice)?;
        self.voice.say(format!("id name {}", self.name));
        self.voice.say("id author the authors of arbiter");
        for option in self.options() {
            self.voice.say(option.to_string());
        }
        self.conduct.declare_options(&mut self.voice);
        if self.conduct.at_uciok(&mut self.voice)? == Manners::Good {
            self.voice.say("uciok");
        }
        Ok(())
    }

    fn be_ready(&mut self) -> io::Result<()> {
        if self.conduct.at_readyok(&mut self.voice)? == Manners::Good {
            self.voice.say("readyok");
            self.conduct.after_readyok(&mut self.voice);
        }
        Ok(())
    }

    fn forget(&mut self) {
        if let Mind::Search {
            searcher: Some(searcher),
            ..
        } = &mut self.mind
        {
            searcher.forget();
        }
    }

    /// Thinks about the position and answers.
    fn go(&mut self, go: &Go<'_>, heard: Instant) -> io::Result<Next> {
        let position = *self.board.position();
        let clock = clock_of(go, position.turn());
        let time = go
            .movetime
            .or(clock.map(|clock| clock.left))
            .unwrap_or_default();
        if self.conduct.at_go(time, &mut self.voice)? == Manners::Deaf {
            return Ok(Next::Line);
        }
        let mut next = Next::Line;
        let best = match &mut self.mind {
            Mind::Random(dice) => {
                let moves = position.legal_moves();
                (!moves.is_empty()).then(|| moves[dice.below(moves.len())])
            }
            Mind::Search { hash, searcher } => {
                let searcher = searcher.get_or_insert_with(|| Box::new(Searcher::new(*hash)));
                searcher.blur = Blur {
                    centipawns: self.level.blur(),
                    seed: mix(self.seed),
                };
                let words = go.searchmoves.split_ascii_whitespace();
                searcher.only = words
                    .filter_map(|word| position.parse_uci(word.as_bytes(), self.style).ok())
                    .collect();
                let root = (position, self.style);
                let mut attention =
                    Attention::new(root, &mut self.input, &mut self.voice, &mut self.conduct);
                let budget = plan(go, clock, self.level);
                let best = searcher.search(&position, self.board.past(), budget, &mut attention);
                if go.infinite || go.ponder {
                    attention.wait_for_end()?;
                }
                next = attention.finish()?;
                best
            }
        };
        if self.stopwatch {
            let nanos = heard.elapsed().as_nanos();
            self.voice.say(format!("info string thought {nanos} ns"));
        }
        self.answer(&position, best)?;
        Ok(next)
    }

    fn answer(&mut self, position: &Position, best: Option<Move>) -> io::Result<()> {
        let text = |mv: Option<Move>| match mv {
            Some(mv) => position.uci(mv, self.style).to_string(),
            None => "(none)".to_owned(),
        };
        if self.conduct.is_blameless() {
            self.voice.say(format!("bestmove {}", text(best)));
            return Ok(());
        }
        let moves = position.legal_moves();
        let other = moves.iter().copied().find(|&mv| Some(mv) != best).or(best);
        let words = [best, other].map(text);
        if self.conduct.lateness().is_some() {
            self.withheld = Some(words);
            return Ok(());
        }
        let [mv, other] = words;
        self.conduct.say_bestmove(&mv, &other, &mut self.voice)
    }
}

/// The clock of the side to move, if it has one.
fn clock_of(go: &Go<'_>, turn: Color) -> Option<Clock> {
    let (left, increment) = match turn {
        Color::White => (go.wtime, go.winc),
        Color::Black => (go.btime, go.binc),
    };
    Some(Clock {
        left: left?,
        increment,
        moves_to_go: go.movestogo.map(NonZeroU32::get),
    })
}

/// How much to think: what `go` and the level allow.
fn plan(go: &Go<'_>, clock: Option<Clock>, level: Level) -> Budget {
    let level = Budget {
        nodes: level.nodes(),
        ..Budget::default()
    };
    if go.infinite || go.ponder {
        return level;
    }
    let said = Budget {
        nodes: go.nodes.map(NonZeroU64::get),
        depth: go
            .depth
            .or(go.mate.map(|moves| moves.saturating_mul(TWO)))
            .map(NonZeroU32::get),
        ..Budget::default()
    };
    let clock = clock.map_or(Budget::default(), Budget::for_clock);
    let move_time = go.movetime.map_or(Budget::default(), Budget::for_move_time);
    level.and(said).and(clock).and(move_time)
}
