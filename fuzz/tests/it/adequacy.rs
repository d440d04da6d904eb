//! What the tables are good for: they alone must refute every named wrong matcher.

use wildcheck::adequacy::adequacy;
use wildcheck_matcher::by_name;
use wildcheck_tables::{Operand, Tables};

#[test]
fn the_rows_of_every_dialect_refute_every_named_wrong_matcher() {
    let tables = Tables::embedded().expect("the tables load");
    for of_dialect in &tables.dialects {
        let dialect = by_name(&of_dialect.name).expect("a dialect of that name");
        let adequacy = adequacy(dialect, of_dialect).expect("wrong matchers and rows");
        let alive: Vec<_> = adequacy.mutants.iter().filter(|judged| !judged.refuted()).collect();
        assert!(alive.is_empty(), "{}: no row refutes {alive:#?}", of_dialect.name);
    }
}

#[test]
fn a_wrong_matcher_that_no_row_refutes_is_told_with_the_smallest_pair_that_would() {
    let mut tables = Tables::embedded().expect("the tables load");
    let nats = tables.dialects.iter_mut().find(|tables| tables.name == "nats").expect("nats");
    let dialect = by_name("nats").expect("nats");
    nats.matches.retain(|row| row.pattern.bytes() == b"a.b" || row.pattern.bytes() == b"#");
    nats.validation.clear();
    let adequacy = adequacy(dialect, nats).expect("wrong matchers and rows");
    let tail = adequacy.mutants.iter().find(|judged| judged.mutant.name == "tail-matches-zero").expect("named");
    assert!(!tail.refuted());
    assert_eq!(tail.smallest, Some((Operand::from(&b"a.>"[..]), Operand::from(&b"a"[..]))));
}

#[test]
fn a_row_that_refutes_nobody_is_listed() {
    let tables = Tables::embedded().expect("the tables load");
    let nats = tables.dialect("nats").expect("nats");
    let adequacy = adequacy(by_name("nats").expect("nats"), nats).expect("wrong matchers and rows");
    assert!(!adequacy.idle.is_empty());
    let alone = |index: &usize| adequacy.mutants.iter().any(|judged| judged.matches.contains(index));
    assert!(!adequacy.idle.iter().any(alone));
}
