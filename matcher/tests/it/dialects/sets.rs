//! Pattern sets of every dialect against the plain list, under random insertions and removals.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use wildcheck_matcher::{Dialect, Strength, dialects};

use super::laws::{dialect, show};

#[derive(Clone, Debug)]
enum Step {
    Insert(Vec<u8>, u32),
    Remove(Vec<u8>, u32),
    Ask(Vec<u8>),
}

/// Steps over few tokens and ids, so that duplicates and removals meet.
fn steps(dialect: &dyn Dialect) -> impl Strategy<Value = Vec<Step>> + use<> {
    let syntax = dialect.syntax();
    let text = |token: Option<&'static [u8]>| token.map_or("b", |t| core::str::from_utf8(t).unwrap());
    let tokens =
        vec!["a", "b", "", "$x", "a*", "ab", "#P2P", "$share", text(syntax.one), text(syntax.many), text(syntax.many)];
    let separator = String::from(char::from(syntax.separator.unwrap_or(b'.')));
    let operand = proptest::collection::vec(proptest::sample::select(tokens), 0..=5)
        .prop_map(move |tokens| tokens.join(&separator).into_bytes());
    let step = (0..5, operand, 0..3_u32).prop_map(|(kind, operand, id)| match kind {
        0 | 1 => Step::Insert(operand, id),
        2 => Step::Remove(operand, id),
        _ => Step::Ask(operand),
    });
    proptest::collection::vec(step, 0..120)
}

#[test]
fn a_set_answers_as_the_list_does_after_any_insertions_and_removals() {
    for dialect in dialects() {
        let mut runner =
            TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) });
        runner.run(&steps(*dialect), |steps| answers_as_the_list(*dialect, steps)).unwrap();
    }
}

fn answers_as_the_list(dialect: &dyn Dialect, steps: Vec<Step>) -> Result<(), TestCaseError> {
    let mut set = dialect.pattern_set().expect("every dialect has a set");
    let mut list: Vec<(Vec<u8>, u32)> = Vec::new();
    for step in steps {
        match step {
            Step::Insert(pattern, id) => {
                let accepted = dialect.validate_pattern(&pattern, Strength::Server);
                prop_assert_eq!(set.insert(&pattern, id), accepted);
                if accepted.is_ok() {
                    list.push((pattern, id));
                }
            }
            Step::Remove(pattern, id) => {
                let place = list.iter().position(|entry| entry.0 == pattern && entry.1 == id);
                prop_assert_eq!(set.remove(&pattern, id), place.is_some(), "{} {}", show(&pattern), id);
                place.map(|place| list.swap_remove(place));
            }
            Step::Ask(subject) => {
                let mut ids = Vec::new();
                set.matches(&subject, &mut ids);
                ids.sort_unstable();
                let mut wanted: Vec<u32> =
                    list.iter().filter(|(pattern, _)| dialect.matches(pattern, &subject)).map(|(_, id)| *id).collect();
                wanted.sort_unstable();
                prop_assert_eq!(ids, wanted, "{}: {} in {:?}", dialect.name(), show(&subject), &list);
            }
        }
        prop_assert_eq!(set.len(), list.len());
    }
    Ok(())
}

#[test]
fn a_pattern_that_reads_alike_is_removed_by_its_own_spelling() {
    let mut set = dialect("mqtt").pattern_set().unwrap();
    set.insert(b"$share/g/a", 1).unwrap();
    assert!(!set.remove(b"a", 1) && set.remove(b"$share/g/a", 1) && set.is_empty());
    let mut set = dialect("rabbitmq-2.2").pattern_set().unwrap();
    set.insert(b"a..b", 1).unwrap();
    assert!(!set.remove(b"a.b", 1) && set.remove(b"a..b", 1));
}

#[test]
fn an_emptied_set_holds_no_more_than_it_did() {
    let mut set = dialect("rabbitmq").pattern_set().unwrap();
    let fill = |set: &mut Box<dyn wildcheck_matcher::PatternSet>| {
        for id in 0..500_u32 {
            set.insert(format!("a.{id}.#.b").as_bytes(), id).unwrap();
        }
    };
    fill(&mut set);
    let full = set.heap_bytes();
    for _ in 0..5 {
        for id in 0..500_u32 {
            assert!(set.remove(format!("a.{id}.#.b").as_bytes(), id));
        }
        fill(&mut set);
    }
    assert!(set.heap_bytes() <= full * 2, "{} bytes after, {full} before", set.heap_bytes());
}

#[test]
fn many_hashes_do_not_make_the_walk_exponential() {
    let mut set = dialect("rabbitmq").pattern_set().unwrap();
    set.insert(("#.a.".repeat(60) + "#.b").as_bytes(), 7).unwrap();
    let key = vec!["a"; 127].join(".");
    let start = std::time::Instant::now();
    let mut ids = Vec::new();
    set.matches(key.as_bytes(), &mut ids);
    set.matches(&(key + ".b").as_bytes()[2..], &mut ids);
    assert_eq!(ids, [7]);
    assert!(start.elapsed().as_secs() < 5, "two walks took {:?}", start.elapsed());
}
