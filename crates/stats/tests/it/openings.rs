use proptest::prelude::*;
use stats::{DECISIVE_RATE_MIN, Decisiveness, Pentanomial, Undefined};

use crate::shared::assert_near;

#[track_caller]
fn check(pairs: [u64; 5], traded: u64, warning: Option<&str>) {
    let decisiveness = Decisiveness::new(Pentanomial(pairs), traded);
    let found = decisiveness.warning().map(|warning| warning.to_string());
    assert_eq!(found.as_deref(), warning);
}

#[test]
fn the_rate_has_wilsons_interval() {
    // Newcombe 1998, table I: 81 of 263 is 0.3080, score interval 0.2553 to 0.3662.
    let rate = Decisiveness::new(Pentanomial([1, 40, 182, 35, 5]), 0)
        .rate()
        .unwrap();
    assert_near(rate.value, 0.3080, 5e-5, "rate");
    let interval = rate.ci95.unwrap();
    assert_near(interval.low, 0.2553, 5e-5, "low");
    assert_near(interval.high, 0.3662, 5e-5, "high");
}

#[test]
fn no_pairs_have_no_rate_and_no_warning() {
    let nothing = Decisiveness::default();
    assert_eq!(nothing.rate(), Err(Undefined::NoGames));
    assert_eq!(nothing.warning(), None);
}

#[test]
fn a_book_with_half_of_its_pairs_decisive_is_fine() {
    check([5, 240, 510, 240, 5], 480, None);
}

#[test]
fn a_drawish_book_is_named_with_its_cost() {
    check(
        [0, 60, 880, 60, 0],
        100,
        Some(
            "the book is too drawish for this time control: 12.0 % of its pairs are decisive (95 %: 10.1 \
             to 14.2), and it should be 40 % at least; it takes 4.2 times the games of a book with 50 %",
        ),
    );
}

#[test]
fn few_pairs_are_only_a_suspicion() {
    check(
        [0, 3, 14, 3, 0],
        0,
        Some(
            "the book may be too drawish for this time control: 30.0 % of its pairs are decisive (95 %: \
             14.5 to 51.9), and it should be 40 % at least; it takes 1.7 times the games of a book with \
             50 %",
        ),
    );
}

#[test]
fn openings_that_win_by_themselves_are_too_one_sided() {
    check(
        [0, 0, 500, 0, 0],
        499,
        Some(
            "the book is too one-sided for this time control: 0.0 % of its pairs are decisive (95 %: 0.0 \
             to 0.8), and it should be 40 % at least",
        ),
    );
}

proptest! {
    #[test]
    fn the_interval_holds_the_rate(pairs in prop::array::uniform5(0_u64..1000)) {
        let decisiveness = Decisiveness::new(Pentanomial(pairs), 0);
        if let Ok(rate) = decisiveness.rate() {
            let interval = rate.ci95.unwrap();
            prop_assert!(interval.contains(rate.value));
            prop_assert!(0.0 <= interval.low && interval.high <= 1.0);
            prop_assert_eq!(decisiveness.warning().is_some(), rate.value < DECISIVE_RATE_MIN);
        }
    }
}
