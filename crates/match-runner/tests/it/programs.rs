//! Where an engine's program is looked for.

use std::ffi::OsStr;
use std::path::Path;

use match_runner::{Lookup, ProgramError};

use crate::rig::Folder;

/// `here` holds `eng`, `sub dir/eng ine` and `sub dir/eng`; `bin`, which is in PATH, holds `tool`.
fn folder() -> Folder {
    let folder = Folder::new();
    for program in [
        "here/eng",
        "here/sub dir/eng ine",
        "here/sub dir/eng",
        "bin/tool",
        "bin/eng",
    ] {
        folder.program(program, "#!/bin/sh\n");
    }
    folder.write("here/notes.txt", "no program");
    folder
}

#[track_caller]
fn check(program: &str, dir: Option<&str>, want: Result<&str, &str>) {
    let folder = folder();
    let bin = folder.path("bin");
    let here = folder.path("here");
    let lookup = Lookup {
        dir: dir.map(Path::new),
        here: &here,
        path: bin.as_os_str(),
    };
    match (lookup.resolve(Path::new(program)), want) {
        (Ok(found), Ok(want)) => {
            assert_eq!(
                found.canonicalize().expect("it exists"),
                folder.path(want).canonicalize().expect("so does it")
            );
            assert!(found.is_absolute());
        }
        (Err(error), Err(want)) => {
            let text = error.to_string();
            assert!(text.contains(want), "`{text}` does not say `{want}`");
        }
        (found, want) => panic!("{found:?} and not {want:?}"),
    }
}

#[test]
fn a_path_is_looked_up_from_the_engines_folder_and_then_from_ours() {
    check("./eng", None, Ok("here/eng"));
    check("./eng", Some("sub dir"), Ok("here/sub dir/eng"));
    check("./eng ine", Some("sub dir/"), Ok("here/sub dir/eng ine"));
    check(
        "sub dir/eng ine",
        Some("sub dir"),
        Ok("here/sub dir/eng ine"),
    );
}

#[test]
fn a_bare_name_is_looked_up_in_the_engines_folder_in_path_and_in_ours() {
    check("tool", None, Ok("bin/tool"));
    check("eng", None, Ok("bin/eng"));
    check("eng", Some("sub dir"), Ok("here/sub dir/eng"));
    check("eng ine", Some("sub dir"), Ok("here/sub dir/eng ine"));
}

#[test]
fn a_mistake_says_what_was_tried() {
    check("./nothing", Some("sub dir"), Err("sub dir/./nothing`, "));
    check("nothing", None, Err("`nothing` in PATH or at `"));
    check("sub dir/", None, Err("is a folder"));
    check("notes.txt", None, Err("is not executable"));
    check("./eng", Some("no dir"), Err("no dir"));
}

#[test]
fn an_absolute_path_is_taken_as_it_is() {
    let lookup = Lookup {
        dir: None,
        here: Path::new("/"),
        path: OsStr::new(""),
    };
    assert_eq!(
        lookup
            .resolve(Path::new("/bin/sh"))
            .expect("everybody has one"),
        Path::new("/bin/sh")
    );
    let error = lookup
        .resolve(Path::new("/no/such/engine"))
        .expect_err("nobody has one");
    assert!(matches!(error, ProgramError::MissingPath { .. }));
}
