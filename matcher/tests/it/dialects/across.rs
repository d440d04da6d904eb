//! Between dialects: translations proved by enumeration, unions covered, capabilities, bound subscriptions.

use wildcheck_matcher::across::{Both, Fate, compare};
use wildcheck_matcher::{Coverage, Dialect, Strength, Subscription, Translation, Where, dialects, translate};

use super::laws::{dialect, operands, show};

fn said(from: &str, to: &str, pattern: &str) -> Translation {
    translate(dialect(from), dialect(to), pattern.as_bytes())
}

fn exact(from: &str, to: &str, pattern: &str) -> Option<String> {
    match said(from, to, pattern) {
        Translation::Exact(pattern) => Some(String::from_utf8(pattern).unwrap()),
        _ => None,
    }
}

fn both(from: &str, to: &str) -> Option<Both> {
    Some(Both { from: from.as_bytes().to_vec(), to: to.as_bytes().to_vec() })
}

#[test]
fn a_nats_tail_is_a_star_and_a_hash_in_rabbitmq() {
    assert_eq!(exact("nats", "rabbitmq", "a.*.>").as_deref(), Some("a.*.*.#"));
    assert_eq!(exact("nats", "rabbitmq", ">").as_deref(), Some("*.#"));
    assert_eq!(exact("nats", "rabbitmq@4.3.5", "a.>").as_deref(), Some("a.*.#"));
    assert!(matches!(said("nats", "rabbitmq", "a.#.b"), Translation::NoFiniteForm { .. }), "the literal `#`");
}

#[test]
fn rabbitmqs_hash_needs_two_nats_patterns_at_the_end_and_has_none_before_it() {
    let two = |first: &str, second: &str| {
        Translation::NeedsSeveral(vec![first.as_bytes().to_vec(), second.as_bytes().to_vec()])
    };
    assert_eq!(said("rabbitmq", "nats", "x.#"), two("x", "x.>"));
    assert_eq!(exact("rabbitmq", "nats", "#").as_deref(), Some(">"), "NATS has no empty subject to lose");
    assert_eq!(exact("rabbitmq", "nats", "x.#.*").as_deref(), Some("x.>"));
    assert_eq!(exact("rabbitmq", "nats", "#.*.*").as_deref(), Some("*.>"));
    assert!(matches!(said("rabbitmq", "nats", "#.x"), Translation::NoFiniteForm { .. }));
}

#[test]
fn a_dollar_is_what_nats_and_mqtt_differ_on() {
    assert_eq!(exact("nats", "mqtt", "a.*.>").as_deref(), Some("a/+/+/#"));
    let Translation::Inexact { patterns, lost, gained, reserved_only } = said("nats", "mqtt", "*.a") else {
        panic!("`$x/a` is hidden from `+/a`")
    };
    assert_eq!((patterns, gained, reserved_only), (vec![b"+/a".to_vec()], None, true));
    assert_eq!(lost, both("$x.a", "$x/a"));
    assert!(matches!(said("nats", "mqtt", "a/b.c"), Translation::NoFiniteForm { .. }), "`/` separates levels");
    assert!(matches!(said("nats", "mqtt", "a+.c"), Translation::NoFiniteForm { .. }), "MQTT refuses `a+`");
    assert_eq!(exact("mqtt", "nats", "a/+").as_deref(), Some("a.*"), "NATS has no empty token to gain");
}

#[test]
fn solaces_inbox_is_what_its_wildcards_lose() {
    let Translation::Inexact { patterns, lost, gained, reserved_only } = said("nats", "solace", "a.*") else {
        panic!("`*` does not take `#P2P`")
    };
    assert_eq!((patterns, gained, reserved_only), (vec![b"a/*".to_vec()], None, true));
    assert_eq!(lost, both("a.#P2P", "a/#P2P"));
    assert_eq!(exact("nats", "solace", "a.b").as_deref(), Some("a/b"));
    assert!(matches!(said("nats", "solace", "a.b*"), Translation::NoFiniteForm { .. }), "`b*` would be a prefix");
    assert!(matches!(said("solace", "nats", "a/b*"), Translation::NoFiniteForm { .. }), "endlessly many begin so");
}

#[test]
fn a_flat_name_space_takes_names_only() {
    assert_eq!(exact("nats", "flat", "orders.eu").as_deref(), Some("orders.eu"));
    assert_eq!(exact("flat", "nats", "orders.eu").as_deref(), Some("orders.eu"));
    assert!(matches!(said("nats", "flat", "orders.*"), Translation::NoFiniteForm { .. }));
    assert!(matches!(said("flat", "flat", "orders.*"), Translation::Refused(_)));
}

/// Each dialect's tokens for small patterns.
fn small(dialect: &dyn Dialect) -> Vec<Vec<u8>> {
    let syntax = dialect.syntax();
    let Some(separator) = syntax.separator else { return operands(&["a", "b", "*"], b'.', 2) };
    let text = |token: Option<&'static [u8]>| token.map_or("a", |t| core::str::from_utf8(t).unwrap());
    let mut patterns = operands(&["a", "", "$x", "a*", text(syntax.one), text(syntax.many)], separator, 3);
    patterns.retain(|p| dialect.validate_pattern(p, Strength::Server).is_ok());
    patterns
}

/// Every row of up to three of a few tokens.
fn rows() -> Vec<Vec<&'static str>> {
    let tokens = ["a", "z", "", "$x", "#P2P", "a*", "ab"];
    let mut all: Vec<Vec<&str>> = vec![Vec::new()];
    let mut layer: Vec<Vec<&str>> = vec![Vec::new()];
    for _ in 0..3 {
        layer = layer.iter().flat_map(|row| tokens.iter().map(move |t| [&row[..], &[*t]].concat())).collect();
        all.extend(layer.iter().cloned());
    }
    // Not a row of its own: it would be the empty subject, which has no token.
    all.retain(|row| row[..] != [""]);
    all
}

fn spelled(dialect: &dyn Dialect, row: &[&str]) -> Option<Vec<u8>> {
    let separator = String::from(char::from(dialect.syntax().separator?));
    let subject = row.join(&separator).into_bytes();
    dialect.validate_subject(&subject, Strength::Server).is_ok().then_some(subject)
}

#[test]
fn every_small_translation_is_what_it_says_on_every_small_subject() {
    let rows = rows();
    let with_tokens: Vec<_> = dialects().iter().copied().filter(|d| d.syntax().separator.is_some()).collect();
    for from in &with_tokens {
        for to in &with_tokens {
            let subjects: Vec<(Vec<u8>, Vec<u8>)> =
                rows.iter().filter_map(|row| Some((spelled(*from, row)?, spelled(*to, row)?))).collect();
            for pattern in small(*from) {
                holds(*from, *to, &pattern, &subjects);
            }
        }
    }
}

fn holds(from: &dyn Dialect, to: &dyn Dialect, pattern: &[u8], subjects: &[(Vec<u8>, Vec<u8>)]) {
    let translation = translate(from, to, pattern);
    let shown = || format!("{} {} -> {}: {translation:?}", from.name(), show(pattern), to.name());
    let takes = |patterns: &[Vec<u8>], subject: &[u8]| patterns.iter().any(|p| to.matches(p, subject));
    let same = |patterns: &[Vec<u8>]| subjects.iter().all(|(f, t)| from.matches(pattern, f) == takes(patterns, t));
    match &translation {
        Translation::Exact(one) => assert!(same(std::slice::from_ref(one)), "{}", shown()),
        Translation::NeedsSeveral(several) => {
            assert!(several.len() > 1 && same(several), "{}", shown());
            for one in several {
                assert!(!same(std::slice::from_ref(one)), "one is enough: {}", shown());
            }
        }
        Translation::Inexact { patterns, lost, gained, .. } => {
            assert!(lost.is_some() || gained.is_some(), "no witness: {}", shown());
            for (both, original) in [(lost, true), (gained, false)] {
                let Some(both) = both else { continue };
                assert_eq!(from.matches(pattern, &both.from), original, "{}", shown());
                assert_eq!(takes(patterns, &both.to), !original, "{}", shown());
            }
        }
        Translation::NoFiniteForm { reason } => assert!(!reason.is_empty(), "{}", shown()),
        Translation::Refused(_) => panic!("{}", shown()),
    }
    if from.name() == to.name() {
        assert!(matches!(translation, Translation::Exact(_)), "{}", shown());
    }
}

#[test]
fn no_small_pattern_says_exactly_what_is_called_inexact_or_without_form() {
    let rows = rows();
    for (from, to) in
        [("rabbitmq", "nats"), ("nats", "mqtt"), ("mqtt", "nats"), ("solace", "mqtt"), ("rabbitmq", "mqtt")]
    {
        let (from, to) = (dialect(from), dialect(to));
        let subjects: Vec<(Vec<u8>, Vec<u8>)> =
            rows.iter().filter_map(|row| Some((spelled(from, row)?, spelled(to, row)?))).collect();
        let taken_by_to = |p: &Vec<u8>| subjects.iter().map(|(_, subject)| to.matches(p, subject)).collect();
        let candidates: std::collections::HashSet<Vec<bool>> = small(to).iter().map(taken_by_to).collect();
        for pattern in small(from) {
            let translation = translate(from, to, &pattern);
            let wanted: Vec<bool> = subjects.iter().map(|(subject, _)| from.matches(&pattern, subject)).collect();
            // A pattern with nothing to take in both is said by any other such pattern.
            if !matches!(translation, Translation::Exact(_)) && wanted.iter().any(|taken| *taken) {
                let shown = format!("{} {} -> {}: {translation:?}", from.name(), show(&pattern), to.name());
                assert!(!candidates.contains(&wanted), "{shown}");
            }
        }
    }
}

#[test]
fn a_union_covers_a_pattern_or_shows_what_it_misses() {
    let covers = |name: &str, union: &[&str], pattern: &str| {
        let union: Vec<&[u8]> = union.iter().map(|p| p.as_bytes()).collect();
        dialect(name).covers(&union, pattern.as_bytes())
    };
    let misses = |subject: &str| Coverage::Misses(subject.as_bytes().to_vec());
    assert_eq!(covers("rabbitmq", &["a", "a.*.#"], "a.#"), Coverage::Whole);
    assert_eq!(covers("rabbitmq", &["a.*.#"], "a.#"), misses("a"));
    assert_eq!(covers("rabbitmq", &["*.*.#", "*"], "#"), misses(""));
    assert_eq!(covers("mqtt", &["+", "+/+/#"], "#"), Coverage::Whole);
    assert_eq!(covers("mqtt", &["a/#", "b/#"], "+/c"), misses("x/c"));
    assert_eq!(covers("solace", &["a/*", "a/*/>"], "a/>"), Coverage::Whole);
    assert_eq!(covers("solace", &["a/b*"], "a/b*/c"), misses("a/b/c"));
    assert_eq!(covers("solace", &["*", "$*"], "$x"), Coverage::Whole);
    assert_eq!(covers("flat", &["a", "b"], "b"), Coverage::Whole);
    assert_eq!(covers("flat", &["a"], "b"), misses("b"));
    assert_eq!(covers("mqtt", &["#"], "a+"), Coverage::Refused);
}

#[test]
fn a_union_of_one_covers_exactly_its_subsets() {
    for d in dialects() {
        // Every third one is still each kind against each.
        let patterns: Vec<Vec<u8>> = small(*d).into_iter().step_by(3).collect();
        for left in &patterns {
            for right in &patterns {
                let covered = d.covers(&[right], left);
                let shown = || format!("{}: {} in {}: {covered:?}", d.name(), show(left), show(right));
                assert_eq!(Some(covered == Coverage::Whole), d.subset(left, right), "{}", shown());
                if let Coverage::Misses(subject) = &covered {
                    assert!(d.matches(left, subject) && !d.matches(right, subject), "{}", shown());
                }
            }
        }
    }
}

#[test]
fn capabilities_cite_clauses_and_agree_with_the_syntax() {
    for d in dialects() {
        let (can, syntax) = (d.capabilities(), d.syntax());
        assert_eq!(can.patterns.is, syntax.one.is_some(), "{}", d.name());
        assert_eq!(can.one.is.map(str::as_bytes), syntax.one, "{}", d.name());
        assert_eq!(can.many.is.map(str::as_bytes), syntax.many, "{}", d.name());
        assert_eq!(can.many_place.is == Where::Last, syntax.many.is_some() && syntax.many_last_only, "{}", d.name());
        assert_eq!(can.many_least.is, syntax.many.map(|_| syntax.many_min), "{}", d.name());
        assert_eq!(can.empty_tokens.is, syntax.empty_tokens, "{}", d.name());
        assert_eq!(can.max_bytes.is, syntax.max_bytes, "{}", d.name());
        assert_eq!(can.separator.is.map(|c| c as u8), syntax.separator, "{}", d.name());
        let prefix = format!("{}-", d.tables());
        for clause in can.clauses() {
            assert!(clause.0.starts_with(&prefix), "{}: {clause}", d.name());
        }
    }
}

#[test]
fn a_subscription_is_refused_at_construction_where_its_backend_cannot_honour_it() {
    assert!(Subscription::new(dialect("nats"), b"orders.>").unwrap().reaches(b"orders.eu"));
    for (name, pattern) in [
        ("flat", "orders.*"),
        ("nats", "a.**"),
        ("nats", "a.>.c"),
        ("rabbitmq", "a.b*"),
        ("rabbitmq@4.3.5", "#.#.#"),
        ("mqtt", "a+"),
        ("solace", "a/b*c"),
    ] {
        assert!(Subscription::new(dialect(name), pattern.as_bytes()).is_err(), "{name} {pattern}");
    }
    let shown = format!("{:?}", Subscription::new(dialect("mqtt"), b"a/+").unwrap());
    assert_eq!(shown, "Subscription(mqtt a/+)");
}

#[test]
fn a_comparison_tells_a_miss_from_what_cannot_be_published() {
    let (mqtt, nats) = (dialect("mqtt"), dialect("nats"));
    let given: Vec<Vec<u8>> = ["a", "a/b", "b", "a/", "a/b.c"].map(|s| s.as_bytes().to_vec()).to_vec();
    let both = compare(mqtt, &[mqtt, nats], b"a/#", &given).unwrap();
    let fates: Vec<&[Fate]> = both.columns.iter().map(|column| &column.fates[..]).collect();
    use Fate::{Inexpressible, Misses, Reaches, Refused};
    assert_eq!(fates[0], [Reaches, Reaches, Misses, Reaches, Reaches]);
    assert_eq!(fates[1], [Reaches, Reaches, Misses, Refused, Inexpressible]);
}

#[test]
fn the_subjects_made_from_a_pattern_are_on_both_sides_of_it() {
    for d in dialects() {
        for pattern in small(*d).into_iter().filter(|p| d.pieces(p).is_some_and(|p| p.iter().any(|p| !p.is_literal())))
        {
            let comparison = compare(*d, &[*d], &pattern, &[]).unwrap();
            let fates = &comparison.columns[0].fates;
            assert!(fates.contains(&Fate::Reaches), "{}: {}", d.name(), show(&pattern));
        }
    }
}
