//! Test Anything Protocol 14. Must never number a line twice. What `--fail-on` leaves out is a `TODO`: not ok, and no
//! failure.

use super::told;
use crate::Summary;

pub(super) fn render(summary: &Summary) -> String {
    let mut lines = Vec::new();
    for row in &summary.rows {
        let name = format!("{}:{} {} expects {}", row.table, row.line, told::question(row), row.expected);
        lines.push((row.holds, summary.row_fails(row), name, told::seen(&row.answers)));
    }
    for witness in &summary.witnesses {
        let name = format!(
            "{} {} known: pattern {} subject {}",
            witness.cause,
            witness.name,
            told::short(&witness.pattern),
            told::short(&witness.subject)
        );
        let fails = summary.fails(witness);
        lines.push((witness.known, fails, name, format!("{} {}", told::who(witness), told::direction(witness))));
    }
    for (referee, pair) in summary.contradicted() {
        let name = format!("a referee says what the reference says: {} {}", pair.cause, pair.name);
        lines.push((false, true, name, told::contradicted(referee, pair)));
    }
    for drift in &summary.drift {
        lines.push((false, true, drift.place.clone(), format!("expected {}, seen {}", drift.expected, drift.seen)));
    }
    for check in &summary.self_checks {
        let name = format!("the planted {} {} is found", check.cause, check.name);
        lines.push((check.caught, true, name, "it was not found".to_owned()));
    }
    let mut text = format!("TAP version 14\n1..{}\n", lines.len() + summary.not_run.len());
    for (index, (ok, fails, name, seen)) in lines.iter().enumerate() {
        let number = index + 1;
        let ok = if *ok { "ok" } else { "not ok" };
        let todo = if ok == "not ok" && !fails { " # TODO not a failure (--fail-on)" } else { "" };
        text.push_str(&format!("{ok} {number} - {}{todo}\n", description(name)));
        if ok == "not ok" {
            text.push_str(&format!("  ---\n  seen: {}\n  ...\n", serde_json::Value::from(seen.as_str())));
        }
    }
    for (index, not_run) in summary.not_run.iter().enumerate() {
        let number = lines.len() + index + 1;
        text.push_str(&format!("ok {number} - {} # SKIP {}\n", description(&not_run.what), description(&not_run.why)));
    }
    for finding in &summary.findings {
        text.push_str(&format!("# {}: {}\n", finding.kind, description(&finding.text)));
    }
    if !summary.is_whole() {
        text.push_str(&format!("Bail out! {}\n", description(&summary.sentence())));
    }
    text
}

/// A hash sign would start a directive, a line feed a new line.
fn description(text: &str) -> String {
    told::plain(text).replace('\\', "\\\\").replace('#', "\\#").replace('\n', " ")
}
