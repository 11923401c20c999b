//! Games from the first word to the last, as transcripts; see [`crate::table`].

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
