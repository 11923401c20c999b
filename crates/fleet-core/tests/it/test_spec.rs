//! What is a test.

use fleet_core::test_spec::{Source, TestError, TestSpec};

const TWO_LEVELS: &str = r#"
pairs = 10
[each]
nodes = 100
[[engine]]
cmd = "sparring:1"
[[engine]]
cmd = "sparring:2"
"#;

const HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn engine(setting: &str, fleet: &str) -> String {
    format!(
        "[each]\nnodes = 100\n[[engine]]\nname = \"new\"\n{setting}\n[[engine]]\ncmd = \"sparring\"\n{fleet}"
    )
}

#[track_caller]
fn refused(text: &str, words: &str) {
    let error = TestSpec::parse(text)
        .expect_err("it is no test")
        .to_string();
    assert!(error.contains(words), "{error}");
}

#[test]
fn a_contest_is_a_test_as_it_is() {
    let test = TestSpec::parse(TWO_LEVELS).expect("a test");
    assert_eq!(test.name, "sparring-1 against sparring-2");
    assert_eq!((test.priority, test.weight), (0, 1.0));
    assert_eq!(test.programs, [Source::BuiltIn, Source::BuiltIn]);
    assert_eq!(test.pairs_wanted(), Some(10));
}

#[test]
fn a_sequential_test_without_a_number_of_pairs_wants_a_decision() {
    let text = format!(
        "{}[sprt]\nelo0 = 0\nelo1 = 5\n",
        TWO_LEVELS.replace("pairs = 10", "")
    );
    let test = TestSpec::parse(&text).expect("a test");
    assert_eq!(test.pairs_wanted(), None);
    let worker = test.for_worker(&[None, None], None).expect("a contest");
    assert_eq!(worker.sprt, None, "the coordinator decides");
    assert_eq!(
        worker.pairs, test.spec.pairs,
        "and the schedule is the same"
    );
}

#[test]
fn the_section_of_the_fleet_names_and_ranks_it() {
    let text = format!(
        "{TWO_LEVELS}[fleet]\nname = \"lmr\"\npriority = -2\nweight = 0.5\ntags = \"search lmr\"\nnote = \"two\\nlines\"\n"
    );
    let test = TestSpec::parse(&text).expect("a test");
    assert_eq!(
        (test.name.as_str(), test.priority, test.weight),
        ("lmr", -2, 0.5)
    );
    assert_eq!(test.tags, ["search", "lmr"]);
    assert_eq!(test.note, "two\nlines");
    for weight in ["0", "1e-320", "1e7", "-1"] {
        let text = format!("{TWO_LEVELS}[fleet]\nweight = {weight}\n");
        refused(&text, "0.000001 to 1000000");
    }
    refused(&format!("{TWO_LEVELS}[fleet]\nwieght = 1\n"), "test:10:1");
}

#[test]
fn a_program_comes_from_somewhere() {
    refused(
        &engine("cmd = \"./new\"", ""),
        "engine `new` is `./new`, which is neither uploaded",
    );
    let uploaded = format!("[fleet.artifacts]\n\"./new\" = \"{HASH}\"\n");
    let test = TestSpec::parse(&engine("cmd = \"./new\"", &uploaded)).expect("a test");
    assert!(matches!(&test.programs[0], Source::Artifact(hash) if hash.as_str() == HASH));
    let trusted = "[fleet]\ntrust = \"./new\"\n";
    let test = TestSpec::parse(&engine("cmd = \"./new\"", trusted)).expect("a test");
    assert_eq!(test.programs[0], Source::Trusted("./new".into()));
    let short = "[fleet.artifacts]\n\"./new\" = \"abc\"\n";
    refused(&engine("cmd = \"./new\"", short), "64 hexadecimal digits");
}

#[test]
fn a_recipe_is_pinned_and_whole() {
    let git = |rev: &str| {
        engine(
            &format!(
                "[engine.git]\nurl = \"https://host/you/engine.git\"\nrev = \"{rev}\"\nbuild = \"make EXE={{out}}\"\ntoolchain = \"make gcc\"\nbench = 123"
            ),
            "",
        )
    };
    let commit = "0123456789abcdef0123456789ABCDEF01234567";
    let test = TestSpec::parse(&git(commit)).expect("a test");
    let Source::Built(recipe) = &test.programs[0] else {
        panic!("{:?}", test.programs);
    };
    assert_eq!(recipe.commit, commit.to_lowercase());
    assert_eq!(recipe.bench, Some(123));
    assert_eq!(test.toolchain(), ["gcc", "make"]);
    let worker = test
        .for_worker(&[Some("/cache/new".into()), None], None)
        .expect("a contest");
    assert!(format!("{:?}", worker.engines[0].command).contains("/cache/new"));
    refused(&git("main"), "a full commit hash is needed");
    refused(&git(commit).replace("build", "#"), "`git` has no `build`");
    refused(
        &git(commit).replace("[engine.git]", "cmd = \"x\"\n[engine.git]"),
        "one of them",
    );
}

#[test]
fn what_is_only_for_the_submitters_machine_is_refused() {
    for (section, name) in [
        ("[output]\npgn = \"g.pgn\"\n", "`output`"),
        (
            "[adjudication]\nsyzygy = { paths = [\"x\"] }\n",
            "`adjudication.syzygy` says no `pieces`",
        ),
    ] {
        refused(&format!("{TWO_LEVELS}{section}"), name);
    }
    assert!(matches!(
        TestSpec::parse("pairs = 1"),
        Err(TestError::Spec(_))
    ));
}

#[test]
fn a_game_needs_the_cores_and_the_memory_of_its_engines() {
    let text = TWO_LEVELS.replace(
        "nodes = 100",
        "nodes = 100\noptions = { Threads = 4, Hash = 64 }",
    );
    let test = TestSpec::parse(&text).expect("a test");
    assert_eq!(test.cores(), 4);
    assert_eq!(test.memory_mib(), 2 * (64 + 128));
}

#[test]
fn uploaded_programs_run_where_they_say_and_all_on_one_machine() {
    let test = |each: &str, new: &str, old: &str| {
        let hash = "0".repeat(64);
        TestSpec::parse(&format!(
            "pairs = 1\n[each]\nnodes = 1\n{each}\n[[engine]]\ncmd = './new'\n{new}\n\
             [[engine]]\ncmd = './old'\n{old}\n[[engine]]\ncmd = 'sparring'\nplatform = 'z80-cpm'\n\
             [fleet.artifacts]\n'./new' = '{hash}'\n'./old' = '{hash}'\n"
        ))
    };
    let platform = |each, new, old| test(each, new, old).expect("a test").platform;
    let x86 = "platform = 'x86_64-linux'";
    assert_eq!(platform("", "", ""), None);
    assert_eq!(platform("", x86, "").as_deref(), Some("x86_64-linux"));
    assert_eq!(platform(x86, "", "").as_deref(), Some("x86_64-linux"));
    assert_eq!(platform(x86, "platform = 'any'", "platform = 'any'"), None);
    let error = test("", x86, "platform = 'riscv64-linux'").expect_err("no machine is both");
    assert!(
        error.to_string().contains("one machine plays both"),
        "{error}"
    );
}

#[test]
fn tablebases_are_asked_for_by_their_men() {
    let text = format!(
        "{TWO_LEVELS}[adjudication]\nsyzygy = {{ paths = ['/mine'], pieces = 5, rulings = 'win-loss' }}\n"
    );
    let test = TestSpec::parse(&text).expect("a test");
    assert_eq!(test.tablebases(), 5);
    assert_eq!(TestSpec::parse(TWO_LEVELS).expect("a test").tablebases(), 0);
}
