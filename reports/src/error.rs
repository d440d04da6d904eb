//! What can go wrong with a report. Must never hold a verdict.

use std::{io, path::PathBuf};

use wildcheck_tables::TablesError;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The record cannot be opened.
    #[error("cannot read {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The record is no record.
    #[error("{}: {source}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Which line, and what is wrong with it.
        source: TablesError,
    },
    /// No such format.
    #[error("unknown format `{0}`; known: {known}", known = crate::Format::names().join(", "))]
    Format(String),
    /// Two runs that have nothing to do with each other.
    #[error("a run of {0} cannot be compared with a run of {1}")]
    Incomparable(String, String),
    /// A renderer failed: our bug, in words.
    #[error("the report could not be rendered: {0}")]
    Render(String),
}
