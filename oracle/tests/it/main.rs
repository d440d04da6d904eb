//! The oracles against real programs and real servers.

mod adapters;
mod recorded;
