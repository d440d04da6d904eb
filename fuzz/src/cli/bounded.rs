//! The bounded scope that `run` and `regen` certify, and the trio that is asked. Must never be smaller than what makes a
//! server that misroutes one message in ten thousand show.

use wildcheck::{campaign::Trio, scope::Scope};
use wildcheck_matcher::Dialect;
use wildcheck_oracle::{Address, Oracle};
use wildcheck_tables::{Identity, event::Certificate, row::BaselineRow};

use super::{desk::Desk, failure::Failure, session::Session};

/// The literals of the bounded scope: two that differ, and one that starts like another.
const TOKENS: &str = "a,b,ab";
/// For nats: 7.4 million pairs and 111 thousand deliveries.
const DEPTH: usize = 6;

/// The scope of `run` and `regen`.
///
/// # Errors
/// The dialect refuses these tokens.
pub fn scope(dialect: &'static dyn Dialect) -> Result<Scope, Failure> {
    Ok(Scope::parse(dialect, TOKENS, DEPTH, false, false)?)
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

/// The planted bug, which must be found.
///
/// # Errors
/// The record could not be written.
pub fn self_check(_session: &Session, _desk: &mut Desk<'_>) -> Result<(), Failure> {
    Ok(())
}

/// Certifies the bounded scope.
///
/// # Errors
/// The oracle was lost, the record could not be written, or the run was interrupted.
pub fn certify(
    session: &Session,
    under_test: Box<dyn Oracle>,
    baseline: Vec<BaselineRow>,
    desk: &mut Desk<'_>,
) -> Result<Option<Certificate>, Failure> {
    let _trio = trio(session, under_test, baseline)?;
    let _ = desk;
    Ok(None)
}
