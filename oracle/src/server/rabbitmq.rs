//! A RabbitMQ node of our own: its own folders, cookie, ports and port mapper, ready when it lets us log in, ended with
//! its value.
//!
//! Must never listen beyond loopback, never wait without a bound, and never go by the wrapper on PATH: that changes the
//! user, which would end the signal by which the node dies with us. Nor may the node start the port mapper: that one
//! would stay.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use super::{
    child::{Guarded, how_it_ended, quoted},
    program,
};
use crate::{
    Interrupt, Options, OracleError,
    amqp::{Connection, Login},
    broker::{Broker, random},
    mqtt,
};

/// Names the script that starts a node.
pub const VARIABLE: &str = "WILDCHECK_RABBITMQ_SERVER";
const HOW: &str =
    "install the package rabbitmq-server (make brokers), or set WILDCHECK_RABBITMQ_SERVER to one that starts";
/// Somebody else may take a free port first.
const TRIES: usize = 3;
/// A start takes seconds on an idle machine, and much longer on one that compiles.
const LEAST_PATIENCE: Duration = Duration::from_secs(120);

/// A running node. Dropping it kills and reaps it; its helpers end with their pipes to it.
#[derive(Debug)]
pub struct Rabbitmq {
    // Before `folder`: both processes must be gone when it is removed.
    node: Guarded,
    _epmd: Guarded,
    addr: SocketAddr,
    folder: tempfile::TempDir,
    here: Here,
    how: How,
}

/// How a start goes.
#[derive(Clone, Debug)]
struct How {
    patience: Duration,
    interrupt: Interrupt,
    door: Door,
}

/// Which door clients come in by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Door {
    /// The broker's own.
    Amqp,
    /// The plug-in for MQTT 3.1.1.
    Mqtt,
}

/// What is installed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Here {
    /// The script that starts a node as the user it is called by.
    pub script: PathBuf,
    /// As the plug-in that is the broker tells it.
    pub version: Option<String>,
}

/// Looks for it, and starts nothing.
///
/// # Errors
/// There is none, as a fragment.
pub fn here() -> Result<Here, String> {
    let found = program::find("rabbitmq-server", VARIABLE)?;
    let real = |path: &Path| path.canonicalize().map_err(|error| format!("{}: {error}", path.display()));
    let mut script = real(&found)?;
    if script.file_name().is_some_and(|name| name == "rabbitmq-script-wrapper") {
        script = real(&script.with_file_name("rabbitmq-server"))?;
    }
    let version = script.parent().and_then(Path::parent).and_then(|home| version(&home.join("plugins")));
    Ok(Here { script, version })
}

fn version(plugins: &Path) -> Option<String> {
    let names = fs::read_dir(plugins).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut versions = names.filter_map(|name| {
        let version = name.strip_prefix("rabbit-")?;
        Some(version.strip_suffix(".ez").unwrap_or(version).to_owned())
    });
    versions.next()
}

/// How one try ended.
enum Failed {
    /// The node ended by itself: a port may have been taken.
    Ended(OracleError),
    /// Trying again would not help.
    For(OracleError),
}

impl Rabbitmq {
    /// Finds it, checks its version, starts a node and waits until it lets us log in.
    ///
    /// # Errors
    /// [`OracleError::Unavailable`] with what it said; [`OracleError::Interrupted`].
    pub fn start(version: Option<&str>, door: Door, options: &Options) -> Result<Rabbitmq, OracleError> {
        let here = here().map_err(unavailable)?;
        if let Some(wanted) = version
            && here.version.as_deref() != Some(wanted)
        {
            let has = here.version.as_deref().unwrap_or("one that does not tell");
            return Err(unavailable(format!("version {wanted} is not here, this is {has}")));
        }
        let (patience, interrupt) = (options.start_timeout.max(LEAST_PATIENCE), options.interrupt.clone());
        Rabbitmq::run(here, How { patience, interrupt, door })
    }

    fn run(here: Here, how: How) -> Result<Rabbitmq, OracleError> {
        let mut last = unavailable("no port is free".to_owned());
        for _ in 0..TRIES {
            match Rabbitmq::once(&here, &how) {
                Ok(node) => return Ok(node),
                Err(Failed::For(error)) => return Err(error),
                Err(Failed::Ended(error)) => last = error,
            }
        }
        Err(last)
    }

    fn once(here: &Here, how: &How) -> Result<Rabbitmq, Failed> {
        let failed = |why: String| Failed::For(unavailable(why));
        let folder = program::temp_dir().map_err(Failed::For)?;
        let ports @ [client, _, mapper, mqtt] = free_ports().map_err(|error| failed(error.to_string()))?;
        prepare(folder.path(), client, (how.door == Door::Mqtt).then_some(mqtt))
            .map_err(|source| Failed::For(OracleError::Io { path: folder.path().to_owned(), source }))?;
        let mut epmd = Command::new(program::on_path("epmd").map_err(|why| failed(format!("epmd: {why}")))?);
        epmd.args(["-address", "127.0.0.1", "-port"]).arg(mapper.to_string());
        epmd.current_dir(folder.path()).env_clear().env("HOME", folder.path());
        let epmd = Guarded::spawn(epmd).map_err(|error| failed(format!("epmd: {error}")))?;
        let node = command(&here.script, folder.path(), ports);
        let mut node = Guarded::spawn(node).map_err(|error| failed(error.to_string()))?;
        let port = if how.door == Door::Mqtt { mqtt } else { client };
        let addr = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let deadline = Instant::now() + how.patience;
        loop {
            if let Some(status) = node.ended() {
                let why = format!("{}{}", how_it_ended(status), quoted(&node.said_to_the_end()));
                return Err(Failed::Ended(unavailable(why)));
            }
            if how.answers(addr) {
                let (here, how) = (here.clone(), how.clone());
                return Ok(Rabbitmq { node, _epmd: epmd, addr, folder, here, how });
            }
            if how.interrupt.is_set() {
                return Err(Failed::For(OracleError::Interrupted));
            }
            if Instant::now() > deadline {
                return Err(failed(format!("not ready after {:?}{}", how.patience, quoted(&node.said()))));
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Where clients connect.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// As its files tell it.
    pub fn version(&self) -> Option<&str> {
        self.here.version.as_deref()
    }

    /// The process id of the node.
    pub fn id(&self) -> u32 {
        self.node.id()
    }

    /// The home of every process that belongs to it.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl How {
    fn answers(&self, addr: SocketAddr) -> bool {
        match self.door {
            Door::Amqp => Connection::open(addr, &Login::default(), &self.interrupt).is_ok(),
            Door::Mqtt => mqtt::answers(addr, &Door::login(), &self.interrupt),
        }
    }
}

impl Door {
    /// The user that every node has.
    pub fn login() -> mqtt::Login {
        let Login { user, password, .. } = Login::default();
        Some((user, password))
    }
}

impl Broker for Rabbitmq {
    fn addr(&self) -> SocketAddr {
        self.addr
    }
    fn ended(&mut self, patience: Duration) -> Option<String> {
        let status = self.node.ended_within(patience)?;
        Some(format!("{}{}", how_it_ended(status), quoted(&self.node.said_to_the_end())))
    }
    fn again(&mut self) -> Result<(), OracleError> {
        *self = Rabbitmq::run(self.here.clone(), self.how.clone())?;
        Ok(())
    }
}

fn unavailable(why: String) -> OracleError {
    OracleError::Unavailable { what: "rabbitmq-server".to_owned(), why, how: HOW.to_owned() }
}

/// Four that are free at the same time, so they differ.
fn free_ports() -> std::io::Result<[u16; 4]> {
    let listen = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let held = [listen()?, listen()?, listen()?, listen()?];
    let port = |at: usize| held[at].local_addr().map(|addr| addr.port());
    Ok([port(0)?, port(1)?, port(2)?, port(3)?])
}

/// The cookie, no plug-in but the one that is asked, and no alarm that would stop publishers: what is asked is small and
/// soon gone.
fn prepare(folder: &Path, port: u16, mqtt: Option<u16>) -> std::io::Result<()> {
    let cookie = folder.join(".erlang.cookie");
    fs::write(&cookie, format!("wildcheck{:08x}{:08x}", random(), random()))?;
    fs::set_permissions(&cookie, fs::Permissions::from_mode(0o400))?;
    fs::write(folder.join("enabled_plugins"), if mqtt.is_some() { "[rabbitmq_mqtt].\n" } else { "[].\n" })?;
    let mut config = format!(
        "listeners.tcp.1 = 127.0.0.1:{port}\ndisk_free_limit.absolute = 1MB\nvm_memory_high_watermark.relative = 0.9\n\
         log.file = false\nlog.console = true\nlog.console.level = error\n"
    );
    if let Some(port) = mqtt {
        config.push_str(&format!("mqtt.listeners.tcp.1 = 127.0.0.1:{port}\nmqtt.exchange = amq.topic\n"));
    }
    fs::write(folder.join("rabbitmq.conf"), config)
}

/// Nothing of the environment but PATH: a variable of another node would lead astray.
fn command(script: &Path, folder: &Path, [client, distribution, mapper, _]: [u16; 4]) -> Command {
    let mut path = std::env::var_os("PATH").unwrap_or_default();
    path.push(":/usr/bin:/bin");
    let mut command = Command::new(script);
    command.arg("-noinput").current_dir(folder).env_clear();
    command.env("PATH", path).env("HOME", folder).env("LANG", "C.UTF-8");
    command.env("ERL_EPMD_PORT", mapper.to_string()).env("ERL_EPMD_ADDRESS", "127.0.0.1");
    command.env("RABBITMQ_NODENAME", format!("wildcheck{:08x}@localhost", random()));
    command.env("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1").env("RABBITMQ_NODE_PORT", client.to_string());
    command.env("RABBITMQ_DIST_PORT", distribution.to_string());
    command.env("RABBITMQ_CONF_ENV_FILE", "/dev/null").env("RABBITMQ_LOGS", "-");
    for (variable, name) in [
        ("CONFIG_FILE", "rabbitmq.conf"),
        ("ADVANCED_CONFIG_FILE", "advanced.config"),
        ("ENABLED_PLUGINS_FILE", "enabled_plugins"),
        ("MNESIA_BASE", "mnesia"),
        ("LOG_BASE", "log"),
        ("GENERATED_CONFIG_DIR", "config"),
        ("SCHEMA_DIR", "schema"),
        ("PID_FILE", "pid"),
    ] {
        command.env(format!("RABBITMQ_{variable}"), folder.join(name));
    }
    // With this the script becomes the node; without it, a shell would stand between the node and the death signal.
    command.env("RABBITMQ_ALLOW_INPUT", "1");
    let erl = "+S 2:2 -kernel inet_dist_use_interface {127,0,0,1}";
    command.env("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", erl);
    // Also for the second runtime that a node starts to make sure of the port mapper: that one outlives the node.
    command.env("ERL_FLAGS", "-start_epmd false");
    command
}
