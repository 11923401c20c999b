use crate::{Talk, transcript};

const GAME: &str =
    "uci\nisready\nucinewgame\nisready\nposition startpos\ngo wtime 50 btime 50\nstop\nquit";

/// What a random mover with `vice` says in a short game must contain `part`, whatever bytes it is of.
#[track_caller]
fn check(vice: &str, part: impl AsRef<[u8]>) {
    let (said, _) = transcript(&["--random", "--vice", vice], GAME);
    let part = part.as_ref();
    let found = said.windows(part.len()).any(|window| window == part);
    let shown = String::from_utf8_lossy(&said[..said.len().min(2_000)]);
    assert!(found, "no `{}` in\n{shown}", String::from_utf8_lossy(part));
}

/// How often it says a `bestmove`, and its exit code (none when it was killed).
#[track_caller]
fn check_end(vice: &str, bestmoves: usize, code: Option<i32>) {
    let (said, found) = transcript(&["--random", "--vice", vice], GAME);
    let said = String::from_utf8_lossy(&said);
    let count = said
        .lines()
        .filter(|line| line.starts_with("bestmove"))
        .count();
    assert_eq!((count, found), (bestmoves, code), "{said}");
}

#[test]
fn without_a_vice_a_game_goes_well() {
    let (said, code) = transcript(&["--random"], GAME);
    let said = String::from_utf8(said).unwrap();
    assert!(
        said.contains("uciok\nreadyok\nreadyok\nbestmove "),
        "{said}"
    );
    assert_eq!(code, Some(0));
}

#[test]
fn dying() {
    check_end("die-on-start", 0, Some(3));
    check_end("die-on-uci", 0, None);
    check_end("die-on-isready=2", 0, None);
    check_end("die-on-newgame", 0, None);
    check_end("crash-on-go", 0, None);
    check_end("crash-on-go=2", 1, Some(0));
    check_end("exit-on-go", 0, Some(0));
    check_end("exit-after-bestmove", 1, Some(0));
    check_end("crash-idle", 1, None);
    check_end("abort-on-quit", 1, None);
    check_end("no-newline", 1, Some(0));
}

#[test]
fn silence() {
    check_end("mute", 0, Some(0));
    check(
        "no-uciok",
        "UCI_Chess960 type check default false\nreadyok\n",
    );
    check("no-readyok=2", "uciok\nreadyok\nbestmove ");
    check("close-stdout=2", "bestmove ");
    check_end("close-stdout", 0, Some(0));
}

#[test]
fn an_engine_that_hangs_does_not_mind_the_end_of_its_input() {
    for vice in ["hang", "ignore-eof"] {
        let mut talk = Talk::with(&["--random", "--vice", vice]);
        talk.say("isready");
        talk.hear("readyok");
        talk.say("go");
        talk.stdin = None;
        assert!(talk.child.try_wait().unwrap().is_none());
        talk.child.kill().unwrap();
        talk.child.wait().unwrap();
    }
}

#[test]
fn an_engine_that_ignores_quit_still_answers() {
    let mut talk = Talk::with(&["--random", "--vice", "ignore-quit"]);
    talk.say("quit\nisready");
    talk.hear("readyok");
    assert_eq!(talk.end().1, Some(0));
}

#[test]
fn wrong_moves() {
    check("illegal", "bestmove e2e5\n");
    check("bestmove=0000", "bestmove 0000\n");
    check("bestmove=(none)", "bestmove (none)\n");
    check("bestmove=", "bestmove \n");
    check(
        "unasked-bestmove",
        "readyok\nbestmove a2a3\nreadyok\nbestmove a2a3\nbestmove ",
    );
    check_end("two-bestmoves", 2, Some(0));
    check_end("late-bestmove=1", 1, Some(0));
    check_end("overrun=1", 1, Some(0));
    let promotion = "position fen 8/P6k/8/8/8/8/7p/K7 w - - 0 1\ngo depth 1";
    let (said, _) = transcript(&["--vice", "upper-promotion"], promotion);
    assert!(
        String::from_utf8(said)
            .unwrap()
            .ends_with("bestmove a7a8Q\n")
    );
}

#[test]
fn bytes() {
    check("banner", "Sparring, a chess engine with bad manners\n");
    check("early-uciok", "uciok\nid name");
    check("noise", "\nbestmoves are rare\n");
    check(
        "odd-options",
        "option name Bad Spin type spin default x min y max z\n",
    );
    check("latin1", b"id author Bj\xF6rn");
    check("nul", b"info depth 5\0 score");
    check("crlf", "uciok\r\nreadyok\r\n");
    check("leading-space", "\n  \t uciok\n");
    check("trailing-space", "uciok \t  \n");
    check("tabs", "bestmove \t  ");
    check("partial", "bestmove ");
    check("glued-ready", "info nodes 12readyok\n");
    check("glued-uciok", "default trueuciok\n");
    check("glued-bestmove", "nodes 12bestmove ");
    check("after-bestmove=ponder", " ponder\n");
    check(
        "many-options=3",
        "option name Option 3 type check default true\n",
    );
    check("long-id=100", "id author long long long ");
    check("flood=3000", "info depth 4 score cp 10 nodes 3000");
    let (said, _) = transcript(&["--random", "--vice", "long-line=5000"], GAME);
    assert!(
        said.split(|&byte| byte == b'\n')
            .any(|line| line.len() > 4_900)
    );
    let (said, _) = transcript(&["--random", "--vice", "no-chess960"], "uci");
    assert!(!String::from_utf8(said).unwrap().contains("UCI_Chess960"));
}

#[test]
fn claims() {
    check("no-score", "info depth 5 nodes 1000 time 1 pv ");
    check("score=-900", "score cp -900 ");
    check("mate=-3", "score mate -3 ");
    check("mate0", "score mate 0 ");
    check("multipv", "multipv 2 score cp -700");
    check("bounds-only", "score cp 900 lowerbound");
    check("bound-last", "score cp 900 lowerbound");
    check("huge-score", "nodes 18446744073709551616");
    check("float-score", "score cp 0.37");
    check("pv-mid", "  nps 30000 score cp 17");
    let (said, _) = transcript(&["--vice", "no-info"], "go depth 3");
    assert!(String::from_utf8(said).unwrap().starts_with("bestmove "));
    let (said, _) = transcript(&["--vice", "score=7"], "go depth 3");
    assert_eq!(String::from_utf8(said).unwrap().matches("info").count(), 1);
}

#[test]
fn deeds_outside_chess_are_reported() {
    check("read-file=/proc/self/stat", "info string read-file: done\n");
    check(
        "read-file=/nowhere/at/all",
        "info string read-file: No such file",
    );
    check(
        "write-file=/nowhere/at/all",
        "info string write-file: No such file",
    );
    check(
        "connect=127.0.0.1:1",
        "info string connect: Connection refused",
    );
    check("eat-memory=1", "info string eat-memory: done\n");
}
