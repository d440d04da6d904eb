//! What the tables are good for: they alone must refute every named wrong matcher.

use wildcheck::adequacy::{Worth, adequacy};
use wildcheck_matcher::by_name;
use wildcheck_oracle::{Oracle, memory::Opinion};
use wildcheck_tables::{Operand, Tables};

use crate::engine_support::{NATS, memory};

#[test]
fn the_rows_of_every_dialect_refute_every_named_wrong_matcher_and_each_is_there_for_something() {
    let tables = Tables::embedded().expect("the tables load");
    for of_dialect in &tables.dialects {
        let dialect = by_name(&of_dialect.name).expect("a dialect of that name");
        let adequacy = adequacy(dialect, of_dialect, &mut []).expect("wrong matchers and rows");
        let alive: Vec<_> = adequacy.mutants.iter().filter(|judged| !judged.refuted()).collect();
        assert!(alive.is_empty(), "{}: no row refutes {alive:#?}", of_dialect.name);
        let idle: Vec<_> = adequacy.idle.iter().filter(|(_, worth)| *worth == Worth::Nothing).collect();
        assert!(idle.is_empty(), "{}: rows that can go: {idle:?}", of_dialect.name);
    }
}

#[test]
fn a_wrong_matcher_that_no_row_refutes_is_told_with_the_smallest_pair_that_would() {
    let mut tables = Tables::embedded().expect("the tables load");
    let nats = tables.dialects.iter_mut().find(|tables| tables.name == "nats").expect("nats");
    let dialect = by_name("nats").expect("nats");
    nats.matches.retain(|row| row.pattern.bytes() == b"a.b" || row.pattern.bytes() == b"#");
    nats.validation.clear();
    let adequacy = adequacy(dialect, nats, &mut []).expect("wrong matchers and rows");
    let tail = adequacy.mutants.iter().find(|judged| judged.mutant.name == "tail-matches-zero").expect("named");
    assert!(!tail.refuted());
    assert_eq!(tail.smallest, Some((Operand::from(&b"a.>"[..]), Operand::from(&b"a"[..]))));
}

#[test]
fn a_row_that_refutes_nobody_is_listed_with_what_it_is_there_for() {
    let mut tables = Tables::embedded().expect("the tables load");
    let nats = tables.dialects.iter_mut().find(|tables| tables.name == "nats").expect("nats");
    let mut again = nats.matches.iter().find(|row| row.pattern.bytes() == b"a.b").expect("a row").clone();
    again.source = "hand".to_owned();
    again.clause = "nats-literal".to_owned();
    again.pattern = Operand::from("zz");
    again.subject = Operand::from("zz");
    again.expected = true;
    nats.matches.push(again);
    let adequacy = adequacy(NATS, nats, &mut []).expect("wrong matchers and rows");
    let alone = |index: usize| adequacy.mutants.iter().any(|judged| judged.matches.contains(&index));
    assert!(!adequacy.idle.iter().any(|(index, _)| alone(*index)));
    assert_eq!(adequacy.idle.last(), Some(&(nats.matches.len() - 1, Worth::Nothing)));
    assert!(adequacy.idle.iter().any(|(_, worth)| *worth == Worth::Seed));
    assert!(adequacy.idle.iter().any(|(_, worth)| *worth == Worth::Clause));
}

#[test]
fn somebodys_matcher_is_asked_the_rows_alone() {
    let tables = Tables::embedded().expect("the tables load");
    let nats = tables.dialect("nats").expect("nats");
    let mut asked: Vec<Box<dyn Oracle>> = vec![memory(NATS, Opinion::Spec), memory(NATS, Opinion::Naive)];
    let adequacy = adequacy(NATS, nats, &mut asked).expect("wrong matchers and rows");
    let [right, wrong] = &adequacy.outsiders[..] else { panic!("{:?}", adequacy.outsiders) };
    assert!(right.matches.is_empty(), "{right:?}");
    let naive =
        (0..nats.matches.len()).filter(|index| nats.matches[*index].naive != Some(nats.matches[*index].expected));
    assert_eq!(wrong.matches, naive.collect::<Vec<_>>());
}
