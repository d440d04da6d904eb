//! Options that several commands share, and how operands are read from the command line. Must never open anything.

use std::{ffi::OsString, os::unix::ffi::OsStrExt, path::PathBuf};

use clap::{
    Args, ValueEnum,
    builder::{OsStringValueParser, TypedValueParser},
};
use wildcheck_oracle::{
    Address, Plan,
    configured::{self, Configuration},
};
use wildcheck_tables::{Lane, Operand, cell};

/// What every command takes.
#[derive(Args, Clone)]
pub struct Global {
    /// Read the truth tables from this folder instead of those in the binary
    #[arg(long, global = true, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// The pattern language
    #[arg(long, global = true, default_value = "nats")]
    pub dialect: String,
    /// Where the record and the report go; the previous one is kept as DIR.old
    #[arg(long, global = true, value_name = "DIR", default_value = "./wildcheck-out")]
    pub out: PathBuf,
    /// The seed of everything random; drawn and printed when absent
    #[arg(long, global = true, value_name = "N")]
    pub seed: Option<u64>,
    /// Say nothing on stderr but errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Colours on the terminal
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Tell on stderr what is done; twice for more
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// When to colour.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Which live oracle, and how it is asked.
#[derive(Args, Clone)]
pub struct Live {
    /// Who is under test: auto, process:PROGRAM[@VERSION], image:NAME, nats://HOST:PORT, recorded:PROGRAM@VERSION,
    /// exec:COMMAND, cmd:COMMAND, tsv:COMMAND, reference, naive; may be repeated
    #[arg(long, value_name = "ADDRESS")]
    pub oracle: Vec<Address>,
    #[command(flatten)]
    pub route: Route,
}

impl Live {
    /// The addresses, `auto` where none was given.
    pub fn addresses(&self) -> Vec<Address> {
        if self.oracle.is_empty() { vec![Address::Auto] } else { self.oracle.clone() }
    }
}

/// The route to a live oracle.
#[derive(Args, Clone)]
pub struct Route {
    /// The route: wire, wire-pedantic, client, subsz; default: the oracle's usual one
    #[arg(long, value_name = "LANE", value_parser = lane)]
    pub lane: Option<Lane>,
    /// All patterns and subjects at once, or one pair a connection
    #[arg(long, value_enum, default_value_t = PlanArg::FanOut)]
    pub plan: PlanArg,
    /// Run nats-server under this configuration: default, verbose, pedantic, no-cache, max-sub-tokens,
    /// max-control-line, max-payload, account, cluster, leaf-to-hub, hub-to-leaf
    #[arg(long, value_name = "NAME", value_parser = configuration)]
    pub config: Option<&'static Configuration>,
}

impl Route {
    /// What of it is said to a matcher in this process, which has one lane and one plan.
    pub fn of_memory(&self) -> Route {
        Route { lane: None, plan: PlanArg::FanOut, config: self.config }
    }
}

fn configuration(name: &str) -> Result<&'static Configuration, String> {
    configured::named(name).ok_or_else(|| {
        let known: Vec<_> = configured::CONFIGURATIONS.iter().map(|configuration| configuration.name).collect();
        format!("known are {}", known.join(", "))
    })
}

/// [`Plan`] as typed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanArg {
    /// All at once, one fence.
    FanOut,
    /// One pair a connection.
    Isolated,
}

impl From<PlanArg> for Plan {
    fn from(plan: PlanArg) -> Plan {
        match plan {
            PlanArg::FanOut => Plan::FanOut,
            PlanArg::Isolated => Plan::Isolated,
        }
    }
}

fn lane(text: &str) -> Result<Lane, String> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if text.is_empty() || !text.bytes().all(plain) {
        return Err("a lane is a word of a-z, 0-9 and `-`, such as wire-pedantic".to_owned());
    }
    Ok(Lane(text.to_owned().into()))
}

/// Reads an operand: `\xNN` is a byte, everything else itself, also bytes that are not UTF-8.
pub fn operand() -> impl TypedValueParser<Value = Operand> {
    OsStringValueParser::new().try_map(|text: OsString| decode(text.as_bytes()))
}

/// `\xNN` is a byte, everything else itself.
///
/// # Errors
/// A backslash that does not start `\xNN`.
pub fn decode(text: &[u8]) -> Result<Operand, cell::EscapeError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut characters = 0;
    for chunk in text.utf8_chunks() {
        let plain = cell::unescape(chunk.valid()).map_err(|e| cell::EscapeError { at: e.at + characters })?;
        bytes.extend(plain);
        bytes.extend_from_slice(chunk.invalid());
        characters += chunk.valid().chars().count() + chunk.invalid().len();
    }
    Ok(Operand(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_and_raw_bytes_can_be_typed() {
        assert_eq!(decode(b"a.\\x00").unwrap().0, b"a.\0");
        assert_eq!(decode(b"\xff.\\x2A").unwrap().0, b"\xff.*");
    }

    #[test]
    fn a_lone_backslash_is_told_by_its_place() {
        assert_eq!(decode(b"\xffa\\y").unwrap_err().at, 3);
    }
}
