//! Specs as TOML, their order of precedence, and what makes a contest.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::Duration;

use match_core::spec::raw::{RawEngine, RawOpenings, RawSpec};
use match_core::spec::{
    BookFormat, BookOrder, BookSource, Concurrency, EngineCommand, Notice, PAIRS_MAX, Spec,
    SpecError, Tournament, Variant, VoidLimit,
};
use proptest::prelude::*;
use stats::{Preset, Rule};

use crate::sample::spec;

/// The example of the documentation.
const FULL: &str = r#"
pairs = 20000
concurrency = "auto"
seed = 7

[each]
tc = "8+0.08"
options = { Hash = 16 }

[[engine]]
name = "new"
cmd = "./new"
args = "--fast 'a b'"
options = { Threads = 2, Ponder = false }

[[engine]]
name = "old"
cmd = "./old"
args = ["-v"]
options = { hash = 32 }

[openings]
file = "UHO.epd"
order = "random"

[sprt]
elo0 = 0.0
elo1 = 2.0

[adjudication]
resign = { score = 600, count = 3, twosided = true }
draw = { score = 20, count = 8, move = 34 }
max-moves = 200
syzygy = { paths = ["syzygy", "more"], pieces = 6 }

[output]
pgn = "games.pgn"
summary = "summary.json"
"#;

/// Two engines with a limit, and `more` before them.
fn two(more: &str) -> String {
    format!("{more}\n[each]\nnodes = 1\n[[engine]]\ncmd = 'a'\n[[engine]]\ncmd = 'b'\n")
}

fn resolve(toml: &str) -> Result<(Spec, Vec<Notice>), SpecError> {
    RawSpec::from_toml(Path::new("match.toml"), toml).and_then(RawSpec::resolve)
}

#[track_caller]
fn refused(toml: &str, expected: &str) {
    let error = resolve(toml).expect_err("a spec to be refused");
    let hint = error
        .hint()
        .map_or_else(String::new, |hint| format!("\nhint: {hint}"));
    assert_eq!(format!("{error}{hint}"), expected);
}

#[test]
fn the_example_of_the_documentation_is_read() {
    let spec = spec(FULL);
    assert_eq!(spec.pairs.get(), 20_000);
    assert_eq!(spec.concurrency, Concurrency::Auto);
    assert_eq!(spec.seed, 7);
    let [new, old] = &spec.engines[..] else {
        panic!("two engines");
    };
    assert_eq!(new.name, "new");
    let EngineCommand::Program { program, args, .. } = &new.command else {
        panic!("a program");
    };
    assert_eq!(program, Path::new("./new"));
    assert_eq!(args, &["--fast", "a b"]);
    let options = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    };
    assert_eq!(
        new.options,
        options(&[("Threads", "2"), ("Hash", "16"), ("Ponder", "false")])
    );
    assert_eq!(old.options, options(&[("hash", "32")]));
    assert_eq!(
        old.limits.clock.expect("a clock").base,
        Duration::from_secs(8)
    );
    assert_eq!(
        spec.openings.source,
        BookSource::File {
            path: PathBuf::from("UHO.epd"),
            format: BookFormat::Epd,
            plies: None
        }
    );
    assert_eq!(spec.openings.order, BookOrder::Random);
    let resign = spec.adjudication.resign.expect("resignation");
    assert!(resign.two_sided);
    assert_eq!(spec.adjudication.draw.expect("draws").after_move, 34);
    let syzygy = spec.adjudication.syzygy.expect("tablebases");
    assert_eq!(syzygy.paths, ["syzygy", "more"].map(PathBuf::from));
    assert!(syzygy.fifty_move_rule);
    assert_eq!(
        spec.output.pgn.expect("a file").path,
        Path::new("games.pgn")
    );
    assert_eq!(spec.output.summary, Some(PathBuf::from("summary.json")));
}

#[test]
fn defaults_fill_in_what_is_not_said() {
    let (spec, notices) = resolve(&two("")).expect("a whole spec");
    assert_eq!(spec.pairs.get(), 100);
    assert_eq!(spec.tournament, Tournament::RoundRobin);
    assert_eq!(spec.variant, Variant::Standard);
    assert_eq!(spec.seed, 1);
    assert_eq!(spec.openings.source, BookSource::Embedded);
    assert_eq!(spec.openings.order, BookOrder::Random);
    assert_eq!(spec.patience.startup, Duration::from_secs(10));
    assert_eq!(spec.engines[0].limits.margin, Duration::ZERO);
    let notices: Vec<String> = notices.iter().map(Notice::to_string).collect();
    assert_eq!(notices, ["`pairs` is not given: 100 pairs are played"]);
}

#[test]
fn a_book_of_ones_own_keeps_its_order_unless_asked() {
    let openings = spec(&two("openings = { file = 'book.pgn', plies = 12 }")).openings;
    assert_eq!(openings.order, BookOrder::Sequential);
    assert_eq!(
        openings.source,
        BookSource::File {
            path: PathBuf::from("book.pgn"),
            format: BookFormat::Pgn,
            plies: Some(12)
        }
    );
}

#[test]
fn short_forms_of_tables_are_strings() {
    let spec = spec(&two(
        "adjudication.syzygy = 'a:b'\noutput.pgn = { file = 'x.pgn', nodes = true, timeleft = true }",
    ));
    let syzygy = spec.adjudication.syzygy.expect("tablebases");
    assert_eq!(syzygy.paths, ["a", "b"].map(PathBuf::from));
    let pgn = spec.output.pgn.expect("a file");
    assert!(pgn.nodes && pgn.time_left && !pgn.pv);
}

#[test]
fn the_built_in_engine_is_named_by_its_level() {
    let toml = "pairs = 1\neach.nodes = 1\n[[engine]]\ncmd = 'sparring:5'\n[[engine]]\n\
                cmd = 'sparring'\nargs = '--random'\n[[engine]]\ncmd = './sparring'\n";
    let engines = spec(toml).engines;
    let sparring = |args: &[&str]| EngineCommand::Sparring {
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
    };
    assert_eq!(engines[0].command, sparring(&["--level", "5"]));
    assert_eq!(engines[0].name, "sparring-5");
    assert_eq!(engines[1].command, sparring(&["--random"]));
    assert!(matches!(engines[2].command, EngineCommand::Program { .. }));
    refused(
        &two("").replace("'a'", "'sparring:11'"),
        "`sparring:11`: the built-in engine is `sparring:LEVEL` with a level from 1 to 10",
    );
}

#[test]
fn what_the_built_in_engine_has_no_use_for_is_refused() {
    refused(
        &two("").replace("'a'", "'sparring:1'\nenv = { X = 1 }"),
        "engine `sparring-1` has `env`, which the built-in engine has no use for",
    );
}

#[test]
fn names_of_options_have_no_case_and_those_of_the_environment_do() {
    let toml = "pairs = 1\n[each]\nnodes = 1\ncmd = 'x'\noptions = { Hash = 1 }\n\
                env = { http_proxy = 'a' }\n[[engine]]\noptions = { HASH = 2 }\n\
                env = { HTTP_PROXY = 'b' }\n[[engine]]\n";
    let engine = &spec(toml).engines[0];
    assert_eq!(engine.options, [("HASH".to_owned(), "2".to_owned())]);
    let EngineCommand::Program { env, .. } = &engine.command else {
        panic!("a program");
    };
    let names: Vec<&str> = env.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["http_proxy", "HTTP_PROXY"]);
    refused(
        &toml.replace("HASH = 2", "HASH = 2, hash = 3"),
        "engine `x` has the options `HASH` and `hash`, which are the same: case makes no difference",
    );
    refused(
        &toml.replace("HTTP_PROXY", "'A=B'"),
        "engine `x` has the environment variable `A=B`: its name cannot have a `=`",
    );
}

#[test]
fn names_come_from_programs_and_differ() {
    let (spec, notices) = resolve(
        &two("pairs = 1")
            .replace("'a'", "'old/sf'")
            .replace("'b'", "'new/sf'"),
    )
    .expect("a whole spec");
    assert_eq!(spec.engines[0].name, "sf");
    assert_eq!(spec.engines[1].name, "sf-2");
    assert_eq!(
        notices[0].to_string(),
        "engine 2 is called `sf-2`: the name of its program is taken"
    );
    refused(
        &two("").replace("cmd", "name = 'x'\ncmd"),
        "engines 1 and 2 are both named `x`: names must differ\n\
         hint: give one of them another `name`",
    );
    refused(
        &two("each.name = 'x'").replace("[each]\nnodes = 1\n", ""),
        "`name=x` for each engine: names must differ, so a name belongs to one engine",
    );
}

#[test]
fn limits_of_an_engine_are_laid_over_those_of_each() {
    let toml = "pairs = 1\n[each]\ntc = '8+0.08'\n[[engine]]\ncmd = 'a'\nnodes = 7\n[[engine]]\n\
                cmd = 'b'\ntc = 'inf'\ndepth = 3\n";
    let engines = spec(toml).engines;
    assert!(engines[0].limits.clock.is_some());
    assert_eq!(engines[0].limits.nodes.map(u64::from), Some(7));
    assert!(engines[1].limits.clock.is_none());
    assert_eq!(engines[1].limits.depth.map(u32::from), Some(3));
}

#[test]
fn an_unknown_key_is_refused_with_its_line_and_what_was_probably_meant() {
    refused(
        "pairs = 1\n[openings]\nfile = 'x.epd'\noder = 'random'\n",
        "match.toml:4:1: unknown field `oder`, expected one of `file`, `format`, `order`, \
         `start`, `plies`\nhint: did you mean `order`?",
    );
}

#[test]
fn a_wrong_value_is_refused_with_its_line_and_what_is_allowed() {
    refused(
        "[each]\nnodes = 0\n",
        "match.toml:2:9: `0` is not allowed here: a whole number from 1",
    );
    refused(
        "variant = 'ches960'",
        "match.toml:1:11: `ches960` is not a variant: `standard`, `chess960`, `fischerandom` or \
         `frc` (did you mean `chess960`?)",
    );
    refused(
        "concurrency = 0",
        "match.toml:1:15: `0` is not a concurrency: `auto` or a number from 1",
    );
    refused(
        "flag-policy = 'los'",
        "match.toml:1:15: `los` is not a flag policy: `bare-king`, `cannot-mate` or `loss` (did \
         you mean `loss`?)",
    );
    refused(
        "each = 3",
        "match.toml:1:8: invalid type: integer `3`, expected a section of settings",
    );
    refused(
        "[engine]\ncmd = 'a'\n",
        "match.toml:1:1: invalid type: map, expected a list of sections, each with its head in \
         double brackets",
    );
    refused(
        "[output]\nevents = ['a']\n",
        "match.toml:2:10: invalid type: sequence, expected a single value",
    );
    refused(
        "# ein Kommentar: ä\n[each]\nname = \"a\\nb\"\n",
        "match.toml:3:8: `a\\nb` has a control character: one line of text is allowed here",
    );
}

#[test]
fn text_that_is_no_toml_is_refused_with_its_line() {
    let error = resolve("pairs = 1\nseed == 2\n").expect_err("no TOML");
    let SpecError::Toml { line, column, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((line, column), (2, 7));
}

#[test]
fn what_makes_no_contest_is_refused() {
    refused(
        "pairs = 1",
        "no engine is given: a contest is between at least two\n\
         hint: give `--engine` twice, such as `--engine ./new --engine sparring:5`, or two \
         `[[engine]]` sections",
    );
    refused(
        "[[engine]]\ncmd = 'a'\n[[engine]]\ncmd = 'b'\n",
        "engine `a` has no limit: at least one of `tc`, `st`, `nodes` and `depth` must be given\n\
         hint: `--each tc=8+0.08` gives every engine 8 seconds and 0.08 seconds more a move",
    );
    refused(
        &two("").replacen("cmd = 'a'", "name = 'x'", 1),
        "engine `x` has no `cmd`: the program to run, or `sparring:LEVEL` for the built-in engine",
    );
    refused(
        &two("").replace("nodes = 1", "st = 0"),
        "engine `a` has `st=0`: a fixed time a move is more than zero",
    );
    refused(
        &two("openings.file = 'book.bin'"),
        "the format of the book `book.bin` cannot be told from its name: `format=epd` or \
         `format=pgn`",
    );
    refused(
        &two("openings = { file = 'book.epd', plies = 3 }"),
        "`plies` of openings is given, but an EPD book has positions and no moves",
    );
    refused(
        &two("openings = { plies = 3 }"),
        "`plies` of openings is given, but there is no `file`",
    );
    refused(
        &two("adjudication.resign = { score = 600 }"),
        "`resign` without `count`",
    );
    refused(&two("adjudication.syzygy = ''"), "`syzygy` without `paths`");
    refused(
        &two("output = { pgn = 'x', summary = 'x' }"),
        "`pgn` and `summary` are both to be written to `x`",
    );
    refused(
        &two("output.pgn = { nodes = true }"),
        "`pgn` has settings but no `file`",
    );
    refused(
        &two("pairs = 1000000000001"),
        "`pairs` is 1000000000001: at most 1000000000000",
    );
}

#[test]
fn a_sequential_test_has_curved_bounds_unless_told_otherwise() {
    let rule = |more: &str| {
        let toml = two(&format!("sprt = {{ elo0 = -0.0, elo1 = 2{more} }}"));
        let (spec, _) = resolve(&toml).expect("a whole spec");
        let sprt = spec.sprt.expect("a test");
        assert!(
            sprt.hypotheses.elo0().is_sign_positive(),
            "no `-0` is shown"
        );
        sprt.rule
    };
    assert_eq!(rule(""), Rule::Curved(Preset::General));
    assert_eq!(rule(", rule = 'curved'"), Rule::Curved(Preset::General));
    assert_eq!(
        rule(", preset = 'non-regression'"),
        Rule::Curved(Preset::NonRegression)
    );
    assert_eq!(rule(", rule = 'wald'"), Rule::Wald);
}

#[test]
fn a_sequential_test_is_between_two_engines_and_goes_on_until_it_is_decided() {
    let (spec, notices) = resolve(&two("sprt = { elo0 = 0, elo1 = 2 }")).expect("a whole spec");
    assert_eq!(spec.pairs, PAIRS_MAX);
    assert!(spec.is_open_ended());
    let notices: Vec<String> = notices.iter().map(Notice::to_string).collect();
    assert_eq!(
        notices,
        [
            "`alpha` of the sequential test is not given: it is 0.05",
            "`beta` of the sequential test is not given: it is 0.05"
        ]
    );
    refused(
        &two("sprt = { elo0 = 0 }"),
        "`sprt` without `elo1`: both hypotheses must be given, such as `elo0=0 elo1=2`",
    );
    refused(
        &two("sprt = { elo0 = 2, elo1 = 2 }"),
        "`sprt`: `elo0` is 2 and `elo1` is 2: `elo0` must be the smaller one",
    );
    refused(
        &two("sprt = { elo0 = 0, elo1 = 5000 }"),
        "`sprt`: `elo1` is 5000: allowed are -4000 to 4000",
    );
    refused(
        &two("sprt = { elo0 = 0, elo1 = 2, alpha = 0.5 }"),
        "`sprt` with alpha=0.5: an error rate is above 0 and below 0.5",
    );
    refused(
        &two("sprt = { elo0 = 0, elo1 = 2, rule = 'wald', preset = 'gain' }"),
        "`sprt` with rule=wald and preset=gain: presets are those of `rule=curved`",
    );
    refused(
        &two("sprt = { preset = 'gains' }"),
        "match.toml:1:19: `gains` is not a preset of curved bounds: `general`, `gain`, \
         `non-regression` or `deadline` (did you mean `gain`?)",
    );
    refused(
        &two("sprt = { model = 'normal' }"),
        "match.toml:1:18: `normal` is not a model of strength: `normalized`, `logistic` or \
         `bayesian`",
    );
    let three = format!(
        "{}[[engine]]\ncmd = 'c'\n",
        two("sprt = { elo0 = 0, elo1 = 2 }")
    );
    refused(
        &three,
        "`sprt` with 3 engines: a sequential test is between exactly two\n\
         hint: leave `sprt` out and set `pairs`, or take out the other engines",
    );
}

#[test]
fn flags_win_over_the_environment_and_the_environment_over_the_file() {
    let file = RawSpec::from_toml(Path::new("match.toml"), FULL).expect("a readable spec");
    let env = RawSpec::from_env(|name| match name {
        "ARBITER_CONCURRENCY" => Some("3".to_owned()),
        "ARBITER_SEED" => Some("8".to_owned()),
        _ => None,
    })
    .expect("readable variables");
    let flags = RawSpec {
        seed: Some(9),
        each: RawEngine::from_words("--each", "option.Hash=64 nodes=5").expect("readable words"),
        ..RawSpec::default()
    };
    let (spec, _) = file
        .overlaid_with(env)
        .overlaid_with(flags)
        .resolve()
        .expect("a whole spec");
    assert_eq!(spec.seed, 9);
    assert_eq!(
        spec.concurrency,
        Concurrency::Slots(3.try_into().expect("not 0"))
    );
    assert_eq!(
        spec.engines[0].options[1],
        ("Hash".to_owned(), "64".to_owned())
    );
    assert_eq!(
        spec.engines[1].options[0],
        ("hash".to_owned(), "32".to_owned())
    );
    assert!(spec.engines[0].limits.clock.is_some());
    assert_eq!(spec.engines[0].limits.nodes, NonZeroU64::new(5));
    assert_eq!(spec.pairs.get(), 20_000);
}

#[test]
fn a_new_book_does_not_take_over_the_format_of_the_old_one() {
    let weaker = RawOpenings::from_words("--openings", "a.pgn plies=8 order=random");
    let stronger = RawOpenings::from_words("--openings", "b.epd");
    let both = weaker
        .expect("readable words")
        .overlaid_with(stronger.expect("readable words"));
    assert_eq!(both.plies, None);
    assert_eq!(both.order, Some(BookOrder::Random));
}

#[test]
fn a_wrong_variable_is_refused_by_its_name() {
    let error = RawSpec::from_env(|name| (name == "ARBITER_SEED").then(|| "x".to_owned()))
        .expect_err("no seed");
    assert_eq!(
        error.to_string(),
        "environment variable `ARBITER_SEED`: `x` is not a seed: a whole number, 0 or more"
    );
}

#[test]
fn engines_given_by_flags_replace_those_of_the_file() {
    let file = RawSpec::from_toml(Path::new("match.toml"), &two("")).expect("a readable spec");
    let flags = RawSpec {
        engine: ["./x", "./y"]
            .map(|words| RawEngine::from_words("--engine", words).expect("readable words"))
            .to_vec(),
        ..RawSpec::default()
    };
    let (spec, _) = file.overlaid_with(flags).resolve().expect("a whole spec");
    let names: Vec<&str> = spec.engines.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["x", "y"]);
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,60}|(\\[?[a-z]{1,8}\\]?( = ['\"0-9a-z]{0,6})?\n){0,6}") {
        let _refused_or_not = resolve(&text);
    }

    #[test]
    fn no_words_make_the_reader_panic(text in "([a-z.]{0,8}=?['\"0-9a-z+/.]{0,8} ){0,6}") {
        let _refused_or_not = RawEngine::from_words("--engine", &text);
    }

    #[test]
    fn overlaying_nothing_changes_nothing(seed: Option<u64>, engines in 0_usize..3) {
        let some = RawSpec {
            seed,
            engine: vec![RawEngine::default(); engines],
            ..RawSpec::default()
        };
        prop_assert_eq!(some.clone().overlaid_with(RawSpec::default()), some.clone());
        prop_assert_eq!(RawSpec::default().overlaid_with(some.clone()), some);
    }
}

#[test]
fn where_games_are_played_and_what_a_host_may_spoil_can_be_said() {
    let plain = spec(&two(""));
    assert!(plain.placement.pin && plain.placement.cpus.is_none() && plain.host.blame);
    assert_eq!(plain.host.max_voids, VoidLimit::PerCent(5));
    let all = spec(&two(
        "cpus = '0-3,8'\npin = false\nhost-blame = 'off'\nmax-voids = 7",
    ));
    let cpus = all.placement.cpus.expect("a list");
    assert_eq!(cpus.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 8]);
    assert!(!all.placement.pin && !all.host.blame);
    assert_eq!(all.host.max_voids, VoidLimit::Games(7));
    refused(
        &two("max-voids = '101%'"),
        "match.toml:1:13: `101%` is no limit of void games: a number of games from 0, or a share from \
         `0%` to `100%`",
    );
}
