//! `matrix`: every row and every claim against many releases, side by side. Must never call a release by a version it
//! does not itself tell.

use std::io::Write;

use wildcheck::{
    claims,
    exit::ExitCode,
    matrix::{Matrix, Release, select},
};
use wildcheck_oracle::{
    Address,
    probe::library,
    server::{Reach, find, list_releases},
};
use wildcheck_tables::{DialectTables, row::Claim};

use super::{asked, audit, audit::Shape, bisect, failure::Failure, session::Session, side::by_side};

/// Every release.
const ALL: &str = "all";

/// The options of `matrix`.
#[derive(clap::Args)]
pub struct Args {
    /// Which releases: all, 2.10..2.12, 2.9.10, joined by commas
    #[arg(long, value_name = "VERSIONS", default_value = ALL)]
    versions: String,
    /// Also the rows to which every release says the same
    #[arg(long)]
    all: bool,
    /// The release in which the answer flips: of a claim (`ID` or `ID by LANE`), of a pair (`PATTERN SUBJECT`), of a
    /// pattern (`PATTERN`)
    #[arg(long, value_name = "ROW|CLAIM")]
    bisect: Option<String>,
    /// Ask the claims through the client libraries of other languages as well, which differ by the library and not by
    /// the release
    #[arg(long)]
    clients: bool,
    /// Dialects other than nats: the brokers that stand side by side instead of releases; may be repeated
    #[arg(long, value_name = "ADDRESS")]
    oracle: Vec<Address>,
    /// How it is told
    #[arg(long, value_enum, default_value_t = Shape::Md)]
    format: Shape,
}

impl Args {
    fn asks(&self, claim: &Claim) -> bool {
        self.clients || !library::LANES.contains(&claim.lane)
    }
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let session = &*session;
    let tables = session.tables()?;
    let of_dialect = session.of_dialect(&tables)?;
    let releases = if session.dialect.name() == "nats" {
        if !args.oracle.is_empty() {
            return Err(Failure::Usage("of nats-server the releases stand side by side: --versions".to_owned()));
        }
        let versions = versions(session, &args.versions)?;
        if let Some(what) = &args.bisect {
            return bisect::run(session, of_dialect, what, &versions);
        }
        ask_all(session, of_dialect, &args, &versions)?
    } else {
        if args.bisect.is_some() || args.versions != ALL {
            let why = "releases side by side are to be had of nats-server only; --oracle names the brokers";
            return Err(Failure::Usage(why.to_owned()));
        }
        let addresses = if args.oracle.is_empty() { vec![Address::Auto] } else { args.oracle.clone() };
        addresses.iter().map(|address| broker(session, of_dialect, address)).collect::<Result<_, _>>()?
    };
    let versions: Vec<&str> = releases.iter().map(|release| release.version.as_str()).collect();
    let matrix = Matrix::new(of_dialect, &releases);
    let shown = if args.all { matrix.folded() } else { matrix.differing().folded() };
    let text = match args.format {
        Shape::Csv => csv(&shown)?,
        Shape::Json => json(&shown),
        Shape::Text | Shape::Md => markdown(&shown),
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    let drift = matrix.drift();
    for cell in &drift {
        super::talk::complain(&format!(
            "{} on {}: recorded is {}, seen is {}",
            cell.question, cell.version, cell.recorded, cell.seen
        ));
    }
    session.talk.say(&format!(
        "{} questions to {} releases ({}): {} are answered differently by some, {} answers are not as recorded",
        matrix.lines.len(),
        versions.len(),
        versions.join(", "),
        matrix.differing().lines.len(),
        drift.len()
    ));
    Ok(if drift.is_empty() { ExitCode::Agree } else { ExitCode::Drift })
}

/// The releases that were asked for, oldest first.
fn versions(session: &Session, text: &str) -> Result<Vec<String>, Failure> {
    let options = session.options(None, Default::default());
    let mut known = Vec::new();
    // A list of exact versions needs no index to be asked.
    if text.contains("all") || text.contains("..") {
        let (releases, note) = list_releases(&options)?;
        if let Some(note) = note {
            session.talk.say(&format!("the list is of an earlier day: {note}"));
        }
        known = releases;
        // The distribution's package is a release that no wheel holds.
        if let Ok(found) = find(None, &options, Reach::Download).found
            && !known.contains(&found.version)
        {
            known.push(found.version);
        }
    }
    let chosen = select(text, &known).map_err(Failure::Usage)?;
    if chosen.is_empty() { Err(Failure::Nothing("no release was named".to_owned())) } else { Ok(chosen) }
}

fn ask_all(
    session: &Session,
    tables: &DialectTables,
    args: &Args,
    versions: &[String],
) -> Result<Vec<Release>, Failure> {
    let mut claims: Vec<Claim> = tables.claims.iter().flatten().filter(|claim| args.asks(claim)).cloned().collect();
    for (lane, why) in audit::absent(session, &claims)? {
        session.talk.say(&format!("not run: the lane {lane}: {why}"));
        claims.retain(|claim| claim.lane != lane);
    }
    by_side(session, versions, |version| {
        let answer = ask(session, tables, &claims, version);
        session.talk.say(&format!("{version} {}", if answer.is_ok() { "asked" } else { "failed" }));
        answer
    })
    .all()
}

fn ask(session: &Session, tables: &DialectTables, all: &[Claim], version: &str) -> Result<Release, Failure> {
    let address = Address::Process { program: "nats-server".to_owned(), version: Some(version.to_owned()) };
    let route = super::args::Route { lane: None, plan: super::args::PlanArg::FanOut, config: None };
    let mut main = session.open(&address, &route)?;
    let lanes = asked::ask(session, tables, &address, &route, &mut *main)?.lanes;
    let told = main.identity().version.clone().unwrap_or_else(|| version.to_owned());
    drop(main);
    let (binary, _) = audit::server(session, &address)?;
    let mut audited = Vec::new();
    for claim in claims::of_version(all, &told) {
        audited.push(claims::ask(claim, &binary, &session.interrupt)?);
    }
    Ok(Release { version: told, lanes, claims: audited })
}

/// A column that is no release of nats-server: a broker with its name.
fn broker(session: &Session, tables: &DialectTables, address: &Address) -> Result<Release, Failure> {
    let route = super::args::Route { lane: None, plan: super::args::PlanArg::FanOut, config: None };
    let mut main = session.open(address, &route)?;
    let lanes = asked::ask(session, tables, address, &route, &mut *main)?.lanes;
    let lane = main.identity().lane.clone();
    let asked: Vec<Claim> = tables.claims.iter().flatten().filter(|claim| claim.lane == lane).cloned().collect();
    let claims = claims::ask_pairs(session.dialect, &asked, &mut *main)?;
    let identity = main.identity();
    let version = identity.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    Ok(Release { version: format!("{}{version}", identity.name), lanes, claims })
}

fn markdown(matrix: &Matrix) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut text = format!("| | {} |\n|---|{}\n", matrix.versions.join(" | "), "---|".repeat(matrix.versions.len()));
    for line in &matrix.lines {
        text.push_str(&format!("| {} | {} |\n", cell(&line.question), line.cells.join(" | ")));
    }
    text
}

fn csv(matrix: &Matrix) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |error: csv::Error| Failure::stdout(std::io::Error::other(error));
    let header = ["question".to_owned()].into_iter().chain(matrix.versions.iter().cloned());
    writer.write_record(header).map_err(failed)?;
    for line in &matrix.lines {
        writer.write_record([&line.question].into_iter().chain(&line.cells)).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| Failure::stdout(std::io::Error::other(error.to_string())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn json(matrix: &Matrix) -> String {
    let lines: Vec<serde_json::Value> = matrix
        .lines
        .iter()
        .map(|line| serde_json::json!({ "question": line.question, "cells": line.cells, "recorded": line.recorded }))
        .collect();
    format!("{}\n", serde_json::json!({ "versions": matrix.versions, "lines": lines }))
}
