//! Which row of one run is which row of another, and what they answered otherwise. Must never compare two lanes with
//! each other: a table may ask the same operand by each of them.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use wildcheck_tables::{
    Lane, Operand, Outcome,
    event::{Answer, RowResult},
};

use crate::render::told;

/// A row that is told because it is not as before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Flip {
    /// Table and question, without the line, which moves.
    pub row: String,
    /// Did it hold then?
    pub held: bool,
    /// Does it hold now?
    pub holds: bool,
    /// Who answered otherwise: `nats-server (wire) true, now false`.
    pub answers: Vec<String>,
}

impl Flip {
    /// It held and does not any more.
    pub fn is_worse(&self) -> bool {
        self.held && !self.holds
    }
}

/// The question of a row.
type Question<'a> = (&'a str, &'a str, &'a Operand, Option<&'a Operand>);

fn question(row: &RowResult) -> Question<'_> {
    (&row.table, &row.operation, &row.left, row.right.as_ref())
}

fn lanes(row: &RowResult) -> Vec<&Lane> {
    row.answers.iter().map(|answer| &answer.lane).collect()
}

/// The rows that changed, and the questions that were asked then and are not now.
pub(super) fn between(old: &[RowResult], new: &[RowResult]) -> (Vec<Flip>, Vec<String>) {
    let mut before: HashMap<Question<'_>, Vec<&RowResult>> = HashMap::new();
    for row in old {
        before.entry(question(row)).or_default().push(row);
    }
    let mut left = Vec::new();
    let mut flips = Vec::new();
    for row in new {
        // The same lanes first; a question that has another row left was asked by more or fewer lanes then.
        let then = before.get_mut(&question(row)).and_then(|rows| {
            let at = rows.iter().position(|then| lanes(then) == lanes(row))?;
            Some(rows.remove(at))
        });
        match then {
            Some(then) => flips.extend(flip(then, row)),
            None => left.push(row),
        }
    }
    for row in left {
        let Some(rows) = before.get_mut(&question(row)).filter(|rows| !rows.is_empty()) else { continue };
        // Never two lanes with each other: something live must have been asked both times.
        let common = |then: &&RowResult| {
            let [now, then] = [row, then].map(|row| told::roles(&row.answers)[1]);
            then.iter().any(|answer| same(answer, now).is_some())
        };
        if let Some(at) = rows.iter().position(common) {
            let then = rows.remove(at);
            flips.extend(flip(then, row));
        }
    }
    let mut told = HashSet::new();
    let gone = old.iter().filter(|row| before.get(&question(row)).is_some_and(|rows| rows.contains(row)));
    (flips, gone.map(name).filter(|name| told.insert(name.clone())).collect())
}

fn same<'a>(answer: &Answer, answers: &'a [Answer]) -> Option<&'a Answer> {
    answers.iter().find(|other| (&other.oracle, &other.lane) == (&answer.oracle, &answer.lane))
}

fn name(row: &RowResult) -> String {
    format!("{} {}", row.table, told::question(row))
}

fn flip(then: &RowResult, now: &RowResult) -> Option<Flip> {
    let [was, is] = [then, now].map(|row| told::roles(&row.answers));
    let mut answers = Vec::new();
    for (was, is) in was.into_iter().zip(is) {
        for answer in is {
            if let Some(before) = same(answer, was).filter(|before| key(before) != key(answer)) {
                answers.push(format!("{} {}, now {}", told::head(answer), told::said(before), told::said(answer)));
            }
        }
    }
    let changed = then.holds != now.holds || !answers.is_empty();
    changed.then(|| Flip { row: name(now), held: then.holds, holds: now.holds, answers })
}

/// What must be equal. The words of a refusal are the server's; those of a lost connection hold ports and durations.
fn key(answer: &Answer) -> impl PartialEq + '_ {
    let outcome = |outcome: &'static str, words| Some((outcome, words));
    let side = move |side: &Option<Outcome>| match side {
        None => None,
        Some(Outcome::Accepted) => outcome("accepted", None),
        Some(Outcome::RefusedOpen(words)) => outcome("refused-open", Some(words.clone())),
        Some(Outcome::RefusedClosed(words)) => outcome("refused-closed", Some(words.clone())),
        Some(Outcome::RefusedClient(words)) => outcome("refused-client", Some(words.clone())),
        Some(Outcome::Inexpressible(_)) => outcome("inexpressible", None),
        Some(Outcome::Lost(_)) => outcome("lost", None),
        Some(Outcome::Unsupported(_)) => outcome("unsupported", None),
        Some(Outcome::Failed(_)) => outcome("failed", None),
    };
    (answer.verdict.as_str(), side(&answer.pattern), side(&answer.subject), answer.delivered)
}
