//! Why a question has no answer. Must never be used for an answer that is merely unwelcome.

use std::{io, path::PathBuf};

/// One enum for the crate; lower-case fragments.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// The text after `--oracle` is not an address.
    #[error("`{address}` is not an oracle address: {why}")]
    Address {
        /// As typed.
        address: String,
        /// What is wrong, and what is accepted.
        why: String,
    },
    /// Nothing to ask. The sentence says how to get it.
    #[error("{what} cannot be started: {why}; {how}")]
    Unavailable {
        /// The oracle.
        what: String,
        /// Why not.
        why: String,
        /// How to get it.
        how: String,
    },
    /// It was there and is gone for good.
    #[error("{what} was lost: {why}")]
    Lost {
        /// The oracle.
        what: String,
        /// What was seen.
        why: String,
        /// The grid that was being asked, if it could be kept.
        kept: Option<PathBuf>,
    },
    /// It answers, but not in its protocol.
    #[error("{what} breaks its protocol: {why}")]
    Protocol {
        /// The oracle.
        what: String,
        /// What was seen, and what was expected.
        why: String,
    },
    /// This lane cannot be asked this at all.
    #[error("{what} cannot be asked this: {why}")]
    Unsupported {
        /// The oracle.
        what: String,
        /// Why.
        why: String,
    },
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
    /// A file or folder of ours (the cache, a kept grid).
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
