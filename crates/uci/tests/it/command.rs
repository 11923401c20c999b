//! What an engine is told, written and read.

use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use uci::{Command, Go};

#[track_caller]
fn check(command: Command<'_>, want: &str) {
    let mut out = Vec::new();
    command.write_to(&mut out);
    assert_eq!(String::from_utf8(out).unwrap(), format!("{want}\n"));
    assert_eq!(Command::parse(want), Some(command), "{want}");
}

const fn millis(millis: u64) -> Option<Duration> {
    Some(Duration::from_millis(millis))
}

#[test]
fn every_command_is_written_as_it_is_read() {
    check(Command::Uci, "uci");
    check(Command::Debug(true), "debug on");
    check(Command::Debug(false), "debug off");
    check(Command::IsReady, "isready");
    check(Command::UciNewGame, "ucinewgame");
    check(Command::Stop, "stop");
    check(Command::PonderHit, "ponderhit");
    check(Command::Quit, "quit");
    check(
        Command::SetOption {
            name: "Clear Hash",
            value: None,
        },
        "setoption name Clear Hash",
    );
    check(
        Command::SetOption {
            name: "Skill Level",
            value: Some("3 of 5"),
        },
        "setoption name Skill Level value 3 of 5",
    );
    check(
        Command::SetOption {
            name: "Book",
            value: Some("<empty>"),
        },
        "setoption name Book value <empty>",
    );
    check(
        Command::Position {
            fen: None,
            moves: "",
        },
        "position startpos",
    );
    check(
        Command::Position {
            fen: None,
            moves: "e2e4 e7e5",
        },
        "position startpos moves e2e4 e7e5",
    );
    check(
        Command::Position {
            fen: Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
            moves: "e1g1",
        },
        "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1",
    );
}

#[test]
fn all_bounds_go_out_in_one_line() {
    check(
        Command::Go(Go {
            wtime: millis(5000),
            btime: millis(4000),
            winc: Duration::from_millis(50),
            binc: Duration::from_millis(60),
            movestogo: NonZeroU32::new(40),
            depth: NonZeroU32::new(12),
            nodes: NonZeroU64::new(10_000),
            movetime: millis(300),
            ..Go::default()
        }),
        "go nodes 10000 depth 12 movetime 300 wtime 5000 btime 4000 winc 50 binc 60 movestogo 40",
    );
    check(
        Command::Go(Go {
            infinite: true,
            ..Go::default()
        }),
        "go infinite",
    );
    check(
        Command::Go(Go {
            mate: NonZeroU32::new(3),
            ponder: true,
            searchmoves: "e2e4 d2d4",
            ..Go::default()
        }),
        "go mate 3 ponder searchmoves e2e4 d2d4",
    );
    check(Command::Go(Go::default()), "go");
}

#[test]
fn no_time_goes_out_as_zero() {
    let mut out = Vec::new();
    let go = Go {
        wtime: Some(Duration::ZERO),
        btime: Some(Duration::from_micros(1999)),
        movetime: Some(Duration::from_nanos(1)),
        ..Go::default()
    };
    Command::Go(go).write_to(&mut out);
    assert_eq!(out, b"go movetime 1 wtime 1 btime 1\n");
}

#[test]
fn an_engine_reads_what_others_write_badly() {
    let go = |text| match Command::parse(text) {
        Some(Command::Go(go)) => go,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(go("  go \t wtime   100\tbtime 200 \r\n").btime, millis(200));
    assert_eq!(go("go wtime 0 btime -2 winc 20").btime, millis(0));
    assert_eq!(go("go wtime btime 5").btime, millis(5));
    assert_eq!(
        go("go movestogo 0 nodes x depth 3").depth,
        NonZeroU32::new(3)
    );
    assert_eq!(
        go("go searchmoves e2e4 d2d4 depth 3").searchmoves,
        "e2e4 d2d4"
    );
    for nonsense in [
        "",
        "  ",
        "position",
        "position e2e4",
        "setoption",
        "xyzzy",
        "gone",
        "UCI",
    ] {
        assert_eq!(Command::parse(nonsense), None, "{nonsense}");
    }
    assert_eq!(
        Command::parse("position fen   8/8/8/8/8/8/8/8 w - - 0 1   moves  "),
        Some(Command::Position {
            fen: Some("8/8/8/8/8/8/8/8 w - - 0 1"),
            moves: ""
        }),
    );
    assert_eq!(
        Command::parse("setoption name  UCI_Chess960   value  true "),
        Some(Command::SetOption {
            name: "UCI_Chess960",
            value: Some("true")
        }),
    );
}
