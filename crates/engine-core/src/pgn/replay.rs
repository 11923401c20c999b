//! Playing a game that was read, under the laws of chess.

use crate::{CastlingStyle, Game, Position};

use super::raw_game::RawPly;
use super::{PgnError, PgnErrorKind, RawGame, Tags};

/// Where a game starts and by which rules it castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The position of the tag `FEN`, or the start position.
    pub position: Position,
    /// Chess960 if the tag `Variant` says so or the position needs it.
    pub style: CastlingStyle,
}

impl Start {
    /// What the tags `FEN`, `SetUp` and `Variant` say.
    ///
    /// A `FEN` counts with or without `SetUp "1"`. Chess960 has many names (`Chess960`,
    /// `fischerandom`, `Fischerandom`, `chess 960`, `Fischer Random`, `FRC` ...), and so has its
    /// double form; case, blanks and hyphens do not matter.
    ///
    /// # Errors
    /// [`PgnErrorKind::Fen`], [`PgnErrorKind::MissingFen`] or [`PgnErrorKind::Variant`].
    pub fn from_tags(tags: &Tags) -> Result<Self, PgnErrorKind> {
        let variant = tags.get("Variant").unwrap_or_default();
        let chess960 =
            is_chess960(variant).ok_or_else(|| PgnErrorKind::Variant(variant.to_owned()))?;
        let position = match tags.get("FEN") {
            Some(fen) => Position::from_fen(fen).map_err(|error| PgnErrorKind::Fen {
                fen: fen.to_owned(),
                error,
            })?,
            None if tags.get("SetUp") == Some("1") => return Err(PgnErrorKind::MissingFen),
            None => Position::startpos(),
        };
        let style = if chess960 || position.needs_chess960() {
            CastlingStyle::Chess960
        } else {
            CastlingStyle::Standard
        };
        Ok(Self { position, style })
    }
}

/// Whether the name of a variant means Chess960 (or standard chess); `None` if it means neither.
fn is_chess960(variant: &str) -> Option<bool> {
    let name: String = variant
        .chars()
        .filter(|letter| !matches!(letter, ' ' | '-' | '_' | '?'))
        .flat_map(char::to_lowercase)
        .collect();
    match name.strip_prefix("double").unwrap_or(&name) {
        "" | "standard" | "normal" | "chess" | "fromposition" => Some(false),
        "chess960" | "960" | "frc" | "dfrc" | "freestyle" | "fischerandom" | "fischerrandom"
        | "fischerandomchess" | "fischerrandomchess" => Some(true),
        _ => None,
    }
}

impl RawGame {
    /// Plays the moves from the start that the tags give.
    ///
    /// # Errors
    /// The first thing that is wrong with the game.
    pub fn replay(&self) -> Result<Game, PgnError> {
        let mut game = Game::default();
        self.replay_into(&mut game)?;
        Ok(game)
    }

    /// Like [`replay`](Self::replay), into a game whose memory is used again.
    ///
    /// # Errors
    /// The first thing that is wrong with the game. The moves before it have been played; if the
    /// start is what is wrong, `game` is as it was.
    pub fn replay_into(&self, game: &mut Game) -> Result<(), PgnError> {
        let start = Start::from_tags(&self.tags).map_err(|kind| self.error_on(self.line, kind))?;
        game.restart(start.position);
        for (index, ply) in self.plies.iter().enumerate() {
            let Some(mv) = ply.san.find(game.position()) else {
                return Err(self.illegal(index, game.position()));
            };
            game.play_unchecked(mv);
        }
        match &self.error {
            None => Ok(()),
            Some(error) => Err(error.clone()),
        }
    }

    #[cold]
    fn illegal(&self, index: usize, position: &Position) -> PgnError {
        let RawPly { san, line } = self.plies[index];
        let error = san
            .to_move(position)
            .expect_err("no single legal move was found");
        let ply = index + 1;
        self.error_on(
            self.line + u64::from(line),
            PgnErrorKind::Move { ply, error },
        )
    }

    fn error_on(&self, line: u64, kind: PgnErrorKind) -> PgnError {
        PgnError {
            game: self.number,
            line,
            kind,
        }
    }
}
