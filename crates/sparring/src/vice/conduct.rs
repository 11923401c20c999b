//! The vices acted out: what the engine does other than it should, by the moment at which it does.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use super::{Vice, Vices};
use crate::voice::Voice;

mod claims;
mod deeds;
mod pipes;

/// The vices and how often each occasion for them has come.
#[derive(Debug)]
pub(crate) struct Conduct {
    vices: Vices,
    isreadies: i64,
    newgames: i64,
    gos: i64,
    bestmoves: i64,
}

/// What the engine is to do about an occasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manners {
    /// What it should.
    Good,
    /// Nothing.
    Deaf,
}

impl Conduct {
    pub(crate) const fn new(vices: Vices) -> Self {
        Self {
            vices,
            isreadies: 0,
            newgames: 0,
            gos: 0,
            bestmoves: 0,
        }
    }

    /// Whether there is no vice at all.
    pub(crate) const fn is_blameless(&self) -> bool {
        self.vices.is_empty()
    }

    /// Before anything is read.
    pub(crate) fn at_start(&self, voice: &mut Voice) -> io::Result<()> {
        if self.has(Vice::DieOnStart) {
            complain("cannot find my network file `sparring.nnue`");
            exit(3, voice);
        }
        if self.has(Vice::IgnoreTerm) {
            for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
                // A flag that nobody looks at.
                signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
            }
        }
        self.leave_children()?;
        if self.has(Vice::Banner) {
            voice.say("Sparring, a chess engine with bad manners");
            voice.say("option name Premature type check default true");
        }
        if self.has(Vice::EarlyUciok) {
            voice.say("uciok");
        }
        voice.flush()
    }

    /// At `uci`, before the name is given.
    pub(crate) fn at_uci(&self, voice: &mut Voice) -> io::Result<()> {
        if self.has(Vice::DieOnUci) {
            crash(voice);
        }
        if let Some(bytes) = self.vices.number(Vice::StderrFlood) {
            let line = format!("{}\n", "stderr ".repeat(18));
            let lines = bytes / line.len() as i64 + 1;
            (0..lines).try_for_each(|_| io::stderr().write_all(line.as_bytes()))?;
        }
        self.talk_nonsense(voice);
        if self.has(Vice::Latin1) {
            voice.say(b"id author Bj\xF6rn \xB7 de la Torre");
        }
        Ok(())
    }

    /// At the end of the list of options.
    pub(crate) fn declare_options(&self, voice: &mut Voice) {
        if self.has(Vice::OddOptions) {
            ODD_OPTIONS.iter().for_each(|option| voice.say(option));
        }
        self.declare_too_much(voice);
    }

    /// Whether the engine admits to knowing Chess960.
    pub(crate) fn knows_chess960(&self) -> bool {
        !self.has(Vice::NoChess960)
    }

    /// When `uciok` is due.
    pub(crate) fn at_uciok(&self, voice: &mut Voice) -> io::Result<Manners> {
        self.dawdle(Vice::SlowUciok, voice)?;
        if self.has(Vice::GluedUciok) {
            voice.say("option name Glue type check default trueuciok");
            return Ok(Manners::Deaf);
        }
        Ok(if self.has(Vice::NoUciok) {
            Manners::Deaf
        } else {
            Manners::Good
        })
    }

    /// When `readyok` is due.
    pub(crate) fn at_readyok(&mut self, voice: &mut Voice) -> io::Result<Manners> {
        self.isreadies += 1;
        if self.is_due(Vice::DieOnIsready, self.isreadies) {
            crash(voice);
        }
        self.dawdle(Vice::SlowReady, voice)?;
        self.talk_nonsense(voice);
        if self.has_begun(Vice::GluedReady, self.isreadies) {
            voice.say("info nodes 12readyok");
            return Ok(Manners::Deaf);
        }
        let mute = self.has_begun(Vice::NoReadyok, self.isreadies);
        Ok(if mute { Manners::Deaf } else { Manners::Good })
    }

    /// After `readyok`.
    pub(crate) fn after_readyok(&self, voice: &mut Voice) {
        if self.has(Vice::UnaskedBestmove) {
            voice.say("bestmove a2a3");
        }
    }

    /// At `ucinewgame`.
    pub(crate) fn at_newgame(&mut self, voice: &mut Voice) -> io::Result<()> {
        self.newgames += 1;
        if self.is_due(Vice::DieOnNewgame, self.newgames) {
            crash(voice);
        }
        self.dawdle(Vice::SlowNewgame, voice)
    }

    /// At `go`, with what is left on the engine's clock.
    pub(crate) fn at_go(&mut self, clock: Duration, voice: &mut Voice) -> io::Result<Manners> {
        self.gos += 1;
        let gos = self.gos;
        if self.is_due(Vice::CrashOnGo, gos) {
            crash(voice);
        }
        if self.is_due(Vice::ExitOnGo, gos) {
            exit(0, voice);
        }
        if self.has_begun(Vice::Hang, gos) {
            sleep_for_ever();
        }
        if self.has_begun(Vice::Mute, gos) {
            return Ok(Manners::Deaf);
        }
        while self.has_begun(Vice::Endless, gos) {
            voice.say("info depth 1 score cp 0 nodes 1 pv e2e4");
            voice.flush()?;
        }
        self.mind_the_pipes(voice)?;
        if gos == 1 {
            self.leave_the_board(voice)?;
        }
        if let Some(late) = self.milliseconds(Vice::Overrun) {
            thread::sleep(clock + late);
        }
        Ok(Manners::Good)
    }

    /// How long after its flag has fallen the engine answers, if that is its habit.
    pub(crate) fn lateness(&self) -> Option<Duration> {
        self.milliseconds(Vice::LateBestmove)
    }

    /// At `stop`.
    pub(crate) fn at_stop(&self) -> Manners {
        if self.has(Vice::IgnoreStop) {
            Manners::Deaf
        } else {
            Manners::Good
        }
    }

    /// When `mv` has been chosen and `other` was possible too.
    pub(crate) fn say_bestmove(
        &mut self,
        mv: &str,
        other: &str,
        voice: &mut Voice,
    ) -> io::Result<()> {
        self.bestmoves += 1;
        let nth = self.bestmoves;
        self.flood(mv, voice)?;
        let mut text = mv.to_owned();
        if self.has(Vice::UpperPromotion) && mv.len() == 5 {
            text = format!("{}{}", &mv[..4], mv[4..].to_ascii_uppercase());
        }
        if self.is_due(Vice::Illegal, nth) {
            "e2e5".clone_into(&mut text);
        }
        if let Some(given) = self.vices.text(Vice::Bestmove) {
            given.clone_into(&mut text);
        }
        let mut line = format!("bestmove {text}");
        if let Some(more) = self.vices.text(Vice::AfterBestmove) {
            line = format!("{line} {more}");
        }
        if self.is_due(Vice::GluedBestmove, nth) {
            line.insert_str(0, "info depth 1 nodes 12");
        }
        if self.is_due(Vice::NoNewline, nth) {
            voice.begin(line);
            exit(0, voice);
        }
        if self.has(Vice::Partial) {
            say_in_pieces(&line, voice)?;
        } else {
            voice.say(line);
        }
        if self.has(Vice::TwoBestmoves) {
            voice.say(format!("bestmove {other}"));
        }
        self.after_bestmove(voice)
    }

    fn after_bestmove(&self, voice: &mut Voice) -> io::Result<()> {
        if self.is_due(Vice::ExitAfterBestmove, self.bestmoves) {
            exit(0, voice);
        }
        if self.is_due(Vice::CrashIdle, self.bestmoves) {
            voice.flush()?;
            thread::sleep(Duration::from_millis(20));
            crash(voice);
        }
        if self.has_begun(Vice::Deaf, self.gos) {
            voice.flush()?;
            sleep_for_ever();
        }
        Ok(())
    }

    /// Whether a processor is kept busy while there is nothing to do.
    pub(crate) fn is_restless(&self) -> bool {
        self.has(Vice::BusyIdle)
    }

    /// At `quit`.
    pub(crate) fn at_quit(&self, voice: &mut Voice) -> io::Result<Manners> {
        if self.has(Vice::AbortOnQuit) {
            crash(voice);
        }
        if self.has(Vice::IgnoreQuit) {
            return Ok(Manners::Deaf);
        }
        self.dawdle(Vice::SlowQuit, voice)?;
        Ok(Manners::Good)
    }

    /// When the input has ended without `quit`.
    pub(crate) fn at_eof(&self, voice: &mut Voice) -> io::Result<()> {
        if self.has(Vice::IgnoreEof) || self.has_begun(Vice::CloseStdin, self.gos) {
            sleep_for_ever();
        }
        self.dawdle(Vice::SlowQuit, voice)
    }

    fn has(&self, vice: Vice) -> bool {
        self.vices.has(vice)
    }

    /// Whether this is the occasion that the vice waits for.
    fn is_due(&self, vice: Vice, occasion: i64) -> bool {
        self.vices.number(vice) == Some(occasion)
    }

    /// Whether this is the occasion from which on the vice rules, or a later one.
    fn has_begun(&self, vice: Vice, occasion: i64) -> bool {
        self.vices
            .number(vice)
            .is_some_and(|first| occasion >= first)
    }

    fn milliseconds(&self, vice: Vice) -> Option<Duration> {
        let millis = self.vices.number(vice)?;
        Some(Duration::from_millis(u64::try_from(millis).unwrap_or(0)))
    }

    fn dawdle(&self, vice: Vice, voice: &mut Voice) -> io::Result<()> {
        if let Some(pause) = self.milliseconds(vice) {
            voice.flush()?;
            thread::sleep(pause);
        }
        Ok(())
    }
}

/// Option lines found in the wild, and some that are only a matter of time.
const ODD_OPTIONS: &[&str] = &[
    "option",
    "option name",
    "option name No Type",
    "option name Hollow type string default",
    "option name Empty type string default <empty>",
    "option name No Default type check",
    "option name Bad Spin type spin default x min y max z",
    "option name Upside Down type spin default 5 min 9 max 1",
    "option name Vast type spin default 0 min -9223372036854775809 max 9223372036854775808",
    "option name hash type spin default 8 min 1 max 64",
    "option name Style type combo default Normal var Solid var Normal var Very Risky",
    "option name Style type combo default Solid var Solid",
    "option name No Vars type combo default x",
    "option name UCI_Variant type combo default chess var chess var atomic",
    "option name The value of name type string default a value of a name",
    "option type spin name Backwards default 1 min 0 max 2",
    "option name Unheard Of type slider default 1",
    "option name Push me type button",
];

fn say_in_pieces(line: &str, voice: &mut Voice) -> io::Result<()> {
    voice.begin("");
    for piece in line.as_bytes().chunks(6) {
        voice.go_on(piece);
        voice.flush()?;
        thread::sleep(Duration::from_millis(3));
    }
    voice.end();
    voice.flush()
}

fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

fn crash(voice: &mut Voice) -> ! {
    let _nobody_hears_it = voice.flush();
    complain("thread 'main' panicked at 'index out of bounds: the len is 64 but the index is 64'");
    std::process::abort();
}

#[expect(clippy::exit, reason = "an engine that just vanishes is the point")]
fn exit(code: i32, voice: &mut Voice) -> ! {
    let _nobody_hears_it = voice.flush();
    std::process::exit(code);
}

fn complain(words: &str) {
    let _nobody_listens = writeln!(io::stderr(), "{words}");
}
