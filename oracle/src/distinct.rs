//! Operands without repetition. Must never change the order of first appearance.

use std::collections::HashMap;

use wildcheck_tables::{Operand, Outcome};

/// Each operand once, and where it stood: what a broker is told twice it may take for once.
pub struct Distinct {
    /// Each once.
    pub operands: Vec<Operand>,
    of: Vec<usize>,
    places: Vec<Vec<u32>>,
}

impl Distinct {
    /// By first appearance.
    pub fn new(operands: &[Operand]) -> Distinct {
        let mut known: HashMap<&Operand, usize> = HashMap::new();
        let mut distinct = Distinct { operands: Vec::new(), of: Vec::new(), places: Vec::new() };
        for (place, operand) in operands.iter().enumerate() {
            let at = *known.entry(operand).or_insert_with(|| {
                distinct.operands.push(operand.clone());
                distinct.places.push(Vec::new());
                distinct.operands.len() - 1
            });
            distinct.of.push(at);
            distinct.places[at].push(place as u32);
        }
        distinct
    }

    /// Where the operand stood.
    pub fn places(&self, at: usize) -> &[u32] {
        &self.places[at]
    }

    /// What was seen of each, for every place.
    pub fn spread(&self, outcomes: &[Outcome]) -> Vec<Outcome> {
        self.of.iter().map(|at| outcomes[*at].clone()).collect()
    }
}
