//! Runs the probe of a claim on a nats-server of its own, and tells what was seen.
//!
//! Must never judge what was seen, and never take a passing of time for "it did not arrive": that is what fences say.

#[cfg(feature = "client")]
mod client;
mod driver;
pub mod library;
mod line;
mod wire;

use std::{path::Path, time::Duration};

use wildcheck_tables::{
    Lane,
    probe::{Probe, Sightings},
};

use crate::{
    Interrupt, OracleError,
    server::{NatsServer, Setup},
};

/// How long one fence may take before the server counts as lost.
const PATIENCE: Duration = Duration::from_secs(20);

/// What came of a probe.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// What conditions can speak of.
    pub seen: Sightings,
    /// Every line both ways, in the order it was written and read: `NAME > …` to the server, `NAME < …` from it.
    pub transcript: Vec<String>,
}

/// Runs it on a fresh server of that program, by that lane: `wire`, `wire-pedantic` (every connection is pedantic),
/// `client` (async-nats), `client-nats-py`, `client-nats-go`.
///
/// # Errors
/// The server does not start, goes away or falls silent; [`OracleError::Unsupported`] for a lane or a step that the
/// lane does not have.
pub fn run(binary: &Path, lane: &Lane, probe: &Probe, interrupt: &Interrupt) -> Result<Ran, OracleError> {
    let config = probe.server.iter().map(|(key, value)| format!("{key}: {value}\n")).collect();
    let server = NatsServer::start(&Setup { config, interrupt: interrupt.clone(), ..Setup::new(binary) })?;
    if *lane == Lane::WIRE || *lane == Lane::WIRE_PEDANTIC {
        return wire::run(server.addr(), *lane == Lane::WIRE_PEDANTIC, probe, interrupt);
    }
    #[cfg(feature = "client")]
    if *lane == Lane::CLIENT {
        return client::run(server.addr(), probe, interrupt);
    }
    if library::LANES.contains(lane) {
        return driver::run(lane, server.addr(), probe, interrupt);
    }
    let known = "wire, wire-pedantic, client, client-nats-py and client-nats-go";
    Err(unsupported(&format!("no probe runs by the lane {lane}; there are {known}")))
}

fn unsupported(why: &str) -> OracleError {
    OracleError::Unsupported { what: "a probe".to_owned(), why: why.to_owned() }
}

fn lost(why: impl Into<String>) -> OracleError {
    OracleError::Lost { what: "the server of a probe".to_owned(), why: why.into(), kept: None }
}
