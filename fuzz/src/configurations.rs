//! What a server says to the rows as it comes, beside what it says under another configuration: nothing but a limit that
//! the configuration sets may differ.
//!
//! Must never ask anybody, and never call either of the two right.

use wildcheck_oracle::configured::Configuration;
use wildcheck_tables::{DialectTables, Outcome, Verdict};

use crate::rows::{LaneAnswers, Seen};

/// What comparing one lane came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Questions that got the same answer, words included.
    pub same: usize,
    /// Questions that were refused by a limit that the configuration sets.
    pub limited: usize,
    /// All others.
    pub differences: Vec<Difference>,
}

/// A question with two answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What was asked.
    pub question: String,
    /// The answer of the server as it comes.
    pub usual: String,
    /// The answer under the configuration.
    pub seen: String,
}

/// Compares the answers of one lane.
pub fn compare(
    tables: &DialectTables,
    configuration: &Configuration,
    usual: &LaneAnswers,
    under: &LaneAnswers,
) -> Compared {
    let mut compared = Compared::default();
    for ((row, usual), seen) in tables.matches.iter().zip(&usual.matches).zip(&under.matches) {
        let limited = configuration.limits(&seen.pattern) || configuration.limits(&seen.subject);
        compared.put(limited, usual == seen, || Difference {
            question: format!("match `{}` `{}`", row.pattern, row.subject),
            usual: of_pair(usual),
            seen: of_pair(seen),
        });
    }
    for ((row, usual), seen) in tables.validation.iter().zip(&usual.validation).zip(&under.validation) {
        let (Some(usual), Some(seen)) = (usual, seen) else { continue };
        compared.put(configuration.limits(&seen.0), usual == seen, || Difference {
            question: format!("valid-{} `{}`", row.operand.as_str(), row.text),
            usual: of_operand(&usual.0, usual.1),
            seen: of_operand(&seen.0, seen.1),
        });
    }
    for ((row, usual), seen) in tables.relations.iter().zip(&usual.relations).zip(&under.relations) {
        let (Some(usual), Some(seen)) = (usual, seen) else { continue };
        // The refusals behind a witness that shows nothing are not kept: a limit may be one of them.
        let limited = *seen == Verdict::False && configuration.is_limited();
        compared.put(limited, usual == seen, || Difference {
            question: format!("{} `{}` `{}`", row.relation.as_str(), row.left, row.right),
            usual: usual.to_string(),
            seen: seen.to_string(),
        });
    }
    compared
}

impl Compared {
    /// All questions.
    pub fn questions(&self) -> usize {
        self.same + self.limited + self.differences.len()
    }

    /// Adds another lane's.
    pub fn add(&mut self, other: Compared) {
        self.same += other.same;
        self.limited += other.limited;
        self.differences.extend(other.differences);
    }

    fn put(&mut self, limited: bool, same: bool, difference: impl FnOnce() -> Difference) {
        if same {
            self.same += 1;
        } else if limited {
            self.limited += 1;
        } else {
            self.differences.push(difference());
        }
    }
}

fn of_pair(seen: &Seen) -> String {
    let mut text = seen.verdict.to_string();
    for (what, outcome) in [("pattern", &seen.pattern), ("subject", &seen.subject)] {
        if *outcome != Outcome::Accepted {
            text.push_str(&format!("; {what} {}", of_operand(outcome, false)));
        }
    }
    text
}

fn of_operand(outcome: &Outcome, delivered: bool) -> String {
    let fate = outcome.fate(delivered);
    match outcome.words() {
        "" => fate.to_string(),
        words => format!("{fate} ({words})"),
    }
}
