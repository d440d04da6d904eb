//! What a referee said: somebody who was not under test, asked where the reference and an outside program disagree.
//!
//! Must never be a verdict on a program by itself: it says who stands alone on a pair.

use serde::{Deserialize, Serialize};

use crate::{
    Identity, Operand,
    event::{Answer, Pile},
};

/// One referee's word on the smallest pairs of one program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RefereeRecord {
    /// Who was asked.
    pub oracle: Identity,
    /// The program whose disagreements they are.
    pub under_test: String,
    /// The pairs, in the order of the witnesses.
    pub pairs: Vec<Refereed>,
}

impl RefereeRecord {
    /// How many of the pairs ended that way.
    pub fn count(&self, alone: Alone) -> usize {
        self.pairs.iter().filter(|pair| pair.alone == alone).count()
    }

    /// The pairs on which the rules are contradicted and no baseline entry says that they are.
    pub fn news(&self) -> impl Iterator<Item = &Refereed> {
        self.pairs.iter().filter(|pair| pair.is_news())
    }
}

/// A pair on which the reference and a program disagree, and the referee's answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refereed {
    /// The code of the witness's cause.
    pub cause: String,
    /// Its name.
    pub name: String,
    /// The witness's pile.
    pub pile: Pile,
    /// The smallest pattern.
    pub pattern: Operand,
    /// The smallest subject.
    pub subject: Operand,
    /// The clause that decides the pair.
    pub clause: String,
    /// What the reference says; the program says the opposite.
    pub reference: bool,
    /// What the referee says.
    pub referee: Answer,
    /// Whose verdict nobody shares.
    pub alone: Alone,
    /// The baseline knows this difference between the reference and the referee.
    pub known: bool,
}

impl Refereed {
    /// Nobody shares the reference's verdict, and no baseline entry says why.
    pub fn is_news(&self) -> bool {
        self.alone == Alone::Reference && !self.known
    }
}

/// Who stands alone where a referee was asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Alone {
    /// The program: the referee says what the reference says.
    UnderTest,
    /// The reference: the referee says what the program says.
    Reference,
    /// The referee has no answer.
    Unknown,
}
