//! The libFuzzer targets from outside: which there are, how what libFuzzer prints is read, how a live one replays.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use arbitrary::Unstructured;
use rand::{RngCore, SeedableRng, rngs::StdRng};
use wildcheck::{
    generate::grid_from_bytes,
    target::{
        EMPTY, TARGETS, live,
        outcome::{Outcome, grid_over_pair, report},
    },
};
use wildcheck_matcher::nats::Nats;
use wildcheck_oracle::chaos::Misroute;

fn known() -> BTreeSet<String> {
    TARGETS.iter().chain([&EMPTY]).map(|target| target.name.to_owned()).collect()
}

#[test]
fn every_target_has_a_file_a_binary_behind_the_feature_and_a_place_in_the_runner() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files: BTreeSet<String> = fs::read_dir(fuzz.join("fuzz_targets"))
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path())
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).expect("the manifest is there");
    let binaries: BTreeSet<String> = manifest
        .split("[[bin]]")
        .filter(|bin| bin.contains("path = \"fuzz_targets/") && bin.contains("required-features = [\"targets\"]"))
        .map(|bin| bin.split('"').nth(1).expect("the name comes first").to_owned())
        .collect();
    assert_eq!(files, known(), "files, and what the runner knows");
    assert_eq!(binaries, known(), "binaries, and what the runner knows");
}

#[test]
fn every_file_names_its_own_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_targets");
    for name in known() {
        let text = fs::read_to_string(folder.join(format!("{name}.rs"))).expect("the file is there");
        assert!(text.contains(&format!("wildcheck::target!(\"{name}\", ")), "{name}");
    }
}

/// As libFuzzer prints.
const DONE: &str = "\
#8192\tREDUCE cov: 311 ft: 900 corp: 80/1Kb lim: 4096 exec/s: 4096 rss: 50Mb
wildcheck: WC002 star crosses tokens by pattern a.* subject a.b.c
wildcheck::verdicts-a-second: 1200
wildcheck::verdicts-a-second: 250000
stat::number_of_executed_units: 45000
stat::average_exec_per_sec:     4500
";

const CRASHED: &str = "\
thread '<unnamed>' (77) panicked at fuzz/src/target/live.rs:93:5:
nats-server@2.9.10 disagrees with the reference: [WC001]
note: run with `RUST_BACKTRACE=1`
==77== ERROR: libFuzzer: deadly signal
artifact_prefix='fuzz/artifacts/live_pair/'; Test unit written to fuzz/artifacts/live_pair/crash-0a
stat::number_of_executed_units: 12
stat::average_exec_per_sec:     0
";

#[test]
fn the_last_numbers_that_libfuzzer_prints_count() {
    let read = Outcome::read("live_grid", DONE, None);
    assert_eq!((read.executed, read.per_second, read.verdicts), (45_000, 4_500, Some(250_000)));
    assert_eq!(read.told, ["WC002 star crosses tokens by pattern a.* subject a.b.c"]);
    assert_eq!(read.failure, None);
}

#[test]
fn a_target_that_executed_nothing_failed() {
    assert_eq!(Outcome::read("wire_codec", "", None).failure.as_deref(), Some("executed nothing"));
}

#[test]
fn a_failure_without_a_message_is_told_by_how_the_process_ended() {
    let read = Outcome::read("wire_codec", "", Some("exit status: 70".to_owned()));
    assert_eq!((read.failure.as_deref(), read.artifact), (Some("exit status: 70"), None));
}

#[test]
fn the_report_names_the_input_of_a_failure_and_how_to_replay_it() {
    let grid = Outcome { corpus: 80, ..Outcome::read("live_grid", DONE, None) };
    let pair = Outcome::read("live_pair", CRASHED, Some("exit status: 77".to_owned()));
    let missing = Outcome::failed("wire_codec", "cargo fuzz build: no space left");
    insta::assert_snapshot!(report(&[grid, pair, missing], 10, "the command"));
}

#[test]
fn the_ratio_needs_both_live_targets() {
    let with = |name: &str, verdicts| Outcome { name: name.to_owned(), verdicts, ..Outcome::default() };
    let grid = with("live_grid", Some(400_000));
    assert_eq!(grid_over_pair(&[grid.clone(), with("live_pair", Some(10_000))]), Some(40.0));
    assert_eq!(grid_over_pair(&[grid.clone(), with("live_pair", None)]), None);
    assert_eq!(grid_over_pair(&[grid]), None);
}

/// What `live_grid` does with an input, on so many inputs drawn from one seed.
#[test]
fn the_live_target_agrees_with_an_honest_server_on_three_hundred_inputs() {
    let mut random = StdRng::seed_from_u64(1);
    let mut input = [0; 2048];
    for _ in 0..300 {
        random.fill_bytes(&mut input);
        live::ask(&grid_from_bytes(&Nats, &mut Unstructured::new(&input), 64));
    }
}

#[test]
fn the_live_target_stops_at_a_server_that_misroutes_one_message_in_ten_thousand() {
    let server = crate::cli_proxy::server();
    let proxy = Misroute::start(server.addr(), 10_000).unwrap();
    // The same inputs in a process of its own, since the target knows one server a process.
    let same = "targets::the_live_target_agrees_with_an_honest_server_on_three_hundred_inputs";
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", same, "--nocapture"]).env(live::SERVER, proxy.addr().to_string());
    let ran = child.output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(proxy.misrouted() > 0, "it asked too little to meet one message in ten thousand");
    assert!(!ran.status.success() && said.contains("disagrees with the reference"), "{said}");
}
