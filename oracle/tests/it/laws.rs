//! Laws that a live server must keep, whatever the reference says.

use proptest::{prelude::*, test_runner::TestRunner};
use wildcheck_oracle::{Oracle, Plan};
use wildcheck_tables::{Grid, Lane, Operand};

use crate::support::{lane, newest, small, told};

#[test]
fn fan_out_isolated_cache_hit_and_resubscribed_say_the_same() {
    let all = small();
    // A connection a pair: a part of the scope is enough for that plan.
    let some = Grid {
        dialect: all.dialect,
        patterns: all.patterns.iter().step_by(3).cloned().collect(),
        subjects: all.subjects.iter().step_by(2).cloned().collect(),
    };
    let of = |plan| lane(&newest(), Lane::WIRE, plan);
    let fan_out = of(Plan::FanOut).observe(&all).unwrap();
    assert!(fan_out.delivered.total() > 100);
    for plan in [Plan::CacheHit, Plan::Resubscribed] {
        assert_eq!(told(&all, &of(plan).observe(&all).unwrap()), told(&all, &fan_out), "{plan:?}");
    }
    let part = of(Plan::FanOut).observe(&some).unwrap();
    assert_eq!(told(&some, &of(Plan::Isolated).observe(&some).unwrap()), told(&some, &part));
    let mut client = lane(&newest(), Lane::CLIENT, Plan::FanOut);
    assert_eq!(told(&all, &client.observe(&all).unwrap()), told(&all, &fan_out), "the client lane");
}

#[test]
fn the_union_of_subscriptions_receives_the_union() {
    let all = small();
    let mut oracle = lane(&newest(), Lane::WIRE, Plan::FanOut);
    let whole = oracle.observe(&all).unwrap();
    let half = |from: usize| Grid {
        dialect: all.dialect,
        patterns: all.patterns.iter().skip(from).step_by(2).cloned().collect(),
        subjects: all.subjects.clone(),
    };
    let (even, odd) = (oracle.observe(&half(0)).unwrap(), oracle.observe(&half(1)).unwrap());
    for subject in 0..all.subjects.len() {
        let mut union: Vec<u32> = even.delivered.of(subject).iter().map(|p| p * 2).collect();
        union.extend(odd.delivered.of(subject).iter().map(|p| p * 2 + 1));
        union.sort_unstable();
        assert_eq!(whole.delivered.of(subject), union, "{:?}", all.subjects[subject]);
    }
}

fn word() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9$_-]{1,6}|é|\\+|#"
}

/// A subject, and a pattern made from it by wildcards and other words.
fn pairs() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    prop::collection::vec((word(), 0..4u8, word()), 1..7).prop_flat_map(|tokens| {
        let subject: Vec<String> = tokens.iter().map(|(word, ..)| word.clone()).collect();
        let pattern: Vec<String> = tokens
            .iter()
            .map(|(word, kind, other)| match kind {
                0 => "*".to_owned(),
                1 => other.clone(),
                _ => word.clone(),
            })
            .collect();
        (Just(subject), Just(pattern), 0..10usize).prop_map(|(subject, mut pattern, cut)| {
            if cut < pattern.len() {
                pattern.truncate(cut);
                pattern.push(">".to_owned());
            }
            (pattern, subject)
        })
    })
}

fn operand(tokens: &[String]) -> Operand {
    Operand(tokens.join(".").into_bytes())
}

/// Asks (pattern, subject) pairs in one grid of that many patterns and subjects; the diagonal counts.
fn diagonal(oracle: &mut dyn Oracle, pairs: &[(Vec<String>, Vec<String>)]) -> Vec<bool> {
    let grid = Grid {
        dialect: "nats",
        patterns: pairs.iter().map(|(pattern, _)| operand(pattern)).collect(),
        subjects: pairs.iter().map(|(_, subject)| operand(subject)).collect(),
    };
    let seen = oracle.observe(&grid).unwrap();
    (0..pairs.len()).map(|index| seen.delivered.contains(index, index)).collect()
}

/// Runs `change` over batches of pairs; `law` sees the verdict before and after.
fn holds(change: impl Fn(&(Vec<String>, Vec<String>)) -> (Vec<String>, Vec<String>), law: impl Fn(bool, bool) -> bool) {
    let mut oracle = lane(&newest(), Lane::WIRE, Plan::FanOut);
    let oracle = std::cell::RefCell::new(&mut oracle);
    let mut runner = TestRunner::new(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() });
    let matched = std::cell::Cell::new(0);
    runner
        .run(&prop::collection::vec(pairs(), 1..60), |before| {
            let after: Vec<_> = before.iter().map(&change).collect();
            let mut oracle = oracle.borrow_mut();
            let (then, now) = (diagonal(&mut ***oracle, &before), diagonal(&mut ***oracle, &after));
            for (index, (then, now)) in then.into_iter().zip(now).enumerate() {
                matched.set(matched.get() + u32::from(then));
                prop_assert!(law(then, now), "{:?} then {then}, {:?} now {now}", before[index], after[index]);
            }
            Ok(())
        })
        .unwrap();
    assert!(matched.get() > 50, "the generator reaches pairs that match");
}

#[test]
fn renaming_the_tokens_of_both_sides_changes_nothing() {
    let rename = |tokens: &[String]| -> Vec<String> {
        tokens.iter().map(|t| if t == "*" || t == ">" { t.clone() } else { format!("x{t}Y") }).collect()
    };
    holds(|(pattern, subject)| (rename(pattern), rename(subject)), |then, now| then == now);
}

#[test]
fn a_star_in_place_of_a_literal_never_loses_a_match() {
    let star = |pattern: &[String]| -> Vec<String> {
        let mut pattern = pattern.to_vec();
        if let Some(token) = pattern.iter_mut().find(|t| *t != "*" && *t != ">") {
            *token = "*".to_owned();
        }
        pattern
    };
    holds(|(pattern, subject)| (star(pattern), subject.clone()), |then, now| !then || now);
}

#[test]
fn more_tokens_under_a_tail_never_lose_a_match() {
    let longer = |(pattern, subject): &(Vec<String>, Vec<String>)| {
        let mut subject = subject.clone();
        if pattern.last().is_some_and(|token| token == ">") {
            subject.extend(["more".to_owned(), "*".to_owned()]);
        }
        (pattern.clone(), subject)
    };
    holds(longer, |then, now| !then || now);
}
