//! Games until both engines are ready: processes, options, Chess960.

use engine_core::Color;

use crate::table::Table;

#[test]
fn new_processes_are_greeted_side_by_side() {
    Table::new("10")
        .fresh()
        .option(Color::White, "hash", "64")
        .option(Color::White, "Clear Hash", "")
        .option(Color::White, "Threads", "2")
        .check(
            "
            w> uci
            b> uci
            b< uciok
            b> isready
            w< id name One
            w< option name Hash type spin default 16 min 1 max 1024
            w< option name Threads type spin default 1 min 1 max 8
            w< option name Clear Hash type button
            w< uciok
            w> setoption name Threads value 2
            w> setoption name Hash value 64
            w> setoption name Clear Hash
            w> isready
            +3000
            b< readyok
            b> ucinewgame
            b> isready
            w< readyok
            w> ucinewgame
            w> isready
            w< readyok
            b< readyok
            w> position startpos
            w> go wtime 10000 btime 10000
            cancel
            = * void: Cancelled; gave up white, kept black
            ",
        );
}

#[test]
fn options_that_come_after_a_premature_uciok_are_set_all_the_same() {
    Table::new("10")
        .fresh()
        .option(Color::White, "Hash", "64")
        .chess960()
        .check(
            "
        w> uci
        b> uci
        w< uciok
        w> isready
        w< id name Late
        w< option name Hash type spin default 16 min 1 max 1024
        w< option name UCI_Chess960 type check default false
        w< uciok
        ! white: engine said `uciok` while syncing
        w< readyok
        w> setoption name Hash value 64
        w> setoption name UCI_Chess960 value true
        w> isready
        w< readyok
        w> ucinewgame
        w> isready
        cancel
        = * void: Cancelled; gave up white, gave up black
        ",
        );
}

#[test]
fn an_unknown_option_is_told_and_not_set() {
    Table::new("10")
        .fresh()
        .option(Color::White, "Hsah", "64")
        .check(
            "
        w> uci
        b> uci
        w< option name Hash type spin default 16 min 1 max 1024
        w< option name Odd type spin default x min y max z
        ! white: option `Odd` has `x` for its `default`
        w< uciok
        w> isready
        w< readyok
        w> ucinewgame
        w> isready
        ! white: no option `Hsah`, did you mean `Hash`? (it is not set)
        cancel
        = * void: Cancelled; gave up white, gave up black
        ",
        );
}

#[test]
fn a_setting_that_does_not_fit_means_that_nobody_plays() {
    let table = Table::new("10")
        .fresh()
        .option(Color::Black, "Hash", "5000");
    let record = table.check(
        "
        w> uci
        b> uci
        b< option name Hash type spin default 16 min 1 max 1024
        b< uciok
        w< uciok
        w> isready
        w< readyok
        = black cannot play: option `Hash` is 5000: 1 to 1024 are allowed; kept white, gave up black
        ",
    );
    assert_eq!(record, None);
}

#[test]
fn an_engine_that_lacks_chess960_plays_none() {
    Table::new("10").fresh().chess960().check(
        "
        w> uci
        b> uci
        w< option name UCI_Chess960 type check default false
        w< uciok
        w> setoption name UCI_Chess960 value true
        w> isready
        b< uciok
        b> isready
        b< readyok
        w< readyok
        = black cannot play: it plays no Chess960, it has no option `UCI_Chess960`; kept white, gave up black
        ",
    );
}

#[test]
fn standard_chess_does_without_the_option() {
    Table::new("10").fresh().check(
        "
        w> uci
        b> uci
        w< option name UCI_Chess960 type check default false
        w< uciok
        w> isready
        cancel
        = * void: Cancelled; gave up white, gave up black
        ",
    );
}

#[test]
fn an_engine_that_does_not_come_through_its_greeting_is_no_player() {
    let fresh = || Table::new("10").fresh();
    let begun = "w> uci\n b> uci\n b< uciok\n b> isready\n b< readyok\n b> ucinewgame\n b> isready\n b< readyok\n";
    fresh().check(&format!(
        "{begun} w closed \n = white did not start: crash; gave up white (crash), kept black"
    ));
    fresh().check(&format!(
        "{begun} w< banner\n +9999.999999 \n w< noise\n +0.000001
         = white did not start: stall, no answer to `uci`; gave up white (stall, no answer to `uci`), kept black"
    ));
    fresh().check(&format!(
        "{begun} +9000\n w< uciok\n w> isready\n +9999\n w< info nodes 12readyok\n +1
         = white did not start: stall, no answer to `isready`; gave up white (stall, no answer to `isready`), kept black"
    ));
}

#[test]
fn the_engine_that_did_start_is_greeted_to_the_end_and_kept() {
    Table::new("10")
        .fresh()
        .option(Color::Black, "Hash", "2")
        .check(
            "
        w> uci
        b> uci
        w closed
        +500
        b< option name Hash type spin default 1 min 1 max 4
        b< uciok
        b> setoption name Hash value 2
        b> isready
        +400
        b< readyok
        = white did not start: crash; gave up white (crash), kept black
        ",
        );
    Table::new("10").fresh().check(
        "
        w> uci
        b> uci
        w closed
        +1000
        = white did not start: crash; gave up white (crash), gave up black
        ",
    );
}
