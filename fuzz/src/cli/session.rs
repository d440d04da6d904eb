//! What one invocation has at hand: dialect, seed, interrupt, how to talk, how to open an oracle.
//!
//! Must never keep an oracle open behind a command's back: whoever opens it owns it.

use std::{
    hash::{BuildHasher, Hasher},
    os::unix::ffi::OsStrExt,
};

use wildcheck::exit::ExitCode;
use wildcheck_matcher::Dialect;
use wildcheck_oracle::{Address, Interrupt, Options, Oracle, OracleError, Plan};
use wildcheck_tables::{DialectTables, Lane, Tables};

use super::{args::Global, args::Route, failure::Failure, talk::Talk};

/// One invocation.
pub struct Session {
    /// The options every command takes.
    pub global: Global,
    /// The command's name.
    pub command: &'static str,
    /// Its arguments as typed, bytes that are no text as `\xNN`.
    pub arguments: Vec<String>,
    /// The language of the questions.
    pub dialect: &'static dyn Dialect,
    /// The seed of everything random.
    pub seed: u64,
    /// Set by Ctrl-C, SIGTERM and SIGHUP.
    pub interrupt: Interrupt,
    /// How to talk.
    pub talk: Talk,
}

impl Session {
    /// Reads the options, sets the interrupt handler and the log.
    ///
    /// # Errors
    /// An unknown dialect.
    pub fn new(global: Global, command: &'static str) -> Result<Session, Failure> {
        let dialect = named(&global.dialect)?;
        log(global.verbose);
        let interrupt = Interrupt::new();
        let flag = interrupt.clone();
        // A second signal ends at once; children die with us (parent-death signal).
        let handler = move || if flag.is_set() { ExitCode::Interrupted.now() } else { flag.set() };
        if let Err(error) = ctrlc::set_handler(handler) {
            tracing::warn!(%error, "no interrupt handler");
        }
        let seed = global.seed.unwrap_or_else(drawn);
        let talk = Talk::new(global.quiet, global.color);
        let arguments = std::env::args_os().skip(1).map(|arg| typed(arg.as_bytes())).collect();
        Ok(Session { global, command, arguments, dialect, seed, interrupt, talk })
    }

    /// The tables of `--tables`, or those in the binary.
    ///
    /// # Errors
    /// What is wrong with them, every place of it.
    pub fn tables(&self) -> Result<Tables, Failure> {
        Ok(match &self.global.tables {
            Some(dir) => Tables::load(dir)?,
            None => Tables::embedded()?,
        })
    }

    /// The tables of the dialect of the questions.
    ///
    /// # Errors
    /// There are none.
    pub fn of_dialect<'t>(&self, tables: &'t Tables) -> Result<&'t DialectTables, Failure> {
        let name = self.dialect.name();
        tables.dialect(name).ok_or_else(|| Failure::Nothing(format!("there are no tables of the dialect {name}")))
    }

    /// The sentence of a clause, as the tables have it.
    ///
    /// # Errors
    /// The tables are wrong.
    pub fn clause(&self, id: &str) -> Result<Option<String>, Failure> {
        let tables = self.tables()?;
        let of_dialect = tables.dialect(self.dialect.name());
        Ok(of_dialect.and_then(|tables| tables.clause(id)).map(|clause| clause.statement.clone()))
    }

    /// How to open an oracle on that route.
    pub fn options(&self, lane: Option<Lane>, plan: Plan) -> Options {
        Options {
            lane,
            plan,
            tables: self.global.tables.clone(),
            interrupt: self.interrupt.clone(),
            ..Options::new(self.dialect)
        }
    }

    /// Opens an oracle. A lane or dialect that it does not have is a usage error.
    ///
    /// # Errors
    /// What the oracle says.
    pub fn open(&self, address: &Address, route: &Route) -> Result<Box<dyn Oracle>, Failure> {
        self.open_as(address, Options { config: route.config, ..self.options(route.lane.clone(), route.plan.into()) })
    }

    /// As [`Session::open`], on a lane of the caller's choice.
    ///
    /// # Errors
    /// What the oracle says.
    pub fn open_lane(&self, address: &Address, lane: Option<Lane>, plan: Plan) -> Result<Box<dyn Oracle>, Failure> {
        self.open_as(address, self.options(lane, plan))
    }

    fn open_as(&self, address: &Address, options: Options) -> Result<Box<dyn Oracle>, Failure> {
        if *address == Address::Auto && !wildcheck_oracle::open::has_broker(self.dialect) {
            let dialect = self.dialect.name();
            return Err(Failure::Nothing(format!(
                "this version starts no broker of the dialect {dialect}; name an --oracle (reference, naive, exec:…)"
            )));
        }
        wildcheck_oracle::open(address, &options).map_err(|error| match error {
            OracleError::Unsupported { .. } => Failure::Usage(error.to_string()),
            other => Failure::Oracle(other),
        })
    }
}

/// The dialect of that name.
///
/// # Errors
/// There is none; the sentence lists those there are.
pub fn named(name: &str) -> Result<&'static dyn Dialect, Failure> {
    wildcheck_matcher::by_name(name).ok_or_else(|| {
        let known: Vec<_> = wildcheck_matcher::dialects().iter().map(|d| d.name()).collect();
        Failure::Usage(format!("unknown dialect `{name}`; known: {}", known.join(", ")))
    })
}

/// Is it a matcher in this process?
pub fn in_memory(address: &Address) -> bool {
    matches!(address, Address::Reference | Address::Naive | Address::Spec)
}

fn log(verbose: u8) {
    let level = match verbose {
        0 => return,
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let filter = tracing_subscriber::EnvFilter::new(format!("warn,wildcheck={level},wildcheck_oracle={level}"));
    let _ =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false).try_init();
}

/// A seed from the operating system: thirty-two bits are enough to be different and short enough to be typed again.
fn drawn() -> u64 {
    std::hash::RandomState::new().build_hasher().finish() & u64::from(u32::MAX)
}

fn typed(argument: &[u8]) -> String {
    match std::str::from_utf8(argument) {
        Ok(text) => text.to_owned(),
        Err(_) => wildcheck_tables::cell::escape(argument),
    }
}
