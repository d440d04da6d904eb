//! The oracles against real programs and real servers.

mod adapters;
mod built;
mod image;
mod lanes;
mod laws;
mod mosquitto;
mod recorded;
mod support;
