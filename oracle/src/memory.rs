//! The oracles that live in this process: the reference, the slow spec and the naive approximation.
//!
//! Must never do more than call the matcher crate over a grid.

use wildcheck_matcher::{Dialect, Strength};
use wildcheck_tables::{Grid, Identity, Lane, Matches, Observations, Operand, Outcome, Verdict, row::Relation};

use crate::{Oracle, OracleError};

/// Which in-memory opinion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opinion {
    /// The fast matcher.
    Reference,
    /// The slow one.
    Spec,
    /// The wrong one.
    Naive,
}

/// A matcher as an oracle.
pub struct Memory {
    dialect: &'static dyn Dialect,
    opinion: Opinion,
    identity: Identity,
}

impl Memory {
    /// The opinion of that dialect.
    pub fn new(dialect: &'static dyn Dialect, opinion: Opinion) -> Memory {
        let name = match opinion {
            Opinion::Reference => "reference",
            Opinion::Spec => "spec",
            Opinion::Naive => "naive",
        };
        let identity = Identity {
            address: name.to_owned(),
            name: name.to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            commit: None,
            lane: Lane::MEMORY,
            dialect: dialect.name().to_owned(),
            remarks: Vec::new(),
        };
        Memory { dialect, opinion, identity }
    }

    fn says(&self, pattern: &[u8], subject: &[u8]) -> bool {
        match self.opinion {
            Opinion::Reference => self.dialect.matches(pattern, subject),
            Opinion::Spec => self.dialect.spec_matches(pattern, subject),
            Opinion::Naive => self.dialect.naive_matches(pattern, subject),
        }
    }
}

impl Oracle for Memory {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError> {
        let fate = |result: Result<(), wildcheck_matcher::Refusal>| match result {
            _ if self.opinion == Opinion::Naive => Outcome::Accepted,
            Ok(()) => Outcome::Accepted,
            Err(refusal) => Outcome::RefusedClient(refusal.to_string()),
        };
        let mut delivered = Matches::new();
        for subject in &grid.subjects {
            let hits = grid.patterns.iter().enumerate().filter(|(_, p)| self.says(&p.0, &subject.0));
            delivered.push(hits.map(|(index, _)| index as u32));
        }
        Ok(Observations {
            patterns: grid
                .patterns
                .iter()
                .map(|p| fate(self.dialect.validate_pattern(&p.0, Strength::Server)))
                .collect(),
            subjects: grid
                .subjects
                .iter()
                .map(|s| fate(self.dialect.validate_subject(&s.0, Strength::Server)))
                .collect(),
            delivered,
            unknown: Vec::new(),
        })
    }

    fn relate(&mut self, relation: Relation, pairs: &[(Operand, Operand)]) -> Result<Vec<Verdict>, OracleError> {
        if self.opinion == Opinion::Naive {
            return Ok(vec![Verdict::Unsupported; pairs.len()]);
        }
        let answer = |(left, right): &(Operand, Operand)| match relation {
            Relation::Subset => self.dialect.subset(&left.0, &right.0),
            Relation::Overlap => self.dialect.overlap(&left.0, &right.0),
        };
        Ok(pairs.iter().map(|pair| answer(pair).map_or(Verdict::Unsupported, Verdict::from)).collect())
    }
}
