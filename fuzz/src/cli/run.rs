//! `run`: does every row of the tables hold on these oracles, and is a bounded scope free of disagreement? Must never
//! stop at the first thing that does not hold.

use wildcheck::{certify::CertifyOptions, exit::ExitCode};
use wildcheck_oracle::{
    Address, Oracle,
    require::{self, ImageLane},
};
use wildcheck_tables::{DialectTables, Lane, RunEvent, Tables, review};

use super::{args::Live, asked, bounded, configured, cost, desk::Desk, failure::Failure, outside, session::Session};

/// The options of `run`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    live: Live,
    #[command(flatten)]
    program: outside::Program,
    /// Ask the rows under these configurations of nats-server as well and say where they do not agree: `all`, or names
    /// as for --config, separated by commas
    #[arg(long, value_name = "NAMES", value_parser = configured::wanted)]
    configurations: Option<configured::Wanted>,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let session = &*session;
    let tables = session.tables()?;
    if outside::all_outside(&args.live)? {
        if args.configurations.is_some() {
            return Err(Failure::Usage("--configurations is of servers that wildcheck starts".to_owned()));
        }
        return outside::run(session, &tables, &args.live, &args.program);
    }
    let of_dialect = session.of_dialect(&tables)?;
    if args.live.route.lane == Some(Lane::COST) {
        return cost::run(session, &args.live);
    }
    let oracles = bounded::open_all(session, &args.live)?;
    let scope = bounded::scope(session.dialect)?;
    let words = format!("every row of {}; {scope}", of_dialect.name);
    let identities = bounded::identities(session, oracles.iter().map(|(_, oracle)| &**oracle))?;
    let mut desk = Desk::open(session, &words, identities)?;
    let options = CertifyOptions { seed: session.seed, ..CertifyOptions::default() };
    let result = drift(&tables, &mut desk).and_then(|()| {
        let required = image_lane(session, &args.live, &mut desk)?;
        oracles.into_iter().try_fold(required, |code, (address, mut oracle)| {
            bounded::self_check(session, &mut desk)?;
            let measured = rows(session, of_dialect, &address, &args, &mut *oracle, &mut desk)?;
            if let Some(wanted) = &args.configurations {
                configured::ask(session, of_dialect, &address, &args.live.route, wanted, &mut desk)?;
            }
            let mut trio = bounded::trio(session, oracle, tables.baseline.clone())?;
            if !measured {
                wildcheck::besides::ask(session.dialect, of_dialect, &mut trio, &mut desk)?;
            }
            let certified = bounded::certify_with(&scope, &options, &mut trio, &mut desk)?;
            Ok(code.worst(bounded::verdict(&certified, &mut desk)))
        })
    });
    let tally = desk.tally.clone();
    let sentence = format!(
        "{} rows asked, {} do not hold; {} pairs certified, {} disagreements; {} causes known, {} new",
        tally.rows,
        tally.broken_rows,
        tally.pairs,
        tally.disagreements,
        tally.known_causes,
        tally.new_causes + tally.new_naive
    );
    let nothing = if tally.rows == 0 && tally.pairs == 0 { ExitCode::Nothing } else { ExitCode::Agree };
    Ok(desk.close(result.map(|code| code.worst(tally.code(true)).worst(nothing)), &sentence))
}

/// Where a server of ours is asked and no container engine answers, the image lane is not run, by name; where it is
/// required that is exit 5.
fn image_lane(session: &Session, live: &Live, desk: &mut Desk<'_>) -> Result<ExitCode, Failure> {
    let ours = |address: &Address| matches!(address, Address::Auto | Address::Process { .. });
    if session.dialect.name() != "nats" || !live.addresses().iter().any(ours) {
        return Ok(ExitCode::Agree);
    }
    let (why, code) = match require::image_lane() {
        Ok(ImageLane::Engine(_)) => return Ok(ExitCode::Agree),
        Ok(ImageLane::NotRun(why)) => (why, ExitCode::Agree),
        Err(error) => (error.to_string(), ExitCode::NoOracle),
    };
    desk.put(RunEvent::NotRun { what: require::IMAGE_LANE.to_owned(), why })?;
    Ok(code)
}

/// Rows that contradict the reference, clauses without their rows.
fn drift(tables: &Tables, desk: &mut Desk<'_>) -> Result<(), Failure> {
    for finding in review(tables) {
        let place = match finding.line {
            Some(line) => format!("{}:{line}", finding.file),
            None => finding.file.clone(),
        };
        let (expected, seen) = ("the rules of the dialect".to_owned(), finding.text.clone());
        desk.put(RunEvent::Drift { place, expected, seen })?;
    }
    Ok(())
}

/// Asks the rows; were they measured on this broker?
fn rows(
    session: &Session,
    tables: &DialectTables,
    address: &Address,
    args: &Args,
    oracle: &mut dyn Oracle,
    desk: &mut Desk<'_>,
) -> Result<bool, Failure> {
    let asked = asked::ask(session, tables, address, &args.live.route, oracle)?;
    for event in asked.events {
        desk.put(event)?;
    }
    for row in wildcheck::rows::results(session.dialect, tables, &asked.lanes) {
        desk.put(RunEvent::Row(row))?;
    }
    let measured = asked.lanes.iter().all(|lane| lane.measured);
    if !measured && let (Some(broker), Some(lane)) = (tables.measured_on(), asked.lanes.first()) {
        desk.say(&format!(
            "the rows of {} were measured on {broker}; {} is judged by its causes, not by that column",
            tables.name, lane.oracle
        ));
    }
    Ok(measured)
}
