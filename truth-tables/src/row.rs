//! The rows of every table, one struct a file, fields in the order of the columns.
//!
//! Must never know how a row was found; that is the business of whoever fills it.

use serde::{Deserialize, Serialize};

use crate::{Fate, Lane, Operand};

/// A line of `<dialect>/match.csv`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchRow {
    /// What is subscribed to.
    pub pattern: Operand,
    /// What is published to.
    pub subject: Operand,
    /// What the rules say.
    pub expected: bool,
    /// What the live server did; empty where no server of the dialect was asked.
    pub server: Option<bool>,
    /// What the naive approximation says.
    pub naive: Option<bool>,
    /// The clause that decides.
    pub clause: String,
    /// `seed`, `hand`, `fuzz <seed>`, `certify <scope>`.
    pub source: String,
    /// First server version of which the server column is true; empty: the oldest one asked.
    pub since: String,
    /// Last server version of which it is true; empty: still.
    pub until: String,
    /// One line for the reader.
    pub note: String,
}

/// A line of `<dialect>/validation.csv`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ValidationRow {
    /// `pattern` or `subject`.
    pub operand: OperandKind,
    /// The operand.
    pub text: Operand,
    /// The route.
    pub lane: Lane,
    /// What the live server did; empty where no server was asked.
    pub server: Option<Fate>,
    /// May it be used, by the portable rule?
    pub strict: bool,
    /// The clause that decides.
    pub clause: String,
    /// `seed`, `hand`, `fuzz <seed>`, `certify <scope>`.
    pub source: String,
    /// As in [`MatchRow`].
    pub since: String,
    /// As in [`MatchRow`].
    pub until: String,
    /// One line for the reader.
    pub note: String,
}

/// Which operand a validation row speaks of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OperandKind {
    /// May it be subscribed to.
    Pattern,
    /// May it be published to.
    Subject,
}

/// A line of `<dialect>/relations.csv`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RelationRow {
    /// `subset` or `overlap`.
    pub relation: Relation,
    /// The left pattern.
    pub left: Operand,
    /// The right pattern.
    pub right: Operand,
    /// What the rules say.
    pub expected: bool,
    /// A subject that shows it: in left and not in right (subset false), in both (overlap true); else empty.
    pub witness: Option<Operand>,
    /// The clause that decides.
    pub clause: String,
    /// As in [`MatchRow`].
    pub source: String,
    /// One line for the reader.
    pub note: String,
}

/// A relation between two patterns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// Every subject of left is one of right.
    Subset,
    /// Some subject is in both.
    Overlap,
}

/// A line of `<dialect>/clauses.csv`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Clause {
    /// `<dialect>-<word>`.
    pub id: String,
    /// The rule in one sentence.
    pub statement: String,
    /// Is it documented, measured only, or left open by the documents?
    pub status: ClauseStatus,
    /// Where it stands.
    pub source: String,
}

/// How a clause is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClauseStatus {
    /// The documentation says it.
    Stated,
    /// Only the live broker says it.
    Measured,
    /// The documents leave it open and no broker could be asked.
    Open,
}

/// A line of `causes.csv`: a class of witnesses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cause {
    /// `WC` and three digits; never reused.
    pub code: String,
    /// A short name with hyphens.
    pub name: String,
    /// What the wrong implementation does, in one sentence.
    pub statement: String,
    /// The dialects it speaks of, separated by blanks; `*` for all.
    pub dialect: String,
    /// Which way it is wrong.
    pub direction: Direction,
}

/// Which way a wrong verdict goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Says yes where the rules say no: somebody gets what is not theirs.
    TooMuch,
    /// Says no where the rules say yes: somebody waits for ever.
    TooLittle,
    /// Either, depending on the pair.
    Both,
}

/// A line of `baseline.csv`: a known disagreement. The first four columns are the key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BaselineRow {
    /// The dialect.
    pub dialect: String,
    /// The oracle's name without a version (`naive`, `nats-server`).
    pub oracle: String,
    /// The route.
    pub lane: Lane,
    /// The cause's code.
    pub cause: String,
    /// First version that shows it; empty: the oldest.
    pub since: String,
    /// Last version that shows it; empty: still.
    pub until: String,
    /// Why it is known and left.
    pub reason: String,
}

/// A line of `<dialect>/claims.csv`: one sentence somebody wrote about a backend.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// `<dialect>-claim-<word>`.
    pub id: String,
    /// The sentence, in our words.
    pub claim: String,
    /// Who says so.
    pub source: String,
    /// The route.
    pub lane: Lane,
    /// The probe that can refute it.
    pub probe: String,
    /// What the claim predicts of the probe.
    pub expected: String,
    /// What came out.
    pub verdict: String,
    /// As in [`MatchRow`].
    pub since: String,
    /// As in [`MatchRow`].
    pub until: String,
    /// One line for the reader.
    pub note: String,
}

/// The verdict of a claim that no probe can reach; its note says why.
pub const NOT_TESTABLE: &str = "not-testable";

impl OperandKind {
    /// The name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            OperandKind::Pattern => "pattern",
            OperandKind::Subject => "subject",
        }
    }
}

impl Relation {
    /// The name in tables and as an operation.
    pub fn as_str(self) -> &'static str {
        match self {
            Relation::Subset => "subset",
            Relation::Overlap => "overlap",
        }
    }
}

impl ClauseStatus {
    /// The name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            ClauseStatus::Stated => "stated",
            ClauseStatus::Measured => "measured",
            ClauseStatus::Open => "open",
        }
    }
}

impl Direction {
    /// The name in tables and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Direction::TooMuch => "too-much",
            Direction::TooLittle => "too-little",
            Direction::Both => "both",
        }
    }
}
