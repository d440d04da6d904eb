//! The oracles against real programs and real servers.

mod adapters;
mod built;
mod death;
mod image;
mod lanes;
mod laws;
mod mosquitto;
mod recorded;
mod support;
