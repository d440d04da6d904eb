//! The small language of the `probe` and `expected` columns of `claims.csv`: what is done, and what must be seen.
//!
//! A probe is steps separated by `;`. `server KEY=VALUE…` may come first; every other step starts with the name of a
//! connection:
//!
//! ```text
//! NAME connect [verbose] [pedantic] [headers] [no_responders]
//! NAME sub PATTERN [queue GROUP] as ID
//! NAME unsub ID
//! NAME pub SUBJECT [reply SUBJECT] [size N] [times N]
//! NAME hpub SUBJECT HEADER=VALUE…
//! NAME request SUBJECT as ID
//! NAME send TEXT              raw bytes; \r \n \t \\ \xNN stand for themselves
//! NAME close
//! fence                       every connection has heard everything it will hear of what was done before
//! ```
//!
//! A word in double quotes may hold blanks, or nothing; `\xNN` is a byte, also the `;` (`\x3b`). A probe ends with a
//! fence of its own. What must be seen is conditions joined by `and`, see [`Condition`].
//!
//! Must never do I/O and never know a server: it is read by lint, run elsewhere.

mod condition;
pub mod pair;
mod parse;
mod words;

use std::collections::BTreeMap;

pub use condition::{Condition, Expectation, Failed};

/// What is done, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Probe {
    /// Settings of the server's configuration.
    pub server: Vec<(String, String)>,
    /// The steps.
    pub steps: Vec<Step>,
}

/// One step, of one connection unless it is the fence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Opens the connection of that name.
    Connect(String, Flags),
    /// Subscribes; what arrives is counted under `id`.
    Sub {
        /// The connection.
        conn: String,
        /// What is subscribed to.
        pattern: Vec<u8>,
        /// The queue group.
        queue: Option<Vec<u8>>,
        /// The name of the subscription.
        id: String,
    },
    /// Ends a subscription.
    Unsub {
        /// The connection.
        conn: String,
        /// The subscription.
        id: String,
    },
    /// Publishes.
    Pub(Publish),
    /// Publishes with a reply subject of its own; what comes back is counted under `id`.
    Request {
        /// The connection.
        conn: String,
        /// What is published to.
        subject: Vec<u8>,
        /// The name of the answers.
        id: String,
    },
    /// Puts bytes on the wire as they are.
    Send {
        /// The connection.
        conn: String,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Ends the connection from our side.
    Close(String),
    /// Everything done so far has been heard of.
    Fence,
}

/// A header's name and value, neither checked.
pub type Header = (Vec<u8>, Vec<u8>);

/// A publish.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Publish {
    /// The connection.
    pub conn: String,
    /// What is published to.
    pub subject: Vec<u8>,
    /// The reply subject.
    pub reply: Option<Vec<u8>>,
    /// Header lines; empty: a publish without headers.
    pub headers: Vec<Header>,
    /// Bytes of the payload.
    pub size: usize,
    /// How many messages.
    pub times: usize,
}

/// What a connection asks for when it opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// Each command is answered.
    pub verbose: bool,
    /// Subjects of publishes are checked.
    pub pedantic: bool,
    /// The client understands headers.
    pub headers: bool,
    /// The client wants to be told when nobody listens.
    pub no_responders: bool,
}

/// Why a probe or an expectation cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{at}`: {why}")]
pub struct ProbeError {
    /// The step or condition.
    pub at: String,
    /// What was expected.
    pub why: String,
}

/// What was seen: everything that a condition can speak of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sightings {
    /// By subscription.
    pub arrived: BTreeMap<String, Vec<Arrived>>,
    /// By connection.
    pub conns: BTreeMap<String, Conn>,
}

/// One message that arrived.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arrived {
    /// The subject it came under.
    pub subject: Vec<u8>,
    /// Its reply subject.
    pub reply: Option<Vec<u8>>,
    /// Its header lines as they came, without the version line.
    pub headers: Vec<Vec<u8>>,
    /// The status of its version line (503: no responders).
    pub status: Option<u16>,
    /// Bytes of its payload.
    pub size: usize,
}

/// What became of a connection.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conn {
    /// The server ended it.
    pub closed: bool,
    /// The server's errors, in its words.
    pub errors: Vec<String>,
    /// What the client library refused before the server saw it, in its words.
    pub refusals: Vec<String>,
}
