//! Counting again.

use std::num::NonZeroU64;

use engine_core::{Color, Outcome};
use fleet_api::State;
use fleet_core::recount::{Difference, Recount};
use fleet_core::standing::{Entry, Played, Standing};
use fleet_core::test_spec::TestSpec;
use match_core::ledger::GameResult;

type Games = [(GameResult, u64); 2];

struct Books {
    test: TestSpec,
    entries: Vec<Entry>,
    games: Vec<(u64, Result<Games, String>)>,
    state: State,
}

fn won(winner: Color) -> Games {
    let result = GameResult {
        outcome: Outcome::win(winner),
        ending: "checkmate",
        fault: None,
    };
    [(result, 40), (result, 41)]
}

fn entry(pair: u64) -> Entry {
    Entry::Pair(Played {
        pair,
        seat: 1,
        games: won(Color::White),
    })
}

impl Books {
    /// A finished test of three pairs, in order.
    fn new() -> Self {
        let text = "pairs = 3\n[each]\nnodes = 100\n[[engine]]\ncmd = \"sparring:1\"\n\
                    [[engine]]\ncmd = \"sparring:2\"\n";
        Self {
            test: TestSpec::parse(text).expect("a test"),
            entries: [1, 0, 2].map(entry).to_vec(),
            games: (0..3).map(|pair| (pair, Ok(won(Color::White)))).collect(),
            state: State::Finished,
        }
    }

    /// What a recount finds if this is shown for the books as they were at first.
    fn differences(&self) -> Vec<Difference> {
        let spec = &self.test.spec;
        let book = NonZeroU64::new(1000).expect("not 0");
        let honest = Self::new();
        let mut shown = Standing::new(spec, book);
        for &entry in &honest.entries {
            shown.take(entry).expect("no contradiction");
        }
        let mut recount = Recount::new(spec, book, 0);
        for (place, &entry) in self.entries.iter().enumerate() {
            recount.entry(place as u64, Ok(entry));
        }
        for (pair, games) in &self.games {
            recount.games(*pair, games.clone());
        }
        recount.missing_below(u64::MAX);
        recount.against(spec, &shown, self.state, honest.entries.len() as u64)
    }
}

#[test]
fn honest_books_have_no_difference() {
    assert_eq!(Books::new().differences(), []);
}

#[test]
fn a_changed_entry_is_told_by_its_games_and_by_what_is_shown() {
    let mut books = Books::new();
    books.entries[1] = Entry::Pair(Played {
        pair: 0,
        seat: 1,
        games: [won(Color::Black)[0], won(Color::White)[1]],
    });
    let found = books.differences();
    assert!(
        matches!(found[0], Difference::Games { pair: 0, .. }),
        "{found:?}"
    );
    assert_eq!(
        found[0].to_string(),
        "pair 1 is counted as `0-1 checkmate, 40 plies; 1-0 checkmate, 41 plies`, and its games say \
         `1-0 checkmate, 40 plies; 1-0 checkmate, 41 plies`"
    );
    let is_shown = |name: &str| {
        found
            .iter()
            .any(|it| matches!(it, Difference::Shown { field, .. } if field == name))
    };
    assert!(is_shown("engines"), "{found:?}");
}

#[test]
fn missing_and_foreign_games_are_told() {
    let mut books = Books::new();
    drop(books.games.remove(1));
    assert_eq!(books.differences(), [Difference::Missing(1)]);
    books.games.push((7, Ok(won(Color::White))));
    assert_eq!(
        books.differences(),
        [Difference::Missing(1), Difference::Uncounted(7)]
    );
    let mut books = Books::new();
    books.games[2].1 = Err("game 5: the opening is not the one of this pair".to_owned());
    assert!(matches!(
        books.differences()[..],
        [Difference::Unbelieved { pair: 2, .. }]
    ));
}

#[test]
fn an_entry_that_is_there_twice_or_not_at_all_is_told() {
    let mut books = Books::new();
    books.entries.push(entry(2));
    let found = books.differences();
    assert!(found.contains(&Difference::Twice(2)), "{found:?}");
    let mut books = Books::new();
    books.entries.pop();
    let found = books.differences();
    assert!(
        found.contains(&Difference::Length { said: 3, stored: 2 }),
        "{found:?}"
    );
    assert!(found.contains(&Difference::Uncounted(2)), "{found:?}");
}

#[test]
fn a_state_that_does_not_follow_is_told() {
    for state in [State::Accepted, State::Queued] {
        let books = Books {
            state,
            ..Books::new()
        };
        let found = books.differences();
        assert!(matches!(&found[..], [Difference::Shown { field, .. }] if field == "state"));
    }
}
