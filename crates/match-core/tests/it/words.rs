//! Specs as `key=value` words.

use std::path::PathBuf;
use std::time::Duration;

use match_core::spec::raw::{
    RawDraw, RawEngine, RawOpenings, RawPgn, RawResign, RawSpec, RawSprt, Settings,
};
use match_core::spec::{Sandbox, SpecError};
use stats::Preset;

fn settings(pairs: &[(&str, &str)]) -> Settings {
    let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    Settings(pairs.iter().map(owned).collect())
}

fn engine(words: &str) -> RawEngine {
    RawEngine::from_words("--engine", words).expect("readable words")
}

#[track_caller]
fn refused(words: &str, expected: &str) {
    let error = RawEngine::from_words("--engine", words).expect_err("words to be refused");
    let hint = error
        .hint()
        .map_or_else(String::new, |hint| format!("\nhint: {hint}"));
    assert_eq!(format!("{error}{hint}"), expected);
}

#[test]
fn a_bare_path_may_have_blanks() {
    let file = |words: &str| {
        RawPgn::from_words("--pgn", words)
            .expect("readable words")
            .file
    };
    assert_eq!(file("my games.pgn"), Some(PathBuf::from("my games.pgn")));
    assert_eq!(
        file("my  old games.pgn"),
        Some(PathBuf::from("my  old games.pgn"))
    );
    assert_eq!(file("'my games.pgn'"), Some(PathBuf::from("my games.pgn")));
    assert_eq!(
        file("my games.pgn nodes=true"),
        Some(PathBuf::from("my games.pgn"))
    );
    assert_eq!(
        engine("./my engine nodes=5").cmd,
        Some("./my engine".into())
    );
}

#[test]
fn near_misses_of_options_have_a_hint() {
    let hint = |words: &str| {
        let error = RawEngine::from_words("--engine", words).expect_err("words to be refused");
        error.hint().unwrap_or_default()
    };
    for (words, meant) in [
        ("cmd=a Hash=16", "option.Hash=16"),
        ("cmd=a Option.Hash=16", "option.Hash=16"),
        ("cmd=a options.Hash=16", "option.Hash=16"),
        ("cmd=a option Hash=16", "option.NAME=VALUE"),
    ] {
        assert_eq!(hint(words), format!("did you mean `{meant}`?"), "{words}");
    }
}

#[test]
fn only_engines_have_options_to_be_missed() {
    let hint = |words: &str| {
        let error = RawSprt::from_words("--sprt", words).expect_err("words to be refused");
        error.hint()
    };
    let meant = "did you mean `elo0`?".to_owned();
    assert_eq!(hint("ELO0=0 elo1=2"), Some(meant));
    assert_eq!(hint("Hash=16"), None);
}

#[test]
fn the_words_of_an_engine_are_those_that_testers_know() {
    let read = engine(
        "cmd=./new name=new option.Hash=16 option.Threads=2 tc=8+0.08 st=0.5 nodes=1000 depth=9 \
         timemargin=20 dir=engines env.LD_LIBRARY_PATH=lib restart=on proto=uci",
    );
    assert_eq!(read.cmd.as_deref(), Some("./new"));
    assert_eq!(read.name.as_deref(), Some("new"));
    assert_eq!(read.options, settings(&[("Hash", "16"), ("Threads", "2")]));
    assert_eq!(read.env, settings(&[("LD_LIBRARY_PATH", "lib")]));
    assert_eq!(read.dir, Some(PathBuf::from("engines")));
    let clock = read.tc.flatten().expect("a clock");
    assert_eq!(clock.base, Duration::from_secs(8));
    assert_eq!(clock.increment, Duration::from_millis(80));
    assert_eq!(read.st, Some(Duration::from_millis(500)));
    assert_eq!(read.nodes.map(u64::from), Some(1000));
    assert_eq!(read.depth.map(u32::from), Some(9));
    assert_eq!(read.timemargin, Some(Duration::from_millis(20)));
    assert_eq!(read.restart, Some(true));
}

#[test]
fn a_first_word_without_a_key_is_the_command() {
    assert_eq!(engine("./stockfish").cmd.as_deref(), Some("./stockfish"));
    assert_eq!(engine("sparring:5").cmd.as_deref(), Some("sparring:5"));
    let with_name = engine("/opt/x=y/stockfish name=sf");
    assert_eq!(with_name.cmd.as_deref(), Some("/opt/x=y/stockfish"));
    assert_eq!(with_name.name.as_deref(), Some("sf"));
}

#[test]
fn words_are_quoted_as_in_a_shell() {
    let read = engine(
        r#"cmd="dir with space/eng ine" args="--vice 'crash on go' -v" 'option.Skill Level=3' option.Book=a\ b"#,
    );
    assert_eq!(read.cmd.as_deref(), Some("dir with space/eng ine"));
    assert_eq!(
        read.args.as_deref(),
        Some(&["--vice", "crash on go", "-v"].map(str::to_owned)[..])
    );
    assert_eq!(
        read.options,
        settings(&[("Skill Level", "3"), ("Book", "a b")])
    );
}

#[test]
fn option_values_may_hold_anything_and_names_may_hold_slashes() {
    let read = engine("option.A/B=c=d option.EvalFile=nets/nn.nnue option.Empty=");
    assert_eq!(
        read.options,
        settings(&[("A/B", "c=d"), ("EvalFile", "nets/nn.nnue"), ("Empty", "")])
    );
}

#[test]
fn an_unknown_key_is_refused_with_what_was_probably_meant() {
    refused(
        "cmd=a nods=5",
        "`--engine`: in `nods=5`: unknown field `nods`, expected one of `name`, `cmd`, `args`, \
         `dir`, `env`, `options`, `proto`, `restart`, `tc`, `st`, `nodes`, `depth`, `timemargin`, \
         `git`, `platform`, `sandbox`\n\
         hint: did you mean `nodes`?",
    );
}

#[test]
fn a_refusal_names_the_flag_the_word_and_what_is_allowed() {
    refused(
        "cmd=a nodes=0",
        "`--engine`: in `nodes=0`: `0` is not allowed here: a whole number from 1",
    );
    refused(
        "cmd=a st=soon",
        "`--engine`: in `st=soon`: `soon` is not a span of time: a number of seconds, or a number \
         with `ms`, `s` or `m` behind it, up to a thousand days",
    );
    refused(
        "cmd=a restart=maybe",
        "`--engine`: in `restart=maybe`: `maybe` is not a switch: `true`, `false`, `on` or `off`",
    );
    refused(
        "cmd=a proto=xboard",
        "`--engine`: in `proto=xboard`: `xboard` is not a protocol that arbiter speaks: `uci`",
    );
    refused(
        "cmd=a cmd=b",
        "`--engine`: in `cmd=b`: `cmd` is given twice",
    );
    refused(
        "cmd=a ponder",
        "`--engine`: in `ponder`: a word is `key=value`",
    );
    refused(
        "cmd=a option.=5",
        "`--engine`: in `option.=5`: a name is missing: allowed is `option.NAME=VALUE`, as \
         `option.Hash=16`",
    );
    refused(
        "cmd='a",
        "`--engine`: `cmd='a` has a quotation mark that is not closed",
    );
    refused(
        "cmd=a option.Hash=1 option.Hash=2",
        "`--engine`: `Hash` is given twice",
    );
    refused(
        "cmd=a options=Hash",
        "`--engine`: in `options=Hash`: invalid type: string \"Hash\", expected a table of names \
         with values",
    );
    refused(
        "name=",
        "`--engine`: in `name=`: an empty text is not allowed here",
    );
}

#[test]
fn spans_of_time_take_units() {
    let st = |text: &str| engine(&format!("st={text}")).st;
    let timemargin = |text: &str| engine(&format!("timemargin={text}")).timemargin;
    assert_eq!(st("0.1"), Some(Duration::from_millis(100)));
    assert_eq!(st("250ms"), Some(Duration::from_millis(250)));
    assert_eq!(st("2m"), Some(Duration::from_secs(120)));
    assert_eq!(timemargin("20"), Some(Duration::from_millis(20)));
    assert_eq!(timemargin("0.02s"), Some(Duration::from_millis(20)));
    for wrong in ["-1", "1e3", "inf", "NaN", "", "s", "1 h", "99999999999"] {
        assert!(
            RawEngine::from_words("--each", &format!("'st={wrong}'")).is_err(),
            "{wrong}"
        );
    }
}

#[test]
fn the_other_flags_of_words_have_their_own_keys() {
    let openings = RawOpenings::from_words("--openings", "book.epd order=random start=5 plies=8")
        .expect("readable words");
    assert_eq!(openings.file, Some(PathBuf::from("book.epd")));
    assert_eq!(openings.start.map(u64::from), Some(5));

    let resign = RawResign::from_words("--resign", "count=3 score=600 twosided=true")
        .expect("readable words");
    assert_eq!(resign.twosided, Some(true));

    let draw = RawDraw::from_words("--draw", "move=34 count=8 score=20").expect("readable words");
    assert_eq!(draw.after_move, Some(34));

    let sprt = RawSprt::from_words("--sprt", "elo0=-1.75 elo1=0.25 rule=curved preset=gain")
        .expect("readable words");
    assert_eq!((sprt.elo0, sprt.elo1), (Some(-1.75), Some(0.25)));
    assert_eq!(sprt.preset, Some(Preset::Gain));

    let pgn = RawPgn::from_words("--pgn", "games.pgn pv=on").expect("readable words");
    assert_eq!(pgn.file, Some(PathBuf::from("games.pgn")));
    assert_eq!(pgn.pv, Some(true));

    let error = RawSprt::from_words("--sprt", "elo0=nan").expect_err("not a number");
    assert_eq!(
        error.to_string(),
        "`--sprt`: in `elo0=nan`: `nan` is not a number"
    );
    let error = RawResign::from_words("--resign", "600").expect_err("no such word");
    assert!(matches!(error, SpecError::Words { .. }), "{error}");
}

fn resolved_sandbox(each: &str, words: &str) -> Option<Sandbox> {
    let mut spec = RawSpec {
        each: RawEngine::from_words("--each", each).expect("readable words"),
        ..RawSpec::default()
    };
    spec.engine = vec![engine(words), engine("cmd=other")];
    let (spec, _) = spec.resolve().expect("a whole contest");
    spec.engines[0].sandbox.clone()
}

#[test]
fn a_sandbox_is_a_switch_or_settings_and_an_engine_has_the_last_word() {
    assert_eq!(resolved_sandbox("nodes=1", "cmd=a"), None);
    assert_eq!(
        resolved_sandbox("nodes=1 sandbox=on", "cmd=a sandbox=off"),
        None
    );
    let words = "cmd=a sandbox='memory=2GiB read=/nets:/books'";
    let sandbox = resolved_sandbox("nodes=1 sandbox='processes=3 memory=64'", words);
    let sandbox = sandbox.expect("settings switch it on");
    assert_eq!(sandbox.memory.get(), 2 << 30);
    assert_eq!(sandbox.processes.get(), 3);
    assert_eq!(
        sandbox.read,
        [PathBuf::from("/nets"), PathBuf::from("/books")]
    );
    let bare = resolved_sandbox("nodes=1", "cmd=a sandbox=memory=64").expect("it is on");
    assert_eq!(bare.memory.get(), 64 << 20);
}

#[test]
fn the_memory_of_a_sandbox_grows_with_hash_and_threads() {
    let memory = |words: &str| {
        let words = format!("cmd=a sandbox=on {words}");
        resolved_sandbox("nodes=1", &words)
            .expect("it is on")
            .memory
            .get()
    };
    assert_eq!(memory(""), (2048 + 64) << 20);
    assert_eq!(
        memory("option.Hash=4096 option.threads=8"),
        (2048 + 4096 + 8 * 64) << 20
    );
}

#[test]
fn what_is_no_sandbox_is_refused() {
    refused(
        "cmd=a sandbox=memory=much",
        "`--engine`: in `sandbox=memory=much`: `sandbox`: in `memory=much`: `much` is not an amount \
         of memory: a whole number of MiB, or one with `KiB`, `MiB`, `GiB` or `TiB` behind it, more \
         than 0",
    );
}
