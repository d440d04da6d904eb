//! `run` on somebody's matcher (`exec:`, `cmd:`, `tsv:`): the audit, told in three piles. Must never fail for a pile that
//! the user did not name.

use std::time::Duration;

use wildcheck::{
    campaign::Trio,
    exit::ExitCode,
    outside::{AuditOptions, Audited, Effort, audit},
};
use wildcheck_oracle::{Address, Oracle, OracleError};
use wildcheck_tables::{Tables, event::Pile};

use super::{
    args::Live,
    bounded,
    desk::Desk,
    failure::Failure,
    referee::{Choice, Referee},
    session::Session,
};

/// The options of `run` that only outside programs take.
#[derive(clap::Args, Clone)]
pub struct Program {
    /// Outside programs: the piles besides `legal` that fail the run: illegal, limits
    #[arg(long, value_name = "PILES", value_delimiter = ',', value_parser = pile)]
    fail_on: Vec<Pile>,
    /// Outside programs: how many seconds an answer may take before it counts as hanging
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    answer_timeout: u64,
    /// Outside programs: how many random grids are asked after the exhaustive ones
    #[arg(long, value_name = "N", default_value_t = 24)]
    grids: u64,
    /// Outside programs: who is asked where the reference and the program disagree: auto (the dialect's broker, if it can
    /// be had), none, or an address as of --oracle
    #[arg(long, value_name = "REFEREE", default_value = "auto")]
    referee: Choice,
}

fn pile(text: &str) -> Result<Pile, String> {
    let named = |pile: &&Pile| pile.as_str() == text;
    Pile::ALL.iter().find(named).copied().ok_or_else(|| "a pile is legal, illegal or limits".to_owned())
}

fn is_outside(address: &Address) -> bool {
    match address {
        Address::Exec(_) | Address::Cmd(_) | Address::Tsv(_) => true,
        // It speaks no dialect: it is a matcher like any other, that happens to be a server.
        Address::Process { program, .. } => program == "redis-server",
        Address::Url(url) => url.starts_with("redis:"),
        _ => false,
    }
}

/// Are those under test outside programs?
///
/// # Errors
/// Some are and some are not: what they are asked is not the same.
pub fn all_outside(live: &Live) -> Result<bool, Failure> {
    let addresses = live.addresses();
    let count = addresses.iter().filter(|address| is_outside(address)).count();
    if count != 0 && count != addresses.len() {
        return Err(Failure::Usage("brokers and outside programs are not asked in one run: run twice".to_owned()));
    }
    Ok(count != 0)
}

/// Audits each of them.
///
/// # Errors
/// One cannot be started, nor the referee that was named; the record cannot be made.
pub fn run(session: &Session, tables: &Tables, live: &Live, args: &Program) -> Result<ExitCode, Failure> {
    let of_dialect = session.of_dialect(tables)?;
    let mut programs = Vec::new();
    for address in live.addresses() {
        programs.push((effort(&address), open(session, &address, args)?));
    }
    let mut referee = Referee::new(session, args.referee.clone())?;
    let words = format!("rows of {}, structure, literals, search, growth, sets", of_dialect.name);
    let identities = bounded::identities(session, programs.iter().map(|(_, program)| &**program))?;
    let fail_on = [&[Pile::Legal], &args.fail_on[..]].concat();
    let mut desk = Desk::audit(session, &words, identities, Some(fail_on))?;
    let mut sentences = Vec::new();
    let result = bounded::self_check(session, &mut desk).and_then(|()| {
        programs.into_iter().try_fold(ExitCode::Agree, |code, (effort, program)| {
            let name = program.identity().to_string();
            let mut trio: Trio = bounded::trio(session, program, tables.baseline.clone())?;
            let options = AuditOptions { seed: session.seed, effort, grids: args.grids };
            let audited = audit(session.dialect, of_dialect, &options, &mut trio, &mut desk)?;
            sentences.push(sentence(&name, &audited));
            referee.ask(session, &name, &audited.witnesses, &tables.baseline, &mut desk)?;
            let nothing = audited.counts.pairs == audited.counts.unknown && !audited.interrupted;
            Ok(code.worst(if nothing { ExitCode::Nothing } else { ExitCode::Agree }))
        })
    });
    let tally = desk.tally.clone();
    Ok(desk.close(result.map(|code| code.worst(tally.code(false))), &sentences.join("; ")))
}

fn effort(address: &Address) -> Effort {
    if matches!(address, Address::Cmd(_)) { Effort::Small } else { Effort::Full }
}

fn open(session: &Session, address: &Address, args: &Program) -> Result<Box<dyn Oracle>, Failure> {
    let mut options = session.options(None, Default::default());
    options.answer_timeout = Duration::from_secs(args.answer_timeout);
    wildcheck_oracle::open(address, &options).map_err(|error| match error {
        OracleError::Unsupported { .. } => Failure::Usage(error.to_string()),
        other => Failure::Oracle(other),
    })
}

fn sentence(name: &str, audited: &Audited) -> String {
    let piles: Vec<String> =
        Pile::ALL.iter().map(|pile| format!("{}: {} causes", pile.heading(), audited.in_pile(*pile))).collect();
    let counts = &audited.counts;
    let unknown = if counts.unknown > 0 { format!(" ({} without an answer)", counts.unknown) } else { String::new() };
    format!("{name}: {} verdicts asked{unknown}; {}", counts.pairs, piles.join(", "))
}
