//! Events as JSON lines.

use std::sync::Arc;
use std::time::Duration;

use engine_core::{Color, Move, Outcome, Position, Square};
use match_core::event::{Event, EventKind, StopReason, json};
use match_core::fault::Fault;
use match_core::fixture::{EngineId, GameNumber};
use match_core::ledger::Ledger;
use match_core::moment::Moment;
use match_core::opening::Opening;
use match_core::record::{GameRecord, PlyRecord};
use match_core::spec::Spec;
use match_core::summary::Summary;
use match_core::verdict::{Adjudicator, Ruling, Verdict, VoidReason};
use serde_json::{Value, json};

use crate::sample::{contest, mate_by, schedule};

#[track_caller]
fn check_in(spec: &Spec, kind: EventKind, expected: Value) {
    let event = Event {
        seq: 7,
        at: Moment::from_nanos(1_500_000_000),
        kind,
    };
    let line = json::line(&event, spec);
    assert!(!line.contains('\n'), "{line}");
    let mut expected = expected;
    expected["seq"] = json!(7);
    expected["at"] = json!(1.5);
    assert_eq!(
        line.parse::<Value>().expect("a line is JSON"),
        expected,
        "{line}"
    );
}

#[track_caller]
fn check(kind: EventKind, expected: Value) {
    check_in(&contest(2, 10, ""), kind, expected);
}

/// Game 2 of the contest: b has the white pieces and castles.
fn record(spec: &Spec, verdict: Verdict) -> GameRecord {
    let start = Position::from_fen("4k3/8/8/8/8/8/7p/R3K3 w Q - 0 1").expect("a legal position");
    let ply = |mv, spent| PlyRecord {
        mv,
        spent: Duration::from_millis(spent),
        left: Some(Duration::from_millis(1000 - spent)),
        search: uci::SearchReport::default(),
    };
    GameRecord {
        fixture: schedule(spec, 1).fixture(GameNumber(1)),
        opening: Opening {
            start,
            moves: vec![Move::new(Square::E1, Square::A1)],
        },
        plies: vec![ply(
            Move::promoting(Square::H2, Square::H1, engine_core::Role::Queen),
            12,
        )],
        verdict,
        duration: Duration::from_millis(1250),
    }
}

fn finished(spec: &Spec, verdict: Verdict) -> EventKind {
    let record = record(spec, verdict);
    let mut ledger = Ledger::new();
    ledger.record(&record).expect("a game is recorded once");
    EventKind::GameFinished {
        slot: 0,
        record: Arc::new(record),
        summary: Arc::new(Summary::new(spec, &ledger, None, Duration::ZERO)),
    }
}

/// What is the same in all games that [`finished`] makes.
fn expected(result: &str, verdict: Value) -> Value {
    json!({
        "event": "game_finished",
        "game": 2, "pair": 1, "round": 1, "opening": 1, "slot": 1, "white": "b", "black": "a",
        "result": result, "verdict": verdict,
        "start": "4k3/8/8/8/8/8/7p/R3K3 w Q - 0 1", "book": "e1c1", "moves": "h2h1q",
        "spent": [0.012], "left": [0.988], "seconds": 1.25,
        "totals": {"games": 1, "pairs": 0, "pentanomial": [0, 0, 0, 0, 0]},
    })
}

#[track_caller]
fn check_verdict(verdict: Verdict, result: &str, json: Value) {
    let spec = contest(2, 10, "openings.file = 'book.epd'");
    let mut line = expected(result, json);
    if result == "*" {
        line["totals"]["games"] = json!(0);
    }
    check_in(&spec, finished(&spec, verdict), line);
}

#[test]
fn every_kind_of_verdict_has_its_shape() {
    check_verdict(
        mate_by(Color::Black),
        "0-1",
        json!({"kind": "rules", "reason": "checkmate"}),
    );
    check_verdict(
        Verdict::Adjudicated(Ruling {
            outcome: Outcome::Draw,
            by: Adjudicator::Draw,
            since_ply: 81,
        }),
        "1/2-1/2",
        json!({"kind": "adjudicated", "reason": "draw adjudication", "since_ply": 81}),
    );
    check_verdict(
        Verdict::Void(VoidReason::Cancelled),
        "*",
        json!({"kind": "void", "reason": "cancelled"}),
    );
    check_verdict(
        Verdict::Void(VoidReason::Unneeded),
        "*",
        json!({"kind": "void", "reason": "unneeded"}),
    );
    check_verdict(
        Verdict::Void(VoidReason::Host("suspended for 3 s".to_owned())),
        "*",
        json!({"kind": "void", "reason": "host", "text": "suspended for 3 s"}),
    );
}

#[test]
fn every_kind_of_fault_has_its_shape() {
    let check_fault = |fault, reason: &str, json: Value| {
        let verdict = Verdict::Forfeit {
            loser: Color::White,
            fault,
            outcome: Outcome::loss(Color::White),
        };
        check_verdict(
            verdict,
            "0-1",
            json!({"kind": "forfeit", "reason": reason, "loser": "white", "fault": json}),
        );
    };
    check_fault(Fault::Crash, "crash", json!({"kind": "crash"}));
    check_fault(
        Fault::Stall {
            unanswered: "isready".to_owned(),
        },
        "stall",
        json!({"kind": "stall", "unanswered": "isready"}),
    );
    check_fault(
        Fault::TimeLoss {
            over: Duration::from_millis(250),
        },
        "time loss",
        json!({"kind": "time_loss", "over": 0.25}),
    );
    check_fault(
        Fault::IllegalMove {
            text: "e2\u{fffd}".to_owned(),
        },
        "illegal move",
        json!({"kind": "illegal_move", "text": "e2\u{fffd}"}),
    );
}

#[test]
fn in_chess960_castling_takes_the_rook_and_rights_are_files() {
    let spec = contest(2, 10, "variant = 'chess960'\nopenings.file = 'book.epd'");
    let mut line = expected("0-1", json!({"kind": "rules", "reason": "checkmate"}));
    line["book"] = json!("e1a1");
    line["start"] = json!("4k3/8/8/8/8/8/7p/R3K3 w A - 0 1");
    check_in(&spec, finished(&spec, mate_by(Color::Black)), line);
}

#[test]
fn the_beginning_and_the_end_of_a_contest() {
    let spec = contest(2, 10, "seed = 3");
    check(
        EventKind::ContestStarted {
            spec: Arc::new(spec.clone()),
            games: 20,
            slots: 2,
        },
        json!({"event": "contest_started", "engines": ["a", "b"], "games": 20, "pairs": 10,
               "seed": 3, "slots": 2, "variant": "standard"}),
    );
    let summary = Summary::new(&spec, &Ledger::new(), None, Duration::from_secs(2));
    check(
        EventKind::ContestFinished {
            summary: Arc::new(summary.clone()),
            stopped: Some(StopReason::Interrupted),
            wall: Duration::from_secs(2),
        },
        json!({"event": "contest_finished", "stopped": "interrupted", "seconds": 2.0,
               "summary": serde_json::to_value(summary).expect("a summary is JSON")}),
    );
    check(
        EventKind::Draining {
            reason: StopReason::EngineUnusable("`a` cannot be started".to_owned()),
        },
        json!({"event": "draining", "reason": "engine_unusable", "text": "`a` cannot be started"}),
    );
}

#[test]
fn only_a_decision_ends_an_open_contest_so_it_has_no_number_of_games() {
    let spec = crate::sample::spec(
        "sprt = { elo0 = 0, elo1 = 2 }\neach = { cmd = 'x', nodes = 1 }\n[[engine]]\n[[engine]]\n",
    );
    check_in(
        &spec,
        EventKind::ContestStarted {
            spec: Arc::new(spec.clone()),
            games: 2_000_000_000_000,
            slots: 1,
        },
        json!({"event": "contest_started", "engines": ["x", "x-2"], "seed": 1, "slots": 1,
               "variant": "standard"}),
    );
}

#[test]
fn what_happens_to_engines_names_them() {
    check(
        EventKind::GameStarted {
            fixture: schedule(&contest(2, 10, "openings.file = 'x.epd'"), 5).fixture(GameNumber(3)),
            slot: 1,
        },
        json!({"event": "game_started", "game": 4, "pair": 2, "round": 2, "opening": 2, "slot": 2,
               "white": "b", "black": "a"}),
    );
    check(
        EventKind::EngineRestarted {
            slot: 0,
            engine: EngineId(1),
            color: Color::Black,
            fault: Some(Fault::Crash),
        },
        json!({"event": "engine_restarted", "slot": 1, "engine": "b", "color": "black",
               "fault": {"kind": "crash"}}),
    );
    check(
        EventKind::EngineStartFailed {
            slot: 0,
            game: GameNumber(0),
            engine: EngineId(0),
            failures: 2,
            text: "no `uciok` within 10 s".to_owned(),
        },
        json!({"event": "engine_start_failed", "slot": 1, "game": 1, "engine": "a", "failures": 2,
               "text": "no `uciok` within 10 s"}),
    );
    check(
        EventKind::Warned {
            game: None,
            engine: Some(EngineId(0)),
            text: "odd".to_owned(),
        },
        json!({"event": "warned", "engine": "a", "text": "odd"}),
    );
}
