//! Games as PGN: those that were counted, and those that came late.

use engine_core::pgn::{GameResult, Start, Tags, Writer};
use engine_core::{CastlingStyle, Color, Outcome, Position};
use fleet_api::{Code, Game, Problem};
use match_core::spec::Variant;

use super::contest::Contest;
use super::{Office, problem};

/// Pairs that are written at a time; an archived shelf is read for each page of it.
const PAGE: u32 = 128;

/// Which games of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Games {
    /// Those that were counted.
    Counted,
    /// Those that came too late for that.
    Late,
}

impl Office {
    /// Games of the test called `id` by pair from `from` on, and the pair to go on with; no text when
    /// there are no more.
    pub(crate) async fn games(
        &self,
        id: &str,
        which: Games,
        from: u64,
    ) -> Result<(String, u64), Problem> {
        let contest = self.contest(id).await?;
        let rows = match which {
            Games::Counted => self.pairs(id, from, PAGE).await?,
            // They are never archived.
            Games::Late => self.store().late_games(id, from, PAGE).await?,
        };
        let next = rows.last().map_or(from, |(pair, _)| pair + 1);
        let mut text = String::new();
        for (pair, games) in rows {
            let games: [Game; 2] = serde_json::from_str(&games)
                .map_err(|error| problem(Code::Internal, error.to_string()))?;
            for (i, game) in games.iter().enumerate() {
                write(&mut text, &contest, pair, i, game).ok_or_else(|| {
                    problem(
                        Code::Internal,
                        format!("pair {} cannot be written", pair + 1),
                    )
                })?;
            }
        }
        Ok((text, next))
    }
}

/// Writes one game; not if it is none, which was found out when it was counted.
fn write(text: &mut String, contest: &Contest, pair: u64, i: usize, game: &Game) -> Option<()> {
    let style = match contest.spec.spec.variant {
        Variant::Standard => CastlingStyle::Standard,
        Variant::Chess960 => CastlingStyle::Chess960,
    };
    let position: Position = game.start.parse().ok()?;
    let result = [
        Outcome::win(Color::White),
        Outcome::win(Color::Black),
        Outcome::Draw,
    ]
    .into_iter()
    .find(|outcome| outcome.as_pgn() == game.result)?;
    let round = format!("{}.{}", pair + 1, i + 1);
    let tags: Tags = [
        ("Event", contest.spec.name.as_str()),
        ("Round", &round),
        ("White", &game.white),
        ("Black", &game.black),
        ("Termination", &game.verdict.reason),
    ]
    .into_iter()
    .collect();
    let start = Start { position, style };
    let mut writer = Writer::new(text, &tags, &start, GameResult::Finished(result));
    let mut position = position;
    let book = game.book.split_ascii_whitespace().map(|mv| (mv, None));
    let played = game
        .moves
        .split_ascii_whitespace()
        .zip(game.spent.iter().map(Some));
    for (mv, spent) in book.chain(played) {
        let mv = position.parse_uci(mv, style).ok()?;
        writer.play(mv);
        writer.comment(&spent.map_or_else(|| "book".to_owned(), |spent| format!("{spent:.3}s")));
        position.play_unchecked(mv);
    }
    writer.finish();
    Some(())
}
