//! What is asked and what is kept: generators, compare, minimise, classify, certify, and the command line.
//!
//! A question travels one way: a `Grid` is generated, each `Oracle` observes it, `compare` yields `Disagreement`s,
//! `minimize` shrinks them to `Witness`es, `classify` names the `Cause`, `record` writes a row and a `RunEvent`. No step
//! reaches back, and none panics to tell a disagreement.

pub mod adequacy;
pub mod besides;
pub mod campaign;
pub mod certify;
pub mod claims;
pub mod classify;
pub mod compare;
pub mod configurations;
pub mod digest;
pub mod error;
pub mod exit;
pub mod found;
pub mod generate;
pub mod ledger;
pub mod matrix;
pub mod minimize;
pub mod mutants;
pub mod outside;
pub mod rows;
pub mod scope;
pub mod search;
pub mod selfcheck;
pub mod sink;
pub mod tally;
pub mod target;
pub mod witness;

pub use campaign::Trio;
pub use compare::Disagreement;
pub use error::CampaignError;
pub use scope::Scope;
