//! The arbiter that is tested: that of the same target folder and profile as the test.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Its path; it is brought up to date first, so that `cargo test` alone tests what the sources say,
/// unless `ARBITER_TEST_PROGRAM` names another.
pub fn path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        if let Some(program) = env::var_os("ARBITER_TEST_PROGRAM") {
            return PathBuf::from(program);
        }
        let test = env::current_exe().expect("a running test has a path");
        let profile = test.parent().and_then(Path::parent);
        let profile = profile.expect("tests lie in TARGET/PROFILE/deps");
        build(profile);
        let program = profile.join("arbiter");
        assert!(program.exists(), "`{}` was not built", program.display());
        program
    })
}

/// Has cargo build what is not up to date.
fn build(profile: &Path) {
    let target = profile
        .parent()
        .expect("a profile's folder lies in the target folder");
    let name = profile.file_name().unwrap_or_default();
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--package", "arbiter"]);
    // The folder of the profile `dev` has another name than the profile.
    build.arg("--profile").arg(if name == "debug" {
        "dev".as_ref()
    } else {
        name
    });
    build
        .arg("--target-dir")
        .arg(target)
        .current_dir(crate::repository());
    let status = build.status().expect("cargo runs, for it runs this test");
    assert!(status.success(), "arbiter does not build");
}
