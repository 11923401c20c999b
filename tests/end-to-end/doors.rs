//! The doors of a coordinator as a process: logging in, saying nothing that is secret, and ending.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use end_to_end::{Run, Running, Stage};
use rustix::process::Signal;

use crate::fleet::Fleet;

const PASSWORD: &str = "correct horse battery";

/// It ends in ten seconds whoever hangs; the rest is for a busy machine.
const END: Duration = Duration::from_secs(40);

/// A command of somebody with a home of her own.
fn at_home<'a>(stage: &'a Stage, words: &[&str]) -> Running<'a> {
    let mut command = stage.command("arbiter");
    let home = stage.path("home");
    command.env("XDG_CONFIG_HOME", home).args(words);
    Running::start(stage, command)
}

#[test]
fn a_user_logs_in_works_and_logs_out_and_no_secret_is_told() {
    let stage = Stage::default();
    let (fleet, coordinator) = Fleet::start(&stage);
    let password = stage.write("password", format!("{PASSWORD}\n"));
    fleet.run(&[
        "user",
        "add",
        "ada",
        "--scope",
        "submit,worker",
        "--password-file",
        &password,
    ]);
    assert!(fleet.run(&["user", "list"]).contains("submit,worker"));
    let run = |words: &[&str]| at_home(&stage, words).finish();
    let login = [
        "login",
        "--server",
        fleet.address(),
        "--user",
        "ada",
        "--password-file",
        &password,
    ];
    ended(run(&login), 0).expect_err("logged in");
    for name in ["token", "login.toml"] {
        let about = fs::metadata(stage.path("home/arbiter").join(name)).unwrap();
        assert_eq!(about.permissions().mode() & 0o777, 0o600, "{name}");
    }
    ended(run(&["user", "me"]), 0).expect_out("ada (submit,worker)");
    ended(run(&["tests"]), 0);
    ended(run(&["token", "list"]), 0).expect_out("ada");
    ended(run(&["user", "list"]), 2).expect_err("has not the scope `admin`");
    let token = stage.read("home/arbiter/token");
    ended(run(&["logout"]), 0);
    assert!(!stage.path("home/arbiter/token").exists());
    assert!(fleet.run(&["user", "audit"]).contains("ada: log in"));
    fleet.run(&["user", "disable", "ada"]);
    ended(run(&login), 2).expect_err("no such user");
    coordinator.signal(Signal::TERM);
    let run = coordinator.finish();
    assert_eq!(run.code, Some(0), "{run:#?}");
    let admin = stage.read("arbiter-data/admin-token");
    for secret in [PASSWORD, token.trim(), admin.trim()] {
        assert!(!run.err.contains(secret), "{}", run.err);
    }
    // Every request has its line, and the address in it is a pattern.
    for word in [
        "/api/v1/login",
        "/api/v1/users/{name}",
        "user=\"ada\"",
        "status=401",
    ] {
        assert!(run.err.contains(word), "{word}: {}", run.err);
    }
}

#[test]
fn what_is_under_way_is_answered_before_the_end_and_who_hangs_is_cut_off() {
    let stage = Stage::default();
    let (fleet, coordinator) = Fleet::start(&stage);
    let id = fleet.submit(
        "pairs = 2\n[each]\nnodes = 10\n[[engine]]\ncmd = 'sparring:2'\n[[engine]]\ncmd = 'sparring:1'\n",
    );
    let token = stage.read("arbiter-data/admin-token");
    let ask = |head: &str| {
        let mut stream = TcpStream::connect(fleet.address().trim_start_matches("http://")).unwrap();
        stream.set_read_timeout(Some(END)).unwrap();
        let token = token.trim();
        write!(
            stream,
            "{head}\r\nhost: x\r\nauthorization: Bearer {token}\r\n"
        )
        .unwrap();
        stream
    };
    let mut live = ask(&format!("GET /api/v1/tests/{id}/live HTTP/1.1"));
    live.write_all(b"\r\n").unwrap();
    let mut first = [0; 512];
    assert!(live.read(&mut first).unwrap() > 0);
    // Half of a body, which comes to its end after the signal; and one that never does.
    let body = "{\"spec\": \"pairs = \"}";
    let begin = |path: &str| {
        let mut stream = ask(&format!("POST {path} HTTP/1.1"));
        write!(
            stream,
            "content-length: {}\r\n\r\n{}",
            body.len(),
            &body[..5]
        )
        .unwrap();
        stream
    };
    let mut slow = begin("/api/v1/tests");
    let _hangs = begin("/api/v1/tests");
    // It has read what was sent before when it answers somebody who came after.
    fleet.run(&["tests"]);
    coordinator.signal(Signal::TERM);
    let mut rest = String::new();
    live.read_to_string(&mut rest).unwrap();
    assert!(
        rest.is_empty() || rest.ends_with("0\r\n\r\n"),
        "a stream ends whole: {rest:?}"
    );
    slow.write_all(&body.as_bytes()[5..]).unwrap();
    let mut said = String::new();
    slow.read_to_string(&mut said).unwrap();
    assert!(said.starts_with("HTTP/1.1 422 "), "{said}");
    let run = coordinator.finish();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.err.contains("connections were cut off"), "{}", run.err);
}

/// Ended with this code, whoever else still runs.
#[track_caller]
fn ended(run: Run, code: i32) -> Run {
    assert_eq!(run.code, Some(code), "{run:#?}");
    run
}

#[test]
fn a_store_or_a_bucket_that_is_not_there_is_told_at_once_and_once() {
    let stage = Stage::default();
    // Nobody listens on the port of discarding.
    let bucket = ["--artifacts", "s3://bucket/prefix"];
    let database = ["--database", "postgres://arbiter@127.0.0.1:9/arbiter"];
    for (words, part) in [
        (bucket, "`s3://bucket/prefix` cannot be written and read"),
        (database, "Connection refused"),
    ] {
        let mut command = stage.command("arbiter");
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(words)
            .env("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_ACCESS_KEY_ID", "a")
            .env("AWS_SECRET_ACCESS_KEY", "b");
        let run = ended(Running::start(&stage, command).finish(), 2).expect_err(part);
        let errors = run.err.lines().filter(|line| line.starts_with("error: "));
        assert_eq!(errors.count(), 1, "{run:#?}");
        assert!(run.took < END, "{run:#?}");
    }
}
