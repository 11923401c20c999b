//! Faults that users of other programs met, as far as they are about words.

use std::path::Path;

use serde_json::Value;
use uci::{Command, Go, Score, Session};

/// The cases that concern words, or nothing when they are not here.
#[expect(clippy::print_stderr, reason = "what is not tested is said aloud")]
fn cases() -> Option<Vec<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases/uci.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("SKIPPED: ../shared is not here");
        return None;
    };
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

#[test]
fn lines_that_others_misread_give_the_right_score_and_line() {
    let Some(cases) = cases() else { return };
    let mut tried = 0;
    for case in cases {
        let data = &case["data"];
        let lines: Vec<&str> = match (&data["line"], &data["lines"]) {
            (Value::String(line), _) => vec![line],
            (_, Value::Array(lines)) => lines.iter().map(|line| line.as_str().unwrap()).collect(),
            _ => continue,
        };
        let mut session = Session::new().capturing_pv(true);
        let mut out = Vec::new();
        session.send(&Command::Uci, &mut out).unwrap();
        session.receive(b"uciok").unwrap();
        session.send(&Command::Go(Go::default()), &mut out).unwrap();
        for line in lines {
            session.receive(line.as_bytes()).unwrap();
        }
        let report = session.take_report();
        let want = i32::try_from(data["score"].as_i64().unwrap()).unwrap();
        assert_eq!(
            report.score,
            Some(Score::Centipawns(want)),
            "{}",
            case["id"]
        );
        if let Value::Array(pv) = &data["pv"] {
            let pv: Vec<&str> = pv.iter().map(|mv| mv.as_str().unwrap()).collect();
            assert_eq!(
                report.pv.as_deref(),
                Some(pv.join(" ").as_str()),
                "{}",
                case["id"]
            );
        }
        tried += 1;
    }
    assert!(2 <= tried, "the cases C13 and C14 are there");
}
