//! A published library, audited from pip alone. Must never be skipped: where pip cannot install, the test fails.

use std::{path::Path, process::Command};

use crate::cli_support::WILDCHECK;

#[test]
fn kombus_topic_exchange_is_told_by_its_smallest_wrong_pairs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let made = Command::new("make").args(["--silent", "wild-venv"]).current_dir(root).status().expect("make runs");
    assert!(made.success(), "the published libraries cannot be installed: make wild-venv");
    let dir = tempfile::tempdir().expect("a folder");
    let (out, report) = (dir.path().join("wild"), dir.path().join("wild.md"));
    let told = Command::new(root.join("target/wild-venv/bin/python"))
        .arg(root.join("oracle/adapters/wild/matrix.py"))
        .args([Path::new(WILDCHECK), &out, &report, Path::new("kombu_topic")])
        .output()
        .expect("python runs");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let report = std::fs::read_to_string(report).expect("a report");
    let line = |cause: &str| {
        report.lines().find(|line| line.contains(cause)).unwrap_or_else(|| panic!("no {cause} in\n{report}")).to_owned()
    };
    assert!(line("many-needs-one").contains("| too little | `a.#` and `a` |"), "{report}");
    assert!(line("star-refuses-empty").contains("| too little | `*.a` and `.a` |"), "{report}");
    assert!(line("time-explodes").contains("not told"), "{report}");
}
