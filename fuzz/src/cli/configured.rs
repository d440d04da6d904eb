//! `run --configurations`: the rows asked of the server as it comes and of the same server under other configurations.
//! Must never leave a configuration out without saying so.

use wildcheck::{
    configurations::{Compared, compare},
    rows,
};
use wildcheck_oracle::{
    Address,
    configured::{self, CONFIGURATIONS, Configuration},
};
use wildcheck_tables::{DialectTables, Lane, RunEvent};

use super::{args::Route, desk::Desk, failure::Failure, session::Session};

/// The configurations that were asked for, in the order of the list of all.
#[derive(Clone)]
pub struct Wanted(Vec<&'static Configuration>);

/// `all`, or names separated by commas.
///
/// # Errors
/// A name that there is not; the sentence lists those there are.
pub fn wanted(text: &str) -> Result<Wanted, String> {
    if text == "all" {
        return Ok(Wanted(CONFIGURATIONS.iter().skip(1).collect()));
    }
    let known = || CONFIGURATIONS.iter().map(|configuration| configuration.name).collect::<Vec<_>>().join(", ");
    let find = |name: &str| {
        configured::named(name.trim()).ok_or_else(|| format!("no configuration `{name}`; known: all, {}", known()))
    };
    text.split(',').map(find).collect::<Result<_, _>>().map(Wanted)
}

/// Asks, and puts a line that says how many agree, and drift for each answer that does not.
///
/// # Errors
/// A server cannot be started or was lost, or the address is not one of ours.
pub fn ask(
    session: &Session,
    tables: &DialectTables,
    address: &Address,
    route: &Route,
    Wanted(wanted): &Wanted,
    desk: &mut Desk<'_>,
) -> Result<(), Failure> {
    let lanes = match &route.lane {
        Some(lane) => vec![lane.clone()],
        None => vec![Lane::WIRE, Lane::WIRE_PEDANTIC],
    };
    let answers = |lane: &Lane, config: &'static Configuration| {
        if session.interrupt.is_set() {
            return Err(Failure::Interrupted);
        }
        let route = Route { lane: Some(lane.clone()), config: Some(config), ..route.clone() };
        let mut oracle = session.open(address, &route)?;
        Ok(rows::ask(session.dialect, tables, &mut *oracle)?)
    };
    let mut compared: Vec<(&Configuration, Compared)> =
        wanted.iter().map(|configuration| (*configuration, Compared::default())).collect();
    for lane in &lanes {
        let usual = answers(lane, &CONFIGURATIONS[0])?;
        for (configuration, sum) in &mut compared {
            let of_lane = compare(tables, configuration, &usual, &answers(lane, configuration)?);
            for difference in &of_lane.differences {
                desk.put(RunEvent::Drift {
                    place: format!("configuration {}, by {lane}: {}", configuration.name, difference.question),
                    expected: difference.usual.clone(),
                    seen: difference.seen.clone(),
                })?;
            }
            sum.add(of_lane);
        }
    }
    let text = sentence(&address.to_string(), &compared);
    desk.put(RunEvent::Finding { kind: "configurations".to_owned(), text, kept: None })
}

fn sentence(address: &str, compared: &[(&Configuration, Compared)]) -> String {
    let names = |which: &dyn Fn(&Compared) -> bool| -> Vec<&str> {
        compared.iter().filter(|(_, of)| which(of)).map(|(configuration, _)| configuration.name).collect()
    };
    let questions = compared.first().map_or(0, |(_, of)| of.questions());
    let same = names(&|of| of.differences.is_empty());
    let other = names(&|of| !of.differences.is_empty());
    let mut text = format!("{address}: {questions} questions a configuration; ");
    text.push_str(&if same.is_empty() {
        "none says the same as default".to_owned()
    } else {
        format!("the same as under default say {}", same.join(", "))
    });
    let limited: Vec<String> = compared
        .iter()
        .filter(|(_, of)| of.limited > 0)
        .map(|(configuration, of)| format!("{} under {}", of.limited, configuration.name))
        .collect();
    if !limited.is_empty() {
        text.push_str(&format!(" (but for what they are there to refuse: {})", limited.join(", ")));
    }
    if !other.is_empty() {
        text.push_str(&format!("; NOT the same: {}", other.join(", ")));
    }
    text
}
