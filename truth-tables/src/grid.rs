//! A grid: patterns times subjects, asked in one go. Must never hold an answer.

use crate::Operand;

/// Patterns x subjects of one dialect. With no subjects (or no patterns) the question is only whether the operands
/// are accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// The dialect's name, as in `wildcheck_matcher::by_name`.
    pub dialect: &'static str,
    /// What is subscribed to; repeated patterns are separate subscriptions.
    pub patterns: Vec<Operand>,
    /// What is published to; repeated subjects are separate messages.
    pub subjects: Vec<Operand>,
}

impl Grid {
    /// One pattern, one subject.
    pub fn pair(dialect: &'static str, pattern: &[u8], subject: &[u8]) -> Grid {
        Grid { dialect, patterns: vec![pattern.into()], subjects: vec![subject.into()] }
    }

    /// How many questions: patterns times subjects.
    pub fn pairs(&self) -> u64 {
        self.patterns.len() as u64 * self.subjects.len() as u64
    }
}
