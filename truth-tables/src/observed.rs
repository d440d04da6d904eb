//! What a server of one version was seen to do: `<dialect>/observed/<server>@<version>.csv`.
//!
//! Columns `lane,kind,left,right,observation`. Kinds:
//! - `match`: left a pattern, right a subject, observation `delivered` or `not-delivered`;
//! - `pattern`, `subject`: left the operand, right empty, observation what became of it: a fate
//!   (`accepted`, `refused-open`, …) and, after a colon and a blank, the server's exact words;
//! - `scope`: left the scope in words, right the digest of its verdicts, observation `PAIRS pairs, MATCHES matches`;
//! - `as`: left another version whose recording holds for everything that this one does not say.
//!
//! Must never hold a verdict about right or wrong.

use crate::{
    Fate, Lane, Operand, Outcome, Version,
    cell::{escape, operand_cell, unescape},
    cells::Cells,
    error::Problem,
    table::{self, Cites, TableRow},
};

/// The observations of one server and version.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recording {
    /// The server's name (`nats-server`).
    pub server: String,
    /// Its version.
    pub version: String,
    /// What was seen, sorted.
    pub rows: Vec<ObservedRow>,
}

/// One line of a recording.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedRow {
    /// The route.
    pub lane: Lane,
    /// What was seen.
    pub seen: Seen,
}

/// What was seen through a lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// A message reached a subscription, or did not.
    Match {
        /// What was subscribed to.
        pattern: Operand,
        /// What was published to.
        subject: Operand,
        /// Did it arrive?
        delivered: bool,
    },
    /// What became of a subscription.
    Pattern {
        /// What was subscribed to.
        text: Operand,
        /// The outcome, with the words that came with it.
        outcome: Outcome,
    },
    /// What became of a publish.
    Subject {
        /// What was published to.
        text: Operand,
        /// The outcome, with the words that came with it.
        outcome: Outcome,
        /// Was it delivered in spite of a refusal?
        delivered: bool,
    },
    /// A whole scope was asked.
    Scope {
        /// The scope in words, as a certificate says it.
        scope: String,
        /// The digest of its verdicts, as a certificate says it.
        digest: String,
        /// Pairs asked.
        pairs: u64,
        /// Deliveries seen.
        matches: u64,
    },
    /// What is not said here is as in the recording of that version.
    As {
        /// The other version.
        version: String,
    },
}

impl Recording {
    /// The file's name below the dialect's folder.
    pub fn file(&self) -> String {
        format!("observed/{}@{}.csv", self.server, self.version)
    }

    /// The file's bytes.
    pub fn render(&self) -> Vec<u8> {
        table::render(&self.rows)
    }

    /// Adds rows; one with a known key replaces the one that is there.
    pub fn merge(&mut self, fresh: impl IntoIterator<Item = ObservedRow>) -> table::Merged {
        table::merge(&mut self.rows, fresh)
    }
}

/// A recording from its file's bytes, if `file` (below the dialect's folder) is named like one. `name` is what problems
/// carry.
pub(crate) fn parse(name: &str, file: &str, bytes: &[u8]) -> Option<(Recording, Vec<Problem>)> {
    let (server, version) = file.strip_prefix("observed/")?.strip_suffix(".csv")?.rsplit_once('@')?;
    if server.is_empty() || server.contains('/') || version.parse::<Version>().is_err() {
        return None;
    }
    let parsed = table::parse(name, bytes);
    Some((Recording { server: server.to_owned(), version: version.to_owned(), rows: parsed.rows }, parsed.problems))
}

fn outcome_cell(outcome: &Outcome, delivered: bool) -> String {
    let fate = outcome.fate(delivered);
    let closed = matches!((fate, outcome), (Fate::RefusedDelivered, Outcome::RefusedClosed(_)));
    let name = if closed { "refused-closed-delivered" } else { fate.as_str() };
    if outcome.words().is_empty() { name.to_owned() } else { format!("{name}: {}", escape_words(outcome.words())) }
}

/// Words stay readable: only what a cell may not hold is escaped.
fn escape_words(words: &str) -> String {
    words
        .chars()
        .map(|c| if c == '\\' || c.is_control() { escape(c.to_string().as_bytes()) } else { c.into() })
        .collect()
}

fn read_outcome(text: &str) -> Option<(Outcome, bool)> {
    let (name, words) = text.split_once(": ").unwrap_or((text, ""));
    let words = String::from_utf8(unescape(words).ok()?).ok()?;
    Some(match name {
        "accepted" if words.is_empty() => (Outcome::Accepted, false),
        "refused-open" => (Outcome::RefusedOpen(words), false),
        "refused-closed" => (Outcome::RefusedClosed(words), false),
        "refused-client" => (Outcome::RefusedClient(words), false),
        "refused-delivered" => (Outcome::RefusedOpen(words), true),
        "refused-closed-delivered" => (Outcome::RefusedClosed(words), true),
        "inexpressible" => (Outcome::Inexpressible(words), false),
        _ => return None,
    })
}

fn read_counts(text: &str) -> Option<(u64, u64)> {
    let (pairs, matches) = text.strip_suffix(" matches")?.split_once(" pairs, ")?;
    Some((pairs.parse().ok()?, matches.parse().ok()?))
}

impl Seen {
    fn kind(&self) -> &'static str {
        match self {
            Seen::Match { .. } => "match",
            Seen::Pattern { .. } => "pattern",
            Seen::Subject { .. } => "subject",
            Seen::Scope { .. } => "scope",
            Seen::As { .. } => "as",
        }
    }
}

const OUTCOMES: &str = "accepted, refused-open, refused-closed, refused-client, refused-delivered or inexpressible, then \
                        a colon and the words";

impl TableRow for ObservedRow {
    const COLUMNS: &'static [&'static str] = &["lane", "kind", "left", "right", "observation"];
    type Key = (String, &'static str, Vec<u8>, Vec<u8>);

    fn key(&self) -> Self::Key {
        let (left, right) = match &self.seen {
            Seen::Match { pattern, subject, .. } => (pattern.0.clone(), subject.0.clone()),
            Seen::Pattern { text, .. } | Seen::Subject { text, .. } => (text.0.clone(), Vec::new()),
            Seen::Scope { scope, .. } => (scope.clone().into_bytes(), Vec::new()),
            Seen::As { .. } => (Vec::new(), Vec::new()),
        };
        (self.lane.to_string(), self.seen.kind(), left, right)
    }

    fn read(c: &mut Cells<'_>) -> Option<Self> {
        let lane = c.lane();
        let kind = c.one_of("match, pattern, subject, scope or as", |text| {
            matches!(text, "match" | "pattern" | "subject" | "scope" | "as").then(|| text.to_owned())
        })?;
        let nothing = |text: &str| text.is_empty().then_some(());
        let seen = match kind.as_str() {
            "match" => {
                let (pattern, subject) = (c.operand(), c.operand());
                let delivered = c.one_of("delivered or not-delivered", |text| match text {
                    "delivered" => Some(true),
                    "not-delivered" => Some(false),
                    _ => None,
                });
                Seen::Match { pattern: pattern?, subject: subject?, delivered: delivered? }
            }
            "pattern" => {
                let (text, empty) = (c.operand(), c.one_of("nothing", nothing));
                let outcome = c.one_of(OUTCOMES, |text| read_outcome(text).filter(|(_, delivered)| !delivered));
                empty?;
                Seen::Pattern { text: text?, outcome: outcome?.0 }
            }
            "subject" => {
                let (text, empty) = (c.operand(), c.one_of("nothing", nothing));
                let outcome = c.one_of(OUTCOMES, read_outcome);
                empty?;
                let (outcome, delivered) = outcome?;
                Seen::Subject { text: text?, outcome, delivered }
            }
            "scope" => {
                let (scope, digest) = (c.filled("a scope in words"), c.word("a digest"));
                let counts = c.one_of("PAIRS pairs, MATCHES matches", read_counts);
                let (pairs, matches) = counts?;
                Seen::Scope { scope: scope?, digest: digest?, pairs, matches }
            }
            _ => {
                let version = c.version();
                let (right, observation) = (c.one_of("nothing", nothing), c.one_of("nothing", nothing));
                right?;
                observation?;
                Seen::As { version: version? }
            }
        };
        Some(ObservedRow { lane: lane?, seen })
    }

    fn write(&self) -> Vec<String> {
        let (left, right, observation) = match &self.seen {
            Seen::Match { pattern, subject, delivered } => {
                let seen = if *delivered { "delivered" } else { "not-delivered" };
                (operand_cell(pattern), operand_cell(subject), seen.to_owned())
            }
            Seen::Pattern { text, outcome } => (operand_cell(text), String::new(), outcome_cell(outcome, false)),
            Seen::Subject { text, outcome, delivered } => {
                (operand_cell(text), String::new(), outcome_cell(outcome, *delivered))
            }
            Seen::Scope { scope, digest, pairs, matches } => {
                (scope.clone(), digest.clone(), format!("{pairs} pairs, {matches} matches"))
            }
            Seen::As { version } => (version.clone(), String::new(), String::new()),
        };
        vec![self.lane.to_string(), self.seen.kind().to_owned(), left, right, observation]
    }

    fn refresh(&mut self, fresh: Self) {
        *self = fresh;
    }

    fn cites(&self) -> Cites<'_> {
        Cites { lane: Some(&self.lane), ..Cites::default() }
    }
}
