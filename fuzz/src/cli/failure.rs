//! Why a command ended early, and the exit code that says so. Must never be used for a disagreement: that is a result.

use std::io;

use wildcheck::{error::CampaignError, exit::ExitCode};
use wildcheck_oracle::OracleError;
use wildcheck_reports::ReportError;
use wildcheck_tables::TablesError;

/// One enum for the binary; lower-case fragments.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Something typed was not understood.
    #[error("{0}")]
    Usage(String),
    /// Nobody could be asked, or they went away.
    #[error("{0}")]
    Oracle(#[from] OracleError),
    /// What was to be written could not be.
    #[error("cannot write {what}: {source}")]
    Output {
        /// Which file or stream.
        what: String,
        /// Why.
        source: io::Error,
    },
    /// What was to be read could not be.
    #[error("cannot read {what}: {source}")]
    Input {
        /// Which file or stream.
        what: String,
        /// Why.
        source: io::Error,
    },
    /// A campaign could not go on.
    #[error("{0}")]
    Campaign(CampaignError),
    /// The tables are wrong, or cannot be read or written.
    #[error("{0}")]
    Tables(#[from] TablesError),
    /// A record cannot be told.
    #[error("{0}")]
    Report(#[from] ReportError),
    /// The planted bug was not found.
    #[error("the self-check did not find the planted {0}: what this build finds or does not find means nothing")]
    SelfCheck(&'static str),
    /// There was nothing to do.
    #[error("{0}")]
    Nothing(String),
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Failure {
    /// The exit code.
    pub fn code(&self) -> ExitCode {
        match self {
            Failure::Usage(_) | Failure::Input { .. } => ExitCode::Usage,
            Failure::Oracle(error) => oracle_code(error),
            Failure::Campaign(error) => error.exit(),
            Failure::Tables(TablesError::Lint(_)) => ExitCode::Lint,
            Failure::Tables(TablesError::Write { .. }) => ExitCode::Output,
            Failure::Tables(_) => ExitCode::Usage,
            Failure::Output { .. } => ExitCode::Output,
            Failure::Report(ReportError::Render(_)) => ExitCode::Internal,
            Failure::Report(_) => ExitCode::Usage,
            Failure::SelfCheck(_) => ExitCode::SelfCheck,
            Failure::Nothing(_) => ExitCode::Nothing,
            Failure::Interrupted => ExitCode::Interrupted,
        }
    }

    /// A failure of standard output.
    pub fn stdout(source: io::Error) -> Failure {
        Failure::Output { what: "standard output".to_owned(), source }
    }
}

/// The exit code of an oracle that cannot answer.
pub fn oracle_code(error: &OracleError) -> ExitCode {
    match error {
        OracleError::Address { .. } => ExitCode::Usage,
        OracleError::Io { .. } => ExitCode::Output,
        OracleError::Interrupted => ExitCode::Interrupted,
        OracleError::Unavailable { .. }
        | OracleError::Lost { .. }
        | OracleError::Protocol { .. }
        | OracleError::Unsupported { .. } => ExitCode::NoOracle,
    }
}

impl From<CampaignError> for Failure {
    /// An oracle's failure stays one, so that it is told the same way whoever met it.
    fn from(error: CampaignError) -> Failure {
        match error {
            CampaignError::Oracle(error) => Failure::Oracle(error),
            other => Failure::Campaign(other),
        }
    }
}
