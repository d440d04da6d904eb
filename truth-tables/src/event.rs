//! A run's record: JSON Lines, one [`RunEvent`] a line. Everything a report needs, nothing a terminal prints.
//!
//! Must never be written out of order or held back: a line is on disk when the next step starts.

use std::io::BufRead;

use serde::{Deserialize, Serialize};

use crate::{Identity, Lane, Operand, Outcome, RefereeRecord, TablesError, Verdict, row::Direction};

/// The version of this format; a reader refuses a greater one.
pub const SCHEMA: u32 = 1;

/// One line of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum RunEvent {
    /// First line: what was run, of whom, from which seed.
    Started {
        /// [`SCHEMA`].
        schema: u32,
        /// wildcheck's version.
        wildcheck: String,
        /// The command (`run`, `certify`, `fuzz`, …).
        command: String,
        /// Its arguments as typed.
        arguments: Vec<String>,
        /// The dialect.
        dialect: String,
        /// The seed of everything random.
        seed: u64,
        /// What is asked, in words (`tokens a,b,ab; depth 5`).
        scope: String,
        /// Who is asked: the reference first, then the oracle under test, then the naive approximation.
        oracles: Vec<Identity>,
        /// An outside program is audited: the piles that fail the run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fail_on: Option<Vec<Pile>>,
        /// UTC, RFC 3339.
        at: String,
    },
    /// The planted bug: which wrong matcher, and the pair that gave it away.
    SelfCheck {
        /// The cause code of the planted matcher.
        cause: String,
        /// Its name.
        name: String,
        /// Was it found?
        caught: bool,
        /// The pair it was found by.
        witness: Option<(Operand, Operand)>,
    },
    /// A table row was asked.
    Row(RowResult),
    /// A grid was asked and compared.
    Grid {
        /// How many patterns.
        patterns: u64,
        /// How many subjects.
        subjects: u64,
        /// How many pairs.
        pairs: u64,
        /// How many deliveries the oracle under test showed.
        matches: u64,
        /// Disagreements of the oracle under test with the reference.
        disagreements: u64,
    },
    /// A disagreement, shrunk and named. A later line with the same cause, direction and `alone` replaces an earlier
    /// one: a search writes a witness when it is found and again when its count is final.
    Witness(WitnessRecord),
    /// A referee was asked about the witnesses of an outside program.
    Referee(RefereeRecord),
    /// Something expected no longer holds.
    Drift {
        /// A table file, a claim, a baseline entry.
        place: String,
        /// What was expected.
        expected: String,
        /// What was seen.
        seen: String,
    },
    /// A claim was asked by one lane.
    Claim(ClaimResult),
    /// A server died, an adapter crashed, a limit was hit: worth telling, not a verdict.
    Finding {
        /// A short name (`server-died-twice`).
        kind: String,
        /// What happened.
        text: String,
        /// Where the last grid was kept, if it was.
        kept: Option<String>,
    },
    /// Something that was not run, by name, and why.
    NotRun {
        /// What (`image lane`).
        what: String,
        /// Why.
        why: String,
    },
    /// A whole scope was asked: what it covers.
    Certificate(Certificate),
    /// Last line. Its absence says that the run was cut off.
    Finished {
        /// The process's exit code.
        exit: u8,
        /// What the code means, one sentence.
        meaning: String,
        /// Pairs asked of the oracle under test.
        pairs: u64,
        /// Disagreements of the oracle under test, before shrinking.
        disagreements: u64,
        /// Seconds from the first line.
        seconds: f64,
    },
}

impl RunEvent {
    /// The kinds of event of this [`SCHEMA`], as in the field `event`.
    pub const KINDS: [&'static str; 12] = [
        "started",
        "self-check",
        "row",
        "grid",
        "witness",
        "referee",
        "drift",
        "claim",
        "finding",
        "not-run",
        "certificate",
        "finished",
    ];

    /// The field `event` of its line.
    pub fn kind(&self) -> &'static str {
        match self {
            RunEvent::Started { .. } => "started",
            RunEvent::SelfCheck { .. } => "self-check",
            RunEvent::Row(_) => "row",
            RunEvent::Grid { .. } => "grid",
            RunEvent::Witness(_) => "witness",
            RunEvent::Referee(_) => "referee",
            RunEvent::Drift { .. } => "drift",
            RunEvent::Claim(_) => "claim",
            RunEvent::Finding { .. } => "finding",
            RunEvent::NotRun { .. } => "not-run",
            RunEvent::Certificate(_) => "certificate",
            RunEvent::Finished { .. } => "finished",
        }
    }
}

/// What the three ways said about one table row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RowResult {
    /// The table (`nats/match.csv`).
    pub table: String,
    /// The line in the file, counted from 1 with the header.
    pub line: u64,
    /// What was asked: `match`, `valid-pattern`, `valid-subject`, `subset`, `overlap`.
    pub operation: String,
    /// The pattern, or the only operand.
    pub left: Operand,
    /// The subject, or nothing.
    pub right: Option<Operand>,
    /// What the table expects (`true`, `refused-open`).
    pub expected: String,
    /// Each oracle's answer.
    pub answers: Vec<Answer>,
    /// The clause.
    pub clause: String,
    /// Do the reference and the oracle under test answer as the row says?
    pub holds: bool,
    /// Of an outside program: the pile that a row that does not hold belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pile: Option<Pile>,
}

/// One oracle's answer in a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The oracle's name (`reference`, `nats-server`, `naive`).
    pub oracle: String,
    /// The route.
    pub lane: Lane,
    /// What it means for the question.
    pub verdict: Verdict,
    /// What became of the pattern, where a live oracle was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Outcome>,
    /// What became of the subject, where a live oracle was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Outcome>,
    /// Did a message arrive, where that is not the question (`valid-subject`: refused in words and delivered all the
    /// same)?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered: Option<bool>,
}

/// The three kinds of wrong, never mixed in a report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pile {
    /// Wrong on legal input.
    #[default]
    Legal,
    /// Accepts illegal input.
    Illegal,
    /// Too slow, too deep, too long.
    Limits,
}

impl Pile {
    /// The piles in the order of a report.
    pub const ALL: [Pile; 3] = [Pile::Legal, Pile::Illegal, Pile::Limits];

    /// The name in records and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Pile::Legal => "legal",
            Pile::Illegal => "illegal",
            Pile::Limits => "limits",
        }
    }

    /// What it means, as a heading.
    pub fn heading(self) -> &'static str {
        match self {
            Pile::Legal => "wrong on legal input",
            Pile::Illegal => "accepts illegal input",
            Pile::Limits => "limits",
        }
    }
}

/// A minimal disagreement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WitnessRecord {
    /// The cause's code.
    pub cause: String,
    /// The cause's name.
    pub name: String,
    /// The cause's sentence.
    pub statement: String,
    /// Which way the one under test is wrong.
    pub direction: Direction,
    /// The smallest pattern.
    pub pattern: Operand,
    /// The smallest subject.
    pub subject: Operand,
    /// The pair it was shrunk from.
    pub found: (Operand, Operand),
    /// Reference, server, naive, in that order, as far as asked.
    pub answers: Vec<Answer>,
    /// Who stands alone (`naive`, `nats-server`, `reference`).
    pub alone: String,
    /// The clause that decides the pair.
    pub clause: String,
    /// How many disagreements of this run have this cause.
    pub count: u64,
    /// In the baseline already?
    pub known: bool,
    /// Which kind of wrong.
    #[serde(default)]
    pub pile: Pile,
    /// A line for a POSIX shell that shows it on a real server; empty where there is none.
    pub shell: String,
}

/// What a server says to a claim, by one lane.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClaimResult {
    /// Its id.
    pub id: String,
    /// The sentence.
    pub claim: String,
    /// Where it stands.
    pub source: String,
    /// The lane.
    pub lane: Lane,
    /// `confirmed`, `refuted`, `not-testable`.
    pub verdict: String,
    /// What was seen instead, or why nothing was; empty where it is confirmed.
    pub seen: String,
    /// The verdict in the table; empty for a new claim.
    pub recorded: String,
    /// Of which versions the table has which verdict, where it depends on them; else empty.
    pub ranges: String,
    /// All lanes together: `confirmed`, `refuted`, `lane-dependent`, `version-dependent`, `not-testable`.
    pub overall: String,
}

/// What a certify covered, and the digest of what it saw.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// The scope in words.
    pub scope: String,
    /// Patterns enumerated.
    pub patterns: u64,
    /// Subjects enumerated.
    pub subjects: u64,
    /// Pairs asked.
    pub pairs: u64,
    /// Deliveries seen.
    pub matches: u64,
    /// Disagreements between the reference and the oracle under test.
    pub disagreements: u64,
    /// Pairs that stand for others by renaming of literals; 0 unless canonical.
    pub covers: u64,
    /// Who answered.
    pub oracle: Identity,
    /// SHA-256 (hex) over the verdicts in enumeration order.
    pub digest: String,
    /// What the certificate does not cover, one sentence each.
    pub limits: Vec<String>,
}

/// A record read back.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EventLog {
    /// The events, in order.
    pub events: Vec<RunEvent>,
    /// The run did not end in good order: the last line is torn or there is no [`RunEvent::Finished`].
    pub cut_off: bool,
    /// Lines of a kind that this reader does not know: a later wildcheck wrote them in the same format.
    pub skipped: u64,
}

/// Reads a record to its end. A last line without a line feed that is not a whole event is a run that was cut off;
/// an event of an unknown kind is counted and passed over.
///
/// # Errors
/// [`TablesError::Record`] when reading fails, [`TablesError::Schema`] for a later format, [`TablesError::Event`] for a
/// line that is not an event.
pub fn read_events(mut input: impl BufRead) -> Result<EventLog, TablesError> {
    let mut log = EventLog::default();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(TablesError::Record)? == 0 {
            break;
        }
        let whole = line.last() == Some(&b'\n');
        match read_event(&line) {
            Ok(event) => log.events.push(event),
            Err(Refused::Kind) => log.skipped += 1,
            Err(Refused::Schema(found)) => return Err(TablesError::Schema { found, known: SCHEMA }),
            Err(Refused::Json(error)) if whole => {
                return Err(TablesError::Event { line: number, why: error.to_string() });
            }
            Err(Refused::Json(_)) => break,
        }
    }
    log.cut_off = !matches!(log.events.last(), Some(RunEvent::Finished { .. }));
    Ok(log)
}

enum Refused {
    Schema(u64),
    Kind,
    Json(serde_json::Error),
}

/// A later format may have events and fields that we do not know, so its number is looked at first.
fn read_event(line: &[u8]) -> Result<RunEvent, Refused> {
    #[derive(Deserialize)]
    struct Head {
        event: String,
        schema: Option<u64>,
    }
    match serde_json::from_slice::<Head>(line) {
        Ok(Head { schema: Some(found), .. }) if found > u64::from(SCHEMA) => return Err(Refused::Schema(found)),
        Ok(Head { event, .. }) if !RunEvent::KINDS.contains(&event.as_str()) => return Err(Refused::Kind),
        _ => {}
    }
    serde_json::from_slice(line).map_err(Refused::Json)
}
