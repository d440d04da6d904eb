//! A mutant as something that can be asked like any broker: what the self-check plants.
//!
//! Must never refuse what it gets wrong: a wrong matcher takes every operand and answers.

use wildcheck_matcher::{Dialect, Operand as Side};
use wildcheck_oracle::{Oracle, OracleError};
use wildcheck_tables::{Grid, Identity, Lane, Matches, Observations, Outcome};

use super::{Mutant, Parsed};

/// A mutant behind the oracle trait.
pub struct Planted {
    dialect: &'static dyn Dialect,
    mutant: &'static Mutant,
    identity: Identity,
}

impl Planted {
    /// The mutant in that dialect.
    pub fn new(dialect: &'static dyn Dialect, mutant: &'static Mutant) -> Planted {
        let identity = Identity {
            address: format!("mutant:{}", mutant.code),
            name: mutant.name.to_owned(),
            version: None,
            commit: None,
            lane: Lane::MEMORY,
            dialect: dialect.name().to_owned(),
            remarks: Vec::new(),
        };
        Planted { dialect, mutant, identity }
    }
}

impl Oracle for Planted {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError> {
        let dialect = self.dialect;
        let patterns: Vec<Parsed<'_>> =
            grid.patterns.iter().map(|p| Parsed::new(dialect, Side::Pattern, &p.0)).collect();
        let mut delivered = Matches::new();
        for subject in &grid.subjects {
            let subject = Parsed::new(dialect, Side::Subject, &subject.0);
            let hit = |(index, pattern): (usize, &Parsed<'_>)| {
                let truth = dialect.matches(pattern.bytes, subject.bytes);
                self.mutant.verdict(dialect, pattern, &subject, truth).then_some(index as u32)
            };
            delivered.push(patterns.iter().enumerate().filter_map(hit));
        }
        Ok(Observations {
            patterns: vec![Outcome::Accepted; grid.patterns.len()],
            subjects: vec![Outcome::Accepted; grid.subjects.len()],
            delivered,
            unknown: Vec::new(),
        })
    }
}
