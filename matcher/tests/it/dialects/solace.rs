//! Solace: every example of the documentation's page, the readings of what it leaves open, and the laws.

use wildcheck_matcher::Strength;

use super::laws::{self, dialect, operands};

fn matches(subscription: &str, topic: &str) -> bool {
    dialect("solace").matches(subscription.as_bytes(), topic.as_bytes())
}

/// Both columns of the page's table.
#[test]
fn the_table_of_the_page_holds() {
    let table: [(&str, &[&str], &[&str]); 6] = [
        ("animals/domestic/*", &["animals/domestic/cats", "animals/domestic/dogs"], &["animals/domestic/dogs/beagles"]),
        (
            "animals/*/cats/*",
            &["animals/domestic/cats/persian", "animals/wild/cats/leopard"],
            &["animals/domestic/cats/persian/grey", "animals/domestic/dogs/beagles"],
        ),
        (
            "animals/domestic/dog*",
            &["animals/domestic/dog", "animals/domestic/doggy"],
            &["animals/domestic/dog/beagle", "animals/domestic/cat"],
        ),
        (
            "animals/domestic/>",
            &["animals/domestic/cats", "animals/domestic/dogs/beagles"],
            &["animals", "animals/domestic", "animals/Domestic"],
        ),
        (
            "animals/*/cats/>",
            &["animals/domestic/cats/tabby/grey", "animals/wild/cats/leopard"],
            &["animals/domestic/dogs/beagles"],
        ),
        ("my/test/*", &["my/test/topic"], &["My/Test/Topic", "my/test"]),
    ];
    for (subscription, matching, missing) in table {
        for topic in matching {
            assert!(matches(subscription, topic), "{subscription} {topic}");
        }
        for topic in missing {
            assert!(!matches(subscription, topic), "{subscription} {topic}");
        }
    }
}

#[test]
fn a_star_behind_a_prefix_takes_zero_or_more_bytes() {
    assert!(matches("animals/red*/wild", "animals/red/wild") && matches("animals/red*/wild", "animals/reddish/wild"));
    assert!(!matches("animals/red*/wild", "animals/Red/wild"));
}

#[test]
fn a_star_anywhere_else_is_a_literal() {
    assert!(!matches("animals/*bro", "animals/xbro") && matches("animals/*bro", "animals/*bro"));
    assert!(!matches("animals/br*wn", "animals/brown") && matches("animals/br*wn", "animals/br*wn"));
}

#[test]
fn a_tail_is_alone_and_last_or_a_literal() {
    for topic in ["cats", "dogs", "dogs/beagles", "dogs/beagles/long-eared"] {
        assert!(matches("animals/domestic/>", &format!("animals/domestic/{topic}")));
    }
    assert!(!matches("animals>", "animals/domestic/dogs/beagles") && matches("animals>", "animals>"));
    assert!(!matches("animals/domestic>", "animals/domestic/dogs/beagles"));
    assert!(matches("a/>/b", "a/>/b") && !matches("a/>/b", "a/x/b"));
}

#[test]
fn no_wildcard_takes_an_inbox_level_wherever_it_stands() {
    for subscription in [">", "*", "#P2*", "#P2P*"] {
        assert!(!matches(subscription, "#P2P"), "{subscription}");
    }
    assert!(!matches("a/>", "a/b/#P2P/c") && !matches("*/b", "#P2P/b"));
    assert!(matches("#P2P/>", "#P2P/v:router/x"), "the literal takes it");
    assert!(matches("a/*", "a/x#P2P") && matches("#P2P*", "#P2Px"), "a level, not a substring (open)");
}

#[test]
fn a_stand_alone_wildcard_in_the_first_level_does_not_take_a_dollar() {
    assert!(!matches(">", "$SYS/LOG") && !matches("*/LOG", "$SYS/LOG") && !matches("*", "$x"));
    assert!(matches("$SYS/>", "$SYS/LOG") && matches("a/*", "a/$x"));
    assert!(matches("$S*/LOG", "$SYS/LOG"), "a prefix is no stand-alone wildcard (open)");
}

#[test]
fn what_the_documents_leave_open_is_read_as_the_clauses_say() {
    assert!(matches("a/**", "a/*x") && !matches("a/**", "a/x"), "`**` is the prefix `*`");
    assert!(matches("a/*x*", "a/*xy") && !matches("a/*x*", "a/yx"), "`*x*` is the prefix `*x`");
    assert!(matches("a/x*y*", "a/x*yz") && !matches("a/x*y*", "a/xzy"), "`x*y*` is the prefix `x*y`");
    assert!(matches("a/>/b*", "a/>/bc") && !matches("a/>/b*", "a/x/bc"), "`>` not last is a literal");
    assert!(matches("a/*/b", "a//b") && matches("a/*", "a/") && matches("a/>", "a/"), "empty levels are levels");
}

#[test]
fn limits_are_250_bytes_and_128_levels() {
    let d = dialect("solace");
    assert!(matches(&"a".repeat(250), &"a".repeat(250)) && !matches(&"a".repeat(251), &"a".repeat(251)));
    let levels = |n: usize| vec!["a"; n].join("/");
    assert!(matches(&levels(125), &levels(125)));
    let deep = |n: usize| vec![""; n].join("/");
    assert!(d.validate_subject(deep(128).as_bytes(), Strength::Server).is_ok());
    assert_eq!(d.validate_subject(deep(129).as_bytes(), Strength::Server).unwrap_err().clause.0, "solace-levels");
    assert_eq!(d.validate_pattern(b"a\0", Strength::Server).unwrap_err().clause.0, "solace-utf8");
    assert_eq!(d.validate_pattern(b"", Strength::Server).unwrap_err().clause.0, "solace-empty");
}

#[test]
fn strictness_refuses_what_looks_like_a_wildcard_and_is_none() {
    let d = dialect("solace");
    let clause =
        |p: &str| d.validate_pattern(p.as_bytes(), Strength::Strict).map_err(|r| (r.clause.0, r.token, r.offset));
    assert_eq!(clause("a/*/b*/>"), Ok(()));
    assert_eq!(clause("a/b*c"), Err(("solace-portable", Some(1), 3)));
    assert_eq!(clause("a/>/b"), Err(("solace-portable", Some(1), 2)));
    assert_eq!(clause("a//b"), Err(("solace-empty-subscription", Some(1), 2)));
    assert!(d.validate_subject(b"a/*", Strength::Server).is_ok());
    assert_eq!(d.validate_subject(b"a/*", Strength::Strict).unwrap_err().clause.0, "solace-topic-literal");
}

#[test]
fn relations_know_prefixes_and_holes() {
    let d = dialect("solace");
    assert_eq!(d.subset(b"a/dog*", b"a/do*"), Some(true));
    assert_eq!(d.subset_witness(b"a/do*", b"a/dog*").as_deref(), Some(&b"a/do"[..]));
    assert_eq!(d.subset(b"#P2P/a", b"*/a"), Some(false));
    assert_eq!(d.subset(b"#P*/a", b"*/a"), Some(true), "the hole is in both");
    assert_eq!(d.subset(b"$S*", b"*"), Some(false));
    assert_eq!(d.overlap(b"a/b*", b"a/*c"), Some(false), "`*c` is a literal");
    assert_eq!(d.overlap(b"$S*", b">"), Some(false));
    let both = d.intersection(b"a/b*/>", b"*/bc*/d/e").unwrap();
    assert_eq!(both, [b"a/bc*/d/e".to_vec()]);
}

#[test]
fn the_explanation_names_the_level_that_decides() {
    let explain = |p: &str, t: &str| {
        let trace = dialect("solace").explain(p.as_bytes(), t.as_bytes());
        (trace.clause.0, trace.token)
    };
    assert_eq!(explain("a/*", "a/b"), ("solace-star", Some(1)));
    assert_eq!(explain("a/b*", "a/bc"), ("solace-prefix", Some(1)));
    assert_eq!(explain("a/>", "a/b/c"), ("solace-tail", Some(1)));
    assert_eq!(explain("a/>", "a"), ("solace-tail", Some(1)));
    assert_eq!(explain("a/>", "a/b/#P2P"), ("solace-p2p", Some(2)));
    assert_eq!(explain(">", "$x"), ("solace-dollar", Some(0)));
    assert_eq!(explain("a/b*c", "a/bxc"), ("solace-star-literal", Some(1)));
    assert_eq!(explain("a>", "a/b"), ("solace-tail-literal", Some(0)));
    assert_eq!(explain("a/**", "a/*"), ("solace-star-prefix", Some(1)));
}

const TOKENS: [&str; 9] = ["a", "*", ">", "", "a*", "$x", "$*", "#P2P", "#P2*"];

#[test]
fn every_small_subscription_has_one_answer_on_every_small_topic() {
    let subscriptions = operands(&TOKENS, b'/', 3);
    let topics = operands(&["a", "ab", "*", ">", "", "$x", "#P2P", "#P2Px"], b'/', 3);
    laws::one_answer_everywhere(dialect("solace"), &subscriptions, &topics);
}

#[test]
fn relations_of_small_subscriptions_are_what_all_small_topics_say() {
    let topics = operands(&["a", "ax", "axb", "*", ">", "", "$x", "#P2P", "#P2Px", "z"], b'/', 3);
    laws::relations_hold(dialect("solace"), &operands(&TOKENS, b'/', 2), &topics);
    laws::relations_hold(dialect("solace"), &operands(&["a", "*", ">", "a*", "ax*", "#P2P*"], b'/', 3), &topics);
    let subscriptions = operands(&TOKENS, b'/', 2);
    laws::intersections_hold(dialect("solace"), &subscriptions, &topics);
}

#[test]
fn random_subscriptions_and_topics_agree() {
    laws::random_operands_agree(dialect("solace"), &["a", "*", ">", "", "a*", "ab", "**", "$x", "#P2P", "A"], b'/');
    laws::any_bytes_agree(dialect("solace"));
}

#[test]
fn the_glob_people_write_is_wrong_in_both_directions() {
    let d = dialect("solace");
    for (subscription, topic, naive) in [
        ("a/b*c", "a/bxc", true),
        (">", "$x", true),
        ("a/>", "a/>", true),
        ("a>", "a/b", true),
        ("a/*", "a/#P2P", true),
    ] {
        assert_eq!(d.naive_matches(subscription.as_bytes(), topic.as_bytes()), naive, "{subscription} {topic}");
        assert!(matches(subscription, topic) != naive || topic == "a/>", "{subscription} {topic}");
    }
    // Nothing the documentation matches is lost: as a glob over bytes it is only ever too wide.
    let subscriptions = operands(&TOKENS, b'/', 2);
    for topic in operands(&["a", "ab", "*", "", "$x", "#P2P"], b'/', 2) {
        for subscription in &subscriptions {
            let wide = d.naive_matches(subscription, &topic) || !d.matches(subscription, &topic);
            assert!(wide, "{} {}", laws::show(subscription), laws::show(&topic));
        }
    }
}
