//! The conversation with one engine, with the bytes that wait to be written to it.

use uci::{Command, Heard, Phase, Reply, Session};

/// How many oddities of one engine are told in one game. An engine that repeats one forever must
/// cost neither memory nor the patience of those who listen.
const ODDITIES_MAX: usize = 16;

/// Most bytes of an oddity's text. Names and values in it are the engine's own, and may be long.
const ODDITY_BYTES_MAX: usize = 400;

/// Room for the `position` of an ordinary game, so that it grows once or never.
const OUTBOX_BYTES_USUAL: usize = 1280;

/// A session and what surrounds it.
#[derive(Debug)]
pub(crate) struct Talk {
    session: Session,
    /// Written to the engine, or about to be.
    outbox: Vec<u8>,
    /// Whether the outbox has grown and nobody was told.
    untold: bool,
    oddities: Vec<String>,
    oddities_told: usize,
}

impl Talk {
    pub(crate) fn new(session: Session) -> Self {
        Self {
            session,
            outbox: Vec::with_capacity(OUTBOX_BYTES_USUAL),
            untold: false,
            oddities: Vec::new(),
            oddities_told: 0,
        }
    }

    pub(crate) const fn phase(&self) -> Phase {
        self.session.phase()
    }

    pub(crate) const fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) const fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    pub(crate) fn into_session(self) -> Session {
        self.session
    }

    /// All that is not known to be written.
    pub(crate) fn outbox(&self) -> &[u8] {
        &self.outbox
    }

    /// Everything in the outbox has been written.
    pub(crate) fn flushed(&mut self) {
        self.outbox.clear();
        self.untold = false;
    }

    /// Whether the engine has been sent all that was said.
    pub(crate) fn is_flushed(&self) -> bool {
        self.outbox.is_empty()
    }

    /// Whether there is something to write of which nobody was told yet.
    pub(crate) fn take_write(&mut self) -> bool {
        std::mem::take(&mut self.untold)
    }

    /// Something odd that nobody was told of yet.
    pub(crate) fn take_oddity(&mut self) -> Option<String> {
        (!self.oddities.is_empty()).then(|| self.oddities.remove(0))
    }

    /// Says something whose time it is.
    pub(crate) fn say(&mut self, command: &Command<'_>) {
        self.session
            .send(command, &mut self.outbox)
            .expect("the machines say only what the session allows");
        self.untold = true;
    }

    /// Takes in a line. What is odd is kept to be told.
    ///
    /// An answer that comes before its question has left our hands is none: it is left over from
    /// something earlier.
    pub(crate) fn hear<'a>(&mut self, line: &'a [u8]) -> Heard<'a> {
        if !self.is_flushed()
            && let Some(word) = answer(line)
        {
            self.note(|| format!("engine said `{word}` before it was asked"));
            return Heard::Nothing;
        }
        match self.session.receive(line) {
            Ok(Heard::BadOption(error)) => {
                self.note(|| error.to_string());
                Heard::Nothing
            }
            Ok(heard) => heard,
            Err(surprise) => {
                self.note(|| surprise.to_string());
                Heard::Nothing
            }
        }
    }

    /// Keeps an oddity to be told, unless there were too many.
    pub(crate) fn note(&mut self, text: impl FnOnce() -> String) {
        if self.oddities_told < ODDITIES_MAX {
            self.oddities.push(fit(text().as_bytes(), ODDITY_BYTES_MAX));
        } else if self.oddities_told == ODDITIES_MAX {
            self.oddities
                .push("further oddities of this engine in this game are not told".to_owned());
        }
        self.oddities_told = self.oddities_told.saturating_add(1);
    }
}

/// An engine's own words, fit to be shown and kept: bounded, in one line, and whatever is no text
/// replaced. Terminals act on control characters, and files break on them.
pub(crate) fn fit(words: &[u8], bytes_max: usize) -> String {
    let kept = &words[..words.len().min(bytes_max)];
    let mut text = String::from_utf8_lossy(kept).replace(char::is_control, "\u{fffd}");
    if kept.len() < words.len() {
        text.push_str("...");
    }
    text
}

/// The word of a line that answers a question.
fn answer(line: &[u8]) -> Option<&'static str> {
    match Reply::parse(line) {
        Reply::UciOk => Some("uciok"),
        Reply::ReadyOk => Some("readyok"),
        Reply::BestMove { .. } => Some("bestmove"),
        Reply::IdName(_)
        | Reply::IdAuthor(_)
        | Reply::Option(_)
        | Reply::Info(_)
        | Reply::Noise => None,
    }
}
