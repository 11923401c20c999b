//! Games as openings: the first plies of each.

use std::error::Error;
use std::io::{self, Read};

use engine_core::pgn::{RawGame, Reader, Start};
use engine_core::{Game, Position};
use match_core::opening::Opening;

use super::scan::Scan;

/// Checks all games; of each only `plies` plies, or all without a number.
pub(super) fn scan(bytes: impl Read, plies: Option<u32>, scan: &mut Scan) -> io::Result<()> {
    let mut reader = Reader::new(bytes);
    let mut raw = RawGame::new();
    while reader.read_game(&mut raw)? {
        if let Err(error) = scan_game(&raw, plies, scan) {
            scan.complain(raw.line(), &format_args!("game {}: {error}", raw.number()));
        }
    }
    Ok(())
}

fn scan_game(raw: &RawGame, plies: Option<u32>, scan: &mut Scan) -> Result<(), Box<dyn Error>> {
    let game = scan.start(start(raw)?)?;
    play(raw, plies, game)?;
    Ok(scan.finish(raw.offset())?)
}

/// The opening of the game with which `bytes` begin, unless it is none.
pub(super) fn opening_at(bytes: impl Read, plies: Option<u32>) -> io::Result<Option<Opening>> {
    let mut raw = RawGame::new();
    if !Reader::new(bytes).read_game(&mut raw)? {
        return Ok(None);
    }
    Ok(opening(&raw, plies).ok())
}

fn opening(raw: &RawGame, plies: Option<u32>) -> Result<Opening, Box<dyn Error>> {
    let start = start(raw)?;
    let mut game = Game::new(start);
    play(raw, plies, &mut game)?;
    Ok(Opening {
        start,
        moves: game.moves().to_vec(),
    })
}

fn start(raw: &RawGame) -> Result<Position, Box<dyn Error>> {
    Ok(Start::from_tags(raw.tags())
        .map_err(|kind| kind.to_string())?
        .position)
}

/// Plays the plies that are wanted. What is wrong behind them harms nobody.
fn play(raw: &RawGame, plies: Option<u32>, game: &mut Game) -> Result<(), Box<dyn Error>> {
    let wanted = plies.map_or(usize::MAX, |plies| {
        usize::try_from(plies).unwrap_or(usize::MAX)
    });
    for san in raw.sans().take(wanted) {
        game.play_unchecked(san.to_move(game.position())?);
    }
    match raw.error() {
        Some(error) if raw.sans().len() < wanted => Err(error.kind.to_string().into()),
        _ => Ok(()),
    }
}
