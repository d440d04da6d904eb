//! Recordings replayed by the command, with no server and no program on the machine.

use std::{fs, path::Path};

use wildcheck_tables::Tables;

use crate::cli_support::{Ran, command, finish};

fn run(oracle: &str, tables: Option<&Path>) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    let empty = tempfile::tempdir().unwrap();
    let mut command = command(dir.path(), ["run", "--seed", "1", "--oracle", oracle]);
    command.env("PATH", empty.path()).env_remove("WILDCHECK_NATS_SERVER");
    if let Some(tables) = tables {
        command.arg("--tables").arg(tables);
    }
    finish(command.spawn().unwrap(), b"", dir)
}

#[test]
fn a_recorded_release_is_asked_every_row_and_its_scope_without_a_server() {
    let ran = run("recorded:nats-server@2.10.25", None).exits(0);
    assert!(ran.stderr.contains(" 0 do not hold; 7452900 pairs certified, 0 disagreements"), "{}", ran.stderr);
    let answered = |lane: &str| {
        let rows: Vec<_> = ran.events().into_iter().filter(|event| event["event"] == "row").collect();
        let all = rows.iter().flat_map(|row| row["answers"].as_array().unwrap().clone());
        all.filter(|answer| answer["lane"] == lane && answer["verdict"] != "unsupported").count()
    };
    for lane in ["wire", "wire-pedantic", "client", "subsz"] {
        assert!(answered(lane) >= 70, "{lane}: {}", answered(lane));
    }
    let delivered = ran.events().into_iter().filter(|event| event["event"] == "row" && event["operation"] != "match");
    let told = delivered.filter(|row| row.to_string().contains("Invalid Publish Subject")).count();
    assert!(told >= 2, "a subject refused in pedantic mode keeps its words");
}

#[test]
fn every_recording_says_of_which_version_it_is_and_refers_to_one_that_stands_whole() {
    let tables = Tables::embedded().unwrap();
    let nats = tables.dialects.iter().find(|dialect| dialect.name == "nats").unwrap();
    assert!(nats.observed.len() >= 33, "{}", nats.observed.len());
    for recording in &nats.observed {
        let whole: usize =
            nats.chain(&recording.server, &recording.version).iter().map(|near| near.rows.len()).max().unwrap();
        assert!(whole > 300, "{} {}: {whole}", recording.server, recording.version);
    }
}

#[test]
fn a_recorded_scope_with_other_verdicts_is_drift_and_shows_both() {
    let dir = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../truth-tables");
    copy(&from, dir.path());
    let path = dir.path().join("nats/observed/nats-server@2.15.1.csv");
    let old = fs::read_to_string(&path).unwrap();
    let new = old.replace("7452900 pairs, 110880 matches", "7452900 pairs, 110879 matches");
    assert_ne!(old, new);
    fs::write(&path, new).unwrap();
    let ran = run("recorded:nats-server@2.15.1", Some(dir.path())).exits(3);
    let drift = ran.events().into_iter().find(|event| event["event"] == "drift").expect("a drift");
    assert!(drift["expected"].as_str().unwrap().starts_with("7452900 pairs, 110880 matches, digest "), "{drift}");
    assert!(drift["seen"].as_str().unwrap().starts_with("7452900 pairs, 110879 matches, digest "), "{drift}");
    let certificate = ran.events().into_iter().find(|event| event["event"] == "certificate").expect("a certificate");
    assert_eq!(certificate["disagreements"], 1, "{certificate}");
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        if path.is_dir() && name != "src" && name != "tests" {
            fs::create_dir_all(to.join(&name)).unwrap();
            copy(&path, &to.join(&name));
        } else if path.extension().is_some_and(|extension| extension == "csv") {
            fs::copy(&path, to.join(&name)).unwrap();
        }
    }
}
