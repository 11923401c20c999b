use crate::{Talk, transcript};

/// What is said to `lines` by an engine with `args` must contain each of `parts`, in this order.
#[track_caller]
fn check(args: &[&str], lines: &str, parts: &[&str]) {
    let (said, code) = transcript(args, lines);
    let said = String::from_utf8(said).unwrap();
    let mut rest = said.as_str();
    for part in parts {
        let at = rest
            .find(part)
            .unwrap_or_else(|| panic!("no `{part}` in\n{said}"));
        rest = &rest[at + part.len()..];
    }
    assert_eq!(code, Some(0));
}

#[test]
fn it_introduces_itself_and_is_ready() {
    check(
        &["--level", "3", "--name", "Sparrow"],
        "uci\nisready",
        &[
            "id name Sparrow\n",
            "option name Hash type spin default 16 min 1",
            "option name Level type spin default 3 min 1 max 10\n",
            "option name UCI_Chess960 type check default false\n",
            "uciok\n",
            "readyok\n",
        ],
    );
}

#[test]
fn it_reports_depth_score_nodes_speed_time_and_line_and_plays_the_first_move_of_it() {
    let mut talk = Talk::with(&[]);
    talk.say("position startpos moves e2e4\ngo depth 6");
    let lines = talk.hear("bestmove");
    let [.., info, bestmove] = lines.as_slice() else {
        panic!("{lines:?}")
    };
    for key in [
        "depth 6",
        "seldepth ",
        "score cp ",
        "nodes ",
        "nps ",
        "hashfull ",
        "time ",
        "pv ",
    ] {
        assert!(info.contains(key), "no `{key}` in `{info}`");
    }
    let pv = info.split_once(" pv ").unwrap().1;
    assert_eq!(pv.split(' ').next(), bestmove.strip_prefix("bestmove "));
}

#[test]
fn it_answers_isready_while_it_thinks_and_stops_when_told() {
    let mut talk = Talk::with(&[]);
    talk.say("go infinite\nisready");
    talk.hear("readyok");
    talk.say("isready");
    talk.hear("readyok");
    talk.say("stop");
    talk.hear("bestmove");
    talk.say("go depth 1");
    talk.hear("bestmove");
}

#[test]
fn a_search_without_end_that_has_come_to_one_waits_for_stop() {
    let mut talk = Talk::with(&["--level", "1"]);
    talk.say("go infinite\nisready");
    let before = talk.hear("readyok");
    assert!(!before.iter().any(|line| line.starts_with("bestmove")));
    talk.say("stop\nisready");
    talk.hear("bestmove");
    talk.hear("readyok");
}

#[test]
fn words_that_come_in_one_piece_are_all_heard() {
    let words = "go infinite\nstop\nposition startpos moves e2e4\ngo depth 1\nquit\n";
    check(&[], words, &["bestmove ", "\ninfo depth 1", "\nbestmove "]);
}

#[test]
fn a_line_longer_than_any_buffer_is_read_whole() {
    let there_and_back = " g1f3 g8f6 f3g1 f6g8".repeat(2_000);
    let lines = format!("position startpos moves{there_and_back} e2e4\ngo depth 1\nisready");
    check(&["--random"], &lines, &["bestmove ", "readyok\n"]);
    let (said, _) = transcript(&["--random"], &lines);
    let said = String::from_utf8(said).unwrap();
    assert!(!said.contains("info string"), "{said}");
    // Black is to move.
    assert!(
        ["5", "6"].iter().any(|rank| said[..13].contains(rank)),
        "{said}"
    );
}

#[test]
fn quit_ends_a_search_at_once() {
    check(&[], "go infinite\nquit", &["bestmove "]);
}

#[test]
fn the_end_of_the_input_ends_a_search_at_once() {
    check(&[], "go infinite", &["bestmove "]);
    check(&[], "go wtime 3600000 btime 3600000", &["bestmove "]);
}

#[test]
fn limits_are_kept_together() {
    let mut talk = Talk::with(&[]);
    talk.say("go nodes 3000 depth 40 wtime 600000 btime 600000");
    let lines = talk.hear("bestmove");
    let nodes = |line: &String| {
        line.split_once(" nodes ")?
            .1
            .split(' ')
            .next()?
            .parse()
            .ok()
    };
    let most: u64 = lines.iter().filter_map(nodes).max().unwrap();
    assert!(most <= 3_000, "{most}");
}

/// Castling as it is read and, among a hundred random moves, as it is written.
#[track_caller]
fn check_castling(options: &str, castling: &str, other: &str) {
    let position = "position fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1";
    let read = format!("{options}\n{position} moves {castling} f8e7\ngo");
    check(&["--random"], &read, &["\nbestmove "]);
    let write = format!("{options}\n{position}\n{}", "go\n".repeat(100));
    let (said, _) = transcript(&["--random"], &write);
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains(&format!("bestmove {castling}\n")), "{said}");
    assert!(!said.contains(&format!("bestmove {other}\n")), "{said}");
}

#[test]
fn castling_is_read_and_written_as_the_variant_wants_it() {
    check_castling("isready", "e1g1", "e1h1");
    check_castling(
        "setoption name UCI_Chess960 value true\nisready",
        "e1h1",
        "e1g1",
    );
}

#[test]
fn a_position_that_cannot_be_is_said_to_be_so_and_changes_nothing() {
    let lines = "position startpos moves e2e5\nposition fen what\ngo depth 1";
    check(
        &[],
        lines,
        &["info string move `e2e5`", "info string", "bestmove "],
    );
}

#[test]
fn where_there_is_no_move_none_is_given() {
    let mated = "position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1\ngo";
    check(&[], mated, &["bestmove (none)\n"]);
    check(&["--random"], mated, &["bestmove (none)\n"]);
}

#[test]
fn the_stopwatch_tells_how_long_it_thought() {
    let lines = "go nodes 1000";
    check(
        &["--stopwatch"],
        lines,
        &["info string thought ", " ns\nbestmove "],
    );
    check(
        &["--stopwatch", "--random"],
        lines,
        &["info string thought ", " ns\nbestmove "],
    );
}

#[test]
fn a_command_line_that_is_not_understood_is_refused_with_code_2() {
    assert_eq!(transcript(&["--level", "0"], ""), (Vec::new(), Some(2)));
}
