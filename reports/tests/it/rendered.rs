//! What people see of a run that holds one of everything.

use std::io::Cursor;

use wildcheck_reports::{Difference, Format, Summary, render};
use wildcheck_tables::{
    Identity, Lane, Operand, Outcome, RunEvent, Verdict,
    event::{Answer, Certificate, Pile, RowResult, SCHEMA, WitnessRecord},
    read_events,
    row::Direction,
};

fn identity(name: &str, version: &str, lane: Lane) -> Identity {
    Identity {
        address: if lane == Lane::MEMORY { name.to_owned() } else { format!("process:{name}@{version}") },
        name: name.to_owned(),
        version: Some(version.to_owned()),
        commit: (lane != Lane::MEMORY).then(|| "abc1234".to_owned()),
        lane,
        dialect: "nats".to_owned(),
        remarks: Vec::new(),
    }
}

fn answer(oracle: &str, lane: Lane, verdict: Verdict) -> Answer {
    Answer { oracle: oracle.to_owned(), lane, verdict, pattern: None, subject: None, delivered: None }
}

fn answers(reference: bool, server: bool, naive: bool) -> Vec<Answer> {
    let mut live = answer("nats-server", Lane::WIRE, server.into());
    live.pattern = Some(Outcome::Accepted);
    live.subject = Some(Outcome::RefusedOpen("'Invalid Subject'".to_owned()));
    vec![answer("reference", Lane::MEMORY, reference.into()), live, answer("naive", Lane::MEMORY, naive.into())]
}

fn row(line: u64, left: &[u8], right: &[u8], holds: bool) -> RunEvent {
    RunEvent::Row(RowResult {
        table: "nats/match.csv".to_owned(),
        line,
        operation: "match".to_owned(),
        left: Operand::from(left),
        right: Some(Operand::from(right)),
        expected: "true".to_owned(),
        answers: answers(true, holds, true),
        clause: "nats-star".to_owned(),
        holds,
    })
}

fn witness(cause: &str, count: u64, known: bool, alone: &str) -> RunEvent {
    RunEvent::Witness(WitnessRecord {
        cause: cause.to_owned(),
        name: "star-crosses-separators".to_owned(),
        statement: "The one-token wildcard runs across separators.".to_owned(),
        direction: Direction::TooMuch,
        pattern: Operand::from(&b"a|`*"[..]),
        subject: Operand::from(&b"a|`\xff<b>"[..]),
        found: (Operand::from(&b"x.*"[..]), Operand::from(&b"x.y.z"[..])),
        answers: answers(false, alone != "naive", true),
        alone: alone.to_owned(),
        clause: "nats-star".to_owned(),
        count,
        known,
        pile: Pile::Legal,
        shell: "echo 'a' | nc -w1 127.0.0.1 1".to_owned(),
    })
}

/// One of every kind of event, and the second word on one cause.
fn events() -> Vec<RunEvent> {
    let server = identity("nats-server", "2.15.1", Lane::WIRE);
    vec![
        RunEvent::Started {
            schema: SCHEMA,
            wildcheck: "0.1.0".to_owned(),
            command: "run".to_owned(),
            arguments: vec!["run".to_owned()],
            dialect: "nats".to_owned(),
            seed: 7,
            scope: "tokens a,b; depth 2".to_owned(),
            oracles: vec![
                identity("reference", "0.1.0", Lane::MEMORY),
                server.clone(),
                identity("naive", "0.1.0", Lane::MEMORY),
            ],
            at: "2026-01-02T03:04:05Z".to_owned(),
        },
        RunEvent::SelfCheck {
            cause: "WC003".to_owned(),
            name: "case-folded".to_owned(),
            caught: true,
            witness: Some((Operand::from(&b"a"[..]), Operand::from(&b"A"[..]))),
        },
        row(2, b"a.*", b"a.b", true),
        row(3, b"a|b.*", b"a|b.\xe2\x82\xac", false),
        RunEvent::Grid { patterns: 3, subjects: 4, pairs: 12, matches: 5, disagreements: 2 },
        witness("WC002", 1, true, "naive"),
        witness("WC000", 2, false, "nats-server"),
        witness("WC002", 9, true, "naive"),
        RunEvent::Drift {
            place: "nats/match.csv:3".to_owned(),
            expected: "true".to_owned(),
            seen: "a false | other".to_owned(),
        },
        RunEvent::Finding {
            kind: "server-died".to_owned(),
            text: "it was started again".to_owned(),
            kept: Some("last-grid.json".to_owned()),
        },
        RunEvent::NotRun { what: "image lane".to_owned(), why: "no container engine # answers".to_owned() },
        RunEvent::Certificate(Certificate {
            scope: "tokens a,b; depth 2".to_owned(),
            patterns: 3,
            subjects: 4,
            pairs: 12,
            matches: 5,
            disagreements: 2,
            covers: 24,
            oracle: server,
            digest: "00ff".to_owned(),
            limits: vec!["operands of more than 2 tokens".to_owned()],
        }),
        RunEvent::Finished {
            exit: 1,
            meaning: "a disagreement that the baseline does not know".to_owned(),
            pairs: 12,
            disagreements: 2,
            seconds: 0.5,
        },
    ]
}

fn lines(events: &[RunEvent]) -> String {
    events.iter().map(|event| serde_json::to_string(event).unwrap() + "\n").collect()
}

fn summary(text: &str) -> Summary {
    Summary::of(read_events(Cursor::new(text)).unwrap())
}

#[test]
fn every_format_tells_a_run_that_holds_one_of_everything() {
    let summary = summary(&lines(&events()));
    for format in Format::ALL {
        insta::assert_snapshot!(format.name(), render(&summary, format).unwrap());
    }
}

#[test]
fn the_test_record_holds_every_kind_of_event() {
    let kinds: std::collections::BTreeSet<_> = events().iter().map(RunEvent::kind).collect();
    assert_eq!(kinds, RunEvent::KINDS.into_iter().collect());
}

#[test]
fn a_run_that_was_cut_off_says_so_and_is_told_as_far_as_it_got() {
    let text = lines(&events());
    let torn = &text[..text.rfind("\"finished\"").unwrap()];
    let summary = summary(torn);
    assert_eq!(summary.exit, None);
    let told = render(&summary, Format::Markdown).unwrap();
    assert!(told.lines().nth(2).unwrap().contains("cut off"), "{told}");
    assert!(told.contains("WC000"));
    assert!(render(&summary, Format::Tap).unwrap().ends_with("Bail out! the run was cut off\n"));
    assert!(render(&summary, Format::Junit).unwrap().contains("the run was cut off"));
}

#[test]
fn the_csv_reads_back_with_as_many_lines_as_rows() {
    let summary = summary(&lines(&events()));
    let text = render(&summary, Format::Csv).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let left = reader.headers().unwrap().iter().position(|head| head == "left").unwrap();
    let lefts: Vec<String> = reader.records().map(|record| record.unwrap()[left].to_owned()).collect();
    assert_eq!(lefts, ["a.*", "a|b.*"]);
}

#[test]
fn two_equal_runs_differ_in_nothing() {
    let summary = summary(&lines(&events()));
    let change = Difference::between(&summary, &summary);
    assert!(change.is_empty());
    assert_eq!(change.text(), "");
}

#[test]
fn what_changed_between_two_runs_is_told_and_nothing_else() {
    let old = summary(&lines(&events()));
    let mut later = events();
    later.retain(|event| !matches!(event, RunEvent::Witness(w) if w.cause == "WC000"));
    later.push(witness("WC003", 1, false, "nats-server"));
    for event in &mut later {
        match event {
            RunEvent::Row(row) => (row.line, row.holds) = (row.line + 10, true),
            RunEvent::Certificate(certificate) => certificate.digest = "11ee".to_owned(),
            _ => {}
        }
    }
    let end = later.iter().position(|event| event.kind() == "finished").unwrap();
    let finished = later.remove(end);
    later.push(finished);
    insta::assert_snapshot!("difference", Difference::between(&old, &summary(&lines(&later))).text());
}

#[test]
fn a_random_search_never_says_that_something_vanished() {
    let old = summary(&lines(&events()));
    let mut later = events();
    later.retain(|event| !matches!(event, RunEvent::Witness(_)));
    let RunEvent::Started { command, .. } = &mut later[0] else { panic!("it starts with the start") };
    *command = "fuzz".to_owned();
    assert!(Difference::between(&old, &summary(&lines(&later))).vanished.is_empty());
}

fn schema() -> jsonschema::Validator {
    let schema: serde_json::Value = serde_json::from_str(include_str!("../../record.schema.json")).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn every_event_fits_the_schema() {
    let schema = schema();
    for event in events() {
        let value = serde_json::to_value(&event).unwrap();
        let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", event.kind());
    }
}

#[test]
fn an_event_without_one_of_its_fields_or_of_another_kind_does_not_fit_the_schema() {
    let schema = schema();
    for event in events() {
        let value = serde_json::to_value(&event).unwrap();
        for field in value.as_object().unwrap().keys() {
            // Fields that may be absent.
            if ["kept", "pile", "witness", "right"].contains(&field.as_str()) {
                continue;
            }
            let mut less = value.clone();
            less.as_object_mut().unwrap().remove(field);
            assert!(!schema.is_valid(&less), "{} without {field}", event.kind());
            let mut other = value.clone();
            other[field] = serde_json::json!({ "no": "such" });
            assert!(!schema.is_valid(&other), "{} with another {field}", event.kind());
        }
    }
    assert!(!schema.is_valid(&serde_json::json!({ "event": "party" })));
}
