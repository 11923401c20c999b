//! What a game says of its end, compared with the board.

use engine_core::Ending;
use engine_core::pgn::check::{Checker, Report};
use engine_core::pgn::{RawGame, Reader};

fn reports(text: &str) -> Vec<Report> {
    let mut reader = Reader::new(text.as_bytes()).with_comments();
    let mut raw = RawGame::new();
    let mut checker = Checker::new();
    let mut reports = Vec::new();
    while reader.read_game(&mut raw).expect("memory can be read") {
        reports.push(checker.check(&raw));
    }
    reports
}

/// The one game of the text is complained about like this.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let reports = reports(text);
    assert_eq!(reports.len(), 1, "{text}");
    assert_eq!(reports[0].error, None, "{text}");
    let complaints: Vec<String> = reports[0]
        .complaints
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(complaints, expected, "{text}");
}

const MATE: &str = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#";
const BARE: &str = "[FEN \"7k/8/6K1/8/8/8/8/8 w - - 0 1\"]\n";
const THREEFOLD: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";

#[test]
fn a_report_says_where_the_game_ended() {
    let report = &reports(&format!("[Result \"1-0\"]\n\n{MATE} 1-0"))[0];
    assert_eq!((report.game, report.line, report.plies), (1, 1, 7));
    let fen = report.position.expect("a position").fen();
    assert_eq!(
        fen,
        "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4"
    );
    assert_eq!(report.ending.map(Ending::name), Some("checkmate"));
    assert!(report.complaints.is_empty());
}

#[test]
fn a_broken_game_is_reported_up_to_its_fault() {
    let report = &reports("[Result \"0-1\"]\n\n1. e4 Ke5 1-0")[0];
    assert_eq!(report.plies, 1);
    assert!(report.position.is_some() && report.error.is_some() && report.complaints.is_empty());
    let report = &reports("[Variant \"Atomic\"]\n\n1. e4 1-0")[0];
    assert_eq!(
        (report.plies, report.position, report.ending),
        (0, None, None)
    );
}

#[test]
fn the_tag_and_the_end_of_the_moves_must_agree() {
    check("[Result \"1-0\"]\n\n1. e4 1-0", &[]);
    check(
        "[Result \"1-0\"]\n\n1. e4 0-1",
        &["the tag `Result` is `1-0`, but `0-1` stands behind the moves"],
    );
    check(
        "[Result \"*\"]\n\n1. e4 0-1",
        &["the tag `Result` is `*`, but `0-1` stands behind the moves"],
    );
    check(
        "[Result \"1-0\"]\n\n1. e4",
        &["there is no result behind the moves"],
    );
    check(
        "[Result \"white\"]\n\n1. e4 *",
        &["the tag `Result` is `white`, which is no result"],
    );
    check("[Result \"?\"]\n\n1. e4 *", &[]);
    check("1. e4 *", &[]);
}

#[test]
fn the_board_decides_the_result() {
    check(&format!("{MATE} 1-0"), &[]);
    check(
        &format!("{MATE} 1/2-1/2"),
        &["the result is `1/2-1/2`, but the board shows checkmate: `1-0`"],
    );
    check(
        &format!("{MATE} 0-1"),
        &["the result is `0-1`, but the board shows checkmate: `1-0`"],
    );
    check(
        &format!("{MATE} *"),
        &["the result is `*`, but the board shows checkmate: `1-0`"],
    );
    check(
        &format!("{BARE}\n1. Kf6 1-0"),
        &[
            "the result is `1-0`, but the board shows insufficient material: `1/2-1/2`",
            "the game goes on after ply 0, which ended it by insufficient material",
        ],
    );
}

#[test]
fn a_game_may_go_on_only_where_somebody_must_claim() {
    check(&format!("{THREEFOLD} 5. e4 e5 *"), &[]);
    check(&format!("{THREEFOLD} 1-0"), &[]);
    let fivefold = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
    check(&format!("{fivefold} 1/2-1/2"), &[]);
    check(
        &format!("{fivefold} e4 1/2-1/2"),
        &["the game goes on after ply 16, which ended it by fivefold repetition"],
    );
    check(
        "[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 99 120\"]\n\n1. Qf2 Kg8 2. Qf1 1-0",
        &[],
    );
    check(
        "[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 149 120\"]\n\n1. Qf2 Kg8 2. Qf1 1/2-1/2",
        &["the game goes on after ply 1, which ended it by seventy-five-move rule"],
    );
}

#[test]
fn a_claim_must_show_on_the_board() {
    let termination = |claim: &str, moves: &str| format!("[Termination \"{claim}\"]\n\n{moves}");
    for claim in [
        "threefold repetition",
        "3-fold repetition",
        "Draw by 3-fold repetition",
    ] {
        check(&termination(claim, &format!("{THREEFOLD} 1/2-1/2")), &[]);
        let complaint = format!("the game ended by `{claim}`, but the board shows no such end");
        check(&termination(claim, "1. Nf3 Nf6 1/2-1/2"), &[&complaint]);
    }
    for claim in [
        "checkmate",
        "stalemate",
        "fifty-move rule",
        "50 moves rule",
        "seventy-five-move rule",
        "insufficient material",
        "fivefold repetition",
        "Draw by insufficient mating material",
    ] {
        let complaint = format!("the game ended by `{claim}`, but the board shows no such end");
        check(&termination(claim, "1. e4 1/2-1/2"), &[&complaint]);
    }
    check(&termination("checkmate", &format!("{MATE} 1-0")), &[]);
    let comment = |claim: &str| format!("{MATE} {{+M1/1 0.000s, {claim}}} 1-0");
    check(&comment("White mates"), &[]);
    check(
        &comment("Black mates"),
        &["the game ended by `Black mates`, but the board shows no such end"],
    );
    check("1. e4 {White mates} e5 {+0.1/2 0.1s} *", &[]);
}

#[test]
fn players_and_referees_may_end_a_game_as_they_like() {
    for termination in [
        "time loss",
        "time forfeit",
        "illegal move",
        "crash",
        "stall",
        "abandoned",
        "normal",
        "adjudication",
        "resign adjudication",
        "draw adjudication",
        "tablebase adjudication",
        "move limit",
        "resignation",
        "agreement",
        "unterminated",
        "void",
        "rules infraction",
        "",
    ] {
        for result in ["1-0", "0-1", "1/2-1/2", "*"] {
            check(
                &format!(
                    "[Result \"{result}\"]\n[Termination \"{termination}\"]\n\n1. e4 {result}"
                ),
                &[],
            );
        }
    }
    check(
        "[Termination \"illegal move\"]\n[PlyCount \"0\"]\n\n{White makes an illegal move: a1a1} 0-1",
        &[],
    );
}

#[test]
fn the_plies_are_counted() {
    check("[PlyCount \"2\"]\n\n1. e4 e5 *", &[]);
    check(
        "[PlyCount \"3\"]\n\n1. e4 e5 *",
        &["the tag `PlyCount` is `3`, but there are 2 plies"],
    );
    check(
        "[PlyCount \"3\"]\n[Termination \"illegal move\"]\n\n1. e4 e5 *",
        &[],
    );
    check("[PlyCount \"?\"]\n\n1. e4 e5 *", &[]);
}
