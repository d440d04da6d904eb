//! Outside programs that are wrong in one way each, and what the audit makes of them.

use crate::cli_support::{Ran, run};

fn address(way: &str) -> String {
    format!("exec:python3 {}/tests/adapters/wrong.py {way}", env!("CARGO_MANIFEST_DIR"))
}

fn audit(way: &str, more: &[&str]) -> Ran {
    let address = address(way);
    let mut args = vec!["run", "--seed", "1", "--grids", "2", "--oracle", &address];
    args.extend(more);
    run(args)
}

/// `(pile, name, pattern, subject)` of every witness in the record.
fn witnesses(ran: &Ran) -> Vec<(String, String, String, String)> {
    let text = |event: &serde_json::Value, field: &str| event[field].as_str().unwrap_or_default().to_owned();
    let of = |event: &serde_json::Value| {
        (text(event, "pile"), text(event, "name"), text(event, "pattern"), text(event, "subject"))
    };
    ran.events().iter().filter(|event| event["event"] == "witness").map(of).collect()
}

fn only(ran: &Ran, pile: &str, name: &str) -> (String, String) {
    let all = witnesses(ran);
    let [(found_pile, found, pattern, subject)] = &all[..] else {
        panic!("one cause, not {all:.400?}\n{}", ran.stderr)
    };
    assert_eq!((found_pile.as_str(), found.as_str()), (pile, name));
    (pattern.clone(), subject.clone())
}

#[test]
fn a_program_that_does_nothing_wrong_has_three_empty_piles() {
    let ran = audit("well", &["--fail-on", "illegal,limits"]).exits(0);
    assert_eq!(witnesses(&ran), []);
    assert!(ran.stderr.contains("wrong on legal input: 0 causes"), "{}", ran.stderr);
}

#[test]
fn a_lying_program_is_told_by_its_smallest_lie() {
    let ran = audit("lies", &[]).exits(1);
    assert_eq!(only(&ran, "legal", "tail-matches-zero"), ("a.>".to_owned(), "a".to_owned()));
}

#[test]
fn a_hanging_program_is_told_by_the_pair_it_hangs_on() {
    let ran = audit("hangs", &["--answer-timeout", "1"]).exits(1);
    assert_eq!(only(&ran, "legal", "no-answer"), ("a.*".to_owned(), "a.b".to_owned()));
}

#[test]
fn a_crashing_program_is_told_by_the_pair_it_dies_of() {
    let ran = audit("dies", &[]).exits(1);
    assert_eq!(only(&ran, "legal", "program-died"), ("a.*".to_owned(), "a.b".to_owned()));
}

#[test]
fn an_exception_about_legal_operands_is_a_mistake() {
    let ran = audit("throws", &[]).exits(1);
    assert_eq!(only(&ran, "legal", "exception").0, "*");
}

#[test]
fn a_chattering_program_breaks_the_protocol_and_is_not_judged() {
    let ran = audit("chatters", &[]).exits(5);
    assert_eq!(witnesses(&ran), []);
    assert!(ran.stderr.contains("matching ..."), "{}", ran.stderr);
}

#[test]
fn what_takes_illegal_input_fails_only_where_that_is_asked() {
    let ran = audit("takes-everything", &[]).exits(0);
    let piles: Vec<String> = witnesses(&ran).into_iter().map(|(pile, ..)| pile).collect();
    assert!(piles.contains(&"illegal".to_owned()) && !piles.contains(&"legal".to_owned()), "{piles:?}");
    audit("takes-everything", &["--fail-on", "illegal"]).exits(1);
}

#[test]
fn time_that_explodes_is_a_limit() {
    let ran = audit("explodes", &[]);
    assert!(
        witnesses(&ran).iter().any(|(pile, name, ..)| (pile.as_str(), name.as_str()) == ("limits", "time-explodes"))
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn sets_that_repeat_forget_or_keep_are_three_causes() {
    for (way, name) in [("repeats", "set-repeats"), ("first-only", "set-forgets"), ("keeps", "set-keeps")] {
        only(&audit(way, &[]).exits(1), "legal", name);
    }
}

#[test]
fn brokers_and_programs_are_not_asked_in_one_run() {
    let program = address("well");
    run(["run", "--oracle", "reference", "--oracle", &program]).exits(2);
}
