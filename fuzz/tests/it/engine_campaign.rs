//! From a scope to witnesses, in memory: what a certify counts, names, shrinks and attests.

use wildcheck::{
    Disagreement, Scope,
    certify::{Certified, CertifyOptions, NaiveCoverage, certify},
    minimize::{minimize, simpler, size},
    mutants::{self, Planted},
    search::{SearchOptions, search},
};
use wildcheck_matcher::Dialect;
use wildcheck_oracle::{Oracle, memory::Opinion};
use wildcheck_tables::{RunEvent, event::WitnessRecord, row::Direction};

use crate::engine_support::{Kept, NATS, memory, trio};

fn certified(scope: &Scope, under_test: Box<dyn Oracle>, options: &CertifyOptions) -> (Certified, Vec<RunEvent>) {
    let mut sink = Kept::default();
    let mut trio = trio(scope.dialect, Some(under_test));
    let certified = certify(scope, &mut trio, options, &mut sink).expect("asked");
    (certified, sink.0)
}

fn told(witnesses: &[WitnessRecord]) -> String {
    let line = |w: &WitnessRecord| {
        let direction = if w.direction == Direction::TooMuch { "too much" } else { "too little" };
        format!(
            "{} {} x{} {direction}: {:?} {:?} ({}; alone: {})\n  {}\n",
            w.cause, w.name, w.count, w.pattern, w.subject, w.clause, w.alone, w.statement
        )
    };
    witnesses.iter().map(line).collect()
}

/// The acceptance scope.
#[test]
fn the_approximations_thousands_of_disagreements_are_a_handful_of_causes() {
    let scope = Scope::parse(NATS, "a,b,B,*,>,''", 4, true, false).expect("a scope");
    let (certified, _) = certified(&scope, memory(NATS, Opinion::Spec), &CertifyOptions::default());
    assert_eq!(certified.under_test.disagreements(), 0);
    assert_eq!(certified.naive_coverage, NaiveCoverage::Exhaustive);
    let counts = certified.naive;
    assert_eq!(certified.naive_witnesses.iter().map(|w| w.count).sum::<u64>(), counts.disagreements());
    let head = format!("{} pairs, {} too much, {} too little\n", counts.pairs, counts.too_much, counts.too_little);
    insta::assert_snapshot!(head + &told(&certified.naive_witnesses));
}

#[test]
fn the_approximation_is_fully_explained_beyond_the_scope() {
    for seed in 0..4 {
        let mut sink = Kept::default();
        let options = SearchOptions { max_time: None, max_grids: Some(6), seed };
        let searched = search(NATS, &options, &mut trio(NATS, None), &mut sink).expect("asked");
        let unexplained: Vec<_> = searched.naive_witnesses.iter().filter(|w| w.cause == mutants::UNEXPLAINED).collect();
        assert!(unexplained.is_empty(), "seed {seed}: {unexplained:#?}");
        assert!(searched.naive.disagreements() > 0);
    }
}

#[test]
fn the_same_seed_and_number_of_grids_asks_the_same_questions() {
    let run = |seed| {
        let mut sink = Kept::default();
        let options = SearchOptions { max_time: None, max_grids: Some(3), seed };
        search(NATS, &options, &mut trio(NATS, Some(memory(NATS, Opinion::Naive))), &mut sink).expect("asked");
        sink.0
    };
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
}

#[test]
fn a_certificate_attests_the_whole_scope_and_the_reference_agrees_with_the_spec() {
    let scope = Scope::parse(NATS, "a,b,ab", 5, false, false).expect("a scope");
    let (certified, events) = certified(&scope, memory(NATS, Opinion::Spec), &CertifyOptions::default());
    let certificate = certified.certificate.expect("a certificate");
    assert_eq!((certificate.patterns, certificate.subjects, certificate.pairs), (1_705, 363, 618_915));
    assert_eq!(certificate.disagreements, 0);
    assert_eq!(certified.witnesses, []);
    assert!(matches!(events.last(), Some(RunEvent::Certificate(last)) if *last == certificate));
    insta::assert_snapshot!(serde_json::to_string_pretty(&certificate).expect("json"));
}

#[test]
fn the_digest_tells_one_wrong_verdict() {
    let scope = Scope::parse(NATS, "a,b", 3, false, false).expect("a scope");
    let digest = |oracle| certified(&scope, oracle, &CertifyOptions::default()).0.certificate.expect("one").digest;
    let right = digest(memory(NATS, Opinion::Reference));
    assert_eq!(right, digest(memory(NATS, Opinion::Spec)));
    assert_ne!(right, digest(memory(NATS, Opinion::Naive)));
}

#[test]
fn canonical_certificates_say_what_they_cover() {
    let full = Scope::parse(NATS, "a,b,c", 4, false, false).expect("a scope");
    let canonical = Scope { canonical: true, ..full.clone() };
    let (certified, _) = certified(&canonical, memory(NATS, Opinion::Spec), &CertifyOptions::default());
    let certificate = certified.certificate.expect("a certificate");
    assert_eq!(certificate.covers, full.pairs());
    assert!(certificate.pairs < full.pairs() / 3);
    assert!(certificate.limits.iter().any(|l| l.contains("renaming")), "{:?}", certificate.limits);
}

#[test]
fn a_large_scope_asks_the_approximation_a_seeded_sample() {
    let scope = Scope::parse(NATS, "a,b,ab", 4, false, false).expect("a scope");
    let options = CertifyOptions { naive_limit: 10_000, seed: 3 };
    let (first, _) = certified(&scope, memory(NATS, Opinion::Spec), &options);
    let (second, _) = certified(&scope, memory(NATS, Opinion::Spec), &options);
    assert_eq!(first.naive_coverage, NaiveCoverage::Sample);
    assert!((5_000..=10_000).contains(&first.naive.pairs), "{}", first.naive.pairs);
    assert_eq!(first.naive, second.naive);
    assert_eq!(first.naive_witnesses, second.naive_witnesses);
}

#[test]
fn a_wrong_matcher_under_test_is_named_by_its_own_cause() {
    let mut wrong = Vec::new();
    let rich = Scope::parse(NATS, "a,ab,A,a*,a>,a+,\\xff,\\xfe", 2, true, false).expect("a scope");
    let deep = Scope::parse(NATS, "a,A", 3, true, false).expect("a scope");
    for mutant in mutants::of(NATS) {
        let named = |scope| {
            let options = CertifyOptions { naive_limit: 0, seed: 0 };
            let (certified, _) = certified(scope, Box::new(Planted::new(NATS, mutant)), &options);
            certified.witnesses.into_iter().map(|w| w.cause).collect::<Vec<String>>()
        };
        let causes = named(&rich);
        if causes != [mutant.code] && named(&deep) != [mutant.code] {
            wrong.push(format!("{} {}: {causes:?}", mutant.code, mutant.name));
        }
    }
    // The scope has no blanks, no long operands, no NUL, no bracket and no seventeen tokens.
    insta::assert_snapshot!(wrong.join("\n"));
}

fn disagreement(pattern: &str, subject: &str) -> Disagreement {
    let reference = NATS.matches(pattern.as_bytes(), subject.as_bytes());
    Disagreement { pattern: pattern.into(), subject: subject.into(), reference }
}

#[test]
fn a_long_disagreement_shrinks_to_a_few_bytes() {
    let shrunk = |pattern: &str, subject: &str| {
        let (mut reference, mut naive) = (memory(NATS, Opinion::Reference), memory(NATS, Opinion::Naive));
        let found = disagreement(pattern, subject);
        let witness = minimize(NATS, &found, &mut *reference, &mut *naive).expect("they disagree");
        assert_eq!(witness.minimal.direction(), found.direction());
        format!("{pattern} {subject} -> {:?} {:?}", witness.minimal.pattern, witness.minimal.subject)
    };
    insta::assert_snapshot!(
        [
            shrunk("orders.*.created", "orders.eu.west.1.created"),
            shrunk("orders.*.>", "orders.eu.created.now"),
            shrunk("orders.eu.*", "orders.eu."),
            shrunk("foo>", "foobar.baz"),
            shrunk("x.y*z.w", "x.y1z.w"),
            shrunk("a b", "a b"),
        ]
        .join("\n")
    );
}

#[test]
fn what_does_not_disagree_is_nothing_to_minimise() {
    let (mut reference, mut naive) = (memory(NATS, Opinion::Reference), memory(NATS, Opinion::Naive));
    let error = minimize(NATS, &disagreement("a.*", "a.b"), &mut *reference, &mut *naive).expect_err("they agree");
    assert_eq!(error.exit(), wildcheck::exit::ExitCode::Nothing);
    insta::assert_snapshot!(error.to_string());
}

mod laws {
    use proptest::prelude::*;
    use wildcheck::generate::{Kind, pairs};

    use super::*;

    fn differ(pattern: &[u8], subject: &[u8]) -> Option<bool> {
        let (truth, naive) = (NATS.matches(pattern, subject), NATS.naive_matches(pattern, subject));
        (truth != naive).then_some(truth)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        /// No one-step simplification of a witness disagrees in the same direction, and shrinking twice is shrinking once.
        #[test]
        fn a_witness_is_minimal_and_stays(pair in pairs(NATS, Kind::Structured)) {
            let Some(reference) = differ(&pair.pattern.0, &pair.subject.0) else { return Ok(()) };
            let found = Disagreement { pattern: pair.pattern, subject: pair.subject, reference };
            let (mut right, mut naive) = (memory(NATS, Opinion::Reference), memory(NATS, Opinion::Naive));
            let witness = minimize(NATS, &found, &mut *right, &mut *naive).expect("they disagree").minimal;
            let again = minimize(NATS, &witness, &mut *right, &mut *naive).expect("they disagree");
            prop_assert_eq!((&again.minimal, again.steps), (&witness, 0));
            let syntax = NATS.syntax();
            let whole = |p: &[u8], s: &[u8]| size(syntax, p).beside(&size(syntax, s));
            let now = whole(&witness.pattern.0, &witness.subject.0);
            let (patterns, subjects) = simpler(syntax, &witness.pattern.0, &witness.subject.0);
            for p in &patterns {
                for s in &subjects {
                    prop_assert!(whole(p, s) >= now || differ(p, s) != Some(reference));
                }
            }
        }

        /// Every size is different from every other, so that "the smallest" is one.
        #[test]
        fn sizes_are_a_total_order(left in pairs(NATS, Kind::Bytes), right in pairs(NATS, Kind::Bytes)) {
            let of = |p: &wildcheck::generate::Pair| size(NATS.syntax(), &p.pattern.0).beside(&size(NATS.syntax(), &p.subject.0));
            prop_assert_eq!(of(&left) == of(&right), left == right);
        }
    }
}
