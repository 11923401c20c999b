//! What stands in the files.

use engine_core::pgn::{RawGame, Reader};
use match_runner::{Interrupts, reporter};

use crate::rig::{Folder, Script, match_of, play_with};

/// A match with all files written.
fn played(more: &str) -> Folder {
    let folder = Folder::new();
    folder.engine("a", &Script::default());
    folder.engine("b", &Script::default());
    let output = format!(
        "[output]\nevents = \"{0}/events.jsonl\"\nsummary = \"{0}/summary.json\"\n\
         [output.pgn]\nfile = \"{0}/games.pgn\"\nnodes = true\ntimeleft = true\n{more}",
        folder.path("").display()
    );
    let spec = match_of(&folder, 1, &output);
    let reporters = reporter::open(&spec.output, None).expect("a folder of our own");
    play_with(&spec, &Interrupts::new(), reporters);
    folder
}

#[test]
fn the_file_is_read_back_and_every_game_is_in_it() {
    let folder = played("");
    let text = folder.read("games.pgn");
    let mut reader = Reader::new(text.as_bytes()).with_comments();
    let mut raw = RawGame::new();
    let mut rounds = Vec::new();
    while reader.read_game(&mut raw).expect("text in memory") {
        assert!(
            raw.replay()
                .expect("a legal game")
                .position()
                .is_checkmate()
        );
        rounds.push(raw.tags().get("Round").expect("a tag").to_owned());
        let last = raw.comments().last().expect("comments").text.to_owned();
        assert!(
            last.starts_with("+0.13/1 ") && last.ends_with(", Black mates"),
            "{last}"
        );
    }
    assert_eq!(rounds, ["1.1", "1.2"]);
}

#[test]
fn the_summary_and_the_events_tell_the_same() {
    let folder = played("");
    let summary: serde_json::Value =
        serde_json::from_str(&folder.read("summary.json")).expect("JSON");
    assert_eq!(summary["games"], 2);
    let events = folder.read("events.jsonl");
    for (number, line) in events.lines().enumerate() {
        let event: serde_json::Value = serde_json::from_str(line).expect("an object a line");
        assert_eq!(event["seq"], number);
    }
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_before_the_first_game() {
    let folder = Folder::new();
    for output in [
        "events = \"$/no/x\"",
        "summary = \"$/no/x\"",
        "pgn = { file = \"$/no/x\" }",
    ] {
        let output = output.replace('$', &folder.path("").display().to_string());
        folder.engine("a", &Script::default());
        let spec = match_of(&folder, 1, &format!("[output]\n{output}\n"));
        let Err(error) = reporter::open(&spec.output, None) else {
            panic!("`{output}` was opened")
        };
        assert!(error.to_string().contains("/no/x`"), "{error}");
    }
}
