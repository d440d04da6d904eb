//! The difference of two runs.

use wildcheck_reports::{Difference, ReportError, Summary};
use wildcheck_tables::{Outcome, RunEvent};

use crate::everything::{events, lines, summary, witness};

/// From the record that holds one of everything to that record after `change`.
fn after(change: impl FnOnce(&mut Vec<RunEvent>)) -> Difference {
    between(|_| {}, change)
}

fn between(then: impl FnOnce(&mut Vec<RunEvent>), now: impl FnOnce(&mut Vec<RunEvent>)) -> Difference {
    let told = |change: &mut dyn FnMut(&mut Vec<RunEvent>)| -> Summary {
        let mut events = events();
        change(&mut events);
        summary(&lines(&events))
    };
    let (mut then, mut now) = (Some(then), Some(now));
    let old = told(&mut |events| then.take().unwrap()(events));
    let new = told(&mut |events| now.take().unwrap()(events));
    Difference::between(&old, &new).unwrap()
}

/// Every row, witness and so on that the closure does not want goes.
fn without(unwanted: impl Fn(&RunEvent) -> bool) -> impl FnOnce(&mut Vec<RunEvent>) {
    move |events| events.retain(|event| !unwanted(event))
}

fn is_cause(event: &RunEvent, cause: &str) -> bool {
    matches!(event, RunEvent::Witness(witness) if witness.cause == cause)
}

fn rows(events: &mut [RunEvent]) -> impl Iterator<Item = &mut wildcheck_tables::event::RowResult> {
    events.iter_mut().filter_map(|event| if let RunEvent::Row(row) = event { Some(row) } else { None })
}

fn start(events: &mut [RunEvent], new_command: &str, new_scope: &str) {
    let RunEvent::Started { command, scope, .. } = &mut events[0] else { panic!("it starts with the start") };
    (*command, *scope) = (new_command.to_owned(), new_scope.to_owned());
}

#[test]
fn two_equal_runs_differ_in_nothing_also_where_one_operand_is_asked_by_two_lanes() {
    let change = after(|_| {});
    assert_eq!(change, Difference::default());
    assert!(change.is_empty() && !change.is_worse());
    assert_eq!(change.text(), "");
}

#[test]
fn lines_and_counts_and_times_move_without_a_word() {
    let change = after(|events| {
        for event in &mut *events {
            match event {
                RunEvent::Row(row) => row.line += 10,
                RunEvent::Witness(witness) => witness.count += 5,
                RunEvent::Started { at, seed, .. } => (*at, *seed) = ("2027-01-01T00:00:00Z".to_owned(), 8),
                RunEvent::Finished { seconds, .. } => *seconds = 9.0,
                _ => {}
            }
        }
    });
    assert_eq!(change.text(), "");
}

#[test]
fn what_changed_between_two_runs_is_told_and_nothing_else() {
    let change = after(|events| {
        events.retain(|event| !is_cause(event, "WC000") && !is_cause(event, "WC002"));
        for event in &mut *events {
            match event {
                RunEvent::Started { oracles, .. } => oracles[1].version = Some("2.16.0".to_owned()),
                RunEvent::Row(row) => {
                    row.holds = row.line != 2;
                    let live = row.answers.iter_mut().find(|answer| answer.oracle == "nats-server").unwrap();
                    if row.table == "nats/match.csv" {
                        live.verdict = row.holds.into();
                    } else if row.line == 2 {
                        live.pattern = Some(Outcome::RefusedClosed(String::new()));
                    }
                }
                RunEvent::Drift { seen, .. } => *seen = "something else".to_owned(),
                RunEvent::Finding { text, .. } => *text = "it stayed away".to_owned(),
                RunEvent::NotRun { why, .. } => *why = "no time".to_owned(),
                RunEvent::Certificate(certificate) => certificate.digest = "11ee".to_owned(),
                _ => {}
            }
        }
        let end = events.len() - 1;
        events.insert(end, witness("WC003", 1, false, "nats-server"));
    });
    assert!(change.is_worse());
    insta::assert_snapshot!("difference", change.text());
}

#[test]
fn each_thing_that_holds_no_longer_is_worse_by_itself() {
    let worse: [(&str, Difference); 6] = [
        ("a row", after(|events| rows(events).next().unwrap().holds = false)),
        ("a new cause", between(without(|event| is_cause(event, "WC000")), |_| {})),
        ("a known cause that is gone", after(without(|event| is_cause(event, "WC011")))),
        ("a drift", between(without(|event| event.kind() == "drift"), |_| {})),
        ("a run that was cut off", after(without(|event| event.kind() == "finished"))),
        (
            "a cause that the baseline knows no longer",
            after(|events| {
                for event in events {
                    if let RunEvent::Witness(witness) = event {
                        witness.known = false;
                    }
                }
            }),
        ),
    ];
    for (what, change) in worse {
        assert!(change.is_worse() && !change.is_empty(), "{what}: {}", change.text());
    }
}

#[test]
fn what_got_better_is_told_and_is_not_worse() {
    let better: [(&str, Difference); 4] = [
        ("holds again: ", after(|events| rows(events).for_each(|row| row.holds = true))),
        ("gone: ", after(without(|event| is_cause(event, "WC000")))),
        ("ended then: ", between(without(|event| event.kind() == "finished"), |_| {})),
        (
            "digest: ",
            after(|events| {
                for event in events {
                    if let RunEvent::Certificate(certificate) = event {
                        (certificate.digest, certificate.disagreements) = ("11ee".to_owned(), 0);
                    }
                }
            }),
        ),
    ];
    for (told, change) in better {
        assert!(change.text().starts_with(told), "{told}: {}", change.text());
        assert!(!change.is_worse(), "{told}: {}", change.text());
    }
}

#[test]
fn only_a_run_that_was_bound_to_find_a_cause_says_that_it_is_gone() {
    let no_causes = || without(|event| event.kind() == "witness");
    assert_eq!(after(no_causes()).vanished.len(), 3);
    let all = |command: &'static str, scope: &'static str| {
        let now = move |events: &mut Vec<RunEvent>| {
            events.retain(|event| event.kind() != "witness");
            start(events, command, scope);
        };
        between(|events| start(events, command, "tokens a,b; depth 2"), now)
    };
    assert_eq!(all("fuzz", "tokens a,b; depth 2").vanished, []);
    assert_eq!(all("certify", "tokens a; depth 1").vanished, []);
    let interrupted = after(|events| {
        events.retain(|event| event.kind() != "witness");
        let Some(RunEvent::Finished { exit, .. }) = events.last_mut() else { panic!("it ends with the end") };
        *exit = 130;
    });
    assert_eq!(interrupted.vanished, []);
}

#[test]
fn a_row_that_a_later_run_asks_by_another_lane_only_is_told_as_not_asked() {
    let change = after(without(|event| matches!(event, RunEvent::Row(row) if row.right.is_none() && row.line == 3)));
    assert_eq!(change.text(), "not asked any more: nats/validation.csv valid-pattern '' by wire\n");
    assert!(!change.is_worse());
}

#[test]
fn words_that_hold_ports_and_durations_are_no_change_and_the_words_of_a_server_are() {
    let pattern = |outcome: Outcome| {
        move |events: &mut Vec<RunEvent>| rows(events).next().unwrap().answers[1].pattern = Some(outcome)
    };
    let lost = |words: &str| Outcome::Lost(words.to_owned());
    assert!(between(pattern(lost("127.0.0.1:4222")), pattern(lost("127.0.0.1:4333"))).is_empty());
    let refused = |words: &str| Outcome::RefusedOpen(words.to_owned());
    assert!(!between(pattern(refused("no")), pattern(refused("never"))).is_empty());
}

#[test]
fn runs_of_two_dialects_are_not_compared() {
    let (old, mut new) = (summary(&lines(&events())), summary(&lines(&events())));
    new.dialect = "mqtt".to_owned();
    let error = Difference::between(&old, &new).unwrap_err();
    assert!(matches!(error, ReportError::Incomparable(..)), "{error}");
}
