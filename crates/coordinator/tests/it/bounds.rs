//! What is too long, too large or too many, on every store.

use std::io::{Read, Write};

use fleet_api::{
    Action, ActionRequest, Claim, Heartbeat, HostFacts, NewToken, NewUser, Scope, Secret,
    SubmitTest, routes,
};

use crate::house::{House, pairs};
use crate::work::scenarios;

scenarios!(
    names_that_no_index_holds_are_refused_and_so_are_reasons_without_end,
    spools_that_cannot_be_do_not_break_the_figures,
    a_user_takes_nothing_away_from_tokens_of_its_name,
    a_token_lasts_a_day_at_least_and_is_not_the_houses,
    a_test_is_submitted_with_what_it_can_be_given_later,
);

fn claim(worker: &str) -> Claim {
    Claim {
        life: None,
        worker: worker.to_owned(),
        claim: "c".to_owned(),
        host: HostFacts {
            name: "attic".to_owned(),
            version: "0".to_owned(),
            platform: "x86_64-linux".to_owned(),
            cores: 1,
            memory_mib: 4096,
            toolchains: vec!["make".to_owned()],
            tablebases: 0,
        },
    }
}

fn names_that_no_index_holds_are_refused_and_so_are_reasons_without_end(house: House) {
    let admin = house.admin();
    let test = admin.submit(&pairs(8));
    let long = "x".repeat(10_000);
    let refused = |claim: &Claim| {
        let said = admin.post(routes::CLAIMS, claim);
        assert_eq!(said.status, 422, "{claim:?}");
        assert_eq!(said.code(), "refused");
    };
    for odd in ["", " ", &long] {
        let mut claim = claim("w");
        claim.host.name = odd.to_owned();
        refused(&claim);
    }
    for odd in ["", " ", "a\u{1b}[2Jb", "a\nb", &long] {
        let mut claims: [Claim; 5] = std::array::from_fn(|_| claim("w"));
        claims[0].worker = odd.to_owned();
        claims[1].claim = odd.to_owned();
        claims[2].host.version = odd.to_owned();
        claims[3].host.platform = odd.to_owned();
        claims[4].host.toolchains = vec![odd.to_owned()];
        claims.iter().for_each(refused);
        let again = SubmitTest {
            spec: pairs(1),
            idempotency_key: Some(odd.to_owned()),
        };
        assert_eq!(admin.post(routes::TESTS, &again).code(), "refused");
    }
    let stop = |reason: &str| {
        let request = ActionRequest {
            action: Action::Stop,
            reason: Some(reason.to_owned()),
        };
        admin.post(&routes::actions(&test), &request)
    };
    assert_eq!(stop(&"x".repeat(1 << 20)).code(), "refused");
    assert_eq!(stop("a\u{1b}[2Jb").code(), "refused");
    assert_eq!(stop("enough").status, 200);
}

fn spools_that_cannot_be_do_not_break_the_figures(house: House) {
    let admin = house.admin();
    admin.submit(&pairs(64));
    for worker in ["one", "two"] {
        let grant = admin.claim(worker, worker).expect("there is work");
        let beat = Heartbeat {
            plies: 1,
            spool: Some(u64::MAX),
        };
        let said = admin.post(&routes::heartbeat(&grant.lease), &beat);
        assert_eq!(said.status, 200);
    }
    let said = admin.get(routes::METRICS);
    assert_eq!(said.status, 200, "{said:?}");
    assert!(said.body.contains("\narbiter_spool_pairs 2000000000\n"));
}

fn new_user(name: &str, scopes: &[Scope]) -> NewUser {
    NewUser {
        name: name.to_owned(),
        password: Secret("correct horse".to_owned()),
        scopes: scopes.to_vec(),
    }
}

fn a_user_takes_nothing_away_from_tokens_of_its_name(house: House) {
    let admin = house.admin();
    for name in ["admin", "worker", "arbiter"] {
        let said = admin.post(routes::USERS, &new_user(name, &[Scope::Submit]));
        assert_eq!(said.code(), "refused", "{name}");
    }
    let ci = house.user("ci", &[Scope::Submit, Scope::Approve]);
    let said = admin.post(routes::USERS, &new_user("ci", &[Scope::Submit]));
    assert_eq!(said.code(), "conflict");
    assert!(said.body.contains("`approve`"), "{said:?}");
    ci.submit(&pairs(1));
    let all = new_user("ci", &[Scope::Submit, Scope::Approve]);
    assert_eq!(admin.post(routes::USERS, &all).status, 200);
    ci.submit(&pairs(1));
}

fn a_token_lasts_a_day_at_least_and_is_not_the_houses(house: House) {
    let token = |user: &str, days| {
        let wanted = NewToken {
            user: user.to_owned(),
            scopes: vec![Scope::Read],
            expires_in_days: days,
        };
        house.admin().post(routes::TOKENS, &wanted)
    };
    assert_eq!(token("ada", Some(0)).code(), "refused");
    assert_eq!(token("ada", Some(u32::MAX)).code(), "refused");
    assert_eq!(token("ada", Some(1)).status, 200);
    assert_eq!(token("arbiter", None).code(), "refused");
    assert_eq!(token(" arbiter", None).code(), "refused");
}

fn a_test_is_submitted_with_what_it_can_be_given_later(house: House) {
    let submit = |wish: &str| {
        let test = SubmitTest {
            spec: pairs(1).replace(
                "[fleet.artifacts]",
                &format!("[fleet]\n{wish}\n[fleet.artifacts]"),
            ),
            idempotency_key: None,
        };
        house.admin().post(routes::TESTS, &test)
    };
    assert_eq!(submit("priority = 1000").status, 200);
    for wish in [
        "priority = 1001",
        "priority = 9223372036854775807",
        "priority = -9223372036854775808",
        "note = \"\\u001b[2J\"",
        "tags = [\"a\\nb\"]",
    ] {
        assert_eq!(submit(wish).code(), "refused", "{wish}");
    }
}

/// RFC 9110, 11.1: names of schemes are the same in all cases.
#[test]
fn bearer_may_be_written_small() {
    let house = House::new();
    for (header, status) in [
        (format!("bearer {}", house.admin_token()), "200"),
        (format!("BEARER  {}", house.admin_token()), "200"),
        (format!("Basic {}", house.admin_token()), "401"),
        (format!("Bearer{}", house.admin_token()), "401"),
    ] {
        let mut stream = house.connect();
        let request = format!(
            "GET {} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: {header}\r\n\r\n",
            routes::TESTS
        );
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut said = String::new();
        stream.read_to_string(&mut said).expect("an answer");
        assert_eq!(&said[9..12], status, "{header}");
    }
}

/// Anybody may ask for it, so it must not be a way to make us write.
#[test]
fn however_often_somebody_asks_how_we_are_little_is_written() {
    let house = House::new();
    let writes = || -> u64 {
        let figures = house.admin().get(routes::METRICS).body;
        let line = figures
            .lines()
            .find_map(|line| line.strip_prefix("arbiter_writes_total "));
        line.expect("it is told").parse().expect("a number")
    };
    let (before, began) = (writes(), std::time::Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            let visitor = house.visitor("");
            scope.spawn(move || {
                for _ in 0..20 {
                    assert_eq!(visitor.get(routes::HEALTH).status, 200);
                }
            });
        }
    });
    // One a second, and those of the figures themselves.
    let written = writes() - before;
    assert!(written <= 8 + began.elapsed().as_secs(), "{written} writes");
}
