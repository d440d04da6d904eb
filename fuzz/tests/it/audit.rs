//! `audit` on two releases: what it says of the committed claims, of a claim that was just written, of a false one.

use crate::cli_support::{Ran, command, finish, run, tables_copy};

const OLD: &str = "process:nats-server@2.9.10";
const NEW: &str = "process:nats-server@2.15.1";

/// Adds lines to the claims about nats in a copy of the tables, in order, and audits that one claim.
#[track_caller]
fn with_claim(id: &str, row: &str) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    let tables = tables_copy(dir.path());
    let file = tables.join("nats/claims.csv");
    let old = std::fs::read_to_string(&file).unwrap();
    let mut lines: Vec<&str> = old.lines().collect();
    let header = lines.remove(0);
    lines.push(row);
    lines.sort_by_key(|line| line.split(',').next().map(str::to_owned));
    std::fs::write(&file, format!("{header}\n{}\n", lines.join("\n"))).unwrap();
    let args = ["audit", "--tables", tables.to_str().unwrap(), "--oracle", OLD, "--claim", id];
    let child = command(dir.path(), args).spawn().unwrap();
    finish(child, b"", dir)
}

/// An audit in which no lane is left out.
#[track_caller]
fn whole(address: &str, format: &str) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    let mut command = command(dir.path(), ["audit", "--oracle", address, "--format", format]);
    command.env("WILDCHECK_REQUIRE", "clients");
    let ran = finish(command.spawn().unwrap(), b"", dir).exits(0);
    assert!(ran.stderr.contains("as recorded") && !ran.stderr.contains("not run"), "{}", ran.stderr);
    ran
}

#[test]
fn every_claim_has_its_recorded_verdict_on_the_oldest_release() {
    whole(OLD, "text");
}

#[test]
fn a_client_that_cannot_be_had_is_not_run_by_name_and_exit_5_where_it_is_required() {
    let empty = tempfile::tempdir().unwrap();
    let audit = |required: &str| {
        let dir = tempfile::tempdir().unwrap();
        let mut command = command(dir.path(), ["audit", "--oracle", OLD, "--claim", "nats-claim-tail-last"]);
        command.env("WILDCHECK_CACHE", empty.path()).env("PATH", empty.path()).env("WILDCHECK_REQUIRE", required);
        finish(command.spawn().unwrap(), b"", dir)
    };
    let ran = audit("").exits(0);
    for lane in ["client-nats-py: nats-py 2.16.0", "client-nats-go: nats.go"] {
        assert!(ran.stderr.contains(&format!("not run: the lane {lane} cannot be started")), "{}", ran.stderr);
    }
    assert!(ran.stdout.contains("client") && !ran.stdout.contains("client-nats"), "{}", ran.stdout);
    let ran = audit("clients").exits(5);
    assert!(ran.stderr.contains("pip download nats-py==2.16.0"), "{}", ran.stderr);
}

#[test]
fn what_the_audit_says_and_every_claim_has_its_recorded_verdict_on_the_newest_release() {
    let ran = whole(NEW, "csv");
    // How the server shares work between members is a matter of chance, and so are the counts that are told of it.
    insta::with_settings!({filters => vec![(r"member1 got \d+; member2 got \d+", "member1 got N; member2 got M")]}, {
        insta::assert_snapshot!(ran.stdout);
    });
}

#[test]
fn a_claim_that_depends_on_the_version_is_told_with_its_range_on_both_sides() {
    for (address, seen) in [(OLD, "wire: refuted, told got 0"), (NEW, "by wire")] {
        let ran = run(["audit", "--oracle", address, "--claim", "nats-claim-trace"]).exits(0);
        assert!(ran.stdout.starts_with("version-dependent nats-claim-trace"), "{}", ran.stdout);
        assert!(ran.stdout.contains("wire: refuted until 2.10.26, confirmed since 2.11.0"), "{}", ran.stdout);
        assert!(ran.stdout.contains(seen), "{}", ran.stdout);
    }
}

#[test]
fn a_claim_added_to_a_folder_gets_its_verdict_without_compiling() {
    let row = "nats-claim-zz-new,Three get three.,hand,wire,\
               p connect; s connect; s sub q.> as x; p pub q.1 times 3,x got 3,,,,";
    let ran = with_claim("nats-claim-zz-new", row).exits(0);
    assert!(ran.stdout.starts_with("confirmed"), "{}", ran.stdout);
    assert!(ran.stdout.contains("s > SUB q.> 1") && ran.stdout.contains("s < MSG q.1 1 0"), "{}", ran.stdout);
}

#[test]
fn a_false_claim_is_refuted_with_what_was_seen_instead() {
    let row = "nats-claim-zz-false,The bare star gets everything.,hand,wire,\
               p connect; s connect; s sub * as x; p pub a; p pub a.b,x got 2,,,,";
    let ran = with_claim("nats-claim-zz-false", row).exits(0);
    assert!(ran.stdout.starts_with("refuted") && ran.stdout.contains("x got 1"), "{}", ran.stdout);
}

#[test]
fn a_recorded_verdict_that_no_longer_holds_is_exit_3() {
    let row = "nats-claim-zz-drift,The bare star gets everything.,hand,wire,\
               p connect; s connect; s sub * as x; p pub a.b,x got 1,confirmed,,,";
    let ran = with_claim("nats-claim-zz-drift", row).exits(3);
    assert!(ran.stderr.contains("recorded is confirmed") && ran.stderr.contains("refuted x got 0"), "{}", ran.stderr);
}

#[test]
fn a_probe_that_cannot_be_read_fails_lint_with_its_line_and_what_was_expected() {
    let row = "nats-claim-zz-broken,No such step.,hand,wire,p connect; s sub a as x,x got 1,,,,";
    let ran = with_claim("nats-claim-zz-broken", row).exits(6);
    assert!(ran.stderr.contains("no step before opens the connection s"), "{}", ran.stderr);
    let row = "nats-claim-zz-broken,No such name.,hand,wire,p connect; p sub a as x,y got 1,,,,";
    let ran = with_claim("nats-claim-zz-broken", row).exits(6);
    assert!(ran.stderr.contains("the probe has no subscription y"), "{}", ran.stderr);
}

#[test]
fn an_unknown_claim_and_an_oracle_without_a_server_of_its_own_are_usage_errors() {
    let ran = run(["audit", "--oracle", OLD, "--claim", "nats-claim-nothing"]).exits(2);
    assert!(ran.stderr.contains("known: nats-claim-"), "{}", ran.stderr);
    run(["audit", "--oracle", "nats://127.0.0.1:4222"]).exits(2);
}

#[test]
fn claims_that_are_pairs_are_asked_of_the_brokers_that_run_and_are_as_recorded() {
    for (dialect, claims) in [("mqtt", 15), ("rabbitmq", 11)] {
        let ran = run(["audit", "--dialect", dialect, "--format", "csv"]).exits(0);
        assert!(
            ran.stderr.contains(&format!("{claims} claims on ")) && ran.stderr.contains("as recorded"),
            "{}",
            ran.stderr
        );
        let events = ran.events();
        let refuted: Vec<_> =
            events.iter().filter(|event| event["event"] == "claim" && event["verdict"] == "refuted").collect();
        assert_eq!(refuted.len(), 3, "{refuted:?}");
        assert!(refuted.iter().all(|claim| claim["seen"] != ""), "{refuted:?}");
    }
}

#[test]
fn a_claim_that_is_a_pair_is_told_with_what_became_of_both() {
    let ran = run(["audit", "--dialect", "mqtt", "--claim", "mqtt-claim-dollar-hash"]).exits(0);
    assert!(ran.stdout.contains("sub \"#\": accepted\n  pub \"$x/a\": accepted; delivered: false"), "{}", ran.stdout);
}

#[test]
fn claims_of_a_dialect_without_a_broker_are_exit_4_and_the_reference_can_be_asked() {
    run(["audit", "--dialect", "solace"]).exits(4);
    let ran = run(["audit", "--dialect", "solace", "--oracle", "reference"]).exits(0);
    assert!(ran.stderr.contains("10 claims on reference"), "{}", ran.stderr);
}
