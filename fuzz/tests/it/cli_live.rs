//! The command line against a real nats-server, found the way a newcomer's machine finds it: `auto`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Child,
    time::{Duration, Instant},
};

use crate::cli_support::{Ran, command, events, finish, run, run_with, signal, tables_copy};

/// The processes that `parent` started and that still run.
fn children(parent: u32) -> Vec<i32> {
    let stat = |entry: fs::DirEntry| {
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // pid (name with anything in it) state ppid …
        let (head, tail) = (stat.split_once(' ')?.0, stat.rsplit_once(") ")?.1);
        let mut fields = tail.split(' ');
        let (state, ppid) = (fields.next()?, fields.next()?);
        (ppid == parent.to_string() && state != "Z").then(|| head.parse().ok()).flatten()
    };
    fs::read_dir("/proc").unwrap().filter_map(Result::ok).filter_map(stat).collect()
}

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "waited a minute for {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[allow(unsafe_code)]
fn kill_9(pid: i32) {
    // SAFETY: kill touches no memory; the process is the server that the binary under test just started.
    assert_eq!(unsafe { libc::kill(pid, libc::SIGKILL) }, 0);
}

/// The record has got so far that questions are being asked.
fn asking(child: &mut Child, dir: &Path) -> i32 {
    wait_for("the run to ask", || {
        if let Some(status) = child.try_wait().unwrap() {
            let mut said = String::new();
            std::io::Read::read_to_string(child.stderr.as_mut().unwrap(), &mut said).unwrap();
            panic!("it ended before it asked, {status}: {said}");
        }
        let record = fs::read_to_string(dir.join("wildcheck-out/record.jsonl")).unwrap_or_default();
        record.contains(r#""event":"self-check""#).then(|| children(child.id()).first().copied()).flatten()
    })
}

fn last_event(dir: &Path) -> serde_json::Value {
    events(dir).pop().expect("an event")
}

#[test]
fn three_ways_agree_on_a_pair_and_the_naive_one_stands_apart_on_another() {
    let ran = run(["check", "a.*", "a.b"]).exits(0);
    assert!(ran.stdout.contains("all agree"), "{}", ran.stdout);
    let ran = run(["check", "a.*", "a.b.c"]).exits(0);
    assert!(ran.stdout.contains("naive stands apart"), "{}", ran.stdout);
}

#[test]
fn what_check_says_of_a_live_pair() {
    let text = run(["check", "a.*", "a.b.c"]).exits(0).stdout;
    insta::with_settings!({filters => filters()}, { insta::assert_snapshot!(text) });
    let text = run(["check", "a..b", "a..b"]).exits(0).stdout;
    insta::with_settings!({filters => filters()}, { insta::assert_snapshot!(text) });
}

fn filters() -> Vec<(&'static str, &'static str)> {
    vec![
        (r"nats-server \d+\.\d+\.\d+", "nats-server V.V.V"),
        (r"\b(reference|naive) \d+\.\d+\.\d+", "$1 V.V.V"),
        (r"wildcheck \d+\.\d+\.\d+", "wildcheck V.V.V"),
        (r"git [0-9a-f]{7,40}", "git COMMIT"),
        (r"seed \d+", "seed N"),
        (r" {2,}(match|no match|unsupported)\b *", "  $1  "),
    ]
}

#[test]
fn a_live_judge_gives_the_verdicts_of_the_reference() {
    let table = "operation,left,right\n\
                 match,a.*,a.b\nmatch,a.*,a.b.c\nmatch,>,a\nmatch,a..b,a..b\nmatch,,\nmatch,*,*\nmatch,a b,a\n\
                 match,a.\\xff,a.\\xff\nmatch,a.\\x00,a.\\x00\nmatch,a.>.c,a.b.c\n\
                 valid-pattern,a.*,\nvalid-pattern,a..b,\nvalid-pattern,a.**,\nvalid-pattern,,\nvalid-pattern,a b,\n\
                 valid-subject,a.b,\nvalid-subject,a.*,\nvalid-subject,a..b,\nvalid-subject,,\nvalid-subject,a\\x0ab,\n";
    let judged = |oracle: &str| run_with(["judge", "--oracle", oracle], table.as_bytes()).exits(0).stdout;
    assert_eq!(judged("auto"), judged("reference"));
    let ran = run_with(["judge", "--oracle", "auto"], b"operation,left,right\nsubset,a,a\noverlap,a,a\n").exits(0);
    assert!(ran.stdout.ends_with("subset,a,a,unsupported\noverlap,a,a,unsupported\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains("2 of 2 rows are unsupported"), "{}", ran.stderr);
}

#[test]
fn a_scope_is_certified_and_the_same_scope_has_the_same_digest() {
    let certificate = || {
        let ran = run(["certify", "--tokens", "a,b", "--depth", "3"]).exits(0);
        let events = ran.events();
        let found = events.iter().find(|event| event["event"] == "certificate").cloned();
        found.expect("a certificate is in the record")
    };
    let (one, two) = (certificate(), certificate());
    assert_eq!(one["disagreements"], 0);
    assert_eq!(one["digest"], two["digest"]);
    // 14 subjects; patterns over a, b, * to depth 3, and each shorter one with `>` behind it.
    assert_eq!((one["subjects"].as_u64(), one["patterns"].as_u64()), (Some(14), Some(39 + 13)));
    assert_eq!(one["pairs"].as_u64(), Some(14 * 52));
}

#[test]
fn a_disagreement_that_the_baseline_does_not_know_is_exit_1() {
    let ran = run(["check", "a.b", "a.b", "--oracle", "cmd:false {pattern} {subject}"]).exits(1);
    assert!(ran.stdout.contains("stands apart from the reference"), "{}", ran.stdout);
}

#[test]
fn every_row_holds_on_the_live_server_and_the_reports_are_written() {
    let ran = run(["run", "--seed", "1"]).exits(0);
    for file in ["record.jsonl", "report.md", "report.json", "rows.csv", "junit.xml"] {
        assert!(ran.dir.path().join("wildcheck-out").join(file).exists(), "{file}");
    }
    assert!(ran.stderr.lines().next().unwrap().starts_with("wildcheck "), "{}", ran.stderr);
    assert!(ran.stderr.contains("seed 1;"), "{}", ran.stderr);
    let last = ran.stderr.lines().last().unwrap();
    assert!(
        last.contains(
            "exit 0: all agree, or differ only where the baseline says so; record ./wildcheck-out/record.jsonl"
        ),
        "{last}"
    );
    assert_eq!(ran.events().last().unwrap()["event"], "finished");
    assert!(children(std::process::id()).is_empty() || ran.code == 0);
}

#[test]
fn a_row_that_no_longer_holds_is_exit_3() {
    let dir = tempfile::tempdir().unwrap();
    let tables = tables_copy(dir.path());
    flip(&tables.join("nats/match.csv"), "a.*,a.b,true,true,", "a.*,a.b,true,false,");
    let child = command(dir.path(), ["run", "--tables", "truth-tables"]).spawn().unwrap();
    let ran = finish(child, b"", dir).exits(3);
    assert!(ran.stdout.contains("nats/match.csv:"), "{}", ran.stdout);
}

fn flip(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{from} is in {}", file.display());
    fs::write(file, text.replacen(from, to, 1)).unwrap();
}

fn bytes_of(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push((path.clone(), fs::read(path).unwrap())) }
        }
    }
    files.sort();
    files
}

fn regen(dir: &Path, args: &[&str]) -> std::process::Output {
    let args = ["regen", "--tables", "truth-tables"].into_iter().chain(args.iter().copied());
    command(dir, args).output().unwrap()
}

#[test]
fn regen_twice_is_byte_identical_and_finds_the_columns_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let tables = tables_copy(dir.path());
    assert_eq!(regen(dir.path(), &[]).status.code(), Some(0));
    let first = bytes_of(&tables);
    assert_eq!(regen(dir.path(), &[]).status.code(), Some(0));
    assert_eq!(regen(dir.path(), &["--check"]).status.code(), Some(0));
    assert!(bytes_of(&tables) == first, "the second regen changed bytes");

    // Emptied and falsified columns come back from the live server.
    flip(&tables.join("nats/match.csv"), "a.*,a.b,true,true,", "a.*,a.b,true,,");
    flip(&tables.join("nats/match.csv"), "a.*,a.b.c,false,false,true", "a.*,a.b.c,false,true,false");
    let spoiled = bytes_of(&tables);
    let check = regen(dir.path(), &["--check"]);
    let said = String::from_utf8_lossy(&check.stdout);
    assert_eq!(check.status.code(), Some(3), "{said}");
    assert!(said.contains("\n- a.*,a.b,true,,") && said.contains("\n+ a.*,a.b,true,true,"), "{said}");
    assert!(bytes_of(&tables) == spoiled, "--check changed something");
    assert_eq!(regen(dir.path(), &[]).status.code(), Some(0));
    assert!(bytes_of(&tables) == first, "the columns did not come back");
}

#[test]
fn a_full_disk_under_regen_leaves_the_old_tables() {
    let dir = tempfile::tempdir().unwrap();
    let tables = tables_copy(dir.path());
    flip(&tables.join("nats/match.csv"), "a.*,a.b,true,true,", "a.*,a.b,true,,");
    let before = bytes_of(&tables);
    // The record has its own, smaller lines; the tables are what does not fit.
    let script = format!(
        "trap '' XFSZ; ulimit -f 8; exec {} regen --tables truth-tables --out out",
        crate::cli_support::WILDCHECK
    );
    let output = std::process::Command::new("sh").args(["-c", &script]).current_dir(dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(74), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(bytes_of(&tables) == before, "the old tables are whole");
}

#[test]
fn without_a_server_and_without_a_network_it_is_exit_5_with_a_sentence() {
    let empty = tempfile::tempdir().unwrap();
    for args in [&["check", "a", "a"][..], &["run"], &["certify"], &["fuzz"], &["minimize", "a", "a"], &["doctor"]] {
        let dir = tempfile::tempdir().unwrap();
        let mut alone = command(dir.path(), args);
        alone
            .env("PATH", empty.path())
            .env("WILDCHECK_CACHE", empty.path())
            .env("PIP_NO_INDEX", "1")
            .env("DOCKER_HOST", "unix:///nowhere.sock")
            .env_remove("WILDCHECK_NATS_SERVER");
        let ran = finish(alone.spawn().unwrap(), b"", dir).exits(5);
        assert!(ran.stderr.contains("nats-server"), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_server_killed_once_is_started_again_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = command(dir.path(), ["certify", "--tokens", "a,b,ab", "--depth", "7"]).spawn().unwrap();
    kill_9(asking(&mut child, dir.path()));
    let ran = finish(child, b"", dir).exits(0);
    assert!(ran.events().iter().any(|event| event["event"] == "finding"), "{}", ran.stderr);
}

#[test]
fn a_server_killed_again_and_again_is_exit_5_with_a_finding_and_a_whole_record() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = command(dir.path(), ["certify", "--tokens", "a,b,ab", "--depth", "8"]).spawn().unwrap();
    asking(&mut child, dir.path());
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(60) {
        children(child.id()).into_iter().for_each(kill_9);
        std::thread::sleep(Duration::from_millis(20));
    }
    let ran = finish(child, b"", dir).exits(5);
    let events = ran.events();
    assert!(events.iter().any(|event| event["event"] == "finding"), "{}", ran.stderr);
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["exit"]), (&"finished".into(), &5.into()));
}

fn interrupted(sig: i32) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    let mut child = command(dir.path(), ["fuzz", "--max-time", "5m"]).spawn().unwrap();
    let server = asking(&mut child, dir.path());
    let start = Instant::now();
    signal(&child, sig);
    let ran = finish(child, b"", dir).exits(130);
    assert!(start.elapsed() < Duration::from_secs(20), "it took {:?}", start.elapsed());
    assert!(!Path::new(&format!("/proc/{server}/exe")).exists(), "the server ended with the run");
    ran
}

#[test]
fn ctrl_c_loses_nothing_and_leaves_no_server() {
    let ran = interrupted(libc::SIGINT);
    let last = last_event(ran.dir.path());
    assert_eq!((&last["event"], &last["exit"]), (&"finished".into(), &130.into()));
    assert!(ran.dir.path().join("wildcheck-out/report.md").exists());
    assert!(ran.stderr.lines().last().unwrap().contains("exit 130: interrupted"), "{}", ran.stderr);
}

#[test]
fn a_polite_end_from_outside_is_the_same() {
    for sig in [libc::SIGTERM, libc::SIGHUP] {
        interrupted(sig);
    }
}

#[test]
fn the_previous_results_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    for seed in ["1", "2"] {
        let args = ["fuzz", "--max-grids", "1", "--seed", seed];
        assert!(command(dir.path(), args).output().unwrap().status.code().is_some());
    }
    let seed = |folder: &str| {
        let text = fs::read_to_string(dir.path().join(folder).join("record.jsonl")).unwrap();
        serde_json::from_str::<serde_json::Value>(text.lines().next().unwrap()).unwrap()["seed"].clone()
    };
    assert_eq!((seed("wildcheck-out.old"), seed("wildcheck-out")), (1.into(), 2.into()));
}

#[test]
fn the_same_seed_finds_the_same_causes() {
    let causes = || {
        let ran = run(["fuzz", "--max-grids", "3", "--seed", "7"]);
        let witnesses: Vec<_> = ran.events().into_iter().filter(|event| event["event"] == "witness").collect();
        assert!(!witnesses.is_empty(), "{}", ran.stderr);
        witnesses
    };
    assert_eq!(causes(), causes());
}

#[test]
fn minimize_ends_at_the_smallest_pair_and_names_the_cause() {
    let ran = run(["minimize", "orders.*.created", "orders.eu.fr.created", "--format", "json"]).exits(0);
    let witnesses: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let witness = &witnesses[0];
    assert_eq!((&witness["pattern"], &witness["subject"]), (&"*".into(), &"a.a".into()), "{}", ran.stdout);
    assert_eq!(witness["alone"], "naive");
    assert_ne!(witness["cause"], "WC000");
}

#[test]
fn a_search_that_finds_nothing_new_says_so_with_exit_0() {
    for seed in ["11", "12", "13"] {
        let ran = run(["fuzz", "--max-grids", "60", "--seed", seed]).exits(0);
        assert!(
            ran.events().iter().any(|event| event["event"] == "witness"),
            "the approximation is wrong: {}",
            ran.stderr
        );
        assert!(!ran.stdout.contains("NEW"), "{}", ran.stdout);
    }
}

#[test]
fn every_witness_is_a_row_that_the_table_takes() {
    let ran = run(["certify", "--tokens", "a,b,B,''", "--depth", "4", "--invalid"]).exits(0);
    let text = fs::read(ran.dir.path().join("wildcheck-out/found.csv")).unwrap();
    let parsed = wildcheck_tables::table::parse::<wildcheck_tables::row::MatchRow>("found.csv", &text);
    assert!(parsed.problems.is_empty(), "{:?}", parsed.problems.len());
    let rows: Vec<String> = parsed
        .rows
        .iter()
        .map(|row| {
            format!(
                "{} {} {} {:?} {:?} {} {}",
                row.pattern, row.subject, row.expected, row.server, row.naive, row.source, row.note
            )
        })
        .collect();
    insta::assert_snapshot!("found", rows.join("\n"));
    let pairs = ran.events().into_iter().filter(|event| event["event"] == "witness").count();
    assert_eq!(rows.len(), pairs);
}
