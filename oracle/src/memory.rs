//! The oracles that live in this process: the reference, the slow spec and the naive approximation.
//!
//! Must never do more than call the matcher crate over a grid.

use wildcheck_matcher::{Dialect, PatternSet, Strength};
use wildcheck_tables::{Grid, Identity, Lane, Matches, Observations, Operand, Outcome, Verdict, row::Relation};

use crate::{Oracle, OracleError, SetStep, SetsAnswer};

/// From how many pairs on a grid is answered by a pattern set, where the dialect has one: below, building it costs more
/// than it saves. The sets are proved equal to asking pair by pair.
const LARGE: u64 = 1 << 16;

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

    /// An empty set that answers as [`Memory::says`] does. The slow opinion has none: it is asked for its own sake.
    fn set(&self) -> Option<Box<dyn PatternSet>> {
        match self.opinion {
            Opinion::Reference => self.dialect.pattern_set(),
            Opinion::Spec => None,
            Opinion::Naive => self.dialect.naive_set(),
        }
    }

    fn deliveries(&self, grid: &Grid) -> Matches {
        let mut delivered = Matches::new();
        if grid.pairs() >= LARGE
            && let Some(mut set) = self.set()
        {
            for (index, pattern) in grid.patterns.iter().enumerate() {
                // A refused pattern is not in the set, and so matches nothing.
                let _ = set.insert(&pattern.0, index as u32);
            }
            let mut hits = Vec::new();
            for subject in &grid.subjects {
                set.matches(&subject.0, &mut hits);
                delivered.push(hits.drain(..));
            }
            return delivered;
        }
        for subject in &grid.subjects {
            let hits = grid.patterns.iter().enumerate().filter(|(_, p)| self.says(&p.0, &subject.0));
            delivered.push(hits.map(|(index, _)| index as u32));
        }
        delivered
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
            delivered: self.deliveries(grid),
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

    fn sets(&mut self, steps: &[SetStep]) -> Result<SetsAnswer, OracleError> {
        let mut set: Vec<&Operand> = Vec::new();
        let mut answers = Vec::new();
        for step in steps {
            match step {
                SetStep::Add(pattern) if !set.contains(&pattern) => set.push(pattern),
                SetStep::Add(_) => {}
                SetStep::Remove(pattern) => set.retain(|kept| *kept != pattern),
                SetStep::Ask(subject) => {
                    answers.push(set.iter().filter(|p| self.says(&p.0, &subject.0)).map(|p| (*p).clone()).collect());
                }
            }
        }
        Ok(SetsAnswer::Answers(answers))
    }
}

#[cfg(test)]
mod tests {
    use wildcheck_matcher::nats::Nats;

    use super::*;

    /// Every list of one to `depth` of these tokens, joined by dots.
    fn scope(tokens: &[&str], depth: usize) -> Vec<Operand> {
        let mut all: Vec<String> = Vec::new();
        let mut longest = vec![String::new()];
        for length in 0..depth {
            let dot = if length == 0 { "" } else { "." };
            longest = longest.iter().flat_map(|head| tokens.iter().map(move |t| format!("{head}{dot}{t}"))).collect();
            all.extend(longest.iter().cloned());
        }
        all.into_iter().map(|operand| operand.as_bytes().into()).collect()
    }

    #[test]
    fn a_large_grid_is_answered_as_pair_by_pair() {
        let patterns = scope(&["a", "b", "*", ">", ""], 4);
        let subjects = scope(&["a", "b", "*", ""], 4);
        let grid = Grid { dialect: "nats", patterns, subjects };
        assert!(grid.pairs() >= LARGE);
        for opinion in [Opinion::Reference, Opinion::Naive, Opinion::Spec] {
            let mut memory = Memory::new(&Nats, opinion);
            let whole = memory.observe(&grid).unwrap().delivered;
            for (index, subject) in grid.subjects.iter().enumerate() {
                let one = Grid { subjects: vec![subject.clone()], ..grid.clone() };
                assert!(one.pairs() < LARGE);
                let alone = memory.observe(&one).unwrap().delivered;
                assert_eq!(whole.of(index), alone.of(0), "{opinion:?} {subject:?}");
            }
        }
    }
}
