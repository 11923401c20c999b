//! Bad habits on demand, so that a referee can be tested against every engine there is.
//!
//! This file names them; [`conduct`] is where they are acted out. To add one: a line in the table
//! below and its deed in `conduct.rs`.

use std::fmt;

pub(crate) mod conduct;

/// What may follow a vice's name after `=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Nothing.
    None,
    /// A number, with what it is when it is left out.
    Number {
        /// Its unit or meaning, as help shows it.
        unit: &'static str,
        /// Without `=`.
        default: i64,
    },
    /// Any text, the empty one too; it cannot be left out.
    Text {
        /// What it is, as help shows it.
        unit: &'static str,
    },
}

macro_rules! vices {
    ($($variant:ident $name:literal $argument:expr, $help:literal;)*) => {
        /// A bad habit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Vice {
            $(#[doc = $help] $variant,)*
        }

        impl Vice {
            /// All of them, in the order of the help.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Its name on the command line.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What it does, in one line.
            pub const fn help(self) -> &'static str {
                match self { $(Self::$variant => $help,)* }
            }

            /// What may follow its name.
            pub const fn argument(self) -> Argument {
                match self { $(Self::$variant => $argument,)* }
            }
        }
    };
}

const NONE: Argument = Argument::None;
const NTH: Argument = Argument::Number {
    unit: "N",
    default: 1,
};
const fn ms(default: i64) -> Argument {
    Argument::Number {
        unit: "MS",
        default,
    }
}
const fn bytes(default: i64) -> Argument {
    Argument::Number {
        unit: "BYTES",
        default,
    }
}
const fn text(unit: &'static str) -> Argument {
    Argument::Text { unit }
}

vices! {
    // Dying.
    DieOnStart "die-on-start" NONE, "Says a word on stderr and exits with code 3 before it reads anything.";
    DieOnUci "die-on-uci" NONE, "Aborts at `uci`.";
    DieOnIsready "die-on-isready" NTH, "Aborts at the N-th `isready`.";
    DieOnNewgame "die-on-newgame" NTH, "Aborts at the N-th `ucinewgame`.";
    CrashOnGo "crash-on-go" NTH, "Panics on stderr and aborts at the N-th `go`.";
    ExitOnGo "exit-on-go" NTH, "Exits with code 0 at the N-th `go`.";
    ExitAfterBestmove "exit-after-bestmove" NTH, "Exits with code 0 right after its N-th `bestmove`.";
    CrashIdle "crash-idle" NTH, "Aborts a moment after its N-th `bestmove`, while the opponent thinks.";
    AbortOnQuit "abort-on-quit" NONE, "Aborts at `quit`.";
    // Silence.
    NoUciok "no-uciok" NONE, "Answers `uci` with everything but `uciok`.";
    NoReadyok "no-readyok" NTH, "From the N-th `isready` on answers none.";
    Hang "hang" NTH, "From the N-th `go` on neither reads nor writes.";
    Mute "mute" NTH, "From the N-th `go` on thinks for ever; answers `isready`, but not `stop`.";
    IgnoreStop "ignore-stop" NONE, "Takes no notice of `stop`.";
    IgnoreQuit "ignore-quit" NONE, "Takes no notice of `quit`.";
    IgnoreEof "ignore-eof" NONE, "Lives on when its input is closed.";
    IgnoreTerm "ignore-term" NONE, "Takes no notice of SIGTERM and SIGINT.";
    Deaf "deaf" NTH, "Answers its N-th `go`, reads nothing from then on, and has stopped up its input.";
    CloseStdin "close-stdin" NTH, "Closes its input at the N-th `go`, answers it and lives on.";
    // Slowness.
    SlowUciok "slow-uciok" ms(3000), "Waits MS milliseconds before `uciok`.";
    SlowReady "slow-ready" ms(3000), "Waits MS milliseconds before each `readyok`.";
    SlowNewgame "slow-newgame" ms(2000), "Needs MS milliseconds for `ucinewgame`.";
    SlowQuit "slow-quit" ms(3000), "Needs MS milliseconds to end after `quit`, or when its input is closed.";
    Overrun "overrun" ms(100), "Answers every `go` MS milliseconds after its flag has fallen.";
    LateBestmove "late-bestmove" ms(100), "Lets its flag fall and answers MS milliseconds after the next word it hears.";
    // Moves.
    Illegal "illegal" NTH, "Its N-th `bestmove` is illegal: the king's pawn three squares forward.";
    Bestmove "bestmove" text("TEXT"), "Its every `bestmove` is TEXT, such as `0000`, `(none)`, `a1a1`, `NULL` or nothing.";
    UnaskedBestmove "unasked-bestmove" NONE, "Sends a `bestmove` after every `readyok`.";
    TwoBestmoves "two-bestmoves" NONE, "Sends every `bestmove` twice, the second time with another move.";
    AfterBestmove "after-bestmove" text("TEXT"), "Writes TEXT behind its every move, such as `ponder` or `ponder 0000`.";
    UpperPromotion "upper-promotion" NONE, "Writes promotions in upper case (`c7c8Q`).";
    // Bytes.
    Banner "banner" NONE, "Introduces itself before anybody has said `uci`.";
    EarlyUciok "early-uciok" NONE, "Says `uciok` before anybody has said `uci`.";
    Noise "noise" NONE, "Talks nonsense between its answers.";
    OddOptions "odd-options" NONE, "Declares malformed, doubled and strangely named options.";
    ManyOptions "many-options" Argument::Number { unit: "COUNT", default: 10_000 }, "Declares COUNT options more.";
    LongId "long-id" bytes(1_000_000), "Gives an author and the default of an option of BYTES bytes each.";
    NoChess960 "no-chess960" NONE, "Does not know the option `UCI_Chess960`.";
    Latin1 "latin1" NONE, "Writes bytes that are no UTF-8, in its name and in `info` lines.";
    Nul "nul" NONE, "Writes NUL bytes in `info` lines.";
    Crlf "crlf" NONE, "Ends its lines as Windows does.";
    LeadingSpace "leading-space" NONE, "Begins its lines with blanks and a tab.";
    TrailingSpace "trailing-space" NONE, "Ends its lines with blanks and a tab.";
    Tabs "tabs" NONE, "Separates its words with tabs and runs of blanks.";
    Partial "partial" NONE, "Writes `bestmove` in pieces, with pauses of some milliseconds.";
    NoNewline "no-newline" NTH, "Ends its N-th `bestmove` with the end of the process instead of a newline.";
    GluedReady "glued-ready" NTH, "From the N-th `readyok` on writes it at the end of another line.";
    GluedUciok "glued-uciok" NONE, "Writes `uciok` at the end of another line.";
    GluedBestmove "glued-bestmove" NTH, "Writes its N-th `bestmove` at the end of another line.";
    Flood "flood" Argument::Number { unit: "LINES", default: 20_000 }, "Writes LINES `info` lines before each `bestmove`.";
    LongLine "long-line" bytes(1_000_000), "Writes an `info` line of BYTES bytes before each `bestmove`.";
    Endless "endless" NTH, "From the N-th `go` on writes `info` lines and never a `bestmove`.";
    EndlessLine "endless-line" NTH, "From the N-th `go` on writes one line that never ends.";
    StderrFlood "stderr-flood" bytes(2_000_000), "Writes BYTES bytes to stderr before `uciok`.";
    CloseStdout "close-stdout" NTH, "Closes its output at the N-th `go` and lives on.";
    // What it says of its search.
    NoInfo "no-info" NONE, "Says nothing of its search.";
    NoScore "no-score" NONE, "Says nothing of its score.";
    Score "score" Argument::Number { unit: "CP", default: 0 }, "Claims a score of CP centipawns at every move.";
    Mate "mate" Argument::Number { unit: "MOVES", default: 1 }, "Claims a mate in MOVES (negative: against itself) at every move.";
    Mate0 "mate0" NONE, "Claims `score mate 0` at every move.";
    MultiPv "multipv" NONE, "Reports a second line, much worse, after the first.";
    BoundsOnly "bounds-only" NONE, "Reports bounds and never an exact score.";
    MateBound "mate-bound" NONE, "Reports a mate as a bound and no other score.";
    BoundLast "bound-last" NONE, "Reports a bound far off after the exact score.";
    HugeScore "huge-score" NONE, "Reports numbers that fit no integer.";
    FloatScore "float-score" NONE, "Reports a score with a decimal point and a negative time.";
    PvMid "pv-mid" NONE, "Goes on after the moves of the variation with other words, the score among them.";
    // Outside the protocol.
    Fork "fork" NONE, "Leaves a grandchild that holds its output open.";
    ForkAway "fork-away" NONE, "Leaves a grandchild in a process group of its own.";
    ReadFile "read-file" text("PATH"), "Reads the file PATH and says whether it could.";
    WriteFile "write-file" text("PATH"), "Writes the file PATH and says whether it could.";
    Connect "connect" text("ADDRESS"), "Connects to ADDRESS (host:port) and says whether it could.";
    EatMemory "eat-memory" Argument::Number { unit: "MB", default: 1_000 }, "Fills MB megabytes of memory at the first `go`.";
    BusyIdle "busy-idle" NONE, "Keeps a processor busy while the opponent thinks.";
}

/// The vices that were chosen, with their arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vices {
    chosen: Vec<(Vice, String)>,
}

impl Vices {
    /// Adds one as the command line names it: `NAME` or `NAME=ARGUMENT`.
    pub fn add(&mut self, words: &str) -> Result<(), ViceError> {
        let (name, given) = match words.split_once('=') {
            Some((name, given)) => (name, Some(given)),
            None => (words, None),
        };
        let vice = *Vice::ALL
            .iter()
            .find(|vice| vice.name() == name)
            .ok_or_else(|| ViceError::Unknown {
                name: name.to_owned(),
            })?;
        let argument = match (vice.argument(), given) {
            (Argument::None, None) => String::new(),
            (Argument::None, Some(found)) => {
                return Err(ViceError::Superfluous {
                    name: vice.name(),
                    found: found.to_owned(),
                });
            }
            (Argument::Number { default, .. }, None) => default.to_string(),
            (Argument::Number { .. }, Some(found)) if found.parse::<i64>().is_err() => {
                return Err(ViceError::NotANumber {
                    name: vice.name(),
                    found: found.to_owned(),
                });
            }
            (Argument::Text { unit }, None) => {
                return Err(ViceError::Missing {
                    name: vice.name(),
                    unit,
                });
            }
            (Argument::Number { .. } | Argument::Text { .. }, Some(found)) => found.to_owned(),
        };
        self.chosen.push((vice, argument));
        Ok(())
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// Whether `vice` was chosen.
    pub fn has(&self, vice: Vice) -> bool {
        self.text(vice).is_some()
    }

    /// The argument of `vice`, if it was chosen.
    pub fn text(&self, vice: Vice) -> Option<&str> {
        let chosen = self.chosen.iter().find(|(chosen, _)| *chosen == vice);
        chosen.map(|(_, argument)| argument.as_str())
    }

    /// The number given to `vice`, if it was chosen.
    pub fn number(&self, vice: Vice) -> Option<i64> {
        self.text(vice)?.parse().ok()
    }
}

/// Words that name no vice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViceError {
    /// There is none of this name.
    Unknown {
        /// What was given.
        name: String,
    },
    /// It takes no argument.
    Superfluous {
        /// The vice.
        name: &'static str,
        /// What was given.
        found: String,
    },
    /// It takes a number.
    NotANumber {
        /// The vice.
        name: &'static str,
        /// What was given.
        found: String,
    },
    /// It needs an argument.
    Missing {
        /// The vice.
        name: &'static str,
        /// What the argument is.
        unit: &'static str,
    },
}

impl fmt::Display for ViceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name } => write!(f, "there is no vice `{name}` (see --help)"),
            Self::Superfluous { name, found } => {
                write!(f, "the vice `{name}` takes no argument, not `{found}`")
            }
            Self::NotANumber { name, found } => {
                write!(f, "the vice `{name}` takes a whole number, not `{found}`")
            }
            Self::Missing { name, unit } => write!(f, "the vice `{name}` needs `={unit}`"),
        }
    }
}

impl std::error::Error for ViceError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, want: Result<(Vice, &str), &str>) {
        let mut vices = Vices::default();
        match (vices.add(words), want) {
            (Ok(()), Ok((vice, argument))) => assert_eq!(vices.text(vice), Some(argument)),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (got, want) => panic!("`{words}` gave {got:?}, not {want:?}"),
        }
    }

    #[test]
    fn a_vice_takes_the_argument_that_its_help_shows_and_no_other() {
        check("hang", Ok((Vice::Hang, "1")));
        check("crash-on-go=3", Ok((Vice::CrashOnGo, "3")));
        check("score=-900", Ok((Vice::Score, "-900")));
        check("bestmove=0000", Ok((Vice::Bestmove, "0000")));
        check("bestmove=", Ok((Vice::Bestmove, "")));
        check("bestmove", Err("needs `=TEXT`"));
        check("crash-on-go=soon", Err("whole number, not `soon`"));
        check("crlf=1", Err("takes no argument, not `1`"));
        check("gluttony", Err("no vice `gluttony`"));
    }

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<_> = Vice::ALL.iter().map(|vice| vice.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Vice::ALL.len());
    }
}
