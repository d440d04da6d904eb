//! All tables of all dialects in memory: read from the binary or from a folder, rendered, merged, looked up.
//!
//! Must never write a file (see [`crate::stage`]) and never judge a row (see [`crate::review`]).

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use crate::{
    Lane, Lint, TablesError,
    embed::FILES,
    error::Problem,
    lint,
    observed::{self, Recording},
    row::{BaselineRow, Cause, Claim, Clause, MatchRow, RelationRow, ValidationRow},
    table::{self, Parsed, TableRow},
    version::in_range,
};

/// Every table. Lists are sorted by key.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tables {
    /// A folder each, by name.
    pub dialects: Vec<DialectTables>,
    /// `causes.csv`.
    pub causes: Vec<Cause>,
    /// `baseline.csv`.
    pub baseline: Vec<BaselineRow>,
}

/// The tables of one dialect.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DialectTables {
    /// The dialect, as in `wildcheck_matcher::by_name`.
    pub name: String,
    /// `match.csv`.
    pub matches: Vec<MatchRow>,
    /// `validation.csv`.
    pub validation: Vec<ValidationRow>,
    /// `relations.csv`.
    pub relations: Vec<RelationRow>,
    /// `clauses.csv`.
    pub clauses: Vec<Clause>,
    /// `claims.csv`, which a dialect may lack.
    pub claims: Option<Vec<Claim>>,
    /// `observed/*.csv`, sorted by server and version.
    pub observed: Vec<Recording>,
}

/// The line of each row, by file, where it is not simply the row's index plus two.
pub(crate) type Lines = BTreeMap<String, Vec<u64>>;

/// Tables as read, with what is wrong with them.
struct Read {
    tables: Tables,
    lines: Lines,
    problems: Vec<Problem>,
}

impl Tables {
    /// The tables this was built with.
    ///
    /// # Errors
    /// [`TablesError::Lint`] if what was built in is wrong; the tests see that it is not.
    pub fn embedded() -> Result<Tables, TablesError> {
        Self::from_files(FILES.iter().copied())
    }

    /// The tables of a folder: `causes.csv`, `baseline.csv` and a folder a dialect.
    ///
    /// # Errors
    /// [`TablesError::Read`]; [`TablesError::Lint`] with every problem of every file.
    pub fn load(dir: &Path) -> Result<Tables, TablesError> {
        let files = read_files(dir)?;
        Self::from_files(files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())))
    }

    /// The same for a caller that writes the tables anew: order and form may be wrong.
    ///
    /// # Errors
    /// As [`Tables::load`], but not when writing the tables anew mends all problems.
    pub fn load_to_mend(dir: &Path) -> Result<Tables, TablesError> {
        let files = read_files(dir)?;
        let read = read(files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())));
        let lint = read.lint();
        if !lint.is_mendable() {
            return Err(TablesError::Lint(lint));
        }
        let mut tables = read.tables;
        tables.sort();
        Ok(tables)
    }

    /// Tables from names (`nats/match.csv`) and bytes.
    ///
    /// # Errors
    /// [`TablesError::Lint`] with every problem of every file.
    pub fn from_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Result<Tables, TablesError> {
        let read = read(files);
        let lint = read.lint();
        if lint.is_clean() { Ok(read.tables) } else { Err(TablesError::Lint(lint)) }
    }

    /// What is wrong across the tables' rows: dangling ids, unknown names, ranges. Lines are those of [`Self::render`].
    pub fn lint(&self) -> Lint {
        Lint::new(lint::across(self, &Lines::new(), &BTreeSet::new()))
    }

    /// Every file with its bytes, sorted by name. Equal tables give equal bytes.
    pub fn render(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        files.insert("causes.csv".to_owned(), table::render(&self.causes));
        files.insert("baseline.csv".to_owned(), table::render(&self.baseline));
        for dialect in &self.dialects {
            let mut put = |file: &str, bytes: Vec<u8>| files.insert(dialect.file(file), bytes);
            put("match.csv", table::render(&dialect.matches));
            put("validation.csv", table::render(&dialect.validation));
            put("relations.csv", table::render(&dialect.relations));
            put("clauses.csv", table::render(&dialect.clauses));
            if let Some(claims) = &dialect.claims {
                put("claims.csv", table::render(claims));
            }
            for recording in &dialect.observed {
                put(&recording.file(), recording.render());
            }
        }
        files
    }

    /// The tables of the dialect of that name.
    pub fn dialect(&self, name: &str) -> Option<&DialectTables> {
        self.dialects.iter().find(|dialect| dialect.name == name)
    }

    /// The same, to change them.
    pub fn dialect_mut(&mut self, name: &str) -> Option<&mut DialectTables> {
        self.dialects.iter_mut().find(|dialect| dialect.name == name)
    }

    /// The cause of that code.
    pub fn cause(&self, code: &str) -> Option<&Cause> {
        self.causes.iter().find(|cause| cause.code == code)
    }

    /// The baseline's row for a cause seen at an oracle (its name without a version) of that version, if it is known.
    pub fn known(
        &self,
        dialect: &str,
        oracle: &str,
        lane: &Lane,
        cause: &str,
        version: Option<&str>,
    ) -> Option<&BaselineRow> {
        self.baseline.iter().find(|row| {
            (row.dialect.as_str(), row.oracle.as_str(), &row.lane, row.cause.as_str()) == (dialect, oracle, lane, cause)
                && version.is_none_or(|version| in_range(&row.since, &row.until, version))
        })
    }

    /// Sorts every list by its key.
    pub fn sort(&mut self) {
        fn by_key<R: TableRow>(rows: &mut [R]) {
            rows.sort_by_cached_key(|row| row.key());
        }
        by_key(&mut self.causes);
        by_key(&mut self.baseline);
        for dialect in &mut self.dialects {
            by_key(&mut dialect.matches);
            by_key(&mut dialect.validation);
            by_key(&mut dialect.relations);
            by_key(&mut dialect.clauses);
            by_key(dialect.claims.as_deref_mut().unwrap_or_default());
            dialect.observed.sort_by_key(|recording| recording.file());
        }
        self.dialects.sort_by(|a, b| a.name.cmp(&b.name));
    }
}

/// Of which broker the columns `server`, `since` and `until` speak. Another one that speaks the dialect differs by
/// causes, which are in `baseline.csv`, and not by columns.
const MEASURED_ON: [(&str, &str); 3] =
    [("nats", "nats-server"), ("rabbitmq", "rabbitmq-server"), ("mqtt", "mosquitto")];

impl DialectTables {
    /// A file's name below the tables' folder (`match.csv` -> `nats/match.csv`).
    pub fn file(&self, file: &str) -> String {
        format!("{}/{file}", self.name)
    }

    /// The broker of which the measured columns speak; `None` where nobody was measured.
    pub fn measured_on(&self) -> Option<&'static str> {
        MEASURED_ON.iter().find(|(dialect, _)| *dialect == self.name).map(|(_, broker)| *broker)
    }

    /// The clause of that id.
    pub fn clause(&self, id: &str) -> Option<&Clause> {
        self.clauses.iter().find(|clause| clause.id == id)
    }

    /// The recording of that server and version.
    pub fn recording(&self, server: &str, version: &str) -> Option<&Recording> {
        self.observed.iter().find(|recording| recording.server == server && recording.version == version)
    }
}

/// The line of a row in its rendered file, counted from 1 with the header: every row is one line.
pub fn line_of(index: usize) -> u64 {
    index as u64 + 2
}

/// What is wrong with one file's bytes, by the table that its name says. Never panics, whatever the bytes.
pub fn parse_bytes(name: &str, bytes: &[u8]) -> Vec<Problem> {
    read([(name, bytes)]).problems
}

impl Read {
    fn lint(&self) -> Lint {
        let broken = self.problems.iter().filter(|p| !p.mendable).map(|p| p.file.clone()).collect();
        let mut problems = lint::across(&self.tables, &self.lines, &broken);
        problems.extend(self.problems.iter().cloned());
        Lint::new(problems)
    }
}

/// The files that every dialect has.
const REQUIRED: [&str; 4] = ["clauses.csv", "match.csv", "relations.csv", "validation.csv"];

fn read<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Read {
    let mut read = Read { tables: Tables::default(), lines: Lines::new(), problems: Vec::new() };
    let mut dialects: BTreeMap<&str, (DialectTables, BTreeSet<&str>)> = BTreeMap::new();
    let mut top = BTreeSet::new();
    for (name, bytes) in files {
        match name.split_once('/') {
            None => {
                top.insert(name);
                match name {
                    "causes.csv" => read.tables.causes = keep(table::parse(name, bytes), name, &mut read),
                    "baseline.csv" => read.tables.baseline = keep(table::parse(name, bytes), name, &mut read),
                    _ => read
                        .problems
                        .push(Problem::file(name, "found a file of no table, expected causes.csv or baseline.csv")),
                }
            }
            Some((dialect, file)) => {
                let (tables, seen) = dialects.entry(dialect).or_default();
                seen.insert(file);
                read_dialect_file(tables, name, file, bytes, &mut read);
            }
        }
    }
    for file in ["baseline.csv", "causes.csv"] {
        if !top.contains(file) {
            read.problems.push(Problem::file(file, "is missing"));
        }
    }
    for (name, (mut tables, seen)) in dialects {
        for file in REQUIRED.iter().filter(|file| !seen.contains(**file)) {
            read.problems.push(Problem::file(&format!("{name}/{file}"), "is missing"));
        }
        tables.name = name.to_owned();
        tables.observed.sort_by_key(|recording| recording.file());
        read.tables.dialects.push(tables);
    }
    read
}

fn read_dialect_file(tables: &mut DialectTables, name: &str, file: &str, bytes: &[u8], read: &mut Read) {
    match file {
        "match.csv" => tables.matches = keep(table::parse(name, bytes), name, read),
        "validation.csv" => tables.validation = keep(table::parse(name, bytes), name, read),
        "relations.csv" => tables.relations = keep(table::parse(name, bytes), name, read),
        "clauses.csv" => tables.clauses = keep(table::parse(name, bytes), name, read),
        "claims.csv" => tables.claims = Some(keep(table::parse(name, bytes), name, read)),
        _ => match observed::parse(name, file, bytes) {
            Some((recording, problems)) => {
                tables.observed.push(recording);
                read.problems.extend(problems);
            }
            None => {
                let tables =
                    "match.csv, validation.csv, relations.csv, clauses.csv, claims.csv, observed/SERVER@VERSION.csv";
                read.problems.push(Problem::file(name, format!("found a file of no table, expected one of {tables}")));
            }
        },
    }
}

fn keep<R>(parsed: Parsed<R>, name: &str, read: &mut Read) -> Vec<R> {
    read.problems.extend(parsed.problems);
    read.lines.insert(name.to_owned(), parsed.lines);
    parsed.rows
}

/// Every `*.csv` of the folder, of its folders, and of their `observed/`; hidden files and folders without a table are
/// passed over.
fn read_files(dir: &Path) -> Result<Vec<(String, Vec<u8>)>, TablesError> {
    let mut files = Vec::new();
    for path in entries(dir)? {
        if is_csv(&path) {
            files.push((name_of(&path), read_file(&path)?));
        } else if path.is_dir() {
            let dialect = name_of(&path);
            for path in entries(&path)? {
                if is_csv(&path) {
                    files.push((format!("{dialect}/{}", name_of(&path)), read_file(&path)?));
                } else if path.is_dir() && name_of(&path) == "observed" {
                    for path in entries(&path)?.into_iter().filter(|path| is_csv(path)) {
                        files.push((format!("{dialect}/observed/{}", name_of(&path)), read_file(&path)?));
                    }
                }
            }
        }
    }
    Ok(files)
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>, TablesError> {
    let read = |source| TablesError::Read { path: dir.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(read)? {
        let path = entry.map_err(read)?.path();
        if !name_of(&path).starts_with('.') {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "csv") && path.is_file()
}

fn read_file(path: &Path) -> Result<Vec<u8>, TablesError> {
    fs::read(path).map_err(|source| TablesError::Read { path: path.to_owned(), source })
}
