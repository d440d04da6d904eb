//! Every exit code that needs no server, and the words that come with it. Those that need one are in `cli_live`.

use std::{fs::File, path::Path, process::Command};

use crate::cli_support::{WILDCHECK, command, finish, run, tables_copy};

#[test]
fn agreement_is_exit_0() {
    let ran = run(["check", "a.*", "a.b", "--oracle", "reference"]).exits(0);
    assert!(ran.stdout.contains("all agree"), "{}", ran.stdout);
}

#[test]
fn help_and_version_are_data_and_exit_0() {
    for flag in ["--help", "--version"] {
        let ran = run([flag]).exits(0);
        assert!(ran.stdout.contains("wildcheck") && ran.stderr.is_empty());
    }
    assert!(run(["--help"]).stdout.contains("130  interrupted"), "the help tells the exit codes");
}

#[test]
fn every_command_of_the_help_has_a_help_of_its_own() {
    let help = run(["--help"]).stdout;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 8, "{commands:?}");
    for name in commands {
        assert!(run([name, "--help"]).exits(0).stdout.contains("Usage: wildcheck"), "{name}");
    }
}

#[test]
fn what_is_typed_wrong_is_exit_2() {
    for args in [
        &["frobnicate"][..],
        &[],
        &["check", "a"],
        &["check", "a\\y", "a"],
        &["check", "a", "a", "--oracle", "oracle-of-delphi"],
        &["check", "a", "a", "--oracle", "reference", "--dialect", "klingon"],
        &["explain", "WC999"],
        &["certify", "--oracle", "reference", "--tokens", "a..b"],
        &["certify", "--oracle", "reference", "--tokens", "a,*"],
        &["certify", "--oracle", "reference", "--depth", "0"],
        &["fuzz", "--max-time", "soon"],
        &["regen", "--oracle", "reference"],
        &["lint", "--tables", "no/such/folder"],
    ] {
        let ran = run(args).exits(2);
        assert!(!ran.stderr.is_empty() && ran.stdout.is_empty(), "{args:?}: {}", ran.stdout);
    }
}

#[test]
fn nothing_to_minimise_is_exit_4() {
    let ran = run(["minimize", "a.*", "a.b", "--oracle", "reference"]).exits(4);
    assert!(ran.stderr.contains("nobody disagrees"), "{}", ran.stderr);
}

#[test]
fn a_broken_row_is_exit_6_with_file_line_column_and_what_was_expected() {
    let dir = tempfile::tempdir().unwrap();
    let tables = tables_copy(dir.path());
    let file = tables.join("nats/match.csv");
    let text = std::fs::read_to_string(&file).unwrap();
    let broken = text.replacen(",true,true,", ",perhaps,true,", 1);
    assert_ne!(text, broken, "the table has a row to break");
    let line = 1 + broken.lines().position(|line| line.contains(",perhaps,")).unwrap();
    std::fs::write(&file, broken).unwrap();
    let tables = tables.to_str().unwrap().to_owned();
    for args in [&["lint"][..], &["run", "--oracle", "reference"], &["regen"], &["certify", "--oracle", "reference"]] {
        let ran = run(args.iter().copied().chain(["--tables", &tables])).exits(6);
        let words = format!("nats/match.csv:{line}: column expected: ");
        assert!(ran.stderr.contains(&words), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("true or false"), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn the_tables_in_the_binary_pass_lint() {
    run(["lint"]).exits(0);
}

#[test]
fn a_full_disk_under_stdout_is_exit_74_whatever_the_command() {
    for args in [
        &["--help"][..],
        &["--version"],
        &["man"],
        &["completions", "bash"],
        &["explain", "a", "b"],
        &["check", "a", "a", "--oracle", "reference"],
        &["lint"],
    ] {
        let dir = tempfile::tempdir().unwrap();
        let full = File::options().write(true).open("/dev/full").unwrap();
        let child = command(dir.path(), args).stdout(full).spawn().unwrap();
        finish(child, b"", dir).exits(74);
    }
}

/// Runs with files limited to `blocks` of 512 bytes; beyond that a write fails as on a full disk.
fn with_small_files(dir: &Path, blocks: u32, args: &str) -> std::process::Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {WILDCHECK} {args}");
    Command::new("sh").args(["-c", &script]).current_dir(dir).output().unwrap()
}

#[test]
fn a_record_that_cannot_be_written_is_exit_74() {
    let dir = tempfile::tempdir().unwrap();
    for blocks in [0, 1] {
        let output = with_small_files(dir.path(), blocks, "run --oracle reference");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(74), "{blocks} blocks: {stderr}");
        assert!(stderr.contains("cannot write"), "{stderr}");
    }
}

#[test]
fn a_folder_of_somebody_else_is_never_moved_away() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("thesis")).unwrap();
    std::fs::write(dir.path().join("thesis/chapter.txt"), "one").unwrap();
    let child = command(dir.path(), ["run", "--oracle", "reference", "--out", "thesis"]).spawn().unwrap();
    let ran = finish(child, b"", dir).exits(74);
    assert!(ran.stderr.contains("choose another --out"), "{}", ran.stderr);
    assert!(ran.dir.path().join("thesis/chapter.txt").exists());
}

#[test]
fn completions_and_the_manual_know_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let script = run(["completions", shell]).exits(0).stdout;
        assert!(script.contains("certify") && script.contains("judge"), "{shell}");
    }
    assert!(run(["man"]).exits(0).stdout.contains("wildcheck"));
    run(["completions", "klingon"]).exits(2);
}

#[test]
fn colours_come_only_when_asked_for() {
    let plain = run(["check", "a.>", "a", "--oracle", "reference"]).stdout;
    assert!(!plain.contains('\x1b'));
    let painted = run(["check", "a.>", "a", "--oracle", "reference", "--color", "always"]).stdout;
    assert!(painted.contains('\x1b'));
    let dir = tempfile::tempdir().unwrap();
    let child = command(dir.path(), ["check", "a.>", "a", "--oracle", "reference"]).env("NO_COLOR", "1").spawn();
    assert!(!finish(child.unwrap(), b"", dir).stdout.contains('\x1b'));
}

#[test]
fn quiet_leaves_only_data_and_errors() {
    let ran = run(["run", "--oracle", "reference", "--quiet"]);
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_dialect_without_a_broker_is_exit_4_with_a_sentence() {
    for dialect in ["rabbitmq-2.2", "solace", "flat"] {
        for args in [&["run"][..], &["certify", "--tokens", "a", "--depth", "1"], &["check", "a", "a"]] {
            let ran = run([&["--dialect", dialect], args].concat()).exits(4);
            assert!(ran.stderr.contains(&format!("no broker of the dialect {dialect}")), "{}", ran.stderr);
        }
    }
}
