//! JUnit XML: a suite a table, a case a row; a suite of the causes, of the drift, and of what was not run. Must never
//! count a known cause as a failure, nor one of a pile that `--fail-on` leaves out.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{failed, told};
use crate::{ReportError, Summary};

pub(super) fn render(summary: &Summary) -> Result<String, ReportError> {
    let mut report = Report::new(format!("wildcheck {} {}", summary.command, summary.dialect));
    for held in told::held(summary) {
        let mut suite = TestSuite::new(&held.table);
        for row in summary.rows.iter().filter(|row| row.table == held.table) {
            let text = || format!("expected {}; seen: {}", row.expected, told::seen(&row.answers));
            let status = if summary.row_fails(row) { failure("row", &text()) } else { TestCaseStatus::success() };
            // Without the line, which moves: a case keeps its history.
            let name = format!("{} expects {}", told::question(row), row.expected);
            let mut case = case(&row.table, &name, status);
            if !row.holds && !summary.row_fails(row) {
                case.set_system_out(tolerated(&text()));
            }
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    let mut causes = TestSuite::new("causes");
    for witness in &summary.witnesses {
        let name = format!("{} {}: {} {}", witness.cause, witness.name, told::who(witness), told::direction(witness));
        let text = format!("{}, {} times; {}", told::cause(witness), witness.count, told::seen(&witness.answers));
        let fails = summary.fails(witness);
        let status = if fails { failure(&witness.cause, &text) } else { TestCaseStatus::success() };
        let mut case = case("causes", &name, status);
        if !fails && !witness.known {
            case.set_system_out(tolerated(&text));
        }
        causes.add_test_case(case);
    }
    for (referee, pair) in summary.contradicted() {
        let status = failure("referee", &told::contradicted(referee, pair));
        let name = format!("a referee says what the reference says: {} {}", pair.cause, pair.name);
        causes.add_test_case(case("referee", &name, status));
    }
    for drift in &summary.drift {
        let text = format!("expected {}, seen {}", drift.expected, drift.seen);
        causes.add_test_case(case("drift", &drift.place, failure("drift", &text)));
    }
    for check in &summary.self_checks {
        let name = format!("the planted {} {} is found", check.cause, check.name);
        let status = if check.caught { TestCaseStatus::success() } else { failure("self-check", "it was not found") };
        causes.add_test_case(case("self-check", &name, status));
    }
    for not_run in &summary.not_run {
        let mut status = TestCaseStatus::skipped();
        status.set_message(told::plain(&not_run.why));
        causes.add_test_case(case("not-run", &not_run.what, status));
    }
    let mut ended = match summary.exit {
        Some(0 | 1 | 3) => TestCaseStatus::success(),
        Some(exit) => failure("exit", &format!("exit {exit}: {}", summary.meaning)),
        None => failure("cut-off", "the run was cut off"),
    };
    if let (Some(exit @ (1 | 3)), true) = (summary.exit, nothing_failed(summary)) {
        ended = failure("exit", &format!("exit {exit}: {}", summary.meaning));
    }
    causes.add_test_case(case("run", "the run ended in good order", ended));
    report.add_test_suite(causes);
    report.to_string().map_err(failed)
}

/// Nothing in this report says why the exit code is not 0.
fn nothing_failed(summary: &Summary) -> bool {
    summary.contradicted().next().is_none()
        && !summary.rows.iter().any(|row| summary.row_fails(row))
        && summary.drift.is_empty()
        && !summary.witnesses.iter().any(|witness| summary.fails(witness))
}

/// What a mistake of a pile that does not fail says.
fn tolerated(text: &str) -> String {
    told::plain(&format!("not a failure (--fail-on): {text}"))
}

fn case(class: &str, name: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(told::plain(name), status);
    case.set_classname(class);
    case
}

fn failure(kind: &str, text: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(kind).set_message(told::plain(text));
    status
}
