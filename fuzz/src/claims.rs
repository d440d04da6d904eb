//! Claims put to a live server: each probe run, what was seen held against what the claim predicts.
//!
//! Must never read a verdict from the table: what is recorded there is compared with what was found, by the caller.

use std::path::Path;

use wildcheck_matcher::Dialect;
use wildcheck_oracle::{Interrupt, Oracle, OracleError, probe};
use wildcheck_tables::{
    Grid, Operand, Outcome, Verdict, Version, in_range,
    probe::{
        Expectation, Probe, ProbeError,
        pair::{Expected, Pair},
    },
    row::{Claim, NOT_TESTABLE},
};

use crate::rows::{self, Seen};

/// What a server says to a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// Every condition held.
    Confirmed,
    /// Some did not; what was seen instead.
    Refuted(String),
    /// Nobody can be asked, and why.
    NotTestable(String),
}

/// A claim with what was found.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The row.
    pub claim: Claim,
    /// What the server says.
    pub found: Found,
    /// Both ways, line by line; empty where nothing ran.
    pub transcript: Vec<String>,
}

/// All rows of one claim's id: the answer to "is the sentence true?".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overall {
    /// Confirmed by every lane that was asked.
    Confirmed,
    /// Refuted by every lane that was asked.
    Refuted,
    /// Confirmed by one, refuted by another.
    LaneDependent,
    /// The table records different verdicts for different versions, on one lane.
    VersionDependent,
    /// No lane could be asked.
    NotTestable,
}

impl Found {
    /// The word in the `verdict` column.
    pub fn word(&self) -> &'static str {
        match self {
            Found::Confirmed => "confirmed",
            Found::Refuted(_) => "refuted",
            Found::NotTestable(_) => NOT_TESTABLE,
        }
    }

    /// What was seen instead, or why nothing was.
    pub fn instead(&self) -> &str {
        match self {
            Found::Confirmed => "",
            Found::Refuted(text) | Found::NotTestable(text) => text,
        }
    }
}

impl Overall {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Overall::Confirmed => "confirmed",
            Overall::Refuted => "refuted",
            Overall::LaneDependent => "lane-dependent",
            Overall::VersionDependent => "version-dependent",
            Overall::NotTestable => NOT_TESTABLE,
        }
    }
}

impl Audited {
    /// The recorded verdict is another one. A claim without a recorded verdict is new, not drifting.
    pub fn drifted(&self) -> bool {
        !self.claim.verdict.is_empty() && self.claim.verdict != self.found.word()
    }
}

/// Asks one claim of a fresh server of that program.
///
/// # Errors
/// The server cannot be started or was lost, or the run was interrupted.
pub fn ask(claim: &Claim, binary: &Path, interrupt: &Interrupt) -> Result<Audited, OracleError> {
    let done = |found, transcript| Ok(Audited { claim: claim.clone(), found, transcript });
    if claim.probe.is_empty() {
        return done(Found::NotTestable(claim.note.clone()), Vec::new());
    }
    let read = Probe::parse(&claim.probe)
        .and_then(|probe| Expectation::parse(&claim.expected, &probe).map(|expectation| (probe, expectation)));
    let (probe, expectation) = match read {
        Ok(read) => read,
        // Lint has told it already where the tables were read; a claim from elsewhere says it here.
        Err(error) => return done(Found::NotTestable(error.to_string()), Vec::new()),
    };
    match probe::run(binary, &claim.lane, &probe, interrupt) {
        Ok(ran) => {
            let failed = expectation.failed(&ran.seen);
            let found = if failed.is_empty() {
                Found::Confirmed
            } else {
                Found::Refuted(failed.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
            };
            done(found, ran.transcript)
        }
        Err(OracleError::Unsupported { why, .. }) => done(Found::NotTestable(why), Vec::new()),
        Err(error) => Err(error),
    }
}

/// Asks claims whose probes are pairs, all of them in two grids, of a broker that runs.
///
/// # Errors
/// The oracle was lost, or the run was interrupted.
pub fn ask_pairs(
    dialect: &'static dyn Dialect,
    claims: &[Claim],
    oracle: &mut dyn Oracle,
) -> Result<Vec<Audited>, OracleError> {
    let read = |claim: &Claim| {
        Pair::parse(&claim.probe)
            .and_then(|pair| Expected::parse(&claim.expected, &pair).map(|expected| (pair, expected)))
    };
    let probes: Vec<_> = claims.iter().map(read).collect();
    let pairs = || probes.iter().flatten().map(|(pair, _)| pair);
    let asked: Vec<(&Operand, &Operand)> =
        pairs().filter_map(|pair| Some((&pair.pattern, pair.subject.as_ref()?))).collect();
    let mut seen = rows::ask_pairs(dialect, &asked, oracle)?.into_iter();
    let alone: Vec<Operand> = pairs().filter(|pair| pair.subject.is_none()).map(|pair| pair.pattern.clone()).collect();
    let grid = Grid { dialect: dialect.name(), patterns: alone, subjects: Vec::new() };
    let mut fates = oracle.observe(&grid)?.patterns.into_iter();
    let answer = |(claim, probe): (&Claim, &Result<(Pair, Expected), ProbeError>)| {
        let told = |found, transcript| Audited { claim: claim.clone(), found, transcript };
        let (pair, expected) = match probe {
            Ok(read) => read,
            Err(error) => return told(Found::NotTestable(error.to_string()), Vec::new()),
        };
        let seen = match pair.subject {
            Some(_) => seen.next(),
            None => fates.next().map(|pattern| Seen { verdict: false.into(), pattern, subject: Outcome::Accepted }),
        };
        let Some(seen) = seen else { return told(Found::NotTestable("no answer".to_owned()), Vec::new()) };
        let mut transcript = vec![format!("sub {:?}: {}", pair.pattern, of(&seen.pattern))];
        if let Some(subject) = &pair.subject {
            transcript.push(format!("pub {subject:?}: {}; delivered: {}", of(&seen.subject), seen.verdict));
        }
        let unknown = [&seen.pattern, &seen.subject].into_iter().find(|outcome| outcome.is_unknown());
        let found = match (unknown, expected.instead(&seen.pattern, &seen.subject, seen.verdict == Verdict::True)) {
            (Some(outcome), _) => Found::NotTestable(outcome.words().to_owned()),
            (None, None) => Found::Confirmed,
            (None, Some(instead)) => Found::Refuted(instead),
        };
        told(found, transcript)
    };
    Ok(claims.iter().zip(&probes).map(answer).collect())
}

fn of(outcome: &Outcome) -> String {
    match outcome.words() {
        "" => outcome.fate(false).to_string(),
        words => format!("{} ({words})", outcome.fate(false)),
    }
}

/// The rows that speak of that version.
pub fn of_version<'a>(claims: &'a [Claim], version: &str) -> Vec<&'a Claim> {
    claims.iter().filter(|claim| in_range(&claim.since, &claim.until, version)).collect()
}

/// Of which versions the table has which verdict, for a claim whose answer depends on them:
/// `wire: refuted until 2.10.26, confirmed since 2.11.0`. Empty for every other.
pub fn ranges(rows: &[&Audited], recorded: &[Claim]) -> String {
    if overall(rows, recorded) != Overall::VersionDependent {
        return String::new();
    }
    let of_lane = |row: &&Audited| {
        let same = |claim: &&Claim| claim.id == row.claim.id && claim.lane == row.claim.lane;
        let mut ranges: Vec<&Claim> = recorded.iter().filter(same).collect();
        // An open start comes first.
        ranges.sort_by_key(|claim| claim.since.parse::<Version>().ok());
        let told: Vec<String> = ranges.into_iter().map(range).collect();
        format!("{}: {}", row.claim.lane, told.join(", "))
    };
    rows.iter().map(of_lane).collect::<Vec<_>>().join("; ")
}

fn range(claim: &Claim) -> String {
    let verdict = &claim.verdict;
    match (claim.since.as_str(), claim.until.as_str()) {
        ("", "") => verdict.clone(),
        ("", until) => format!("{verdict} until {until}"),
        (since, "") => format!("{verdict} since {since}"),
        (since, until) => format!("{verdict} {since} - {until}"),
    }
}

/// The answer to one id from its audited rows and from all its rows in the table.
pub fn overall(rows: &[&Audited], recorded: &[Claim]) -> Overall {
    let versions = rows.iter().any(|row| {
        let of_row = |claim: &&Claim| claim.id == row.claim.id && claim.lane == row.claim.lane;
        recorded.iter().filter(of_row).any(|claim| {
            !claim.verdict.is_empty() && !row.claim.verdict.is_empty() && claim.verdict != row.claim.verdict
        })
    });
    let confirmed = rows.iter().any(|row| row.found == Found::Confirmed);
    let refuted = rows.iter().any(|row| matches!(row.found, Found::Refuted(_)));
    match (confirmed, refuted) {
        _ if versions => Overall::VersionDependent,
        (true, true) => Overall::LaneDependent,
        (true, false) => Overall::Confirmed,
        (false, true) => Overall::Refuted,
        (false, false) => Overall::NotTestable,
    }
}
