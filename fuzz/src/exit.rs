//! How a run ends: every exit code, its meaning, and which one wins.
//!
//! Must never be bypassed: no other module calls `std::process::exit`.

/// The exit codes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ExitCode {
    /// All agree.
    Agree = 0,
    /// A disagreement that the baseline does not know.
    Disagreement = 1,
    /// Usage; also an unknown code or operation.
    Usage = 2,
    /// Something expected no longer holds: a row, a claim, a baseline entry, `regen --check`.
    Drift = 3,
    /// Nothing ran, nothing to minimise.
    Nothing = 4,
    /// No oracle, or lost, or an adapter that breaks the protocol.
    NoOracle = 5,
    /// A table fails lint.
    Lint = 6,
    /// The self-check failed: a planted disagreement was not found.
    SelfCheck = 7,
    /// Our bug.
    Internal = 70,
    /// Output could not be written.
    Output = 74,
    /// Interrupted; the record is complete so far.
    Interrupted = 130,
}

impl ExitCode {
    /// Where several apply, the first of these is reported.
    pub const PRECEDENCE: [ExitCode; 11] = [
        ExitCode::Interrupted,
        ExitCode::Internal,
        ExitCode::SelfCheck,
        ExitCode::Output,
        ExitCode::NoOracle,
        ExitCode::Lint,
        ExitCode::Disagreement,
        ExitCode::Drift,
        ExitCode::Nothing,
        ExitCode::Usage,
        ExitCode::Agree,
    ];

    /// The one of the two that is reported.
    pub fn worst(self, other: ExitCode) -> ExitCode {
        let rank = |code: ExitCode| Self::PRECEDENCE.iter().position(|c| *c == code);
        if rank(self) <= rank(other) { self } else { other }
    }

    /// What the code means, one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            ExitCode::Agree => "all agree, or differ only where the baseline says so",
            ExitCode::Disagreement => "a disagreement that the baseline does not know",
            ExitCode::Usage => "the command line was not understood",
            ExitCode::Drift => "something expected no longer holds",
            ExitCode::Nothing => "nothing ran",
            ExitCode::NoOracle => "an oracle could not be had, was lost, or broke its protocol",
            ExitCode::Lint => "a table fails lint",
            ExitCode::SelfCheck => "the self-check failed: a planted disagreement was not found",
            ExitCode::Internal => "a bug in wildcheck",
            ExitCode::Output => "output could not be written",
            ExitCode::Interrupted => "interrupted; the record is complete so far",
        }
    }
}

impl ExitCode {
    /// Ends the process at once: for a second Ctrl-C, when nobody waits for order any more.
    pub fn now(self) -> ! {
        std::process::exit(i32::from(self as u8))
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        std::process::ExitCode::from(code as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::ExitCode;

    #[test]
    fn the_first_of_the_precedence_wins_whatever_the_order() {
        for (rank, high) in ExitCode::PRECEDENCE.into_iter().enumerate() {
            for low in ExitCode::PRECEDENCE.into_iter().skip(rank) {
                assert_eq!(high.worst(low), high);
                assert_eq!(low.worst(high), high);
            }
        }
    }

    #[test]
    fn a_disagreement_outranks_drift_and_an_interrupt_outranks_all() {
        assert_eq!(ExitCode::Drift.worst(ExitCode::Disagreement), ExitCode::Disagreement);
        assert_eq!(ExitCode::Internal.worst(ExitCode::Interrupted), ExitCode::Interrupted);
    }
}
