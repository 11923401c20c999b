//! How a new engine process is made ready for its first game.
//!
//! ```text
//! uci -> uciok;  setoption ..., isready -> readyok
//! ```
//!
//! An engine may print `uciok` before it has read our `uci`, and its options only after that. So
//! options are taken until the first `readyok`, and what could not be set before is set then.

use std::time::Duration;

use uci::{Command, Heard, OptionKind, Options, Phase, Session, SettingError};

use crate::fault::Fault;
use crate::moment::Moment;
use crate::spec::{Patience, Variant};
use crate::talk::{Talk, fit};

/// The UCI option without which an engine plays no Chess960.
const CHESS960: &str = "UCI_Chess960";

/// Most bytes of the reason why an engine cannot play; a combo may list hundreds of files.
const REASON_BYTES_MAX: usize = 1000;

/// Greets one engine outside any game, to see whether it can play at all.
#[derive(Debug)]
pub struct Greeting {
    talk: Talk,
    introduction: Introduction,
    result: Option<Result<(), Unstarted>>,
    told: bool,
}

/// What a greeting is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GreetingInput<'a> {
    /// The engine printed a line.
    Line(&'a [u8]),
    /// The engine closed its output.
    Closed,
    /// The outbox has been written.
    Flushed,
    /// It is [`Greeting::wake_at`] or later.
    Alarm,
}

/// What a greeting asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GreetingOutput {
    /// Write the outbox.
    Write,
    /// Something odd that is no fault.
    Warned(String),
    /// It is over; call [`Greeting::finish`].
    Over,
}

/// Why an engine could not be made ready.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unstarted {
    /// It ended or did not answer. Perhaps it will, another time.
    #[error("did not start: {0}")]
    Faulty(Fault),
    /// It cannot play this contest, and never will.
    #[error("cannot play: {0}")]
    Unfit(String),
}

impl Greeting {
    /// Begins to greet a process that was started `at`. `options` are set as in a
    /// [`Seat`](crate::seat::Seat).
    pub fn new(
        at: Moment,
        session: Session,
        options: Vec<(String, String)>,
        variant: Variant,
        patience: &Patience,
    ) -> Self {
        let mut talk = Talk::new(session);
        let introduction = Introduction::begin(at, &mut talk, options, variant, patience);
        Self {
            talk,
            introduction,
            result: None,
            told: false,
        }
    }

    /// Takes in what happened.
    pub fn handle(&mut self, at: Moment, input: GreetingInput<'_>) {
        if self.result.is_some() {
            return;
        }
        self.result = match input {
            GreetingInput::Line(line) => {
                let heard = self.talk.hear(line);
                self.introduction.hear(at, &mut self.talk, &heard)
            }
            GreetingInput::Closed => Some(Err(Unstarted::Faulty(Fault::Crash))),
            GreetingInput::Flushed => {
                self.talk.flushed();
                None
            }
            GreetingInput::Alarm => None,
        };
        if self.result.is_none() && self.introduction.until <= at {
            self.result = Some(Err(Unstarted::Faulty(self.introduction.stall())));
        }
    }

    /// What is to be done; drain it to `None` after [`new`](Self::new) and every
    /// [`handle`](Self::handle).
    pub fn poll(&mut self) -> Option<GreetingOutput> {
        if self.talk.take_write() {
            return Some(GreetingOutput::Write);
        }
        if let Some(text) = self.talk.take_oddity() {
            return Some(GreetingOutput::Warned(text));
        }
        let over =
            self.result.is_some() && !std::mem::replace(&mut self.told, self.result.is_some());
        over.then_some(GreetingOutput::Over)
    }

    /// When to come back if nothing happens.
    pub fn wake_at(&self) -> Option<Moment> {
        self.result.is_none().then_some(self.introduction.until)
    }

    /// All bytes that are not known to be written.
    pub fn outbox(&self) -> &[u8] {
        self.talk.outbox()
    }

    /// The engine, ready for a game.
    ///
    /// # Errors
    /// Why it is not.
    ///
    /// # Panics
    /// If the greeting is not over.
    pub fn finish(self) -> Result<Session, Unstarted> {
        self.result
            .expect("a greeting is finished when it is over")
            .map(|()| self.talk.into_session())
    }
}

/// The steps of a greeting; the conversation itself is somebody else's.
#[derive(Debug)]
pub(crate) struct Introduction {
    /// Options that are still to be set.
    wanted: Vec<(String, String)>,
    chess960: Chess960,
    /// How many options were declared when they were last looked at.
    declared: usize,
    greeted: bool,
    patience: Duration,
    /// When patience ends.
    pub(crate) until: Moment,
}

/// What is to become of the option for Chess960.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chess960 {
    /// It must be on.
    Needed,
    /// It is left alone, unless it is on by an odd default.
    Unwanted,
    /// It has been set.
    Settled,
}

impl Introduction {
    pub(crate) fn begin(
        at: Moment,
        talk: &mut Talk,
        mut options: Vec<(String, String)>,
        variant: Variant,
        patience: &Patience,
    ) -> Self {
        // Some engines place their memory by the threads that they have when its size is set.
        options.sort_by_key(|(name, _)| !name.eq_ignore_ascii_case("Threads"));
        talk.say(&Command::Uci);
        Self {
            wanted: options,
            chess960: match variant {
                Variant::Standard => Chess960::Unwanted,
                Variant::Chess960 => Chess960::Needed,
            },
            declared: 0,
            greeted: false,
            patience: patience.startup,
            until: at + patience.startup,
        }
    }

    /// Takes in what the engine said; gives the result when there is one.
    pub(crate) fn hear(
        &mut self,
        at: Moment,
        talk: &mut Talk,
        heard: &Heard<'_>,
    ) -> Option<Result<(), Unstarted>> {
        match heard {
            Heard::UciOk => {
                self.greeted = true;
                if let Err(unfit) = self.set_up(talk) {
                    return Some(Err(unfit));
                }
            }
            Heard::ReadyOk if self.declared < talk.session().options().len() => {
                match self.set_up(talk) {
                    Ok(true) => {}
                    Ok(false) => return Some(self.conclude(talk)),
                    Err(unfit) => return Some(Err(unfit)),
                }
            }
            Heard::ReadyOk => return Some(self.conclude(talk)),
            Heard::Nothing | Heard::BadOption(_) | Heard::BestMove { .. } => return None,
        }
        talk.say(&Command::IsReady);
        self.until = at + self.patience;
        None
    }

    /// The fault of an engine that has not answered in time.
    pub(crate) fn stall(&self) -> Fault {
        let unanswered = if self.greeted { "isready" } else { "uci" };
        Fault::Stall {
            unanswered: unanswered.to_owned(),
        }
    }

    /// Sets what can be set by now and says whether that was anything.
    fn set_up(&mut self, talk: &mut Talk) -> Result<bool, Unstarted> {
        debug_assert_eq!(talk.phase(), Phase::Idle);
        self.declared = talk.session().options().len();
        let mut settings = Vec::new();
        let mut unknown = Vec::new();
        for (name, value) in std::mem::take(&mut self.wanted) {
            match talk.session().options().check(&name, &value) {
                Ok(setting) => settings.push(setting),
                Err(SettingError::Unknown { .. }) => unknown.push((name, value)),
                Err(error) => {
                    return Err(Unstarted::Unfit(fit(
                        error.to_string().as_bytes(),
                        REASON_BYTES_MAX,
                    )));
                }
            }
        }
        let value = match self.chess960 {
            Chess960::Needed => Some("true"),
            Chess960::Unwanted => is_on_by_default(talk.session().options()).then_some("false"),
            Chess960::Settled => None,
        };
        if let Some(value) = value
            && let Ok(setting) = talk.session().options().check(CHESS960, value)
        {
            settings.push(setting);
            self.chess960 = Chess960::Settled;
        }
        self.wanted = unknown;
        for setting in &settings {
            talk.say(&setting.command());
        }
        Ok(!settings.is_empty())
    }

    /// The engine has declared what it has; what it lacks is told, or is too much.
    fn conclude(&mut self, talk: &mut Talk) -> Result<(), Unstarted> {
        if self.chess960 == Chess960::Needed {
            return Err(Unstarted::Unfit(format!(
                "it plays no Chess960, it has no option `{CHESS960}`"
            )));
        }
        for (name, value) in std::mem::take(&mut self.wanted) {
            if let Err(unknown) = talk.session().options().check(&name, &value) {
                talk.note(|| format!("{unknown} (it is not set)"));
            }
        }
        Ok(())
    }
}

fn is_on_by_default(options: &Options) -> bool {
    let on = OptionKind::Check {
        default: Some(true),
    };
    options
        .get(CHESS960)
        .is_some_and(|option| option.kind == on)
}
