//! A probe through a client library of another language: handed as JSON to a small program that uses it, and what that
//! program saw read back.
//!
//! Must never judge what was seen. What a driver takes and says is written at the top of `adapters/clients/`.

use std::{collections::BTreeMap, net::SocketAddr};

use serde::Deserialize;
use serde_json::{Value, json};
use wildcheck_tables::{
    Lane,
    probe::{Arrived, Conn, Header, Probe, Sightings, Step},
};

use super::{PATIENCE, Ran, library, lost, unsupported};
use crate::{Interrupt, OracleError};

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    library: String,
    #[serde(default)]
    arrived: BTreeMap<String, Vec<Message>>,
    #[serde(default)]
    conns: BTreeMap<String, Told>,
    #[serde(default)]
    transcript: Vec<String>,
    unsupported: Option<String>,
    lost: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    subject: String,
    reply: Option<String>,
    headers: Vec<String>,
    status: Option<u16>,
    size: usize,
}

#[derive(Deserialize)]
struct Told {
    closed: bool,
    errors: Vec<String>,
    refusals: Vec<String>,
}

/// Runs it against the server at `addr`.
pub(super) fn run(lane: &Lane, addr: SocketAddr, probe: &Probe, interrupt: &Interrupt) -> Result<Ran, OracleError> {
    let steps = probe.steps.iter().map(step).collect::<Result<Vec<Value>, _>>()?;
    let input = json!({"url": format!("nats://{addr}"), "steps": steps}).to_string();
    let command = library::driver(lane, interrupt)?;
    // The driver's own fences are bounded by the same patience; it gets the time to say which was not met.
    let said = library::run(command, &input, PATIENCE * 2, interrupt)
        .map_err(|why| why.map_or(OracleError::Interrupted, |why| lost(format!("{lane}: {why}"))))?;
    let answer: Answer = serde_json::from_slice(&said).map_err(|error| lost(format!("{lane}: {error}")))?;
    if let Some(why) = answer.unsupported {
        return Err(unsupported(&why));
    }
    if let Some(why) = answer.lost {
        return Err(lost(format!("{lane}: {why}")));
    }
    let mut transcript = vec![format!("by {}", answer.library)];
    transcript.extend(answer.transcript);
    let messages = |messages: Vec<Message>| messages.into_iter().map(Arrived::from).collect();
    let arrived = answer.arrived.into_iter().map(|(id, list)| (id, messages(list))).collect();
    let conns = answer.conns.into_iter().map(|(name, told)| (name, Conn::from(told))).collect();
    Ok(Ran { seen: Sightings { arrived, conns }, transcript })
}

fn step(step: &Step) -> Result<Value, OracleError> {
    Ok(match step {
        Step::Connect(conn, flags) => {
            json!({"do": "connect", "conn": conn, "verbose": flags.verbose, "pedantic": flags.pedantic})
        }
        Step::Sub { conn, pattern, queue, id } => {
            let queue = queue.as_deref().map(text).transpose()?;
            json!({"do": "sub", "conn": conn, "pattern": text(pattern)?, "queue": queue, "id": id})
        }
        Step::Unsub { conn, id } => json!({"do": "unsub", "conn": conn, "id": id}),
        Step::Pub(publish) => {
            let headers = publish.headers.iter().map(header).collect::<Result<Vec<_>, _>>()?;
            json!({
                "do": "pub", "conn": publish.conn, "subject": text(&publish.subject)?,
                "reply": publish.reply.as_deref().map(text).transpose()?, "headers": headers,
                "size": publish.size, "times": publish.times,
            })
        }
        Step::Request { conn, subject, id } => {
            json!({"do": "request", "conn": conn, "subject": text(subject)?, "id": id})
        }
        Step::Send { .. } => return Err(unsupported("a client library sends no raw bytes")),
        Step::Close(conn) => json!({"do": "close", "conn": conn}),
        Step::Fence => json!({"do": "fence"}),
    })
}

fn header((name, value): &Header) -> Result<[&str; 2], OracleError> {
    Ok([text(name)?, text(value)?])
}

fn text(bytes: &[u8]) -> Result<&str, OracleError> {
    std::str::from_utf8(bytes).map_err(|_| unsupported("a driver is told of its steps in UTF-8 text"))
}

impl From<Message> for Arrived {
    fn from(message: Message) -> Arrived {
        Arrived {
            subject: message.subject.into_bytes(),
            reply: message.reply.map(String::into_bytes),
            headers: message.headers.into_iter().map(String::into_bytes).collect(),
            status: message.status,
            size: message.size,
        }
    }
}

impl From<Told> for Conn {
    fn from(told: Told) -> Conn {
        Conn { closed: told.closed, errors: told.errors, refusals: told.refusals }
    }
}
