//! The contest that is measured.

use std::cell::RefCell;
use std::env;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use engine_core::Move;
use match_core::event::{Event, EventKind};
use match_core::fixture::EngineId;
use match_core::opening::Opening;
use match_core::spec::raw::RawSpec;
use match_core::spec::{EngineCommand, Spec};
use match_runner::{Host, Interrupts, Program, ReportError, Reporter, prepare};

use crate::window::{Cost, Window};

/// The first word with which this binary is an engine.
pub(crate) const SPARRING: &str = "sparring";

/// What came of it.
pub(crate) struct Played {
    pub(crate) games: Vec<Moves>,
    pub(crate) cost: Cost,
}

/// The arguments of the engine, the same in both ways of driving it.
pub(crate) fn engine_words(engine: usize) -> Vec<String> {
    ["--random", "--seed"]
        .map(str::to_owned)
        .into_iter()
        .chain([engine.to_string()])
        .collect()
}

/// As much of a game as must be kept to play it again. Whole records would fill fresh memory, which
/// no contest does that writes its games and forgets them.
pub(crate) struct Moves {
    pub(crate) white: EngineId,
    pub(crate) opening: Opening,
    pub(crate) played: Vec<Move>,
}

/// Plays and keeps all games.
pub(crate) fn play(slots: usize, pairs: u64, seed: u64) -> Played {
    let notes = Rc::new(RefCell::new(Notes {
        games: Vec::new(),
        window: Window::new(2 * pairs, slots),
    }));
    run(
        slots,
        pairs,
        seed,
        vec![Box::new(Listener(Rc::clone(&notes)))],
    );
    let mut notes = notes.borrow_mut();
    Played {
        games: std::mem::take(&mut notes.games),
        cost: notes.window.cost(),
    }
}

/// Plays and keeps nothing.
pub(crate) fn play_quietly(slots: usize, pairs: u64) {
    run(slots, pairs, 0, Vec::new());
}

fn run(slots: usize, pairs: u64, seed: u64, reporters: Vec<Box<dyn Reporter>>) {
    let ourselves = env::current_exe().expect("this program is a file");
    let sparring = Program {
        path: ourselves.clone(),
        args: vec![SPARRING.into()],
    };
    let host = Host {
        binary: Some(ourselves),
        sparring: Some(sparring),
        ..Host::default()
    };
    let prepared =
        prepare(spec(slots, pairs, seed), &host, &Interrupts::new()).expect("all is here");
    let finished = prepared.run(reporters);
    assert_eq!(finished.summary.games, 2 * pairs, "all games were played");
}

fn spec(slots: usize, pairs: u64, seed: u64) -> Arc<Spec> {
    let text = format!(
        "pairs = {pairs}\nconcurrency = {slots}\nseed = {seed}\n\
         [each]\ntc = \"60+0.6\"\ncmd = \"sparring:1\"\n\
         [[engine]]\nname = \"first\"\n[[engine]]\nname = \"second\"\n\
         [adjudication]\nmax-moves = 60\n"
    );
    let raw = RawSpec::from_toml(Path::new("bench.toml"), &text).expect("the text is right");
    let (mut spec, _) = raw.resolve().expect("the values are right");
    for (number, engine) in spec.engines.iter_mut().enumerate() {
        engine.command = EngineCommand::Sparring {
            args: engine_words(number),
        };
    }
    Arc::new(spec)
}

struct Notes {
    games: Vec<Moves>,
    window: Window,
}

struct Listener(Rc<RefCell<Notes>>);

impl Reporter for Listener {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        if let EventKind::GameFinished { record, .. } = &event.kind {
            let mut notes = self.0.borrow_mut();
            notes.window.game_ended(record.plies.len());
            notes.games.push(Moves {
                white: record.fixture.players.white,
                opening: record.opening.clone(),
                played: record.plies.iter().map(|ply| ply.mv).collect(),
            });
        }
        Ok(())
    }
}
