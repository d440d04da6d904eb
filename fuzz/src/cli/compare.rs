//! `compare`: a pattern in several dialects against one list of subjects. Must never ask a server.

use std::io::Write as _;

use wildcheck::exit::ExitCode;
use wildcheck_matcher::{
    Dialect, Translation,
    across::{Column, Comparison, Fate, compare, patterns_of},
    dialects,
};
use wildcheck_tables::Operand;

use super::{
    args::operand,
    failure::Failure,
    session::{Session, named},
};

/// The options of `compare`; `--dialect` is the one the pattern is written in.
#[derive(clap::Args)]
pub struct Args {
    /// What is subscribed to, in the language of --dialect; \xNN is a byte
    #[arg(value_parser = operand())]
    pattern: Operand,
    /// The dialects to compare, with commas between them, or all
    #[arg(long, value_name = "LIST", default_value = "all")]
    dialects: String,
    /// A subject, in the language of --dialect; may be repeated; default: subjects made from the pattern
    #[arg(long, value_name = "SUBJECT", value_parser = operand())]
    subject: Vec<Operand>,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let to: Vec<&'static dyn Dialect> = match args.dialects.as_str() {
        "all" => dialects().to_vec(),
        list => list.split(',').map(named).collect::<Result<_, _>>()?,
    };
    let given: Vec<Vec<u8>> = args.subject.into_iter().map(|subject| subject.0).collect();
    let from = session.dialect;
    let comparison = compare(from, &to, args.pattern.bytes(), &given)
        .map_err(|refusal| Failure::Usage(format!("{} refuses {:?}: {refusal}", from.name(), args.pattern)))?;
    let text = told(&comparison, from);
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    Ok(ExitCode::Agree)
}

fn told(comparison: &Comparison, from: &dyn Dialect) -> String {
    let mut said = Table::default();
    for column in &comparison.columns {
        said.line([column.dialect.name().to_owned(), patterns(column), note(column)]);
    }
    let mut table = Table::default();
    let names = comparison.columns.iter().map(|column| column.dialect.name().to_owned());
    table.line([format!("subject ({})", from.name())].into_iter().chain(names));
    for (index, subject) in comparison.subjects.iter().enumerate() {
        let words = comparison.columns.iter().map(|column| match column.fates.get(index) {
            Some(Fate::Reaches) => "yes",
            Some(Fate::Misses) => "no",
            Some(Fate::Refused) => "refused",
            Some(Fate::Inexpressible) => "cannot be said",
            None => "-",
        });
        table.line([shown(subject)].into_iter().chain(words.map(str::to_owned)));
    }
    format!("{}\n{}", said.text(), table.text())
}

fn patterns(column: &Column) -> String {
    match patterns_of(&column.translation) {
        Some(patterns) => patterns.iter().map(|pattern| shown(pattern)).collect::<Vec<_>>().join(" and "),
        None => "-".to_owned(),
    }
}

fn note(column: &Column) -> String {
    match &column.translation {
        Translation::Exact(_) | Translation::NeedsSeveral(_) => "exact".to_owned(),
        Translation::Inexact { reserved_only: true, .. } => "not exact, on reserved names only".to_owned(),
        Translation::Inexact { .. } => "not exact".to_owned(),
        Translation::NoFiniteForm { reason } => reason.clone(),
        Translation::Refused(refusal) => refusal.to_string(),
    }
}

fn shown(operand: &[u8]) -> String {
    let text = Operand::from(operand).to_string();
    if text.is_empty() { "''".to_owned() } else { text }
}

/// Lines of cells, each column as wide as its widest cell.
#[derive(Default)]
pub struct Table(Vec<Vec<String>>);

impl Table {
    /// Appends a line.
    pub fn line(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.push(cells.into_iter().collect());
    }

    /// The lines, without blanks at their ends.
    pub fn text(&self) -> String {
        let columns = self.0.iter().map(Vec::len).max().unwrap_or(0);
        let wide = |at: usize| self.0.iter().filter_map(|line| line.get(at)).map(|c| c.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|at| wide(at).unwrap_or(0)).collect();
        let mut text = String::new();
        for line in &self.0 {
            let cells: String = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}  ")).collect();
            text.push_str(cells.trim_end());
            text.push('\n');
        }
        text
    }
}
