//! Programs of the distribution: where they are and what version they tell. Must never install or download anything.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::OracleError;

/// Where a package puts servers, in case PATH is a plain user's.
const ELSEWHERE: [&str; 3] = ["/usr/sbin", "/usr/local/sbin", "/sbin"];
/// How long a program may take to tell its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// The program named by that variable (none where it is empty), else the one on PATH, else where packages put servers.
///
/// # Errors
/// There is none, as a fragment.
pub fn find(name: &str, variable: &str) -> Result<PathBuf, String> {
    let named = if variable.is_empty() { None } else { env::var_os(variable) };
    if let Some(named) = named.filter(|value| !value.is_empty()) {
        let named = PathBuf::from(named);
        return if named.is_file() { Ok(named) } else { Err(format!("{variable} names no file")) };
    }
    on_path(name)
}

/// The one on PATH, else where packages put servers.
///
/// # Errors
/// There is none, as a fragment.
pub fn on_path(name: &str) -> Result<PathBuf, String> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(ELSEWHERE.iter().map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|file| file.is_file()).ok_or_else(|| "not found".to_owned())
}

/// The first line that it prints, whatever its exit code.
///
/// # Errors
/// It does not start, says nothing or takes too long, as a fragment.
pub fn first_line(program: &Path, args: &[&str]) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = super::child::Guarded::spawn(command).map_err(|error| error.to_string())?;
    let deadline = Instant::now() + PATIENCE;
    if child.ended_within(deadline.saturating_duration_since(Instant::now())).is_none() {
        return Err(format!("no answer in {} seconds", PATIENCE.as_secs()));
    }
    let said = child.said_to_the_end();
    let line = said.lines().map(str::trim).find(|line| !line.is_empty());
    line.map(str::to_owned).ok_or_else(|| "it says nothing".to_owned())
}

pub(super) fn temp_dir() -> Result<tempfile::TempDir, OracleError> {
    tempfile::Builder::new()
        .prefix("wildcheck-")
        .tempdir()
        .map_err(|source| OracleError::Io { path: env::temp_dir(), source })
}
