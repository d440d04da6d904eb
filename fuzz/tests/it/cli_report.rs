//! `report` on records that a real run left. Must never need more than one run.

use std::{
    fs::{self, File},
    path::Path,
    process::Stdio,
    time::Duration,
};

use crate::cli_support::{Ran, command, run};

/// `run` without a server: the reference stands in for the one under test.
fn ran() -> Ran {
    run(["run", "--oracle", "reference", "--seed", "1"]).exits(0)
}

fn report(dir: &Path, args: &[&str]) -> (i32, String, String) {
    let output = command(dir, [&["report"], args].concat()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A copy of the record with one text for another.
fn altered(dir: &Path, from: &str, to: &str) {
    let record = fs::read_to_string(dir.join("wildcheck-out/record.jsonl")).unwrap();
    assert!(record.contains(from), "the record holds {from}");
    fs::create_dir_all(dir.join("later")).unwrap();
    fs::write(dir.join("later/record.jsonl"), record.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_recorded_run_is_told_again_word_by_word_in_every_format() {
    let ran = ran();
    let dir = ran.dir.path();
    for (format, file) in [("md", "report.md"), ("json", "report.json"), ("csv", "rows.csv"), ("junit", "junit.xml")] {
        let beside = fs::read_to_string(dir.join("wildcheck-out").join(file)).unwrap();
        for run in ["wildcheck-out", "wildcheck-out/record.jsonl"] {
            assert_eq!(
                report(dir, &[run, "--format", format]),
                (0, beside.clone(), String::new()),
                "{format} of {run}"
            );
        }
    }
    assert_eq!(report(dir, &[]), report(dir, &["wildcheck-out", "--format", "md"]), "the defaults");
    for (format, start) in [("html", "<!doctype html>"), ("sarif", "{"), ("tap", "TAP version 14\n1..")] {
        let (code, text, _) = report(dir, &["--format", format]);
        assert!(code == 0 && text.starts_with(start), "{format}: {code} {text:.80}");
    }
}

#[test]
fn what_cannot_be_told_is_a_usage_error() {
    let ran = ran();
    let dir = ran.dir.path();
    let (code, out, talk) = report(dir, &["--format", "docx"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        talk.contains("docx") && talk.contains("md, json, csv, junit, html, sarif, tap, page, badge-json, badge-svg"),
        "{talk}"
    );
    let (code, _, talk) = report(dir, &["no-such-run"]);
    assert!(code == 2 && talk.contains("no-such-run"), "{code} {talk}");
    fs::write(dir.join("letter.txt"), "dear\n").unwrap();
    let (code, _, talk) = report(dir, &["letter.txt"]);
    assert!(code == 2 && talk.contains("letter.txt") && talk.contains("line 1"), "{code} {talk}");
}

#[test]
fn a_full_disk_under_a_report_is_exit_74() {
    let ran = ran();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut command = command(ran.dir.path(), ["report"]);
    assert_eq!(command.stdout(Stdio::from(full)).status().unwrap().code(), Some(74));
}

#[test]
fn a_report_that_cannot_be_written_beside_the_record_is_exit_74() {
    let dir = tempfile::tempdir().unwrap();
    // The folder is the run's own, so a folder takes the place of a report as soon as it is there.
    let out = dir.path().join("wildcheck-out");
    let taker = std::thread::spawn(move || {
        for _ in 0..60_000 {
            if fs::create_dir(out.join("report.md")).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    let output = command(dir.path(), ["run", "--oracle", "reference"]).output().unwrap();
    taker.join().unwrap();
    assert_eq!(output.status.code(), Some(74));
    assert!(String::from_utf8_lossy(&output.stderr).contains("report.md"));
}

#[test]
fn nothing_is_said_when_nothing_changed_and_exit_3_when_a_row_holds_no_longer() {
    let ran = ran();
    let dir = ran.dir.path();
    assert_eq!(report(dir, &["--against", "wildcheck-out"]), (0, String::new(), String::new()));
    altered(dir, r#""holds":true"#, r#""holds":false"#);
    let (code, text, _) = report(dir, &["later", "--against", "wildcheck-out"]);
    assert!(code == 3 && text.starts_with("holds no longer: nats/match.csv match "), "{code} {text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    let (code, text, _) = report(dir, &["wildcheck-out", "--against", "later"]);
    assert!(code == 0 && text.starts_with("holds again: "), "{code} {text}");
    let (code, text, _) = report(dir, &["later", "--against", "wildcheck-out", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(code == 3 && value["rows"][0]["holds"] == false, "{text}");
}

#[test]
fn runs_of_two_dialects_are_not_compared() {
    let ran = ran();
    altered(ran.dir.path(), r#""dialect":"nats","seed""#, r#""dialect":"mqtt","seed""#);
    let (code, _, talk) = report(ran.dir.path(), &["later", "--against", "wildcheck-out"]);
    assert!(code == 2 && talk.contains("cannot be compared"), "{code} {talk}");
}
