//! The small built-in UCI engine: alpha-beta with levels, and vices for tests.
//!
//! It is there so that nothing need be downloaded to try arbiter, so that the harness can be timed
//! against an engine that answers at once (`--random`), and so that every bad habit an engine can
//! have is at hand when a test needs it (`--vice`).
//!
//! ```text
//! args -> engine <-> input, voice        the conversation; vice::conduct disturbs it
//!           |-> board                    what `position` said
//!           |-> level, budget            how far to think
//!           `-> search -> evaluation, table
//! ```
//!
//! The search may also be used by itself:
//!
//! ```
//! use engine_core::Position;
//! use sparring::{Budget, Searcher};
//!
//! let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")?;
//! let budget = Budget { nodes: Some(2_000), ..Budget::default() };
//! let mv = Searcher::new(1).search(&position, &[], budget, &mut ()).expect("there are moves");
//! assert_eq!(position.san(mv), "Ra8#");
//! # Ok::<(), engine_core::FenPositionError>(())
//! ```

use std::io::{self, Write};
use std::process::ExitCode;

mod args;
mod board;
mod budget;
mod dice;
mod engine;
mod evaluation;
mod input;
mod level;
mod search;
mod table;
mod vice;
mod voice;

pub use budget::{Budget, Clock};
pub use dice::Dice;
pub use evaluation::evaluate;
pub use level::Level;
pub use search::{Blur, Listener, Report, Searcher};
pub use table::Table;
pub use vice::{Argument, Vice, ViceError, Vices};

use args::{Args, Request};
use engine::Engine;

/// Runs the engine on standard input and output; `words` are those after the program's name.
///
/// The exit code is 0 after `quit` or the end of the input, 2 when the words were not understood.
pub fn main(words: impl IntoIterator<Item = String>) -> ExitCode {
    match Args::parse(words) {
        Ok(Request::Play(args)) => {
            // An error is a broken pipe: whoever talked to us is gone, and so are we.
            let _nobody_is_left_to_tell = Engine::new(args).run();
            ExitCode::SUCCESS
        }
        Ok(Request::Help) => {
            let _nobody_reads_it = io::stdout().write_all(args::help().as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _nobody_reads_it = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}
