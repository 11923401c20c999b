//! What must hold whatever the bytes are.
//!
//! Each module has a `body`, which takes bytes and panics if something that must hold does not, and
//! `SEEDS`, inputs that are worth changing. `fuzz/` makes a target of cargo-fuzz of each body, and the
//! tests of this crate run each some thousand times with changes that a seed decides. So what the
//! fuzzers try and what the tests try cannot come apart.

pub mod change;
pub mod epd;
pub mod fen;
pub mod game;
pub mod pgn;
pub mod san;
pub mod spec;
pub mod uci;

/// A reader or a machine and what is fed to it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, also in `fuzz/`.
    pub name: &'static str,
    /// Panics if something does not hold.
    pub body: fn(&[u8]),
    /// Inputs that are worth changing.
    pub seeds: &'static [&'static [u8]],
}

/// All of them.
pub const TARGETS: [Target; 7] = [
    Target {
        name: "fen",
        body: fen::body,
        seeds: fen::SEEDS,
    },
    Target {
        name: "san",
        body: san::body,
        seeds: san::SEEDS,
    },
    Target {
        name: "pgn",
        body: pgn::body,
        seeds: pgn::SEEDS,
    },
    Target {
        name: "epd",
        body: epd::body,
        seeds: epd::SEEDS,
    },
    Target {
        name: "uci",
        body: uci::body,
        seeds: uci::SEEDS,
    },
    Target {
        name: "spec",
        body: spec::body,
        seeds: spec::SEEDS,
    },
    Target {
        name: "game",
        body: game::body,
        seeds: game::SEEDS,
    },
];
