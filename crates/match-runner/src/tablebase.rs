//! Syzygy tablebases, for the referee.

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use engine_core::Position;
use match_core::adjudication::Syzygy;
use match_core::adjudication::{Tablebase, Wdl};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy as syzygy;
use thiserror::Error;

/// Why tablebases cannot be used.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// A folder is missing or cannot be read.
    #[error("failed to read the tablebases in `{}`", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folders hold no tables.
    #[error("no Syzygy tables (`*.rtbw`) in {folders}")]
    Empty {
        /// All of them, each in backticks.
        folders: String,
    },
}

/// Opened tables. Files are mapped or read when they are first needed.
#[derive(Debug)]
pub struct SyzygyTables {
    tables: syzygy::Tablebase<Chess>,
    /// Positions with more men are not looked up.
    men_max: usize,
    complaint: OnceLock<String>,
    is_told: AtomicBool,
}

impl SyzygyTables {
    /// Opens the tables in all folders.
    ///
    /// # Errors
    /// For a folder that cannot be read, and when no folder has a table.
    pub fn open(spec: &Syzygy) -> Result<Self, TablebaseError> {
        let mut tables = syzygy::Tablebase::new();
        let mut count = 0;
        for path in &spec.paths {
            count += tables
                .add_directory(path)
                .map_err(|source| TablebaseError::Folder {
                    path: path.clone(),
                    source,
                })?;
        }
        if count == 0 {
            let folders: Vec<_> = spec
                .paths
                .iter()
                .map(|path| format!("`{}`", path.display()))
                .collect();
            return Err(TablebaseError::Empty {
                folders: folders.join(", "),
            });
        }
        let men_max = usize::try_from(spec.pieces)
            .unwrap_or(usize::MAX)
            .min(tables.max_pieces());
        Ok(Self {
            tables,
            men_max,
            complaint: OnceLock::new(),
            is_told: AtomicBool::new(false),
        })
    }

    /// The most men with which a position is looked up.
    pub fn men_max(&self) -> usize {
        self.men_max
    }

    /// The first error while probing, once. The game went on as if there were no table.
    pub(crate) fn take_complaint(&self) -> Option<String> {
        let complaint = self.complaint.get()?;
        (!self.is_told.swap(true, Ordering::Relaxed)).then(|| complaint.clone())
    }

    fn complain(&self, position: &Position, error: &impl std::fmt::Display) {
        self.complaint
            .get_or_init(|| format!("no tablebase answer for `{}`: {error}", position.fen()));
    }
}

impl Tablebase for SyzygyTables {
    fn probe(&self, position: &Position) -> Option<Wdl> {
        if position.occupied().count() as usize > self.men_max {
            return None;
        }
        let known = convert(position).and_then(|chess| {
            // The referee asks only right after a capture or pawn move, with the clock at zero: exactly
            // then the tables' value needs no correction by the distance to zeroing.
            self.tables
                .probe_wdl_after_zeroing(&chess)
                .map_err(Into::into)
        });
        match known {
            Ok(wdl) => Some(match wdl {
                syzygy::Wdl::Loss => Wdl::Loss,
                syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
                syzygy::Wdl::Draw => Wdl::Draw,
                syzygy::Wdl::CursedWin => Wdl::CursedWin,
                syzygy::Wdl::Win => Wdl::Win,
            }),
            Err(error) => {
                self.complain(position, &error);
                None
            }
        }
    }
}

/// By way of FEN: a microsecond, once or twice a game.
fn convert(position: &Position) -> Result<Chess, Box<dyn std::error::Error>> {
    let fen: Fen = position.fen().parse()?;
    Ok(fen.into_position(CastlingMode::Chess960)?)
}
