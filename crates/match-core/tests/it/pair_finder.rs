//! Which games of a PGN file are pairs.

use std::fmt::Write;

use engine_core::pgn::{RawGame, Reader};
use match_core::pair_finder::{Cluster, Omission, PairFinder, WINDOW};
use proptest::prelude::*;

const FEN: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
const OTHER_FEN: &str = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq d6 0 2";

/// A game without moves: round, players and result, and the FEN if there is one.
fn game(round: &str, players: &str, result: &str, fen: &str) -> String {
    let (white, black) = players.split_once('-').expect("two players");
    let mut text = format!(
        "[Event \"e\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n"
    );
    if !fen.is_empty() {
        writeln!(text, "[SetUp \"1\"]\n[FEN \"{fen}\"]").expect("a string takes all");
    }
    text + "\n"
}

fn find(text: &str) -> (PairFinder, Vec<Cluster>, Vec<Omission>) {
    let mut reader = Reader::new(text.as_bytes()).with_comments();
    let mut raw = RawGame::new();
    let mut finder = PairFinder::new();
    let (mut clusters, mut omissions) = (Vec::new(), Vec::new());
    while reader.read_game(&mut raw).expect("bytes are always read") {
        omissions.extend(finder.add(&raw).err());
        clusters.extend(std::iter::from_fn(|| finder.poll()));
    }
    finder.end_file();
    clusters.extend(std::iter::from_fn(|| finder.poll()));
    (finder, clusters, omissions)
}

/// Each cluster as the names and results of its games, `A-B 1-0` with ` / ` between two.
#[track_caller]
fn check(games: &[String], wanted: &[&str]) {
    let (finder, clusters, _) = find(&games.concat());
    let shown: Vec<String> = clusters
        .iter()
        .map(|cluster| {
            let games: Vec<String> = std::iter::once(cluster.game)
                .chain(cluster.partner)
                .map(|game| {
                    let [white, black] = [game.white, game.black].map(|it| &finder.players()[it]);
                    format!("{white}-{black} {}", game.outcome)
                })
                .collect();
            games.join(" / ")
        })
        .collect();
    assert_eq!(shown, wanted);
}

#[test]
fn games_one_and_two_of_a_round_are_a_pair() {
    check(
        &[
            game("1.1", "A-B", "1-0", FEN),
            game("2.1", "A-B", "0-1", FEN),
            game("2.2", "B-A", "1/2-1/2", FEN),
            game("1.2", "B-A", "0-1", FEN),
            game("3.2", "B-A", "1-0", FEN),
        ],
        &["A-B 0-1 / B-A 1/2-1/2", "A-B 1-0 / B-A 0-1", "B-A 1-0"],
    );
}

#[test]
fn games_three_and_four_are_the_next_pair() {
    check(
        &[
            game("1.2", "B-A", "1-0", ""),
            game("1.3", "A-B", "1-0", ""),
            game("1.1", "A-B", "0-1", ""),
            game("1.4", "B-A", "0-1", ""),
        ],
        &["B-A 1-0 / A-B 0-1", "A-B 1-0 / B-A 0-1"],
    );
}

#[test]
fn equal_rounds_are_a_pair_for_each_two_players() {
    check(
        &[
            game("1", "A-B", "1-0", FEN),
            game("1", "A-C", "1-0", FEN),
            game("1", "C-A", "1-0", FEN),
            game("1", "B-A", "1-0", FEN),
            game("2", "A-B", "0-1", OTHER_FEN),
            game("2", "B-A", "0-1", OTHER_FEN),
        ],
        &[
            "A-C 1-0 / C-A 1-0",
            "A-B 1-0 / B-A 1-0",
            "A-B 0-1 / B-A 0-1",
        ],
    );
}

#[test]
fn rounds_of_a_single_game_are_paired_by_their_opening() {
    check(
        &[
            game("1", "A-B", "1-0", FEN),
            game("2", "B-A", "1/2-1/2", FEN),
            game("3", "A-B", "0-1", OTHER_FEN),
            game("4", "B-A", "0-1", OTHER_FEN),
            game("5", "A-B", "1-0", FEN),
        ],
        &["A-B 1-0 / B-A 1/2-1/2", "A-B 0-1 / B-A 0-1", "A-B 1-0"],
    );
}

#[test]
fn openings_with_other_counters_are_the_same() {
    let counted = FEN.replace(" 0 2", " 3 17");
    check(
        &[
            game("?", "A-B", "1-0", FEN),
            game("-", "B-A", "1-0", &counted),
        ],
        &["A-B 1-0 / B-A 1-0"],
    );
}

#[test]
fn games_that_tell_nothing_are_single() {
    check(
        &[
            game("?", "A-B", "1-0", ""),
            game("?", "B-A", "1-0", ""),
            game("1", "A-B", "1-0", ""),
            game("2", "B-A", "1-0", ""),
        ],
        &["A-B 1-0", "B-A 1-0", "A-B 1-0", "B-A 1-0"],
    );
}

#[test]
fn another_opening_or_the_same_colours_are_no_partner() {
    check(
        &[
            game("1.1", "A-B", "1-0", FEN),
            game("1.2", "B-A", "1-0", OTHER_FEN),
            game("2.1", "A-B", "0-1", FEN),
            game("2.2", "A-B", "0-1", FEN),
        ],
        &["B-A 1-0", "A-B 1-0", "A-B 0-1", "A-B 0-1"],
    );
}

#[test]
fn book_moves_are_an_opening() {
    let moves = |round: &str, players: &str, moves: &str| game(round, players, "1-0", "") + moves;
    let games = [
        moves("1", "A-B", "1. e4 {book} e5 {book} 2. Nf3 {+0.1/9} 1-0\n\n"),
        moves("2", "B-A", "1. e4 {book} e5 {book} 2. Bc4 {+0.2/9} 1-0\n\n"),
        moves("3", "A-B", "1. e4 {book} c5 {book} 2. Nf3 {book} 1-0\n\n"),
        moves("4", "B-A", "1. e4 {book} c5 {book, White wins} 1-0\n\n"),
    ];
    let (_, clusters, _) = find(&games.concat());
    let openings: Vec<(String, bool)> = (clusters.iter())
        .map(|it| (it.opening.to_string(), it.partner.is_some()))
        .collect();
    let wanted = [("e4 e5", true), ("e4 c5", false), ("e4 c5 Nf3", false)];
    assert_eq!(
        openings,
        wanted.map(|(text, is_pair)| (text.to_owned(), is_pair))
    );
}

#[test]
fn games_without_result_or_opponent_do_not_count() {
    let games = [
        game("1", "A-B", "*", ""),
        game("1", "A-?", "1-0", ""),
        game("1", "A-A", "1-0", ""),
        game("1", "A-", "1-0", ""),
        "[Event \"e\"]\n[White \"A\"]\n[Result \"1-0\"]\n\n".to_owned(),
        game("1", "A-B", "*", "") + "1. e4 e5 1-0\n\n",
        game("1", "B-A", "0-1", "") + "1. e4 e5 *\n\n",
    ];
    let (_, clusters, omissions) = find(&games.concat());
    assert_eq!(
        omissions,
        [
            Omission::Unfinished,
            Omission::Nameless,
            Omission::AgainstItself,
            Omission::Nameless,
            Omission::Nameless
        ]
    );
    assert_eq!(
        clusters.len(),
        1,
        "the result behind the moves or that of the tag counts"
    );
}

#[test]
fn a_partner_that_does_not_come_in_time_is_not_waited_for() {
    let mut games = game("0.1", "A-B", "1-0", "");
    for round in 1..=2 * WINDOW {
        games += &game(&format!("{round}.1"), "A-B", "1-0", "");
    }
    games += &game("0.2", "B-A", "1-0", "");
    games += &game(&format!("{}.2", WINDOW + 1), "B-A", "1-0", "");
    let (_, clusters, _) = find(&games);
    let pairs = clusters.iter().filter(|it| it.partner.is_some()).count();
    assert_eq!((clusters.len(), pairs), (2 * WINDOW + 2, 1));
}

proptest! {
    #[test]
    fn every_game_is_in_one_cluster_and_partners_swap_colours(
        games in prop::collection::vec((0_u8..4, 0_u8..4, 0_u8..6, 0_u8..3), 0..60)
    ) {
        let text: String = games.iter().map(|(white, black, round, opening)| {
            let round = ["?", "1", "2", "1.1", "1.2", "x"][usize::from(*round)];
            let fen = ["", FEN, OTHER_FEN][usize::from(*opening)];
            game(round, &format!("{white}-{black}"), "1-0", fen)
        }).collect();
        let (_, clusters, omissions) = find(&text);
        let found: usize = clusters.iter().map(|it| 1 + usize::from(it.partner.is_some())).sum();
        prop_assert_eq!(found + omissions.len(), games.len());
        for Cluster { game, partner, .. } in clusters {
            if let Some(partner) = partner {
                prop_assert_eq!((game.white, game.black), (partner.black, partner.white));
            }
        }
    }
}
