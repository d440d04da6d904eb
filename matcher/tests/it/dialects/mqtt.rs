//! MQTT: the standard's own examples, the sentences of its rules, and the laws on every small operand.

use wildcheck_matcher::Strength;

use super::laws::{self, dialect, operands};

fn matches(filter: &str, topic: &str) -> bool {
    dialect("mqtt").matches(filter.as_bytes(), topic.as_bytes())
}

fn accepted(filter: &str) -> bool {
    dialect("mqtt").validate_pattern(filter.as_bytes(), Strength::Server).is_ok()
}

#[test]
fn the_examples_of_section_4_7_1_hold() {
    for topic in ["sport/tennis/player1", "sport/tennis/player1/ranking", "sport/tennis/player1/score/wimbledon"] {
        assert!(matches("sport/tennis/player1/#", topic), "{topic}");
    }
    assert!(matches("sport/#", "sport"), "the parent is included");
    assert!(accepted("#") && matches("#", "sport/tennis"));
    assert!(accepted("sport/tennis/#") && !accepted("sport/tennis#") && !accepted("sport/tennis/#/ranking"));
    assert!(matches("sport/tennis/+", "sport/tennis/player1") && matches("sport/tennis/+", "sport/tennis/player2"));
    assert!(!matches("sport/tennis/+", "sport/tennis/player1/ranking"));
    assert!(!matches("sport/+", "sport") && matches("sport/+", "sport/"));
    assert!(accepted("+") && accepted("+/tennis/#") && !accepted("sport+") && accepted("sport/+/player1"));
    assert!(matches("+/+", "/finance") && matches("/+", "/finance") && !matches("+", "/finance"));
}

#[test]
fn the_examples_of_section_4_7_2_hold() {
    assert!(!matches("#", "$SYS/uptime"));
    assert!(!matches("+/monitor/Clients", "$SYS/monitor/Clients"));
    assert!(matches("$SYS/#", "$SYS/uptime"));
    assert!(matches("$SYS/monitor/+", "$SYS/monitor/Clients"));
}

#[test]
fn the_examples_of_section_4_7_3_hold() {
    assert!(accepted("Accounts payable") && !matches("ACCOUNTS", "Accounts"));
    assert!(!matches("finance", "/finance") && accepted("/"));
}

#[test]
fn a_share_subscribes_to_its_filter() {
    assert!(matches("$share/g/a/+", "a/b") && matches("$share/g/#", "a"));
    assert!(!matches("$share/g/#", "$x/a") && matches("$share/g/$x/#", "$x"));
    assert!(matches("$share/g//a", "/a") && accepted("$shared/a"));
    for refused in ["$share", "$share/", "$share/g", "$share/g/", "$share//a", "$share/+/a", "$share/g+/a"] {
        let refusal = dialect("mqtt").validate_pattern(refused.as_bytes(), Strength::Server).unwrap_err();
        assert_eq!(refusal.clause.0, "mqtt-share", "{refused}");
    }
    let refusal = dialect("mqtt").validate_pattern(b"$share/g/a/b#", Strength::Server).unwrap_err();
    assert_eq!((refusal.clause.0, refusal.token, refusal.offset), ("mqtt-hash-last", Some(3), 12));
}

#[test]
fn the_server_publishes_under_sys_and_clients_do_not() {
    let d = dialect("mqtt");
    for reserved in ["$SYS", "$SYS/a", "$SYSx", "$share", "$share/g/a", "$shared"] {
        let refusal = d.validate_subject(reserved.as_bytes(), Strength::Server).unwrap_err();
        assert_eq!(refusal.clause.0, "mqtt-reserved", "{reserved}");
    }
    assert!(matches("$SYS/a", "$SYS/a") && !matches("$SYSx", "$SYSx"));
    assert!(d.validate_subject(b"$x", Strength::Server).is_ok());
    assert_eq!(d.validate_subject(b"$x", Strength::Strict).unwrap_err().clause.0, "mqtt-dollar-publish");
}

#[test]
fn an_operand_is_text_of_bounded_length_and_depth() {
    let d = dialect("mqtt");
    let clause = |bytes: &[u8]| d.validate_pattern(bytes, Strength::Server).map_err(|r| r.clause.0);
    assert_eq!(clause(b""), Err("mqtt-empty"));
    assert_eq!(clause(&[b'a'; 65535]), Ok(()));
    assert_eq!(clause(&[b'a'; 65536]), Err("mqtt-limit"));
    assert_eq!(clause(&[b'/'; 200]), Ok(()));
    assert_eq!(clause(&[b'/'; 201]), Err("mqtt-levels"));
    assert_eq!(clause(b"a\0"), Err("mqtt-nul"));
    assert_eq!(clause(b"\xed\xa0\x80"), Err("mqtt-utf8"));
    for control in ["a\u{1}", "\u{7f}", "\u{9f}", "\u{fdd0}", "\u{fffe}", "\u{1ffff}"] {
        assert_eq!(clause(control.as_bytes()), Err("mqtt-control"), "{}", control.escape_unicode());
    }
    assert_eq!(clause("\u{a0}\u{feff}".as_bytes()), Ok(()));
    assert_eq!(d.validate_subject(b"a/+", Strength::Server).unwrap_err().clause.0, "mqtt-topic-wildcard");
}

#[test]
fn relations_know_the_parent_the_dollar_and_the_empty_topic() {
    let d = dialect("mqtt");
    assert_eq!(d.subset(b"#", b"+/#"), Some(true), "every topic has a level");
    assert_eq!(d.subset(b"/#", b"/+/#"), Some(true), "no topic is empty");
    assert_eq!(d.subset(b"$x/a", b"#"), Some(false));
    assert_eq!(d.subset(b"a/#", b"a/+"), Some(false));
    assert_eq!(d.subset(b"$share/g/a/+", b"a/#"), Some(true));
    assert_eq!(d.overlap(b"+", b"/#"), Some(false));
    assert_eq!(d.overlap(b"a/#", b"a"), Some(true));
    let shared = |l: &str, r: &str| {
        let both = d.intersection(l.as_bytes(), r.as_bytes()).unwrap();
        both.into_iter().map(|p| String::from_utf8(p).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(shared("a/#", "+/b"), ["a/b"]);
    assert_eq!(shared("#", "#"), ["#"]);
    assert_eq!(shared("a/#", "a/+/#"), ["a/+/#"]);
    assert!(shared("a/+", "b/+").is_empty());
}

#[test]
fn the_intersection_of_small_filters_is_what_both_have() {
    let filters = operands(&["a", "+", "#", "", "$x"], b'/', 3);
    laws::intersections_hold(dialect("mqtt"), &filters, &operands(&["a", "z", "", "$x"], b'/', 4));
}

#[test]
fn the_explanation_names_the_level_that_decides() {
    let explain = |p: &str, t: &str| {
        let trace = dialect("mqtt").explain(p.as_bytes(), t.as_bytes());
        (trace.clause.0, trace.token)
    };
    assert_eq!(explain("a/+/c", "a/b/c"), ("mqtt-plus", Some(1)));
    assert_eq!(explain("a/#", "a"), ("mqtt-parent", Some(1)));
    assert_eq!(explain("a/#", "a/b"), ("mqtt-hash", Some(1)));
    assert_eq!(explain("+/a", "$x/a"), ("mqtt-dollar", Some(0)));
    assert_eq!(explain("a/B", "a/b"), ("mqtt-case", Some(1)));
    assert_eq!(explain("a/b", "a/c"), ("mqtt-literal", Some(1)));
    assert_eq!(explain("a/b", "a/"), ("mqtt-empty-level", Some(1)));
    assert_eq!(explain("a/+", "a"), ("mqtt-length", Some(1)));
    assert_eq!(explain("$share/g/a/+", "a/b"), ("mqtt-plus", Some(3)));
}

#[test]
fn every_small_filter_has_one_answer_on_every_small_topic() {
    let filters = operands(&["a", "b", "+", "#", "", "$x"], b'/', 4);
    laws::one_answer_everywhere(dialect("mqtt"), &filters, &operands(&["a", "b", "", "$x"], b'/', 4));
    let filters = operands(&["$share", "g", "+", "#", "", "$SYS"], b'/', 4);
    laws::one_answer_everywhere(dialect("mqtt"), &filters, &operands(&["$share", "g", "", "$SYS", "$SYSx"], b'/', 3));
}

#[test]
fn relations_of_small_filters_are_what_all_small_topics_say() {
    let topics = operands(&["a", "z", "", "$x", "$SYS", "$SYSx"], b'/', 4);
    laws::relations_hold(dialect("mqtt"), &operands(&["a", "+", "#", "", "$x", "a+"], b'/', 3), &topics);
    laws::relations_hold(dialect("mqtt"), &operands(&["$share", "+", "#", "", "$SYS", "$SYSx"], b'/', 3), &topics);
}

#[test]
fn random_filters_and_topics_agree() {
    laws::random_operands_agree(dialect("mqtt"), &["a", "b", "+", "#", "", "$x", "$share", "a+", "A"], b'/');
    laws::any_bytes_agree(dialect("mqtt"));
}

#[test]
fn the_regular_expression_people_write_is_wrong_in_both_directions() {
    let d = dialect("mqtt");
    for (filter, topic, naive) in [
        ("a/#", "a", false),
        ("a/+", "a/", false),
        ("#", "$SYS/a", true),
        ("a+", "ab", true),
        ("$share/g/a", "a", false),
    ] {
        assert_eq!(d.naive_matches(filter.as_bytes(), topic.as_bytes()), naive, "{filter} {topic}");
        assert_eq!(matches(filter, topic), !naive, "{filter} {topic}");
    }
}
