//! Books, from the file to the board.

use std::collections::{BTreeMap, BTreeSet};

use end_to_end::{Game, Run, Stage, shared};

use super::START;

const RUY: &str = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -";
const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";

/// A contest of short games of random movers.
#[track_caller]
fn play(stage: &Stage, words: &[&str]) -> Run {
    let [a, b] =
        ["a", "b"].map(|name| format!("--engine=name={name} cmd=sparring args='--random'"));
    let always = [&a, &b, "--each=tc=60+1", "--max-moves=2"];
    stage.play(&[&always, words].concat())
}

/// The `FEN` of each game, by pair and then by game.
fn starts(stage: &Stage) -> Vec<String> {
    let mut games: Vec<Game> = stage.games();
    games.sort_by_key(round);
    games
        .iter()
        .map(|game| game.tag("FEN").to_owned())
        .collect()
}

/// `7.2` as numbers.
fn round(game: &Game) -> (u64, u64) {
    let (pair, game) = game.tag("Round").split_once('.').unwrap();
    (pair.parse().unwrap(), game.parse().unwrap())
}

/// The starts of one pair for each entry, of a book of so many entries.
#[track_caller]
fn check_starts(name: &str, book: impl AsRef<[u8]>, want: &[String]) -> Run {
    let stage = Stage::default();
    stage.write(name, book);
    let openings = format!("--openings={name}");
    let pairs = format!("--pairs={}", want.len());
    let run = play(&stage, &[&openings, &pairs, "--concurrency=1"]).expect(0);
    let twice: Vec<String> = want
        .iter()
        .flat_map(|fen| [fen.clone(), fen.clone()])
        .collect();
    assert_eq!(starts(&stage), twice, "{run:#?}");
    run
}

#[test]
fn a32_a_start_at_the_hundredth_ply_is_not_played() {
    let standard = format!("{SICILIAN} 0 2");
    for over in [
        "8/8/8/8/8/4k3/8/R3K3 w - - 100 90",
        "8/8/8/8/8/4k3/8/R3K3 w - - 150 200",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 3 60",
    ] {
        let book = format!("{over}\n{standard}\n");
        check_starts("book.epd", book, std::slice::from_ref(&standard)).expect_err("line 1");
        let stage = Stage::default();
        stage.write("book.epd", over);
        play(&stage, &["--openings=book.epd"])
            .expect(2)
            .expect_err("line 1");
    }
}

#[test]
fn f01_f02_counters_are_read_in_either_form() {
    let book = format!(
        "{SICILIAN} hmvc 0; fmvn 2;\n{RUY} 2 3\n{SICILIAN} 4 5 bm Nf3; id \"mixed.1\";\n\
         {RUY} fmvn 7; hmvc 6; c0 \"hmvc 9; fmvn 9\";\n{SICILIAN}\n"
    );
    let want = [
        format!("{SICILIAN} 0 2"),
        format!("{RUY} 2 3"),
        format!("{SICILIAN} 4 5"),
        format!("{RUY} 6 7"),
        format!("{SICILIAN} 0 1"),
    ];
    check_starts("book.epd", &book, &want);
    let stage = Stage::default();
    stage.write("book.epd", format!("{RUY} 2 3\n"));
    super::contest(
        &stage,
        "",
        "",
        &["--openings=book.epd", "--pairs=1", "--max-moves=2"],
    )
    .expect(0);
    let position = format!("position fen {RUY} 2 3");
    assert!(
        super::heard(&stage)
            .iter()
            .any(|line| line.starts_with(&position))
    );
    // The moves go on from the number of the position.
    assert!(
        stage.games()[0].text.trim_start().starts_with("3... "),
        "{:?}",
        stage.games()[0]
    );
}

#[test]
fn f03_blank_lines_comments_and_line_ends_make_no_difference() {
    let want = [format!("{RUY} 2 3"), format!("{SICILIAN} 0 2")];
    let [one, two] = &want;
    for book in [
        format!("{one}\n{two}\n"),
        format!("{one}\r\n{two}\r\n"),
        format!("{one}\n{two}"),
        format!("\u{feff}{one};\n\n  \n# a comment\n{two} ;\n\n"),
        format!("\n\n\t{one}  \r\n\r\n{two}\t\r"),
    ] {
        check_starts("book.epd", &book, &want);
    }
    for empty in ["", "\n", "\r\n\r\n", "# nothing\n", "\u{feff}"] {
        let stage = Stage::default();
        stage.write("book.epd", empty);
        play(&stage, &["--openings=book.epd"])
            .expect(2)
            .expect_err("book.epd");
    }
}

#[test]
fn f04_the_seed_decides_the_order() {
    let order = |order: &str, seed: &str, concurrency: &str| {
        let stage = Stage::default();
        let book: String = (1..=100).map(|n| format!("{SICILIAN} 0 {n}\n")).collect();
        stage.write("book.epd", book);
        let openings = format!("--openings=file=book.epd order={order}");
        play(&stage, &[&openings, seed, concurrency, "--pairs=20"]).expect(0);
        starts(&stage)
    };
    let random = order("random", "--seed=42", "--concurrency=1");
    assert_eq!(random, order("random", "--seed=42", "--concurrency=3"));
    assert_ne!(random, order("random", "--seed=43", "--concurrency=1"));
    let sequential = order("sequential", "--seed=42", "--concurrency=2");
    assert_eq!(
        sequential,
        order("sequential", "--seed=43", "--concurrency=1")
    );
    assert_ne!(random, sequential);
}

#[test]
fn f05_a_short_book_begins_again_and_that_is_said() {
    let [a, b] = [format!("{RUY} 2 3"), format!("{SICILIAN} 0 2")];
    let book = format!("{a}\n{b}\n");
    let want = [&a, &b, &a, &b, &a].map(String::clone);
    check_starts("book.epd", &book, &want).expect_err("the book has 2 openings for 5 rounds");
    let stage = Stage::default();
    stage.write("book.epd", book);
    let words = [
        "--openings=file=book.epd start=7",
        "--pairs=1",
        "--concurrency=1",
    ];
    play(&stage, &words)
        .expect(0)
        .expect_err("opening 1 of its order");
    assert_eq!(starts(&stage), [a.clone(), a]);
}

#[test]
fn f08_a_pair_has_its_opening_whoever_is_done_first() {
    let fens: Vec<String> = (1..=5).map(|n| format!("{SICILIAN} 0 {n}")).collect();
    let stage = Stage::default();
    stage.write("book.epd", fens.join("\n"));
    play(
        &stage,
        &["--openings=book.epd", "--pairs=5", "--concurrency=4"],
    )
    .expect(0);
    for game in stage.games() {
        let (pair, _) = round(&game);
        assert_eq!(game.tag("FEN"), fens[pair as usize - 1]);
    }
}

#[test]
fn f09_without_a_book_chess960_has_all_its_starts() {
    let stage = Stage::default();
    let run = play(&stage, &["--variant=chess960", "--pairs=10"]).expect(0);
    assert!(run.err.matches("warning").count() <= 1, "{run:#?}");
    let all = starts(&stage);
    let by_pair: Vec<_> = all.chunks(2).map(|pair| (&pair[0], &pair[1])).collect();
    assert!(
        by_pair.iter().all(|(first, second)| first == second),
        "{by_pair:?}"
    );
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 10, "{all:?}");
    let again = Stage::default();
    play(
        &again,
        &["--variant=chess960", "--pairs=10", "--concurrency=1"],
    )
    .expect(0);
    assert_eq!(all, starts(&again), "the seed decides");
}

#[test]
fn f10_memory_grows_with_neither_rounds_nor_book() {
    let Some(book) = shared("books/UHO_4060_v3.epd") else {
        return;
    };
    let openings = format!("--openings=file={book} order=random");
    let stage = Stage::default();
    let [a, b] =
        ["a", "b"].map(|name| format!("--engine=name={name} cmd=sparring args='--random'"));
    let words = [
        &a,
        &b,
        "--each=tc=60+1",
        "--pairs=10000000",
        "--concurrency=1",
        &openings,
    ];
    let running = stage.start_play(&words);
    stage.wait_until("some games", || {
        20 < stage.read("games.pgn").matches("[Result").count()
    });
    let peak = running.memory_peak();
    running.signal(rustix::process::Signal::INT);
    running.finish().expect(130);
    assert!((1..60_000).contains(&peak), "{peak} KiB");
}

#[test]
fn f11_all_pairings_meet_in_the_same_openings() {
    let stage = Stage::default();
    let fens: Vec<String> = (1..=9).map(|n| format!("{SICILIAN} 0 {n}")).collect();
    stage.write("book.epd", fens.join("\n"));
    let engine = |name: &str| format!("--engine=name={name} cmd=sparring args='--random'");
    let [a, b, c] = ["a", "b", "c"].map(engine);
    let words = [
        &a,
        &b,
        &c,
        "--each=tc=60+1",
        "--max-moves=2",
        "--pairs=4",
        "--openings=book.epd",
    ];
    stage.play(&words).expect(0);
    let mut met: BTreeMap<(String, String), BTreeMap<String, usize>> = BTreeMap::new();
    for game in stage.games() {
        let colors = (game.tag("White").to_owned(), game.tag("Black").to_owned());
        *met.entry(colors)
            .or_default()
            .entry(game.tag("FEN").to_owned())
            .or_default() += 1;
    }
    assert_eq!(met.len(), 6, "three pairings, each with both colours");
    let want: BTreeMap<String, usize> = fens[..4].iter().map(|fen| (fen.clone(), 1)).collect();
    for (colors, starts) in met {
        assert_eq!(starts, want, "{colors:?}");
    }
}

#[test]
fn f12_repetitions_in_a_book_are_counted_and_played() {
    let same = format!("{RUY} 2 3");
    let book = format!("{same}\n{same}\n{same}\n");
    let run = check_starts("book.epd", &book, &[same.clone(), same.clone(), same]);
    run.expect_err("2 entries repeat an earlier position");
}

#[test]
fn f13_a_game_without_moves_is_a_start() {
    let fen = format!("{RUY} 2 3");
    let book = format!("[Event \"x\"]\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n*\n");
    check_starts("book.pgn", &book, std::slice::from_ref(&fen));
    let stage = Stage::default();
    stage.write("book.pgn", &book);
    play(&stage, &["--openings=file=book.pgn plies=1", "--pairs=1"]).expect(0);
    assert_eq!(starts(&stage), [fen.clone(), fen]);
    let Some(file) = shared("pgn/cr_in_fen.pgn") else {
        return;
    };
    let openings = format!("--openings={file}");
    play(&stage, &[&openings, "--pairs=1"]).expect(0);
    let events = stage.events();
    let books = events
        .iter()
        .filter(|event| event["event"] == "game_finished");
    for game in books {
        assert_eq!(game["book"], "", "{game}");
        assert_ne!(game["start"], START, "{game}");
    }
}

#[test]
fn f14_a_chess960_line_in_a_standard_book_is_not_played() {
    let standard = format!("{SICILIAN} 0 2");
    let book = format!("1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1\n{standard}\n");
    let run = check_starts("book.epd", &book, &[standard.clone(), standard]);
    run.expect_err("line 1: this is a Chess960 position");
}
