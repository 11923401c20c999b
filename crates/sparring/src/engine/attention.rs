//! What the engine says and hears while it thinks.

use std::io;
use std::time::{Duration, Instant};

use engine_core::{CastlingStyle, Move, Position};
use uci::{Command, Info};

use super::Next;
use crate::input::Input;
use crate::search::{Listener, Report};
use crate::vice::conduct::{Conduct, Manners};
use crate::voice::Voice;

/// Reports are gathered for this long: the first iterations take microseconds, and writing each of
/// their lines by itself would cost more than finding them.
const GATHERING: Duration = Duration::from_millis(50);

/// Listens to the search and to the input at once.
pub(super) struct Attention<'a> {
    root: Position,
    style: CastlingStyle,
    input: &'a mut Input,
    voice: &'a mut Voice,
    conduct: &'a mut Conduct,
    line: Vec<u8>,
    spoken: Instant,
    heard: Heard,
}

enum Heard {
    Nothing,
    Stop,
    Quit,
    Trouble(io::Error),
}

impl<'a> Attention<'a> {
    /// For a search of `root`, whose moves are written in `style`.
    pub(super) fn new(
        (root, style): (Position, CastlingStyle),
        input: &'a mut Input,
        voice: &'a mut Voice,
        conduct: &'a mut Conduct,
    ) -> Self {
        let (line, spoken) = (Vec::new(), Instant::now());
        Self {
            root,
            style,
            input,
            voice,
            conduct,
            line,
            spoken,
            heard: Heard::Nothing,
        }
    }

    /// After a search without end has come to one all the same: no answer before it is asked for.
    pub(super) fn wait_for_end(&mut self) -> io::Result<()> {
        self.voice.flush()?;
        while !self.listen() {
            self.voice.flush()?;
            self.input.read()?;
        }
        Ok(())
    }

    /// What comes after the answer.
    pub(super) fn finish(self) -> io::Result<Next> {
        match self.heard {
            Heard::Nothing | Heard::Stop => Ok(Next::Line),
            Heard::Quit => Ok(Next::End),
            Heard::Trouble(error) => Err(error),
        }
    }

    /// Hears the lines that are here, up to one that ends the search; whether there was one.
    fn listen(&mut self) -> bool {
        while matches!(self.heard, Heard::Nothing) && self.input.line_here(&mut self.line) {
            let line = str::from_utf8(&self.line).unwrap_or_default();
            let heard = match Command::parse(line) {
                Some(Command::IsReady) => self.be_ready(),
                Some(Command::Stop | Command::PonderHit) => Ok(match self.conduct.at_stop() {
                    Manners::Good => Heard::Stop,
                    Manners::Deaf => Heard::Nothing,
                }),
                Some(Command::Quit) => {
                    self.conduct
                        .at_quit(self.voice)
                        .map(|manners| match manners {
                            Manners::Good => Heard::Quit,
                            Manners::Deaf => Heard::Nothing,
                        })
                }
                // Nothing else may be said now.
                _ => Ok(Heard::Nothing),
            };
            self.heard = heard.unwrap_or_else(Heard::Trouble);
        }
        // The end of the input is met again, and acted upon, when the answer is out.
        !matches!(self.heard, Heard::Nothing) || self.input.is_closed()
    }

    fn be_ready(&mut self) -> io::Result<Heard> {
        if self.conduct.at_readyok(self.voice)? == Manners::Good {
            self.voice.say("readyok");
        }
        self.voice.flush().map(|()| Heard::Nothing)
    }

    /// Moves as they are written after each other.
    fn written(&self, moves: &[Move]) -> String {
        let mut position = self.root;
        let words = moves.iter().map(|&mv| {
            let word = position.uci(mv, self.style).to_string();
            position.play_unchecked(mv);
            word
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn try_glance(&mut self) -> io::Result<bool> {
        if self.spoken.elapsed() >= GATHERING {
            self.voice.flush()?;
            self.spoken = Instant::now();
        }
        if self.listen() {
            return Ok(true);
        }
        if !self.input.is_ready() {
            return Ok(false);
        }
        self.input.read()?;
        Ok(self.listen())
    }
}

impl Listener for Attention<'_> {
    fn report(&mut self, report: &Report<'_>) {
        if self.conduct.makes_claims() {
            return;
        }
        let pv = self.written(report.pv);
        let seconds = report.time.as_secs_f64();
        let info = Info {
            depth: Some(report.depth),
            seldepth: Some(report.seldepth),
            score: Some(report.score),
            nodes: Some(report.nodes),
            nps: Some((report.nodes as f64 / seconds.max(1e-6)) as u64),
            hashfull: Some(report.hashfull),
            time: Some(report.time),
            pv: pv.as_bytes(),
            ..Info::default()
        };
        self.voice.say(info.to_string());
    }

    fn wants_end(&mut self) -> bool {
        self.try_glance().unwrap_or_else(|error| {
            self.heard = Heard::Trouble(error);
            true
        })
    }
}
