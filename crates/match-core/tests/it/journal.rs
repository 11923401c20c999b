//! A contest is gone on with from whatever is left of its journal.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use engine_core::{Color, Outcome};
use match_core::contest::{Contest, Input, Output};
use match_core::event::{Event, EventKind, json};
use match_core::fault::Fault;
use match_core::fixture::{Fixture, GameNumber};
use match_core::journal::{
    BookIdentity, EngineIdentity, Head, JournalError, Past, Read, Reading, split_pgn, with_pgn,
};
use match_core::moment::Moment;
use match_core::spec::Spec;
use match_core::spec::raw::{RawSpec, Written};
use match_core::verdict::{Adjudicator, Ruling, Verdict, VoidReason};
use proptest::prelude::*;

use crate::sample::{contest, forfeit, mate_by, openings, record, spec, stalemate};

const BOOK: u64 = 7;

fn head(spec: &Spec) -> Head {
    Head {
        program: "0.1.0".to_owned(),
        folder: "/somewhere".to_owned(),
        spec: Arc::new(spec.clone()),
        book: BookIdentity {
            openings: openings(BOOK),
            sha256: "00ff".to_owned(),
        },
        engines: vec![
            EngineIdentity {
                program: "/bin/engine".to_owned(),
                sha256: Some("ff00".to_owned()),
            };
            spec.engines.len()
        ],
        pgn_bytes: 12,
    }
}

/// What a verdict is depends on nothing but the game and the seed.
fn verdict(fixture: Fixture, seed: u64) -> Verdict {
    let dice = (seed ^ fixture.number.0).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let ruling = |by| {
        Verdict::Adjudicated(Ruling {
            outcome: Outcome::Draw,
            by,
            since_ply: 3,
        })
    };
    match dice % 8 {
        0 => mate_by(Color::White),
        1 => mate_by(Color::Black),
        2 => stalemate(),
        3 => forfeit(Color::White, Fault::Crash),
        4 => forfeit(
            Color::Black,
            Fault::TimeLoss {
                over: std::time::Duration::from_millis(3),
            },
        ),
        5 => forfeit(
            Color::Black,
            Fault::IllegalMove {
                text: "e2\"},\u{fffd}".to_owned(),
            },
        ),
        6 => ruling(Adjudicator::Draw),
        _ => ruling(Adjudicator::MaxMoves),
    }
}

/// A process that plays: what it wrote into the journal, and what became of the contest.
struct Session {
    contest: Contest,
    lines: String,
    seqs: Vec<u64>,
}

/// Plays from `past` on with `slots` slots, until the end or `stop` has an interruption come before
/// game number so-and-so of this session is over.
fn session(spec: &Spec, slots: usize, past: Past, seed: u64, stop: Option<usize>) -> Session {
    let count = NonZeroUsize::new(slots).expect("some slots");
    let at = past.at;
    let spec = Arc::new(spec.clone());
    let contest = Contest::resume(at, Arc::clone(&spec), openings(BOOK), count, past);
    let mut session = Session {
        contest,
        lines: String::new(),
        seqs: Vec::new(),
    };
    let mut running = BTreeMap::new();
    let mut cancelled = session.drain(&mut running);
    let mut now = at.as_nanos();
    for slot in 0..slots {
        session
            .contest
            .handle(Moment::from_nanos(now), Input::SlotFree(slot));
        cancelled |= session.drain(&mut running);
    }
    for game in 0.. {
        // The slot that finishes first is as good as any.
        let turn = (seed.rotate_left(game as u32) as usize) % running.len().max(1);
        let Some((&slot, &fixture)) = running.iter().nth(turn) else {
            break;
        };
        now += 1_234_567_891;
        let at = Moment::from_nanos(now);
        if stop == Some(game) {
            session.contest.handle(at, Input::Interrupt);
            cancelled |= session.drain(&mut running);
        }
        running.remove(&slot);
        let void = cancelled.then_some(Verdict::Void(VoidReason::Cancelled));
        let verdict = void.unwrap_or_else(|| verdict(fixture, seed));
        let record = Arc::new(record(fixture, verdict));
        session.contest.handle(at, Input::GameOver { slot, record });
        cancelled |= session.drain(&mut running);
    }
    session
}

impl Session {
    /// Carries out what the contest asks for; says whether games are to be given up.
    fn drain(&mut self, running: &mut BTreeMap<usize, Fixture>) -> bool {
        let mut cancelled = false;
        while let Some(output) = self.contest.poll() {
            match output {
                Output::Event(event) => self.note(&event),
                Output::Start { slot, fixture } => {
                    running.insert(slot, fixture);
                }
                Output::CancelAll(_) => cancelled = true,
                Output::KillAll => running.clear(),
                Output::Done => {}
            }
        }
        cancelled
    }

    fn note(&mut self, event: &Event) {
        self.seqs.push(event.seq);
        let spec = match &event.kind {
            EventKind::ContestStarted { spec, .. } | EventKind::ContestResumed { spec, .. } => spec,
            _ => &contest(2, 10, ""),
        };
        let line = json::line(event, spec);
        let line = match &event.kind {
            EventKind::GameFinished { record, .. } if record.verdict.outcome().is_some() => {
                with_pgn(&line, &pgn(record.fixture.number))
            }
            _ => line,
        };
        self.lines.push_str(&line);
        self.lines.push('\n');
    }
}

fn pgn(game: GameNumber) -> String {
    format!("[Event \",\\\"pgn\\\":\\\"\"]\n[Round \"{game}\"]\n\n1-0\n\n")
}

fn read(journal: &[u8]) -> Result<Read, JournalError> {
    let mut lines = journal.split_inclusive(|&byte| byte == b'\n');
    let mut reading = Reading::begin(lines.next().unwrap_or_default())?;
    lines.try_for_each(|line| reading.line(line))?;
    Ok(reading.finish())
}

#[track_caller]
fn check_refused(journal: &[u8], expected: &str) {
    let error = read(journal).expect_err("it is to be refused").to_string();
    assert!(error.contains(expected), "{error}");
}

/// Head and records of a whole contest of six games in one slot.
fn sample() -> (String, String) {
    let spec = contest(2, 3, "");
    let head = head(&spec).line().expect("it can be written");
    (head, session(&spec, 1, Past::default(), 5, None).lines)
}

#[test]
fn a_whole_journal_says_what_the_contest_came_to() {
    let spec = contest(2, 3, "seed = 4");
    let played = session(&spec, 2, Past::default(), 5, None);
    let journal = head(&spec).line().expect("it can be written") + &played.lines;
    let Read {
        head: found,
        past,
        whole,
        torn,
    } = read(journal.as_bytes()).expect("it is whole");
    assert_eq!(found, head(&spec));
    assert!(past.is_over);
    assert_eq!((whole, torn), (journal.len() as u64, None));
    assert_eq!(past.next_seq, played.seqs.len() as u64);
    // The same totals, and the same time from the first event to the last.
    let resumed = session(&spec, 2, past, 5, None);
    assert_eq!(resumed.contest.summary(), played.contest.summary());
    assert!(resumed.contest.stopped().is_none());
}

#[test]
fn what_is_no_journal_is_refused() {
    check_refused(b"", "it is no journal of arbiter: it is empty");
    check_refused(
        b"[Event \"x\"]\n",
        "its first line does not say that it is one",
    );
    check_refused(
        b"{\"journal\":\"sqlite\",\"version\":1}\n",
        "no journal of arbiter",
    );
    check_refused(
        b"{\"journal\":\"arbiter\",\"version\":2,\"new\":[]}\n",
        "it has version 2",
    );
    check_refused(
        b"{\"journal\":\"arbiter\",\"version\":1}\n",
        "its settings cannot be read",
    );
    let (head, _) = sample();
    check_refused(
        &head.as_bytes()[..head.len() - 1],
        "its first line has no end",
    );
}

#[test]
fn a_damaged_middle_is_no_torn_end() {
    let (head, lines) = sample();
    let lines: Vec<&str> = lines.split_inclusive('\n').collect();
    let all = |lines: &[&str]| head.clone() + &lines.concat();
    let damaged = [&lines[..2], &["\0\0\0\0\n"], &lines[3..]].concat();
    check_refused(all(&damaged).as_bytes(), "line 4 is damaged");
    let missing = [&lines[..2], &lines[3..]].concat();
    check_refused(
        all(&missing).as_bytes(),
        "line 4 has event 3 where event 2 is due",
    );
    let other = lines.concat().replace("\"white\":\"a\"", "\"white\":\"x\"");
    check_refused(
        (head.clone() + &other).as_bytes(),
        "between others than those who play it",
    );

    // Nulls at the end are what a file system leaves of a record when the power fails.
    let torn = all(&lines[..3]) + "\0\0\0\0";
    let read = read(torn.as_bytes()).expect("its end can be cut");
    assert_eq!(read.torn.expect("it is torn").bytes, 4);
}

#[test]
fn a_torn_record_says_which_game_it_was_about() {
    let (head, lines) = sample();
    let end = lines.find("game_finished").expect("a game") + 40;
    let read = read((head + &lines[..end]).as_bytes()).expect("its end can be cut");
    let torn = read.torn.expect("it is torn");
    assert!(
        torn.describe().ends_with(" bytes of a record of game 1"),
        "{torn:?}"
    );
}

#[test]
fn a_record_is_an_event_and_a_game() {
    let line = "{\"seq\":3,\"text\":\"\\\",\\\"pgn\\\":\"}";
    assert_eq!(split_pgn(line), (line.to_owned(), None));
    let pgn = pgn(GameNumber(3));
    let split = split_pgn(&with_pgn(line, &pgn));
    assert_eq!(split, (line.to_owned(), Some(pgn)));
}

/// Settings that say something in every section.
const EVERYTHING: &str = r#"
event = "an event"
site = "a \"site\""
tournament = "gauntlet"
pairs = 20
seed = 18446744073709551615
concurrency = 3
flag-policy = "loss"
max-faults = 9
cpus = "0-3,8"
pin = false
host-blame = false
max-voids = "7%"
[each]
tc = "40/8:00.5+0.08"
timemargin = 12.3
options = { Hash = 16, A = 1 }
[[engine]]
name = "new"
cmd = "./new"
args = "--fast 'a b'"
dir = "a folder"
env = { B = "x", A = "y" }
restart = true
sandbox = { memory = "3000K", read = ["x", "y"], processes = 3 }
options = { Threads = 2, Z = "", B = "a=b" }
[[engine]]
cmd = "sparring:3"
tc = "inf"
st = "0.123456789"
[[engine]]
name = "third"
cmd = "sparring"
args = "--random"
nodes = 5
depth = 7
[openings]
file = "book.pgn"
plies = 8
order = "random"
start = 17
[adjudication]
resign = { score = 600, count = 3, twosided = true }
draw = { score = 20, count = 8, move = 34 }
max-moves = 200
syzygy = { paths = ["syzygy", "more"], pieces = 6, ignore-50-move-rule = true, rulings = "draw" }
[patience]
startup = 1.5
watchdog = "3m"
start-failures = 7
[output]
pgn = { file = "games.pgn", pv = true }
events = "events.jsonl"
summary = "summary.json"
"#;

const TEST: &str = r#"
sprt = { elo0 = -1.75, elo1 = 0.25, alpha = 0.01, model = "logistic", preset = "gain" }
variant = "chess960"
each = { cmd = "x", nodes = 1 }
[[engine]]
[[engine]]
"#;

#[test]
fn settings_are_read_as_they_were() {
    for toml in [
        EVERYTHING,
        TEST,
        &TEST.replace("preset = \"gain\"", "rule = 'wald'"),
    ] {
        let spec = spec(toml);
        let line = head(&spec).line().expect("it can be written");
        let read = Head::read(line.as_bytes()).expect("it can be read");
        // But for where the journal is, which who opens it knows.
        let mut expected = spec.clone();
        expected
            .output
            .journal
            .clone_from(&read.spec.output.journal);
        assert_eq!(*read.spec, expected, "{line}");
    }
}

#[test]
fn settings_that_cannot_be_kept_are_refused_at_once() {
    let mut spec = contest(2, 3, "");
    spec.event = "two\nlines".to_owned();
    let error = head(&spec).line().expect_err("it would not be read");
    assert!(error.to_string().contains("control character"), "{error}");
}

#[test]
fn differences_go_by_the_names_of_the_settings() {
    let differences = |changes: &[(&str, &str)]| -> Vec<String> {
        let changed = changes
            .iter()
            .fold(EVERYTHING.to_owned(), |toml, (from, to)| {
                assert!(toml.contains(from), "{from}");
                toml.replacen(from, to, 1)
            });
        let [before, after] = [EVERYTHING, &changed].map(|toml| Written::new(&spec(toml)));
        let differences = before.differences(&after);
        differences.iter().map(ToString::to_string).collect()
    };
    assert_eq!(differences(&[]), [""; 0]);
    assert_eq!(
        differences(&[
            ("pairs = 20", "pairs = 30"),
            ("Hash = 16", "Hash = 32"),
            ("max-moves = 200\n", ""),
            ("nodes = 5", "nodes = 5\nst = 2"),
        ]),
        [
            "pairs was `20` and is `30`",
            "engine.1.options.Hash was `16` and is `32`",
            "engine.2.options.Hash was `16` and is `32`",
            "engine.3.options.Hash was `16` and is `32`",
            "adjudication.max-moves was `200` and is not set",
            "engine.3.st was not set and is `2s`",
        ]
    );
    let order = differences(&[("Z = \"\", B = \"a=b\"", "B = \"a=b\", Z = \"\"")]);
    assert_eq!(order, ["another order of options"]);
}

#[test]
fn what_is_written_can_be_laid_over() {
    let written = serde_json::to_string(&Written::new(&spec(TEST))).expect("it is JSON");
    let raw = RawSpec::from_json(&written).expect("it can be read");
    let stronger = RawSpec::from_json("{\"sprt\":{\"elo1\":\"0.25\"}}").expect("it can be read");
    let (resolved, _) = raw.overlaid_with(stronger).resolve().expect("a contest");
    assert_eq!(resolved, spec(TEST));
}

fn numbers(ledger: &match_core::ledger::Ledger, games: u64) -> Vec<bool> {
    (0..games)
        .map(|game| ledger.contains(GameNumber(game)))
        .collect()
}

proptest! {
    #[test]
    fn whatever_is_left_of_a_journal_leads_to_the_same_contest(
        pairs in 1_u64..10,
        slots in 1_usize..5,
        seed: u64,
        stop in prop::option::of(0_usize..20),
        cut: prop::sample::Index,
        again: prop::sample::Index,
    ) {
        let spec = contest(2, pairs, "");
        let undisturbed = session(&spec, slots, Past::default(), seed, None);
        let head = head(&spec).line().expect("it can be written");

        // Once it is interrupted or not and cut somewhere, then once more.
        let first = session(&spec, slots, Past::default(), seed, stop);
        let mut journal = (head.clone() + &first.lines).into_bytes();
        journal.truncate(head.len() + cut.index(first.lines.len() + 1));
        for point in [Some(again), None] {
            let kept = read(&journal).expect("a cut can be mended");
            prop_assert_eq!(
                kept.whole + kept.torn.as_ref().map_or(0, |torn| torn.bytes),
                journal.len() as u64
            );
            journal.truncate(kept.whole as usize);
            if kept.past.is_over {
                break;
            }
            let more = session(&spec, slots, kept.past, seed, None);
            let whole = journal.len();
            journal.extend_from_slice(more.lines.as_bytes());
            if let Some(point) = point {
                journal.truncate(whole + point.index(more.lines.len() + 1));
            }
        }

        // Numbers have no gap, or this would be an error.
        let end = read(&journal).expect("it is whole");
        prop_assert!(end.past.is_over && end.torn.is_none());
        let counted = numbers(&end.past.ledger, 2 * pairs);
        prop_assert!(counted.iter().all(|&counted| counted));
        let journal = String::from_utf8(journal).expect("all torn ends were cut");
        let finished = journal.lines().filter(|line| split_pgn(line).1.is_some()).count();
        prop_assert_eq!(finished as u64, 2 * pairs, "each game is there once");
        let mut summary = session(&spec, slots, end.past, seed, None).contest.summary();
        let expected = undisturbed.contest.summary();
        summary.wall_seconds = expected.wall_seconds;
        prop_assert_eq!(summary, expected);
    }

    #[test]
    fn a_test_decides_as_if_it_had_not_been_interrupted(
        slots in 1_usize..4,
        seed: u64,
        cut: prop::sample::Index,
    ) {
        let engines = "each = { cmd = 'x', nodes = 1 }\n[[engine]]\nname='a'\n[[engine]]\nname='b'";
        let spec = spec(&format!("sprt = {{ elo0 = 0, elo1 = 150 }}\npairs = 300\n{engines}\n"));
        let undisturbed = session(&spec, slots, Past::default(), seed, None);
        let head = head(&spec).line().expect("it can be written");
        let journal = head.clone() + &undisturbed.lines;
        let cut = head.len() + cut.index(undisturbed.lines.len() + 1);
        let kept = read(&journal.as_bytes()[..cut]).expect("a cut can be mended");
        let resumed = session(&spec, slots, kept.past, seed, None);
        prop_assert_eq!(
            resumed.contest.summary().sprt,
            undisturbed.contest.summary().sprt
        );
    }
}
