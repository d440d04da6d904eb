//! `audit`: which claims about a backend are true, by which lane, of which version. Must never take a recorded verdict
//! for an answer.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    io::Write as _,
    path::{Path, PathBuf},
};

use wildcheck::{
    claims::{self, Audited, Found, Overall},
    exit::ExitCode,
};
use wildcheck_oracle::{
    Address, OracleError,
    probe::library,
    require,
    server::{self, Reach},
};
use wildcheck_tables::{Identity, Lane, RunEvent, event::ClaimResult, row::Claim};

use super::{desk::Desk, failure::Failure, session::Session, side::by_side, talk::Paint};

/// The options of `audit`.
#[derive(clap::Args)]
pub struct Args {
    /// Only the claim of that id, with every line both ways
    #[arg(long, value_name = "ID")]
    claim: Option<String>,
    /// Who is asked: auto, process:nats-server[@VERSION]
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

/// The sentence with what its rows say.
struct Told<'a> {
    overall: Overall,
    /// As [`claims::ranges`].
    ranges: String,
    rows: Vec<&'a Audited>,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let session = &*session;
    let tables = session.tables()?;
    let all = session.of_dialect(&tables)?.claims.clone().unwrap_or_default();
    let (binary, version) = server(session, &args.oracle)?;
    let of_version = claims::of_version(&all, &version).into_iter();
    let wanted = |claim: &&Claim| args.claim.as_ref().is_none_or(|wanted| *wanted == claim.id);
    let asked: Vec<Claim> = of_version.filter(wanted).cloned().collect();
    if asked.is_empty() {
        return Err(match &args.claim {
            Some(id) => Failure::Usage(format!("no claim {id} of {version}; known: {}", ids(&all).join(", "))),
            None => Failure::Nothing(format!("there are no claims about {}", session.dialect.name())),
        });
    }
    let lanes: BTreeSet<&Lane> = asked.iter().map(|claim| &claim.lane).collect();
    let identities = lanes.into_iter().map(|lane| identity(session, &args.oracle, &version, lane)).collect();
    let mut desk = Desk::open(session, &format!("claims about {}", session.dialect.name()), identities)?;
    let mut sentence = "nothing was asked".to_owned();
    let result = audit(session, &args, (&binary, &version), (asked, &all), &mut desk, &mut sentence);
    Ok(desk.close(result, &sentence))
}

/// Asks, tells and records what there is, also when it comes to an end too early.
fn audit(
    session: &Session,
    args: &Args,
    (binary, version): (&Path, &str),
    (mut asked, all): (Vec<Claim>, &[Claim]),
    desk: &mut Desk<'_>,
    sentence: &mut String,
) -> Result<ExitCode, Failure> {
    for (lane, why) in absent(session, &asked)? {
        asked.retain(|claim| claim.lane != lane);
        desk.put(RunEvent::NotRun { what: format!("the lane {lane}"), why })?;
    }
    let done = by_side(session, &asked, |claim| Ok(claims::ask(claim, binary, &session.interrupt)?));
    let audited = done.results;
    let told = by_id(&audited, all);
    let server = format!("nats-server {version}");
    for (claim, row) in told.iter().flat_map(|claim| claim.rows.iter().map(move |row| (claim, row))) {
        desk.keep(recorded(claim, row))?;
    }
    let mut text = match args.format {
        Shape::Text => plain(&told, session.talk.paint),
        Shape::Md => markdown(&told, &server),
        Shape::Csv => csv(&told)?,
        Shape::Json => json(&told, &server),
    };
    if args.claim.is_some() && args.format == Shape::Text {
        text.push_str(&transcripts(&audited));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    drop(out);
    let drifted: Vec<&Audited> = audited.iter().filter(|row| row.drifted()).collect();
    for row in &drifted {
        let (id, lane, was) = (&row.claim.id, &row.claim.lane, &row.claim.verdict);
        let seen = format!("{} {}", row.found.word(), row.found.instead());
        super::talk::complain(&format!("{id} by {lane}: recorded is {was}, {server} says {seen}"));
        let (place, expected) = (format!("nats/claims.csv: {id} by {lane}"), was.clone());
        desk.keep(RunEvent::Drift { place, expected, seen })?;
    }
    *sentence = counted(&told, &server, drifted.len());
    done.failure.map_or(Ok(if drifted.is_empty() { ExitCode::Agree } else { ExitCode::Drift }), Err)
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

/// The client libraries that these claims speak of and that cannot be had here, and why.
///
/// # Errors
/// [`require::CLIENTS`] is required; or it was interrupted.
pub(super) fn absent(session: &Session, claims: &[Claim]) -> Result<Vec<(Lane, String)>, Failure> {
    let mut absent = Vec::new();
    for lane in library::LANES {
        if !claims.iter().any(|claim| claim.lane == lane) {
            continue;
        }
        match library::driver(&lane, &session.interrupt) {
            Ok(_) => {}
            Err(error @ OracleError::Unavailable { .. }) if !require::requires(require::CLIENTS) => {
                absent.push((lane, error.to_string()));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(absent)
}

/// The program behind an address, and its version.
pub(super) fn server(session: &Session, address: &Address) -> Result<(PathBuf, String), Failure> {
    if session.dialect.name() != "nats" {
        return Err(Failure::Usage(format!(
            "probes run on nats-server only; the claims about {} are read, not run",
            session.dialect.name()
        )));
    }
    let wanted = match address {
        Address::Auto => None,
        Address::Process { program, version } if program == "nats-server" => version.as_deref(),
        other => {
            return Err(Failure::Usage(format!(
                "each probe has a server of its own, so `{other}` cannot be asked; give process:nats-server@VERSION"
            )));
        }
    };
    let found = server::find(wanted, &session.options(None, Default::default()), Reach::Download).found?;
    Ok((found.binary, found.version))
}

fn ids(claims: &[Claim]) -> Vec<&str> {
    let mut ids: Vec<&str> = claims.iter().map(|claim| claim.id.as_str()).collect();
    ids.dedup();
    ids
}

/// Rows come sorted by id.
fn by_id<'a>(audited: &'a [Audited], all: &[Claim]) -> Vec<Told<'a>> {
    let same = |a: &Audited, b: &Audited| a.claim.id == b.claim.id;
    let told = |rows: &'a [Audited]| {
        let rows: Vec<&Audited> = rows.iter().collect();
        Told { overall: claims::overall(&rows, all), ranges: claims::ranges(&rows, all), rows }
    };
    audited.chunk_by(same).map(told).collect()
}

fn counted(told: &[Told<'_>], server: &str, drifted: usize) -> String {
    let count = |which: Overall| told.iter().filter(|claim| claim.overall == which).count();
    let drift = match drifted {
        0 => "as recorded".to_owned(),
        1 => "1 verdict is not as recorded".to_owned(),
        more => format!("{more} verdicts are not as recorded"),
    };
    format!(
        "{} claims on {server}: {} confirmed, {} refuted, {} depend on the lane, {} on the version, {} not testable \
         here; {drift}",
        told.len(),
        count(Overall::Confirmed),
        count(Overall::Refuted),
        count(Overall::LaneDependent),
        count(Overall::VersionDependent),
        count(Overall::NotTestable)
    )
}

fn plain(told: &[Told<'_>], paint: Paint) -> String {
    let mut text = String::new();
    for claim in told {
        let word = format!("{:<17}", claim.overall.word());
        let word = match claim.overall {
            Overall::Confirmed => paint.good(&word),
            Overall::NotTestable => paint.dim(&word),
            _ => paint.bad(&word),
        };
        let first = &claim.rows[0].claim;
        let _ = writeln!(text, "{word} {}\n{:17} {}", first.id, "", first.claim);
        if !claim.ranges.is_empty() {
            let _ = writeln!(text, "{:17} {}", "", claim.ranges);
        }
        for row in &claim.rows {
            if claim.rows.len() > 1 || row.found != Found::Confirmed {
                let _ = writeln!(text, "{:17} {}", "", line(row));
            }
        }
    }
    text
}

/// `wire: refuted, p got 1 (…)`.
fn line(row: &Audited) -> String {
    let mut line = format!("{}: {}", row.claim.lane, row.found.word());
    if !row.found.instead().is_empty() {
        let _ = write!(line, ", {}", row.found.instead());
    }
    let note = &row.claim.note;
    if !note.is_empty() && note != row.found.instead() {
        let _ = write!(line, " ({note})");
    }
    line
}

fn markdown(told: &[Told<'_>], server: &str) -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let mut text = format!("| {server} says | claim | source | by lane |\n|---|---|---|---|\n");
    for claim in told {
        let first = &claim.rows[0].claim;
        let lanes: Vec<String> = claim.rows.iter().map(|row| cell(&line(row))).collect();
        let (sentence, source) = (cell(&first.claim), cell(&first.source));
        let ranges = if claim.ranges.is_empty() { String::new() } else { format!(" ({})", cell(&claim.ranges)) };
        let overall = claim.overall.word();
        let _ = writeln!(text, "| {overall}{ranges} | {sentence} | {source} | {} |", lanes.join("<br>"));
    }
    text
}

fn csv(told: &[Told<'_>]) -> Result<String, Failure> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    let write = |writer: &mut csv::Writer<Vec<u8>>, record: &[&str]| {
        writer.write_record(record).map_err(|error| Failure::stdout(std::io::Error::other(error)))
    };
    write(&mut writer, &["id", "claim", "overall", "lane", "verdict", "seen", "recorded"])?;
    for claim in told {
        for row in &claim.rows {
            let (c, found) = (&row.claim, &row.found);
            let lane = c.lane.to_string();
            let record =
                [&c.id, &c.claim, claim.overall.word(), &lane, found.word(), found.instead(), &c.verdict as &str];
            write(&mut writer, &record)?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| Failure::stdout(std::io::Error::other(error.to_string())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn json(told: &[Told<'_>], server: &str) -> String {
    let rows = |claim: &Told<'_>| -> Vec<serde_json::Value> {
        let row = |row: &&Audited| {
            serde_json::json!({
                "lane": row.claim.lane.to_string(),
                "verdict": row.found.word(),
                "seen": row.found.instead(),
                "recorded": row.claim.verdict,
                "probe": row.claim.probe,
                "expected": row.claim.expected,
            })
        };
        claim.rows.iter().map(row).collect()
    };
    let claims: Vec<serde_json::Value> = told
        .iter()
        .map(|claim| {
            let first = &claim.rows[0].claim;
            serde_json::json!({
                "id": first.id,
                "claim": first.claim,
                "source": first.source,
                "overall": claim.overall.word(),
                "ranges": claim.ranges,
                "lanes": rows(claim),
            })
        })
        .collect();
    format!("{}\n", serde_json::json!({ "server": server, "claims": claims }))
}

fn transcripts(audited: &[Audited]) -> String {
    let mut text = String::new();
    for row in audited.iter().filter(|row| !row.transcript.is_empty()) {
        let _ = writeln!(text, "\nby {}: {}\nexpected: {}", row.claim.lane, row.claim.probe, row.claim.expected);
        for line in &row.transcript {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}
