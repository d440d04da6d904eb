//! Runs every libFuzzer target for a budget each and prints one table; what `make fuzz-targets` calls.
//!
//! Owns the server that the live targets ask, since a libFuzzer process ends without dropping anything. Must never stop
//! at the first target that fails.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

/// Every target, and whether it asks a live server.
const TARGETS: [(&str, bool); 6] = [
    ("matcher_spec", false),
    ("matcher_naive", false),
    ("wire_codec", false),
    ("table_parser", false),
    ("live_grid", true),
    ("live_pair", true),
];

/// What one target did.
struct Outcome {
    name: String,
    /// Inputs executed a second, as libFuzzer counts.
    per_second: u64,
    /// Inputs executed.
    executed: u64,
    /// Files in the corpus afterwards.
    corpus: usize,
    /// Verdicts asked of the live server, where the target says so.
    verdicts: Option<u64>,
    /// Why it failed; `None` when it did not.
    failure: Option<String>,
}

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let seconds: u64 = match arguments.next().as_deref().map(str::parse) {
        Some(Ok(seconds)) => seconds,
        _ => {
            eprintln!("usage: fuzz-targets SECONDS [TARGET...]");
            return ExitCode::from(2);
        }
    };
    let only: Vec<String> = arguments.collect();
    if let Some(unknown) =
        only.iter().find(|name| *name != "empty" && !TARGETS.iter().any(|(target, _)| target == name))
    {
        let names: Vec<&str> = TARGETS.iter().map(|(target, _)| *target).collect();
        eprintln!("fuzz-targets: no target `{unknown}`; there are {} and empty", names.join(", "));
        return ExitCode::from(2);
    }
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR"));
    let server = match wildcheck::target::OwnServer::start() {
        Ok(server) => server,
        Err(error) => {
            eprintln!("fuzz-targets: {error}");
            return ExitCode::from(5);
        }
    };
    let chosen = TARGETS
        .iter()
        .map(|(name, _)| *name)
        .chain(["empty"])
        .filter(|name| if only.is_empty() { *name != "empty" } else { only.iter().any(|o| o == name) });
    let outcomes: Vec<Outcome> = chosen.map(|name| run(fuzz, name, seconds, server.address())).collect();
    println!("{:<15} {:>10} {:>10} {:>8} {:>14}  result", "target", "executions", "a second", "corpus", "verdicts/s");
    for outcome in &outcomes {
        let verdicts = outcome.verdicts.map_or_else(|| "-".to_owned(), |v| (v / seconds.max(1)).to_string());
        println!(
            "{:<15} {:>10} {:>10} {:>8} {:>14}  {}",
            outcome.name,
            outcome.executed,
            outcome.per_second,
            outcome.corpus,
            verdicts,
            outcome.failure.as_deref().unwrap_or("ok")
        );
    }
    let failed = outcomes.iter().filter(|o| o.failure.is_some()).count();
    println!("{} of {} targets passed, {seconds} s each", outcomes.len() - failed, outcomes.len());
    ExitCode::from(u8::from(failed > 0))
}

/// Builds and runs one target. The corpus lies in `fuzz/corpus/NAME`, a crashing input in `fuzz/artifacts/NAME`.
fn run(fuzz: &Path, name: &str, seconds: u64, address: &str) -> Outcome {
    let mut outcome =
        Outcome { name: name.to_owned(), per_second: 0, executed: 0, corpus: 0, verdicts: None, failure: None };
    // No sanitizer: the crates forbid unsafe code, and so it builds on stable.
    let flags = ["-s", "none", "--no-default-features", "--features", "targets"];
    let build = Command::new("cargo").arg("fuzz").arg("build").args(flags).arg(name).current_dir(fuzz).output();
    match build {
        Ok(output) if output.status.success() => {}
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let how = if said.contains("no such command") { "; cargo install cargo-fuzz --locked" } else { "" };
            eprintln!("{said}");
            outcome.failure = Some(format!("does not build{how}"));
            return outcome;
        }
        Err(error) => {
            outcome.failure = Some(format!("cargo cannot be run: {error}"));
            return outcome;
        }
    }
    let corpus = fuzz.join("corpus").join(name);
    let harvest = fuzz.join("artifacts").join(name);
    for folder in [&corpus, &harvest] {
        if let Err(error) = std::fs::create_dir_all(folder) {
            outcome.failure = Some(format!("{}: {error}", folder.display()));
            return outcome;
        }
    }
    eprintln!("{name}: {seconds} s");
    let output = Command::new("cargo")
        .args(["fuzz", "run"])
        .args(flags)
        .arg(name)
        .arg(&corpus)
        .arg("--")
        .args([
            format!("-max_total_time={seconds}"),
            "-print_final_stats=1".to_owned(),
            "-rss_limit_mb=4096".to_owned(),
        ])
        .env("WILDCHECK_FUZZ_SERVER", address)
        .current_dir(fuzz)
        .stdin(Stdio::null())
        .output();
    match output {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            outcome.executed = last_number(&said, "stat::number_of_executed_units:").unwrap_or(0);
            outcome.per_second = last_number(&said, "stat::average_exec_per_sec:").unwrap_or(0);
            outcome.verdicts = last_number(&said, "wildcheck::verdicts:");
            outcome.corpus = count(&corpus);
            for line in said.lines().filter(|line| line.starts_with("wildcheck: ")) {
                println!("{name}: {}", &line["wildcheck: ".len()..]);
            }
            if !output.status.success() {
                let tail: Vec<&str> = said.lines().rev().take(40).collect();
                eprintln!("{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
                outcome.failure = Some(format!("failed; the input is in {}", shown(&harvest)));
            } else if outcome.executed == 0 {
                outcome.failure = Some("executed nothing".to_owned());
            }
        }
        Err(error) => outcome.failure = Some(format!("cannot be run: {error}")),
    }
    outcome
}

/// The number after the last `key` in what libFuzzer printed.
fn last_number(said: &str, key: &str) -> Option<u64> {
    said.lines().rev().find_map(|line| line.trim().strip_prefix(key)?.trim().parse().ok())
}

fn count(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, |entries| entries.flatten().count())
}

fn shown(folder: &Path) -> String {
    let here: PathBuf = env::current_dir().unwrap_or_default();
    folder.strip_prefix(here).unwrap_or(folder).display().to_string()
}
