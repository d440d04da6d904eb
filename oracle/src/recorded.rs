//! `recorded:` what a server was seen to do earlier, from `truth-tables/<dialect>/observed/`. No server needed.
//!
//! Must never conclude: a pair that was not recorded is unsupported, also where it seems to follow from others.

use std::collections::{BTreeSet, HashMap, HashSet};

use wildcheck_tables::{Grid, Identity, Lane, Matches, Observations, Operand, Outcome, Seen, Tables};

use crate::{Options, Oracle, OracleError, RecordedScope};

/// A recording as an oracle, of one lane.
pub struct Recorded {
    identity: Identity,
    pairs: HashMap<(Operand, Operand), bool>,
    /// Operands that stand in some recorded pair.
    paired: [HashSet<Operand>; 2],
    patterns: HashMap<Operand, Outcome>,
    subjects: HashMap<Operand, Outcome>,
    /// The pattern that reaches every subject: by it "refused and delivered" was seen.
    many: Option<Operand>,
    scopes: HashMap<String, RecordedScope>,
    answered: u64,
    asked: u64,
}

impl Recorded {
    /// The recording of that server and version.
    ///
    /// # Errors
    /// [`OracleError::Unavailable`] when there is none, with those that there are; [`OracleError::Unsupported`] when
    /// the lane was not recorded.
    pub fn open(program: &str, version: &str, options: &Options) -> Result<Recorded, OracleError> {
        let address = format!("recorded:{program}@{version}");
        let unavailable = |why: String, how: String| OracleError::Unavailable { what: address.clone(), why, how };
        let tables = match &options.tables {
            Some(dir) => Tables::load(dir),
            None => Tables::embedded(),
        };
        let tables = tables.map_err(|error| {
            unavailable(format!("the tables cannot be read: {error}"), "mend them (`wildcheck lint`)".to_owned())
        })?;
        let dialect = options.dialect.name();
        let of_dialect = tables.dialects.iter().find(|tables| tables.name == dialect);
        let Some(recordings) = of_dialect.map(|tables| tables.chain(program, version)).filter(|all| !all.is_empty())
        else {
            let known: Vec<String> = of_dialect
                .into_iter()
                .flat_map(|tables| &tables.observed)
                .map(|recording| format!("recorded:{}@{}", recording.server, recording.version))
                .collect();
            let known = if known.is_empty() { "nothing".to_owned() } else { known.join(", ") };
            return Err(unavailable(
                format!("there is no such recording for {dialect}"),
                format!("recorded is {known}; `wildcheck regen --oracle process:{program}@{version}` makes one"),
            ));
        };
        let lane = options.lane.clone().unwrap_or(Lane::WIRE);
        let mut remarks = vec!["answers what was recorded, not a server".to_owned()];
        remarks
            .extend(recordings.iter().skip(1).map(|other| format!("what it does not say is as in {}", other.version)));
        let mut recorded = Recorded {
            identity: Identity {
                address,
                name: program.to_owned(),
                version: Some(version.to_owned()),
                commit: None,
                lane: lane.clone(),
                dialect: dialect.to_owned(),
                remarks,
            },
            pairs: HashMap::new(),
            paired: Default::default(),
            patterns: HashMap::new(),
            subjects: HashMap::new(),
            many: options.dialect.syntax().many.map(Operand::from),
            scopes: HashMap::new(),
            answered: 0,
            asked: 0,
        };
        for row in recordings.iter().flat_map(|recording| &recording.rows).filter(|row| row.lane == lane) {
            recorded.learn(&row.seen);
        }
        if recorded.is_empty() {
            let lanes: BTreeSet<String> =
                recordings.iter().flat_map(|all| &all.rows).map(|row| row.lane.to_string()).collect();
            let lanes = lanes.into_iter().collect::<Vec<_>>().join(", ");
            let why = format!("the lane {lane} was not recorded, only {lanes}");
            return Err(OracleError::Unsupported { what: recorded.identity.address, why });
        }
        Ok(recorded)
    }

    /// What is known already stays: the version itself comes before those that it refers to.
    fn learn(&mut self, seen: &Seen) {
        match seen {
            Seen::Match { pattern, subject, delivered } => {
                self.pairs.entry((pattern.clone(), subject.clone())).or_insert(*delivered);
                self.paired[0].insert(pattern.clone());
                self.paired[1].insert(subject.clone());
            }
            Seen::Pattern { text, outcome } => {
                self.patterns.entry(text.clone()).or_insert_with(|| outcome.clone());
            }
            Seen::Subject { text, outcome, delivered } => {
                if let Some(many) = self.many.clone().filter(|_| *outcome != Outcome::Accepted) {
                    self.pairs.entry((many, text.clone())).or_insert(*delivered);
                }
                self.subjects.entry(text.clone()).or_insert_with(|| outcome.clone());
            }
            Seen::Scope { scope, digest, pairs, matches } => {
                let known = RecordedScope { digest: digest.clone(), pairs: *pairs, matches: *matches };
                self.scopes.entry(scope.clone()).or_insert(known);
            }
            Seen::As { .. } => {}
        }
    }

    fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.patterns.is_empty() && self.subjects.is_empty() && self.scopes.is_empty()
    }

    /// Only the operands: what was recorded of each.
    fn acceptance(&mut self, operands: &[Operand], patterns: bool) -> Vec<Outcome> {
        let known = if patterns { &self.patterns } else { &self.subjects };
        let outcomes: Vec<Outcome> =
            operands.iter().map(|operand| known.get(operand).cloned().unwrap_or_else(not_recorded)).collect();
        self.asked += outcomes.len() as u64;
        self.answered += outcomes.iter().filter(|outcome| !outcome.is_unknown()).count() as u64;
        outcomes
    }

    /// Beside a partner: an operand of which nothing was recorded cannot be answered; of one with pairs a refusal is
    /// told where it was recorded.
    fn beside(&self, operands: &[Operand], patterns: bool) -> Vec<Outcome> {
        let (paired, known) =
            if patterns { (&self.paired[0], &self.patterns) } else { (&self.paired[1], &self.subjects) };
        let outcome = |operand: &Operand| match known.get(operand) {
            Some(outcome) => outcome.clone(),
            None if paired.contains(operand) => Outcome::Accepted,
            None => not_recorded(),
        };
        operands.iter().map(outcome).collect()
    }
}

fn not_recorded() -> Outcome {
    Outcome::Unsupported("not recorded".to_owned())
}

impl Oracle for Recorded {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError> {
        if grid.pairs() == 0 {
            return Ok(Observations {
                patterns: self.acceptance(&grid.patterns, true),
                subjects: self.acceptance(&grid.subjects, false),
                delivered: Matches::from_deliveries(Vec::new(), grid.subjects.len()),
                unknown: Vec::new(),
            });
        }
        let patterns = self.beside(&grid.patterns, true);
        let subjects = self.beside(&grid.subjects, false);
        let askable = |outcomes: &[Outcome]| -> Vec<usize> {
            (0..outcomes.len()).filter(|&index| !outcomes[index].is_unknown()).collect()
        };
        let (mut deliveries, mut unknown) = (Vec::new(), Vec::new());
        let columns = askable(&subjects);
        for p in askable(&patterns) {
            for &s in &columns {
                // The pair is looked up by value: operands are short, and few stand in recorded pairs.
                match self.pairs.get(&(grid.patterns[p].clone(), grid.subjects[s].clone())) {
                    Some(true) => deliveries.push((s as u32, p as u32)),
                    Some(false) => {}
                    None => unknown.push((p as u32, s as u32, not_recorded())),
                }
                self.answered += 1;
            }
        }
        self.answered -= unknown.len() as u64;
        self.asked += grid.pairs();
        let delivered = Matches::from_deliveries(deliveries, grid.subjects.len());
        Ok(Observations { patterns, subjects, delivered, unknown })
    }

    fn recorded_scope(&self, scope: &str) -> Option<RecordedScope> {
        self.scopes.get(scope).cloned()
    }

    fn findings(&mut self) -> Vec<String> {
        let (answered, asked) = (std::mem::take(&mut self.answered), std::mem::take(&mut self.asked));
        if asked == 0 {
            return Vec::new();
        }
        vec![format!("{answered} of {asked} questions were answered from the recording, the others are unsupported")]
    }
}
