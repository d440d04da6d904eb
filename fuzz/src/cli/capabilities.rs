//! `capabilities`: what each dialect can express, a line a property. Must never say a thing without
//! the clause that says it, where there is one.

use std::io::Write as _;

use wildcheck::exit::ExitCode;
use wildcheck_matcher::{Capabilities, ClauseId, Said, Where, dialects};

use super::{compare::Table, failure::Failure, session::Session};

/// A property: its name, and how it is told of a dialect.
type Property = (&'static str, fn(&Capabilities) -> (String, Option<ClauseId>));

const PROPERTIES: [Property; 11] = [
    ("patterns", |can| told(can.patterns, yes)),
    ("separator", |can| told(can.separator, |c| c.map_or(none(), String::from))),
    ("one token", |can| told(can.one, word)),
    ("many tokens", |can| told(can.many, word)),
    ("many: at least", |can| told(can.many_least, |n| n.map_or(none(), |n| n.to_string()))),
    ("many: where", |can| told(can.many_place, place)),
    ("part of a token", |can| told(can.partial, word)),
    ("empty tokens", |can| told(can.empty_tokens, yes)),
    ("kept from wildcards", |can| told(can.hidden, word)),
    ("most bytes", |can| told(can.max_bytes, |n| n.to_string())),
    ("most tokens", |can| told(can.max_tokens, |n| n.map_or(none(), |n| n.to_string()))),
];

/// Runs it.
pub fn run(_: &mut Session) -> Result<ExitCode, Failure> {
    let mut text = String::new();
    for dialect in dialects() {
        let mut table = Table::default();
        for (name, tell) in PROPERTIES {
            let (what, clause) = tell(dialect.capabilities());
            let clause = clause.map_or_else(String::new, |clause| format!("[{clause}]"));
            table.line(["".to_owned(), name.to_owned(), what, clause]);
        }
        text.push_str(&format!("{}\n{}\n", dialect.name(), table.text()));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    Ok(ExitCode::Agree)
}

fn told<T>(said: Said<T>, tell: impl Fn(T) -> String) -> (String, Option<ClauseId>) {
    (tell(said.is), said.clause)
}

fn none() -> String {
    "-".to_owned()
}

fn yes(is: bool) -> String {
    if is { "yes".to_owned() } else { "no".to_owned() }
}

fn word(text: Option<&str>) -> String {
    text.map_or_else(none, str::to_owned)
}

fn place(place: Where) -> String {
    match place {
        Where::Nowhere => none(),
        Where::Last => "last".to_owned(),
        Where::Anywhere => "anywhere, often".to_owned(),
        Where::AtMost(times) => format!("anywhere, {times} times at most"),
    }
}
