//! The `expected` column: conditions joined by `and`, held against what was seen. Must never look at the probe's text
//! or at anything but [`Sightings`].
//!
//! ```text
//! ID got N | ID+ID2 got >=N | ID got <=N     messages that arrived
//! ID header NAME=VALUE                       some message has that header line
//! ID no header                               no message has any
//! ID status 503                              some message has that status
//! ID reply SUBJECT                           some message has that reply subject
//! NAME open | NAME closed                    the server left the connection open, or ended it
//! NAME error "words"                         some error of the server on it holds the words
//! NAME refused "words"                       the client library refused something, in these words
//! NAME no error                              neither
//! ```

use std::fmt;

use super::{
    Arrived, Probe, ProbeError, Sightings,
    parse::is_name,
    words::{Word, error, words},
};

/// All conditions of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation(Vec<Condition>);

/// One condition, as it was written and as it is held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    text: String,
    what: What,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum What {
    Got { ids: Vec<String>, how: How, count: usize },
    Header { id: String, name: Vec<u8>, value: Vec<u8> },
    NoHeader { id: String },
    Status { id: String, status: u16 },
    Reply { id: String, subject: Vec<u8> },
    Open { conn: String, open: bool },
    Error { conn: String, words: String },
    Refused { conn: String, words: String },
    NoError { conn: String },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Exactly,
    AtLeast,
    AtMost,
}

/// A condition that does not hold, and what was seen instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// The condition as written.
    pub condition: String,
    /// What was seen.
    pub seen: String,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.seen)
    }
}

impl Expectation {
    /// Reads the `expected` column; every name in it must be one of the probe's.
    ///
    /// # Errors
    /// The first condition that is none, or that speaks of something the probe does not make.
    pub fn parse(text: &str, probe: &Probe) -> Result<Expectation, ProbeError> {
        let (conns, ids) = probe.names();
        let mut conditions = Vec::new();
        for part in conjuncts(text) {
            let what = read(part)?;
            let (named, known, kind) = what.names();
            let (known, kind) = if known { (&ids, kind) } else { (&conns, kind) };
            if let Some(name) = named.iter().find(|name| !known.contains(name.as_str())) {
                return Err(error(part, format!("the probe has no {kind} {name}")));
            }
            conditions.push(Condition { text: part.to_owned(), what });
        }
        if conditions.is_empty() { Err(error(text, "expected a condition")) } else { Ok(Expectation(conditions)) }
    }

    /// The conditions that what was seen does not meet; none: the claim is confirmed.
    pub fn failed(&self, seen: &Sightings) -> Vec<Failed> {
        self.0.iter().filter_map(|condition| condition.failed(seen)).collect()
    }
}

/// Separated by the word `and` outside quotes.
fn conjuncts(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, c) in text.char_indices() {
        quoted ^= c == '"';
        if !quoted && at >= start && text[at..].starts_with(" and ") {
            found.push(text[start..at].trim());
            start = at + " and ".len();
        }
    }
    found.push(text[start..].trim());
    found.retain(|part| !part.is_empty());
    found
}

fn read(part: &str) -> Result<What, ProbeError> {
    let words = words(part)?;
    let [name, verb, rest @ ..] = &words[..] else { return Err(error(part, "expected NAME VERB …")) };
    let name = name.plain().unwrap_or_default().to_owned();
    let names: Vec<String> = name.split('+').map(str::to_owned).collect();
    if !names.iter().all(|name| is_name(name)) {
        return Err(error(part, "expected the name of a connection or of a subscription"));
    }
    let text = |word: &Word| String::from_utf8_lossy(&word.bytes).into_owned();
    Ok(match (verb.plain().unwrap_or_default(), rest) {
        ("got", [number]) => {
            let number = text(number);
            let (how, digits) = match (number.strip_prefix(">="), number.strip_prefix("<=")) {
                (Some(digits), _) => (How::AtLeast, digits),
                (_, Some(digits)) => (How::AtMost, digits),
                _ => (How::Exactly, number.as_str()),
            };
            let count = digits.parse().map_err(|_| error(part, "expected a number after got"))?;
            What::Got { ids: names, how, count }
        }
        ("header", [line]) => match line.bytes.iter().position(|b| *b == b'=') {
            Some(at) => What::Header { id: name, name: line.bytes[..at].into(), value: line.bytes[at + 1..].into() },
            None => return Err(error(part, "expected NAME=VALUE after header")),
        },
        ("status", [status]) => {
            let status = text(status).parse().map_err(|_| error(part, "expected a number after status"))?;
            What::Status { id: name, status }
        }
        ("reply", [subject]) => What::Reply { id: name, subject: subject.bytes.clone() },
        ("open", []) => What::Open { conn: name, open: true },
        ("closed", []) => What::Open { conn: name, open: false },
        ("error", [words]) => What::Error { conn: name, words: text(words) },
        ("refused", [words]) => What::Refused { conn: name, words: text(words) },
        ("no", [word]) if word.plain() == Some("header") => What::NoHeader { id: name },
        ("no", [word]) if word.plain() == Some("error") => What::NoError { conn: name },
        _ => {
            let verbs = "got N, header NAME=VALUE, status N, reply SUBJECT, open, closed, error \"…\", refused \"…\", \
                         no header or no error";
            return Err(error(part, format!("expected {verbs}")));
        }
    })
}

impl What {
    /// The names it speaks of, whether they are subscriptions, and the word for them.
    fn names(&self) -> (Vec<String>, bool, &'static str) {
        match self {
            What::Got { ids, .. } => (ids.clone(), true, "subscription"),
            What::Header { id, .. } | What::NoHeader { id } | What::Status { id, .. } | What::Reply { id, .. } => {
                (vec![id.clone()], true, "subscription")
            }
            What::Open { conn, .. }
            | What::Error { conn, .. }
            | What::Refused { conn, .. }
            | What::NoError { conn } => (vec![conn.clone()], false, "connection"),
        }
    }
}

impl Condition {
    fn failed(&self, seen: &Sightings) -> Option<Failed> {
        let nothing = Vec::new();
        let arrived = |id: &String| seen.arrived.get(id).unwrap_or(&nothing);
        let conn = |name: &String| seen.conns.get(name).cloned().unwrap_or_default();
        let some = |id: &String, like: &dyn Fn(&Arrived) -> bool| {
            (!arrived(id).iter().any(like)).then(|| format!("{id} got {}", told(arrived(id))))
        };
        let instead = match &self.what {
            What::Got { ids, how, count } => {
                let got: usize = ids.iter().map(|id| arrived(id).len()).sum();
                let holds = match how {
                    How::Exactly => got == *count,
                    How::AtLeast => got >= *count,
                    How::AtMost => got <= *count,
                };
                (!holds).then(|| format!("{} got {got}", ids.join("+")))
            }
            What::Header { id, name, value } => {
                let line = [name, &b": "[..], value].concat();
                some(id, &|message| message.headers.iter().any(|header| tight(header) == tight(&line)))
            }
            What::NoHeader { id } => {
                let bare = arrived(id).iter().all(|message| message.headers.is_empty());
                (!bare).then(|| format!("{id} got {}", told(arrived(id))))
            }
            What::Status { id, status } => some(id, &|message| message.status == Some(*status)),
            What::Reply { id, subject } => some(id, &|message| message.reply.as_ref() == Some(subject)),
            What::Open { conn: name, open } => match (conn(name).closed, open) {
                (true, true) => Some(format!("{name} closed{}", words_of(&conn(name).errors))),
                (false, false) => Some(format!("{name} open{}", words_of(&conn(name).errors))),
                _ => None,
            },
            What::Error { conn: name, words } => (!conn(name).errors.iter().any(|error| error.contains(words)))
                .then(|| format!("{name} {}", said(&conn(name).errors, "no error of the server"))),
            What::Refused { conn: name, words } => (!conn(name).refusals.iter().any(|text| text.contains(words)))
                .then(|| format!("{name} {}", said(&conn(name).refusals, "no refusal by the client"))),
            What::NoError { conn: name } => {
                let mut all = conn(name).errors;
                all.extend(conn(name).refusals);
                (!all.is_empty()).then(|| format!("{name} {}", said(&all, "")))
            }
        };
        instead.map(|seen| Failed { condition: self.text.clone(), seen })
    }
}

/// A header line without the blank behind its colon, which writers may leave out.
fn tight(line: &[u8]) -> Vec<u8> {
    match line.iter().position(|b| *b == b':') {
        Some(at) => [&line[..=at], line[at + 1..].trim_ascii()].concat(),
        None => line.to_vec(),
    }
}

fn said(words: &[String], none: &str) -> String {
    if words.is_empty() { none.to_owned() } else { format!("error \"{}\"", words.join("\", \"")) }
}

fn words_of(errors: &[String]) -> String {
    if errors.is_empty() { String::new() } else { format!(" with {}", said(errors, "")) }
}

fn told(arrived: &[Arrived]) -> String {
    let Some(first) = arrived.first() else { return "nothing".to_owned() };
    let headers: Vec<String> = first.headers.iter().map(|line| crate::cell::escape(line)).collect();
    let status = first.status.map(|status| format!(", status {status}")).unwrap_or_default();
    let reply = first.reply.as_ref().map(|reply| format!(", reply {}", crate::cell::escape(reply))).unwrap_or_default();
    format!("{} (the first: headers [{}]{status}{reply})", arrived.len(), headers.join("; "))
}
