//! Games from the first word to the last, as transcripts; see [`crate::table`].

use engine_core::{Color, FlagPolicy};
use std::num::NonZeroU32;
use std::time::Duration;

use crate::table::Table;

const MATE_IN_ONE: &str = "7k/5Q2/6K1/8/8/8/8/8 w - - 99 120";

#[test]
fn a_game_is_played_to_mate() {
    let record = Table::new("10+0.1").check(
        "
        w> position startpos
        w> go wtime 10100 btime 10100 winc 100 binc 100
        w< info depth 3 score cp 20 pv f2f3
        +600
        w< bestmove f2f3 ponder e7e5
        b> position startpos moves f2f3
        b> go wtime 9600 btime 10100 winc 100 binc 100
        +0.001
        b< bestmove e7e5
        w> position startpos moves f2f3 e7e5
        w> go wtime 9600 btime 10199 winc 100 binc 100
        w< bestmove g2g4
        b> go wtime 9700 btime 10199 winc 100 binc 100
        +1.5
        b< bestmove d8h4
        = 0-1 checkmate; kept both
        ",
    );
    let record = record.unwrap();
    assert_eq!(record.plies.len(), 4);
    assert_eq!(record.duration, Duration::from_micros(601_501));
    let first = &record.plies[0];
    assert_eq!(first.spent, Duration::from_millis(600));
    assert_eq!(first.left, Some(Duration::from_millis(9_600)));
    assert_eq!(first.search.depth, Some(3));
    assert_eq!(first.search.pv.as_deref(), Some("f2f3"));
    assert_eq!(record.plies[1].spent, Duration::from_micros(1));
    assert_eq!(record.plies[1].search, uci::SearchReport::default());
}

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

#[test]
fn an_engine_that_reads_nothing_stalls() {
    Table::new("10").check(
        "
        w> go wtime 10000 btime 10000
        b blocked
        w< bestmove e2e4
        +60000
        +1000
        = 1-0 black: stall, no answer to `go`; kept white, gave up black (stall, no answer to `go`)
        ",
    );
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

#[test]
fn a_book_line_that_is_over_is_scored_at_once() {
    let record = Table::new("10")
        .fresh()
        .moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")
        .check("= 1/2-1/2 threefold repetition; kept both");
    assert_eq!(record.unwrap().opening.moves.len(), 8);
    let record = Table::new("10")
        .moves("f2f3 e7e5 g2g4 d8h4")
        .fresh()
        .check("= 0-1 checkmate; kept both");
    assert_eq!(record.unwrap().plies, []);
    let over = |fen: &str, want: &str| {
        Table::new("10")
            .fresh()
            .fen(fen)
            .check(&format!("= {want}; kept both"));
    };
    over("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2 stalemate");
    over("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "1-0 checkmate");
    over(
        "8/8/8/8/8/4k3/8/R3K3 w - - 100 90",
        "1/2-1/2 fifty-move rule",
    );
    over(
        "8/8/8/8/8/4k3/8/4K3 w - - 0 1",
        "1/2-1/2 insufficient material",
    );
}

#[test]
fn a_book_line_that_goes_on_after_its_end_is_cut_there() {
    let record = Table::new("10")
        .fresh()
        .moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 e2e4 e7e5")
        .check("= 1/2-1/2 threefold repetition; kept both");
    assert_eq!(record.unwrap().opening.moves.len(), 8);
}

#[test]
fn plies_of_the_book_count_for_repetition_and_go_out_in_one_line() {
    Table::new("10")
        .moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1")
        .check(
            "
        b> position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1
        b> go wtime 10000 btime 10000
        b< bestmove f6g8
        = 1/2-1/2 threefold repetition; kept both
        ",
        );
}

#[test]
fn the_laws_end_the_game_on_the_ply() {
    let ends = |fen: &str, mv: &str, want: &str| {
        Table::new("10").fen(fen).check(&format!(
            "w> go wtime 10000 btime 10000\n w< bestmove {mv}\n = {want}; kept both"
        ));
    };
    ends(
        "8/P7/8/8/8/5k2/8/7K w - - 0 1",
        "a7a8b",
        "1/2-1/2 insufficient material",
    );
    ends(MATE_IN_ONE, "f7g7", "1-0 checkmate");
    ends(
        "7k/8/6K1/8/8/8/8/5Q2 w - - 99 120",
        "f1a1",
        "1/2-1/2 fifty-move rule",
    );
    ends(
        "7k/8/6K1/8/8/8/8/5Q2 w - - 99 120",
        "f1f2",
        "1/2-1/2 fifty-move rule",
    );
}

#[test]
fn castling_is_written_as_the_variant_writes_it() {
    let castles = "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1";
    Table::new("10").fen(castles).moves("e1g1").check(
        "
        b> position fen r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1 moves e1g1
        b> go wtime 10000 btime 10000
        b< bestmove e8c8
        w> position fen r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1 moves e1g1 e8c8
        w> go wtime 10000 btime 10000
        cancel
        = * void: Cancelled; gave up white, kept black
        ",
    );
    Table::new("10").fen(castles).check(
        "
        w> go wtime 10000 btime 10000
        w< bestmove e1h1
        = 0-1 white: illegal move `e1h1`; gave up white (illegal move `e1h1`), kept black
        ",
    );
    Table::new("10")
        .chess960()
        .fen(castles)
        .moves("e1h1")
        .check(
            "
        b> position fen r3k3/8/8/8/8/8/8/4K2R w Ha - 0 1 moves e1h1
        b> go wtime 10000 btime 10000
        b< bestmove e8c8
        = 1-0 black: illegal move `e8c8`; kept white, gave up black (illegal move `e8c8`)
        ",
        );
}

#[test]
fn cancelling_ends_a_game_at_once_and_a_host_fault_brings_the_mover_to_rest() {
    Table::new("10").check(
        "w> go wtime 10000 btime 10000\n cancel\n = * void: Cancelled; gave up white, kept black",
    );
    Table::new("10").check(
        "
        w> go wtime 10000 btime 10000
        cancel host
        w> stop
        w< bestmove e2e4
        w> isready
        w< readyok
        = * void: Host(\"asleep\"); kept both
        ",
    );
}

#[test]
fn a_verdict_stands_whatever_comes_while_the_engines_come_to_rest() {
    Table::new("1").check(
        "
        w> go wtime 1000 btime 1000
        +1001
        w> stop
        cancel
        = 0-1 white: time loss by 1 ms; gave up white (time loss by 1 ms), kept black
        ",
    );
    Table::new("1").check(
        "
        w> go wtime 1000 btime 1000
        +1001
        w> stop
        b closed
        w closed
        = 0-1 white: time loss by 1 ms; gave up white (time loss by 1 ms), gave up black (crash)
        ",
    );
}

#[test]
fn both_claiming_a_mate_is_told_once() {
    Table::new("10").check(
        "
        w> go wtime 10000 btime 10000
        w< info score mate 32
        w< bestmove e2e4
        b> go wtime 10000 btime 10000
        b< info score mate 6
        b< bestmove e7e5
        w> go wtime 10000 btime 10000
        ! both: both engines claim a forced mate, an engine without a name (white) in 32 and an engine without a name (black) in 6, in `rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2`
        w< info score mate 31
        w< bestmove g1f3
        b> go wtime 10000 btime 10000
        cancel
        = * void: Cancelled; kept white, gave up black
        ",
    );
}
