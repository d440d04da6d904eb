//! The truth tables (the `*.csv` beside this folder) and the vocabulary that every other crate speaks.
//!
//! This crate must never ask an oracle, open a socket or start a process: it says how a question, an answer and a
//! table row look, and reads and writes them.

pub mod cell;
pub mod event;
pub mod grid;
pub mod observation;
pub mod row;

pub use cell::Operand;
pub use event::RunEvent;
pub use grid::Grid;
pub use observation::{Fate, Identity, Lane, Matches, Observations, Outcome, Verdict};
