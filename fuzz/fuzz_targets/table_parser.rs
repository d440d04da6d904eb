//! The table parser on any bytes: problems that name their line, or rows that render to the same bytes; never a panic.
#![cfg_attr(fuzzing, no_main)]

use wildcheck_tables::{
    observed::ObservedRow,
    row::{BaselineRow, Cause, Claim, Clause, MatchRow, RelationRow, ValidationRow},
    table::{TableRow, parse, render},
};

fn one(data: &[u8]) {
    let Some((which, bytes)) = data.split_first() else { return };
    match which % 8 {
        0 => table::<MatchRow>("nats/match.csv", bytes),
        1 => table::<ValidationRow>("nats/validation.csv", bytes),
        2 => table::<RelationRow>("nats/relations.csv", bytes),
        3 => table::<Clause>("nats/clauses.csv", bytes),
        4 => table::<Claim>("nats/claims.csv", bytes),
        5 => table::<Cause>("causes.csv", bytes),
        6 => table::<BaselineRow>("baseline.csv", bytes),
        _ => table::<ObservedRow>("nats/observed/nats-server@2.15.1.csv", bytes),
    }
}

fn table<R: TableRow>(file: &str, rows: &[u8]) {
    // The header is a given: a fuzzer that must find it first finds nothing else.
    let mut bytes = R::COLUMNS.join(",").into_bytes();
    bytes.push(b'\n');
    bytes.extend_from_slice(rows);
    let parsed = parse::<R>(file, &bytes);
    let lines = bytes.iter().filter(|b| **b == b'\n').count() as u64 + 1;
    for problem in &parsed.problems {
        assert!(problem.line.is_none_or(|line| (1..=lines).contains(&line)), "{problem} is not in {lines} lines");
    }
    if parsed.problems.is_empty() {
        assert_eq!(render(&parsed.rows), bytes, "a table without a problem renders to itself");
    }
    // Whatever could be read is a table once rendered, as `lint` and `regen` mend it.
    let again = parse::<R>(file, &render(&parsed.rows));
    assert_eq!(again.rows.len(), parsed.rows.len());
}

wildcheck::target!("table_parser", one);
