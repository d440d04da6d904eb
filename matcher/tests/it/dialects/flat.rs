//! Flat name spaces: no patterns, and a refusal for whoever brings one.

use wildcheck_matcher::Strength;

use super::laws::{self, dialect, operands};

#[test]
fn an_exact_name_takes_itself_and_nothing_else() {
    let d = dialect("flat");
    assert!(d.matches(b"orders.eu", b"orders.eu"));
    assert!(!d.matches(b"orders.eu", b"orders.EU") && !d.matches(b"orders", b"orders.eu"));
    assert!(d.matches(b"orders>", b"orders>"), "no dialect reads this as a wildcard");
}

#[test]
fn whatever_another_dialect_reads_as_a_wildcard_is_refused() {
    let d = dialect("flat");
    for pattern in ["*", ">", "#", "+", "a.*", "a.>", "a.#.b", "a/+", "a/#", "a/b*", "a/>", "*.a", "a*"] {
        let refusal = d.validate_pattern(pattern.as_bytes(), Strength::Server).unwrap_err();
        assert_eq!(refusal.clause.0, "flat-wildcard", "{pattern}");
        assert!(!d.matches(pattern.as_bytes(), pattern.as_bytes()), "{pattern} matches nothing, not even itself");
    }
    assert_eq!(d.validate_pattern(b"a.b.*", Strength::Server).unwrap_err().offset, 4);
    assert_eq!(d.validate_pattern(b"a/bc*/d", Strength::Server).unwrap_err().offset, 4);
}

#[test]
fn a_portable_name_is_one_that_kafka_takes() {
    let d = dialect("flat");
    assert!(d.validate_pattern(b"orders.eu_1-x", Strength::Strict).is_ok());
    assert_eq!(d.validate_pattern(b"a/b", Strength::Strict).unwrap_err().clause.0, "flat-characters");
    assert_eq!(d.validate_pattern(&[b'a'; 250], Strength::Server).unwrap_err().clause.0, "flat-limit");
    assert_eq!(d.validate_subject(b"", Strength::Server).unwrap_err().clause.0, "flat-empty");
    assert!(d.validate_subject(b"a.*", Strength::Server).is_ok());
}

#[test]
fn the_laws_hold_of_small_and_random_names() {
    let d = dialect("flat");
    let names = operands(&["a", "*", ">", "", "a*", "A", "#"], b'.', 2);
    laws::one_answer_everywhere(d, &names, &names);
    laws::relations_hold(d, &names, &names);
    laws::random_operands_agree(d, &["a", "b", "*", "#", "", "a/*", "a*"], b'.');
    laws::any_bytes_agree(d);
}

#[test]
fn the_glob_people_write_subscribes_to_what_was_never_named() {
    let d = dialect("flat");
    for subject in ["orders.eu", "orders.eu.created", "orders."] {
        assert!(d.naive_matches(b"orders.*", subject.as_bytes()) && !d.matches(b"orders.*", subject.as_bytes()));
    }
}
