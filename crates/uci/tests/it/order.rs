//! Whatever is said in whatever order, nothing breaks and refusals change nothing.

use proptest::collection::vec;
use proptest::prelude::*;
use uci::{Command, Go, OptionDecl, Phase, Reply, Session};

/// Words that mean something somewhere, so that chance comes to interesting places.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        prop::sample::select(
            "uci uciok readyok id name author option type spin check combo button string default min max \
             var info depth score cp mate lowerbound pv e2e4 a7a8q multipv string bestmove ponder 0000 \
             (none) <empty> 1 -5 99999999999999999999 true isready go position startpos fen moves setoption \
             value wtime searchmoves"
                .split_ascii_whitespace()
                .map(|word| word.as_bytes().to_vec())
                .collect::<Vec<_>>()
        ),
        vec(any::<u8>(), 0..6),
    ];
    let blank = prop::sample::select(vec![" ", "\t", "  ", "\r", "\n", ""]);
    vec((word, blank), 0..14).prop_map(|words| {
        words
            .into_iter()
            .flat_map(|(word, blank)| [word, blank.as_bytes().to_vec()].concat())
            .collect()
    })
}

#[derive(Clone, Debug)]
enum Step {
    Send(usize),
    Receive(Vec<u8>),
}

fn commands() -> [Command<'static>; 10] {
    [
        Command::Uci,
        Command::Debug(true),
        Command::IsReady,
        Command::SetOption {
            name: "Hash",
            value: Some("1"),
        },
        Command::UciNewGame,
        Command::Position {
            fen: None,
            moves: "e2e4",
        },
        Command::Go(Go::default()),
        Command::Stop,
        Command::PonderHit,
        Command::Quit,
    ]
}

fn state(session: &Session) -> String {
    format!("{session:?}")
}

proptest! {
    #[test]
    fn any_bytes_in_any_order_are_survived(
        steps in vec(prop_oneof![(0usize..10).prop_map(Step::Send), line().prop_map(Step::Receive)], 0..60)
    ) {
        let mut session = Session::new().capturing_pv(true);
        for step in steps {
            let before = (state(&session), session.phase());
            match step {
                Step::Send(which) => {
                    let mut out = b"kept".to_vec();
                    let refused = session.send(&commands()[which], &mut out).is_err();
                    prop_assert_eq!(refused, out == b"kept");
                    prop_assert!(!refused || state(&session) == before.0);
                }
                Step::Receive(line) => {
                    if session.receive(&line).is_err() {
                        prop_assert_eq!(state(&session), before.0);
                    }
                    prop_assert!(before.1 != Phase::Quit || session.phase() == Phase::Quit);
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_read_as_something(line in line()) {
        let _reply = Reply::parse(&line);
        let _command = Command::parse(&String::from_utf8_lossy(&line));
        if let Ok(option) = OptionDecl::parse(&line) {
            let text = option.to_string();
            let again = OptionDecl::parse(text.strip_prefix("option ").unwrap().as_bytes());
            prop_assert!(again.is_ok(), "{text}");
        }
    }
}

#[test]
fn an_anchored_example_of_the_same() {
    let mut session = Session::new();
    let mut out = Vec::new();
    assert!(session.send(&Command::Go(Go::default()), &mut out).is_err());
    assert!(out.is_empty());
    assert_eq!(session.phase(), Phase::Fresh);
}
