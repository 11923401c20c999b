//! A disk that fills up, which is a real one of 48 MiB where tests may mount one.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use fleet_api::{PairStatus, Report, SubmitTest, routes};
use tempfile::TempDir;

use crate::house::{House, Said, Visitor, pairs, sha256, whites_crash};

const MIB: u64 = 1 << 20;

/// A small disk in memory, gone at the end.
struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    #[expect(clippy::print_stderr, reason = "a test that tests nothing says so")]
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=48m", "tmpfs"]);
        let done = mount.arg(folder.path()).output();
        if !done.is_ok_and(|done| done.status.success()) {
            eprintln!("SKIPPED: no disk can be mounted here");
            return None;
        }
        Some(Self { folder })
    }

    fn path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Fills it until so many bytes are free, or empties it that far.
    fn leave_free(&self, bytes: u64) {
        let path = self.folder.path().join("filler");
        let _there_was_none = fs::remove_file(&path);
        let mut filler = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .expect("a file");
        let page = [0; 4096];
        while free(self.folder.path()) > bytes && filler.write_all(&page).is_ok() {}
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let mut umount = Command::new("umount");
        let _it_stays_mounted = umount.arg("-l").arg(self.folder.path()).status();
    }
}

fn free(folder: &Path) -> u64 {
    let found = rustix::fs::statvfs(folder).expect("a disk");
    found.f_bavail * found.f_frsize
}

#[track_caller]
fn assert_full(said: &Said) {
    assert_eq!((said.status, said.code().as_str()), (503, "unavailable"));
    assert!(said.header("retry-after").is_some());
}

fn submit(admin: &Visitor) -> Said {
    let test = SubmitTest {
        spec: pairs(64),
        idempotency_key: None,
    };
    admin.post(routes::TESTS, &test)
}

fn report(admin: &Visitor, lease: &str, pair: u64) -> Said {
    let report = Report {
        pairs: vec![whites_crash(pair)],
    };
    admin.post(&routes::report(lease), &report)
}

#[test]
fn a_full_disk_refuses_files_first_then_tests_then_claims_and_results_last() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let house = House::keeping_free(disk.path(), 32 * MIB);
    let admin = house.admin();
    assert_eq!(submit(&admin).status, 200);
    let grant = admin.claim("w", "a").expect("there is work");
    let file = |text: &str| admin.send("PUT", &routes::artifact(&sha256(text)), text.as_bytes());
    assert_eq!(file("a").status, 200);

    disk.leave_free(30 * MIB);
    let refused = file("b");
    assert_full(&refused);
    assert!(refused.body.contains("nearly full"), "{refused:?}");
    assert_eq!(submit(&admin).status, 200);

    disk.leave_free(14 * MIB);
    assert_full(&submit(&admin));
    assert!(admin.claim("other", "b").is_some());
    assert_eq!(admin.get(routes::HEALTH).status, 200);

    disk.leave_free(6 * MIB);
    let other = admin.post_claim("third", "third", "c");
    assert_full(&other);
    assert_full(&admin.get(routes::HEALTH));
    let told: fleet_api::ReportAnswer = report(&admin, &grant.lease, grant.first_pair).json();
    assert_eq!(told.pairs[0].status, PairStatus::Counted);

    // When nothing can be written any more nothing is acknowledged, and nothing is lost.
    disk.leave_free(0);
    let mut pair = grant.first_pair + 1;
    let mut said = report(&admin, &grant.lease, pair);
    while said.status == 200 && pair + 1 < grant.first_pair + grant.pairs {
        pair += 1;
        said = report(&admin, &grant.lease, pair);
    }
    if said.status != 200 {
        assert_full(&said);
    }
    disk.leave_free(40 * MIB);
    // As a worker does, again and again.
    let again: fleet_api::ReportAnswer = (0..30)
        .map(|_| report(&admin, &grant.lease, pair))
        .find(|said| said.status == 200)
        .expect("the store is well when there is room again")
        .json();
    assert_ne!(again.pairs[0].status, PairStatus::Refused);
    assert_eq!(admin.get(routes::HEALTH).status, 200);
    drop(house);
}
