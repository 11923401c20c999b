//! Every command of the README runs as it stands there.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::bench::{Bench, repository};

/// Stand-ins for the commands that would build and test the repository from within its tests.
const CARGO: &str = r#"#!/bin/sh
case "$1 $2 $3" in
    "run --release --") shift 3; exec arbiter "$@" ;;
    "install --path crates/arbiter") ;;
    *) echo "no stand-in for cargo $*" >&2; exit 1 ;;
esac
"#;
const NOTHING: &str = "#!/bin/sh\n";

/// Where Debian puts engines.
const GAMES: &str = "/usr/games";

#[test]
fn every_command_runs_from_the_root_of_the_repository() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let blocks = shell_blocks(&readme);
    assert!(10 < blocks.len(), "{} blocks only", blocks.len());
    let root = Bench::new();
    furnish(root.path());
    let path = format!(
        "{}:/usr/local/bin:/usr/bin:/bin:{GAMES}",
        root.path().join("bin").display()
    );
    for block in blocks {
        if block.contains("stockfish") && !Path::new(GAMES).join("stockfish").exists() {
            eprintln!("SKIPPED: stockfish is not here, which scripts/test installs:\n{block}");
            continue;
        }
        let mut shell = Command::new("sh");
        shell
            .args(["-eu", "-c", block])
            .current_dir(root.path())
            .env("PATH", &path);
        let done = shell.output().unwrap();
        let talk = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{block}\n{:?}\n{talk}", done.status);
        assert!(!talk.contains("panicked"), "{block}\n{talk}");
    }
}

/// A copy of what the commands need of the repository; they write into it.
fn furnish(root: &Path) {
    fs::create_dir(root.join("bin")).unwrap();
    fs::create_dir(root.join("scripts")).unwrap();
    symlink(env!("CARGO_BIN_EXE_arbiter"), root.join("bin/arbiter")).unwrap();
    symlink(repository().join("configs"), root.join("configs")).unwrap();
    for (path, text) in [("bin/cargo", CARGO), ("scripts/test", NOTHING)] {
        fs::write(root.join(path), text).unwrap();
        fs::set_permissions(root.join(path), fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// What stands between "```sh" and "```".
fn shell_blocks(readme: &str) -> Vec<&str> {
    let parts = readme.split("\n```");
    parts.filter_map(|part| part.strip_prefix("sh\n")).collect()
}
