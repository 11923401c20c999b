//! What engines say: nothing upsets the conversation, and what is understood means what it is
//! written as.

use uci::{Command, Go, Heard, OptionDecl, Options, Phase, Reply, Session};

/// What engines have said.
pub const SEEDS: &[&[u8]] = &[
    b"id name Stockfish 17\nid author the authors\n\noption name Hash type spin default 16 min 1 max 33554432\noption name Clear Hash type button\noption name Style type combo default Normal var Solid var Normal\noption name SyzygyPath type string default <empty>\noption name Ponder type check default false\nuciok\nreadyok\n",
    b"info depth 12 seldepth 18 multipv 1 score cp 31 nodes 123456 nps 1000000 hashfull 3 tbhits 0 time 123 pv e2e4 e7e5 g1f3\nbestmove e2e4 ponder e7e5\n",
    b"info depth 6 score cp 900 lowerbound pv e2e4\ninfo score mate -3 upperbound\ninfo string bestmove a1a1\nbestmove (none)\nbestmove\n",
    b"\t info \xff\xfe depth 99999999999999999999 score mate 0 wdl 1 2 3 pv a7a8Q\r\n  readyok  \nbestmove 0000 ponder\n",
    b"option name Bad Spin type spin default x min y max z\noption name\noption type check name Backwards\noption name Vast type spin default 0 min -9223372036854775809 max 9223372036854775808\n",
    b"position fen r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3 moves g8f6\ngo wtime 100 btime 100 winc 1 binc 1 movestogo 3\nsetoption name Hash value 16\nucinewgame\nstop\n",
];

/// Hears lines in every phase of a conversation.
///
/// # Panics
/// If something does not hold.
pub fn body(bytes: &[u8]) {
    let phases = [
        Phase::Fresh,
        Phase::Greeting,
        Phase::Idle,
        Phase::Syncing,
        Phase::Searching,
        Phase::Stopping,
        Phase::Quit,
    ];
    for phase in phases {
        let mut session = session_in(phase);
        for line in bytes.split(|&byte| byte == b'\n') {
            let before = session.phase();
            hear(&mut session, line, before);
        }
        let report = session.take_report();
        assert!(report.pv.is_none_or(|pv| pv.len() <= 4000));
        assert!(session.name().len() <= 1024, "names are bounded");
    }
    let mut options = Options::default();
    for line in bytes.split(|&byte| byte == b'\n') {
        read_reply(line, &mut options);
        if let Ok(line) = str::from_utf8(line) {
            read_command(line);
            let (name, value) = line.split_once('=').unwrap_or((line, ""));
            let _may_not_fit = options.check(name, value);
        }
    }
}

/// A conversation that has come so far.
fn session_in(phase: Phase) -> Session {
    let mut session = Session::new().capturing_pv(true);
    let mut out = Vec::new();
    let commands = [
        (Command::Uci, &b"uciok"[..]),
        (Command::IsReady, b"readyok"),
        (Command::Go(Go::default()), b""),
        (Command::Stop, b""),
        (Command::Quit, b""),
    ];
    for (command, answer) in commands {
        if session.phase() == phase {
            break;
        }
        session.send(&command, &mut out).expect("in its order");
        if session.phase() == phase {
            break;
        }
        let _may_be_none = session.receive(answer);
    }
    assert_eq!(session.phase(), phase);
    session
}

/// Only the answer that is due changes the phase.
fn hear(session: &mut Session, line: &[u8], before: Phase) {
    let heard = session.receive(line);
    let (heard, due) = match heard {
        Ok(Heard::UciOk) => (true, before == Phase::Greeting),
        Ok(Heard::ReadyOk) => (true, before == Phase::Syncing),
        Ok(Heard::BestMove { .. }) => (true, matches!(before, Phase::Searching | Phase::Stopping)),
        Ok(Heard::Nothing | Heard::BadOption(_)) | Err(_) => (false, true),
    };
    assert!(due, "{before}");
    assert_eq!(session.phase(), if heard { Phase::Idle } else { before });
}

/// What is written of a reply is that reply.
fn read_reply(line: &[u8], options: &mut Options) {
    let reply = Reply::parse(line);
    let mut written = Vec::new();
    reply.write_to(&mut written);
    if !matches!(reply, Reply::Info(_)) {
        assert_eq!(Reply::parse(&written), reply);
    }
    if let Reply::Option(declaration) = reply
        && let Ok(option) = OptionDecl::parse(declaration)
    {
        let text = option.to_string();
        let again = OptionDecl::parse(text.strip_prefix("option ").unwrap_or(&text).as_bytes());
        assert_eq!(again.as_ref(), Ok(&option), "{text}");
        let mut session = session_in(Phase::Greeting);
        let _heard = session.receive(text.as_bytes());
        *options = session.options().clone();
    }
}

/// What is written of a command is a command and means the same. What cannot be said, such as a clock
/// at 0, is written as what comes closest.
fn read_command(line: &str) {
    let Some(command) = Command::parse(line) else {
        return;
    };
    let mut written = Vec::new();
    command.write_to(&mut written);
    let text = str::from_utf8(&written).expect("commands are text");
    assert_eq!(text.matches('\n').count(), 1, "{text:?}");
    let mut again = Vec::new();
    let command = Command::parse(text).unwrap_or_else(|| panic!("{text:?} is no command"));
    command.write_to(&mut again);
    assert_eq!(str::from_utf8(&again), Ok(text));
}
