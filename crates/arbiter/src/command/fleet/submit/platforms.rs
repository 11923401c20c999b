//! Where uploaded programs run: their first bytes say so.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use match_core::spec::raw::RawSpec;
use toml_edit::{DocumentMut, value};

use super::artifacts::Artifact;
use super::revisions::nth_engine;

/// Writes the platforms of programs that are uploaded into the test, where it says none. What a shell or
/// another interpreter runs is left alone: that is everywhere.
pub(super) fn note(raw: &RawSpec, artifacts: &[Artifact], document: &mut DocumentMut) {
    for (i, engine) in raw.engine.iter().enumerate() {
        let cmd = engine.cmd.as_ref().or(raw.each.cmd.as_ref());
        let program = artifacts.iter().find(|artifact| Some(&artifact.key) == cmd);
        let is_said = engine.platform.is_some() || raw.each.platform.is_some();
        if let Some(program) = program.filter(|_| !is_said)
            && let Ok(head) = head(&program.path)
            && let Some(platform) = platform(&head)
            && let Some(table) = nth_engine(document, i)
        {
            table.insert("platform", value(platform));
        }
    }
}

/// The first bytes of a file; fewer if it has not so many.
fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(20).read_to_end(&mut head)?;
    Ok(head)
}

/// The platform of a program that begins so, in the words of workers; nothing if it cannot be told.
fn platform(head: &[u8]) -> Option<&'static str> {
    // The ELF header: magic, class (2 is 64 bits), byte order (1 is little endian), and the processor at 18.
    let &[0x7F, b'E', b'L', b'F', class, 1, ..] = head else {
        return None;
    };
    let processor = u16::from_le_bytes([*head.get(18)?, *head.get(19)?]);
    Some(match (class, processor) {
        (2, 0x3E) => "x86_64-linux",
        (1, 0x03) => "x86-linux",
        (2, 0xB7) => "aarch64-linux",
        (1, 0x28) => "arm-linux",
        (2, 0xF3) => "riscv64-linux",
        (2, 0x15) => "powerpc64-linux",
        (2, 0x102) => "loongarch64-linux",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(class: u8, processor: u16, expected: Option<&str>) {
        let mut head = vec![0x7F, b'E', b'L', b'F', class, 1];
        head.resize(18, 0);
        head.extend(processor.to_le_bytes());
        assert_eq!(platform(&head), expected);
    }

    #[test]
    fn a_program_says_where_it_runs() {
        check(2, 0x3E, Some("x86_64-linux"));
        check(2, 0xB7, Some("aarch64-linux"));
        check(1, 0x03, Some("x86-linux"));
        check(2, 0x3F, None);
        assert_eq!(platform(b"#!/bin/sh\n"), None);
        assert_eq!(platform(b"\x7FELF\x02\x01"), None);
        assert_eq!(platform(b""), None);
    }

    #[test]
    fn our_own_program_runs_here() {
        let own = std::env::current_exe().expect("a running test has a path");
        let head = head(&own).expect("it can be read");
        let here = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
        assert!(platform(&head).is_none_or(|platform| platform == here));
    }
}
