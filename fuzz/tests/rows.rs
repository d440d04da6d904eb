//! Every row of every table as a test of its own: `nats/match.csv: a.* a.b -> true`. The reference and the slow second
//! implementation are asked about all of them, a live server about those of its dialect, all rows at once.
//!
//! Must never pass a row that nobody was asked about.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use wildcheck::rows;
use wildcheck_matcher::{Dialect, by_name};
use wildcheck_oracle::{Address, Options, open};
use wildcheck_tables::{DialectTables, Lane, Tables, Verdict, cell::write_operand, event::RowResult, row::OperandKind};

/// The dialects whose broker `make setup` installs.
const LIVE: [&str; 3] = ["nats", "mqtt", "rabbitmq"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let tables = match Tables::embedded() {
        Ok(tables) => tables,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials = Vec::new();
    for dialect in &tables.dialects {
        let Some(language) = by_name(&dialect.name) else {
            let why = format!("no dialect is called {}", dialect.name);
            trials.push(Trial::test(dialect.name.clone(), move || Err(Failed::from(why))));
            continue;
        };
        // Asked once for all rows; a listing asks nobody.
        let live =
            if arguments.list || !LIVE.contains(&language.name()) { Live::default() } else { live(language, dialect) };
        trials.extend(of_dialect(language, dialect, &live));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// What the live lanes said, and why some said nothing.
#[derive(Default)]
struct Live {
    answers: Vec<rows::LaneAnswers>,
    failed: Vec<(Lane, String)>,
}

fn live(language: &'static dyn Dialect, tables: &DialectTables) -> Live {
    let mut lanes = vec![Lane::WIRE];
    lanes.extend(rows::lanes(tables).into_iter().filter(|lane| *lane != Lane::WIRE));
    let mut live = Live::default();
    for lane in lanes {
        let options = Options { lane: Some(lane.clone()), ..Options::new(language) };
        let answers = open(&Address::Auto, &options).and_then(|mut oracle| rows::ask(language, tables, &mut *oracle));
        match answers {
            Ok(answers) => live.answers.push(answers),
            Err(error) => live.failed.push((lane, error.to_string())),
        }
    }
    live
}

fn of_dialect(language: &'static dyn Dialect, tables: &DialectTables, live: &Live) -> Vec<Trial> {
    let asks_live = LIVE.contains(&language.name());
    let result = |row: RowResult, spec: Result<(), String>| {
        let right = row.right.as_ref().map(|right| format!(" {}", write_operand(Some(right)))).unwrap_or_default();
        let operation = match row.operation.as_str() {
            "match" => String::new(),
            kind if kind.starts_with("valid-") => format!("{kind} ({}) ", tables.validation[index_of(&row)].lane),
            relation => format!("{relation} "),
        };
        let name = format!("{}: {operation}{}{right} -> {}", row.table, write_operand(Some(&row.left)), row.expected);
        let lane = match row.operation.as_str() {
            kind if kind.starts_with("valid-") => &tables.validation[index_of(&row)].lane,
            _ => &Lane::WIRE,
        };
        let failed = live.failed.iter().find(|(failed, _)| failed == lane).map(|(lane, why)| format!("{lane}: {why}"));
        Trial::test(name, move || {
            if let Some(why) = failed {
                return Err(Failed::from(why));
            }
            spec?;
            let answered = row.answers.iter().filter(|a| a.lane != Lane::MEMORY && a.verdict != Verdict::Unsupported);
            if asks_live && row.operation != "subset" && row.operation != "overlap" && answered.count() == 0 {
                return Err(Failed::from("no live lane was asked"));
            }
            if row.holds { Ok(()) } else { Err(Failed::from(format!("{row:#?}"))) }
        })
    };
    let mut trials = Vec::new();
    for row in rows::results(language, tables, &live.answers) {
        let spec = second_opinion(language, tables, &row);
        trials.push(result(row, spec));
    }
    trials
}

/// The slow implementation on a match row; the portable rule says no less than the server's on a validation row.
fn second_opinion(language: &dyn Dialect, tables: &DialectTables, row: &RowResult) -> Result<(), String> {
    let index = index_of(row);
    if row.operation == "match" {
        let row = &tables.matches[index];
        let says = language.spec_matches(&row.pattern.0, &row.subject.0);
        if says != row.expected {
            return Err(format!("the slow implementation says {says}"));
        }
    } else if row.operation.starts_with("valid-") {
        use wildcheck_matcher::Strength::{Server, Strict};
        let row = &tables.validation[index];
        let (server, strict) = match row.operand {
            OperandKind::Pattern => {
                (language.validate_pattern(&row.text.0, Server), language.validate_pattern(&row.text.0, Strict))
            }
            OperandKind::Subject => {
                (language.validate_subject(&row.text.0, Server), language.validate_subject(&row.text.0, Strict))
            }
        };
        if server.is_err() && strict.is_ok() {
            return Err("the portable rule takes what the server refuses".to_owned());
        }
    }
    Ok(())
}

/// A row's place in its table: the header is line 1.
fn index_of(row: &RowResult) -> usize {
    usize::try_from(row.line).unwrap_or_default().saturating_sub(2)
}
