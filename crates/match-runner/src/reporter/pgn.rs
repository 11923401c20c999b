//! Every game as PGN.
//!
//! A game is appended as a whole, by one call, when it is over; void games are not. Times are local.
//!
//! `Termination` is `normal` (by the laws of chess), `adjudication`, or the fault that ended the game:
//! `time forfeit`, `illegal move`, `abandoned` (the engine crashed), `stalled connection`. These words,
//! and the reason at the end of the last comment, are those of the programs that came before.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use engine_core::pgn::{GameResult, Start, Tags, Writer};
use engine_core::{CastlingStyle, Color, Ending, Outcome};
use jiff::ZonedDateTime;
use match_core::event::{Event, EventKind};
use match_core::fault::Fault;
use match_core::record::{GameRecord, PlyRecord};
use match_core::spec::{PgnOutput, Spec, Variant};
use match_core::verdict::{Adjudicator, Verdict};
use uci::Score;

/// Writes games as they will stand in the file.
#[derive(Debug)]
pub(super) struct Scribe {
    output: PgnOutput,
    /// When the games that run began, by slot.
    began: BTreeMap<usize, ZonedDateTime>,
}

impl Scribe {
    pub(super) fn new(output: PgnOutput) -> Self {
        Self {
            output,
            began: BTreeMap::new(),
        }
    }

    /// The game that `event` ended, if it ended one that counts.
    pub(super) fn write(&mut self, event: &Event, spec: &Spec) -> Option<String> {
        match &event.kind {
            EventKind::GameStarted { slot, .. } => {
                self.began.insert(*slot, ZonedDateTime::now());
                None
            }
            EventKind::GameFinished { slot, record, .. } => {
                let times = Times {
                    ended: ZonedDateTime::now(),
                    began: self.began.remove(slot),
                };
                game(spec, &self.output, record, &times)
            }
            EventKind::ContestStarted { .. }
            | EventKind::ContestResumed { .. }
            | EventKind::EngineStartFailed { .. }
            | EventKind::Warned { .. }
            | EventKind::EngineRestarted { .. }
            | EventKind::FaultRecorded { .. }
            | EventKind::Draining { .. }
            | EventKind::ContestFinished { .. } => None,
        }
    }
}

/// When a game was played.
#[derive(Debug)]
struct Times {
    began: Option<ZonedDateTime>,
    ended: ZonedDateTime,
}

/// A game as it stands in the file; nothing for a void one.
fn game(spec: &Spec, output: &PgnOutput, record: &GameRecord, times: &Times) -> Option<String> {
    let outcome = record.verdict.outcome()?;
    let style = match spec.variant {
        Variant::Standard => CastlingStyle::Standard,
        Variant::Chess960 => CastlingStyle::Chess960,
    };
    let start = Start {
        position: record.opening.start,
        style,
    };
    let mut text = String::new();
    let tags = tags(spec, record, times);
    let mut writer = Writer::new(&mut text, &tags, &start, GameResult::Finished(outcome));
    let reason = reason(&record.verdict, outcome);
    let book = record.opening.moves.len();
    let last = book + record.plies.len();
    if last == 0 {
        writer.comment(&reason);
    }
    let comments = record
        .opening
        .moves
        .iter()
        .map(|&mv| (mv, "book".to_owned()));
    let played = record
        .plies
        .iter()
        .map(|ply| (ply.mv, comment(output, ply)));
    for (index, (mv, mut comment)) in comments.chain(played).enumerate() {
        if index + 1 == last {
            comment = format!("{comment}, {reason}");
        }
        writer.play(mv);
        writer.comment(&comment);
    }
    writer.finish();
    Some(text)
}

fn tags(spec: &Spec, record: &GameRecord, times: &Times) -> Tags {
    let engine = |color| &spec.engines[record.fixture.players[color].0];
    let number = record.fixture.number;
    let began = times.began.as_ref().unwrap_or(&times.ended);
    let iso = |time: &ZonedDateTime| time.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
    let mut tags = Tags::default();
    tags.push("Event", &spec.event);
    tags.push("Site", &spec.site);
    tags.push("Date", &began.strftime("%Y.%m.%d").to_string());
    tags.push("Round", &format!("{}.{}", number.pair(), number.0 % 2 + 1));
    tags.push("White", &engine(Color::White).name);
    tags.push("Black", &engine(Color::Black).name);
    tags.push(
        "PlyCount",
        &(record.opening.moves.len() + record.plies.len()).to_string(),
    );
    tags.push("Termination", termination(&record.verdict));
    let [white, black] =
        [Color::White, Color::Black].map(|color| engine(color).limits.time_control_tag());
    if white == black {
        tags.push("TimeControl", &white);
    } else {
        tags.push("WhiteTimeControl", &white);
        tags.push("BlackTimeControl", &black);
    }
    tags.push("GameStartTime", &iso(began));
    tags.push("GameEndTime", &iso(&times.ended));
    tags.push("GameDuration", &hours_minutes_seconds(record.duration));
    tags
}

fn hours_minutes_seconds(duration: Duration) -> String {
    let seconds = duration.as_secs();
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// `+0.31/12 0.123s, n=..., ...`, from the mover's side.
fn comment(output: &PgnOutput, ply: &PlyRecord) -> String {
    let search = &ply.search;
    let mut text = String::new();
    if let Some(score) = search.score.and_then(score) {
        let _always_ok = write!(text, "{score}/{} ", search.depth.unwrap_or(0));
    }
    let _always_ok = write!(text, "{:.3}s", ply.spent.as_secs_f64());
    let mut add = |wanted: bool, name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|_| wanted) {
            let _always_ok = write!(text, ", {name}={value}");
        }
    };
    add(
        output.nodes,
        "n",
        search.nodes.map(|nodes| nodes.to_string()),
    );
    add(output.nps, "nps", search.nps.map(|nps| nps.to_string()));
    add(
        output.seldepth,
        "sd",
        search.seldepth.map(|depth| depth.to_string()),
    );
    add(
        output.hashfull,
        "hashfull",
        search.hashfull.map(|fill| fill.to_string()),
    );
    add(
        output.time_left,
        "tl",
        ply.left.map(|left| format!("{:.3}s", left.as_secs_f64())),
    );
    add(
        output.pv,
        "pv",
        search.pv.as_ref().map(|pv| format!("\"{pv}\"")),
    );
    text
}

/// Pawns with a sign, or `+M5`: mate in so many plies. A mate in 0 says nothing.
fn score(score: Score) -> Option<String> {
    Some(match score {
        Score::Centipawns(0) => "0.00".into(),
        Score::Centipawns(score) => {
            let sign = if score < 0 { '-' } else { '+' };
            let score = score.unsigned_abs();
            format!("{sign}{}.{:02}", score / 100, score % 100)
        }
        Score::Mate(0) => return None,
        Score::Mate(moves) if moves > 0 => format!("+M{}", 2 * i64::from(moves) - 1),
        Score::Mate(moves) => format!("-M{}", 2 * i64::from(moves).abs()),
    })
}

fn termination(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Rules(Ending::TimeForfeit { .. }) => "time forfeit",
        Verdict::Rules(_) => "normal",
        Verdict::Adjudicated(_) => "adjudication",
        Verdict::Forfeit { fault, .. } => match fault {
            Fault::TimeLoss { .. } => "time forfeit",
            Fault::IllegalMove { .. } => "illegal move",
            Fault::Crash => "abandoned",
            Fault::Stall { .. } => "stalled connection",
        },
        Verdict::Void(_) => "unterminated",
    }
}

/// How the game ended, in words.
fn reason(verdict: &Verdict, outcome: Outcome) -> String {
    let name = |color| {
        if color == Color::White {
            "White"
        } else {
            "Black"
        }
    };
    let result = match outcome.winner() {
        Some(winner) => format!("{} wins", name(winner)),
        None => "Draw".to_owned(),
    };
    match verdict {
        Verdict::Rules(Ending::Checkmate { winner }) => format!("{} mates", name(*winner)),
        Verdict::Rules(Ending::Stalemate) => "Draw by stalemate".into(),
        Verdict::Rules(Ending::ThreefoldRepetition) => "Draw by 3-fold repetition".into(),
        Verdict::Rules(Ending::FivefoldRepetition) => "Draw by 5-fold repetition".into(),
        Verdict::Rules(Ending::FiftyMoveRule) => "Draw by fifty moves rule".into(),
        Verdict::Rules(Ending::SeventyFiveMoveRule) => "Draw by seventy-five moves rule".into(),
        Verdict::Rules(Ending::InsufficientMaterial) => {
            "Draw by insufficient mating material".into()
        }
        Verdict::Rules(
            ending @ (Ending::Resignation { .. } | Ending::Agreement | Ending::TimeForfeit { .. }),
        ) => {
            format!("{result} by {}", ending.name())
        }
        Verdict::Adjudicated(ruling) => match ruling.by {
            Adjudicator::Resign | Adjudicator::Draw => format!("{result} by adjudication"),
            Adjudicator::Tablebase => format!("{result} by adjudication: SyzygyTB"),
            Adjudicator::MaxMoves => format!("{result} by adjudication: maximal game length"),
        },
        Verdict::Forfeit {
            loser,
            fault,
            outcome,
        } => match fault {
            Fault::TimeLoss { over } if outcome.winner().is_some() => {
                format!(
                    "{} loses on time ({:.0}ms overrun)",
                    name(*loser),
                    over.as_secs_f64() * 1000.0
                )
            }
            Fault::TimeLoss { .. } => "Draw by timeout: the opponent cannot win".into(),
            Fault::IllegalMove { text } => {
                format!("{} makes an illegal move: {text}", name(*loser))
            }
            Fault::Crash => format!("{} disconnects", name(*loser)),
            Fault::Stall { unanswered } => {
                format!(
                    "{}'s connection stalls: no answer to {unanswered}",
                    name(*loser)
                )
            }
        },
        Verdict::Void(_) => "Game interrupted".into(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use engine_core::{ByColor, Game, Position};
    use match_core::fixture::{EngineId, Fixture, GameNumber, OpeningIndex};
    use match_core::opening::Opening;
    use match_core::spec::raw::RawSpec;
    use match_core::verdict::{Ruling, VoidReason};
    use uci::SearchReport;

    use super::*;

    /// Game 4 between `new "one"` and `old`, from the Italian or after an engine's move.
    fn record(book: usize, verdict: Verdict) -> GameRecord {
        let start = Position::startpos();
        let mut game = Game::new(start);
        for san in ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7"] {
            let mv = game.position().parse_san(san).expect("a legal move");
            game.play_unchecked(mv);
        }
        let plies = game.moves()[book..].iter().map(|&mv| PlyRecord {
            mv,
            spent: Duration::from_micros(123_456),
            left: Some(Duration::from_millis(9_900)),
            search: SearchReport {
                score: Some(Score::Centipawns(31)),
                depth: Some(12),
                nodes: Some(1000),
                pv: Some("e2e4 e7e5".into()),
                ..SearchReport::default()
            },
        });
        GameRecord {
            fixture: Fixture {
                number: GameNumber(3),
                round: 1,
                players: ByColor {
                    white: EngineId(1),
                    black: EngineId(0),
                },
                opening: OpeningIndex(0),
            },
            opening: Opening {
                start,
                moves: game.moves()[..book].to_vec(),
            },
            plies: plies.collect(),
            verdict,
            duration: Duration::from_secs(3723),
        }
    }

    fn spec(more: &str) -> Spec {
        let text = format!(
            "event = \"a test\"\nsite = \"here\"\n[[engine]]\nname = 'new \"one\"'\ncmd = \"new\"\ntc = \"8+0.08\"\n\
             [[engine]]\nname = \"old\"\ncmd = \"old\"\n{more}"
        );
        RawSpec::from_toml(Path::new("x"), &text)
            .expect("right")
            .resolve()
            .expect("right")
            .0
    }

    fn output(all: bool) -> PgnOutput {
        PgnOutput {
            path: "x".into(),
            nodes: all,
            nps: all,
            seldepth: all,
            hashfull: all,
            time_left: all,
            pv: all,
        }
    }

    fn written(spec: &Spec, output: &PgnOutput, record: &GameRecord) -> Option<String> {
        let ended: ZonedDateTime = "2026-11-29T12:00:05.5+01:00[+01:00]"
            .parse()
            .expect("a time");
        let began = Some("2026-11-29T10:57:00+01:00[+01:00]".parse().expect("a time"));
        game(spec, output, record, &Times { began, ended })
    }

    #[test]
    fn a_game_stands_in_the_file_with_its_tags_comments_and_reason() {
        let verdict = Verdict::Rules(Ending::Checkmate {
            winner: Color::White,
        });
        let text = written(&spec("tc = \"40/60\""), &output(false), &record(4, verdict))
            .expect("it counts");
        assert_eq!(
            text,
            r#"[Event "a test"]
[Site "here"]
[Date "2026.11.29"]
[Round "2.2"]
[White "old"]
[Black "new \"one\""]
[Result "1-0"]
[PlyCount "7"]
[Termination "normal"]
[WhiteTimeControl "40/60"]
[BlackTimeControl "8+0.08"]
[GameStartTime "2026-11-29T10:57:00+01:00"]
[GameEndTime "2026-11-29T12:00:05+01:00"]
[GameDuration "01:02:03"]

1. e4 {book} e5 {book} 2. Bc4 {book} Nc6 {book} 3. Qh5 {+0.31/12 0.123s} Nf6
{+0.31/12 0.123s} 4. Qxf7# {+0.31/12 0.123s, White mates} 1-0

"#
        );
    }

    #[track_caller]
    fn check(verdict: Verdict, termination: &str, reason: &str) {
        let record = record(4, verdict);
        let text = written(&spec("tc = \"1+1\""), &output(true), &record).expect("it counts");
        assert!(
            text.contains(&format!("[Termination \"{termination}\"]")),
            "{text}"
        );
        let text = text.replace('\n', " ");
        assert!(
            text.contains(&format!("tl=9.900s, pv=\"e2e4 e7e5\", {reason}}} ")),
            "{text}"
        );
    }

    #[test]
    fn every_verdict_has_its_termination_and_its_reason() {
        let forfeit = |fault| Verdict::Forfeit {
            loser: Color::White,
            fault,
            outcome: Outcome::win(Color::Black),
        };
        let ruling = |by| {
            Verdict::Adjudicated(Ruling {
                outcome: Outcome::win(Color::White),
                by,
                since_ply: 3,
            })
        };
        check(
            Verdict::Rules(Ending::ThreefoldRepetition),
            "normal",
            "Draw by 3-fold repetition",
        );
        check(
            ruling(Adjudicator::Resign),
            "adjudication",
            "White wins by adjudication",
        );
        check(
            ruling(Adjudicator::Tablebase),
            "adjudication",
            "White wins by adjudication: SyzygyTB",
        );
        let over = Duration::from_millis(12);
        check(
            forfeit(Fault::TimeLoss { over }),
            "time forfeit",
            "White loses on time (12ms overrun)",
        );
        check(
            forfeit(Fault::IllegalMove {
                text: "e2}e5".into(),
            }),
            "illegal move",
            "White makes an illegal move: e2)e5",
        );
        check(forfeit(Fault::Crash), "abandoned", "White disconnects");
        let unanswered = "isready".into();
        check(
            forfeit(Fault::Stall { unanswered }),
            "stalled connection",
            "White's connection stalls: no answer to isready",
        );
    }

    #[test]
    fn a_game_without_moves_still_says_why_it_ended() {
        let fault = Fault::Crash;
        let mut record = record(
            0,
            Verdict::Forfeit {
                loser: Color::Black,
                fault,
                outcome: Outcome::win(Color::White),
            },
        );
        record.plies.clear();
        let text = written(&spec("tc = \"1+1\""), &output(false), &record).expect("it counts");
        assert!(text.ends_with("\n\n{Black disconnects} 1-0\n\n"), "{text}");
    }

    #[test]
    fn a_void_game_is_not_written() {
        let record = record(4, Verdict::Void(VoidReason::Cancelled));
        assert_eq!(
            written(&spec("tc = \"1+1\""), &output(false), &record),
            None
        );
    }

    #[test]
    fn scores_are_pawns_with_a_sign_or_plies_to_mate() {
        let shown = |score_: Score| score(score_).unwrap_or_default();
        assert_eq!(shown(Score::Centipawns(31)), "+0.31");
        assert_eq!(shown(Score::Centipawns(-1205)), "-12.05");
        assert_eq!(shown(Score::Centipawns(0)), "0.00");
        assert_eq!(shown(Score::Mate(3)), "+M5");
        assert_eq!(shown(Score::Mate(-2)), "-M4");
        assert_eq!(shown(Score::Mate(0)), "", "a mate in no moves is no claim");
    }
}
