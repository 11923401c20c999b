//! Games against the clock: flags, margins, limits, the watchdog.

use engine_core::FlagPolicy;
use std::num::NonZeroU32;
use std::time::Duration;

use crate::table::Table;

const MATE_IN_ONE: &str = "7k/5Q2/6K1/8/8/8/8/8 w - - 99 120";

#[test]
fn the_last_nanosecond_is_in_time_and_the_next_is_not() {
    let go = "w> go wtime 10100 btime 10100 winc 100 binc 100\n";
    Table::new("10+0.1").check(&format!(
        "{go} +10100\n w< bestmove e2e4\n b> go wtime 100 btime 10100 winc 100 binc 100
         +10100.000001\n b> stop\n b< bestmove e7e5\n b> isready\n b< readyok
         = 1-0 black: time loss by 1 ms; kept both"
    ));
}

#[test]
fn what_comes_late_is_late_be_it_mate() {
    Table::new("1").fen(MATE_IN_ONE).nodes(1).check(
        "
        w> go nodes 1 wtime 1000 btime 1000
        +1000.000001
        w> stop
        w< bestmove f7g7
        w> isready
        w< readyok
        = 1/2-1/2 white: time loss by 1 ms; kept both
        ",
    );
}

#[test]
fn a_late_answer_shows_how_late_it_was() {
    Table::new("1").check(
        "
        w> go wtime 1000 btime 1000
        +1012
        w> stop
        +400
        w< bestmove e2e4
        w> isready
        +100
        w< readyok
        = 0-1 white: time loss by 412 ms; kept both
        ",
    );
}

#[test]
fn an_overrun_within_the_margin_is_forgiven() {
    Table::new("0+0.1").margin(200).check(
        "
        w> go wtime 100 btime 100 winc 100 binc 100
        +250
        w< bestmove e2e4
        b> go wtime 100 btime 100 winc 100 binc 100
        +301
        b> stop
        +1000
        = 1-0 black: time loss by 1 ms; kept white, gave up black (time loss by 1 ms)
        ",
    );
}

#[test]
fn the_policy_decides_who_wins_when_a_flag_falls() {
    let fall = |fen: &str, policy: FlagPolicy, want: &str| {
        let mut table = Table::new("1").fen(fen);
        table.rules.flag_policy = policy;
        table.check(&format!(
            "
            w> go wtime 1000 btime 1000
            +1001
            w> stop
            w< bestmove e1e2
            w> isready
            w< readyok
            = {want} white: time loss by 1 ms; kept both
            "
        ));
    };
    fall(
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        FlagPolicy::BareKing,
        "1/2-1/2",
    );
    fall("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", FlagPolicy::Loss, "0-1");
    fall(
        "4k1n1/8/8/8/8/8/8/Q3K3 w - - 0 1",
        FlagPolicy::BareKing,
        "0-1",
    );
    fall(
        "4k1n1/8/8/8/8/8/8/Q3K3 w - - 0 1",
        FlagPolicy::CannotMate,
        "1/2-1/2",
    );
}

#[test]
fn a_flood_of_lines_puts_no_deadline_off() {
    let flood = "w< info depth 1 score cp 3\n +100\n".repeat(10);
    Table::new("1").check(&format!(
        "
        w> go wtime 1000 btime 1000
        {flood}
        w< info depth 2
        +0.000001
        w> stop
        w< info depth 3
        w< bestmove e2e4
        w> isready
        w< info string what is there
        w< readyok
        = 0-1 white: time loss by 1 ms; kept both
        "
    ));
}

#[test]
fn without_a_clock_the_watchdog_hears_any_word() {
    Table::new("inf").nodes(1000).check(
        "
        w> go nodes 1000
        +59999
        w< info depth 9
        +59999
        w< anything
        +60000
        w> stop
        w< bestmove e2e4
        w> isready
        w< readyok
        = 0-1 white: stall, no answer to `go`; kept both
        ",
    );
}

#[test]
fn a_fixed_time_is_for_one_move_and_is_kept_with_a_margin() {
    let mut table = Table::new("inf").margin(20);
    table.limits.white.move_time = Some(Duration::from_millis(100));
    table.limits.black.move_time = Some(Duration::from_millis(50));
    table.check(
        "
        w> go movetime 100
        +120
        w< bestmove e2e4
        b> go movetime 50
        +1
        b< bestmove e7e5
        w> go movetime 100
        +121
        w> stop
        +1000
        = 0-1 white: time loss by 1 ms; gave up white (time loss by 1 ms), kept black
        ",
    );
}

#[test]
fn all_limits_go_out_together_and_the_clock_still_counts() {
    let mut table = Table::new("5+0.05").nodes(10_000);
    table.limits.white.depth = NonZeroU32::new(12);
    table.limits.white.move_time = Some(Duration::from_millis(6000));
    table.check(
        "
        w> go nodes 10000 depth 12 movetime 6000 wtime 5050 btime 5050 winc 50 binc 50
        +5051
        w> stop
        w< bestmove e2e4
        w> isready
        w< readyok
        = 0-1 white: time loss by 1 ms; kept both
        ",
    );
}

#[test]
fn moves_to_go_are_the_movers_own() {
    let mut table = Table::new("2/10+0.1");
    table.limits.black.clock = match_core::limits::parse_tc("3/5").unwrap();
    table.check(
        "
        w> go wtime 10100 btime 5000 winc 100 movestogo 2
        w< bestmove e2e4
        b> go wtime 10200 btime 5000 winc 100 movestogo 3
        b< bestmove e7e5
        w> go wtime 10200 btime 5000 winc 100 movestogo 1
        +10195
        w< bestmove g1f3
        b> go wtime 10105 btime 5000 winc 100 movestogo 2
        b< bestmove b8c6
        w> go wtime 10105 btime 5000 winc 100 movestogo 2
        cancel
        = * void: Cancelled; gave up white, kept black
        ",
    );
}

#[test]
fn an_engine_without_a_clock_sees_none_and_one_with_a_clock_sees_two() {
    let mut table = Table::new("10+0.1");
    table.limits.black.clock = None;
    table.limits.black.nodes = std::num::NonZeroU64::new(500);
    table.check(
        "
        w> go wtime 10100 btime 10100 winc 100 binc 100
        w< bestmove e2e4
        b> go nodes 500
        b< bestmove e7e5
        w> go wtime 10200 btime 10200 winc 100 binc 100
        cancel
        = * void: Cancelled; gave up white, kept black
        ",
    );
}

#[test]
fn no_clock_goes_out_as_zero() {
    Table::new("1").margin(50).check(
        "
        w> go wtime 1000 btime 1000
        +1040
        w< bestmove e2e4
        b> go wtime 1 btime 1000
        b< bestmove e7e5
        w> go wtime 1 btime 1000
        +50
        w< bestmove g1f3
        b> go wtime 1 btime 1000
        cancel
        = * void: Cancelled; kept white, gave up black
        ",
    );
}
