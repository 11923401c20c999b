//! What is believed of a worker's report.

use std::num::NonZeroU64;
use std::time::Duration;

use engine_core::Position;
use fleet_api::{Fault, Game, Verdict};
use fleet_core::evidence::{Disbelief, check};
use fleet_core::test_spec::TestSpec;
use match_core::fixture::GameNumber;
use match_core::ledger::FaultKind;
use match_core::opening::Opening;
use match_core::schedule::Schedule;

const MATE: &str = "f2f3 e7e5 g2g4 d8h4";

fn spec(rest: &str) -> TestSpec {
    let text = format!(
        "pairs = 10\n{rest}\n[[engine]]\nname = \"new\"\ncmd = \"sparring:1\"\n[[engine]]\nname = \"old\"\ncmd = \"sparring:2\"\n"
    );
    TestSpec::parse(&text).expect("a test")
}

fn game(moves: &str, result: &str, kind: &str, reason: &str) -> Game {
    Game {
        white: "new".to_owned(),
        black: "old".to_owned(),
        result: result.to_owned(),
        verdict: Verdict {
            kind: kind.to_owned(),
            reason: reason.to_owned(),
            since_ply: None,
            loser: None,
            fault: None,
        },
        start: Position::startpos().fen(),
        book: String::new(),
        moves: moves.to_owned(),
        spent: vec![0.1; moves.split_whitespace().count()],
        seconds: 5.0,
    }
}

fn lost(moves: &str, loser: &str, result: &str, fault: Fault, reason: &str) -> Game {
    let mut game = game(moves, result, "forfeit", reason);
    game.verdict.loser = Some(loser.to_owned());
    game.verdict.fault = Some(fault);
    game
}

fn ask(rest: &str, game: &Game) -> Result<fleet_core::evidence::Checked, Disbelief> {
    ask_from(&Position::startpos().fen(), rest, game)
}

fn ask_from(
    fen: &str,
    rest: &str,
    game: &Game,
) -> Result<fleet_core::evidence::Checked, Disbelief> {
    let test = spec(rest);
    let schedule = Schedule::new(&test.spec, NonZeroU64::MIN);
    let opening = Opening {
        start: Position::from_fen(fen).expect("a position"),
        moves: Vec::new(),
    };
    let passed = Duration::from_secs(100);
    check(
        &test.spec,
        &schedule.fixture(GameNumber(0)),
        &opening,
        game,
        passed,
    )
}

const CLOCK: &str = "each = { tc = \"1+0.1\" }";

#[test]
fn a_game_that_could_have_been_is_believed() {
    let checked = ask(CLOCK, &game(MATE, "0-1", "rules", "checkmate")).expect("fool's mate");
    assert_eq!((checked.plies, checked.result.ending), (4, "checkmate"));
    assert_eq!(checked.took, Duration::from_secs(5));
    let crash = lost("e2e4", "black", "1-0", Fault::Crash, "crash");
    let result = ask(CLOCK, &crash).expect("engines crash").result;
    assert_eq!(result.fault.map(|(_, kind)| kind), Some(FaultKind::Crash));
    let resigned = game("e2e4", "1-0", "adjudicated", "resign adjudication");
    let rule = format!("{CLOCK}\nadjudication = {{ resign = {{ count = 1, score = 100 }} }}");
    assert!(ask(&rule, &resigned).is_ok());
}

#[test]
fn what_cannot_be_is_refused_and_named() {
    let mate = game(MATE, "0-1", "rules", "checkmate");
    let other = |change: &dyn Fn(&mut Game)| {
        let mut game = mate.clone();
        change(&mut game);
        ask(CLOCK, &game).expect_err("it cannot be").to_string()
    };
    type Change<'a> = &'a dyn Fn(&mut Game);
    let table: [(Change<'_>, &str); 14] = [
        (
            &|g| g.white = "old".into(),
            "white is said to be `old` and is `new`",
        ),
        (
            &|g| g.start = g.start.replace("KQkq", "-"),
            "the opening is not the one",
        ),
        (&|g| g.book = "e2e4".into(), "the opening is not the one"),
        (
            &|g| g.moves = "f2f3 e7e5 g2g4 d8h5".into(),
            "ply 4, `d8h5`, is not legal",
        ),
        (
            &|g| g.moves = "f2f3 e7e5 g2g4 0000".into(),
            "ply 4, `0000`, is not legal",
        ),
        (
            &|g| g.moves = format!("{MATE} a2a3"),
            "ply 5 was played after the game was over",
        ),
        (
            &|g| g.result = "1-0".into(),
            "the result `1-0` does not follow",
        ),
        (
            &|g| g.verdict.reason = "stalemate".into(),
            "the board says `checkmate`",
        ),
        (
            &|g| g.verdict.kind = "forfeit".into(),
            "the board says `checkmate`",
        ),
        (
            &|g| g.moves = "f2f3 e7e5 g2g4 a7a6".into(),
            "the board says `not over`",
        ),
        (&|g| g.spent = vec![0.1; 3], "3 times for 4 moves"),
        (&|g| g.spent[1] = -0.1, "`-0.1` is not a time"),
        (&|g| g.spent[1] = f64::NAN, "`NaN` is not a time"),
        (
            &|g| g.spent[1] = 1.2,
            "black was charged more for move 1 than there was",
        ),
    ];
    for (change, words) in table {
        let error = other(change);
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_ruling_that_the_contest_does_not_have_is_refused() {
    for reason in [
        "resign adjudication",
        "draw adjudication",
        "move limit",
        "tablebase adjudication",
    ] {
        let error = ask(CLOCK, &game("e2e4", "1-0", "adjudicated", reason));
        assert!(matches!(error, Err(Disbelief::Ruling(_))), "{reason}");
    }
    let limit = format!("{CLOCK}\nadjudication = {{ max-moves = 2 }}");
    let quiet = "g1f3 g8f6 b1c3 b8c6";
    assert!(ask(&limit, &game(quiet, "1/2-1/2", "adjudicated", "move limit")).is_ok());
    let early = game("g1f3 g8f6", "1/2-1/2", "adjudicated", "move limit");
    assert!(matches!(ask(&limit, &early), Err(Disbelief::Ruling(_))));
}

#[test]
fn only_who_is_to_move_oversteps_or_moves_illegally() {
    let time = |loser, result| {
        lost(
            "e2e4",
            loser,
            result,
            Fault::TimeLoss { over: 0.1 },
            "time loss",
        )
    };
    assert!(ask(CLOCK, &time("black", "1-0")).is_ok());
    assert!(ask(CLOCK, &time("white", "0-1")).is_err());
    assert!(ask(CLOCK, &time("black", "0-1")).is_err());
    let named_otherwise = lost("e2e4", "black", "1-0", Fault::Crash, "stall");
    assert!(ask(CLOCK, &named_otherwise).is_err());
}

#[test]
fn nobody_thinks_longer_than_time_passes() {
    let mut slow = game(MATE, "0-1", "rules", "checkmate");
    slow.spent = vec![40.0; 4];
    for seconds in [5.0, 160.0] {
        slow.seconds = seconds;
        let error = ask("each = { nodes = 100 }", &slow);
        assert!(matches!(error, Err(Disbelief::TooFast { .. })), "{error:?}");
    }
}

#[test]
fn clocks_run_by_their_periods() {
    // Two moves a second, no increment: the third move has a new second.
    let tc = "each = { tc = \"2/1\" }";
    let quiet = "g1f3 g8f6 b1c3 b8c6 f3g1 f6g8";
    let with = |spent: [f64; 3]| {
        let mut game = lost(quiet, "white", "0-1", Fault::Crash, "crash");
        game.spent = spent.iter().flat_map(|&white| [white, 0.0]).collect();
        ask(tc, &game)
    };
    assert!(with([0.5, 0.5, 1.0]).is_ok());
    assert!(with([0.5, 0.6, 0.1]).is_err());
    assert!(with([0.2, 0.2, 1.6]).is_ok(), "what is left is kept");
    assert!(with([0.2, 0.2, 1.7]).is_err());
}

#[test]
fn a_tablebase_rules_only_where_it_has_few_enough_men() {
    const ENDGAME: &str = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1";
    let ask = |rest: &str, moves: &str| {
        let mut said = game(moves, "1-0", "adjudicated", "tablebase adjudication");
        said.start = ENDGAME.to_owned();
        ask_from(ENDGAME, rest, &said)
    };
    let rule =
        |pieces: u32| format!("{CLOCK}\nadjudication = {{ syzygy = {{ pieces = {pieces} }} }}");
    assert!(ask(&rule(4), "e2e4 e7e5").is_ok());
    for rest in [rule(3), CLOCK.to_owned()] {
        assert!(matches!(ask(&rest, "e2e4 e7e5"), Err(Disbelief::Ruling(_))));
    }
    // Its worth is known after a capture or a pawn's move only.
    assert!(matches!(
        ask(&rule(4), "e1d2 e8d7"),
        Err(Disbelief::Ruling(_))
    ));
}
