//! Databases of every age, on both kinds of them: this program opens each with all that is in it.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use end_to_end::Postgres;
use fleet_api::{Claim, HostFacts, PairStatus, Report, State};
use fleet_core::life::ApprovalPolicy;
use sha2::{Digest, Sha256};
use sqlx::Row;
use tempfile::TempDir;

use super::*;
use crate::office::simulation::report::{START, crash};
use crate::office::{Games, Office, Settings};
use crate::{Artifacts, Clock, Disk, Store, secret};

/// When all of it happened and happens, in milliseconds since 1970-01-01.
const NOW: u64 = 1_767_225_600_000;

/// A test of three pairs: the first is counted, the second is lent, the third was not thought of yet.
/// `{spec}`, `{games}` and `{hash}` stand for what is too long.
const FIRST: [&str; 9] = [
    "INSERT INTO tests (id, name, owner, state, spec, created_ms, next_pair, end_pair, entries, \
     late_pairs, weight, virtual_time) VALUES ('t', 'old', 'ada', 'queued', '{spec}', 1, 2, 3, 1, 0, 1, 9)",
    "INSERT INTO owners (name, virtual_time) VALUES ('ada', 9)",
    "INSERT INTO workers (id, owner, name, host, seen_ms) VALUES ('w1', 'ada', 'attic', '{{}}', 5)",
    "INSERT INTO leases (id, test, worker, claim, first_pair, pairs, state, slots, cores, charged, \
     granted_ms, granted_by, progress_ms, plies, reported, played_ms, idle_ms, total_ms, until_ms, \
     trouble) VALUES ('l1', 't', 'w1', 'c1', 0, 1, 'settled', 1, 1, 9, 1, 'x', 1, 0, 1, 9, 9, 9, 9, '')",
    "INSERT INTO leases (id, test, worker, claim, first_pair, pairs, state, slots, cores, charged, \
     granted_ms, granted_by, progress_ms, plies, reported, played_ms, idle_ms, total_ms, until_ms, \
     trouble) VALUES ('l2', 't', 'w1', 'c2', 1, 1, 'held', 1, 1, 9, {now}, 'x', {now}, 0, 0, 0, 900000, \
     900000, {now} + 900000, '')",
    "INSERT INTO pairs (test, pair, lease, worker, received_ms, late, games) \
     VALUES ('t', 0, 'l1', 'w1', 3, 0, '{games}')",
    "INSERT INTO entries (test, place, first_pair, pairs, results) \
     VALUES ('t', 0, 0, 1, '0-1 crash w 0; 0-1 crash w 0')",
    "INSERT INTO tokens (id, owner, hash, scopes, created_ms) \
     VALUES ('k', 'ada', '{hash}', 'worker submit', 1)",
    "INSERT INTO audit (id, test, at_ms, who, action, detail) \
     VALUES ('0', 't', 1, 'ada', 'submitted', '')",
];

/// A database of some kind, empty.
struct Place {
    folder: TempDir,
    url: String,
    dialect: Dialect,
}

impl Place {
    fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite://{}/arbiter.db?mode=rwc", folder.path().display());
        Self {
            folder,
            url,
            dialect: Dialect::Sqlite,
        }
    }

    fn postgres(url: String) -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            url,
            dialect: Dialect::Postgres,
        }
    }

    /// The database as it is, for whoever knows what he does.
    async fn pool(&self) -> AnyPool {
        sqlx::any::install_default_drivers();
        AnyPool::connect(&self.url).await.expect("a database")
    }

    async fn open(&self) -> Result<Store, StoreError> {
        match self.dialect {
            Dialect::Sqlite => Store::open_sqlite(self.folder.path()).await,
            Dialect::Postgres => Store::open_url(&self.url).await,
        }
    }

    /// Makes it one of version `version`, with what was there since the first.
    async fn age(&self, version: usize) {
        let pool = self.pool().await;
        let oldest = migrate_with(&MIGRATIONS[..1], &pool, self.dialect).await;
        oldest.expect("the first version");
        let games = serde_json::to_string(&crash(0, true, 1.0).games).expect("JSON");
        for row in FIRST {
            let row = row
                .replace("{spec}", &spec())
                .replace("{games}", &games)
                .replace("{hash}", &secret::hash("old secret"))
                .replace("{now}", &NOW.to_string())
                .replace("{{}}", "{}");
            let done = pool.execute(sqlx::query(AssertSqlSafe(row.clone()))).await;
            done.unwrap_or_else(|error| panic!("{error}: {row}"));
        }
        let older = migrate_with(&MIGRATIONS[..version], &pool, self.dialect).await;
        older.unwrap_or_else(|error| panic!("version {version}: {error}"));
        pool.close().await;
    }

    async fn version(&self) -> i64 {
        let pool = self.pool().await;
        let row = sqlx::query("SELECT MAX(version) FROM arbiter_version");
        let row = row.fetch_one(&pool).await.expect("it has one");
        pool.close().await;
        row.get(0)
    }
}

fn spec() -> String {
    let book = secret::hex(&Sha256::digest(START.as_bytes()));
    format!(
        "pairs = 3\n[each]\nnodes = 100\n[[engine]]\nname = \"new\"\ncmd = \"sparring:2\"\n\
         [[engine]]\nname = \"old\"\ncmd = \"sparring:1\"\n[openings]\nfile = \"s.epd\"\n\
         [fleet.artifacts]\n\"s.epd\" = \"{book}\"\n"
    )
}

/// All that was there is there, and the test goes on to its end.
async fn check_use(place: &Place) {
    let store = place.open().await.expect("it is brought to this version");
    let artifacts = Artifacts::open(place.folder.path().join("artifacts"), 1 << 20).expect("room");
    let book = secret::hex(&Sha256::digest(START.as_bytes()));
    let book = fleet_core::test_spec::Sha256::parse(&book).expect("a hash");
    let mut upload = artifacts.upload(book).await.expect("room");
    upload.write(START.as_bytes()).await.expect("room");
    upload.finish().await.expect("the same bytes");
    let clock = Clock::Told(Arc::new(AtomicU64::new(NOW + 1000)));
    let settings = Settings::new(
        ApprovalPolicy::Nobody,
        clock,
        Disk::new(place.folder.path().to_owned(), 0),
    );
    let office = Office::new(store, artifacts, settings);
    let user = office.user("old secret").await.expect("a token of old");
    let before = office.view("t").await.expect("it is there");
    assert_eq!(
        (before.state, &before.summary["pairs"]),
        (State::Queued, &1.into())
    );
    let (games, _) = office
        .games("t", Games::Counted, 0)
        .await
        .expect("they are there");
    assert_eq!(games.matches("[Termination \"crash\"]").count(), 2);
    let report = async |lease: &str, pair| {
        let report = Report {
            pairs: vec![crash(pair, false, 1.0)],
        };
        let answer = office.report(&user, lease, report).await;
        answer.expect("it is heard").pairs[0].status
    };
    assert_eq!(report("l1", 0).await, PairStatus::Known);
    assert_eq!(report("l2", 1).await, PairStatus::Counted);
    let claim = Claim {
        life: None,
        worker: "w1".to_owned(),
        claim: "c3".to_owned(),
        host: HostFacts {
            name: "attic".to_owned(),
            version: "0".to_owned(),
            platform: "x".to_owned(),
            cores: 1,
            memory_mib: 4096,
            toolchains: Vec::new(),
            tablebases: 0,
        },
    };
    let claimed = office.claim(&user, claim).await.expect("an answer");
    let grant = claimed.grant.expect("a pair is left");
    assert_eq!((grant.first_pair, grant.pairs), (2, 1));
    assert_eq!(report(&grant.lease, 2).await, PairStatus::Counted);
    let after = office.view("t").await.expect("it is there");
    assert_eq!(
        (after.state, &after.summary["pairs"]),
        (State::Finished, &3.into())
    );
    let audit = office.store().audit("t").await.expect("it is there");
    let actions: Vec<&str> = audit.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(actions.first(), Some(&"submitted"));
    assert!(actions.contains(&"finished"), "{actions:?}");
}

async fn check_every_age(place: impl Fn(usize) -> Place) {
    for version in 1..=MIGRATIONS.len() {
        let place = place(version);
        place.age(version).await;
        check_use(&place).await;
        let newest = i64::try_from(MIGRATIONS.len()).expect("few");
        assert_eq!(place.version().await, newest);
    }
}

/// A database of a newer program is refused with one error, and not touched.
async fn check_newer(place: &Place) {
    let newer = i64::try_from(MIGRATIONS.len()).expect("few") + 1;
    place.age(MIGRATIONS.len()).await;
    let pool = place.pool().await;
    let row = sqlx::query("INSERT INTO arbiter_version (version) VALUES ($1)").bind(newer);
    row.execute(&pool).await.expect("room");
    pool.close().await;
    let error = place.open().await.expect_err("it is newer").to_string();
    let known = newer - 1;
    let text = format!("the database has version {newer}, and this arbiter knows up to {known}");
    assert_eq!(error, text);
    assert_eq!(place.version().await, newer);
}

/// A step that fails in its middle has not happened, and this program goes on from the version before.
async fn check_half_a_step(place: &Place) {
    place.age(1).await;
    let broken = [
        MIGRATIONS[0],
        "CREATE TABLE half (a BIGINT); UPDATE tests SET name = 'changed'; CREATE TABLE half (a BIGINT)",
    ];
    let pool = place.pool().await;
    let failed = migrate_with(&broken, &pool, place.dialect).await;
    failed.expect_err("no table is made twice");
    pool.close().await;
    assert_eq!(place.version().await, 1);
    let pool = place.pool().await;
    let half = sqlx::query("SELECT a FROM half").fetch_all(&pool).await;
    assert!(half.is_err(), "it was not made");
    let name = sqlx::query("SELECT name FROM tests").fetch_one(&pool).await;
    assert_eq!(name.expect("it is there").get::<String, _>(0), "old");
    pool.close().await;
    check_use(place).await;
}

#[tokio::test]
async fn a_database_of_any_version_is_opened_with_all_that_is_in_it() {
    check_every_age(|_| Place::sqlite()).await;
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused_and_not_touched() {
    check_newer(&Place::sqlite()).await;
}

#[tokio::test]
async fn a_step_that_fails_in_its_middle_has_not_happened() {
    check_half_a_step(&Place::sqlite()).await;
}

#[tokio::test]
async fn all_of_that_is_the_same_on_postgresql() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    check_every_age(|version| Place::postgres(postgres.database(&format!("v{version}")))).await;
    check_newer(&Place::postgres(postgres.database("newer"))).await;
    check_half_a_step(&Place::postgres(postgres.database("half"))).await;
}
