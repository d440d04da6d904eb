//! What changed from one run to another. Must never report what is the same, and never a vanished cause of a random
//! search: not finding is not proof.

use serde::Serialize;
use wildcheck_tables::event::WitnessRecord;

use crate::{Summary, render::told_pair};

/// The changes, oldest kind of news first.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Difference {
    /// Who answered then and now, where that changed.
    pub oracles: Option<(Vec<String>, Vec<String>)>,
    /// Causes that were not there before.
    pub new: Vec<WitnessRecord>,
    /// Causes that are gone; empty when one of the two was a random search or was cut off.
    pub vanished: Vec<WitnessRecord>,
    /// Rows that held and do not any more, or the other way round, or were answered otherwise: question, then, now.
    pub rows: Vec<(String, String, String)>,
    /// Certificates of the same scope and lane with another digest: scope, then, now.
    pub digests: Vec<(String, String, String)>,
}

impl Difference {
    /// From `old` to `new`.
    pub fn between(old: &Summary, new: &Summary) -> Difference {
        let names = |summary: &Summary| summary.oracles.iter().map(ToString::to_string).collect::<Vec<_>>();
        let key = |w: &WitnessRecord| (w.cause.clone(), w.direction, w.alone.clone());
        let only = |these: &Summary, those: &Summary| -> Vec<WitnessRecord> {
            let missing = |w: &&WitnessRecord| !those.witnesses.iter().any(|other| key(other) == key(w));
            these.witnesses.iter().filter(missing).cloned().collect()
        };
        let sure = [old, new].iter().all(|summary| summary.command != "fuzz" && summary.exit.is_some());
        let mut rows = Vec::new();
        for row in &new.rows {
            let question = |r: &wildcheck_tables::event::RowResult| {
                (r.table.clone(), r.operation.clone(), r.left.clone(), r.right.clone())
            };
            let Some(before) = old.rows.iter().find(|other| question(other) == question(row)) else { continue };
            let (then, now) = (told_pair(before), told_pair(row));
            if then.1 != now.1 {
                rows.push((now.0, then.1, now.1));
            }
        }
        let digests = new.certificates.iter().filter_map(|now| {
            let same = |then: &&wildcheck_tables::event::Certificate| {
                (&then.scope, &then.oracle.name, &then.oracle.lane) == (&now.scope, &now.oracle.name, &now.oracle.lane)
            };
            let then = old.certificates.iter().find(same)?;
            (then.digest != now.digest).then(|| (now.scope.clone(), then.digest.clone(), now.digest.clone()))
        });
        let (then, now) = (names(old), names(new));
        Difference {
            oracles: (then != now).then_some((then, now)),
            new: only(new, old),
            vanished: if sure { only(old, new) } else { Vec::new() },
            rows,
            digests: digests.collect(),
        }
    }

    /// Nothing changed but who answered.
    pub fn is_empty(&self) -> bool {
        self.new.is_empty() && self.vanished.is_empty() && self.rows.is_empty() && self.digests.is_empty()
    }

    /// One change a line; empty when nothing changed.
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        if self.is_empty() {
            return String::new();
        }
        if let Some((then, now)) = &self.oracles {
            lines.push(format!("asked then: {}", then.join(", ")));
            lines.push(format!("asked now:  {}", now.join(", ")));
        }
        let told = |w: &WitnessRecord| {
            format!("{} {}: {} on pattern {:?} subject {:?}", w.cause, w.name, w.alone, w.pattern, w.subject)
        };
        lines.extend(self.new.iter().map(|w| format!("new: {}", told(w))));
        lines.extend(self.vanished.iter().map(|w| format!("gone: {}", told(w))));
        lines.extend(self.rows.iter().map(|(row, then, now)| format!("{row}: then {then}; now {now}")));
        lines.extend(self.digests.iter().map(|(scope, then, now)| format!("{scope}: digest then {then}, now {now}")));
        lines.join("\n") + "\n"
    }
}
