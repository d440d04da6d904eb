//! The named wrong matchers: each is wrong, each in its direction, and `causes.csv` names the same ones.

use std::collections::BTreeSet;

use wildcheck::{
    compare::Disagreement,
    generate,
    mutants::{self, Parsed, deviation::Set, plain},
    scope::Scope,
    selfcheck,
};
use wildcheck_matcher::Operand as Side;
use wildcheck_oracle::memory::Opinion;
use wildcheck_tables::{Operand, RunEvent, Tables, row::Direction, table};

use crate::engine_support::{Kept, NATS, every_dialect, memory};

#[test]
fn causes_csv_holds_the_rows_of_the_mutants() {
    let ours = table::render(&mutants::causes());
    let file = table::render(&Tables::embedded().expect("the tables in the binary").causes);
    assert_eq!(String::from_utf8_lossy(&ours), String::from_utf8_lossy(&file));
}

#[test]
fn codes_and_names_are_used_once() {
    let codes: BTreeSet<_> = mutants::all().iter().map(|m| m.code).collect();
    let names: BTreeSet<_> = mutants::all().iter().map(|m| m.name).collect();
    assert_eq!((codes.len(), names.len()), (mutants::all().len(), mutants::all().len()));
}

#[test]
fn at_least_twenty_wrong_matchers_of_nats_are_named() {
    assert!(mutants::of(NATS).len() >= 20, "{}", mutants::of(NATS).len());
}

#[test]
fn without_a_deviation_the_plain_algorithm_is_the_reference_of_nats() {
    let scope = Scope::parse(NATS, "a,b,a*,>>", 3, true, false).expect("a scope");
    let subjects: Vec<_> = scope.subjects().collect();
    for pattern in scope.patterns() {
        let parsed = Parsed::new(NATS, Side::Pattern, pattern.bytes());
        for subject in &subjects {
            let says = plain(NATS, Set::NONE, &parsed, &Parsed::new(NATS, Side::Subject, subject.bytes()));
            let truth = wildcheck_matcher::nats::matches(pattern.bytes(), subject.bytes());
            assert_eq!(says, truth, "{pattern:?} {subject:?}");
        }
    }
}

#[test]
fn a_mutant_is_wrong_only_in_its_direction() {
    use rand::SeedableRng;
    for dialect in every_dialect() {
        let mut random = rand::rngs::StdRng::seed_from_u64(7);
        for _ in 0..8 {
            let grid = generate::grid(dialect, &mut random, 64, 64);
            let patterns: Vec<_> =
                grid.patterns.iter().map(|p| Parsed::new(dialect, Side::Pattern, p.bytes())).collect();
            let subjects: Vec<_> =
                grid.subjects.iter().map(|s| Parsed::new(dialect, Side::Subject, s.bytes())).collect();
            for pattern in &patterns {
                for subject in &subjects {
                    let truth = dialect.matches(pattern.bytes, subject.bytes);
                    for mutant in mutants::of(dialect) {
                        let says = mutant.verdict(dialect, pattern, subject, truth);
                        let allowed = match mutant.direction {
                            Direction::TooMuch => says >= truth,
                            Direction::TooLittle => says <= truth,
                            Direction::Both => true,
                        };
                        let (p, s) = (pattern.bytes.escape_ascii(), subject.bytes.escape_ascii());
                        assert!(allowed, "{} {} in {}: `{p}` `{s}`", mutant.code, mutant.name, dialect.name());
                    }
                }
            }
        }
    }
}

#[test]
fn the_self_check_finds_every_mutant_of_every_dialect() {
    let mut missed = Vec::new();
    for dialect in every_dialect() {
        let mut reference = memory(dialect, Opinion::Reference);
        for planted in mutants::of(dialect) {
            for seed in [5, 1917] {
                let mut wrong = mutants::Planted::new(dialect, planted);
                let mut sink = Kept::default();
                let checked =
                    selfcheck::look_for(dialect, planted, &mut wrong, seed, &mut *reference, &mut sink).expect("asked");
                let told = matches!(&sink.0[..], [RunEvent::SelfCheck { caught, .. }] if *caught == checked.caught);
                assert!(told, "{:?}", sink.0);
                if !checked.caught {
                    missed.push(format!("{} {} {} seed {seed}", dialect.name(), planted.code, planted.name));
                }
            }
        }
    }
    assert!(missed.is_empty(), "not found:\n{}", missed.join("\n"));
}

#[test]
fn a_planted_bug_that_is_none_fails_the_self_check() {
    let planted = mutants::by_code("WC002").expect("named");
    let mut right = memory(NATS, Opinion::Spec);
    let mut reference = memory(NATS, Opinion::Reference);
    let mut sink = Kept::default();
    let checked = selfcheck::look_for(NATS, planted, &mut *right, 1, &mut *reference, &mut sink).expect("asked");
    assert!(!checked.caught);
    assert!(matches!(&sink.0[..], [RunEvent::SelfCheck { caught: false, witness: None, .. }]));
}

#[test]
fn the_seed_draws_the_planted_bug() {
    let drawn = |seed| {
        let mut reference = memory(NATS, Opinion::Reference);
        selfcheck::self_check(NATS, seed, &mut *reference, &mut Kept::default()).expect("asked").planted.code
    };
    assert_eq!(drawn(1), drawn(1));
    let codes: BTreeSet<_> = (0..40).map(drawn).collect();
    assert!(codes.len() > 10, "{codes:?}");
}

#[test]
fn a_deviation_that_does_not_bite_changes_nothing() {
    use rand::SeedableRng;
    for dialect in every_dialect() {
        let mut random = rand::rngs::StdRng::seed_from_u64(11);
        let grid = generate::grid(dialect, &mut random, 96, 96);
        for pattern in &grid.patterns {
            let pattern = Parsed::new(dialect, Side::Pattern, pattern.bytes());
            for subject in &grid.subjects {
                let subject = Parsed::new(dialect, Side::Subject, subject.bytes());
                let base = plain(dialect, Set::NONE, &pattern, &subject);
                for mutant in mutants::of(dialect) {
                    let deviation = mutant.deviation;
                    if plain(dialect, Set::of(deviation), &pattern, &subject) != base {
                        let (p, s) = (pattern.bytes.escape_ascii(), subject.bytes.escape_ascii());
                        assert!(mutants::bites(deviation, &pattern, &subject), "{deviation:?}: `{p}` `{s}`");
                    }
                }
            }
        }
    }
}

#[test]
fn what_published_matchers_get_wrong_has_a_name() {
    let named = |dialect: &str, pattern: &str, subject: &str, reference: bool| {
        let dialect = wildcheck_matcher::by_name(dialect).expect("a dialect");
        let pair = Disagreement { pattern: Operand::from(pattern), subject: Operand::from(subject), reference };
        wildcheck::classify::explain(dialect, &pair).iter().map(|mutant| mutant.name).collect::<Vec<_>>()
    };
    for (dialect, pattern, subject, reference, name) in [
        ("mqtt", "#", "#", false, "wildcard-sign-allowed"),
        ("mqtt", "a+", "a+", false, "wildcard-sign-allowed"),
        ("mqtt", "$share/g/a", "a", true, "share-literal"),
        ("mqtt", "$share/g/$x/#", "$x/a", true, "share-dollar-lost"),
        ("mqtt", "$share//a", "a", false, "share-unchecked"),
        ("mqtt", "$a", "$a", true, "dollar-hidden"),
        ("mqtt", "#", "", false, "empty-operand-allowed"),
        ("mqtt", "a/{b}", "a/c", false, "brace-parameter"),
        ("nats", ">.a", "b", false, "tail-ends-pattern"),
        ("rabbitmq", "a..b", "a", false, "empty-token-ends-pattern"),
        ("rabbitmq", "*", "", false, "empty-subject-is-a-token"),
        ("rabbitmq", "a.*a", "aa", false, "literal-as-regex"),
        ("rabbitmq", "#a", "b.a", false, "partial-tail-acts"),
    ] {
        let names = named(dialect, pattern, subject, reference);
        assert!(names.contains(&name), "{dialect} `{pattern}` `{subject}`: {names:?}");
    }
}
