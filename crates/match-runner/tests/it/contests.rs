//! Whole contests.

use engine_core::{Color, Ending};
use match_core::verdict::Verdict;

use crate::rig::{Folder, Script, match_of, play};

#[test]
fn two_engines_play_a_match_to_its_end_and_nothing_is_left() {
    let folder = Folder::new();
    folder.engine("a", &Script::default());
    folder.engine("b", &Script::default());
    let played = play(&match_of(&folder, 2, ""));
    let mates = Verdict::Rules(Ending::Checkmate { winner: Color::Black });
    assert_eq!(played.verdicts(), [&mates; 4], "{:?}", played.warnings());
    assert_eq!(played.finished.summary.games, 4);
    assert_eq!(played.finished.summary.pentanomial, [0, 0, 2, 0, 0]);
    assert!(played.finished.stopped.is_none());
    assert_eq!(folder.survivors(), [""; 0]);
}
