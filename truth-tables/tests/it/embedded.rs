//! The committed tables: clean, canonical, and all of them built in.

use std::{collections::BTreeSet, path::Path};

use wildcheck_matcher::{Strength, by_name};
use wildcheck_tables::{Tables, review, row::OperandKind};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_committed_tables_have_no_problem() {
    if let Err(error) = Tables::load(folder()) {
        panic!("{error}");
    }
}

#[test]
fn what_is_built_in_is_what_the_folder_holds() {
    let embedded = Tables::embedded().expect("clean tables");
    let loaded = Tables::load(folder()).expect("clean tables");
    let names = |tables: &Tables| tables.render().into_keys().collect::<Vec<_>>();
    assert_eq!(names(&embedded), names(&loaded), "a table is missing in (or too much in) truth-tables/src/embed.rs");
    assert!(embedded == loaded);
}

#[test]
fn tables_rendered_are_the_files_byte_for_byte() {
    for (name, bytes) in Tables::load(folder()).expect("clean tables").render() {
        let file = std::fs::read(folder().join(&name)).expect("the file that was loaded");
        assert_eq!(String::from_utf8_lossy(&file), String::from_utf8_lossy(&bytes), "{name}");
    }
}

#[test]
fn no_committed_row_contradicts_the_reference() {
    let findings = review(&Tables::embedded().expect("clean tables"));
    let told: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", told.join("\n"));
}

/// Every id written as `ClauseId("…")` in the matcher's sources.
fn clauses_of_the_matcher(dir: &Path, ids: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(dir).expect("the matcher's sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            clauses_of_the_matcher(&path, ids);
        } else {
            let source = std::fs::read_to_string(&path).expect("a source file");
            let quoted = source.split("ClauseId(\"").skip(1).filter_map(|rest| rest.split('"').next());
            ids.extend(quoted.map(str::to_owned));
        }
    }
}

#[test]
fn the_clauses_of_each_dialect_are_the_clauses_of_its_matcher() {
    let mut in_matcher = BTreeSet::new();
    clauses_of_the_matcher(&folder().join("../matcher/src"), &mut in_matcher);
    let tables = Tables::embedded().expect("clean tables");
    let in_tables = tables.dialects.iter().flat_map(|dialect| dialect.clauses.iter().map(|clause| clause.id.clone()));
    assert_eq!(in_tables.collect::<BTreeSet<_>>(), in_matcher);
}

#[test]
fn every_clause_that_explains_a_row_is_in_the_tables() {
    for tables in &Tables::embedded().expect("clean tables").dialects {
        let dialect = by_name(&tables.name).expect("a dialect");
        for row in &tables.matches {
            let clause = dialect.explain(row.pattern.bytes(), row.subject.bytes()).clause;
            assert!(tables.clause(clause.0).is_some(), "{clause} of `{}` and `{}`", row.pattern, row.subject);
        }
        for row in &tables.validation {
            for strength in [Strength::Server, Strength::Strict] {
                let refusal = match row.operand {
                    OperandKind::Pattern => dialect.validate_pattern(row.text.bytes(), strength),
                    OperandKind::Subject => dialect.validate_subject(row.text.bytes(), strength),
                };
                if let Err(refusal) = refusal {
                    assert!(tables.clause(refusal.clause.0).is_some(), "{refusal} of `{}`", row.text);
                }
            }
        }
    }
}

#[test]
fn the_naive_approximation_is_wrong_on_six_of_the_seeds_rows_in_both_directions() {
    let tables = Tables::embedded().expect("clean tables");
    let nats = tables.dialect("nats").expect("nats");
    let seed: Vec<_> = nats.matches.iter().filter(|row| row.source == "seed").collect();
    assert_eq!(seed.len(), 21);
    assert!(seed.iter().all(|row| row.server == Some(row.expected)));
    let wrong: Vec<bool> = seed.iter().filter(|row| row.naive != Some(row.expected)).map(|row| row.expected).collect();
    assert_eq!(wrong.len(), 6);
    assert!(wrong.contains(&true) && wrong.contains(&false));
}

#[test]
fn a_false_row_of_nats_cites_the_clause_that_decides_it() {
    let tables = Tables::embedded().expect("clean tables");
    let nats = by_name("nats").expect("nats");
    for row in tables.dialect("nats").expect("nats").matches.iter().filter(|row| !row.expected) {
        let trace = nats.explain(row.pattern.bytes(), row.subject.bytes());
        assert_eq!(row.clause, trace.clause.0, "`{}` and `{}`: {}", row.pattern, row.subject, trace.why);
    }
}
