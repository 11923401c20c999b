//! What an engine is told, in what order, written down by the engine itself.

use end_to_end::Stage;

/// What an engine heard in four games against a random mover, all from one opening of `book`.
#[track_caller]
fn heard(engine: &str, words: &[&str], book: &str) -> Vec<String> {
    let stage = Stage::default();
    let file = if book.starts_with("1.") {
        "book.pgn"
    } else {
        "book.epd"
    };
    stage.write(file, format!("{book}\n"));
    let program = stage.write_script("listener", "tee -a heard | arbiter sparring \"$@\"");
    let listener = format!("--engine=name=listener cmd={program} args=--random {engine}");
    let other = "--engine=name=other cmd=sparring args='--random --seed 4'";
    let openings = format!("--openings={file}");
    let contest = [&listener, other, &openings, "--pairs=2", "--concurrency=1"];
    stage.play(&[&contest, words].concat()).expect(0);
    assert_eq!(stage.games().len(), 4);
    stage.read("heard").lines().map(str::to_owned).collect()
}

/// The number after `key` in a line.
fn number(line: &str, key: &str) -> Option<i64> {
    line.split(' ')
        .skip_while(|&word| word != key)
        .nth(1)?
        .parse()
        .ok()
}

/// The moves after `moves` in a line.
fn moves(line: &str) -> Vec<&str> {
    line.split_once(" moves ")
        .map_or(Vec::new(), |(_, moves)| moves.split(' ').collect())
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_process_is_greeted_once_and_asked_whether_it_is_ready_before_each_game() {
    let heard = heard("option.Hash=2", &["--each=tc=5+1"], START);
    let count = |word: &str| heard.iter().filter(|line| line.as_str() == word).count();
    assert_eq!(
        (count("uci"), count("ucinewgame"), count("quit")),
        (1, 4, 1),
        "{heard:?}"
    );
    assert_eq!(
        heard[..3],
        ["uci", "setoption name Hash value 2", "isready"]
    );
    for (at, _) in heard
        .iter()
        .enumerate()
        .filter(|(_, line)| *line == "ucinewgame")
    {
        assert_eq!(heard[at + 1], "isready", "{heard:?}");
    }
    assert!(
        !heard
            .iter()
            .any(|line| line.contains("UCI_Chess960 value true"))
    );
}

#[test]
fn each_go_follows_a_position_with_all_moves_since_the_start() {
    let heard = heard("", &["--each=tc=5+1"], START);
    let mut before: Vec<&str> = Vec::new();
    let mut goes = 0;
    for (at, line) in heard.iter().enumerate() {
        if line == "ucinewgame" {
            before.clear();
        }
        if line.starts_with("go ") {
            let now = moves(&heard[at - 1]);
            assert!(
                heard[at - 1].starts_with("position startpos"),
                "{}",
                heard[at - 1]
            );
            assert_eq!(now[..before.len()], before[..]);
            assert!(before.is_empty() || now.len() == before.len() + 2, "{line}");
            before = now;
            goes += 1;
        }
    }
    let positions = heard
        .iter()
        .filter(|line| line.starts_with("position"))
        .count();
    assert_eq!(
        positions, goes,
        "a position is told when it is to be thought about, and not before"
    );
}

#[test]
fn a_book_of_moves_is_told_in_one_position() {
    let book = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O";
    let heard = heard("", &["--each=tc=5+1"], book);
    let firsts = heard
        .iter()
        .enumerate()
        .filter(|(_, line)| *line == "ucinewgame");
    for (at, _) in firsts {
        let until_go: Vec<_> = heard[at..]
            .iter()
            .take_while(|line| !line.starts_with("go"))
            .collect();
        let positions = until_go
            .iter()
            .filter(|line| line.starts_with("position"))
            .count();
        assert_eq!(positions, 1, "{until_go:?}");
        assert_eq!(moves(until_go.last().unwrap())[8], "e1g1");
        assert!(moves(until_go.last().unwrap()).len() >= 16);
    }
}

#[test]
fn castling_is_told_as_the_variant_writes_it() {
    let book = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7";
    let heard = heard("", &["--each=tc=5+1", "--variant=chess960"], book);
    assert!(
        heard
            .iter()
            .any(|line| line == "setoption name UCI_Chess960 value true"),
        "{heard:?}"
    );
    for position in heard.iter().filter(|line| line.starts_with("position")) {
        assert_eq!(moves(position)[8], "e1h1");
    }
}

#[test]
fn clocks_are_always_told_both_and_are_never_zero() {
    // Nothing but the increment: the clock is at its end after every move.
    let heard = heard("", &["--each=tc=0+0.2 timemargin=500"], START);
    for go in heard.iter().filter(|line| line.starts_with("go ")) {
        for key in ["wtime", "btime"] {
            assert!(number(go, key).is_some_and(|left| left >= 1), "{go}");
        }
        assert_eq!(
            (number(go, "winc"), number(go, "binc")),
            (Some(200), Some(200)),
            "{go}"
        );
    }
}

#[test]
fn moves_to_go_count_down_and_begin_again() {
    let heard = heard("", &["--each=tc=3/5+1"], START);
    let mut expected = 3;
    for line in &heard {
        if line == "ucinewgame" {
            expected = 3;
        }
        if line.starts_with("go ") {
            assert_eq!(number(line, "movestogo"), Some(expected), "{line}");
            expected = if expected == 1 { 3 } else { expected - 1 };
        }
    }
}

#[test]
fn all_limits_go_out_in_one_line() {
    let heard = heard("nodes=123 depth=7 st=0.5", &["--each=tc=5+1"], START);
    for go in heard.iter().filter(|line| line.starts_with("go ")) {
        let said = ["nodes", "depth", "movetime"].map(|key| number(go, key));
        assert_eq!(said, [Some(123), Some(7), Some(500)], "{go}");
        assert!(number(go, "wtime").is_some(), "{go}");
    }
}
