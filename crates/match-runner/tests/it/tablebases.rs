//! Tablebases, with the tables of `../shared/syzygy`.

use engine_core::Position;
use match_core::adjudication::{Syzygy, Tablebase, TablebaseRulings, Wdl};
use match_runner::{SyzygyTables, TablebaseError};

use crate::rig::Folder;
use crate::shared;

fn syzygy(path: std::path::PathBuf, pieces: u32) -> Syzygy {
    Syzygy {
        paths: vec![path],
        pieces,
        fifty_move_rule: true,
        rulings: TablebaseRulings::All,
    }
}

#[track_caller]
fn check(tables: &SyzygyTables, fen: &str, want: Option<Wdl>) {
    let position = Position::from_fen(fen).expect("a legal position");
    assert_eq!(tables.probe(&position), want, "{fen}");
}

#[test]
fn positions_are_worth_what_they_are_for_the_side_to_move() {
    let Some(path) = shared::path("syzygy") else {
        return;
    };
    let tables = SyzygyTables::open(&syzygy(path, 7)).expect("there are tables");
    check(&tables, "8/8/8/4k3/8/8/8/KQ6 w - - 0 1", Some(Wdl::Win));
    check(&tables, "8/8/8/4k3/8/8/8/KQ6 b - - 0 1", Some(Wdl::Loss));
    check(&tables, "8/8/8/4k3/8/8/8/KNN5 w - - 0 1", Some(Wdl::Draw));
    check(&tables, "8/8/8/3qk3/8/8/8/KR6 w - - 0 1", Some(Wdl::Loss));
    // An en passant capture is the only way out of stalemate's neighbourhood.
    check(&tables, "8/8/8/8/1pP5/8/8/K1k5 b - c3 0 1", Some(Wdl::Win));
}

#[test]
fn what_has_more_men_than_allowed_or_no_table_is_unknown() {
    let Some(path) = shared::path("syzygy") else {
        return;
    };
    let tables = SyzygyTables::open(&syzygy(path.clone(), 3)).expect("there are tables");
    assert_eq!(tables.men_max(), 3);
    check(&tables, "8/8/8/4k3/8/8/8/KNN5 w - - 0 1", None);
    let tables = SyzygyTables::open(&syzygy(path, 7)).expect("there are tables");
    assert_eq!(tables.men_max(), 4);
    check(&tables, "8/8/8/4k3/8/8/8/KNNQ4 w - - 0 1", None);
}

#[test]
fn a_missing_folder_and_one_without_tables_are_errors() {
    let folder = Folder::new();
    let missing =
        SyzygyTables::open(&syzygy(folder.path("nothing"), 7)).expect_err("it is missing");
    assert!(
        matches!(missing, TablebaseError::Folder { .. }),
        "{missing}"
    );
    let empty = SyzygyTables::open(&syzygy(folder.path(""), 7)).expect_err("it is empty");
    assert!(matches!(empty, TablebaseError::Empty { .. }), "{empty}");
}
