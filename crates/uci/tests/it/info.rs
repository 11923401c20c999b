//! What is kept of what an engine says while it thinks.

use std::time::Duration;

use uci::{Bound, Info, Reply, Score, SearchReport, Session};

/// The report of a search in which these lines were said.
fn report(lines: &[&str]) -> SearchReport {
    let mut session = Session::new().capturing_pv(true);
    let mut out = Vec::new();
    session.send(&uci::Command::Uci, &mut out).unwrap();
    session.receive(b"uciok").unwrap();
    session
        .send(&uci::Command::Go(uci::Go::default()), &mut out)
        .unwrap();
    for line in lines {
        session.receive(line.as_bytes()).unwrap();
    }
    session.receive(b"bestmove e2e4").unwrap();
    session.take_report()
}

#[track_caller]
fn check_score(lines: &[&str], want: Option<Score>) {
    assert_eq!(report(lines).score, want, "{lines:?}");
}

const fn cp(score: i32) -> Option<Score> {
    Some(Score::Centipawns(score))
}

#[test]
fn everything_is_read_in_any_order() {
    let got = report(&[
        "info tbhits 7 nps 30000 hashfull 12 pv e2e4 e7e5 time 1500 nodes 45000 score cp -17 seldepth 8 depth 5",
    ]);
    let want = SearchReport {
        score: cp(-17),
        bound: None,
        depth: Some(5),
        seldepth: Some(8),
        nodes: Some(45_000),
        nps: Some(30_000),
        hashfull: Some(12),
        tbhits: Some(7),
        time: Some(Duration::from_millis(1500)),
        pv: Some("e2e4 e7e5".into()),
        remark: None,
    };
    assert_eq!(got, want);
}

#[test]
fn a_line_of_moves_ends_at_the_first_word_that_is_no_move() {
    let got = report(&["info depth 5 pv e2e4 \t d7d8Q  nps 30000 score cp 17 hashfull 0 tbhits 0"]);
    assert_eq!(got.pv.as_deref(), Some("e2e4 d7d8Q"));
    assert_eq!((got.score, got.nps), (cp(17), Some(30_000)));
    assert_eq!(report(&["info score cp 1 pv"]).pv, None);
    assert_eq!(report(&["info score cp 1 pv 0000 e2e4"]).pv, None);
}

#[test]
fn the_last_exact_score_counts_with_its_depth_and_line() {
    let got = report(&[
        "info depth 5 score cp 10 nodes 100 pv e2e4",
        "info depth 6 score cp 900 lowerbound nodes 200 pv d2d4",
        "info depth 6 currmove e2e4 currmovenumber 1",
    ]);
    assert_eq!(
        (got.score, got.depth, got.pv.as_deref()),
        (cp(10), Some(5), Some("e2e4"))
    );
    assert_eq!(got.bound, Some((Score::Centipawns(900), Bound::Lower)));
    assert_eq!(got.nodes, Some(200), "counters are the last ones said");
}

#[test]
fn a_bound_alone_is_no_score() {
    let got = report(&[
        "info depth 6 score cp 900 lowerbound pv d2d4",
        "info score mate 3 upperbound",
    ]);
    assert_eq!(got.score, None);
    assert_eq!(got.bound, Some((Score::Mate(3), Bound::Upper)));
    assert_eq!(got.depth, Some(6));
    check_score(&["info depth 6 score lowerbound cp 900"], None);
    check_score(&["info depth 6 upperbound score cp 900"], None);
    check_score(&["info score cp 900 wdl 1 2 3 lowerbound"], None);
    let got = report(&["info score cp 9 lowerbound", "info score cp 8"]);
    assert_eq!((got.score, got.bound), (cp(8), None));
}

#[test]
fn only_the_best_of_several_lines_counts() {
    check_score(
        &[
            "info depth 5 multipv 1 score cp 20 pv e2e4",
            "info depth 5 multipv 2 score cp -700 pv a2a3",
        ],
        cp(20),
    );
    check_score(
        &[
            "info multipv 1 score cp 20",
            "info multipv 10 score cp -700",
        ],
        cp(20),
    );
    check_score(&["info score cp -700 multipv 2"], None);
    let got = report(&[
        "info multipv 1 score cp 20 pv e2e4",
        "info multipv 2 score cp 10 pv a2a3",
    ]);
    assert_eq!(got.pv.as_deref(), Some("e2e4"));
}

#[test]
fn scores_are_pawns_or_mates() {
    check_score(&["info score cp 40000"], cp(40_000));
    check_score(&["info score mate 3"], Some(Score::Mate(3)));
    check_score(&["info score mate -3"], Some(Score::Mate(-3)));
    check_score(&["info score mate 0"], Some(Score::Mate(0)));
    check_score(&["info score mate -0"], Some(Score::Mate(0)));
}

#[test]
fn what_is_no_number_is_missing() {
    for junk in [
        "99999999999999999999",
        "0.37",
        "-",
        "x",
        "",
        "1e5",
        "--5",
        "5cp",
        "NaN",
    ] {
        check_score(&[&format!("info depth 3 score cp {junk} nodes 7")], None);
        check_score(&[&format!("info depth 3 score mate {junk}")], None);
        let got = report(&[&format!(
            "info score cp 5 depth {junk} nodes {junk} time {junk} nps 9 {junk}"
        )]);
        assert_eq!(
            (got.score, got.depth, got.nodes, got.time),
            (cp(5), None, None, None),
            "{junk}"
        );
        assert_eq!(got.nps, Some(9), "{junk}");
    }
    let got = report(&["info nodes 18446744073709551616 time -5 depth -1 hashfull 4294967296"]);
    assert_eq!(got, SearchReport::default());
    assert_eq!(
        report(&["info nodes 18446744073709551615"]).nodes,
        Some(u64::MAX)
    );
}

#[test]
fn a_key_without_its_value_costs_only_itself() {
    check_score(&["info depth score cp 12"], cp(12));
    check_score(&["info score depth 4 score cp 12"], cp(12));
    assert_eq!(report(&["info depth nodes 4"]).nodes, Some(4));
}

#[test]
fn text_is_for_people() {
    check_score(&["info string score cp 900 pv e2e4"], None);
    check_score(&["info score cp 5 string score cp 900"], cp(5));
    check_score(
        &[
            "info depth 3 score cp 5",
            "info string depth 9 score mate 1",
        ],
        cp(5),
    );
}

#[test]
fn no_report_is_carried_over_and_nothing_is_made_up() {
    assert_eq!(report(&[]), SearchReport::default());
    assert_eq!(
        report(&[
            "info",
            "info depth",
            "info currmove e2e4",
            "score cp 5",
            "Info score cp 5"
        ]),
        SearchReport::default()
    );
}

#[test]
fn a_long_line_is_cut_between_moves() {
    let line = format!("info score cp 1 pv {}", "e2e4 ".repeat(200_000));
    let pv = report(&[&line]).pv.unwrap();
    assert!((3000..=4000).contains(&pv.len()));
    assert!(pv.split(' ').all(|mv| mv == "e2e4"));
}

#[test]
fn an_engine_writes_what_is_read_back() {
    let info = Info {
        depth: Some(5),
        seldepth: Some(9),
        multipv: Some(1),
        score: Some(Score::Mate(-2)),
        bound: Some(Bound::Upper),
        nodes: Some(1),
        nps: Some(2),
        tbhits: Some(3),
        hashfull: Some(4),
        time: Some(Duration::from_millis(6)),
        pv: b"e2e4 e7e5",
        string: b"",
    };
    let text = "info depth 5 seldepth 9 multipv 1 score mate -2 upperbound nodes 1 nps 2 hashfull 4 tbhits 3 time 6 pv e2e4 e7e5";
    assert_eq!(info.to_string(), text);
    assert_eq!(Reply::parse(text.as_bytes()), Reply::Info(info));
    let mut out = Vec::new();
    for reply in [
        Reply::IdName(b"A b"),
        Reply::IdAuthor(b"C"),
        Reply::Option(b"name X type button"),
        Reply::UciOk,
        Reply::ReadyOk,
        Reply::Info(Info {
            string: b"hello",
            ..Info::default()
        }),
        Reply::BestMove {
            mv: b"e2e4",
            ponder: Some(b"e7e5"),
        },
        Reply::Noise,
    ] {
        out.clear();
        reply.write_to(&mut out);
        assert_eq!(Reply::parse(&out), reply);
    }
}
