//! Why a campaign could not go on. Must never hold a disagreement: those are results.

use std::io;

use wildcheck_oracle::OracleError;

use crate::exit::ExitCode;

/// One enum for the library; lower-case fragments.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// An oracle could not be asked.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// The record could not be written.
    #[error("the record could not be written: {0}")]
    Record(#[from] io::Error),
    /// The scope makes no sense.
    #[error("{0}")]
    Scope(String),
    /// There is nothing to ask or to shrink.
    #[error("{0}")]
    Nothing(String),
}

impl CampaignError {
    /// How a command ends that could not go on for this reason.
    pub fn exit(&self) -> ExitCode {
        match self {
            CampaignError::Oracle(OracleError::Interrupted) => ExitCode::Interrupted,
            CampaignError::Oracle(OracleError::Address { .. }) | CampaignError::Scope(_) => ExitCode::Usage,
            CampaignError::Oracle(OracleError::Io { .. }) | CampaignError::Record(_) => ExitCode::Output,
            CampaignError::Oracle(_) => ExitCode::NoOracle,
            CampaignError::Nothing(_) => ExitCode::Nothing,
        }
    }
}
