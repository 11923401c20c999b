//! What a branch means now: revisions become commits.

use std::path::Path;
use std::process::{Command, Stdio};

use fleet_core::test_spec::{TestError, has_secret};
use match_core::spec::raw::{RawGit, RawSpec};
use toml_edit::{DocumentMut, Item, TableLike, value};

use super::SubmitError;

/// Writes the commits that revisions mean now into the test, and absolute paths for repositories of this
/// machine.
pub(super) fn pin(raw: &RawSpec, document: &mut DocumentMut) -> Result<(), SubmitError> {
    if let Some(git) = &raw.each.git {
        let each = document.get_mut("each").and_then(Item::as_table_like_mut);
        write(git, "each", each)?;
    }
    for (i, engine) in raw.engine.iter().enumerate() {
        if let Some(git) = &engine.git {
            let name = engine.name.clone();
            let name = name.unwrap_or_else(|| format!("engine {}", i + 1));
            write(git, &name, nth_engine(document, i))?;
        }
    }
    Ok(())
}

/// The `i`th engine, be it a section or a table in a line.
pub(super) fn nth_engine(document: &mut DocumentMut, i: usize) -> Option<&mut dyn TableLike> {
    match document.get_mut("engine")? {
        Item::ArrayOfTables(tables) => Some(tables.get_mut(i)?),
        item => Some(item.as_array_mut()?.get_mut(i)?.as_inline_table_mut()?),
    }
}

fn write(git: &RawGit, engine: &str, table: Option<&mut dyn TableLike>) -> Result<(), SubmitError> {
    let (Some(url), Some(rev)) = (&git.url, &git.rev) else {
        // What is missing is told when the test is read.
        return Ok(());
    };
    if has_secret(url) {
        // As it is told when the test is read, but before anybody is asked.
        let engine = engine.to_owned();
        return Err(TestError::Secret { engine }.into());
    }
    let commit = commit(engine, url, rev)?;
    let table = table
        .and_then(|table| table.get_mut("git"))
        .and_then(Item::as_table_like_mut)
        .expect("the test was read");
    table.insert("rev", value(commit));
    if Path::new(url).is_dir()
        && let Ok(path) = std::path::absolute(url)
    {
        table.insert("url", value(path.display().to_string()));
    }
    Ok(())
}

/// The commit that `rev` is at `url`.
fn commit(engine: &str, url: &str, rev: &str) -> Result<String, SubmitError> {
    if is_commit(rev) {
        return Ok(rev.to_owned());
    }
    let failed = |why: String| SubmitError::Remote {
        engine: engine.to_owned(),
        url: url.to_owned(),
        rev: rev.to_owned(),
        why,
    };
    let output = Command::new("git")
        .args(["ls-remote", "--", url, rev])
        // What an annotated tag points at.
        .arg(format!("{rev}^{{}}"))
        .stdin(Stdio::null())
        .env("GIT_TERMINAL_PROMPT", "0")
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let talk = String::from_utf8_lossy(&output.stderr);
        let first = talk.trim().lines().next().unwrap_or("git failed");
        return Err(failed(first.to_owned()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    named(&text, rev).ok_or_else(|| SubmitError::NoRevision {
        engine: engine.to_owned(),
        url: url.to_owned(),
        rev: rev.to_owned(),
    })
}

/// The commit of `rev` in what `git ls-remote` prints. A branch comes before a tag, for that is what
/// `git checkout` takes.
fn named(listed: &str, rev: &str) -> Option<String> {
    let wanted = [
        format!("refs/heads/{rev}"),
        format!("refs/tags/{rev}^{{}}"),
        format!("refs/tags/{rev}"),
        rev.to_owned(),
    ];
    let lines: Vec<(&str, &str)> = listed
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect();
    wanted.iter().find_map(|wanted| {
        let line = lines.iter().find(|(_, name)| name == wanted)?;
        Some(line.0.to_owned())
    })
}

fn is_commit(rev: &str) -> bool {
    matches!(rev.len(), 40 | 64) && rev.bytes().all(|b| b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_branch_comes_before_a_tag_and_a_tag_is_what_it_points_at() {
        let listed = "a1\tHEAD\nb1\trefs/heads/main\nc1\trefs/tags/v1\nc2\trefs/tags/v1^{}\n\
                      d1\trefs/heads/v2\nd2\trefs/tags/v2\ne1\trefs/remotes/x/main\n";
        let named = |rev| named(listed, rev);
        assert_eq!(named("main").as_deref(), Some("b1"));
        assert_eq!(named("v1").as_deref(), Some("c2"));
        assert_eq!(named("v2").as_deref(), Some("d1"));
        assert_eq!(named("HEAD").as_deref(), Some("a1"));
        assert_eq!(named("v3"), None);
    }
}
