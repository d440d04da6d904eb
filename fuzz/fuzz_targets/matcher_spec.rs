//! The fast matcher against the slow one, in every dialect: pairs built from tokens, and validation with them.
#![cfg_attr(fuzzing, no_main)]

use arbitrary::Unstructured;
use wildcheck::generate::{any_pair, source::Bytes};
use wildcheck_matcher::{Strength, dialects};

fn one(data: &[u8]) {
    let mut bytes = Unstructured::new(data);
    let Ok(which) = bytes.int_in_range(0..=dialects().len() - 1) else { return };
    let dialect = dialects()[which];
    let pair = any_pair(dialect, &mut Bytes(&mut bytes));
    let (pattern, subject) = (pair.pattern.bytes(), pair.subject.bytes());
    let fast = dialect.matches(pattern, subject);
    assert_eq!(fast, dialect.spec_matches(pattern, subject), "{}: {pair:?}", dialect.name());
    assert_eq!(fast, dialect.explain(pattern, subject).matched, "{}: explain of {pair:?}", dialect.name());
    if dialect.validate_pattern(pattern, Strength::Server).is_err() {
        assert!(!fast, "{}: a refused pattern matches: {pair:?}", dialect.name());
    }
    for strict in
        [dialect.validate_pattern(pattern, Strength::Strict), dialect.validate_subject(subject, Strength::Strict)]
    {
        if let Err(refusal) = strict {
            assert!(!refusal.why.is_empty() && refusal.offset <= pattern.len().max(subject.len()), "{refusal}");
        }
    }
}

wildcheck::target!("matcher_spec", one);
