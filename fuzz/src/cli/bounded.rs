//! What `run`, `regen`, `certify` and `fuzz` have in common: the oracles, the trio, the self-check, the bounded scope.
//!
//! Must never be a scope smaller than what makes a server that misroutes one message in ten thousand show.

use wildcheck::{
    campaign::Trio,
    certify::{Certified, CertifyOptions},
    error::CampaignError,
    exit::ExitCode,
    scope::Scope,
    selfcheck,
};
use wildcheck_matcher::Dialect;
use wildcheck_oracle::{Address, Oracle};
use wildcheck_tables::{Identity, RunEvent, row::BaselineRow};

use super::{
    args::Live,
    desk::Desk,
    failure::Failure,
    session::{Session, in_memory},
    talk::complain,
};

/// The literals of the bounded scope: two that differ, and one that starts like another.
pub const TOKENS: &str = "a,b,ab";
/// For nats: 7.4 million pairs and 111 thousand deliveries.
const DEPTH: usize = 6;
/// RabbitMQ pays for each pattern with a queue, and a `#` anywhere makes more deliveries of fewer pairs.
const DEPTH_RABBITMQ: usize = 5;

/// The scope of `run` and `regen`.
///
/// # Errors
/// The dialect refuses these tokens.
pub fn scope(dialect: &'static dyn Dialect) -> Result<Scope, Failure> {
    let depth = if dialect.tables() == "rabbitmq" { DEPTH_RABBITMQ } else { DEPTH };
    Ok(Scope::parse(dialect, TOKENS, depth, false, false)?)
}

/// An oracle under test and the address it was opened by.
pub type Opened = (Address, Box<dyn Oracle>);

/// Everybody under test, opened.
///
/// # Errors
/// One of them cannot be had.
pub fn open_all(session: &Session, live: &Live) -> Result<Vec<Opened>, Failure> {
    let mut oracles = Vec::new();
    for address in live.addresses() {
        let oracle = if in_memory(&address) {
            session.open(&address, &live.route.of_memory())?
        } else {
            session.open(&address, &live.route)?
        };
        oracles.push((address, oracle));
    }
    Ok(oracles)
}

/// Reference, those under test, naive: the order of every record and report.
///
/// # Errors
/// None in practice: these two live in the matcher crate.
pub fn identities<'a>(
    session: &Session,
    under_test: impl Iterator<Item = &'a dyn Oracle>,
) -> Result<Vec<Identity>, Failure> {
    let memory = |address| Ok::<_, Failure>(session.open_lane(&address, None, Default::default())?.identity().clone());
    let mut identities = vec![memory(Address::Reference)?];
    identities.extend(under_test.map(|oracle| oracle.identity().clone()));
    identities.push(memory(Address::Naive)?);
    Ok(identities)
}

/// The three ways.
///
/// # Errors
/// None in practice.
pub fn trio(session: &Session, under_test: Box<dyn Oracle>, baseline: Vec<BaselineRow>) -> Result<Trio, Failure> {
    let memory = |address| session.open_lane(&address, None, Default::default());
    let mut trio = Trio::new(memory(Address::Reference)?, Some(under_test), memory(Address::Naive)?);
    trio.baseline = baseline;
    Ok(trio)
}

/// The planted bug, which must be found before anything else is believed.
///
/// # Errors
/// It was not found; the record could not be written.
pub fn self_check(session: &Session, desk: &mut Desk<'_>) -> Result<(), Failure> {
    let mut reference = session.open_lane(&Address::Reference, None, Default::default())?;
    let checked = match selfcheck::self_check(session.dialect, session.seed, &mut *reference, desk) {
        Ok(checked) => checked,
        Err(CampaignError::Nothing(why)) => return desk.put(RunEvent::NotRun { what: "self-check".to_owned(), why }),
        Err(error) => return Err(error.into()),
    };
    if checked.caught { Ok(()) } else { Err(Failure::SelfCheck(checked.planted.name)) }
}

/// Certifies a scope; what happened to the oracle on the way is in the record, also when it was lost.
///
/// # Errors
/// The oracle was lost, or the record could not be written.
pub fn certify(
    session: &Session,
    scope: &Scope,
    options: &CertifyOptions,
    under_test: Box<dyn Oracle>,
    baseline: Vec<BaselineRow>,
    desk: &mut Desk<'_>,
) -> Result<Certified, Failure> {
    certify_with(scope, options, &mut trio(session, under_test, baseline)?, desk)
}

/// The same, of three that were opened before.
///
/// # Errors
/// As for [`certify`].
pub fn certify_with(
    scope: &Scope,
    options: &CertifyOptions,
    trio: &mut Trio,
    desk: &mut Desk<'_>,
) -> Result<Certified, Failure> {
    let certified = wildcheck::certify::certify(scope, trio, options, desk);
    findings(trio, desk);
    Ok(certified?)
}

/// What a certify says beyond its witnesses.
pub fn verdict(certified: &Certified, desk: &mut Desk<'_>) -> ExitCode {
    let counts = &certified.under_test;
    if certified.validity > 0 {
        desk.say(&format!("{} operands are accepted by one and refused by the other", certified.validity));
    }
    if counts.duplicates > 0 {
        desk.say(&format!("{} copies beyond the first of one message to one subscription", counts.duplicates));
    }
    if counts.unknown == 0 || certified.interrupted {
        return ExitCode::Agree;
    }
    complain(&format!("{} of {} pairs had no answer", counts.unknown, counts.pairs));
    if counts.unknown == counts.pairs { ExitCode::Nothing } else { ExitCode::NoOracle }
}

/// What happened to the oracle under test on the way.
pub fn findings(trio: &mut Trio, desk: &mut Desk<'_>) {
    if let Some(oracle) = trio.under_test.as_deref_mut() {
        desk.findings(oracle);
    }
}
