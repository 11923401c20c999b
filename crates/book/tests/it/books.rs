//! Books of every kind of line.

use std::path::PathBuf;

use book::{Book, BookError};
use engine_core::{CastlingStyle, Game};
use match_core::fixture::OpeningIndex;
use match_core::spec::{BookFormat, BookSource, Variant};

use crate::folder::Folder;
use crate::shared;

fn open(
    path: PathBuf,
    format: BookFormat,
    plies: Option<u32>,
    variant: Variant,
) -> Result<Book, BookError> {
    Book::open(
        &BookSource::File {
            path,
            format,
            plies,
        },
        variant,
    )
}

/// An opening as the FEN of its start and its moves.
fn shown(book: &Book, index: u64) -> String {
    let opening = book
        .opening(OpeningIndex(index))
        .expect("the book is still there");
    let mut position = opening.start;
    let mut text = position.fen();
    for mv in opening.moves {
        text = format!("{text} {}", position.uci(mv, CastlingStyle::Standard));
        position.play(mv).expect("a book's moves are legal");
    }
    text
}

#[track_caller]
fn check(
    text: impl AsRef<[u8]>,
    format: BookFormat,
    plies: Option<u32>,
    want: &[&str],
    warnings: &[&str],
) {
    let folder = Folder::new();
    let path = folder.write("book", text);
    let book =
        open(path, format, plies, Variant::Standard).unwrap_or_else(|error| panic!("{error}"));
    let got: Vec<String> = (0..book.len().get())
        .map(|index| shown(&book, index))
        .collect();
    assert_eq!(got, want);
    assert_eq!(
        book.warnings().len(),
        warnings.len(),
        "{:?}",
        book.warnings()
    );
    for (got, want) in book.warnings().iter().zip(warnings) {
        assert!(got.contains(want), "`{got}` does not say `{want}`");
    }
}

const RUY: &str = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -";
const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";

#[test]
fn lines_of_every_kind_are_read_and_bad_ones_skipped_with_their_number() {
    let text = format!(
        "\u{feff}{RUY} 3 3\r\n\
         \r\n\
         # a comment\n\
         {SICILIAN} hmvc 0; fmvn 2; id \"B20\";\n\
         rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP w KQkq - 0 1\n\
         {RUY} 1 4;"
    );
    let want = [
        format!("{RUY} 3 3"),
        format!("{SICILIAN} 0 2"),
        format!("{RUY} 1 4"),
    ];
    check(
        text,
        BookFormat::Epd,
        None,
        &want.each_ref().map(String::as_str),
        &[
            "line 5: the piece field has 7 ranks, not 8; skipped",
            "1 entry repeats an earlier position",
        ],
    );
}

#[test]
fn the_counters_of_the_known_mixtures_are_right() {
    let text =
        format!("{RUY} hmvc 0; fmvn 2;\n{RUY} 2 3\n{RUY} 2 3 bm Bb5; id \"mixed.1\";\n{RUY}\n");
    let want = [
        format!("{RUY} 0 2"),
        format!("{RUY} 2 3"),
        format!("{RUY} 2 3"),
        format!("{RUY} 0 1"),
    ];
    check(
        text,
        BookFormat::Epd,
        None,
        &want.each_ref().map(String::as_str),
        &["3 entries repeat"],
    );
}

#[test]
fn an_opening_after_which_the_game_is_over_is_skipped() {
    let text = format!(
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n8/8/8/4k3/8/8/8/K7 w - - 0 1\n{SICILIAN} 100 90\n{SICILIAN} 0 2\n"
    );
    let warnings = [
        "line 1: the game is over here: stalemate",
        "line 2: the game is over here: insufficient",
        "line 3: ",
    ];
    check(
        text,
        BookFormat::Epd,
        None,
        &[&format!("{SICILIAN} 0 2")],
        &warnings,
    );
}

#[test]
fn a_chess960_position_is_refused_in_standard_chess_and_the_reverse_is_fine() {
    let text = format!("4k3/8/8/8/8/8/8/qRK5 w B - 0 1\n{SICILIAN} 0 2\n");
    check(
        &text,
        BookFormat::Epd,
        None,
        &[&format!("{SICILIAN} 0 2")],
        &["line 1: this is a Chess960 position"],
    );
    let folder = Folder::new();
    let book = open(
        folder.write("book", text),
        BookFormat::Epd,
        None,
        Variant::Chess960,
    )
    .expect("both are good");
    assert_eq!(book.len().get(), 2);
}

#[test]
fn a_book_with_nothing_in_it_is_an_error_that_says_why() {
    let folder = Folder::new();
    let error = |text: &str| {
        let book = open(
            folder.write("book", text),
            BookFormat::Epd,
            None,
            Variant::Standard,
        );
        book.expect_err("there is no opening in it").to_string()
    };
    assert!(error("").contains("there is nothing in it"));
    assert!(error("# only this\n\n").contains("there is nothing in it"));
    assert!(
        error("garbage\n").contains("line 1"),
        "{}",
        error("garbage\n")
    );
    let missing = open(
        folder.path("nowhere"),
        BookFormat::Epd,
        None,
        Variant::Standard,
    );
    assert!(matches!(missing, Err(BookError::Read { .. })));
}

#[test]
fn a_file_that_changes_under_way_is_noticed() {
    let folder = Folder::new();
    let path = folder.write("book", format!("{RUY} 3 3\n{SICILIAN} 0 2\n"));
    let book = open(path, BookFormat::Epd, None, Variant::Standard).expect("two openings");
    folder.write("book", "short\n");
    assert!(matches!(
        book.opening(OpeningIndex(1)),
        Err(BookError::Changed { number: 2, .. })
    ));
}

#[test]
fn games_are_openings_to_the_ply_that_is_asked_for() {
    let text = "[White \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n\
                [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 3 15\"]\n\n*\n\n\
                [White \"broken\"]\n\n1. e4 e4 *\n\n\
                [White \"broken later\"]\n\n1. d4 d5 2. d5 *\n";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    check(
        text,
        BookFormat::Pgn,
        Some(2),
        &[
            &format!("{start} e2e4 e7e5"),
            "4k3/8/8/8/8/8/4P3/4K3 w - - 3 15",
            &format!("{start} d2d4 d7d5"),
        ],
        &["line 9: game 3: "],
    );
    check(
        text,
        BookFormat::Pgn,
        None,
        &[
            &format!("{start} e2e4 e7e5 g1f3 b8c6"),
            "4k3/8/8/8/8/8/4P3/4K3 w - - 3 15",
        ],
        &["game 3: ", "game 4: "],
    );
}

#[test]
fn without_a_book_there_are_five_hundred_openings_and_all_starts_of_chess960() {
    let book = Book::open(&BookSource::Embedded, Variant::Standard).expect("it comes with arbiter");
    assert!(book.len().get() >= 500);
    assert!(book.warnings().is_empty(), "{:?}", book.warnings());
    let starts =
        Book::open(&BookSource::Embedded, Variant::Chess960).expect("they come with arbiter");
    assert_eq!(starts.len().get(), 960);
    let mut all: Vec<String> = (0..960).map(|index| shown(&starts, index)).collect();
    assert!(all[518].starts_with("rnbqkbnr/"));
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 960);
}

#[test]
fn the_books_beside_the_repository_open_without_a_complaint() {
    let Some(books) = shared::path("books") else {
        return;
    };
    let epd = |name: &str, variant| {
        open(books.join(name), BookFormat::Epd, None, variant).expect("a good book")
    };
    assert_eq!(
        epd("UHO_4060_v3.epd", Variant::Standard).len().get(),
        242_201
    );
    assert_eq!(epd("FRC_openings.epd", Variant::Chess960).len().get(), 960);
    assert_eq!(
        epd("DFRC_4852_v1_head.epd", Variant::Chess960).len().get(),
        12_000
    );
    let games = open(
        books.join("8moves_v3.pgn"),
        BookFormat::Pgn,
        Some(16),
        Variant::Standard,
    )
    .expect("a good book");
    assert_eq!(games.len().get(), 34_700);
    let last = games.opening(OpeningIndex(34_699)).expect("it is there");
    assert_eq!(
        Game::with_moves(last.start, last.moves)
            .expect("legal")
            .plies(),
        16
    );
}
