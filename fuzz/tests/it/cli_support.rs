//! Runs the real binary in a folder of its own. Must never share a folder between two tests.

use std::{
    ffi::OsStr,
    io::Write,
    path::Path,
    process::{Child, Command, Stdio},
};

/// The binary under test.
pub const WILDCHECK: &str = env!("CARGO_BIN_EXE_wildcheck");

/// What a run left behind.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    /// The folder it ran in.
    pub dir: tempfile::TempDir,
}

impl Ran {
    /// Fails with everything that was said unless the exit code is `code`.
    #[track_caller]
    pub fn exits(self, code: i32) -> Ran {
        assert_eq!(self.code, code, "\n--- stdout\n{}\n--- stderr\n{}", self.stdout, self.stderr);
        self
    }

    /// The record's events.
    #[track_caller]
    pub fn events(&self) -> Vec<serde_json::Value> {
        events(self.dir.path())
    }
}

/// The events of the record under `dir`.
#[track_caller]
pub fn events(dir: &Path) -> Vec<serde_json::Value> {
    let record = std::fs::read_to_string(dir.join("wildcheck-out/record.jsonl")).expect("a record was written");
    record.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// The command, in that folder, with nothing inherited that changes its mind.
pub fn command<S: AsRef<OsStr>>(dir: &Path, args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(WILDCHECK);
    command
        .args(args)
        .current_dir(dir)
        .env_remove("NO_COLOR")
        .env_remove("RUST_BACKTRACE")
        .env_remove("WILDCHECK_REQUIRE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs with that on stdin.
#[track_caller]
pub fn run_with<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>, stdin: &[u8]) -> Ran {
    let dir = tempfile::tempdir().expect("a folder");
    let child = command(dir.path(), args).spawn().expect("the binary starts");
    finish(child, stdin, dir)
}

/// Runs with nothing on stdin.
#[track_caller]
pub fn run<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    run_with(args, b"")
}

/// Feeds it and waits.
#[track_caller]
pub fn finish(mut child: Child, stdin: &[u8], dir: tempfile::TempDir) -> Ran {
    let mut pipe = child.stdin.take().expect("stdin is a pipe");
    let fed = stdin.to_vec();
    // A reader that stops early is the reader's business.
    let feeder = std::thread::spawn(move || drop(pipe.write_all(&fed)));
    let output = child.wait_with_output().expect("it ends");
    feeder.join().expect("the feeder ends");
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        dir,
    }
}

/// Sends it a signal.
#[allow(unsafe_code)]
pub fn signal(child: &Child, signal: i32) {
    let pid = i32::try_from(child.id()).expect("a process id");
    // SAFETY: kill touches no memory, and the process is a child of ours that was not waited for.
    let sent = unsafe { libc::kill(pid, signal) };
    assert_eq!(sent, 0, "the signal could not be sent");
}

/// A copy of the repository's tables under `dir`.
pub fn tables_copy(dir: &Path) -> std::path::PathBuf {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).expect("a folder");
        for entry in std::fs::read_dir(from).expect("the tables are there") {
            let path = entry.expect("an entry").path();
            let target = to.join(path.file_name().expect("a name"));
            if path.is_dir() && !path.ends_with("src") && !path.ends_with("tests") {
                copy(&path, &target);
            } else if path.extension().is_some_and(|extension| extension == "csv") {
                std::fs::copy(&path, &target).expect("a copy");
            }
        }
    }
    let target = dir.join("truth-tables");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../truth-tables"), &target);
    target
}
