//! Which crate may know which, read from `cargo metadata`. A change that wants another edge has a type in the wrong crate.

use std::{collections::BTreeSet, process::Command};

/// Every allowed edge, `(from, to)`.
const ALLOWED: [(&str, &str); 8] = [
    ("wildcheck-tables", "wildcheck-matcher"),
    ("wildcheck-reports", "wildcheck-tables"),
    ("wildcheck-oracle", "wildcheck-matcher"),
    ("wildcheck-oracle", "wildcheck-tables"),
    ("wildcheck", "wildcheck-matcher"),
    ("wildcheck", "wildcheck-tables"),
    ("wildcheck", "wildcheck-reports"),
    ("wildcheck", "wildcheck-oracle"),
];

/// The edges between workspace members, of every kind (normal, dev, build).
fn edges() -> (BTreeSet<(String, String)>, serde_json::Value) {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let members: BTreeSet<&str> = packages.iter().map(|p| p["name"].as_str().expect("name")).collect();
    let mut edges = BTreeSet::new();
    for package in packages {
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let to = dependency["name"].as_str().expect("name");
            if members.contains(to) {
                edges.insert((package["name"].as_str().expect("name").to_owned(), to.to_owned()));
            }
        }
    }
    (edges, metadata)
}

#[test]
fn the_crates_know_each_other_only_along_the_arrows() {
    let (edges, _) = edges();
    let allowed: BTreeSet<(String, String)> =
        ALLOWED.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
    assert_eq!(edges, allowed, "the left side is what cargo sees, the right side what the design allows");
}

#[test]
fn the_matcher_depends_on_nothing() {
    let (_, metadata) = edges();
    let packages = metadata["packages"].as_array().expect("packages");
    let matcher = packages.iter().find(|p| p["name"] == "wildcheck-matcher").expect("the matcher is a member");
    let normal: Vec<&str> = matcher["dependencies"]
        .as_array()
        .expect("dependencies")
        .iter()
        .filter(|d| d["kind"].is_null() && d["optional"] == false)
        .map(|d| d["name"].as_str().expect("name"))
        .collect();
    assert!(normal.is_empty(), "{normal:?}");
}

#[test]
fn only_the_oracle_crate_has_sockets_async_code_and_containers() {
    let (_, metadata) = edges();
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("name");
        if name == "wildcheck-oracle" {
            continue;
        }
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let to = dependency["name"].as_str().expect("name");
            let bench_or_test = dependency["kind"] == "dev";
            let outside = ["tokio", "async-nats", "testcontainers", "futures-util", "lapin", "rumqttc", "redis"];
            assert!(bench_or_test || !outside.contains(&to), "{name} depends on {to}");
        }
    }
}
