//! A part of a contest, as a fleet lends it.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use match_core::fixture::{GameNumber, PairNumber, Share};

use crate::rig::{Collector, Folder, Script, match_of, try_prepare};

#[test]
fn the_games_of_a_share_are_those_of_the_whole_contest() {
    let folder = Folder::new();
    folder.engine("a", &Script::default());
    folder.engine("b", &Script::default());
    let mut spec = (*match_of(&folder, 5, "")).clone();
    spec.share = Some(Share {
        first: PairNumber(2),
        pairs: NonZeroU64::new(2).unwrap(),
    });
    let prepared = try_prepare(&Arc::new(spec)).unwrap();
    assert_eq!(prepared.games(), 4);
    let plies = prepared.plies();
    assert_eq!(plies.load(Ordering::Relaxed), 0);
    let collector = Collector::default();
    let finished = prepared.run(vec![Box::new(collector.clone())]);
    assert_eq!(finished.summary.games, 4);
    let events = collector.0.take();
    let numbers: Vec<GameNumber> = events
        .iter()
        .filter_map(|event| match &event.kind {
            match_core::event::EventKind::GameFinished { record, .. } => {
                Some(record.fixture.number)
            }
            _ => None,
        })
        .collect();
    assert_eq!(numbers, [4, 5, 6, 7].map(GameNumber));
    assert_eq!(
        plies.load(Ordering::Relaxed),
        4 * 4,
        "a fool's mate has four"
    );
}
