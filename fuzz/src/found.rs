//! The witnesses of a run as rows of `match.csv`, ready to be put into a table. Must never hold a verdict that was not
//! seen in the run.

use wildcheck_reports::Summary;
use wildcheck_tables::{merge, row::MatchRow};

/// The file beside the record.
pub const FILE: &str = "found.csv";

/// One row a witness that is a pair: what the reference, the one under test and the approximation said of it, its clause,
/// where it comes from, and its cause as the note. Sorted as a table is, none twice.
pub fn rows(summary: &Summary) -> Vec<MatchRow> {
    let source = match summary.command.as_str() {
        "fuzz" => format!("fuzz {}", summary.seed),
        "run" | "regen" => match summary.certificates.first() {
            Some(certificate) => format!("certify {}", certificate.scope),
            None => format!("fuzz {}", summary.seed),
        },
        command => format!("{command} {}", summary.scope),
    };
    let mut rows = Vec::new();
    let found = summary.witnesses.iter().filter_map(|witness| {
        let of = |wanted: &dyn Fn(&str) -> bool| {
            witness.answers.iter().find(|answer| wanted(&answer.oracle)).and_then(|answer| answer.verdict.known())
        };
        Some(MatchRow {
            pattern: witness.pattern.clone(),
            subject: witness.subject.clone(),
            expected: of(&|name| name == "reference")?,
            server: of(&|name| name != "reference" && name != "naive"),
            naive: of(&|name| name == "naive"),
            clause: witness.clause.clone(),
            source: source.clone(),
            since: String::new(),
            until: String::new(),
            note: format!("{} {}", witness.cause, witness.name),
        })
    });
    for row in found {
        // Two causes may end at the same pair.
        if !rows.iter().any(|old: &MatchRow| (&old.pattern, &old.subject) == (&row.pattern, &row.subject)) {
            rows.push(row);
        }
    }
    let mut table = Vec::new();
    merge(&mut table, rows);
    table
}
