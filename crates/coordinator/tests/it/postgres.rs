//! The same on a real PostgreSQL, and with two coordinators that share it.

use std::io::{Read, Write};
use std::time::Duration;

use end_to_end::Postgres;
use fleet_api::{Action, ActionRequest, routes};

use crate::books;
use crate::bounds;
use crate::crew;
use crate::fairness;
use crate::house::{House, pairs};
use crate::limits::figures;
use crate::lists;
use crate::malformed::every_value_in_every_place;
use crate::recount;
use crate::users::the_life_of_a_user;
use crate::wishes;
use crate::work::SCENARIOS;

#[test]
fn everything_is_the_same_on_postgresql() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    let scenarios = [
        SCENARIOS,
        books::SCENARIOS,
        bounds::SCENARIOS,
        crew::SCENARIOS,
        lists::SCENARIOS,
        fairness::SCENARIOS,
        recount::SCENARIOS,
        wishes::SCENARIOS,
    ]
    .concat();
    for (i, (_name, scenario)) in scenarios.iter().enumerate() {
        scenario(House::on(Some(postgres.database(&format!("scenario{i}")))));
    }
    every_value_in_every_place(House::on(Some(postgres.database("malformed"))));
    the_life_of_a_user(House::on(Some(postgres.database("users"))));
    figures(House::on(Some(postgres.database("figures"))));
    two_coordinators_are_one(House::on(Some(postgres.database("two"))));
    who_has_another_secret_is_kept_out(House::on(Some(postgres.database("secrets"))));
    what_one_changes_the_other_hears(House::on(Some(postgres.database("notices"))));
}

/// Who looks at a test through one coordinator sees at once what is done through the other.
fn what_one_changes_the_other_hears(house: House) {
    let sibling = house.sibling();
    let test = house.admin().submit(&pairs(2));
    let mut live = sibling.connect();
    // Without a notice it would be seen after 15 s.
    let patience = Some(Duration::from_secs(10));
    live.set_read_timeout(patience).expect("a socket");
    let request = format!(
        "GET {} HTTP/1.1\r\nhost: here\r\nauthorization: Bearer {}\r\n\r\n",
        routes::live(&test),
        sibling.admin_token()
    );
    live.write_all(request.as_bytes()).expect("it reads");
    let mut told = Vec::new();
    let mut wait_for = |word: &str| {
        told.clear();
        let mut buffer = [0; 4096];
        while !String::from_utf8_lossy(&told).contains(word) {
            let read = live.read(&mut buffer).expect("it is told in time");
            assert!(read > 0, "the line was closed");
            told.extend_from_slice(&buffer[..read]);
        }
    };
    wait_for("\"queued\"");
    let pause = ActionRequest {
        action: Action::Pause,
        reason: None,
    };
    let paused = house.admin().post(&routes::actions(&test), &pause);
    assert_eq!(paused.status, 200);
    wait_for("\"paused\"");
    // So does who asks for work.
    assert_eq!(sibling.admin().claim("w", "1"), None);
    let resume = ActionRequest {
        action: Action::Resume,
        reason: None,
    };
    house.admin().post(&routes::actions(&test), &resume);
    wait_for("\"queued\"");
    assert!(sibling.admin().claim("w", "2").is_some());
}

/// Another folder has another signing secret, with which no password of this database is right.
fn who_has_another_secret_is_kept_out(house: House) {
    let stranger = tempfile::tempdir().expect("a folder");
    let refused = house.try_sibling_in(stranger.path());
    let text = refused.expect_err("it has another secret").to_string();
    assert!(text.contains("signing secret"), "{text}");
}

/// Four workers, each talking to one coordinator and then to the other.
fn two_coordinators_are_one(house: House) {
    const PAIRS: u64 = 60;
    let sibling = house.sibling();
    let test = house.admin().submit(&pairs(PAIRS));
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let doors = [house.admin(), sibling.admin()];
            scope.spawn(move || {
                for turn in 0usize.. {
                    let (here, there) = (&doors[turn % 2], &doors[(turn + 1) % 2]);
                    let claim = format!("{worker}-{turn}");
                    let Some(grant) = here.claim(&format!("w{worker}"), &claim) else {
                        break;
                    };
                    let range: Vec<u64> =
                        (grant.first_pair..grant.first_pair + grant.pairs).collect();
                    there.report(&grant.lease, &range);
                    here.report(&grant.lease, &range);
                }
            });
        }
    });
    for door in [house.admin(), sibling.admin()] {
        let shown = door.show(&test);
        assert_eq!(
            (&shown["pairs"], &shown["state"]),
            (&PAIRS.into(), &"finished".into())
        );
    }
}
