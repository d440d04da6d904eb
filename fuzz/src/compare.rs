//! Two oracles' answers to one grid, side by side. Must never ask anything.

use wildcheck_tables::{Operand, row::Direction};

/// Two verdicts on one pair that differ: the reference says one thing, the one under test the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// What is subscribed to.
    pub pattern: Operand,
    /// What is published to.
    pub subject: Operand,
    /// What the reference says; the one under test says the opposite.
    pub reference: bool,
}

impl Disagreement {
    /// Which way the one under test is wrong.
    pub fn direction(&self) -> Direction {
        if self.reference { Direction::TooLittle } else { Direction::TooMuch }
    }
}
