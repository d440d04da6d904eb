//! The wire lanes of nats-server: our own codec over one socket.
//!
//! Must never take a silence for an answer: whatever is reported as not delivered stands before a PONG.

mod across;
pub(crate) mod ask;
pub mod codec;
pub(crate) mod connection;
mod lane;
pub(crate) mod sids;
pub mod write;

pub use lane::{Host, identify, open, open_across};
