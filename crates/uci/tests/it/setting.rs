//! Settings, checked against what an engine has declared.

use uci::{Command, Heard, Session, SettingError};

/// What an engine with odd and ordinary options lets itself be told.
fn engine() -> Session {
    let mut session = Session::new();
    session.send(&Command::Uci, &mut Vec::new()).unwrap();
    for line in [
        "option name Hash type spin default 16 min 1 max 1024",
        "option name Threads type spin default 1 min 1 max 8",
        "option name Ponder type check default false",
        "option name Style type combo default Solid var Solid var Very Risky var <empty>",
        "option name Clear Hash type button",
        "option name SyzygyPath type string default <empty>",
        "option name uci_chess960 type check default false",
        "option name Use value net type check default true",
        "option name Free type spin",
    ] {
        assert_eq!(
            session.receive(line.as_bytes()),
            Ok(Heard::Nothing),
            "{line}"
        );
    }
    session
}

/// The line that sets it, or why it is not set.
#[track_caller]
fn check(name: &str, value: &str, want: &str) {
    let got = match engine().options().check(name, value) {
        Ok(setting) => {
            let mut out = Vec::new();
            setting.command().write_to(&mut out);
            String::from_utf8(out).unwrap().trim_end().to_owned()
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(got, want);
}

#[test]
fn what_fits_is_sent_in_the_engines_own_spelling() {
    check("Hash", "64", "setoption name Hash value 64");
    check("HASH", " 64 ", "setoption name Hash value 64");
    check(
        "UCI_Chess960",
        "TRUE",
        "setoption name uci_chess960 value true",
    );
    check(
        "style",
        "very risky",
        "setoption name Style value Very Risky",
    );
    check(
        "use  value net",
        "False",
        "setoption name Use value net value false",
    );
    check(
        "SyzygyPath",
        "/a b/c",
        "setoption name SyzygyPath value /a b/c",
    );
    check("Free", "-7", "setoption name Free value -7");
}

#[test]
fn nothing_is_written_as_empty_and_a_button_has_no_value() {
    check("SyzygyPath", "", "setoption name SyzygyPath value <empty>");
    check("Style", "", "setoption name Style value <empty>");
    check("Style", "<empty>", "setoption name Style value <empty>");
    check("Clear Hash", "", "setoption name Clear Hash");
    check("clear hash", "true", "setoption name Clear Hash");
    check(
        "Clear Hash",
        "false",
        "option `Clear Hash` is `false`: a button takes no value",
    );
}

#[test]
fn what_does_not_fit_says_what_would() {
    check("Hash", "0", "option `Hash` is 0: 1 to 1024 are allowed");
    check(
        "Hash",
        "1025",
        "option `Hash` is 1025: 1 to 1024 are allowed",
    );
    check(
        "Hash",
        "64MB",
        "option `Hash` is `64MB`: a whole number from 1 to 1024 is allowed",
    );
    check(
        "Hash",
        "",
        "option `Hash` is ``: a whole number from 1 to 1024 is allowed",
    );
    check(
        "Ponder",
        "maybe",
        "option `Ponder` is `maybe`: `true` or `false` is allowed",
    );
    check(
        "Style",
        "Wild",
        "option `Style` is `Wild`: one of `Solid`, `Very Risky`, `<empty>` is allowed",
    );
    check(
        "SyzygyPath",
        "a\nquit",
        "option `SyzygyPath` holds a line break",
    );
    check("Hash\n", "1", "option `Hash\\n` holds a line break");
}

#[test]
fn an_unknown_option_lists_near_names() {
    check("Hsah", "64", "no option `Hsah`, did you mean `Hash`?");
    check("Thread", "2", "no option `Thread`, did you mean `Threads`?");
    check(
        "Syzygy Path",
        "x",
        "no option `Syzygy Path`, did you mean `SyzygyPath`?",
    );
    check("net", "x", "no option `net`, did you mean `Use value net`?");
    check("Zobrist", "2", "no option `Zobrist`");
    let unknown = engine().options().check("Contempt", "0");
    assert!(matches!(unknown, Err(SettingError::Unknown { .. })));
}

#[test]
fn the_later_of_two_declarations_is_used() {
    let mut session = engine();
    let again = "option name Hash type spin default 16 min 1 max 1024";
    assert_eq!(
        session.receive(again.as_bytes()),
        Ok(Heard::Nothing),
        "the same again is nothing new"
    );
    let Ok(Heard::BadOption(error)) =
        session.receive(b"option name hash type spin default 1 min 1 max 9")
    else {
        panic!("a different one is odd")
    };
    assert_eq!(
        error.to_string(),
        "option `hash` is declared twice, the second declaration is used"
    );
    assert_eq!(session.options().len(), 9);
    assert!(session.options().check("Hash", "64").is_err());
}

#[test]
fn options_without_end_are_not_kept() {
    let mut session = engine();
    for n in 0..5000 {
        session
            .receive(format!("option name X{n} type button").as_bytes())
            .unwrap();
    }
    assert_eq!(session.options().len(), 4096);
}
