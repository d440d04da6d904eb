//! `regen`: the measured columns of the tables and the recording of this server's version, anew from live answers.
//!
//! Must never write a column from the reference, and never write anything before every answer is in.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use wildcheck::{certify::CertifyOptions, exit::ExitCode, rows::LaneAnswers};
use wildcheck_matcher::Dialect;
use wildcheck_oracle::{Address, Oracle};
use wildcheck_tables::{
    DialectTables, Fate, Lane, ObservedRow, Outcome, Recording, Seen, Tables, event::Certificate, in_range,
    row::OperandKind, stage,
};

use super::{
    args::Live,
    asked::{self, Asked},
    bounded,
    desk::Desk,
    failure::Failure,
    session::Session,
};

/// How many changed lines of a file are shown.
const SHOWN: usize = 40;

/// The options of `regen`.
#[derive(clap::Args)]
pub struct Args {
    /// Change nothing; fail with the old and the new lines if something would change
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    live: Live,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let session = &*session;
    let dir = folder(session)?;
    let mut tables = Tables::load_to_mend(&dir)?;
    let measured_on = session.of_dialect(&tables)?.measured_on();
    let address = match &args.live.addresses()[..] {
        [one] => one.clone(),
        _ => return Err(Failure::Usage("regen asks one live oracle; give one --oracle".to_owned())),
    };
    if !matches!(address, Address::Auto | Address::Process { .. } | Address::Image(_) | Address::Url(_)) {
        return Err(Failure::Usage(format!("regen records a live broker; `{address}` is none")));
    }
    let main = session.open(&address, &args.live.route)?;
    if let Some(broker) = measured_on.filter(|broker| *broker != main.identity().name) {
        let (name, dialect) = (&main.identity().name, session.dialect.name());
        return Err(Failure::Usage(format!("the columns of {dialect} are measured on {broker}, not on {name}")));
    }
    let scope = bounded::scope(session.dialect)?;
    let words = format!("every row of {}; {scope}", session.dialect.name());
    let mut desk = Desk::open(session, &words, vec![main.identity().clone()])?;
    let outcome = regenerate(session, &args, &address, main, &mut tables, &mut desk)
        .and_then(|()| finish(&dir, &tables, args.check, &mut desk));
    let (result, sentence) = match outcome {
        Ok((changed, code)) => {
            let code = code.worst(desk.tally.code(false));
            let sentence = match (changed, args.check) {
                (0, _) => "the tables are as the live server answers".to_owned(),
                (n, true) => format!("{n} files of {} would change", dir.display()),
                (n, false) => format!("{n} files of {} were rewritten", dir.display()),
            };
            (Ok(code), sentence)
        }
        Err(failure) => (Err(failure), "nothing was rewritten".to_owned()),
    };
    Ok(desk.close(result, &sentence))
}

/// The folder to rewrite: `--tables`, else `truth-tables` here.
fn folder(session: &Session) -> Result<PathBuf, Failure> {
    match &session.global.tables {
        Some(dir) => Ok(dir.clone()),
        None if Path::new("truth-tables/causes.csv").exists() => Ok(PathBuf::from("truth-tables")),
        None => Err(Failure::Usage("there is no truth-tables/ here; name the folder with --tables DIR".to_owned())),
    }
}

fn regenerate(
    session: &Session,
    args: &Args,
    address: &Address,
    mut main: Box<dyn Oracle>,
    tables: &mut Tables,
    desk: &mut Desk<'_>,
) -> Result<(), Failure> {
    let name = session.dialect.name();
    let baseline = tables.baseline.clone();
    let Some(of_dialect) = tables.dialect_mut(name) else { return Ok(()) };
    let Asked { lanes, events } = asked::ask(session, of_dialect, address, &args.live.route, &mut *main)?;
    for event in events {
        desk.put(event)?;
    }
    let identity = main.identity().clone();
    let scope = bounded::scope(session.dialect)?;
    let options = CertifyOptions { seed: session.seed, ..CertifyOptions::default() };
    let certified = bounded::certify(session, &scope, &options, main, baseline, desk)?;
    // A digest over answers that are missing would be of no use to anybody.
    let whole = bounded::verdict(&certified, desk) == ExitCode::Agree;
    let certificate = certified.certificate.as_ref().filter(|_| whole);
    if session.interrupt.is_set() {
        return Err(Failure::Interrupted);
    }
    let Some(version) = identity.version else {
        return Err(Failure::Usage(format!("{} tells no version, so it cannot be recorded", identity.name)));
    };
    fill(session.dialect, of_dialect, &lanes, &version);
    record(of_dialect, &identity.name, &version, &lanes, certificate);
    tables.sort();
    Ok(())
}

/// Writes what was seen into the measured columns. A row that speaks of other versions is left alone; one whose
/// `since` the new answer contradicts holds from this version on.
fn fill(dialect: &dyn Dialect, tables: &mut DialectTables, lanes: &[LaneAnswers], version: &str) {
    for (index, row) in tables.matches.iter_mut().enumerate() {
        row.naive = Some(dialect.naive_matches(&row.pattern.0, &row.subject.0));
        let Some(seen) = lanes.first().and_then(|lane| lane.matches[index].verdict.known()) else { continue };
        if in_range(&row.since, &row.until, version) && row.server != Some(seen) {
            contradict(&mut row.since, row.server.is_some(), version);
            row.server = Some(seen);
        }
    }
    for (index, row) in tables.validation.iter_mut().enumerate() {
        let answer = lanes.iter().find_map(|lane| lane.validation[index].as_ref());
        let Some((outcome, delivered)) = answer else { continue };
        let fate = outcome.fate(*delivered);
        let known = !matches!(fate, Fate::Lost | Fate::Unsupported | Fate::Failed);
        if known && in_range(&row.since, &row.until, version) && row.server != Some(fate) {
            contradict(&mut row.since, row.server.is_some(), version);
            row.server = Some(fate);
        }
    }
}

fn contradict(since: &mut String, had: bool, version: &str) {
    if had && !since.is_empty() {
        *since = version.to_owned();
    }
}

/// The recording of this version: what the asked lanes said replaces what it held of them; the rest stays.
fn record(
    tables: &mut DialectTables,
    server: &str,
    version: &str,
    lanes: &[LaneAnswers],
    certificate: Option<&Certificate>,
) {
    let mut rows = Vec::new();
    for lane in lanes {
        let mut put = |seen| rows.push(ObservedRow { lane: lane.lane.clone(), seen });
        for (row, seen) in tables.matches.iter().zip(&lane.matches) {
            if let Some(delivered) = seen.verdict.known() {
                put(Seen::Match { pattern: row.pattern.clone(), subject: row.subject.clone(), delivered });
            }
        }
        for (row, answer) in tables.validation.iter().zip(&lane.validation) {
            let Some((outcome, delivered)) = answer else { continue };
            if outcome.is_unknown() {
                continue;
            }
            let (text, outcome) = (row.text.clone(), outcome.clone());
            put(match row.operand {
                OperandKind::Pattern => Seen::Pattern { text, outcome },
                OperandKind::Subject => {
                    let delivered = *delivered && outcome != Outcome::Accepted;
                    Seen::Subject { text, outcome, delivered }
                }
            });
        }
    }
    if let (Some(c), Some(main)) = (certificate, lanes.first()) {
        let (scope, digest) = (c.scope.clone(), c.digest.clone());
        let seen = Seen::Scope { scope, digest, pairs: c.pairs, matches: c.matches };
        rows.push(ObservedRow { lane: main.lane.clone(), seen });
    }
    tables.expand(server);
    let asked: BTreeSet<&Lane> = lanes.iter().map(|lane| &lane.lane).collect();
    let place = tables.observed.iter().position(|r| r.server == server && r.version == version);
    let place = place.unwrap_or_else(|| {
        let (server, version) = (server.to_owned(), version.to_owned());
        tables.observed.push(Recording { server, version, rows: Vec::new() });
        tables.observed.len() - 1
    });
    let recording = &mut tables.observed[place];
    recording.rows.retain(|row| matches!(row.seen, Seen::Scope { .. }) || !asked.contains(&row.lane));
    recording.merge(rows);
    tables.compact(server);
}

/// Puts the files in place, or shows what would change. Returns how many files differ.
fn finish(dir: &Path, tables: &Tables, check: bool, desk: &mut Desk<'_>) -> Result<(usize, ExitCode), Failure> {
    let files = tables.render();
    if check {
        let mut changed = 0;
        for (name, new) in &files {
            let old = fs::read(dir.join(name)).unwrap_or_default();
            if old != *new {
                changed += 1;
                show(name, &old, new, desk);
            }
        }
        return Ok((changed, if changed == 0 { ExitCode::Agree } else { ExitCode::Drift }));
    }
    let staged = stage(dir, files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())))?;
    let names: Vec<PathBuf> = staged.changed().map(Path::to_owned).collect();
    let changed = staged.commit()?;
    for name in names {
        desk.print(&name.display().to_string());
    }
    Ok((changed, ExitCode::Agree))
}

fn show(name: &str, old: &[u8], new: &[u8], desk: &mut Desk<'_>) {
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let before: BTreeSet<&str> = old.lines().collect();
    let after: BTreeSet<&str> = new.lines().collect();
    let mut lines: Vec<String> = Vec::new();
    lines.extend(old.lines().filter(|line| !after.contains(line)).map(|line| format!("- {line}")));
    lines.extend(new.lines().filter(|line| !before.contains(line)).map(|line| format!("+ {line}")));
    if lines.is_empty() {
        lines.push("  (only the order or the form of its lines)".to_owned());
    }
    desk.print(name);
    for line in lines.iter().take(SHOWN) {
        desk.print(line);
    }
    if lines.len() > SHOWN {
        desk.print(&format!("  … and {} more lines", lines.len() - SHOWN));
    }
}
