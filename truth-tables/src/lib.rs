//! The truth tables (the `*.csv` beside this folder) and the vocabulary that every other crate speaks.
//!
//! This crate must never ask an oracle, open a socket or start a process: it says how a question, an answer and a
//! table row look, and reads and writes them.

pub mod cell;
pub mod cells;
mod columns;
mod compact;
mod embed;
pub mod error;
pub mod event;
pub mod grid;
pub mod lint;
pub mod observation;
pub mod observed;
pub mod probe;
pub mod referee;
pub mod review;
pub mod row;
pub mod stage;
pub mod table;
pub mod tables;
pub mod version;

pub use cell::Operand;
pub use error::{Lint, Problem, TablesError};
pub use event::{EventLog, RunEvent, read_events};
pub use grid::Grid;
pub use observation::{Fate, Identity, Lane, Matches, Observations, Outcome, Verdict};
pub use observed::{ObservedRow, Recording, Seen};
pub use referee::{Alone, RefereeRecord, Refereed};
pub use review::{Finding, review};
pub use stage::{Staged, stage};
pub use table::{Merged, merge};
pub use tables::{DialectTables, Tables, line_of, parse_bytes};
pub use version::{Version, in_range};
