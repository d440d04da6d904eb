//! The phrases that several formats share. Must never depend on a format.

use wildcheck_tables::{
    Alone, Identity, Operand, Outcome, RefereeRecord, Refereed,
    event::{Answer, RowResult, WitnessRecord},
    row::Direction,
};

use crate::Summary;

/// An operand longer than this many bytes is cut in a report for people.
const SHOWN: usize = 60;

/// An operand for people: a long one is cut and its length told, the empty one is `''`.
pub(crate) fn short(operand: &Operand) -> String {
    if operand.0.is_empty() {
        return "''".to_owned();
    }
    if operand.0.len() <= SHOWN {
        return operand.to_string();
    }
    format!("{}… ({} bytes)", Operand::from(&operand.0[..SHOWN / 2]), operand.0.len())
}

/// `match a.* a.b`; a row of one operand says by which lane, for a table may ask it by each.
pub(crate) fn question(row: &RowResult) -> String {
    if let Some(right) = &row.right {
        return format!("{} {} {}", row.operation, short(&row.left), short(right));
    }
    let lane = match lanes(&row.answers) {
        lanes if lanes.is_empty() => lanes,
        lanes => format!(" by {lanes}"),
    };
    format!("{} {}{lane}", row.operation, short(&row.left))
}

/// Reference, the ones under test, approximation: told by their places, for one under test may itself be the reference
/// or the approximation.
pub(crate) fn roles(answers: &[Answer]) -> [&[Answer]; 3] {
    let (reference, rest) = answers.split_at(usize::from(answers.first().is_some_and(|a| a.oracle == "reference")));
    let naive = usize::from(rest.last().is_some_and(|a| a.oracle == "naive"));
    let (under_test, naive) = rest.split_at(rest.len() - naive);
    [reference, under_test, naive]
}

/// What the three of [`roles`] said; lanes that say the same say it once, others by name (`wire true, client false`).
pub(crate) fn three(answers: &[Answer]) -> [String; 3] {
    roles(answers).map(|answers| match answers.split_first() {
        None => String::new(),
        Some((first, rest)) if rest.iter().all(|other| other.verdict == first.verdict) => {
            first.verdict.as_str().to_owned()
        }
        Some(_) => {
            let each = answers.iter().map(|answer| format!("{} {}", answer.lane, answer.verdict.as_str()));
            each.collect::<Vec<_>>().join(", ")
        }
    })
}

/// The lanes by which the ones under test were asked.
pub(crate) fn lanes(answers: &[Answer]) -> String {
    let mut lanes: Vec<String> = Vec::new();
    for answer in roles(answers)[1] {
        let lane = answer.lane.to_string();
        if !lanes.contains(&lane) {
            lanes.push(lane);
        }
    }
    lanes.join(" ")
}

/// Every answer with its lane and what became of the operands.
pub(crate) fn seen(answers: &[Answer]) -> String {
    answers.iter().map(|answer| format!("{} {}", head(answer), said(answer))).collect::<Vec<_>>().join("; ")
}

/// `nats-server (wire)`.
pub(crate) fn head(answer: &Answer) -> String {
    format!("{} ({})", answer.oracle, answer.lane)
}

/// The verdict, and what became of the operands.
pub(crate) fn said(answer: &Answer) -> String {
    let mut text = answer.verdict.as_str().to_owned();
    let outcomes = [("pattern", &answer.pattern), ("subject", &answer.subject)];
    for (side, outcome) in outcomes {
        if let Some(outcome) = outcome {
            text.push_str(&format!(", {side} {}", became(outcome)));
        }
    }
    match answer.delivered {
        Some(true) => text.push_str(", delivered"),
        Some(false) => text.push_str(", not delivered"),
        None => {}
    }
    text
}

/// What became of an operand, in words.
fn became(outcome: &Outcome) -> String {
    let (what, words) = match outcome {
        Outcome::Accepted => return "accepted".to_owned(),
        Outcome::RefusedOpen(words) => ("refused, connection open", words),
        Outcome::RefusedClosed(words) => ("refused, connection closed", words),
        Outcome::RefusedClient(words) => ("refused by the client", words),
        Outcome::Inexpressible(words) => ("inexpressible", words),
        Outcome::Lost(words) => ("lost", words),
        Outcome::Unsupported(words) => ("unsupported", words),
        Outcome::Failed(words) => ("failed", words),
    };
    if words.is_empty() { what.to_owned() } else { format!("{what} ({words})") }
}

/// Which way a witness is wrong.
pub(crate) fn direction(witness: &WitnessRecord) -> &'static str {
    match witness.direction {
        Direction::TooMuch => "delivers too much",
        Direction::TooLittle => "delivers too little",
        Direction::Both => "is wrong both ways",
    }
}

/// Those that are neither the reference in front nor the approximation at the end.
pub(crate) fn under_test(oracles: &[Identity]) -> &[Identity] {
    let first = usize::from(oracles.first().is_some_and(|oracle| oracle.name == "reference"));
    let rest = &oracles[first..];
    &rest[..rest.len() - usize::from(rest.last().is_some_and(|oracle| oracle.name == "naive"))]
}

/// Who is wrong: where the reference stands alone the others are wrong together.
pub(crate) fn who(witness: &WitnessRecord) -> &str {
    if witness.alone == "reference" { "everybody but the reference" } else { &witness.alone }
}

/// Who stands alone on a pair that a referee was asked.
pub(crate) fn alone(referee: &RefereeRecord, pair: &Refereed) -> String {
    match pair.alone {
        Alone::UnderTest => referee.under_test.clone(),
        Alone::Reference if pair.known => "reference (known)".to_owned(),
        Alone::Reference => "reference".to_owned(),
        Alone::Unknown => "not known".to_owned(),
    }
}

/// The reference alone against a program and a referee, in one line.
pub(crate) fn contradicted(referee: &RefereeRecord, pair: &Refereed) -> String {
    format!(
        "the reference stands alone with {} on pattern {} subject {} ({} {}); {} and {} say {}; clause {}",
        pair.reference,
        short(&pair.pattern),
        short(&pair.subject),
        pair.cause,
        pair.name,
        referee.under_test,
        asked(&referee.oracle),
        !pair.reference,
        pair.clause
    )
}

/// A cause in one line, without its count, which moves.
pub(crate) fn cause(witness: &WitnessRecord) -> String {
    let WitnessRecord { cause, name, .. } = witness;
    let (pattern, subject) = (short(&witness.pattern), short(&witness.subject));
    format!("{cause} {name}: {} {} on pattern {pattern} subject {subject}", who(witness), direction(witness))
}

/// Name, version, commit.
pub(crate) fn full(oracle: &Identity) -> String {
    let version = oracle.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    let commit = oracle.commit.as_deref().map(|commit| format!(" git {commit}")).unwrap_or_default();
    format!("{}{version}{commit}", oracle.name)
}

/// Name, version, commit, lane.
pub(crate) fn asked(oracle: &Identity) -> String {
    format!("{} ({})", full(oracle), oracle.lane)
}

/// The rows of one table.
pub(crate) struct Held {
    pub(crate) table: String,
    pub(crate) rows: usize,
    pub(crate) hold: usize,
}

/// How many rows of each table hold, in the order in which the tables were asked.
pub(crate) fn held(summary: &Summary) -> Vec<Held> {
    let mut tables: Vec<Held> = Vec::new();
    for row in &summary.rows {
        let at = tables.iter().position(|held| held.table == row.table).unwrap_or_else(|| {
            tables.push(Held { table: row.table.clone(), rows: 0, hold: 0 });
            tables.len() - 1
        });
        tables[at].rows += 1;
        tables[at].hold += usize::from(row.holds);
    }
    tables
}

/// Text without the bytes that XML and terminals cannot take.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c }).collect()
}
