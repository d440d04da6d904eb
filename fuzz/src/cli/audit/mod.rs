//! `audit`: which claims about a backend are true, by which lane, of which version. Must never take a recorded verdict
//! for an answer.

mod programs;
mod told;

use std::{collections::BTreeSet, io::Write as _};

use wildcheck::{
    claims::{self, Audited},
    exit::ExitCode,
};
use wildcheck_oracle::{Address, Oracle};
use wildcheck_tables::{Identity, Lane, RunEvent, event::ClaimResult, row::Claim};

pub use self::programs::{absent, server};
use self::told::Told;
use super::{args::Route, desk::Desk, failure::Failure, session::Session, side::by_side};

/// The options of `audit`.
#[derive(clap::Args)]
pub struct Args {
    /// Only the claim of that id, with every line both ways
    #[arg(long, value_name = "ID")]
    claim: Option<String>,
    /// Who is asked: auto, process:PROGRAM[@VERSION]; where claims are pairs of pattern and subject also a URL
    #[arg(long, value_name = "ADDRESS", default_value = "auto")]
    oracle: Address,
    /// How it is told
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    format: Shape,
}

/// How a table is told.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Shape {
    /// For a terminal.
    Text,
    /// Markdown.
    Md,
    /// Comma-separated values.
    Csv,
    /// JSON.
    Json,
}

/// What was audited so far, and why it is not more.
struct Done {
    audited: Vec<Audited>,
    failure: Option<Failure>,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let session = &*session;
    let tables = session.tables()?;
    let all = session.of_dialect(&tables)?.claims.clone().unwrap_or_default();
    if session.dialect.name() == "nats" {
        let (binary, version) = server(session, &args.oracle)?;
        let asked = wanted(session, &args, &all, &version)?;
        let lanes: BTreeSet<&Lane> = asked.iter().map(|claim| &claim.lane).collect();
        let identities = lanes.into_iter().map(|lane| identity(session, &args.oracle, &version, lane)).collect();
        return finish(session, &args, &all, (format!("nats-server {version}"), identities), |desk| {
            let mut asked = asked;
            for (lane, why) in absent(session, &asked)? {
                asked.retain(|claim| claim.lane != lane);
                desk.put(RunEvent::NotRun { what: format!("the lane {lane}"), why })?;
            }
            let done = by_side(session, &asked, |claim| Ok(claims::ask(claim, &binary, &session.interrupt)?));
            Ok(Done { audited: done.results, failure: done.failure })
        });
    }
    let route = Route { lane: None, plan: super::args::PlanArg::FanOut, config: None };
    let mut oracle = session.open(&args.oracle, &route)?;
    let identity = oracle.identity().clone();
    let asked = wanted(session, &args, &all, identity.version.as_deref().unwrap_or_default())?;
    finish(session, &args, &all, (identity.to_string(), vec![identity]), |desk| {
        pairs(session, asked, &mut *oracle, desk)
    })
}

/// Claims that are pairs, of a broker that runs. Those of another lane are told as not run.
fn pairs(session: &Session, asked: Vec<Claim>, oracle: &mut dyn Oracle, desk: &mut Desk<'_>) -> Result<Done, Failure> {
    let lane = oracle.identity().lane.clone();
    let (asked, others): (Vec<Claim>, Vec<Claim>) = asked.into_iter().partition(|claim| claim.lane == lane);
    for other in others.iter().map(|claim| &claim.lane).collect::<BTreeSet<_>>() {
        let why = format!("{} is asked by the lane {lane}", oracle.identity().name);
        desk.put(RunEvent::NotRun { what: format!("the lane {other}"), why })?;
    }
    let audited = claims::ask_pairs(session.dialect, &asked, oracle);
    desk.findings(oracle);
    Ok(Done { audited: audited?, failure: None })
}

/// The claims that are asked of that version, never none.
fn wanted(session: &Session, args: &Args, all: &[Claim], version: &str) -> Result<Vec<Claim>, Failure> {
    let wanted = |claim: &&Claim| args.claim.as_ref().is_none_or(|wanted| *wanted == claim.id);
    let asked: Vec<Claim> = claims::of_version(all, version).into_iter().filter(wanted).cloned().collect();
    if !asked.is_empty() {
        return Ok(asked);
    }
    Err(match &args.claim {
        Some(id) => Failure::Usage(format!("no claim {id} of {version}; known: {}", told::ids(all).join(", "))),
        None => Failure::Nothing(format!("there are no claims about {}", session.dialect.name())),
    })
}

/// Asks, tells and records what there is, also when it comes to an end too early.
fn finish(
    session: &Session,
    args: &Args,
    all: &[Claim],
    (server, identities): (String, Vec<Identity>),
    ask: impl FnOnce(&mut Desk<'_>) -> Result<Done, Failure>,
) -> Result<ExitCode, Failure> {
    let mut desk = Desk::open(session, &format!("claims about {}", session.dialect.name()), identities)?;
    let mut sentence = "nothing was asked".to_owned();
    let result = ask(&mut desk).and_then(|done| {
        let told = told::by_id(&done.audited, all);
        let drifted = record(session, &told, &server, &mut desk)?;
        let text = told::text(&told, &server, args.format, args.claim.is_some(), session.talk.paint)?;
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
        sentence = told::counted(&told, &server, drifted);
        done.failure.map_or(Ok(if drifted == 0 { ExitCode::Agree } else { ExitCode::Drift }), Err)
    });
    Ok(desk.close(result, &sentence))
}

/// Into the record, nothing on stdout; how many verdicts are not as recorded.
fn record(session: &Session, told: &[Told<'_>], server: &str, desk: &mut Desk<'_>) -> Result<usize, Failure> {
    let mut drifted = 0;
    for (claim, row) in told.iter().flat_map(|claim| claim.rows.iter().map(move |row| (claim, row))) {
        desk.keep(recorded(claim, row))?;
        if !row.drifted() {
            continue;
        }
        drifted += 1;
        let (id, lane, was) = (&row.claim.id, &row.claim.lane, &row.claim.verdict);
        let seen = format!("{} {}", row.found.word(), row.found.instead());
        super::talk::complain(&format!("{id} by {lane}: recorded is {was}, {server} says {seen}"));
        let place = format!("{}/claims.csv: {id} by {lane}", session.dialect.tables());
        desk.keep(RunEvent::Drift { place, expected: was.clone(), seen })?;
    }
    Ok(drifted)
}

fn identity(session: &Session, address: &Address, version: &str, lane: &Lane) -> Identity {
    Identity {
        address: address.to_string(),
        name: "nats-server".to_owned(),
        version: Some(version.to_owned()),
        commit: None,
        lane: lane.clone(),
        dialect: session.dialect.name().to_owned(),
        remarks: Vec::new(),
    }
}

fn recorded(claim: &Told<'_>, row: &Audited) -> RunEvent {
    RunEvent::Claim(ClaimResult {
        id: row.claim.id.clone(),
        claim: row.claim.claim.clone(),
        source: row.claim.source.clone(),
        lane: row.claim.lane.clone(),
        verdict: row.found.word().to_owned(),
        seen: row.found.instead().to_owned(),
        recorded: row.claim.verdict.clone(),
        ranges: claim.ranges.clone(),
        overall: claim.overall.word().to_owned(),
    })
}
