//! Servers of ours under the configurations that people run them with: the axis on which no row may change.
//!
//! A configuration is data. Must never decide whether an answer is right, and never touch a server that is not ours.

use std::{
    net::SocketAddr,
    thread,
    time::{Duration, Instant},
};

use wildcheck_tables::{Lane, Outcome};

use crate::{
    Options, Oracle, OracleError, Plan,
    again::Again,
    server::{NatsServer, Setup},
    wire::{self, Host, write::Connect},
};

/// One way to run nats-server, and how it is asked.
#[derive(PartialEq, Eq, Debug)]
pub struct Configuration {
    /// What `--config` calls it.
    pub name: &'static str,
    /// What it is, for a report.
    pub says: &'static str,
    /// Lines of its configuration file.
    config: &'static str,
    verbose: bool,
    pedantic: bool,
    user: Option<(&'static str, &'static str)>,
    topology: Topology,
    /// Words of the refusals that are the point of this configuration, in either case.
    limits: &'static [&'static str],
}

/// How many servers, and who listens where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Topology {
    /// One server.
    Single,
    /// Three servers of a cluster: subscribed to at the first, published at the last.
    Cluster,
    /// A server and its leaf node: subscribed to at the server, published at the leaf.
    Hub,
    /// Subscribed to at the leaf, published at the server.
    Leaf,
}

const PLAIN: Configuration = Configuration {
    name: "default",
    says: "the server as it comes",
    config: "",
    verbose: false,
    pedantic: false,
    user: None,
    topology: Topology::Single,
    limits: &[],
};

/// All of them, `default` first.
pub static CONFIGURATIONS: [Configuration; 11] = [
    PLAIN,
    Configuration { name: "verbose", says: "every command is answered", verbose: true, ..PLAIN },
    Configuration {
        name: "pedantic",
        says: "subjects of publishes are checked",
        pedantic: true,
        limits: &["Invalid Publish Subject"],
        ..PLAIN
    },
    Configuration {
        name: "no-cache",
        says: "no_sublist_cache: every publish walks the tree",
        config: "no_sublist_cache: true\n",
        ..PLAIN
    },
    Configuration {
        name: "max-sub-tokens",
        says: "max_sub_tokens 2",
        config: "max_sub_tokens: 2\n",
        limits: &["too many tokens"],
        ..PLAIN
    },
    Configuration {
        name: "max-control-line",
        says: "max_control_line 256",
        config: "max_control_line: 256\n",
        limits: &["maximum control line exceeded"],
        ..PLAIN
    },
    Configuration { name: "max-payload", says: "max_payload 16", config: "max_payload: 16\n", ..PLAIN },
    Configuration {
        name: "account",
        says: "a user of an account that is not the default",
        config: "accounts { WILDCHECK { users: [ { user: wildcheck, password: wildcheck } ] } }\n",
        user: Some(("wildcheck", "wildcheck")),
        ..PLAIN
    },
    Configuration {
        name: "cluster",
        says: "three servers of a cluster, subscribed to at one, published at another",
        topology: Topology::Cluster,
        ..PLAIN
    },
    Configuration {
        name: "leaf-to-hub",
        says: "a leaf node, subscribed to at the hub, published at the leaf",
        topology: Topology::Hub,
        ..PLAIN
    },
    Configuration {
        name: "hub-to-leaf",
        says: "a leaf node, subscribed to at the leaf, published at the hub",
        topology: Topology::Leaf,
        ..PLAIN
    },
];

/// The configuration of that name.
pub fn named(name: &str) -> Option<&'static Configuration> {
    CONFIGURATIONS.iter().find(|configuration| configuration.name == name)
}

impl Configuration {
    /// Does it refuse what the server as it comes takes?
    pub fn is_limited(&self) -> bool {
        !self.limits.is_empty()
    }

    /// Is this a refusal that the configuration exists for?
    pub fn limits(&self, outcome: &Outcome) -> bool {
        let (Outcome::RefusedOpen(words) | Outcome::RefusedClosed(words)) = outcome else { return false };
        self.limits.iter().any(|limit| words.to_lowercase().contains(&limit.to_lowercase()))
    }
}

/// Servers of `setup`'s program under that configuration, as an oracle; lost once they are all started again.
///
/// # Errors
/// [`OracleError::Unavailable`] when they do not start or do not join; [`OracleError::Unsupported`] for a lane or plan
/// that is not asked under a configuration.
pub fn open(
    configuration: &'static Configuration,
    address: &str,
    setup: Setup,
    options: &Options,
) -> Result<Box<dyn Oracle>, OracleError> {
    let unsupported = |why| Err(OracleError::Unsupported { what: format!("{address}, {}", configuration.name), why });
    if let Some(lane) = &options.lane
        && ![Lane::WIRE, Lane::WIRE_PEDANTIC].contains(lane)
    {
        return unsupported(format!("a configuration is asked by wire and wire-pedantic, not by {lane}"));
    }
    if configuration.topology != Topology::Single && options.plan != Plan::FanOut {
        return unsupported("over two servers there is the plan fan-out alone".to_owned());
    }
    let (address, keep, options) = (address.to_owned(), options.keep.clone(), options.clone());
    let opener = move || {
        let Started { servers, listens, speaks } = configuration.start(&setup)?;
        let host = Host::Foreign(listens, Box::new(servers));
        let user = configuration.user.map(|(user, password)| (user.to_owned(), password.to_owned()));
        let connect =
            Connect { verbose: configuration.verbose, pedantic: configuration.pedantic, user, ..Connect::default() };
        let mut lane = wire::open_across(&address, host, speaks, connect, "", &options)?.once();
        lane.remark(format!("configuration {}: {}", configuration.name, configuration.says));
        Ok(Box::new(lane) as Box<dyn Oracle>)
    };
    Ok(Box::new(Again::new(Box::new(opener), keep)?))
}

struct Started {
    servers: Vec<NatsServer>,
    listens: SocketAddr,
    /// Where subjects are published, if not where patterns are subscribed to.
    speaks: Option<SocketAddr>,
}

impl Configuration {
    fn start(&self, setup: &Setup) -> Result<Started, OracleError> {
        let server =
            |lines: String| NatsServer::start(&Setup { config: format!("{}{lines}", self.config), ..setup.clone() });
        match self.topology {
            Topology::Single => {
                let only = server(String::new())?;
                Ok(Started { listens: only.addr(), speaks: None, servers: vec![only] })
            }
            Topology::Cluster => {
                let member = |routes: String| {
                    server(format!("cluster {{ name: wildcheck, listen: \"127.0.0.1:-1\", routes: [{routes}] }}\n"))
                };
                let first = member(String::new())?;
                let seed = first.cluster().ok_or_else(|| no_port(setup, "cluster"))?;
                let second = member(format!("nats://{seed}"))?;
                let third = member(format!("nats://{seed}"))?;
                let (listens, speaks) = (first.addr(), Some(third.addr()));
                Ok(Started { listens, speaks, servers: vec![first, second, third] })
            }
            Topology::Hub | Topology::Leaf => {
                let hub = server("leafnodes { listen: \"127.0.0.1:-1\" }\n".to_owned())?;
                let port = leaf_port(&hub, setup)?;
                let leaf =
                    server(format!("leafnodes {{ remotes: [ {{ url: \"nats://{port}\" }} ], reconnect: 1 }}\n"))?;
                let (listens, speaks) = match self.topology {
                    Topology::Hub => (hub.addr(), leaf.addr()),
                    _ => (leaf.addr(), hub.addr()),
                };
                Ok(Started { listens, speaks: Some(speaks), servers: vec![hub, leaf] })
            }
        }
    }
}

/// The log reaches us a little later than the file of ports.
fn leaf_port(hub: &NatsServer, setup: &Setup) -> Result<SocketAddr, OracleError> {
    let started = Instant::now();
    loop {
        if let Some(addr) = hub.leafnodes() {
            return Ok(addr);
        }
        if started.elapsed() > setup.timeout {
            return Err(no_port(setup, "leaf nodes"));
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn no_port(setup: &Setup, what: &str) -> OracleError {
    OracleError::Unavailable {
        what: setup.binary.display().to_string(),
        why: format!("it does not say where it listens for its {what}"),
        how: "ask it under another --config, or a release of nats-server from 2.9 on".to_owned(),
    }
}
