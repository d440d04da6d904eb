//! What a merge keeps and what it takes, and what the tables answer when asked for a known cause.

use wildcheck_tables::{Lane, Merged, Tables, merge, row::MatchRow};

fn row(pattern: &str, subject: &str) -> MatchRow {
    MatchRow {
        pattern: pattern.into(),
        subject: subject.into(),
        expected: true,
        server: None,
        naive: None,
        clause: String::new(),
        source: String::new(),
        since: String::new(),
        until: String::new(),
        note: String::new(),
    }
}

#[test]
fn a_merge_takes_what_was_observed_and_keeps_what_people_wrote() {
    let old = MatchRow {
        server: Some(false),
        naive: Some(true),
        clause: "nats-star".into(),
        source: "seed".into(),
        note: "mine".into(),
        ..row("a", "a")
    };
    let fresh = MatchRow {
        server: Some(true),
        clause: "nats-tail".into(),
        source: "fuzz 7".into(),
        until: "2.15.1".into(),
        note: "theirs".into(),
        ..row("a", "a")
    };
    let mut rows = vec![old.clone()];
    assert_eq!(merge(&mut rows, [fresh]), Merged { added: 0, changed: 1 });
    assert_eq!(rows, [MatchRow { server: Some(true), until: "2.15.1".into(), ..old }]);
}

#[test]
fn a_merge_adds_new_keys_in_their_place() {
    let mut rows = vec![row("a", "a"), row("c", "c")];
    let newer = MatchRow { since: "2.12.0".into(), ..row("a", "a") };
    let merged = merge(&mut rows, [row("b", "b"), newer.clone(), row("b", "b")]);
    assert_eq!(merged, Merged { added: 2, changed: 0 });
    assert_eq!(rows, [row("a", "a"), newer, row("b", "b"), row("c", "c")]);
}

#[test]
fn the_baseline_knows_a_cause_only_for_its_oracle_lane_and_versions() {
    let mut tables = Tables::embedded().expect("clean tables");
    let mut known = tables.baseline[0].clone();
    (known.dialect, known.oracle, known.lane) = ("nats".into(), "nats-server".into(), Lane::WIRE);
    (known.cause, known.since, known.until) = ("WC001".into(), "2.10.0".into(), "2.11.1".into());
    tables.baseline = vec![known.clone()];
    let ask = |oracle, lane, cause, version| tables.known("nats", oracle, &lane, cause, version).is_some();
    assert!(ask("nats-server", Lane::WIRE, "WC001", Some("2.10.25")));
    assert!(ask("nats-server", Lane::WIRE, "WC001", None));
    assert!(!ask("nats-server", Lane::WIRE, "WC001", Some("2.11.2")));
    assert!(!ask("nats-server", Lane::CLIENT, "WC001", Some("2.10.25")));
    assert!(!ask("naive", Lane::WIRE, "WC001", Some("2.10.25")));
    assert!(!ask("nats-server", Lane::WIRE, "WC002", Some("2.10.25")));
}
