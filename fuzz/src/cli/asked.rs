//! The rows of the tables put to a live broker, lane by lane. Must never leave a lane out without saying so.

use wildcheck::rows::{self, LaneAnswers};
use wildcheck_oracle::{Address, Oracle};
use wildcheck_tables::{DialectTables, Lane, RunEvent};

use super::{
    args::Route,
    failure::Failure,
    session::{Session, in_memory},
};

/// What came of it.
pub struct Asked {
    /// The main lane first.
    pub lanes: Vec<LaneAnswers>,
    /// [`RunEvent::NotRun`] for each lane that cannot be asked here, [`RunEvent::Finding`] for what happened on the way.
    pub events: Vec<RunEvent>,
}

/// Asks the rows through `main` and, unless a lane was chosen, through every lane that the tables name.
///
/// # Errors
/// An oracle was lost, or the run was interrupted.
pub fn ask(
    session: &Session,
    tables: &DialectTables,
    address: &Address,
    route: &Route,
    main: &mut dyn Oracle,
) -> Result<Asked, Failure> {
    let mut asked = Asked { lanes: vec![rows::ask(session.dialect, tables, main)?], events: Vec::new() };
    asked.tell(main);
    if route.lane.is_some() || in_memory(address) {
        return Ok(asked);
    }
    let done = main.identity().lane.clone();
    for lane in rows::lanes(tables).into_iter().filter(|lane| *lane != done) {
        if session.interrupt.is_set() {
            return Err(Failure::Interrupted);
        }
        match open(session, address, &lane, route) {
            Ok(mut oracle) => {
                asked.lanes.push(rows::ask(session.dialect, tables, &mut *oracle)?);
                asked.tell(&mut *oracle);
            }
            Err(Failure::Usage(why)) => {
                asked.events.push(RunEvent::NotRun { what: format!("the lane {lane} of {address}"), why });
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(asked)
}

fn open(session: &Session, address: &Address, lane: &Lane, route: &Route) -> Result<Box<dyn Oracle>, Failure> {
    session.open(address, &Route { lane: Some(lane.clone()), ..route.clone() })
}

impl Asked {
    fn tell(&mut self, oracle: &mut dyn Oracle) {
        let who = oracle.identity().to_string();
        let event = |text| RunEvent::Finding { kind: "oracle".to_owned(), text: format!("{who}: {text}"), kept: None };
        self.events.extend(oracle.findings().into_iter().map(event));
    }
}
