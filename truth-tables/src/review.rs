//! What the reference says about the rows: a row that contradicts it, a clause without its rows.
//!
//! Must never refuse to load a table: a finding is for `run`, `lint` and `regen` to tell.

use std::collections::{BTreeMap, BTreeSet};

use wildcheck_matcher::{Dialect, Strength};

use crate::{
    DialectTables, Fate, Problem, Tables,
    cell::operand_cell as shown,
    line_of,
    row::{ClauseStatus, OperandKind, Relation, RelationRow},
};

/// A row that does not hold in memory, or a clause that lacks a row, with its place.
pub type Finding = Problem;

/// Every finding of every dialect, by the dialect of the folder's name (its default variant).
pub fn review(tables: &Tables) -> Vec<Finding> {
    let mut findings = Vec::new();
    for dialect in &tables.dialects {
        if let Some(matcher) = wildcheck_matcher::by_name(&dialect.name) {
            matches(dialect, matcher, &mut findings);
            validation(dialect, matcher, &mut findings);
            relations(dialect, matcher, &mut findings);
            both_ways(dialect, &mut findings);
        }
    }
    findings.sort();
    findings
}

fn matches(dialect: &DialectTables, matcher: &dyn Dialect, findings: &mut Vec<Finding>) {
    let file = dialect.file("match.csv");
    for (index, row) in dialect.matches.iter().enumerate() {
        let mut differs = |column: &str, found: bool, says: bool, who: &str| {
            if found != says {
                let text = format!(
                    "found {found}, {who} says {says} of `{}` and `{}`",
                    shown(&row.pattern),
                    shown(&row.subject)
                );
                findings.push(Problem::cell(&file, line_of(index), column, text));
            }
        };
        let (pattern, subject) = (row.pattern.bytes(), row.subject.bytes());
        differs("expected", row.expected, matcher.matches(pattern, subject), "the reference");
        if let Some(naive) = row.naive {
            differs("naive", naive, matcher.naive_matches(pattern, subject), "the naive approximation");
        }
    }
}

fn validation(dialect: &DialectTables, matcher: &dyn Dialect, findings: &mut Vec<Finding>) {
    let file = dialect.file("validation.csv");
    for (index, row) in dialect.validation.iter().enumerate() {
        let says = match row.operand {
            OperandKind::Pattern => matcher.validate_pattern(row.text.bytes(), Strength::Strict),
            OperandKind::Subject => matcher.validate_subject(row.text.bytes(), Strength::Strict),
        };
        if row.strict != says.is_ok() {
            let why = says.err().map_or("may be used".to_owned(), |refusal| format!("is refused: {refusal}"));
            let text = format!(
                "found {}, by the portable rule the {} `{}` {why}",
                row.strict,
                row.operand.as_str(),
                shown(&row.text)
            );
            findings.push(Problem::cell(&file, line_of(index), "strict", text));
        }
    }
}

fn relations(dialect: &DialectTables, matcher: &dyn Dialect, findings: &mut Vec<Finding>) {
    let file = dialect.file("relations.csv");
    for (index, row) in dialect.relations.iter().enumerate() {
        let (left, right) = (row.left.bytes(), row.right.bytes());
        let says = match row.relation {
            Relation::Subset => matcher.subset(left, right),
            Relation::Overlap => matcher.overlap(left, right),
        };
        if let Some(says) = says.filter(|says| *says != row.expected) {
            let text = format!(
                "found {}, the reference says {says} of `{}` and `{}`",
                row.expected,
                shown(&row.left),
                shown(&row.right)
            );
            findings.push(Problem::cell(&file, line_of(index), "expected", text));
        } else if let Some(text) = witness(row, matcher) {
            findings.push(Problem::cell(&file, line_of(index), "witness", text));
        }
    }
}

/// What is wrong with a row's witness. Two refused operands, or one, stand in no relation and have none.
fn witness(row: &RelationRow, matcher: &dyn Dialect) -> Option<String> {
    let shows = match row.relation {
        Relation::Subset => !row.expected,
        Relation::Overlap => row.expected,
    };
    let refused = |pattern: &[u8]| matcher.validate_pattern(pattern, Strength::Server).is_err();
    let (left, right) = (row.left.bytes(), row.right.bytes());
    let wanted = shows && !refused(left) && !refused(right);
    match &row.witness {
        None if wanted => Some("found nothing, expected a subject that shows it".to_owned()),
        Some(witness) if !wanted => Some(format!("found `{witness}`, expected nothing: this answer has no witness")),
        Some(witness) => {
            let (in_left, in_right) = (matcher.matches(left, witness.bytes()), matcher.matches(right, witness.bytes()));
            let good = in_left && in_right == (row.relation == Relation::Overlap);
            let place = |inside: bool| if inside { "in" } else { "not in" };
            (!good)
                .then(|| format!("found `{witness}`, which is {} left and {} right", place(in_left), place(in_right)))
        }
        None => None,
    }
}

/// Every stated clause that decides matches has a row that is true and one that is false. A clause that a validation
/// row cites for refusing an operand says what may not be used, so it can have no true row.
fn both_ways(dialect: &DialectTables, findings: &mut Vec<Finding>) {
    let refusing: BTreeSet<&str> = dialect
        .validation
        .iter()
        .filter(|row| !row.strict || row.server.is_some_and(|fate| fate != Fate::Accepted))
        .map(|row| row.clause.as_str())
        .collect();
    let mut seen: BTreeMap<&str, (bool, bool)> = BTreeMap::new();
    for row in &dialect.matches {
        let (yes, no) = seen.entry(&row.clause).or_default();
        *(if row.expected { yes } else { no }) = true;
    }
    for (index, clause) in dialect.clauses.iter().enumerate() {
        if clause.status != ClauseStatus::Stated || refusing.contains(clause.id.as_str()) {
            continue;
        }
        let (yes, no) = seen.get(clause.id.as_str()).copied().unwrap_or_default();
        let missing = match (yes, no) {
            (true, true) => continue,
            (true, false) => "a false row",
            (false, true) => "a true row",
            (false, false) => "a true row and a false row",
        };
        let text = format!("the clause {} lacks {missing} in {}", clause.id, dialect.file("match.csv"));
        findings.push(Problem::line(&dialect.file("clauses.csv"), line_of(index), text));
    }
}
