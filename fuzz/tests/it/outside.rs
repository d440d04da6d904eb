//! Outside programs that are wrong in one way each, and what the audit makes of them.

use crate::cli_support::{Ran, WILDCHECK, command, finish, run};

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

/// The one line of the record about a referee.
fn refereed(ran: &Ran) -> serde_json::Value {
    let all = ran.events().into_iter().filter(|event| event["event"] == "referee").collect::<Vec<_>>();
    let [event] = &all[..] else { panic!("one referee, not {all:?}\n{}", ran.stderr) };
    event.clone()
}

fn report(ran: &Ran) -> String {
    std::fs::read_to_string(ran.dir.path().join("wildcheck-out/report.md")).expect("a report")
}

#[test]
fn a_live_broker_says_that_the_program_stands_alone() {
    let ran = audit("lies", &[]).exits(1);
    let event = refereed(&ran);
    assert_eq!((&event["oracle"]["name"], &event["under_test"]), (&"nats-server".into(), &"lies 1 (exec)".into()));
    let pair = &event["pairs"][0];
    assert_eq!(
        (&pair["pattern"], &pair["alone"], &pair["reference"]),
        (&"a.>".into(), &"under-test".into(), &false.into())
    );
    assert!(ran.stderr.contains("1 pairs asked; alone: lies 1 (exec) on 1, the reference on 0"), "{}", ran.stderr);
    assert!(report(&ran).contains("## Referee: nats-server"), "{}", report(&ran));
}

#[test]
fn a_referee_against_the_reference_fails_the_run_and_stands_first_in_the_report() {
    // The one who lies too is the referee: two against the rules.
    let ran = audit("lies", &["--referee", &address("lies")]).exits(1);
    assert_eq!(refereed(&ran)["pairs"][0]["alone"], "reference");
    assert!(ran.stdout.contains("THE REFERENCE STANDS ALONE"), "{}", ran.stdout);
    let report = report(&ran);
    let first = report.lines().find(|line| line.starts_with("## ")).expect("a heading");
    assert_eq!(first, "## The reference stands alone");
}

#[test]
fn nobody_is_asked_where_nobody_disagrees_or_none_is_wanted() {
    for (way, more) in [("well", &[][..]), ("lies", &["--referee", "none"])] {
        let ran = audit(way, more);
        assert!(ran.events().iter().all(|event| event["event"] != "referee"), "{way}");
        assert!(!report(&ran).contains("referee"), "{}", report(&ran));
    }
}

#[test]
fn a_dialect_without_a_broker_goes_on_without_a_referee_and_says_so() {
    let program = format!("exec:{WILDCHECK} adapter serve --oracle naive --dialect solace");
    let args = ["run", "--dialect", "solace", "--seed", "1", "--grids", "1", "--oracle", &program];
    let ran = run(args).exits(1);
    assert!(
        report(&ran).contains("- referee: auto cannot be started: this version starts no broker of the dialect solace")
    );
    let named = run(args.iter().chain(&["--referee", "process:solace"])).exits(5);
    assert!(named.stderr.contains("process:solace cannot be started"), "{}", named.stderr);
    let dir = tempfile::tempdir().expect("a folder");
    let required = command(dir.path(), args).env("WILDCHECK_REQUIRE", "referee").spawn().expect("it starts");
    finish(required, b"", dir).exits(5);
}

#[test]
fn a_referee_that_is_a_party_is_a_usage_error_and_one_that_cannot_be_started_is_exit_5() {
    audit("lies", &["--referee", "reference"]).exits(2);
    let lost = audit("lies", &["--referee", "nats://127.0.0.1:1"]).exits(5);
    assert!(lost.stderr.contains("nats://127.0.0.1:1"), "{}", lost.stderr);
}
