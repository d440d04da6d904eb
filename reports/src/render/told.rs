//! The phrases that several formats share. Must never depend on a format.

use wildcheck_tables::{
    Operand, Outcome,
    event::{Answer, RowResult, WitnessRecord},
    row::Direction,
};

use crate::Summary;

/// An operand longer than this many bytes is cut in a report for people.
const SHOWN: usize = 60;

/// An operand for people: a long one is cut and its length told, the empty one is `''`.
pub(super) fn short(operand: &Operand) -> String {
    if operand.0.is_empty() {
        return "''".to_owned();
    }
    if operand.0.len() <= SHOWN {
        return operand.to_string();
    }
    format!("{}… ({} bytes)", Operand::from(&operand.0[..SHOWN / 2]), operand.0.len())
}

/// `match a.* a.b`.
pub(super) fn question(row: &RowResult) -> String {
    match &row.right {
        Some(right) => format!("{} {} {}", row.operation, short(&row.left), short(right)),
        None => format!("{} {}", row.operation, short(&row.left)),
    }
}

/// What the reference, the ones under test and the approximation said, in that order; several lanes that say the same
/// say it once.
pub(super) fn three(answers: &[Answer]) -> [String; 3] {
    let of = |wanted: &dyn Fn(&str) -> bool| -> String {
        let told = answers.iter().filter(|answer| wanted(&answer.oracle));
        let mut verdicts: Vec<&str> = told.map(|answer| answer.verdict.as_str()).collect();
        verdicts.dedup();
        verdicts.join(" ")
    };
    [of(&|name| name == "reference"), of(&|name| name != "reference" && name != "naive"), of(&|name| name == "naive")]
}

/// Every answer with its lane and what became of the operands.
pub(super) fn seen(answers: &[Answer]) -> String {
    let one = |answer: &Answer| {
        let mut text = format!("{} ({}) {}", answer.oracle, answer.lane, answer.verdict.as_str());
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
    };
    answers.iter().map(one).collect::<Vec<_>>().join("; ")
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
pub(super) fn direction(witness: &WitnessRecord) -> &'static str {
    match witness.direction {
        Direction::TooMuch => "delivers too much",
        Direction::TooLittle => "delivers too little",
        Direction::Both => "is wrong both ways",
    }
}

/// Who is wrong: where the reference stands alone the others are wrong together.
pub(super) fn who(witness: &WitnessRecord) -> &str {
    if witness.alone == "reference" { "everybody but the reference" } else { &witness.alone }
}

/// The rows of one table.
pub(super) struct Held {
    pub(super) table: String,
    pub(super) rows: usize,
    pub(super) hold: usize,
}

/// How many rows of each table hold, in the order in which the tables were asked.
pub(super) fn held(summary: &Summary) -> Vec<Held> {
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
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c }).collect()
}
