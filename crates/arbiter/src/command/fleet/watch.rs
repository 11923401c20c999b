//! `arbiter watch`: a test until its end.

use std::io::{self, IsTerminal};
use std::thread;
use std::time::Duration;

use fleet_api::{State, TestView, WhichTests};
use fleet_client::{CallError, Client, Trouble};
use indicatif::{ProgressBar, ProgressStyle};

use super::Connection;
use super::picture;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::Printer;

/// Between two looks where there are no live news, and before a lost line is taken up again.
const PAUSE: Duration = Duration::from_secs(2);

/// Follow a test until it is over
///
/// On a terminal a line shows where it stands; elsewhere every change is a line on standard output. A
/// coordinator that is away is waited for. At the end the result is printed as by `show`.
///
/// The exit code is 0 when the test was accepted, or finished and had no question to decide, 1 when it was
/// rejected or finished before it could decide, and 4 when somebody stopped it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WatchArgs {
    /// Which test, as `submit` and `tests` print it [default: the one that was submitted last]
    #[arg(value_name = "ID")]
    id: Option<String>,

    #[command(flatten)]
    connection: Connection,
}

const EXAMPLES: &str = "\
Examples:
  arbiter watch
  arbiter watch ID
  arbiter watch ID && echo 'it gains'";

pub(crate) fn run(args: &WatchArgs, printer: &Printer) -> Result<Exit, Failure> {
    let client = args.connection.client()?;
    let mut screen = Screen::new(printer);
    let id = match &args.id {
        Some(id) => id.clone(),
        None => latest(&client)?,
    };
    let test = follow(&client, &id, &mut screen)?;
    screen.close();
    printer.data(picture::of(&test));
    Ok(match test.state {
        State::Rejected => Exit::CheckFailed,
        // A sequential test that played all its pairs and does not know.
        State::Finished if test.summary.contains_key("sprt") => Exit::CheckFailed,
        State::Stopped => Exit::Stopped,
        State::Accepted | State::Finished | State::Submitted | State::Queued | State::Paused => {
            Exit::Done
        }
    })
}

/// The test that was submitted last.
fn latest(client: &Client) -> Result<String, Failure> {
    let tests = client.tests(&WhichTests {
        limit: Some(1),
        ..WhichTests::default()
    })?;
    let latest = tests.into_iter().next().ok_or_else(|| {
        let hint = "`arbiter submit SPEC.toml` makes one".to_owned();
        Failure::usage("there are no tests").with_hint(Some(hint))
    })?;
    Ok(latest.id)
}

/// The test in its last state.
fn follow(client: &Client, id: &str, screen: &mut Screen) -> Result<TestView, Failure> {
    loop {
        // Asked for by itself first: what is wrong with the call is said here, and a test that is over
        // has no news.
        match client.test(id) {
            Ok(test) => {
                screen.show(&test);
                if test.state.is_final() {
                    return Ok(test);
                }
            }
            Err(error) if error.trouble() == Trouble::Away => screen.lost(&error),
            Err(error) => return Err(error.into()),
        }
        // However the news end, the next look says how things are.
        if let Ok(live) = client.live(id) {
            for test in live {
                let Ok(test) = test else {
                    break;
                };
                screen.show(&test);
                if test.state.is_final() {
                    return Ok(test);
                }
            }
        }
        thread::sleep(PAUSE);
    }
}

/// A line that changes on a terminal, or lines elsewhere.
struct Screen {
    printer: Printer,
    bar: Option<ProgressBar>,
    shown: String,
    is_lost: bool,
}

impl Screen {
    fn new(printer: &Printer) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{wide_msg}").expect("it is a template");
            ProgressBar::new_spinner().with_style(style)
        });
        Self {
            printer: printer.clone(),
            bar,
            shown: String::new(),
            is_lost: false,
        }
    }

    fn show(&mut self, test: &TestView) {
        self.is_lost = false;
        let line = picture::line(test);
        if line == self.shown {
            return;
        }
        match &self.bar {
            Some(bar) => bar.set_message(line.clone()),
            None => self.printer.data(&line),
        }
        self.shown = line;
    }

    /// Says once that nobody answers.
    fn lost(&mut self, error: &CallError) {
        if !std::mem::replace(&mut self.is_lost, true) {
            let text = format!("{}; it is tried again", error.chain());
            match &self.bar {
                Some(bar) => bar.suspend(|| self.printer.warning(&text)),
                None => self.printer.warning(&text),
            }
        }
    }

    fn close(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
