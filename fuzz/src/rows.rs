//! The rows of a dialect's tables as questions, asked in batches: of the reference and the naive approximation in
//! memory, of a live broker lane by lane.
//!
//! Must never change a row or judge the tables; it says what was seen and whether the row says the same.

use std::collections::{BTreeMap, HashMap};

use wildcheck_matcher::{Dialect, Strength};
use wildcheck_oracle::{Oracle, OracleError};
use wildcheck_tables::{
    DialectTables, Fate, Grid, Lane, Observations, Operand, Outcome, Verdict,
    event::{Answer, RowResult},
    in_range, line_of,
    row::{OperandKind, Relation},
};

/// What one lane of a live broker said about the rows.
pub struct LaneAnswers {
    /// Who answered.
    pub oracle: String,
    /// Its version, as far as it tells one.
    pub version: Option<String>,
    /// The route.
    pub lane: Lane,
    /// The measured columns speak of this broker: a row that it contradicts does not hold. Another broker is told, and
    /// judged by the causes that the baseline knows of it ([`crate::besides`]).
    pub measured: bool,
    /// By index into [`DialectTables::matches`].
    pub matches: Vec<Seen>,
    /// By index into [`DialectTables::validation`]; `None` for rows of other lanes.
    pub validation: Vec<Option<(Outcome, bool)>>,
    /// By index into [`DialectTables::relations`]: is the row's witness one? `None` where there is none.
    pub relations: Vec<Option<Verdict>>,
}

/// What was seen of a pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Delivered or not.
    pub verdict: Verdict,
    /// What became of the pattern.
    pub pattern: Outcome,
    /// What became of the subject.
    pub subject: Outcome,
}

/// Asks all rows that this lane has something to say about.
///
/// # Errors
/// The oracle was lost, or the run was interrupted.
pub fn ask(
    dialect: &'static dyn Dialect,
    tables: &DialectTables,
    oracle: &mut dyn Oracle,
) -> Result<LaneAnswers, OracleError> {
    let identity = oracle.identity().clone();
    let pairs: Vec<(&Operand, &Operand)> = tables.matches.iter().map(|row| (&row.pattern, &row.subject)).collect();
    let matches = ask_pairs(dialect, &pairs, oracle)?;
    let validation = ask_validation(dialect, tables, oracle)?;
    let relations = ask_relations(dialect, tables, oracle)?;
    let measured = identity.lane == Lane::MEMORY || tables.measured_on().is_none_or(|broker| broker == identity.name);
    Ok(LaneAnswers {
        oracle: identity.name,
        version: identity.version,
        measured,
        lane: identity.lane,
        matches,
        validation,
        relations,
    })
}

/// Asks pairs as one grid of the distinct operands.
///
/// # Errors
/// As for [`ask`].
pub fn ask_pairs(
    dialect: &'static dyn Dialect,
    pairs: &[(&Operand, &Operand)],
    oracle: &mut dyn Oracle,
) -> Result<Vec<Seen>, OracleError> {
    let mut patterns = Distinct::default();
    let mut subjects = Distinct::default();
    let cells: Vec<_> = pairs.iter().map(|(p, s)| (patterns.place(p), subjects.place(s))).collect();
    let grid = Grid { dialect: dialect.name(), patterns: patterns.operands, subjects: subjects.operands };
    let seen = oracle.observe(&grid)?;
    Ok(cells
        .into_iter()
        .map(|(p, s)| Seen {
            verdict: seen.verdict(p, s),
            pattern: seen.patterns[p].clone(),
            subject: seen.subjects[s].clone(),
        })
        .collect())
}

fn ask_validation(
    dialect: &'static dyn Dialect,
    tables: &DialectTables,
    oracle: &mut dyn Oracle,
) -> Result<Vec<Option<(Outcome, bool)>>, OracleError> {
    let lane = oracle.identity().lane.clone();
    let mut answers = vec![None; tables.validation.len()];
    for kind in [OperandKind::Pattern, OperandKind::Subject] {
        let of_kind =
            |index: &usize| tables.validation[*index].operand == kind && tables.validation[*index].lane == lane;
        let rows: Vec<usize> = (0..tables.validation.len()).filter(of_kind).collect();
        if rows.is_empty() {
            continue;
        }
        let operands = rows.iter().map(|index| tables.validation[*index].text.clone()).collect();
        let mut grid = Grid { dialect: dialect.name(), patterns: Vec::new(), subjects: Vec::new() };
        match kind {
            OperandKind::Pattern => grid.patterns = operands,
            OperandKind::Subject => {
                // Somebody must listen, or "refused and delivered all the same" is never seen.
                grid.patterns = dialect.syntax().many.map(Operand::from).into_iter().collect();
                grid.subjects = operands;
            }
        }
        let seen: Observations = oracle.observe(&grid)?;
        for (place, row) in rows.into_iter().enumerate() {
            answers[row] = Some(match kind {
                OperandKind::Pattern => (seen.patterns[place].clone(), false),
                OperandKind::Subject => (seen.subjects[place].clone(), !seen.delivered.of(place).is_empty()),
            });
        }
    }
    Ok(answers)
}

/// A live broker knows no relations, but it can say whether a row's witness is one: a subject in both (overlap), a
/// subject in left and not in right (no subset).
fn ask_relations(
    dialect: &'static dyn Dialect,
    tables: &DialectTables,
    oracle: &mut dyn Oracle,
) -> Result<Vec<Option<Verdict>>, OracleError> {
    let mut pairs = Vec::new();
    let mut rows = Vec::new();
    for (index, row) in tables.relations.iter().enumerate() {
        if let Some(witness) = &row.witness {
            rows.push(index);
            pairs.extend([(&row.left, witness), (&row.right, witness)]);
        }
    }
    let mut answers = vec![None; tables.relations.len()];
    if rows.is_empty() {
        return Ok(answers);
    }
    let seen = ask_pairs(dialect, &pairs, oracle)?;
    for (row, two) in rows.into_iter().zip(seen.chunks(2)) {
        let [left, right] = two else { continue };
        let shown = match tables.relations[row].relation {
            Relation::Overlap => left.verdict.known().zip(right.verdict.known()).map(|(l, r)| l && r),
            Relation::Subset => left.verdict.known().zip(right.verdict.known()).map(|(l, r)| l && !r),
        };
        answers[row] = Some(shown.map_or(Verdict::Unsupported, Verdict::from));
    }
    Ok(answers)
}

/// Every row with what the reference, each live lane and the naive approximation say, and whether it holds.
pub fn results(dialect: &'static dyn Dialect, tables: &DialectTables, lanes: &[LaneAnswers]) -> Vec<RowResult> {
    let mut results = Vec::new();
    for (index, row) in tables.matches.iter().enumerate() {
        let reference = dialect.matches(&row.pattern.0, &row.subject.0);
        let mut holds = reference == row.expected;
        let mut answers = vec![in_memory("reference", reference.into())];
        for lane in lanes {
            let seen = &lane.matches[index];
            let server = row.server.unwrap_or(row.expected);
            // The server column speaks of the default route; other lanes are told, and judged by validation.csv.
            if lane.measured && lane.lane == lanes[0].lane && speaks_of(&row.since, &row.until, lane) {
                holds &= seen.verdict.known().is_none_or(|verdict| verdict == server);
            }
            answers.push(Answer {
                oracle: lane.oracle.clone(),
                lane: lane.lane.clone(),
                verdict: seen.verdict,
                pattern: Some(seen.pattern.clone()),
                subject: Some(seen.subject.clone()),
                delivered: None,
            });
        }
        answers.push(in_memory("naive", dialect.naive_matches(&row.pattern.0, &row.subject.0).into()));
        results.push(RowResult {
            table: tables.file("match.csv"),
            line: line_of(index),
            operation: "match".to_owned(),
            left: row.pattern.clone(),
            right: Some(row.subject.clone()),
            expected: row.server.filter(|_| all_measured(lanes)).unwrap_or(row.expected).to_string(),
            answers,
            clause: row.clause.clone(),
            holds,
            pile: None,
        });
    }
    results.extend(validation_results(dialect, tables, lanes));
    results.extend(relation_results(dialect, tables, lanes));
    results
}

fn validation_results(dialect: &'static dyn Dialect, tables: &DialectTables, lanes: &[LaneAnswers]) -> Vec<RowResult> {
    let mut results = Vec::new();
    for (index, row) in tables.validation.iter().enumerate() {
        let valid = |strength| match row.operand {
            OperandKind::Pattern => dialect.validate_pattern(&row.text.0, strength).is_ok(),
            OperandKind::Subject => dialect.validate_subject(&row.text.0, strength).is_ok(),
        };
        let mut holds = valid(Strength::Strict) == row.strict;
        let mut answers = vec![in_memory("reference", valid(Strength::Server).into())];
        for lane in lanes {
            let Some((outcome, delivered)) = &lane.validation[index] else { continue };
            let fate = outcome.fate(*delivered);
            let known = !matches!(fate, Fate::Lost | Fate::Unsupported | Fate::Failed);
            if known && lane.measured && speaks_of(&row.since, &row.until, lane) {
                holds &= row.server.is_none_or(|server| server == fate);
            }
            let verdict =
                if outcome.is_unknown() { Verdict::Unsupported } else { (*outcome == Outcome::Accepted).into() };
            let (pattern, subject) = match row.operand {
                OperandKind::Pattern => (Some(outcome.clone()), None),
                OperandKind::Subject => (None, Some(outcome.clone())),
            };
            answers.push(Answer {
                oracle: lane.oracle.clone(),
                lane: lane.lane.clone(),
                verdict,
                pattern,
                subject,
                delivered: (row.operand == OperandKind::Subject).then_some(*delivered),
            });
        }
        // The naive approximation validates nothing: it takes everything.
        answers.push(in_memory("naive", Verdict::True));
        results.push(RowResult {
            table: tables.file("validation.csv"),
            line: line_of(index),
            operation: format!("valid-{}", row.operand.as_str()),
            left: row.text.clone(),
            right: None,
            expected: row.server.filter(|_| all_measured(lanes)).map_or_else(String::new, |fate| fate.to_string()),
            answers,
            clause: row.clause.clone(),
            holds,
            pile: None,
        });
    }
    results
}

fn relation_results(dialect: &'static dyn Dialect, tables: &DialectTables, lanes: &[LaneAnswers]) -> Vec<RowResult> {
    let mut results = Vec::new();
    for (index, row) in tables.relations.iter().enumerate() {
        let reference = match row.relation {
            Relation::Subset => dialect.subset(&row.left.0, &row.right.0),
            Relation::Overlap => dialect.overlap(&row.left.0, &row.right.0),
        };
        let mut holds = reference.is_none_or(|verdict| verdict == row.expected);
        let mut answers = vec![in_memory("reference", reference.map_or(Verdict::Unsupported, Verdict::from))];
        for lane in lanes {
            let Some(shown) = lane.relations[index] else { continue };
            // A witness shows that an overlap is, or that a subset is not; that it shows nothing is drift.
            let verdict = match (row.relation, shown) {
                (_, Verdict::Unsupported) => Verdict::Unsupported,
                (Relation::Overlap, shown) => shown,
                (Relation::Subset, Verdict::True) => Verdict::False,
                (Relation::Subset, _) => Verdict::True,
            };
            holds &= shown != Verdict::False || !lane.measured;
            answers.push(Answer {
                oracle: lane.oracle.clone(),
                lane: lane.lane.clone(),
                verdict,
                pattern: None,
                subject: None,
                delivered: None,
            });
        }
        answers.push(in_memory("naive", Verdict::Unsupported));
        results.push(RowResult {
            table: tables.file("relations.csv"),
            line: line_of(index),
            operation: row.relation.as_str().to_owned(),
            left: row.left.clone(),
            right: Some(row.right.clone()),
            expected: row.expected.to_string(),
            answers,
            clause: row.clause.clone(),
            holds,
            pile: None,
        });
    }
    results
}

fn all_measured(lanes: &[LaneAnswers]) -> bool {
    lanes.iter().all(|lane| lane.measured)
}

/// The lanes that the validation rows name, each once, sorted.
pub fn lanes(tables: &DialectTables) -> Vec<Lane> {
    let lanes: BTreeMap<&Lane, ()> = tables.validation.iter().map(|row| (&row.lane, ())).collect();
    lanes.into_keys().filter(|lane| **lane != Lane::MEMORY).cloned().collect()
}

/// Does a row with this range say something about the version that answered?
fn speaks_of(since: &str, until: &str, lane: &LaneAnswers) -> bool {
    lane.version.as_deref().is_none_or(|version| in_range(since, until, version))
}

fn in_memory(name: &str, verdict: Verdict) -> Answer {
    Answer { oracle: name.to_owned(), lane: Lane::MEMORY, verdict, pattern: None, subject: None, delivered: None }
}

/// Operands without repetition, by first appearance.
#[derive(Default)]
pub struct Distinct {
    /// The operands.
    pub operands: Vec<Operand>,
    places: HashMap<Operand, usize>,
}

impl Distinct {
    /// The operand's place in [`Distinct::operands`], which it gets if it has none.
    pub fn place(&mut self, operand: &Operand) -> usize {
        if let Some(place) = self.places.get(operand) {
            return *place;
        }
        self.operands.push(operand.clone());
        self.places.insert(operand.clone(), self.operands.len() - 1);
        self.operands.len() - 1
    }
}
