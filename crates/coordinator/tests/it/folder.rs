//! What a coordinator makes when it starts: a folder, a database, tokens.

use std::error::Error;
use std::fs;
use std::iter;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use coordinator::{ADMIN_TOKEN, Config, Server, ServerError};
use fleet_api::{NewUser, Scope, Secret, Whoami, routes};

use crate::house::{House, Place, config};

/// Who may do everything tells everybody's tokens and takes its own away.
fn revoke_the_admin(house: &House) {
    let admin = house.admin();
    let me: Whoami = admin.get(routes::WHOAMI).json();
    let said = admin.send("DELETE", &routes::token(&me.token), b"");
    assert_eq!(said.status, 200);
    assert_eq!(admin.get(routes::WHOAMI).status, 401);
}

#[test]
fn a_house_without_anybody_who_administrates_gets_somebody_at_the_next_start() {
    let mut house = House::new();
    revoke_the_admin(&house);
    house.restart();
    assert_eq!(house.admin().get(routes::USERS).status, 200);
    // A user with a password is somebody.
    let user = NewUser {
        name: "ada".to_owned(),
        password: Secret("correct horse".to_owned()),
        scopes: vec![Scope::Admin],
    };
    assert_eq!(house.admin().post(routes::USERS, &user).status, 200);
    revoke_the_admin(&house);
    house.restart();
    assert_eq!(house.admin().get(routes::USERS).status, 401);
}

#[test]
fn who_has_lost_the_token_can_have_another_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = config(folder.path(), &Place::default());
    let first = Server::start(&config).expect("it starts");
    let token = first.first_token().expect("a token").to_owned();
    drop(first);
    let again = Server::start(&config).expect("it starts");
    assert_eq!(again.first_token(), None, "it is said once");
    drop(again);
    let config = Config {
        new_admin_token: true,
        ..config
    };
    let anew = Server::start(&config).expect("it starts");
    let other = anew.first_token().expect("a token").to_owned();
    assert_ne!(other, token);
    let kept = fs::read_to_string(folder.path().join(ADMIN_TOKEN)).expect("a file");
    assert_eq!(kept.trim(), other);
    drop(anew);
    let house = House::keeping_free(folder.path().to_owned(), 0);
    for token in [token, other] {
        assert_eq!(house.visitor(&token).get(routes::USERS).status, 200);
    }
}

#[test]
fn who_cannot_listen_makes_no_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let free = config(folder.path(), &Place::default());
    let busy = Config {
        listen: taken.local_addr().expect("an address"),
        ..free.clone()
    };
    let refused = Server::start(&busy).expect_err("the port is taken");
    assert!(matches!(refused, ServerError::Listen { .. }), "{refused}");
    assert!(!folder.path().join(ADMIN_TOKEN).exists());
    let server = Server::start(&free).expect("it starts");
    assert!(server.first_token().is_some());
}

/// As of somebody who was killed between the file and the database.
#[test]
fn a_token_in_a_file_that_is_worth_nothing_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    for file in [ADMIN_TOKEN, "worker-token"] {
        fs::write(folder.path().join(file), "arb_nothing\n").expect("a file");
    }
    let server = Server::start(&config(folder.path(), &Place::default())).expect("it starts");
    server.worker_token().expect("a token");
    let once = fs::read(folder.path().join("worker-token")).expect("a file");
    server.worker_token().expect("a token");
    let twice = fs::read(folder.path().join("worker-token")).expect("a file");
    assert_eq!(once, twice, "what is worth something stays");
    drop(server);
    let house = House::keeping_free(folder.path().to_owned(), 0);
    assert_eq!(house.admin().get(routes::USERS).status, 200);
    let me: Whoami = house.bearer_of("worker-token").get(routes::WHOAMI).json();
    assert_eq!(me.scopes, [Scope::Worker]);
}

fn mode(path: &Path) -> u32 {
    let found = fs::metadata(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    found.permissions().mode() & 0o777
}

#[test]
fn a_folder_may_be_called_anything_and_is_its_owners_alone() {
    let around = tempfile::tempdir().expect("a folder");
    let data = around.path().join("new").join("100% mine? #1 %41 ü");
    let house = House::keeping_free(data.clone(), 0);
    house.admin().submit(&crate::house::pairs(1));
    assert_eq!(mode(&data), 0o700);
    for file in [
        "arbiter.db",
        "arbiter.db-wal",
        ADMIN_TOKEN,
        "signing-secret",
    ] {
        assert_eq!(mode(&data.join(file)), 0o600, "{file}");
    }
    // What somebody has made stays as it is.
    let other = around.path().join("other");
    fs::create_dir(&other).expect("a folder");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o750)).expect("it is ours");
    let _house = House::keeping_free(other.clone(), 0);
    assert_eq!(mode(&other), 0o750);
}

#[test]
fn a_database_that_is_not_there_is_told_once_and_soon() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    drop(taken);
    let place = Place {
        database: Some(format!("postgres://arbiter@127.0.0.1:{port}/arbiter")),
        ..Place::default()
    };
    let began = Instant::now();
    let refused = Server::start(&config(folder.path(), &place)).expect_err("nobody is there");
    assert!(began.elapsed() < Duration::from_secs(15));
    let chain = iter::successors(Some(&refused as &dyn Error), |&error| error.source());
    let told: Vec<String> = chain.map(ToString::to_string).collect();
    let told = told.join(": ");
    assert_eq!(told.matches("refused").count(), 1, "{told}");
}
