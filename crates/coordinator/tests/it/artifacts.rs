//! Files by their hashes, in a folder and in object storage, and games in object storage.

use std::time::{Duration, Instant};

use end_to_end::ObjectStorage;
use fleet_api::{AuditEntry, PairStatus, routes};

use crate::house::{House, Place, pairs, sha256};
use crate::work::SCENARIOS;

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Longer than a part of an upload.
const LONG: usize = 9 << 20;

/// Where files are kept, and a coordinator that keeps them there.
struct Shelter {
    house: House,
    storage: Option<ObjectStorage>,
}

impl Shelter {
    fn folder() -> Self {
        Self {
            house: House::new(),
            storage: None,
        }
    }

    fn bucket() -> Self {
        let storage = ObjectStorage::start();
        Self {
            house: House::at(place(&storage, "s3://fleet/one")),
            storage: Some(storage),
        }
    }

    /// How many files there are, and whatever else is left.
    fn files(&self) -> usize {
        if let Some(storage) = &self.storage {
            return storage.objects().len();
        }
        let folders = std::fs::read_dir(self.house.data.join("artifacts")).expect("it is there");
        let files = folders.flatten().map(|folder| {
            let files = std::fs::read_dir(folder.path());
            files.map_or(0, Iterator::count)
        });
        files.sum()
    }
}

fn place(storage: &ObjectStorage, address: &str) -> Place {
    Place {
        artifacts: Some(address.to_owned()),
        aws: storage.variables(),
        ..Place::default()
    }
}

macro_rules! in_both {
    ($($name:ident,)*) => {
        mod in_a_folder {
            $(#[test]
            fn $name() {
                super::$name(super::Shelter::folder());
            })*
        }

        mod in_object_storage {
            $(#[test]
            fn $name() {
                super::$name(super::Shelter::bucket());
            })*
        }
    };
}

in_both!(
    a_file_comes_back_as_it_went_in,
    a_file_that_is_another_one_leaves_nothing,
    a_file_that_is_not_here_is_told_of,
);

fn a_file_comes_back_as_it_went_in(shelter: Shelter) {
    let admin = shelter.house.admin();
    for text in ["an engine\n".to_owned(), "an engine\n".repeat(LONG / 10)] {
        let path = routes::artifact(&sha256(&text));
        assert_eq!(admin.get(&path).status, 404);
        for _ in 0..2 {
            assert_eq!(admin.send("PUT", &path, text.as_bytes()).status, 200);
        }
        let said = admin.get(&path);
        assert_eq!(said.status, 200);
        assert!(said.body == text);
    }
}

fn a_file_that_is_another_one_leaves_nothing(shelter: Shelter) {
    let admin = shelter.house.admin();
    let before = shelter.files();
    for text in ["who".to_owned(), "who\n".repeat(LONG / 4)] {
        let path = routes::artifact(&sha256("whole"));
        let said = admin.send("PUT", &path, text.as_bytes());
        assert_eq!((said.status, said.code().as_str()), (422, "refused"));
        assert_eq!(admin.get(&path).status, 404);
    }
    // What was sent in parts is taken back in its own time.
    let begun = Instant::now();
    while shelter.files() != before {
        assert!(begun.elapsed() < PATIENCE, "something stayed");
        std::thread::yield_now();
    }
}

fn a_file_that_is_not_here_is_told_of(shelter: Shelter) {
    let admin = shelter.house.admin();
    assert_eq!(admin.get(&routes::artifact(&sha256("x"))).status, 404);
    let spec = pairs(1).replace(&sha256(crate::house::START), &sha256("x"));
    let said = admin.post(
        routes::TESTS,
        &fleet_api::SubmitTest {
            spec,
            idempotency_key: None,
        },
    );
    assert_eq!(said.code(), "refused", "{said:?}");
    assert!(said.body.contains("was not uploaded"), "{said:?}");
}

#[test]
fn everything_is_the_same_with_object_storage() {
    let storage = ObjectStorage::start();
    for (name, scenario) in SCENARIOS {
        scenario(House::at(place(&storage, &format!("s3://fleet/{name}"))));
    }
}

#[test]
fn games_of_a_test_that_is_over_move_to_object_storage_and_are_read_from_there() {
    let storage = ObjectStorage::start();
    let mut house = House::at(place(&storage, "s3://fleet/one"));
    let admin = house.admin();
    let test = admin.submit(&pairs(3));
    let games = format!("{}/games", routes::test(&test));
    let mut leases = Vec::new();
    for claim in 0.. {
        let Some(grant) = admin.claim("w", &claim.to_string()) else {
            break;
        };
        for pair in grant.first_pair..grant.first_pair + grant.pairs {
            admin.report(&grant.lease, &[pair]);
        }
        // From the database, while the test runs.
        assert!(admin.get(&games).body.contains("[Round \"1.2\"]"));
        leases.push(grant);
    }
    let whole = admin.get(&games).body;
    assert_eq!(whole.matches("[Round ").count(), 6);

    let audit = format!("{}/audit", routes::test(&test));
    let begun = Instant::now();
    let archived = |house: &House| {
        let entries: Vec<AuditEntry> = house.admin().get(&audit).json();
        entries
            .iter()
            .any(|entry| entry.action == "archived" && entry.detail == "3 pairs")
    };
    while !archived(&house) {
        assert!(begun.elapsed() < PATIENCE, "{:?}", storage.objects());
        std::thread::yield_now();
    }
    let shelf = format!("one/games/{test}/000000000.jsonl.gz");
    assert!(
        storage.objects().contains(&shelf),
        "{:?}",
        storage.objects()
    );
    house.restart();
    let admin = house.admin();
    assert_eq!(admin.get(&games).body, whole);
    assert_eq!(admin.show(&test)["pairs"], 3);
    // Sent again, it is known; nothing of it comes back into the database.
    let again = admin.report(&leases[0].lease, &[0]);
    assert_eq!(again.pairs[0].status, PairStatus::Known);
    assert_eq!(admin.get(&games).body, whole);
    storage.remove(&shelf);
    assert_eq!(admin.get(&games).code(), "unavailable");
}
