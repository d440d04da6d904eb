//! RabbitMQ: the transcript of the seed, the sentences of its rules, and the laws on every small operand.

use wildcheck_matcher::Strength;

use super::laws::{self, dialect, operands};

fn matches(pattern: &str, key: &str) -> bool {
    dialect("rabbitmq").matches(pattern.as_bytes(), key.as_bytes())
}

/// The 31 calls of the seed's transcript, in its order.
const TRANSCRIPT: [(&str, &str, bool); 31] = [
    ("a.#", "a.b", true),
    ("a.#", "a.bc", true),
    ("a.#", "a.bc.bc", true),
    ("a.#", "a1.b", false),
    ("b.a.#", "a1.b", false),
    ("b.a.#", "a.b", false),
    ("a.*", "a.b", true),
    ("a.*", "a.bc", true),
    ("a.a*", "a.bc", false),
    ("a.a*", "a.ac", false),
    ("a.a#", "a.ac", false),
    ("a.*", "a.bc.a", false),
    ("a.*.*", "a.bc.a", true),
    ("a.b*", "a.bc", false),
    ("a.*.*", "a.b*", false),
    ("a.*", "a.b*", true),
    ("a.b*", "a.b*", true),
    ("*.a", "a.a", true),
    ("*.a", "a.a.b", false),
    ("*.a.b", "a.a", false),
    ("#.a", "a.a.b", false),
    ("#.a", "a.a", true),
    ("#.a", "a.a.a", true),
    ("a.*.a", "a.a.a", true),
    ("a.*a.a", "a.aa.a", false),
    ("*", "a.aa.a", false),
    ("*", "a", true),
    ("a.*.#", "a.b", true),
    ("a.*.#", "a.b.c", true),
    ("*.#", "a.b.c", true),
    ("*.#", "a.b.c", true),
];

#[test]
fn every_call_of_the_transcript_has_its_answer_in_every_variant() {
    for name in ["rabbitmq", "rabbitmq@4.3.5", "rabbitmq-2.2"] {
        for (call, (pattern, key, expected)) in (1..).zip(TRANSCRIPT) {
            let answer = dialect(name).matches(pattern.as_bytes(), key.as_bytes());
            assert_eq!(answer, expected, "call {call} of {name}: {pattern} {key}");
        }
    }
}

#[test]
fn a_hash_takes_nothing_against_the_authors_one_or_more() {
    assert!(matches("a.#", "a"), "`#` is zero or more");
    assert!(matches("#.a", "a") && matches("#", ""));
    assert!(matches("a.*.#", "a.b"), "the author's own call 28");
}

#[test]
fn a_star_takes_an_empty_word_but_not_the_empty_key() {
    assert!(!matches("*", ""));
    assert!(matches("*.*", ".") && matches("a.*", "a.") && !matches("a.*", "a"));
}

#[test]
fn hash_dot_star_takes_one_word_and_dots_alone() {
    assert!(matches("#.*", "a") && matches("#.*", "..") && matches("#.*", "..."));
    assert!(!matches("#.*", ""));
}

#[test]
fn a_star_hash_and_a_hash_differ_on_the_first_word_alone() {
    assert!(matches("a.#", "a") && !matches("a.*.#", "a"));
    let d = dialect("rabbitmq");
    assert_eq!(d.subset(b"a.*.#", b"a.#"), Some(true));
    assert_eq!(d.subset_witness(b"a.#", b"a.*.#").as_deref(), Some(&b"a"[..]));
}

#[test]
fn the_old_split_drops_empty_words() {
    let old = dialect("rabbitmq-2.2");
    for (pattern, key) in [("*", ".a"), ("a.b", "a..b"), ("a", "a."), ("a..b", "a.b"), ("#.*", "..a")] {
        assert!(old.matches(pattern.as_bytes(), key.as_bytes()), "2.2: {pattern} {key}");
        assert!(pattern == "#.*" || !matches(pattern, key), "today: {pattern} {key}");
    }
    assert!(!old.matches(b"#.*", b"..."), "no word is left of it");
}

#[test]
fn two_hashes_are_the_most_from_4_3_5_on() {
    let limited = dialect("rabbitmq@4.3.5");
    assert!(limited.matches(b"#.a.#", b"b.a"));
    assert!(!limited.matches(b"#.a.#.#", b"b.a") && matches("#.a.#.#", "b.a"));
    let refusal = limited.validate_pattern(b"#.a.#.##.#", Strength::Server).unwrap_err();
    assert_eq!((refusal.clause.0, refusal.token, refusal.offset), ("rabbitmq-hash-limit", Some(4), 9));
}

#[test]
fn a_binding_key_is_utf8_as_the_broker_understands_it() {
    let d = dialect("rabbitmq");
    for refused in
        ["\\xff", "\\xc0\\x80", "a.\\xe2\\x82", "\\xe0\\x80\\x80", "\\xf0\\x80\\x80\\x80", "\\xf8\\x88\\x80\\x80\\x80"]
    {
        let bytes = bytes(refused);
        let refusal = d.validate_pattern(&bytes, Strength::Server).unwrap_err();
        assert_eq!(refusal.clause.0, "rabbitmq-utf8", "{refused}");
        assert!(d.validate_subject(&bytes, Strength::Server).is_ok(), "a routing key may be any bytes: {refused}");
    }
    for taken in ["\\xed\\xa0\\x80", "\\xf4\\x90\\x80\\x80", "\\xf7\\xbf\\xbf\\xbf", "a\\xc3\\xa9"] {
        assert!(d.validate_pattern(&bytes(taken), Strength::Server).is_ok(), "{taken}");
    }
    assert!(d.validate_pattern(b"\xed\xa0\x80", Strength::Strict).is_err(), "a surrogate is no UTF-8");
}

fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\x") {
        bytes.extend_from_slice(before.as_bytes());
        bytes.push(u8::from_str_radix(&after[..2], 16).unwrap());
        rest = &after[2..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

#[test]
fn strictness_refuses_what_looks_like_a_wildcard_and_is_none() {
    let d = dialect("rabbitmq");
    let refusal = d.validate_pattern(b"a.b*.#", Strength::Strict).unwrap_err();
    assert_eq!((refusal.clause.0, refusal.token, refusal.offset), ("rabbitmq-portable", Some(1), 2));
    assert!(d.validate_pattern(b"a.*.#", Strength::Strict).is_ok());
    assert!(d.validate_pattern(b"a.b*.#", Strength::Server).is_ok());
    assert!(d.validate_subject(b"a.*", Strength::Server).is_ok());
    assert!(d.validate_subject(b"a.*", Strength::Strict).is_err());
}

#[test]
fn a_key_of_255_bytes_is_the_longest() {
    let d = dialect("rabbitmq");
    assert!(d.matches(&[b'a'; 255], &[b'a'; 255]) && !d.matches(&[b'a'; 256], &[b'a'; 256]));
    assert!(d.validate_subject(&[b'a'; 256], Strength::Server).is_err());
    assert_eq!(d.subset(&[b'a'; 256], b"#"), Some(true), "relations do not know lengths");
}

#[test]
fn the_worst_pattern_costs_words_times_words() {
    let pattern = "#.a.".repeat(62) + "#.b";
    let key = vec!["a"; 127].join(".");
    let start = std::time::Instant::now();
    for _ in 0..100 {
        assert!(!matches(&pattern, &key));
        assert_eq!(dialect("rabbitmq").subset(key.as_bytes(), pattern.as_bytes()), Some(false));
    }
    assert!(start.elapsed().as_secs() < 5, "200 worst cases took {:?}", start.elapsed());
}

#[test]
fn the_explanation_names_the_word_that_decides() {
    let explain = |p: &str, k: &str| {
        let trace = dialect("rabbitmq").explain(p.as_bytes(), k.as_bytes());
        (trace.clause.0, trace.token)
    };
    assert_eq!(explain("a.*.c", "a.b.d"), ("rabbitmq-literal", Some(2)));
    assert_eq!(explain("a.*.c", "a.b.c"), ("rabbitmq-star", Some(1)));
    assert_eq!(explain("a.#", "a"), ("rabbitmq-hash", Some(1)));
    assert_eq!(explain("a.b*", "a.bc"), ("rabbitmq-partial", Some(1)));
    assert_eq!(explain("a.B", "a.b"), ("rabbitmq-case", Some(1)));
    assert_eq!(explain("a.*", "a.b.c"), ("rabbitmq-length", Some(2)));
    assert_eq!(explain("*", ""), ("rabbitmq-empty-key", Some(0)));
    assert_eq!(explain("#.b", "a.c"), ("rabbitmq-literal", Some(1)));
    assert_eq!(explain("#.a.#.b", "b.a.c.b.c"), ("rabbitmq-literal", Some(3)));
}

#[test]
fn every_small_pattern_has_one_answer_on_every_small_key() {
    for name in ["rabbitmq", "rabbitmq@4.3.5", "rabbitmq-2.2"] {
        let patterns = operands(&["a", "b", "*", "#", ""], b'.', 4);
        let keys = operands(&["a", "b", "*", ""], b'.', 4);
        laws::one_answer_everywhere(dialect(name), &patterns, &keys);
    }
}

#[test]
fn relations_of_small_patterns_are_what_all_small_keys_say() {
    let patterns = operands(&["a", "b", "*", "#", ""], b'.', 3);
    let keys = operands(&["a", "b", "z", ""], b'.', 5);
    for name in ["rabbitmq", "rabbitmq@4.3.5", "rabbitmq-2.2"] {
        laws::relations_hold(dialect(name), &patterns, &keys);
    }
    let patterns = operands(&["a", "b", "*", "#"], b'.', 4);
    let keys = operands(&["a", "b", "z"], b'.', 7);
    laws::relations_hold(dialect("rabbitmq"), &patterns, &keys);
}

#[test]
fn the_reader_is_defeated_by_mixed_choices_where_neither_extreme_does() {
    // Nothing at both `#`, and much at both, are inside; nothing and then one word is not.
    let d = dialect("rabbitmq");
    let (left, right) = (b"a.#.b.c.b.#.c", b"#.a.*.*.#.b.c.#");
    assert!(d.matches(right, b"a.b.c.b.c") && d.matches(right, b"a.z.z.b.c.b.z.z.c"));
    let witness = d.subset_witness(left, right).expect("not a subset");
    assert!(d.matches(left, &witness) && !d.matches(right, &witness));
}

#[test]
fn random_patterns_and_keys_agree() {
    for name in ["rabbitmq", "rabbitmq@4.3.5", "rabbitmq-2.2"] {
        laws::random_operands_agree(dialect(name), &["a", "b", "*", "#", "#", "", "a*", "##", "A"], b'.');
        laws::any_bytes_agree(dialect(name));
    }
}

#[test]
fn the_regular_expression_people_write_is_wrong_in_both_directions() {
    let d = dialect("rabbitmq");
    for (pattern, key, naive) in
        [("a.#", "a", false), ("#.a", "a", false), ("a*", "ab", true), ("a.*", "a.", false), ("##", "a", true)]
    {
        assert_eq!(d.naive_matches(pattern.as_bytes(), key.as_bytes()), naive, "{pattern} {key}");
        assert_eq!(matches(pattern, key), !naive, "{pattern} {key}");
    }
    assert!(d.naive_matches(b"a.*.#", b"a.b.c") && !d.naive_matches(b"*", b"a.b"));
}

#[test]
fn what_two_patterns_share_is_a_few_patterns() {
    let shared = |l: &str, r: &str| {
        let patterns = dialect("rabbitmq").intersection(l.as_bytes(), r.as_bytes()).unwrap();
        let mut patterns: Vec<_> = patterns.into_iter().map(|p| String::from_utf8(p).unwrap()).collect();
        patterns.sort();
        patterns
    };
    assert_eq!(shared("a.#", "#.a"), ["a", "a.#.a"]);
    assert_eq!(shared("#.a.#", "#.b.#"), ["#.a.#.b.#", "#.b.#.a.#"]);
    assert_eq!(shared("a.*", "*.b"), ["a.b"]);
    assert_eq!(shared("a.#", "a.*"), ["a.*"]);
    assert!(shared("a.#", "b.#").is_empty());
    let limited = dialect("rabbitmq@4.3.5");
    assert_eq!(limited.intersection(b"#.a.#", b"#.b.#"), None, "it takes three `#`, which this broker refuses");
    let (many, other) = ("#.a.#.b.#.c.#.d.#.e.#.f.#", "#.g.#.h.#.i.#.j.#.k.#.l.#");
    assert_eq!(dialect("rabbitmq").intersection(many.as_bytes(), other.as_bytes()), None, "too many to write down");
}

#[test]
fn the_intersection_of_small_patterns_is_what_both_have() {
    let patterns = operands(&["a", "*", "#", ""], b'.', 3);
    let keys = operands(&["a", "z", ""], b'.', 6);
    for name in ["rabbitmq", "rabbitmq@4.3.5", "rabbitmq-2.2"] {
        laws::intersections_hold(dialect(name), &patterns, &keys);
    }
}
