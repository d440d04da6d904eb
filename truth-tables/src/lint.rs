//! What must hold across rows and files: ids that exist, names that are known, ranges that are ranges.
//!
//! Must never ask a matcher what is right; that is [`crate::review`].

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Seen, Tables, Version,
    error::Problem,
    probe::{
        Expectation, Probe,
        pair::{Expected, Pair},
    },
    row::NOT_TESTABLE,
    table::TableRow,
    tables::{DialectTables, Lines, line_of},
};

/// The lanes of each dialect. A name that ends in a hyphen stands for every lane that starts so.
pub const LANES: &[(&str, &[&str])] = &[
    ("*", &["memory"]),
    ("nats", &["wire", "wire-pedantic", "client", "client-", "subsz", "jetstream-"]),
    ("rabbitmq", &["wire", "client", "client-", "cost"]),
    ("mqtt", &["wire", "client", "client-", "nats-", "rabbitmq-"]),
];

/// The dialects whose claims have programs as probes; those of the others are pairs.
const PROGRAMS: [&str; 1] = ["nats"];
/// What the verdict of such a claim may be.
const VERDICTS: [&str; 4] = ["", "confirmed", "refuted", NOT_TESTABLE];

/// Is this the name of a dialect, or of the folder that its variants share?
fn is_dialect(name: &str) -> bool {
    wildcheck_matcher::dialects().iter().any(|dialect| dialect.name() == name || dialect.tables() == name)
}

/// Is this a lane of the dialect? Every dialect has `memory`.
pub fn is_lane(dialect: &str, lane: &str) -> bool {
    LANES
        .iter()
        .filter(|(name, _)| *name == "*" || *name == dialect)
        .flat_map(|(_, lanes)| *lanes)
        .any(|known| lane == *known || (known.ends_with('-') && lane.len() > known.len() && lane.starts_with(known)))
}

/// Every problem across rows. `lines` tells where rows stand if not at their index; files in `broken` could not be read
/// whole, so that nothing is said of ids that are missing in them.
pub(crate) fn across(tables: &Tables, lines: &Lines, broken: &BTreeSet<String>) -> Vec<Problem> {
    let mut across = Across { lines, broken, problems: Vec::new() };
    for dialect in &tables.dialects {
        across.dialect(dialect);
    }
    across.causes(tables);
    across.baseline(tables);
    across.problems
}

struct Across<'a> {
    lines: &'a Lines,
    broken: &'a BTreeSet<String>,
    problems: Vec<Problem>,
}

impl Across<'_> {
    fn line(&self, file: &str, index: usize) -> u64 {
        self.lines.get(file).and_then(|lines| lines.get(index)).copied().unwrap_or_else(|| line_of(index))
    }

    fn tell(&mut self, file: &str, index: usize, column: &str, text: String) {
        let line = self.line(file, index);
        self.problems.push(Problem::cell(file, line, column, text));
    }

    fn dialect(&mut self, dialect: &DialectTables) {
        if !wildcheck_matcher::dialects().iter().any(|d| d.tables() == dialect.name) {
            let names: BTreeSet<&str> = wildcheck_matcher::dialects().iter().map(|d| d.tables()).collect();
            let names: Vec<&str> = names.into_iter().collect();
            let text = format!("found a folder of no dialect, expected one of {}", names.join(", "));
            self.problems.push(Problem::file(&dialect.name, text));
        }
        let clauses = (!self.broken.contains(&dialect.file("clauses.csv")))
            .then(|| dialect.clauses.iter().map(|clause| clause.id.as_str()).collect());
        self.rows(dialect, "match.csv", &dialect.matches, clauses.as_ref());
        self.rows(dialect, "validation.csv", &dialect.validation, clauses.as_ref());
        self.rows(dialect, "relations.csv", &dialect.relations, clauses.as_ref());
        self.rows(dialect, "claims.csv", dialect.claims.as_deref().unwrap_or_default(), clauses.as_ref());
        self.probes(dialect);
        for recording in &dialect.observed {
            self.rows(dialect, &recording.file(), &recording.rows, clauses.as_ref());
            for (index, row) in recording.rows.iter().enumerate() {
                if let Seen::As { version } = &row.seen
                    && (*version == recording.version || dialect.recording(&recording.server, version).is_none())
                {
                    let text =
                        format!("found \"{version}\", expected another recorded version of {}", recording.server);
                    self.tell(&dialect.file(&recording.file()), index, "left", text);
                }
            }
        }
        for (index, clause) in dialect.clauses.iter().enumerate() {
            if !clause.id.starts_with(&format!("{}-", dialect.name)) {
                let text = format!("found \"{}\", expected an id that starts with \"{}-\"", clause.id, dialect.name);
                self.tell(&dialect.file("clauses.csv"), index, "id", text);
            }
        }
        for (index, row) in dialect.matches.iter().enumerate() {
            if row.server.is_none() && !(row.since.is_empty() && row.until.is_empty()) {
                let text = "found nothing beside a range of versions, expected what those versions do".to_owned();
                self.tell(&dialect.file("match.csv"), index, "server", text);
            }
        }
    }

    /// The probes can be read; a claim without one says why it has none.
    fn probes(&mut self, dialect: &DialectTables) {
        let programs = PROGRAMS.contains(&dialect.name.as_str());
        let file = dialect.file("claims.csv");
        for (index, claim) in dialect.claims.iter().flatten().enumerate() {
            let verdict = claim.verdict.as_str();
            if !VERDICTS.contains(&verdict) {
                let text = format!("found \"{verdict}\", expected nothing or one of {}", VERDICTS[1..].join(", "));
                self.tell(&file, index, "verdict", text);
            }
            if claim.probe.is_empty() {
                if verdict != NOT_TESTABLE || claim.note.is_empty() {
                    let text = format!("found no probe, expected one, or the verdict {NOT_TESTABLE} and a note why");
                    self.tell(&file, index, "probe", text);
                }
                continue;
            }
            // The column of the first thing that is wrong, and what.
            let read = if programs {
                Probe::parse(&claim.probe).map_err(|error| ("probe", error)).and_then(|probe| {
                    Expectation::parse(&claim.expected, &probe).map(drop).map_err(|error| ("expected", error))
                })
            } else {
                Pair::parse(&claim.probe).map_err(|error| ("probe", error)).and_then(|pair| {
                    Expected::parse(&claim.expected, &pair).map(drop).map_err(|error| ("expected", error))
                })
            };
            if let Err((column, error)) = read {
                self.tell(&file, index, column, error.to_string());
            }
        }
    }

    fn rows<R: TableRow>(&mut self, dialect: &DialectTables, file: &str, rows: &[R], clauses: Option<&BTreeSet<&str>>) {
        let file = dialect.file(file);
        let mut ranges: BTreeMap<String, (usize, String)> = BTreeMap::new();
        for (index, row) in rows.iter().enumerate() {
            let cites = row.cites();
            if let (Some(clause), Some(known)) = (cites.clause, clauses)
                && !known.contains(clause)
            {
                let text = format!("found \"{clause}\", expected an id of {}", dialect.file("clauses.csv"));
                self.tell(&file, index, "clause", text);
            }
            if let Some(source) = cites.source
                && !is_source(source)
            {
                let text = format!("found \"{source}\", expected seed, hand, fuzz SEED or certify SCOPE");
                self.tell(&file, index, "source", text);
            }
            if let Some(lane) = cites.lane
                && !is_lane(&dialect.name, &lane.0)
            {
                let text =
                    format!("found \"{lane}\", expected a lane of {}: {}", dialect.name, lanes_of(&dialect.name));
                self.tell(&file, index, "lane", text);
            }
            self.range(&file, index, cites.since, cites.until);
            if let Some(question) = row.question() {
                if let Some((before, until)) = ranges.get(&question)
                    && overlaps(until, cites.since)
                {
                    let line = self.line(&file, *before);
                    let text = format!("found \"{}\", expected a version after the range of line {line}", cites.since);
                    self.tell(&file, index, "since", text);
                }
                ranges.insert(question, (index, cites.until.to_owned()));
            }
        }
    }

    fn range(&mut self, file: &str, index: usize, since: &str, until: &str) {
        if let (Ok(from), Ok(to)) = (since.parse::<Version>(), until.parse::<Version>())
            && from > to
        {
            self.tell(file, index, "until", format!("found \"{until}\", expected a version not before {since}"));
        }
    }

    fn causes(&mut self, tables: &Tables) {
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, cause) in tables.causes.iter().enumerate() {
            for dialect in cause.dialect.split(' ').filter(|name| *name != "*") {
                if !is_dialect(dialect) {
                    let text = format!("found \"{dialect}\", expected dialects separated by blanks, or *");
                    self.tell("causes.csv", index, "dialect", text);
                }
            }
            if let Some(first) = names.insert(&cause.name, index) {
                let line = self.line("causes.csv", first);
                let text = format!("found \"{}\", expected a name that line {line} does not have", cause.name);
                self.tell("causes.csv", index, "name", text);
            }
        }
    }

    fn baseline(&mut self, tables: &Tables) {
        for (index, row) in tables.baseline.iter().enumerate() {
            if !is_dialect(&row.dialect) {
                let text = format!("found \"{}\", expected a dialect", row.dialect);
                self.tell("baseline.csv", index, "dialect", text);
            } else if !is_lane(&row.dialect, &row.lane.0) {
                let text =
                    format!("found \"{}\", expected a lane of {}: {}", row.lane, row.dialect, lanes_of(&row.dialect));
                self.tell("baseline.csv", index, "lane", text);
            }
            if tables.cause(&row.cause).is_none() && !self.broken.contains("causes.csv") {
                let text = format!("found \"{}\", expected a code of causes.csv", row.cause);
                self.tell("baseline.csv", index, "cause", text);
            }
            self.range("baseline.csv", index, &row.since, &row.until);
        }
    }
}

/// Does a range that ends with `until` reach into one that starts with `since`? Rows come sorted by their start.
fn overlaps(until: &str, since: &str) -> bool {
    match (until.parse::<Version>(), since.parse::<Version>()) {
        (Ok(until), Ok(since)) => since <= until,
        _ => true,
    }
}

fn lanes_of(dialect: &str) -> String {
    let known = LANES.iter().filter(|(name, _)| *name == dialect || *name == "*").flat_map(|(_, lanes)| *lanes);
    let names: Vec<String> =
        known.map(|lane| if lane.ends_with('-') { format!("{lane}…") } else { (*lane).to_owned() }).collect();
    names.join(", ")
}

/// `seed` (with what of it, if that helps), `hand`, `fuzz <seed>`, `certify <scope>`.
fn is_source(source: &str) -> bool {
    let (word, rest) = source.split_once(' ').unwrap_or((source, ""));
    match word {
        "seed" => true,
        "hand" => rest.is_empty(),
        "fuzz" | "certify" => !rest.trim().is_empty(),
        _ => false,
    }
}
