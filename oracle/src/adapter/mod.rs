//! Outside programs: anybody's matcher in any language, asked through its stdin and stdout.
//!
//! Three doors: `exec:` (the adapter protocol, a long-lived program), `cmd:` (run once a pair), `tsv:` (a filter). A
//! program that hangs or dies on a pair is an observation of that pair; one that breaks the protocol ends the oracle.
//! Must never run a line through a shell, and never wait without a limit.

mod cmd;
pub mod conformance;
mod exec;
mod message;
mod narrow;
mod program;
pub mod serve;
mod tsv;

use std::{ffi::OsString, path::Path};

use wildcheck_tables::{Grid, Identity, Lane, Matches, Observations, Outcome};

pub use cmd::Cmd;
pub use conformance::{Check, check};
pub use exec::Exec;
pub use narrow::{DIED, NO_ANSWER, SET_ASIDE};
pub use serve::serve;
pub use tsv::Tsv;

use crate::Options;

/// The identity of a program that says nothing of itself: its name is that of its script, else of its program.
fn plain_identity(what: &str, words: &[OsString], lane: Lane, options: &Options) -> Identity {
    let base = |word: &OsString| Path::new(word).file_name().map(|name| name.to_string_lossy().into_owned());
    let script = words.iter().skip(1).find(|word| Path::new(word).is_file());
    Identity {
        address: what.to_owned(),
        name: script.or(words.first()).and_then(base).unwrap_or_else(|| what.to_owned()),
        version: None,
        commit: None,
        lane,
        dialect: options.dialect.name().to_owned(),
        remarks: Vec::new(),
    }
}

/// The answer to "are these operands accepted?" of a door that can only be asked pairs.
fn acceptance_unsupported(grid: &Grid) -> Observations {
    let unsupported = || Outcome::Unsupported("only pairs can be asked here".to_owned());
    Observations {
        patterns: grid.patterns.iter().map(|_| unsupported()).collect(),
        subjects: grid.subjects.iter().map(|_| unsupported()).collect(),
        delivered: Matches::from_deliveries(Vec::new(), grid.subjects.len()),
        unknown: Vec::new(),
    }
}
