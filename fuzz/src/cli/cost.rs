//! `run --lane cost`: how the time of one pair grows on a live broker, and where it explodes. Must never compare a
//! verdict: the other lanes do, on pairs that cost a broker little.

use wildcheck::{exit::ExitCode, outside::growth};
use wildcheck_tables::RunEvent;

use super::{args::Live, bounded, desk::Desk, failure::Failure, session::Session};

/// Measures, oracle by oracle.
///
/// # Errors
/// One cannot be had or has no such lane.
pub fn run(session: &Session, live: &Live) -> Result<ExitCode, Failure> {
    let mut oracles = bounded::open_all(session, live)?;
    let identities = bounded::identities(session, oracles.iter().map(|(_, oracle)| &**oracle))?;
    let mut desk = Desk::open(session, "the time of one pair as it grows", identities)?;
    let mut exploding = 0;
    let result = oracles.iter_mut().try_for_each(|(_, oracle)| {
        for growth in growth::measure(session.dialect, &mut **oracle)? {
            if session.interrupt.is_set() {
                return Err(Failure::Interrupted);
            }
            let who = oracle.identity().name.clone();
            let mut text = format!("{who}: {}", growth.sentence());
            if let Some((pattern, subject)) = &growth.explosion {
                exploding += 1;
                text.push_str(&format!(" at pattern {pattern:?} subject {subject:?}"));
            }
            desk.print(&text);
            desk.keep(RunEvent::Finding { kind: "growth".to_owned(), text, kept: None })?;
        }
        desk.findings(&mut **oracle);
        Ok(())
    });
    let sentence = format!("{exploding} families of pairs explode");
    Ok(desk.close(result.map(|()| ExitCode::Agree), &sentence))
}
