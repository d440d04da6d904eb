//! The columns of each table: how a row of [`crate::row`] is read from cells and written to them.
//!
//! Must never check anything across rows; that is the lint's business.

use crate::{
    Operand,
    cell::{operand_cell, write_operand},
    cells::Cells,
    row::{BaselineRow, Cause, Claim, Clause, MatchRow, OperandKind, RelationRow, ValidationRow},
    table::{Cites, TableRow},
    version::Version,
};

/// The start of a range as a key: the open start sorts first.
type Since = Option<Version>;

fn since(text: &str) -> Since {
    text.parse().ok()
}

fn opt(value: Option<bool>) -> String {
    value.map(|v| v.to_string()).unwrap_or_default()
}

/// Keeps what people wrote; takes the new text only where there was none.
fn keep(old: &mut String, new: String) {
    if old.is_empty() {
        *old = new;
    }
}

impl TableRow for MatchRow {
    const COLUMNS: &'static [&'static str] =
        &["pattern", "subject", "expected", "server", "naive", "clause", "source", "since", "until", "note"];
    type Key = (Operand, Operand, Since);

    fn key(&self) -> Self::Key {
        (self.pattern.clone(), self.subject.clone(), since(&self.since))
    }

    fn read(c: &mut Cells<'_>) -> Option<Self> {
        let (pattern, subject) = (c.operand(), c.operand());
        let (expected, server, naive) = (c.boolean(), c.maybe_boolean(), c.maybe_boolean());
        let (clause, source) = (c.word("a clause id"), c.filled("where the row comes from"));
        let (since, until, note) = (c.version(), c.version(), c.text());
        Some(MatchRow {
            pattern: pattern?,
            subject: subject?,
            expected: expected?,
            server: server?,
            naive: naive?,
            clause: clause?,
            source: source?,
            since: since?,
            until: until?,
            note: note?,
        })
    }

    fn write(&self) -> Vec<String> {
        vec![
            operand_cell(&self.pattern),
            operand_cell(&self.subject),
            self.expected.to_string(),
            opt(self.server),
            opt(self.naive),
            self.clause.clone(),
            self.source.clone(),
            self.since.clone(),
            self.until.clone(),
            self.note.clone(),
        ]
    }

    fn refresh(&mut self, fresh: Self) {
        self.expected = fresh.expected;
        self.server = fresh.server.or(self.server);
        self.naive = fresh.naive.or(self.naive);
        keep(&mut self.clause, fresh.clause);
        keep(&mut self.source, fresh.source);
        keep(&mut self.until, fresh.until);
        keep(&mut self.note, fresh.note);
    }

    fn cites(&self) -> Cites<'_> {
        Cites {
            clause: Some(&self.clause),
            source: Some(&self.source),
            lane: None,
            since: &self.since,
            until: &self.until,
        }
    }

    fn question(&self) -> Option<String> {
        Some(format!("{},{}", self.pattern, self.subject))
    }
}

impl TableRow for ValidationRow {
    const COLUMNS: &'static [&'static str] =
        &["operand", "text", "lane", "server", "strict", "clause", "source", "since", "until", "note"];
    type Key = (OperandKind, Operand, String, Since);

    fn key(&self) -> Self::Key {
        (self.operand, self.text.clone(), self.lane.to_string(), since(&self.since))
    }

    fn read(c: &mut Cells<'_>) -> Option<Self> {
        let (operand, text, lane) = (c.operand_kind(), c.operand(), c.lane());
        let (server, strict) = (c.maybe_fate(), c.boolean());
        let (clause, source) = (c.word("a clause id"), c.filled("where the row comes from"));
        let (since, until, note) = (c.version(), c.version(), c.text());
        Some(ValidationRow {
            operand: operand?,
            text: text?,
            lane: lane?,
            server: server?,
            strict: strict?,
            clause: clause?,
            source: source?,
            since: since?,
            until: until?,
            note: note?,
        })
    }

    fn write(&self) -> Vec<String> {
        vec![
            self.operand.as_str().to_owned(),
            operand_cell(&self.text),
            self.lane.to_string(),
            self.server.map(|fate| fate.to_string()).unwrap_or_default(),
            self.strict.to_string(),
            self.clause.clone(),
            self.source.clone(),
            self.since.clone(),
            self.until.clone(),
            self.note.clone(),
        ]
    }

    fn refresh(&mut self, fresh: Self) {
        self.server = fresh.server.or(self.server);
        self.strict = fresh.strict;
        keep(&mut self.clause, fresh.clause);
        keep(&mut self.source, fresh.source);
        keep(&mut self.until, fresh.until);
        keep(&mut self.note, fresh.note);
    }

    fn cites(&self) -> Cites<'_> {
        Cites {
            clause: Some(&self.clause),
            source: Some(&self.source),
            lane: Some(&self.lane),
            since: &self.since,
            until: &self.until,
        }
    }

    fn question(&self) -> Option<String> {
        Some(format!("{},{},{}", self.operand.as_str(), self.text, self.lane))
    }
}

impl TableRow for RelationRow {
    const COLUMNS: &'static [&'static str] =
        &["relation", "left", "right", "expected", "witness", "clause", "source", "note"];
    type Key = (&'static str, Operand, Operand);

    fn key(&self) -> Self::Key {
        (self.relation.as_str(), self.left.clone(), self.right.clone())
    }

    fn read(c: &mut Cells<'_>) -> Option<Self> {
        let (relation, left, right) = (c.relation(), c.operand(), c.operand());
        let (expected, witness) = (c.boolean(), c.maybe_operand());
        let (clause, source, note) = (c.word("a clause id"), c.filled("where the row comes from"), c.text());
        Some(RelationRow {
            relation: relation?,
            left: left?,
            right: right?,
            expected: expected?,
            witness: witness?,
            clause: clause?,
            source: source?,
            note: note?,
        })
    }

    fn write(&self) -> Vec<String> {
        vec![
            self.relation.as_str().to_owned(),
            operand_cell(&self.left),
            operand_cell(&self.right),
            self.expected.to_string(),
            write_operand(self.witness.as_ref()),
            self.clause.clone(),
            self.source.clone(),
            self.note.clone(),
        ]
    }

    fn refresh(&mut self, fresh: Self) {
        self.expected = fresh.expected;
        self.witness = fresh.witness;
        keep(&mut self.clause, fresh.clause);
        keep(&mut self.source, fresh.source);
        keep(&mut self.note, fresh.note);
    }

    fn cites(&self) -> Cites<'_> {
        Cites { clause: Some(&self.clause), source: Some(&self.source), ..Cites::default() }
    }
}

impl TableRow for Clause {
    const COLUMNS: &'static [&'static str] = &["id", "statement", "status", "source"];
    type Key = String;

    fn key(&self) -> Self::Key {
        self.id.clone()
    }

    fn read(c: &mut Cells<'_>) -> Option<Self> {
        let (id, statement) = (c.word("an id such as nats-star"), c.filled("one sentence"));
        let (status, source) = (c.status(), c.filled("where it stands"));
        Some(Clause { id: id?, statement: statement?, status: status?, source: source? })
    }

    fn write(&self) -> Vec<String> {
        vec![self.id.clone(), self.statement.clone(), self.status.as_str().to_owned(), self.source.clone()]
    }

    /// Clauses are written by people: nothing is taken.
    fn refresh(&mut self, _fresh: Self) {}

    fn cites(&self) -> Cites<'_> {
        Cites::default()
    }
}

impl TableRow for Claim {
    const COLUMNS: &'static [&'static str] =
        &["id", "claim", "source", "lane", "probe", "expected", "verdict", "since", "until", "note"];
    type Key = (String, String, Since);

    fn key(&self) -> Self::Key {
        (self.id.clone(), self.lane.to_string(), since(&self.since))
    }

    fn read(c: &mut Cells<'_>) -> Option<Self> {
        let (id, claim, source) = (c.word("an id"), c.filled("one sentence"), c.filled("who says so"));
        let (lane, probe, expected, verdict) = (c.lane(), c.text(), c.text(), c.text());
        let (since, until, note) = (c.version(), c.version(), c.text());
        Some(Claim {
            id: id?,
            claim: claim?,
            source: source?,
            lane: lane?,
            probe: probe?,
            expected: expected?,
            verdict: verdict?,
            since: since?,
            until: until?,
            note: note?,
        })
    }

    fn write(&self) -> Vec<String> {
        vec![
            self.id.clone(),
            self.claim.clone(),
            self.source.clone(),
            self.lane.to_string(),
            self.probe.clone(),
            self.expected.clone(),
            self.verdict.clone(),
            self.since.clone(),
            self.until.clone(),
            self.note.clone(),
        ]
    }

    fn refresh(&mut self, fresh: Self) {
        self.verdict = fresh.verdict;
        self.until = fresh.until;
        keep(&mut self.note, fresh.note);
    }

    /// A claim's source is free text, so it is not told here.
    fn cites(&self) -> Cites<'_> {
        Cites { lane: Some(&self.lane), since: &self.since, until: &self.until, ..Cites::default() }
    }
}

impl TableRow for Cause {
    const COLUMNS: &'static [&'static str] = &["code", "name", "statement", "dialect", "direction"];
    type Key = String;

    fn key(&self) -> Self::Key {
        self.code.clone()
    }

    fn read(c: &mut Cells<'_>) -> Option<Self> {
        let code = c.one_of("WC and three digits", |text| {
            let digits = text.strip_prefix("WC")?;
            (digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit())).then(|| text.to_owned())
        });
        let (name, statement) = (c.word("a name with hyphens"), c.filled("one sentence"));
        let (dialect, direction) = (c.filled("dialects separated by blanks, or *"), c.direction());
        Some(Cause { code: code?, name: name?, statement: statement?, dialect: dialect?, direction: direction? })
    }

    fn write(&self) -> Vec<String> {
        vec![
            self.code.clone(),
            self.name.clone(),
            self.statement.clone(),
            self.dialect.clone(),
            self.direction.as_str().to_owned(),
        ]
    }

    /// Causes are written by people: nothing is taken.
    fn refresh(&mut self, _fresh: Self) {}

    fn cites(&self) -> Cites<'_> {
        Cites::default()
    }
}

impl TableRow for BaselineRow {
    const COLUMNS: &'static [&'static str] = &["dialect", "oracle", "lane", "cause", "since", "until", "reason"];
    type Key = (String, String, String, String);

    fn key(&self) -> Self::Key {
        (self.dialect.clone(), self.oracle.clone(), self.lane.to_string(), self.cause.clone())
    }

    fn read(c: &mut Cells<'_>) -> Option<Self> {
        let (dialect, oracle) = (c.filled("a dialect"), c.filled("an oracle's name without a version"));
        let (lane, cause) = (c.lane(), c.filled("a cause's code"));
        let (since, until, reason) = (c.version(), c.version(), c.filled("why it is known and left"));
        Some(BaselineRow {
            dialect: dialect?,
            oracle: oracle?,
            lane: lane?,
            cause: cause?,
            since: since?,
            until: until?,
            reason: reason?,
        })
    }

    fn write(&self) -> Vec<String> {
        vec![
            self.dialect.clone(),
            self.oracle.clone(),
            self.lane.to_string(),
            self.cause.clone(),
            self.since.clone(),
            self.until.clone(),
            self.reason.clone(),
        ]
    }

    fn refresh(&mut self, fresh: Self) {
        self.since = fresh.since;
        self.until = fresh.until;
        keep(&mut self.reason, fresh.reason);
    }

    fn cites(&self) -> Cites<'_> {
        Cites { lane: Some(&self.lane), since: &self.since, until: &self.until, ..Cites::default() }
    }
}
