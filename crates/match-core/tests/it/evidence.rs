//! What is kept of a game that ended by a fault.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use engine_core::{ByColor, Color, Move, Position, Square};
use match_core::contest::{Contest, FAULTS_RECORDED_MAX, Input, Output};
use match_core::event::{Event, EventKind, json};
use match_core::evidence::{Evidence, Speaker, Testimony, Utterance};
use match_core::fault::Fault;
use match_core::fixture::GameNumber;
use match_core::moment::Moment;
use match_core::opening::Opening;
use match_core::record::{GameRecord, PlyRecord};
use match_core::spec::Spec;
use serde_json::json;

use crate::sample::{contest, forfeit, openings, schedule, spec};

fn line(millis: u64, by: Speaker, text: &str) -> Utterance {
    Utterance {
        at: Moment::from_nanos(millis * 1_000_000),
        by,
        head: text.as_bytes().to_vec(),
        tail: Vec::new(),
        left_out: 0,
    }
}

/// Game 2 of a contest: b (white) crashes at its second move.
fn evidence(spec: &Spec) -> Evidence {
    let ply = |from, to, left| PlyRecord {
        mv: Move::new(from, to),
        spent: Duration::from_millis(20),
        left: Some(Duration::from_millis(left)),
        search: uci::SearchReport::default(),
    };
    let record = GameRecord {
        fixture: schedule(spec, 1).fixture(GameNumber(1)),
        opening: Opening {
            start: Position::startpos(),
            moves: vec![
                Move::new(Square::G1, Square::F3),
                Move::new(Square::G8, Square::F6),
            ],
        },
        plies: vec![
            ply(Square::E2, Square::E4, 980),
            ply(Square::E7, Square::E5, 8765),
        ],
        verdict: forfeit(Color::White, Fault::Crash),
        duration: Duration::from_millis(40),
    };
    Evidence {
        record: Arc::new(record),
        engines: ByColor {
            white: Testimony {
                end: Some("the process was killed by SIGSEGV".to_owned()),
                errors: b"loading \xffnet\n\x1b[31mpanicked\x1b[0m\n\n".to_vec(),
                talk: vec![
                    line(100, Speaker::Referee, "go wtime 980"),
                    line(120, Speaker::Engine, "info depth 1 score cp 3\r"),
                ],
            },
            black: Testimony {
                talk: vec![Utterance {
                    tail: b"the end".to_vec(),
                    left_out: 999_000,
                    ..line(110, Speaker::Engine, "info string xxx")
                }],
                ..Testimony::default()
            },
        },
    }
}

#[test]
fn the_text_tells_what_happened_and_who_said_what_when() {
    let spec = spec(
        "[each]\ncmd = 'x'\n[[engine]]\nname = 'a'\ntc = '10+0.1'\nnodes = 5000\n\
         [[engine]]\nname = 'bad'\ntc = '1'\ntimemargin = 20\n",
    );
    let want = r"game       2, pair 1, opening 1: bad (white) against a (black)
fault      bad (white): crash
result     0-1
position   rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3
as UCI     position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves g1f3 g8f6 e2e4 e7e5
white      bad: tc=1 timemargin=20, 0.980 s left after its last move; the process was killed by SIGSEGV
black      a: tc=10+0.1 nodes=5000, 8.765 s left after its last move; the process runs on

stderr     the end of what bad wrote
  | loading \xffnet
  | \x1b[31mpanicked\x1b[0m

talk       seconds since the start; `>` is what an engine was told, `<` what it said
      0.100000 bad > go wtime 980
      0.110000 a   < info string xxx [999000 bytes left out] the end
      0.120000 bad < info depth 1 score cp 3\r
";
    assert_eq!(evidence(&spec).text(&spec), want);
}

#[test]
fn the_event_names_the_file() {
    let spec = contest(2, 1, "");
    let event = Event {
        seq: 7,
        at: Moment::from_nanos(1_500_000_000),
        kind: EventKind::FaultRecorded {
            game: GameNumber(1),
            engine: match_core::fixture::EngineId(1),
            fault: Fault::Crash,
            file: "games.faults/game-2.txt".into(),
            evidence: Arc::new(evidence(&spec)),
        },
    };
    let line: serde_json::Value = json::line(&event, &spec).parse().expect("JSON");
    assert_eq!(
        line,
        json!({"seq": 7, "at": 1.5, "event": "fault_recorded", "game": 2, "engine": "b",
               "fault": {"kind": "crash"}, "file": "games.faults/game-2.txt"})
    );
}

/// The files that come of `faults` faults in a contest, and its warnings.
fn recorded(more: &str, faults: u64) -> (Vec<String>, Vec<String>) {
    let spec = Arc::new(contest(2, 10, more));
    let slots = NonZeroUsize::new(1).expect("a slot");
    let mut contest = Contest::new(Moment::ZERO, Arc::clone(&spec), openings(10), slots);
    for _ in 0..faults {
        contest.handle(Moment::ZERO, Input::Faulted(Arc::new(evidence(&spec))));
    }
    let (mut files, mut warnings) = (Vec::new(), Vec::new());
    while let Some(output) = contest.poll() {
        match output {
            Output::Event(Event {
                kind: EventKind::FaultRecorded { file, .. },
                ..
            }) => files.push(file.display().to_string()),
            Output::Event(Event {
                kind: EventKind::Warned { text, .. },
                ..
            }) => warnings.push(text),
            _ => {}
        }
    }
    (files, warnings)
}

#[test]
fn faults_are_kept_beside_the_pgn_unless_somebody_wants_it_otherwise() {
    let file = |more: &str| recorded(more, 1).0.pop();
    let some = |file: &str| Some(file.to_owned());
    assert_eq!(file(""), None);
    assert_eq!(
        file("output.pgn = 'a/games.pgn'"),
        some("a/games.faults/game-2.txt")
    );
    assert_eq!(file("output.pgn = '/dev/stdout'"), None);
    assert_eq!(file("output = { pgn = 'x.pgn', faults = 'off' }"), None);
    assert_eq!(file("output.faults = 'there'"), some("there/game-2.txt"));
}

#[test]
fn the_number_of_files_is_bounded_and_that_is_said_once() {
    let (files, warnings) = recorded("output.faults = 'there'", FAULTS_RECORDED_MAX + 5);
    assert_eq!(files.len() as u64, FAULTS_RECORDED_MAX);
    let told = warnings
        .iter()
        .filter(|text| text.contains("not written down"));
    assert_eq!(told.count(), 1, "{warnings:?}");
}
