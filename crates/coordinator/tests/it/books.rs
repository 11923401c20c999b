//! Tests whose book is not there any more, on every store.

use std::fs;

use fleet_api::{State, TestLine, routes};

use crate::house::{House, START, Visitor, pairs, sha256};
use crate::work::{play, scenarios};

scenarios!(a_list_needs_neither_the_book_of_a_test_nor_its_entries,);

/// The book of all tests here is lost, and the coordinator started again.
fn lose_the_book(house: &mut House) {
    let hash = sha256(START);
    let book = house.data.join("artifacts").join(&hash[..2]).join(hash);
    fs::remove_file(book).expect("it is kept");
    house.restart();
}

fn line(visitor: &Visitor, test: &str) -> TestLine {
    let lines: Vec<TestLine> = visitor.get(routes::TESTS).json();
    let line = lines.into_iter().find(|line| line.id == test);
    line.expect("it is listed")
}

fn a_list_needs_neither_the_book_of_a_test_nor_its_entries(mut house: House) {
    let admin = house.admin();
    let sprt = "[sprt]\nelo0 = 0.0\nelo1 = 5.0\n";
    let test = admin.submit(&format!("{}{sprt}", pairs(2)));
    play(&admin, "w", 2);
    let before = line(&admin, &test);
    assert_eq!((before.state, before.pairs), (State::Finished, 2));
    assert!(before.llr.is_some());
    house.tamper("DELETE FROM entries");
    lose_the_book(&mut house);
    assert_eq!(line(&house.admin(), &test), before);
}
