//! What engines do wrong: the right one loses, the next game is played, nobody is left.

use std::time::{Duration, Instant};

use engine_core::{Color, Ending};
use match_core::fault::Fault;
use match_core::verdict::Verdict;
use match_runner::{ErrorKind, PrepareError};

use crate::rig::{Folder, Played, Script, match_of, play, try_prepare};

/// A pair of games in which `a` is as described and `b` is good.
fn play_against(folder: &Folder, a: &Script, more: &str) -> Played {
    folder.engine("a", a);
    folder.engine("b", &Script::default());
    let played = play(&match_of(folder, 1, more));
    assert_eq!(folder.survivors(), [""; 0]);
    assert_eq!(played.finished.summary.games, 2, "{:?}", played.warnings());
    played
}

/// Whether a warning contains all parts.
fn warns(played: &Played, parts: &[&str]) -> bool {
    played
        .warnings()
        .iter()
        .any(|text| parts.iter().all(|part| text.contains(part)))
}

#[track_caller]
fn check_fault(a: &Script, more: &str, is: fn(&Fault) -> bool) -> Played {
    let folder = Folder::new();
    let played = play_against(&folder, a, more);
    let losers = [Color::White, Color::Black];
    for (verdict, loser) in played.verdicts().into_iter().zip(losers) {
        match verdict {
            Verdict::Forfeit {
                loser: found,
                fault,
                ..
            } if is(fault) => assert_eq!(*found, loser),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(played.finished.summary.engines[0].losses, 2);
    played
}

#[track_caller]
fn check_mates(a: &Script) -> Played {
    let folder = Folder::new();
    let played = play_against(&folder, a, "");
    let mate = Verdict::Rules(Ending::Checkmate {
        winner: Color::Black,
    });
    assert_eq!(played.verdicts(), [&mate; 2], "{:?}", played.warnings());
    played
}

#[test]
fn a_crash_is_lost_by_the_one_that_crashed_and_its_last_words_are_told() {
    let script = Script {
        on_go: "echo out of luck >&2; exit 3",
        ..Script::default()
    };
    let played = check_fault(&script, "", |fault| *fault == Fault::Crash);
    assert!(
        warns(&played, &["ended with exit code 3", "out of luck"]),
        "{:?}",
        played.warnings()
    );
    assert_eq!(played.restarts(), 2);
    assert_eq!(played.finished.summary.engines[0].crashes, 2);
}

#[test]
fn the_signal_that_killed_an_engine_is_named() {
    let script = Script {
        on_go: "kill -SEGV $$",
        ..Script::default()
    };
    let played = check_fault(&script, "", |fault| *fault == Fault::Crash);
    assert!(
        warns(&played, &["killed by SIGSEGV"]),
        "{:?}",
        played.warnings()
    );
}

#[test]
fn an_engine_that_closes_its_output_and_lives_on_has_crashed() {
    let script = Script {
        on_go: "exec >&-; while :; do sleep 1; done",
        ..Script::default()
    };
    let played = check_fault(&script, "", |fault| *fault == Fault::Crash);
    assert!(
        warns(&played, &["closed its output"]),
        "{:?}",
        played.warnings()
    );
}

#[test]
fn an_engine_that_hangs_loses_on_time_and_is_gone_though_it_ignores_everything() {
    let script = Script {
        on_start: "trap '' TERM INT HUP",
        on_go: ":",
        on_quit: ":",
        ..Script::default()
    };
    let began = Instant::now();
    check_fault(
        &script,
        "tc = \"0.1\"\n[patience]\nsettle = 0.1\n",
        |fault| matches!(fault, Fault::TimeLoss { .. }),
    );
    assert!(
        began.elapsed() < Duration::from_secs(3),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn an_engine_without_a_clock_that_says_nothing_is_barked_at() {
    let script = Script {
        on_go: ":",
        ..Script::default()
    };
    let more = "tc = \"inf\"\nnodes = 100\n[patience]\nwatchdog = 0.2\nsettle = 0.1\n";
    check_fault(&script, more, |fault| matches!(fault, Fault::Stall { .. }));
}

#[test]
fn an_illegal_move_is_kept_as_it_was_said() {
    let script = Script {
        on_go: "echo bestmove a1a1",
        ..Script::default()
    };
    check_fault(&script, "", |fault| {
        *fault
            == Fault::IllegalMove {
                text: "a1a1".into(),
            }
    });
}

#[test]
fn a_child_that_holds_the_pipe_hides_no_crash_and_dies_with_the_game() {
    let script = Script {
        on_start: "sleep 1000 & echo $! >> pids",
        on_go: "exit 1",
        ..Script::default()
    };
    let began = Instant::now();
    check_fault(&script, "", |fault| *fault == Fault::Crash);
    assert!(
        began.elapsed() < Duration::from_secs(3),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn a_flood_on_stderr_blocks_nobody() {
    check_mates(&Script {
        on_start: "head -c 2000000 /dev/zero | tr '\\0' 'x' >&2",
        ..Script::default()
    });
    check_mates(&Script {
        on_go: "head -c 200000 /dev/zero >&2; answer",
        ..Script::default()
    });
}

#[test]
fn a_line_of_a_megabyte_is_cut_and_named() {
    let script = Script {
        on_go: "printf 'info string '; head -c 1000000 /dev/zero | tr '\\0' 'x'; echo; answer",
        ..Script::default()
    };
    let played = check_mates(&script);
    assert!(
        warns(&played, &["more than 65536 bytes"]),
        "{:?}",
        played.warnings()
    );
}

#[test]
fn twenty_thousand_lines_a_move_are_no_fault() {
    let script = Script {
        on_go: "yes 'info depth 3 score cp 7 nodes 12345 pv e2e4 e7e5' | head -n 20000; answer",
        ..Script::default()
    };
    check_mates(&script);
}

#[test]
fn lines_may_come_in_pieces_with_carriage_returns_and_blanks() {
    let script = Script {
        on_ready: "printf 'ready'; printf 'ok\\r\\n'",
        on_go: "answer | { read -r info; read -r best; printf ' \\tbest'; printf '%s  \\r\\n' \"${best#best}\"; }",
        ..Script::default()
    };
    check_mates(&script);
}

#[test]
fn a_last_move_without_a_newline_counts_and_the_end_is_judged_at_the_next_turn() {
    let script = Script {
        on_go: "answer | tail -n 1 | tr -d '\\n'; exit 0",
        ..Script::default()
    };
    let folder = Folder::new();
    let played = play_against(&folder, &script, "");
    for record in played.records() {
        assert!(
            matches!(
                record.verdict,
                Verdict::Forfeit {
                    fault: Fault::Crash,
                    ..
                }
            ),
            "{:?}",
            record.verdict
        );
        let color = record
            .fixture
            .color_of(match_core::fixture::EngineId(0))
            .expect("it plays");
        let moved = if color == Color::White { 2 } else { 3 };
        assert_eq!(
            record.plies.len(),
            moved,
            "its move and its opponent's stand"
        );
    }
}

#[test]
fn an_engine_that_ignores_quit_and_sigterm_is_killed_within_its_grace() {
    let folder = Folder::new();
    let stubborn = Script {
        on_start: "trap '' TERM",
        on_quit: ":",
        at_end: "while :; do sleep 1; done",
        ..Script::default()
    };
    folder.engine("a", &stubborn);
    folder.engine("b", &stubborn);
    let began = Instant::now();
    play(&match_of(&folder, 1, "[patience]\nquit = 1\n"));
    // Both at the same time: 1 s for `quit`, 0.25 s for SIGTERM.
    assert!(
        began.elapsed() < Duration::from_millis(2200),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(folder.survivors(), [""; 0]);
}

#[test]
fn an_engine_that_ends_after_its_last_move_has_lost_nothing_and_is_replaced() {
    let folder = Folder::new();
    folder.engine(
        "a",
        &Script {
            on_go: "answer; [ $plies -lt 2 ] || exit 0",
            ..Script::default()
        },
    );
    // Slow enough that the other's end is seen while the game goes on.
    folder.engine(
        "b",
        &Script {
            on_go: "sleep 0.1; answer",
            ..Script::default()
        },
    );
    let played = play(&match_of(&folder, 1, ""));
    let mate = Verdict::Rules(Ending::Checkmate {
        winner: Color::Black,
    });
    assert_eq!(played.verdicts(), [&mate; 2], "{:?}", played.warnings());
    assert_eq!(folder.survivors(), [""; 0]);
}

#[test]
fn what_is_longer_than_a_pipe_is_written_piece_by_piece() {
    let folder = Folder::new();
    let reads_late = Script {
        on_start: "sleep 0.1",
        on_uci: "echo option name Long type string default x; echo uciok; sleep 0.1",
        ..Script::default()
    };
    folder.engine("a", &reads_late);
    folder.engine("b", &Script::default());
    let options = format!(
        "restart = true\noptions = {{ Long = \"{}\" }}\n",
        "long".repeat(40_000)
    );
    let played = play(&match_of(&folder, 1, &options));
    assert_eq!(played.finished.summary.games, 2, "{:?}", played.warnings());
    assert_eq!(played.finished.summary.engines[0].stalls, 0);
}

#[test]
fn an_engine_that_does_not_read_what_is_longer_than_a_pipe_is_given_up() {
    let deaf = Script {
        on_uci: "echo option name Long type string default x; echo uciok; while :; do sleep 1; done",
        ..Script::default()
    };
    let options = format!(
        "options = {{ Long = \"{}\" }}\n[patience]\nstartup = 0.5\n",
        "long".repeat(40_000)
    );
    let began = Instant::now();
    check_refused(
        &deaf,
        &options,
        ErrorKind::Engine,
        &["`a`", "no answer to `isready`"],
    );
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
}

/// Why a contest of `a` and a good engine cannot begin.
fn refused(a: &Script, more: &str) -> PrepareError {
    let folder = Folder::new();
    folder.engine("a", a);
    folder.engine("b", &Script::default());
    let error = try_prepare(&match_of(&folder, 1, more)).expect_err("it cannot begin");
    assert_eq!(folder.survivors(), [""; 0]);
    error
}

#[track_caller]
fn check_refused(a: &Script, more: &str, kind: ErrorKind, parts: &[&str]) {
    let error = refused(a, more);
    assert_eq!(error.kind(), kind, "{error}");
    for part in parts {
        assert!(
            error.to_string().contains(part),
            "`{error}` does not say `{part}`"
        );
    }
}

#[test]
fn what_cannot_play_is_told_before_the_first_game() {
    let dies = Script {
        on_uci: "echo libfoo.so missing >&2; exit 127",
        ..Script::default()
    };
    check_refused(
        &dies,
        "",
        ErrorKind::Engine,
        &["`a`", "ended with exit code 127", "libfoo.so missing"],
    );
    let hangs = Script {
        on_uci: ":",
        ..Script::default()
    };
    check_refused(
        &hangs,
        "[patience]\nstartup = 0.2\n",
        ErrorKind::Engine,
        &["`a`", "no answer to `uci`"],
    );
    let small = Script {
        on_uci: "echo option name Hash type spin default 16 min 1 max 64; echo uciok",
        ..Script::default()
    };
    check_refused(
        &small,
        "options = { Hash = 128 }",
        ErrorKind::Input,
        &["`a`", "Hash", "128"],
    );
}
