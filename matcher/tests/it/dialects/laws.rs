//! What holds for every dialect, asked of all operands that a few tokens make, and of random ones.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use wildcheck_matcher::{Dialect, Operand, Strength, by_name};

/// The dialect of that name.
pub fn dialect(name: &str) -> &'static dyn Dialect {
    by_name(name).unwrap_or_else(|| panic!("no dialect {name}"))
}

/// Every operand of up to `depth` tokens, joined by `separator`; the empty operand included.
pub fn operands(tokens: &[&str], separator: u8, depth: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    let mut layer: Vec<Vec<u8>> = tokens.iter().map(|t| t.as_bytes().to_vec()).collect();
    for _ in 0..depth {
        all.extend(layer.iter().cloned());
        layer = layer
            .iter()
            .flat_map(|left| tokens.iter().map(move |t| [left, &[separator][..], t.as_bytes()].concat()))
            .collect();
    }
    all.sort();
    all.dedup();
    all
}

/// The fast matcher, the specification and the explanation give one answer; what is refused matches nothing.
pub fn one_answer(dialect: &dyn Dialect, pattern: &[u8], subject: &[u8]) {
    let fast = dialect.matches(pattern, subject);
    let shown = || format!("{}: {:?} {:?}", dialect.name(), show(pattern), show(subject));
    assert_eq!(fast, dialect.spec_matches(pattern, subject), "fast and spec differ on {}", shown());
    let trace = dialect.explain(pattern, subject);
    assert_eq!(fast, trace.matched, "explain differs on {}: {trace:?}", shown());
    assert!(!trace.why.is_empty(), "no reason for {}", shown());
    if let Err(refusal) = dialect.validate_pattern(pattern, Strength::Server) {
        assert!(!fast, "a refused pattern matched: {}", shown());
        assert_eq!((trace.clause, trace.operand), (refusal.clause, Operand::Pattern), "{}", shown());
    }
    let operand = if trace.operand == Operand::Pattern { pattern } else { subject };
    if let Some(separator) = dialect.syntax().separator
        && let Some(token) = trace.token
    {
        let tokens = operand.split(|b| *b == separator).count();
        assert!(token < tokens, "token {token} of {tokens} decides {}", shown());
    }
}

/// As [`one_answer`] for every pattern with every subject.
pub fn one_answer_everywhere(dialect: &dyn Dialect, patterns: &[Vec<u8>], subjects: &[Vec<u8>]) {
    for pattern in patterns {
        for subject in subjects {
            one_answer(dialect, pattern, subject);
        }
    }
}

/// A text in which a failure names its operands.
pub fn show(operand: &[u8]) -> String {
    operand.escape_ascii().to_string()
}

/// Every relation of every two patterns is what these subjects say it is, and every witness holds.
///
/// A "no" to subset and a "yes" to overlap are proved by their witness; the other answers by these subjects.
pub fn relations_hold(dialect: &dyn Dialect, patterns: &[Vec<u8>], subjects: &[Vec<u8>]) {
    let reached: Vec<Vec<u64>> = patterns.iter().map(|p| bits(dialect, p, subjects)).collect();
    for (left, l) in patterns.iter().zip(&reached) {
        for (right, r) in patterns.iter().zip(&reached) {
            let shown = || format!("{}: {:?} {:?}", dialect.name(), show(left), show(right));
            let refused = [left, right].iter().any(|p| dialect.validate_pattern(p, Strength::Server).is_err());
            let subset = dialect.subset(left, right);
            let overlap = dialect.overlap(left, right);
            if refused {
                assert_eq!((subset, overlap), (Some(false), Some(false)), "refused {}", shown());
                assert_eq!(dialect.subset_witness(left, right), None, "refused {}", shown());
                assert_eq!(dialect.overlap_witness(left, right), None, "refused {}", shown());
                continue;
            }
            relation_holds(dialect, left, right);
            let inside = l.iter().zip(r).all(|(l, r)| l & !r == 0);
            let meets = l.iter().zip(r).any(|(l, r)| l & r != 0);
            assert!(inside || subset == Some(false), "subset claimed of {}", shown());
            assert!(!meets || overlap == Some(true), "overlap denied of {}", shown());
        }
    }
}

fn bits(dialect: &dyn Dialect, pattern: &[u8], subjects: &[Vec<u8>]) -> Vec<u64> {
    let mut bits = vec![0_u64; subjects.len().div_ceil(64)];
    for (index, subject) in subjects.iter().enumerate() {
        bits[index / 64] |= u64::from(dialect.matches(pattern, subject)) << (index % 64);
    }
    bits
}

/// The witnesses of two accepted patterns exist where they must and show what they must.
pub fn relation_holds(dialect: &dyn Dialect, left: &[u8], right: &[u8]) {
    let shown = || format!("{}: {:?} {:?}", dialect.name(), show(left), show(right));
    let subset = dialect.subset(left, right);
    let witness = dialect.subset_witness(left, right);
    assert_eq!(subset, Some(witness.is_none()), "subset and its witness differ on {}", shown());
    if let Some(subject) = witness {
        let shows = dialect.matches(left, &subject) && !dialect.matches(right, &subject);
        assert!(shows, "{:?} shows no difference of {}", show(&subject), shown());
    }
    let overlap = dialect.overlap(left, right);
    let witness = dialect.overlap_witness(left, right);
    assert_eq!(overlap, Some(witness.is_some()), "overlap and its witness differ on {}", shown());
    if let Some(subject) = witness {
        let shows = dialect.matches(left, &subject) && dialect.matches(right, &subject);
        assert!(shows, "{:?} is not in both of {}", show(&subject), shown());
    }
    assert_eq!(overlap, dialect.overlap(right, left), "overlap is not symmetric on {}", shown());
}

/// Random operands of these tokens: one answer, sound witnesses, and no subject that refutes a subset.
pub fn random_operands_agree(dialect: &'static dyn Dialect, tokens: &'static [&'static str], separator: u8) {
    let operand = |most: usize| {
        proptest::collection::vec(proptest::sample::select(tokens), 0..=most)
            .prop_map(move |tokens| tokens.join(&String::from(char::from(separator))).into_bytes())
    };
    let mut runner = TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) });
    runner
        .run(&(operand(9), operand(9), proptest::collection::vec(operand(12), 20)), |(left, right, subjects)| {
            let accepted = |p: &[u8]| dialect.validate_pattern(p, Strength::Server).is_ok();
            if accepted(&left) && accepted(&right) {
                relation_holds(dialect, &left, &right);
            }
            for subject in &subjects {
                one_answer(dialect, &left, subject);
                let (l, r) = (dialect.matches(&left, subject), dialect.matches(&right, subject));
                prop_assert!(!(l && !r && dialect.subset(&left, &right) == Some(true)), "{}", show(subject));
                prop_assert!(!(l && r && dialect.overlap(&left, &right) == Some(false)), "{}", show(subject));
            }
            Ok(())
        })
        .unwrap();
}

/// Any bytes at all: one answer and no panic.
pub fn any_bytes_agree(dialect: &'static dyn Dialect) {
    let bytes = || proptest::collection::vec(any::<u8>(), 0..24);
    let mut runner = TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) });
    runner
        .run(&(bytes(), bytes()), |(left, right)| {
            one_answer(dialect, &left, &right);
            one_answer(dialect, &left, &left);
            let _ = dialect.naive_matches(&left, &right);
            let accepted = |p: &[u8]| dialect.validate_pattern(p, Strength::Server).is_ok();
            if accepted(&left) && accepted(&right) {
                relation_holds(dialect, &left, &right);
            }
            Ok(())
        })
        .unwrap();
}

/// The intersection of every two patterns, where this dialect says it, has exactly the subjects in both.
pub fn intersections_hold(dialect: &dyn Dialect, patterns: &[Vec<u8>], subjects: &[Vec<u8>]) {
    let reached: Vec<Vec<u64>> = patterns.iter().map(|p| bits(dialect, p, subjects)).collect();
    for (left, l) in patterns.iter().zip(&reached) {
        for (right, r) in patterns.iter().zip(&reached) {
            let Some(both) = dialect.intersection(left, right) else { continue };
            let shown = || format!("{}: {:?} {:?}", dialect.name(), show(left), show(right));
            assert_eq!(Some(!both.is_empty()), dialect.overlap(left, right), "{}", shown());
            let mut union = vec![0_u64; l.len()];
            for pattern in &both {
                assert_eq!(dialect.validate_pattern(pattern, Strength::Server), Ok(()), "{}", shown());
                for (word, more) in union.iter_mut().zip(bits(dialect, pattern, subjects)) {
                    *word |= more;
                }
                assert_eq!(dialect.subset(pattern, left), Some(true), "{}", shown());
                assert_eq!(dialect.subset(pattern, right), Some(true), "{}", shown());
            }
            assert!(union.iter().zip(l.iter().zip(r)).all(|(u, (l, r))| *u == l & r), "{}", shown());
        }
    }
}
