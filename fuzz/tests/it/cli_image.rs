//! The image lane on the command line. Where no container engine answers these tests say so by name.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use crate::{
    built::{Built, said},
    cli_support::{command, events, finish, run, signal},
};

#[test]
fn every_row_holds_on_a_server_in_a_container() {
    let Some(built) = Built::here("rows") else { return };
    let ran = run(["run", "--seed", "1", "--oracle", &built.address()]).exits(0);
    let certificate = ran.events().into_iter().find(|event| event["event"] == "certificate").unwrap();
    assert_eq!(certificate["disagreements"], 0, "{certificate}");
    assert!(ran.stderr.contains("not run: the lane subsz of image:"), "{}", ran.stderr);
    assert_eq!(built.containers(), [""; 0]);
}

/// Waits until the run in that folder asks; the container that it asks.
fn asked(built: &Built, dir: &Path) -> String {
    let start = Instant::now();
    let record = dir.join("wildcheck-out/record.jsonl");
    while !std::fs::read_to_string(&record).unwrap_or_default().contains(r#""event":"self-check""#) {
        assert!(start.elapsed() < Duration::from_secs(60), "waited a minute for the run to ask");
        std::thread::sleep(Duration::from_millis(20));
    }
    let [container] = &built.containers()[..] else { panic!("one container") };
    container.clone()
}

#[test]
fn ctrl_c_loses_nothing_and_leaves_no_container() {
    let Some(built) = Built::here("interrupted") else { return };
    let dir = tempfile::tempdir().unwrap();
    let args = ["fuzz", "--max-time", "5m", "--oracle", &built.address()];
    let child = command(dir.path(), args).spawn().unwrap();
    asked(&built, dir.path());
    signal(&child, libc::SIGINT);
    let ran = finish(child, b"", dir).exits(130);
    let last = events(ran.dir.path()).pop().unwrap();
    assert_eq!((&last["event"], &last["exit"]), (&"finished".into(), &130.into()));
    assert_eq!(built.containers(), [""; 0]);
}

#[test]
fn a_container_that_is_killed_is_started_again_once_and_told() {
    let Some(built) = Built::here("killed") else { return };
    let dir = tempfile::tempdir().unwrap();
    let args = ["certify", "--tokens", "a,b,ab", "--depth", "8", "--oracle", &built.address()];
    let child = command(dir.path(), args).spawn().unwrap();
    said(&["kill", &asked(&built, dir.path())]);
    let ran = finish(child, b"", dir).exits(0);
    assert!(ran.events().iter().any(|event| event["event"] == "finding"), "{}", ran.stderr);
    assert_eq!(built.containers(), [""; 0]);
}

#[test]
fn without_an_engine_the_image_lane_is_not_run_by_name_and_exit_5_where_it_is_required() {
    for (required, code) in [("", 0), ("image", 5)] {
        for args in [&["run", "--seed", "1"][..], &["doctor"]] {
            let dir = tempfile::tempdir().unwrap();
            let mut alone = command(dir.path(), args);
            alone.env("DOCKER_HOST", "unix:///nowhere.sock").env("WILDCHECK_REQUIRE", required);
            let ran = finish(alone.spawn().unwrap(), b"", dir).exits(code);
            if args[0] == "run" {
                let not_run = ran.events().into_iter().find(|event| event["event"] == "not-run").unwrap();
                assert_eq!(not_run["what"], "image lane");
                assert!(ran.stderr.contains("not run: image lane: "), "{}", ran.stderr);
            } else {
                assert!(ran.stdout.contains("container engine"), "{}", ran.stdout);
            }
        }
    }
}
