//! SARIF 2.1.0: a rule a cause, a result a disagreement, drift or row that does not hold. Must never report
//! above the level `note` what is known, or of a pile that `--fail-on` leaves out.

use serde_json::{Value, json};

use super::{failed, told};
use crate::{ReportError, Summary};

pub(super) fn render(summary: &Summary) -> Result<String, ReportError> {
    let mut rules: Vec<Value> = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    let mut rule = |id: &str, name: &str, text: &str| {
        if !rules.iter().any(|rule| rule["id"] == id) {
            rules.push(json!({ "id": id, "name": name, "shortDescription": { "text": text } }));
        }
    };
    for witness in &summary.witnesses {
        rule(&witness.cause, &witness.name, &witness.statement);
        let text = format!(
            "{} {} on pattern {} subject {} ({} times); clause {}",
            told::who(witness),
            told::direction(witness),
            told::short(&witness.pattern),
            told::short(&witness.subject),
            witness.count,
            witness.clause
        );
        let level = if summary.fails(witness) { "error" } else { "note" };
        results.push(result(&witness.cause, level, &text, "baseline.csv", None));
    }
    for (referee, pair) in summary.contradicted() {
        rule("referee", "reference-alone", "A referee says what the program says, and not what the reference says.");
        results.push(result("referee", "error", &told::contradicted(referee, pair), "baseline.csv", None));
    }
    for row in summary.broken() {
        rule("row", "row-does-not-hold", "A row of a truth table does not hold.");
        let text =
            format!("{} is expected to be {}; seen: {}", told::question(row), row.expected, told::seen(&row.answers));
        let level = if summary.row_fails(row) { "error" } else { "note" };
        results.push(result("row", level, &text, &row.table, Some(row.line)));
    }
    for drift in &summary.drift {
        rule("drift", "drift", "Something expected no longer holds.");
        let (file, line) = match drift.place.rsplit_once(':') {
            Some((file, line)) if line.parse::<u64>().is_ok() => (file, line.parse().ok()),
            _ => (drift.place.as_str(), None),
        };
        // Not every place is a file.
        let (file, line) = if file.ends_with(".csv") { (file, line) } else { ("baseline.csv", None) };
        let text = format!("{}: expected {}, seen {}", drift.place, drift.expected, drift.seen);
        results.push(result("drift", "error", &text, file, line));
    }
    let mut invocation = json!({
        "executionSuccessful": summary.is_whole() && summary.self_checks.iter().all(|check| check.caught),
        "exitCodeDescription": summary.sentence(),
        "toolExecutionNotifications": notifications(summary),
    });
    // The format knows no `null` here: a run that was cut off has no exit code.
    if let Some(exit) = summary.exit {
        invocation["exitCode"] = exit.into();
    }
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "wildcheck", "version": summary.wildcheck, "rules": rules } },
            "invocations": [invocation],
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&sarif).map_err(failed)
}

/// What happened on the way, and what was not run.
fn notifications(summary: &Summary) -> Vec<Value> {
    let note = |level: &str, text: String| json!({ "level": level, "message": { "text": told::plain(&text) } });
    let lost = summary.self_checks.iter().filter(|check| !check.caught);
    let lost = lost.map(|check| note("error", format!("the planted {} {} was not found", check.cause, check.name)));
    let findings =
        summary.findings.iter().map(|finding| note("warning", format!("{}: {}", finding.kind, finding.text)));
    let not_run = summary.not_run.iter().map(|entry| note("note", format!("not run: {}: {}", entry.what, entry.why)));
    lost.chain(findings).chain(not_run).collect()
}

fn result(rule: &str, level: &str, text: &str, table: &str, line: Option<u64>) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": format!("truth-tables/{table}") } });
    if let Some(line) = line {
        place["region"] = json!({ "startLine": line });
    }
    json!({
        "ruleId": rule,
        "level": level,
        "message": { "text": told::plain(text) },
        "locations": [{ "physicalLocation": place }],
    })
}
