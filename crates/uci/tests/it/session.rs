//! Conversations as transcripts: `>` is us, `<` the engine; then what came of it, and the phase.

use uci::{Command, Heard, Session};

#[track_caller]
fn check(transcript: &str) {
    let lines = || {
        transcript
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
    };
    let mut session = Session::new();
    for line in lines() {
        let said = line
            .split(" | ")
            .next()
            .expect("a split has a first part")
            .trim_end();
        let result = play(&mut session, said);
        let got = format!("{said} | {result} | {}", session.phase());
        let want: Vec<&str> = line.split(" | ").map(str::trim).collect();
        assert_eq!(got, want.join(" | "));
    }
}

fn play(session: &mut Session, line: &str) -> String {
    let mut out = Vec::new();
    if let Some(command) = line.strip_prefix("> ") {
        let command = Command::parse(command).expect("a transcript's commands are commands");
        return match session.send(&command, &mut out) {
            Ok(()) => "ok".to_owned(),
            Err(misuse) => {
                assert!(out.is_empty(), "nothing is sent of what is refused");
                misuse.to_string()
            }
        };
    }
    let line = line
        .strip_prefix("<")
        .expect("a line is said by somebody")
        .replace("\\t", "\t");
    match session.receive(line.as_bytes()) {
        Ok(Heard::Nothing) => "nothing".to_owned(),
        Ok(Heard::BadOption(error)) => error.to_string(),
        Ok(Heard::UciOk) => "uciok".to_owned(),
        Ok(Heard::ReadyOk) => "readyok".to_owned(),
        Ok(Heard::BestMove { mv, ponder }) => {
            let text = |word: &[u8]| String::from_utf8_lossy(word).into_owned();
            format!(
                "best `{}` {}",
                text(mv),
                ponder.map_or("-".to_owned(), text)
            )
        }
        Err(surprise) => surprise.to_string(),
    }
}

#[test]
fn an_ordinary_conversation_goes_round() {
    check(
        "
        > uci                               | ok                  | greeting
        < Stockfish 99 by them              | nothing             | greeting
        < id name Stockfish 99              | nothing             | greeting
        < option name Hash type spin default 16 min 1 max 9 | nothing | greeting
        < uciok                             | uciok               | idle
        > setoption name Hash value 4       | ok                  | idle
        > isready                           | ok                  | syncing
        < readyok                           | readyok             | idle
        > ucinewgame                        | ok                  | idle
        > isready                           | ok                  | syncing
        < info string loading               | nothing             | syncing
        < readyok                           | readyok             | idle
        > position startpos moves e2e4      | ok                  | idle
        > go wtime 1000 btime 1000          | ok                  | searching
        < info depth 1 score cp 3           | nothing             | searching
        < bestmove e7e5 ponder g1f3         | best `e7e5` g1f3    | idle
        > go infinite                       | ok                  | searching
        > stop                              | ok                  | stopping
        < bestmove e7e5                     | best `e7e5` -       | idle
        > quit                              | ok                  | quit
        ",
    );
}

#[test]
fn a_command_out_of_order_is_refused() {
    check(
        "
        > isready              | `isready` may not be sent while fresh     | fresh
        > go                   | `go` may not be sent while fresh          | fresh
        > uci                  | ok                                        | greeting
        > uci                  | `uci` may not be sent while greeting      | greeting
        > isready              | `isready` may not be sent while greeting  | greeting
        < uciok                | uciok                                     | idle
        > uci                  | `uci` may not be sent while idle          | idle
        > stop                 | `stop` may not be sent while idle         | idle
        > isready              | ok                                        | syncing
        > go                   | `go` may not be sent while syncing        | syncing
        < readyok              | readyok                                   | idle
        > go                   | ok                                        | searching
        > go                   | `go` may not be sent while searching      | searching
        > isready              | `isready` may not be sent while searching | searching
        > position startpos    | `position` may not be sent while searching | searching
        > stop                 | ok                                        | stopping
        > stop                 | `stop` may not be sent while stopping      | stopping
        > quit                 | ok                                        | quit
        > quit                 | `quit` may not be sent while quit          | quit
        ",
    );
}

#[test]
fn a_reply_out_of_order_is_a_surprise_that_changes_nothing() {
    check(
        "
        < uciok                | engine said `uciok` while fresh          | fresh
        < bestmove e2e4        | engine said `bestmove` while fresh       | fresh
        > uci                  | ok                                       | greeting
        < readyok              | engine said `readyok` while greeting     | greeting
        < uciok                | uciok                                    | idle
        < uciok                | engine said `uciok` while idle           | idle
        < bestmove e2e4        | engine said `bestmove` while idle        | idle
        > isready              | ok                                       | syncing
        < bestmove a2a3        | engine said `bestmove` while syncing     | syncing
        < readyok              | readyok                                  | idle
        < readyok              | engine said `readyok` while idle         | idle
        > go                   | ok                                       | searching
        < readyok              | engine said `readyok` while searching    | searching
        < bestmove e2e4        | best `e2e4` -                            | idle
        < bestmove e2e4        | engine said `bestmove` while idle        | idle
        < option name X type button | engine said `option` while idle     | idle
        ",
    );
}

#[test]
fn what_comes_before_our_greeting_is_a_banner() {
    let mut session = Session::new();
    for line in [
        "id name Banner",
        "option name Early type button",
        "Engine 1.0 by somebody",
        "info depth 3",
    ] {
        assert_eq!(session.receive(line.as_bytes()), Ok(Heard::Nothing));
    }
    assert_eq!((session.name(), session.options().len()), ("", 0));
}

#[test]
fn options_after_a_premature_uciok_are_not_lost() {
    let mut session = Session::new();
    let mut play = |line: &str| play(&mut session, line);
    assert_eq!(play("> uci"), "ok");
    assert_eq!(play("< uciok"), "uciok", "printed before it read anything");
    assert_eq!(play("> isready"), "ok");
    assert_eq!(play("< id name True Name"), "nothing");
    assert_eq!(
        play("< option name Hash type spin default 1 min 1 max 2"),
        "nothing"
    );
    assert_eq!(play("< uciok"), "engine said `uciok` while syncing");
    assert_eq!(play("< readyok"), "readyok");
    assert_eq!((session.name(), session.options().len()), ("True Name", 1));
}

#[test]
fn lines_are_understood_with_any_blanks_and_no_others_are() {
    check(
        "
        > uci                         | ok                       | greeting
        < \\t  uciok  \\t              | uciok                    | idle
        > isready                     | ok                       | syncing
        < readyokay                   | nothing                  | syncing
        < info nodes 12readyok        | nothing                  | syncing
        < READYOK                     | nothing                  | syncing
        <    readyok                  | readyok                  | idle
        > go                          | ok                       | searching
        < bestmovee2e4                | nothing                  | searching
        < \\tbestmove\\t e2e4  \\t ponder \\t e7e5 | best `e2e4` e7e5 | idle
        ",
    );
}

#[test]
fn every_word_after_bestmove_is_the_engines_own() {
    for (line, want) in [
        ("< bestmove", "best `` -"),
        ("< bestmove (none)", "best `(none)` -"),
        ("< bestmove 0000", "best `0000` -"),
        ("< bestmove NULL ponder 0000", "best `NULL` 0000"),
        ("< bestmove a1a1 ponder", "best `a1a1` -"),
        ("< bestmove c7c8Q", "best `c7c8Q` -"),
        ("< bestmove e2e4 and more", "best `e2e4` -"),
        ("< bestmove e2e4info depth 3", "best `e2e4info` -"),
    ] {
        let mut session = Session::new();
        for line in ["> uci", "< uciok", "> go"] {
            play(&mut session, line);
        }
        assert_eq!(play(&mut session, line), want, "{line}");
    }
}

#[test]
fn bytes_that_are_no_text_are_replaced_in_names() {
    let mut session = Session::new();
    play(&mut session, "> uci");
    assert_eq!(
        session.receive(b"id author M\xf6rike \xb7 Co\r\n"),
        Ok(Heard::Nothing)
    );
    assert_eq!(session.author(), "M\u{fffd}rike \u{fffd} Co");
    assert_eq!(
        session.receive(b"id author A\x1b[2J\0B"),
        Ok(Heard::Nothing)
    );
    assert_eq!(session.author(), "A\u{fffd}[2J\u{fffd}B");
    let long = [&b"id name "[..], &[b'x'; 100_000]].concat();
    assert_eq!(session.receive(&long), Ok(Heard::Nothing));
    assert_eq!(session.name().len(), 256);
}

#[test]
fn each_search_has_its_own_report() {
    let mut session = Session::new().capturing_pv(true);
    for line in [
        "> uci",
        "< uciok",
        "> go",
        "< info depth 9 score cp 50 pv e2e4",
        "< bestmove e2e4",
    ] {
        play(&mut session, line);
    }
    let first = session.take_report();
    assert_eq!(first.depth, Some(9));
    assert_eq!(first.pv.as_deref(), Some("e2e4"));
    for line in ["< info depth 12 score cp 70", "> go", "< bestmove e2e4"] {
        play(&mut session, line);
    }
    assert_eq!(session.take_report(), uci::SearchReport::default());
}

#[test]
fn the_last_remark_of_a_search_is_kept_when_it_is_asked_for() {
    let lines = [
        "> uci",
        "< uciok",
        "> go",
        "< info string first",
        "< info depth 1 string the last one",
        "< info depth 2",
        "< bestmove e2e4",
    ];
    for (on, remark) in [(true, Some("the last one")), (false, None)] {
        let mut session = Session::new().capturing_remark(on);
        for line in lines {
            play(&mut session, line);
        }
        assert_eq!(session.take_report().remark.as_deref(), remark);
    }
}
