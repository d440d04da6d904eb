//! Recordings kept small: the newest of a server stands whole, an older one says what differs and refers to it.
//!
//! Must never let a version say what it was not asked: one that was not asked everything that the newest was stays whole.

use std::collections::BTreeMap;

use crate::{
    Lane, Version,
    observed::{ObservedRow, Recording, Seen},
    table::TableRow,
    tables::DialectTables,
};

impl ObservedRow {
    /// The version whose recording holds for everything that this one does not say, if the line says that.
    pub fn refers_to(&self) -> Option<&str> {
        match &self.seen {
            Seen::As { version } => Some(version),
            _ => None,
        }
    }
}

impl DialectTables {
    /// A recording and those that it refers to, nearest first; empty when there is none.
    pub fn chain(&self, server: &str, version: &str) -> Vec<&Recording> {
        let mut chain: Vec<&Recording> = Vec::new();
        let mut wanted = vec![version];
        while let Some(version) = wanted.pop() {
            if chain.iter().any(|known| known.version == version) {
                continue;
            }
            let Some(recording) = self.recording(server, version) else { continue };
            chain.push(recording);
            wanted.extend(recording.rows.iter().filter_map(ObservedRow::refers_to));
        }
        chain
    }

    /// Every recording of the server said in full, so that one of them can change without the others.
    pub fn expand(&mut self, server: &str) {
        let whole = |recording: &Recording| {
            let mut rows = BTreeMap::new();
            for row in self.chain(server, &recording.version).into_iter().flat_map(|near| &near.rows) {
                if row.refers_to().is_none() {
                    rows.entry(row.key()).or_insert_with(|| row.clone());
                }
            }
            rows.into_values().collect()
        };
        let all: Vec<Option<Vec<ObservedRow>>> =
            self.observed.iter().map(|recording| (recording.server == server).then(|| whole(recording))).collect();
        for (recording, rows) in self.observed.iter_mut().zip(all) {
            if let Some(rows) = rows {
                recording.rows = rows;
            }
        }
    }

    /// The opposite of [`DialectTables::expand`], for recordings that are said in full.
    pub fn compact(&mut self, server: &str) {
        let age = |recording: &&Recording| recording.version.parse::<Version>().ok();
        let of_server = self.observed.iter().filter(|recording| recording.server == server);
        let Some(newest) = of_server.max_by_key(age).cloned() else { return };
        for recording in self.observed.iter_mut().filter(|r| r.server == server && r.version != newest.version) {
            let asked = |row: &ObservedRow| recording.rows.iter().any(|own| own.key() == row.key());
            if newest.rows.iter().all(asked) {
                recording.rows.retain(|row| !newest.rows.contains(row));
                let seen = Seen::As { version: newest.version.clone() };
                recording.merge([ObservedRow { lane: Lane::WIRE, seen }]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operand;

    fn row(pattern: &str, delivered: bool) -> ObservedRow {
        let (pattern, subject) = (Operand::from(pattern), Operand::from("a"));
        ObservedRow { lane: Lane::WIRE, seen: Seen::Match { pattern, subject, delivered } }
    }

    fn recording(version: &str, rows: Vec<ObservedRow>) -> Recording {
        Recording { server: "s".to_owned(), version: version.to_owned(), rows }
    }

    fn tables(observed: Vec<Recording>) -> DialectTables {
        DialectTables { name: "nats".to_owned(), observed, ..DialectTables::default() }
    }

    #[test]
    fn an_older_recording_keeps_what_differs_and_expands_to_the_same() {
        let old = recording("2.9.0", vec![row("*", true), row("a", false)]);
        let new = recording("2.10.0", vec![row("*", true), row("a", true)]);
        let whole = tables(vec![old, new]);
        let mut small = whole.clone();
        small.compact("s");
        assert_eq!(small.observed[0].rows.len(), 2, "what differs, and whom it refers to");
        assert_eq!(small.observed[1], whole.observed[1], "the newest stands whole, as versions go, not as text sorts");
        small.expand("s");
        assert_eq!(small, whole);
    }

    #[test]
    fn what_was_not_asked_of_an_older_version_is_not_said_of_it() {
        let whole = tables(vec![
            recording("2.9.0", vec![row("*", true)]),
            recording("2.10.0", vec![row("*", true), row("a", true)]),
        ]);
        let mut small = whole.clone();
        small.compact("s");
        assert_eq!(small, whole);
    }

    #[test]
    fn an_older_recording_does_not_change_when_the_newest_is_made_again() {
        let old = recording("2.9.0", vec![row("*", true)]);
        let mut all = tables(vec![old.clone(), recording("2.10.0", vec![row("*", true)])]);
        all.compact("s");
        all.expand("s");
        all.observed[1].rows = vec![row("*", false)];
        all.compact("s");
        all.expand("s");
        assert_eq!(all.observed[0], old);
    }
}
