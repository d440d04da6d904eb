//! `matrix` over two releases, and the release in which an answer flips.

use crate::cli_support::{command, finish, run, tables_copy};

const TWO: &str = "2.9.10,2.15.1";

#[test]
fn every_row_and_claim_is_asked_of_two_releases_and_is_as_recorded() {
    let ran = run(["matrix", "--versions", TWO, "--all", "--format", "csv"]).exits(0);
    let mut lines = ran.stdout.lines();
    assert!(lines.next().unwrap().starts_with("question,2.9.10"), "{}", ran.stdout);
    for question in
        ["match `a.*` `a.b`,true", "valid-pattern `a..b` by wire,refused-open", "nats-claim-star-one by wire,"]
    {
        assert!(ran.stdout.contains(question), "{question}\n{}", ran.stdout);
    }
    assert!(ran.stderr.contains("0 answers are not as recorded"), "{}", ran.stderr);
}

#[test]
fn a_release_that_does_not_say_what_the_table_says_is_exit_3_with_old_and_new() {
    let dir = tempfile::tempdir().unwrap();
    let tables = tables_copy(dir.path());
    let file = tables.join("nats/claims.csv");
    let text = std::fs::read_to_string(&file).unwrap();
    let lie = |line: &str| match line.starts_with("nats-claim-case,") && line.contains(",wire,") {
        true => line.replace(",confirmed,", ",refuted,"),
        false => line.to_owned(),
    };
    let lies: Vec<String> = text.lines().map(lie).collect();
    std::fs::write(&file, lies.join("\n") + "\n").unwrap();
    let args = ["matrix", "--versions", "2.9.10", "--tables", tables.to_str().unwrap()];
    let child = command(dir.path(), args).spawn().unwrap();
    let ran = finish(child, b"", dir).exits(3);
    let told = "nats-claim-case by wire on 2.9.10: recorded is refuted, seen is confirmed";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
}

#[test]
fn what_does_not_flip_is_said_to_be_the_same_on_both_sides() {
    let ran = run(["matrix", "--versions", TWO, "--bisect", "a.* a.b"]).exits(4);
    assert_eq!(ran.stdout, "a.* a.b: 2.9.10 and 2.15.1 say the same\n");
    assert!(ran.stderr.contains("2.9.10: true") && ran.stderr.contains("2.15.1: true"), "{}", ran.stderr);
}

#[test]
fn a_claim_that_flips_is_found_between_two_releases_and_shown_on_both_sides() {
    let ran = run(["matrix", "--versions", "2.9.10,2.10.25,2.12.8,2.15.1", "--bisect", "nats-claim-trace"]).exits(0);
    assert_eq!(ran.stdout, "nats-claim-trace: flips in 2.12.8\n  2.10.25: refuted\n  2.12.8: confirmed\n");
    assert!(ran.stderr.contains("4 releases, 4 asked"), "{}", ran.stderr);
}

#[test]
fn versions_that_are_none_and_a_row_that_is_none_are_usage_errors() {
    run(["matrix", "--versions", "newest"]).exits(2);
    run(["matrix", "--versions", TWO, "--bisect", "nats-claim-nothing"]).exits(2);
}

#[test]
fn a_broker_of_another_dialect_is_asked_rows_and_claims_under_its_name() {
    let args = ["matrix", "--dialect", "mqtt", "--oracle", "process:mosquitto", "--all", "--format", "csv"];
    let ran = run(args).exits(0);
    assert!(ran.stdout.starts_with("question,mosquitto 2."), "{}", ran.stdout);
    assert!(ran.stdout.contains("match `sport/#` `sport`,true"), "{}", ran.stdout);
    assert!(ran.stdout.contains("mqtt-claim-share-name by wire,refuted"), "{}", ran.stdout);
    run(["matrix", "--dialect", "mqtt", "--bisect", "a a"]).exits(2);
    run(["matrix", "--oracle", "auto"]).exits(2);
}
