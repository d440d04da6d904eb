//! From an address to something that can be asked. Must never ask it.

use std::{path::PathBuf, time::Duration};

use wildcheck_matcher::Dialect;
use wildcheck_tables::Lane;

use crate::{
    Address, Interrupt, Oracle, OracleError, adapter, amqp,
    configured::Configuration,
    memory::{Memory, Opinion},
    mqtt, nats,
    recorded::Recorded,
    redis,
};

/// How a grid is put to a live broker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Plan {
    /// All patterns subscribed, all subjects published, one fence.
    #[default]
    FanOut,
    /// One pair a connection.
    Isolated,
    /// Every subject published twice; the second copy counts, which the server answers from its cache.
    CacheHit,
    /// Every pattern subscribed, unsubscribed and subscribed again.
    Resubscribed,
}

/// How to open an oracle.
#[derive(Clone)]
pub struct Options {
    /// The language the questions are in.
    pub dialect: &'static dyn Dialect,
    /// The route; `None`: the oracle's usual one (`wire` for a server).
    pub lane: Option<Lane>,
    /// The plan of a live lane.
    pub plan: Plan,
    /// How a server of ours is run; `None`: as it comes.
    pub config: Option<&'static Configuration>,
    /// Where downloaded servers are kept; `None`: `WILDCHECK_CACHE`, else the user's cache folder.
    pub cache: Option<PathBuf>,
    /// Where the recorded observations are, for `recorded:`; `None`: those in the binary.
    pub tables: Option<PathBuf>,
    /// How long a start may take.
    pub start_timeout: Duration,
    /// How long an outside program may take for an answer before it counts as hanging.
    pub answer_timeout: Duration,
    /// How often an outside program may be restarted before it counts as lost.
    pub restarts: usize,
    /// Where the grid is kept that a server died of twice; `None`: the folder for temporary files.
    pub keep: Option<PathBuf>,
    /// Set by Ctrl-C.
    pub interrupt: Interrupt,
}

impl Options {
    /// The usual way to ask in that dialect.
    pub fn new(dialect: &'static dyn Dialect) -> Options {
        Options {
            dialect,
            lane: None,
            plan: Plan::FanOut,
            config: None,
            cache: None,
            tables: None,
            start_timeout: Duration::from_secs(30),
            answer_timeout: Duration::from_secs(10),
            restarts: 64,
            keep: None,
            interrupt: Interrupt::new(),
        }
    }
}

/// Is there a broker of this dialect that [`Address::Auto`] can start?
pub fn has_broker(dialect: &dyn Dialect) -> bool {
    ["nats", "mqtt", "rabbitmq"].contains(&dialect.tables())
}

/// Opens what the address names: starts the server, connects, reads its version.
///
/// # Errors
/// [`OracleError::Unavailable`] with the sentence that says how to get it; [`OracleError::Unsupported`] when the
/// address cannot speak that dialect or lane.
pub fn open(address: &Address, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    if let Some(configuration) = options.config
        && !nats::is_own(address, options)
    {
        let why = format!("the configuration {} is one of nats-servers that wildcheck starts", configuration.name);
        return Err(OracleError::Unsupported { what: address.to_string(), why });
    }
    let memory = |opinion| Ok(Box::new(Memory::new(options.dialect, opinion)) as Box<dyn Oracle>);
    match address {
        Address::Reference => memory(Opinion::Reference),
        Address::Spec => memory(Opinion::Spec),
        Address::Naive => memory(Opinion::Naive),
        Address::Recorded { program, version } => Ok(Box::new(Recorded::open(program, version, options)?)),
        Address::Exec(line) => Ok(Box::new(adapter::Exec::open(line, options)?)),
        Address::Cmd(line) => Ok(Box::new(adapter::Cmd::open(line, options)?)),
        Address::Tsv(line) => Ok(Box::new(adapter::Tsv::open(line, options)?)),
        Address::Auto if options.dialect.tables() == "mqtt" => mqtt::open_own(address, None, options),
        Address::Auto if options.dialect.tables() == "rabbitmq" => amqp::open_own(address, None, options),
        Address::Auto => match nats::open_own(address, None, options) {
            // No container is run under a configuration.
            Err(error) if options.config.is_some() => Err(error),
            Err(OracleError::Unavailable { what, why, how }) => {
                // The last way: the official image, where a container engine answers.
                image("nats", options).map_err(|error| match error {
                    OracleError::Interrupted => error,
                    other => OracleError::Unavailable { what, why: format!("{why}; {other}"), how },
                })
            }
            other => other,
        },
        Address::Image(name) => image(name, options),
        Address::Process { program, version } if program == "nats-server" && options.dialect.tables() == "mqtt" => {
            mqtt::open_nats(address, version.as_deref(), options)
        }
        Address::Process { program, version } if program == "nats-server" => {
            nats::open_own(address, version.as_deref(), options)
        }
        Address::Process { program, version } if program == "mosquitto" => {
            mqtt::open_own(address, version.as_deref(), options)
        }
        Address::Process { program, version } if program == "rabbitmq-server" && options.dialect.tables() == "mqtt" => {
            mqtt::open_rabbitmq(address, version.as_deref(), options)
        }
        Address::Process { program, version } if program == "rabbitmq-server" => {
            amqp::open_own(address, version.as_deref(), options)
        }
        Address::Process { program, version } if program == "redis-server" => {
            redis::open_own(address, version.as_deref(), options)
        }
        Address::Url(url) if url.starts_with("redis:") => redis::open_url(address, url, options),
        Address::Url(url) if url.starts_with("amqp:") => amqp::open_url(address, url, options),
        Address::Url(url) if url.starts_with("mqtt:") => mqtt::open_url(address, url, options),
        Address::Url(url) if url.starts_with("nats:") => nats::open_url(address, url, options),
        other => Err(OracleError::Unavailable {
            what: other.to_string(),
            why: "this version starts no such broker".to_owned(),
            how: "ask process:nats-server, process:mosquitto, process:rabbitmq-server, process:redis-server, image:…, a URL \
                  of nats:, mqtt:, amqp: or redis:, or `reference`"
                .to_owned(),
        }),
    }
}

#[cfg(feature = "containers")]
fn image(name: &str, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    crate::image::open(name, options)
}

#[cfg(not(feature = "containers"))]
fn image(name: &str, _options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    let why = "this build starts no containers (cargo feature `containers`)".to_owned();
    Err(OracleError::Unsupported { what: format!("image:{name}"), why })
}
