//! What changed from one run to another. Must never report what is the same, and never a cause as gone when the later
//! run was not bound to find it: not finding is no proof.

mod rows;

use serde::Serialize;
use wildcheck_tables::event::WitnessRecord;

pub use self::rows::Flip;
use crate::{
    ReportError, Summary,
    render::told,
    summary::{Drift, Finding, NotRun},
};

/// The changes, worst first.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Difference {
    /// How the runs ended, where one of the two did not get to its end.
    pub ended: Option<Ended>,
    /// Who answered then and now, where that changed.
    pub oracles: Option<(Vec<String>, Vec<String>)>,
    /// Causes that were not there before, or that the baseline knew then and does not know now.
    pub new: Vec<WitnessRecord>,
    /// Causes that are gone; told only of two whole runs of the same command and scope, never of a random search.
    pub vanished: Vec<WitnessRecord>,
    /// Rows that hold no longer, hold again, or were answered otherwise.
    pub rows: Vec<Flip>,
    /// Rows asked then and not now; told only where both runs ask rows.
    pub unasked: Vec<String>,
    /// What holds no longer since.
    pub drift: Vec<Drift>,
    /// What happened on the way, and did not then.
    pub findings: Vec<Finding>,
    /// What was not run, and was then.
    pub not_run: Vec<NotRun>,
    /// Certificates of the same scope, oracle and lane with another digest.
    pub digests: Vec<Digests>,
}

/// One of the runs is not whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ended {
    /// The sentence of the earlier run.
    pub then: String,
    /// The sentence of the later run.
    pub now: String,
    /// The later run is the one that is not whole.
    pub lost: bool,
}

/// Two certificates that should be one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Digests {
    /// Scope, oracle, lane.
    pub of: String,
    /// The digest then, and its disagreements.
    pub then: (String, u64),
    /// The digest now, and its disagreements.
    pub now: (String, u64),
}

impl Difference {
    /// From `old` to `new`.
    ///
    /// # Errors
    /// [`ReportError::Incomparable`] for runs of two dialects.
    pub fn between(old: &Summary, new: &Summary) -> Result<Difference, ReportError> {
        if !old.dialect.is_empty() && !new.dialect.is_empty() && old.dialect != new.dialect {
            return Err(ReportError::Incomparable(old.dialect.clone(), new.dialect.clone()));
        }
        let names = |summary: &Summary| summary.oracles.iter().map(told::asked).collect::<Vec<_>>();
        let (then, now) = (names(old), names(new));
        let (rows, unasked) = rows::between(&old.rows, &new.rows);
        let digests = new.certificates.iter().filter_map(|now| {
            let key = |c: &wildcheck_tables::event::Certificate| {
                (c.scope.clone(), c.oracle.name.clone(), c.oracle.lane.clone())
            };
            let then = old.certificates.iter().find(|then| key(then) == key(now))?;
            (then.digest != now.digest).then(|| Digests {
                of: format!("{} of {} ({})", now.scope, now.oracle.name, now.oracle.lane),
                then: (then.digest.clone(), then.disagreements),
                now: (now.digest.clone(), now.disagreements),
            })
        });
        Ok(Difference {
            ended: (old.is_whole() != new.is_whole()).then(|| Ended {
                then: old.sentence(),
                now: new.sentence(),
                lost: !new.is_whole(),
            }),
            oracles: (then != now).then_some((then, now)),
            new: new.witnesses.iter().filter(|w| is_new(w, &old.witnesses)).cloned().collect(),
            vanished: match binding(old, new) {
                true => old.witnesses.iter().filter(|w| find(w, &new.witnesses).is_none()).cloned().collect(),
                false => Vec::new(),
            },
            rows,
            unasked: if new.rows.is_empty() || !new.is_whole() { Vec::new() } else { unasked },
            drift: only(&new.drift, &old.drift),
            findings: only(&new.findings, &old.findings),
            not_run: only(&new.not_run, &old.not_run),
            digests: digests.collect(),
        })
    }

    /// Nothing changed.
    pub fn is_empty(&self) -> bool {
        *self == Difference::default()
    }

    /// Something that was expected no longer holds: a disagreement that the baseline does not know, a known one that is
    /// gone, a row, a drift, a certificate that is not better than before, or a run that did not get to its end.
    pub fn is_worse(&self) -> bool {
        self.new.iter().any(|w| !w.known)
            || self.vanished.iter().any(|w| w.known)
            || self.rows.iter().any(Flip::is_worse)
            || !self.drift.is_empty()
            || self.digests.iter().any(|digests| digests.now.1 > 0 || digests.then.1 == 0)
            || self.ended.as_ref().is_some_and(|ended| ended.lost)
    }

    /// One change a line; empty when nothing changed.
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        if let Some(Ended { then, now, .. }) = &self.ended {
            lines.extend([format!("ended then: {then}"), format!("ended now:  {now}")]);
        }
        if let Some((then, now)) = &self.oracles {
            lines.extend([format!("asked then: {}", then.join(", ")), format!("asked now:  {}", now.join(", "))]);
        }
        lines.extend(
            self.new.iter().map(|w| format!("{}: {}", if w.known { "new, known" } else { "new" }, told::cause(w))),
        );
        lines.extend(self.vanished.iter().map(|w| format!("gone: {}", told::cause(w))));
        for flip in &self.rows {
            let head = match (flip.held, flip.holds) {
                (true, false) => "holds no longer",
                (false, true) => "holds again",
                _ => "answered otherwise",
            };
            let answers = flip.answers.join("; ");
            let answers = if answers.is_empty() { "the same answers, another expectation" } else { &answers };
            lines.push(format!("{head}: {}: {answers}", flip.row));
        }
        lines.extend(self.unasked.iter().map(|row| format!("not asked any more: {row}")));
        let drift = |d: &Drift| format!("drift: {}: expected {}, seen {}", d.place, d.expected, d.seen);
        lines.extend(self.drift.iter().map(drift));
        lines.extend(self.findings.iter().map(|finding| format!("finding: {}: {}", finding.kind, finding.text)));
        lines.extend(self.not_run.iter().map(|entry| format!("not run: {}: {}", entry.what, entry.why)));
        lines.extend(self.digests.iter().map(|Digests { of, then, now }| {
            format!("digest: {of}: then {} ({} disagreements), now {} ({})", then.0, then.1, now.0, now.1)
        }));
        lines.iter().map(|line| told::plain(line).replace('\n', " ") + "\n").collect()
    }
}

fn find<'a>(witness: &WitnessRecord, among: &'a [WitnessRecord]) -> Option<&'a WitnessRecord> {
    let key = |w: &WitnessRecord| (w.cause.clone(), w.direction, w.alone.clone());
    among.iter().find(|other| key(other) == key(witness))
}

fn is_new(witness: &WitnessRecord, old: &[WitnessRecord]) -> bool {
    find(witness, old).is_none_or(|then| then.known && !witness.known)
}

/// Was the later run bound to find what the earlier one found?
fn binding(old: &Summary, new: &Summary) -> bool {
    let asked = |summary: &Summary| (summary.command.clone(), summary.scope.clone());
    old.is_whole() && new.is_whole() && asked(old) == asked(new) && new.command != "fuzz"
}

fn only<T: Clone + PartialEq>(these: &[T], those: &[T]) -> Vec<T> {
    these.iter().filter(|this| !those.contains(this)).cloned().collect()
}
