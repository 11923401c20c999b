//! Where commands are tried: a folder of its own for each test.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A scratch folder in which commands run.
pub(crate) struct Bench {
    folder: TempDir,
}

/// What a command left.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self {
            folder: TempDir::new().expect("a scratch folder"),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file and returns the bench, for chains.
    pub(crate) fn with(self, name: &str, text: &str) -> Self {
        fs::write(self.path().join(name), text).expect("a file in the scratch folder");
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|e| panic!("`{name}`: {e}"))
    }

    /// The names of all files, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("the scratch folder");
        let name = |entry: std::io::Result<fs::DirEntry>| {
            let name = entry.expect("an entry").file_name();
            name.into_string().expect("a name in UTF-8")
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    /// The binary, in the scratch folder and with nothing in its environment that could matter.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        command.current_dir(self.path()).stdin(Stdio::null());
        // No login file of whoever runs the tests.
        command.env("HOME", self.path());
        for name in [
            "COLUMNS",
            "ARBITER_CONCURRENCY",
            "ARBITER_SERVER",
            "ARBITER_TOKEN_FILE",
            "XDG_CONFIG_HOME",
            "ARBITER_SEED",
            "CLICOLOR_FORCE",
        ] {
            command.env_remove(name);
        }
        command
    }

    /// Runs `arbiter` with the words of `line`, split as a shell would.
    pub(crate) fn run(&self, line: &str) -> Done {
        let words = shlex::split(line).expect("a line that a shell could read");
        self.done(self.command().args(words).output())
    }

    /// The same with something on standard input.
    pub(crate) fn run_with_input(&self, line: &str, input: &[u8]) -> Done {
        let words = shlex::split(line).expect("a line that a shell could read");
        let mut command = self.command();
        command
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        stdin.write_all(input).expect("it reads everything");
        drop(stdin);
        self.done(child.wait_with_output())
    }

    fn done(&self, output: std::io::Result<Output>) -> Done {
        let output = output.expect("the binary runs");
        let text = |bytes| {
            let text = String::from_utf8(bytes).expect("UTF-8");
            text.replace(&self.path().display().to_string(), "[FOLDER]")
        };
        Done {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// What a person sees of the lines, for snapshots.
    pub(crate) fn transcript(&self, lines: &[&str]) -> String {
        let mut transcript = String::new();
        for line in lines {
            let Done { code, out, err } = self.run(line);
            let code = code.map_or("a signal".to_owned(), |code| code.to_string());
            transcript += &format!("$ arbiter {line}\n{out}{err}[exit code {code}]\n\n");
        }
        transcript
    }
}

impl Done {
    /// It must have ended with `code`.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// The last line of standard output.
    pub(crate) fn last_line(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }
}

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize()
        .expect("the crate lies in the repository")
}

/// A file or folder of the shared test data, if it is here; says so aloud if it is not.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let path = repository().join("../shared").join(path);
    if !path.exists() {
        eprintln!("SKIPPED: ../shared is not here ({})", path.display());
        return None;
    }
    Some(path)
}

/// What a person sees must be what `snapshots/NAME.snap` holds.
#[track_caller]
pub(crate) fn assert_shown(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
