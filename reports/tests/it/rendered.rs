//! What people see of a run that holds one of everything.

use wildcheck_reports::{Format, Summary, render};
use wildcheck_tables::{RunEvent, event::Pile};

use crate::everything::{events, lines, summary};

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
    let tap = render(&summary, Format::Tap).unwrap();
    assert!(tap.lines().last().unwrap().starts_with("Bail out! The run was cut off"), "{tap}");
    let sarif: serde_json::Value = serde_json::from_str(&render(&summary, Format::Sarif).unwrap()).unwrap();
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!((&invocation["executionSuccessful"], invocation.get("exitCode")), (&false.into(), None));
    assert!(render(&summary, Format::Junit).unwrap().contains("the run was cut off"));
}

#[test]
fn the_csv_reads_back_with_as_many_lines_as_rows() {
    let summary = summary(&lines(&events()));
    let text = render(&summary, Format::Csv).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let left = reader.headers().unwrap().iter().position(|head| head == "left").unwrap();
    let lefts: Vec<String> = reader.records().map(|record| record.unwrap()[left].to_owned()).collect();
    assert_eq!(lefts, ["a.*", "a|b.*", "", ""]);
}

#[test]
fn a_planted_bug_that_was_not_found_fails_in_every_format_that_passes_or_fails() {
    let mut events = events();
    for event in &mut events {
        match event {
            RunEvent::SelfCheck { caught, .. } => *caught = false,
            RunEvent::Finished { exit, meaning, .. } => (*exit, *meaning) = (7, "the self-check failed".to_owned()),
            _ => {}
        }
    }
    let told = |format| render(&summary(&lines(&events)), format).unwrap();
    assert!(told(Format::Markdown).contains("the planted WC003 case-folded was **not found**"));
    assert!(told(Format::Junit).contains(r#"message="it was not found" type="self-check""#));
    assert!(told(Format::Tap).contains("the planted WC003 case-folded is found\n  ---\n  seen: \"it was not found\""));
    assert!(told(Format::Tap).ends_with("Bail out! Exit 7: the self-check failed.\n"));
    assert!(told(Format::Sarif).contains(r#""executionSuccessful": false"#));
}

/// An audit in which what is wrong is of the pile `illegal`.
fn audit(fail_on: &[Pile]) -> Summary {
    let mut events: Vec<RunEvent> =
        events().into_iter().filter(|e| ["started", "row", "witness", "finished"].contains(&e.kind())).collect();
    for event in &mut events {
        match event {
            RunEvent::Started { fail_on: piles, .. } => *piles = Some(fail_on.to_vec()),
            RunEvent::Row(row) => row.pile = Some(Pile::Illegal),
            RunEvent::Witness(witness) => {
                (witness.pile, witness.known, witness.alone) = (Pile::Illegal, false, "nats-server".to_owned());
            }
            RunEvent::Finished { exit, .. } => *exit = u8::from(fail_on.contains(&Pile::Illegal)),
            _ => {}
        }
    }
    summary(&lines(&events))
}

#[test]
fn a_pile_that_does_not_fail_is_no_failure_in_any_format_that_passes_or_fails() {
    for (fail_on, fails) in [(&[Pile::Legal][..], false), (&[Pile::Legal, Pile::Illegal], true)] {
        let told = |format| render(&audit(fail_on), format).unwrap();
        assert_eq!(told(Format::Junit).contains("<failure"), fails);
        assert_eq!(told(Format::Junit).contains("not a failure (--fail-on): "), !fails);
        assert_eq!(told(Format::Sarif).contains(r#""level": "error""#), fails);
        assert!(told(Format::Sarif).contains("WC002"));
        let tap = told(Format::Tap);
        assert!(tap.lines().any(|line| line.starts_with("not ok")));
        assert!(tap.lines().filter(|line| line.starts_with("not ok")).all(|line| line.contains("# TODO") != fails));
    }
}

#[test]
fn an_audit_tells_every_witness_that_it_wrote() {
    assert_eq!(audit(&[Pile::Legal]).witnesses.len(), 4);
}
