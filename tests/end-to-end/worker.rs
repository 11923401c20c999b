//! A worker on a machine whose owner does not know those whose tests it plays.

use std::process::Command;

use end_to_end::{Running, Stage, program, say_aloud, shared};

use rustix::process::Signal;
use serde_json::Value;

use crate::fleet::{Fleet, check_totals, end};

/// A sandboxed worker with more flags; nothing where the kernel has no sandbox, and then that is said.
fn start_sandboxed<'a>(fleet: &Fleet<'a>, sandbox: &str) -> Option<Running<'a>> {
    let mut worker = fleet.start_with(&[
        "worker",
        "--slots=1",
        // Recipes are not to suffer for a blank.
        "--data=my attic",
        "--name=attic",
        sandbox,
    ]);
    fleet.stage.wait_until("the worker to begin", || {
        worker.err().contains("slots, data in") || worker.err().contains("the kernel lacks")
    });
    if worker.err().contains("the kernel lacks") {
        assert!(
            worker
                .finish()
                .expect(2)
                .err
                .contains("a sandbox is asked for")
        );
        say_aloud("SKIPPED: the kernel has no sandbox");
        return None;
    }
    assert!(!worker.is_over());
    Some(worker)
}

/// Puts what is in the stage's folder `repository` into one.
fn commit(stage: &Stage) {
    for words in [
        "init --quiet -b main",
        "add .",
        "-c user.name=A -c user.email=a@b commit --quiet -m one",
    ] {
        let mut git = Command::new("git");
        git.current_dir(stage.path("repository"))
            .args(words.split(' '));
        assert!(git.status().unwrap().success(), "git {words}");
    }
}

/// What lets a worker build the stage's repository and start engines that are wrappers of arbiter.
fn allowed(stage: &Stage) -> String {
    let programs = program().parent().unwrap().display();
    format!(
        "--sandbox=read={}:{programs}",
        stage.path("repository").display()
    )
}

/// A test of an engine that is built so.
fn built(build: &str) -> String {
    format!(
        "pairs = 2\n[each]\nnodes = 50\n[[engine]]\nname = 'built'\n\
         git = {{ url = 'repository', rev = 'main', build = '''{build}''' }}\n\
         [[engine]]\ncmd = 'sparring:2'\n"
    )
}

#[test]
fn an_honest_recipe_builds_in_a_sandbox_and_its_engine_plays() {
    let stage = Stage::default();
    stage.write(
        "repository/engine.c",
        format!(
            "#include <unistd.h>\nint main(void) {{ execl(\"{}\", \"arbiter\", \"sparring\", \
             \"--level\", \"3\", (char *)0); return 1; }}\n",
            program().display()
        ),
    );
    stage.write(
        "repository/Makefile",
        "engine: engine.o\n\tcc -o engine engine.o\nengine.o: engine.c\n\tcc -c engine.c\n\
         install: engine\n\tmkdir -p sub && cp engine sub/ && mv sub/engine $(OUT)\n\
         \tchmod 0755 $(OUT) && touch -d 2001-01-01 $(OUT)\n",
    );
    commit(&stage);
    let (fleet, coordinator) = Fleet::start(&stage);
    let Some(worker) = start_sandboxed(&fleet, &allowed(&stage)) else {
        return end(coordinator);
    };
    let id = fleet.submit(&built("git rev-parse HEAD && make -j2 install OUT={out}"));
    let watch = fleet.start_with(&["watch", &id]).finish();
    assert_eq!(watch.code, Some(0), "{watch:#?}");
    let shown = fleet.show(&id);
    check_totals(&shown, 2);
    assert_eq!(shown["engines"][0]["crashes"], 0, "{shown:#}");
    end(worker);
    end(coordinator);
    assert_eq!(stage.survivors(), [""; 0]);
}

/// Submits a test, waits until a sandboxed worker has said something with `part`, and gives all it said.
#[track_caller]
fn trouble(stage: &Stage, sandbox: &str, test: &str, part: &str) -> Option<String> {
    let (fleet, coordinator) = Fleet::start(stage);
    let Some(worker) = start_sandboxed(&fleet, sandbox) else {
        end(coordinator);
        return None;
    };
    fleet.submit(test);
    stage.wait_until(part, || worker.err().contains(part));
    let said = worker.err();
    end(worker);
    end(coordinator);
    assert_eq!(stage.survivors(), [""; 0]);
    Some(said)
}

#[test]
fn what_a_recipe_starts_does_not_outlive_a_worker_that_is_killed() {
    let stage = Stage::default();
    stage.write("repository/x", "");
    commit(&stage);
    let (fleet, coordinator) = Fleet::start(&stage);
    let worker = fleet.start_with(&["worker", "--slots=1", "--data=attic"]);
    let sign = stage.path("sign");
    fleet.submit(&built(&format!(
        "setsid sleep 1000 & sleep 1000 & touch {}; sleep 1000",
        sign.display()
    )));
    stage.wait_until("the recipe", || sign.exists());
    worker.signal(Signal::KILL);
    worker.finish();
    end(coordinator);
    stage.wait_until("silence", || stage.survivors().is_empty());
}

#[test]
fn a_build_that_hangs_ends_when_its_test_is_stopped_and_the_worker_is_free() {
    let stage = Stage::default();
    stage.write("repository/x", "");
    commit(&stage);
    let (fleet, coordinator) = Fleet::start(&stage);
    let worker = fleet.start_with(&["worker", "--slots=1", "--data=attic"]);
    let sign = stage.path("sign");
    let hanging = fleet.submit(&built(&format!("touch {}; sleep 1000", sign.display())));
    stage.wait_until("the recipe", || sign.exists());
    fleet.run(&["stop", &hanging]);
    let id = fleet.submit(
        "pairs = 1\n[each]\nnodes = 50\n[[engine]]\ncmd = 'sparring:3'\n\
         [[engine]]\ncmd = 'sparring:2'\n",
    );
    let watch = fleet.start_with(&["watch", &id]).finish();
    assert_eq!(watch.code, Some(0), "{watch:#?}");
    check_totals(&fleet.show(&id), 1);
    end(worker);
    end(coordinator);
    assert_eq!(stage.survivors(), [""; 0]);
}

#[test]
fn a_recipe_that_reaches_out_is_kept_in_and_what_it_tried_is_told() {
    let stage = Stage::default();
    stage.write("repository/x", "");
    commit(&stage);
    let outside = tempfile::tempdir().unwrap();
    let path = |name: &str| outside.path().join(name).display().to_string();
    std::fs::write(path("secret"), "the password").unwrap();
    let build = format!(
        "cat {0}; echo x > {1}; chmod 777 {0}; \
         perl -MSocket -e \"socket(my \\$s, PF_INET, SOCK_STREAM, 0) or print qq(no socket)\"; \
         env; sleep 1000 & exit 1",
        path("secret"),
        path("new")
    );
    let Some(said) = trouble(&stage, &allowed(&stage), &built(&build), "the recipe") else {
        return;
    };
    for part in [
        &format!("its sandbox kept it from reading `{}`", path("secret")),
        &format!("writing `{}`", path("new")),
        "changing owner, mode or times of a file",
        "opening a socket (IPv4)",
        "no socket",
    ] {
        assert!(said.contains(part), "no `{part}` in {said}");
    }
    assert!(!said.contains("the password"), "{said}");
    assert!(!said.contains("\nCARGO_HOME="), "{said}");
    assert!(!outside.path().join("new").exists());
}

#[test]
fn a_repository_of_this_machine_is_only_built_where_that_is_allowed() {
    let stage = Stage::default();
    stage.write("repository/x", "");
    commit(&stage);
    let part = "allowed by this worker: `--sandbox='read=";
    let said = trouble(&stage, "--sandbox", &built("true"), part);
    assert!(said.is_none_or(|said| said.contains("the repository: `")));
}

#[test]
fn a_strange_engine_sees_neither_files_nor_environment_of_its_host() {
    let stage = Stage::default();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().display();
    std::fs::write(format!("{folder}/key"), "secret").unwrap();
    // It comes to its moves only if it can reach nothing.
    stage.write_script(
        "engine",
        &format!(
            "cat {folder}/key && exit 3\n[ \"$HOME\" ] && exit 4\nexec {} sparring --level 2",
            program().display()
        ),
    );
    let (fleet, coordinator) = Fleet::start(&stage);
    let Some(worker) = start_sandboxed(&fleet, &allowed_programs()) else {
        return end(coordinator);
    };
    let id = fleet.submit(&format!(
        "pairs = 1\n[each]\nnodes = 50\nsandbox = {{ read = ['{folder}'] }}\n\
         [[engine]]\ncmd = './engine'\noptions = {{ SyzygyPath = '{folder}' }}\n\
         [[engine]]\ncmd = 'sparring:2'\n"
    ));
    let watch = fleet.start_with(&["watch", &id]).finish();
    assert_eq!(watch.code, Some(0), "{watch:#?}");
    let shown = fleet.show(&id);
    assert_eq!(shown["engines"][0]["crashes"], 0, "{shown:#}");
    check_totals(&shown, 1);
    end(worker);
    end(coordinator);
}

#[test]
fn a_referee_with_tablebases_rules_where_a_worker_has_them() {
    let stage = Stage::default();
    let Some(tables) = shared("syzygy") else {
        return;
    };
    let book = stage.write("book.epd", "4k3/8/8/8/8/8/3P4/2B1K3 w - - 0 1\n");
    let (fleet, coordinator) = Fleet::start(&stage);
    let worker = fleet.start_with(&["worker", "--slots=1", "--data=attic", "--syzygy", &tables]);
    let id = fleet.submit(&format!(
        "pairs = 1\n[each]\nnodes = 50\n[[engine]]\ncmd = 'sparring:2'\n\
         [[engine]]\ncmd = 'sparring:3'\n[openings]\nfile = '{book}'\n\
         [adjudication]\nsyzygy = {{ pieces = 4 }}\n"
    ));
    let watch = fleet.start_with(&["watch", &id]).finish();
    assert_eq!(watch.code, Some(0), "{watch:#?}");
    let shown = fleet.show(&id);
    assert_eq!(
        shown["terminations"]["tablebase adjudication"], 2,
        "{shown:#}"
    );
    end(worker);
    end(coordinator);
}

#[test]
fn times_follow_the_speed_of_the_base_engine() {
    let stage = Stage::default();
    let log = stage.path("log").display().to_string();
    let engine = stage.write_script(
        "engine",
        &format!("tee -a {log} | {} sparring --level 2", program().display()),
    );
    let test = |reference: u64| {
        format!(
            "pairs = 1\n[each]\ntc = '10+0.1'\n[[engine]]\nname = 'new'\ncmd = '{engine}'\n\
             [[engine]]\nname = 'old'\ncmd = 'sparring:2'\n\
             [adjudication]\nmax-moves = 5\n[fleet]\nreference-nps = {reference}\n"
        )
    };
    let (fleet, coordinator) = Fleet::start(&stage);
    let worker = fleet.start_with(&["worker", "--slots=1", "--data=attic", "--name=attic"]);
    // No machine is so slow.
    let id = fleet.submit(&test(1));
    let trouble = |shown: &Value| shown["troubles"][0]["text"].as_str().map(str::to_owned);
    stage.wait_until("the speed", || trouble(&fleet.show(&id)).is_some());
    let text = trouble(&fleet.show(&id)).unwrap();
    let number = text.split(' ').find_map(|word| word.parse::<u64>().ok());
    let measured = number.unwrap_or_else(|| panic!("no speed in {text}"));
    let id = fleet.submit(&test(2 * measured));
    let watch = fleet.start_with(&["watch", &id]).finish();
    assert_eq!(watch.code, Some(0), "{watch:#?}");
    let shown = fleet.show(&id);
    check_totals(&shown, 1);
    assert_eq!(shown["speeds"][0]["nps"], measured, "{shown:#}");
    assert_eq!(shown["speeds"][0]["factor"], 2.0, "{shown:#}");
    // Base and increment, twice as long.
    let told = stage.read("log");
    assert!(
        told.contains("time 20200 ") && told.contains("inc 200"),
        "{told}"
    );
    end(worker);
    end(coordinator);
}

fn allowed_programs() -> String {
    format!("--sandbox=read={}", program().parent().unwrap().display())
}
