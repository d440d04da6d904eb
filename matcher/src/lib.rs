//! The rules of each pattern language, decided in memory.
//!
//! This crate must never do I/O, allocate in a match, depend on another crate or hold a broker's known bug: it says
//! what the documentation says, where the live server confirmed it. Operands are bytes, never assumed to be UTF-8.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod across;
pub mod dialect;
pub mod flat;
#[cfg(feature = "alloc")]
mod fresh;
mod guess;
pub mod mqtt;
pub mod nats;
#[cfg(feature = "alloc")]
pub mod pattern_set;
pub mod rabbitmq;
pub mod solace;

pub use across::{Capabilities, Said, Where};
#[cfg(feature = "alloc")]
pub use across::{Piece, Subscription, Translation, translate};
#[cfg(feature = "alloc")]
pub use dialect::Coverage;
pub use dialect::{ClauseId, Dialect, Operand, Refusal, Strength, Syntax, Trace, by_name, dialects};
#[cfg(feature = "alloc")]
pub use pattern_set::{ListSet, PatternSet};
