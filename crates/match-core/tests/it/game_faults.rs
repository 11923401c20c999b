//! Games that end by a fault, and what is odd without being one.

use crate::table::Table;

const MATE_IN_ONE: &str = "7k/5Q2/6K1/8/8/8/8/8 w - - 99 120";

#[test]
fn dying_or_stalling_on_ucinewgame_loses_the_game() {
    let begun = "
        w> uci
        b> uci
        w< uciok
        w> isready
        w< readyok
        w> ucinewgame
        w> isready
        b< uciok
        b> isready
        b< readyok
        b> ucinewgame
        b> isready
        b< readyok
    ";
    Table::new("10").fresh().check(&format!(
        "{begun} w closed\n = 0-1 white: crash; gave up white (crash), kept black"
    ));
    Table::new("10").fresh().check(&format!(
        "{begun} +60000
         +1000
         = 0-1 white: stall, no answer to `isready`; gave up white (stall, no answer to `isready`), kept black"
    ));
    Table::new("10").fresh().check(&format!(
        "{begun} +60000
         +999
         w< readyok
         = 0-1 white: stall, no answer to `isready`; kept both"
    ));
}

#[test]
fn an_illegal_move_loses_and_its_text_is_kept() {
    for word in [
        "(none)", "0000", "NULL", "a1a1", "", "e2e5", "e7e5", "e1g1", "e2e4q", "xyz", "E2E4",
    ] {
        Table::new("10").check(&format!(
            "
            w> go wtime 10000 btime 10000
            w< bestmove {word}
            = 0-1 white: illegal move `{word}`; gave up white (illegal move `{word}`), kept black
            "
        ));
    }
    let long = "x".repeat(100_000);
    let kept = format!("{}...", "x".repeat(64));
    Table::new("10").check(&format!(
        "
        w> go wtime 10000 btime 10000
        w< bestmove {long}
        = 0-1 white: illegal move `{kept}`; gave up white (illegal move `{kept}`), kept black
        "
    ));
    Table::new("10").check(
        "
        w> go wtime 10000 btime 10000
        w< bestmove e2\0e4
        = 0-1 white: illegal move `e2\u{fffd}e4`; gave up white (illegal move `e2\u{fffd}e4`), kept black
        ",
    );
}

#[test]
fn a_promotion_may_be_in_upper_case_and_is_passed_on_in_lower() {
    Table::new("10")
        .fen("8/PPP3k1/8/8/8/8/5ppp/K7 w - - 0 1")
        .check(
            "
        w> go wtime 10000 btime 10000
        w< bestmove c7c8Q
        b> position fen 8/PPP3k1/8/8/8/8/5ppp/K7 w - - 0 1 moves c7c8q
        b> go wtime 10000 btime 10000
        cancel
        = * void: Cancelled; kept white, gave up black
        ",
        );
}

#[test]
fn a_crash_is_the_loss_of_who_crashed() {
    Table::new("10").check(
        "
        w> go wtime 10000 btime 10000
        +100
        w closed
        = 0-1 white: crash; gave up white (crash), kept black
        ",
    );
}

#[test]
fn an_engine_that_ends_after_its_move_has_moved() {
    Table::new("10").check(
        "
        w> go wtime 10000 btime 10000
        w< bestmove e2e4
        b> go wtime 10000 btime 10000
        w closed
        +100
        b< bestmove e7e5
        = 0-1 white: crash; gave up white (crash), kept black
        ",
    );
    Table::new("10").fen(MATE_IN_ONE).check(
        "
        w> go wtime 10000 btime 10000
        w< bestmove f7g7
        = 1-0 checkmate; kept both
        w closed
        ",
    );
}

#[test]
fn the_end_of_an_engine_that_is_not_to_move_is_judged_at_its_turn() {
    Table::new("10").fen(MATE_IN_ONE).check(
        "
        w> go wtime 10000 btime 10000
        b closed
        w< bestmove f7g7
        = 1-0 checkmate; kept white, gave up black (crash)
        ",
    );
    Table::new("10").check(
        "
        w> go wtime 10000 btime 10000
        b closed
        w< bestmove e2e4
        = 1-0 black: crash; kept white, gave up black (crash)
        ",
    );
}

#[test]
fn bestmoves_that_nobody_asked_for_are_told_and_ignored() {
    Table::new("10").check(
        "
        w> go wtime 10000 btime 10000
        b< bestmove a7a6
        ! black: engine said `bestmove` while idle
        w< bestmove e2e4
        b> go wtime 10000 btime 10000
        w< bestmove d2d4
        ! white: engine said `bestmove` while idle
        b< bestmove e7e5
        w> position startpos moves e2e4 e7e5
        w> go wtime 10000 btime 10000
        cancel
        = * void: Cancelled; gave up white, kept black
        ",
    );
}

#[test]
fn an_answer_before_the_question_was_written_is_none() {
    Table::new("10").check(
        "
        w> go wtime 10000 btime 10000
        b blocked
        w< bestmove e2e4
        b< bestmove a7a6
        ! black: engine said `bestmove` before it was asked
        +1000
        b unblocked
        b> position startpos moves e2e4
        b> go wtime 10000 btime 10000
        +500
        b< bestmove e7e5
        w> go wtime 10000 btime 9500
        cancel
        = * void: Cancelled; gave up white, kept black
        ",
    );
}

/// Black reads nothing; what the white one is told, and after how long that is a stall.
#[track_caller]
fn check_deaf(table: Table, go: &str, millis: u32) {
    table.check(&format!(
        "
        w> go {go}
        b blocked
        w< bestmove e2e4
        +{}
        +1.001
        +1000
        = 1-0 black: stall, no answer to `go`; kept white, gave up black (stall, no answer to `go`)
        ",
        millis - 1
    ));
}

#[test]
fn an_engine_that_reads_nothing_stalls() {
    check_deaf(Table::new("10"), "wtime 10000 btime 10000", 10_000);
    check_deaf(Table::new("0.1"), "wtime 100 btime 100", 1000);
    check_deaf(Table::new("3600"), "wtime 3600000 btime 3600000", 60_000);
    check_deaf(Table::new("inf").nodes(5), "nodes 5", 60_000);
}

#[test]
fn oddities_without_end_are_told_a_few_times() {
    let oddity = "b< bestmove a7a6\n ! black: engine said `bestmove` while idle\n".repeat(16);
    let silence = "b< bestmove a7a6\n".repeat(100);
    Table::new("10").check(&format!(
        "
        w> go wtime 10000 btime 10000
        {oddity}
        b< bestmove a7a6
        ! black: further oddities of this engine in this game are not told
        {silence}
        w closed
        = 0-1 white: crash; gave up white (crash), kept black
        "
    ));
}
