//! What the engines claim of the game, to see when they cannot both be right.

use engine_core::{ByColor, Color, Position};
use uci::Score;

use super::player::Player;

/// The engines' last scores.
#[derive(Debug, Default)]
pub(super) struct Claims {
    scores: ByColor<Option<Score>>,
    is_contradicted: bool,
    untold: Option<String>,
}

impl Claims {
    /// Notes what the mover says of the position after its move. Two mates that are both forced are
    /// worth telling, once; which of them is none, only play can tell.
    pub(super) fn observe(
        &mut self,
        mover: Color,
        score: Option<Score>,
        position: &Position,
        players: &ByColor<Player>,
    ) {
        self.scores[mover] = score;
        let ByColor {
            white: Some(Score::Mate(white @ 1..)),
            black: Some(Score::Mate(black @ 1..)),
        } = self.scores
        else {
            return;
        };
        if std::mem::replace(&mut self.is_contradicted, true) {
            return;
        }
        let name = |color| match players.get(color).talk.session().name() {
            "" => "an engine without a name",
            name => name,
        };
        self.untold = Some(format!(
            "both engines claim a forced mate, {} (white) in {white} and {} (black) in {black}, in `{}`",
            name(Color::White),
            name(Color::Black),
            position.fen(),
        ));
    }

    /// The contradiction, if nobody was told of it yet.
    pub(super) fn take_contradiction(&mut self) -> Option<String> {
        self.untold.take()
    }
}
