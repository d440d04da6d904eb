//! What was seen: operands accepted or refused (by whom, in what words), deliveries, and who was asked.
//!
//! Must never judge: an observation is not a verdict about right or wrong.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize};

/// The route through which an oracle answers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lane(pub Cow<'static, str>);

impl Lane {
    /// Decided in this process.
    pub const MEMORY: Lane = Lane(Cow::Borrowed("memory"));
    /// Our own codec, the server in its default mode.
    pub const WIRE: Lane = Lane(Cow::Borrowed("wire"));
    /// Our own codec, `pedantic:true`.
    pub const WIRE_PEDANTIC: Lane = Lane(Cow::Borrowed("wire-pedantic"));
    /// The client library as its users use it.
    pub const CLIENT: Lane = Lane(Cow::Borrowed("client"));
    /// nats-py, the Python client.
    pub const NATS_PY: Lane = Lane(Cow::Borrowed("client-nats-py"));
    /// nats.go, the Go client.
    pub const NATS_GO: Lane = Lane(Cow::Borrowed("client-nats-go"));
    /// The wire, where what a pair costs is the question.
    pub const COST: Lane = Lane(Cow::Borrowed("cost"));
    /// The monitor port's `/subsz?test=`.
    pub const SUBSZ: Lane = Lane(Cow::Borrowed("subsz"));
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who answered: what the record and every report say of an oracle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// The address as given on the command line (`process:nats-server@2.15.1`).
    pub address: String,
    /// The implementation (`nats-server`, `reference`).
    pub name: String,
    /// Its version, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its source revision, where it tells one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The route.
    pub lane: Lane,
    /// The dialect it was asked in.
    pub dialect: String,
    /// What a reader must know to judge the answers (`asked under the prefix x7f3.`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(version) = &self.version {
            write!(f, " {version}")?;
        }
        if self.lane != Lane::MEMORY {
            write!(f, " ({})", self.lane)?;
        }
        Ok(())
    }
}

/// What became of one operand.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "outcome", content = "words", rename_all = "kebab-case")]
pub enum Outcome {
    /// Taken without a word, or with an OK.
    #[default]
    Accepted,
    /// The server refused it in these words and kept the connection.
    RefusedOpen(String),
    /// The server closed the connection; its words, empty where it said none.
    RefusedClosed(String),
    /// The client library refused it before the server saw it.
    RefusedClient(String),
    /// This lane cannot carry it, and why.
    Inexpressible(String),
    /// The connection or the server went away before it could be told.
    Lost(String),
    /// This oracle cannot be asked this, and why.
    Unsupported(String),
    /// An exception that is not a refusal (an adapter's `e`), with its text.
    Failed(String),
}

/// An outcome together with "and yet it was delivered", as the `server` column of `validation.csv` has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Accepted.
    Accepted,
    /// Refused, connection open.
    RefusedOpen,
    /// Refused, connection closed.
    RefusedClosed,
    /// Refused by the client library.
    RefusedClient,
    /// Refused in words and delivered all the same.
    RefusedDelivered,
    /// Cannot be put on this lane.
    Inexpressible,
    /// No answer: the connection or server went away.
    Lost,
    /// Not to be asked here.
    Unsupported,
    /// An exception that is not a refusal.
    Failed,
}

impl Fate {
    /// The name in tables and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Fate::Accepted => "accepted",
            Fate::RefusedOpen => "refused-open",
            Fate::RefusedClosed => "refused-closed",
            Fate::RefusedClient => "refused-client",
            Fate::RefusedDelivered => "refused-delivered",
            Fate::Inexpressible => "inexpressible",
            Fate::Lost => "lost",
            Fate::Unsupported => "unsupported",
            Fate::Failed => "failed",
        }
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Outcome {
    /// The fate, given whether a message was delivered in spite of it.
    pub fn fate(&self, delivered: bool) -> Fate {
        match self {
            Outcome::Accepted => Fate::Accepted,
            Outcome::RefusedOpen(_) | Outcome::RefusedClosed(_) if delivered => Fate::RefusedDelivered,
            Outcome::RefusedOpen(_) => Fate::RefusedOpen,
            Outcome::RefusedClosed(_) => Fate::RefusedClosed,
            Outcome::RefusedClient(_) => Fate::RefusedClient,
            Outcome::Inexpressible(_) => Fate::Inexpressible,
            Outcome::Lost(_) => Fate::Lost,
            Outcome::Unsupported(_) => Fate::Unsupported,
            Outcome::Failed(_) => Fate::Failed,
        }
    }

    /// The words that came with it; empty where there were none.
    pub fn words(&self) -> &str {
        match self {
            Outcome::Accepted => "",
            Outcome::RefusedOpen(w)
            | Outcome::RefusedClosed(w)
            | Outcome::RefusedClient(w)
            | Outcome::Inexpressible(w)
            | Outcome::Lost(w)
            | Outcome::Unsupported(w)
            | Outcome::Failed(w) => w,
        }
    }

    /// Somebody looked at it and said no.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Outcome::RefusedOpen(_) | Outcome::RefusedClosed(_) | Outcome::RefusedClient(_))
    }

    /// No verdict can be had from it: lost, unsupported or failed.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Outcome::Lost(_) | Outcome::Unsupported(_) | Outcome::Failed(_))
    }
}

/// What an observation means for a question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Yes.
    True,
    /// No.
    False,
    /// This oracle cannot say.
    Unsupported,
}

impl Verdict {
    /// `true` or `false`; `None` for unsupported.
    pub fn known(self) -> Option<bool> {
        match self {
            Verdict::True => Some(true),
            Verdict::False => Some(false),
            Verdict::Unsupported => None,
        }
    }

    /// The name in tables and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::True => "true",
            Verdict::False => "false",
            Verdict::Unsupported => "unsupported",
        }
    }
}

impl From<bool> for Verdict {
    fn from(value: bool) -> Self {
        if value { Verdict::True } else { Verdict::False }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Who got what: for each subject the indexes of the patterns it reached, ascending, each as often as a copy came.
///
/// Memory is four bytes a match and eight a subject; the pairs that did not match cost nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matches {
    ends: Vec<usize>,
    patterns: Vec<u32>,
}

impl Default for Matches {
    fn default() -> Self {
        Matches::new()
    }
}

impl Matches {
    /// No subject yet.
    pub fn new() -> Matches {
        Matches { ends: Vec::new(), patterns: Vec::new() }
    }

    /// Appends the next subject with the patterns it reached; they are sorted here.
    pub fn push(&mut self, patterns: impl IntoIterator<Item = u32>) {
        let start = self.patterns.len();
        self.patterns.extend(patterns);
        self.patterns[start..].sort_unstable();
        self.ends.push(self.patterns.len());
    }

    /// From unsorted `(subject, pattern)` deliveries for `subjects` subjects.
    pub fn from_deliveries(mut deliveries: Vec<(u32, u32)>, subjects: usize) -> Matches {
        deliveries.sort_unstable();
        let mut matches =
            Matches { ends: Vec::with_capacity(subjects), patterns: Vec::with_capacity(deliveries.len()) };
        let mut next = 0;
        for subject in 0..subjects as u32 {
            while next < deliveries.len() && deliveries[next].0 == subject {
                matches.patterns.push(deliveries[next].1);
                next += 1;
            }
            matches.ends.push(matches.patterns.len());
        }
        matches
    }

    /// How many subjects.
    pub fn subjects(&self) -> usize {
        self.ends.len()
    }

    /// How many deliveries in all.
    pub fn total(&self) -> usize {
        self.patterns.len()
    }

    /// The patterns that subject `subject` reached, ascending.
    pub fn of(&self, subject: usize) -> &[u32] {
        let start = if subject == 0 { 0 } else { self.ends[subject - 1] };
        &self.patterns[start..self.ends[subject]]
    }

    /// Was subject `subject` delivered to pattern `pattern` (at least once)?
    pub fn contains(&self, pattern: usize, subject: usize) -> bool {
        self.of(subject).binary_search(&(pattern as u32)).is_ok()
    }
}

/// What one oracle answered to one grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observations {
    /// What became of each pattern, in the grid's order.
    pub patterns: Vec<Outcome>,
    /// What became of each subject, in the grid's order.
    pub subjects: Vec<Outcome>,
    /// The deliveries.
    pub delivered: Matches,
    /// Single cells without an answer: `(pattern, subject, why)`, e.g. an adapter's time-out or crash.
    pub unknown: Vec<(u32, u32, Outcome)>,
}

impl Observations {
    /// The verdict on one pair: delivered or not, `Unsupported` where the answer was lost or cannot be had.
    /// A refused or inexpressible operand matches nothing, unless it was delivered all the same.
    pub fn verdict(&self, pattern: usize, subject: usize) -> Verdict {
        if self.delivered.contains(pattern, subject) {
            return Verdict::True;
        }
        let cell = self.unknown.iter().any(|(p, s, _)| (*p as usize, *s as usize) == (pattern, subject));
        if cell || self.patterns[pattern].is_unknown() || self.subjects[subject].is_unknown() {
            return Verdict::Unsupported;
        }
        Verdict::False
    }

    /// May this pattern be subscribed to, as far as was seen?
    pub fn pattern_verdict(&self, pattern: usize) -> Verdict {
        Self::accepted(&self.patterns[pattern])
    }

    /// May this subject be published to, as far as was seen?
    pub fn subject_verdict(&self, subject: usize) -> Verdict {
        Self::accepted(&self.subjects[subject])
    }

    fn accepted(outcome: &Outcome) -> Verdict {
        if outcome.is_unknown() { Verdict::Unsupported } else { Verdict::from(*outcome == Outcome::Accepted) }
    }
}
