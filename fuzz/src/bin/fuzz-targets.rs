//! Runs every libFuzzer target for a budget each and prints one table; what `make fuzz-targets` calls.
//!
//! Owns the server that the live targets ask, since a libFuzzer process ends without dropping anything. Must never stop
//! at the first target that fails.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use clap::Parser;

/// Every target but the empty one, which the others are measured against.
const TARGETS: [&str; 6] = ["matcher_spec", "matcher_naive", "wire_codec", "table_parser", "live_grid", "live_pair"];

/// What one target did.
struct Outcome {
    name: String,
    /// Inputs executed a second, as libFuzzer counts.
    per_second: u64,
    /// Inputs executed.
    executed: u64,
    /// Files in the corpus afterwards.
    corpus: usize,
    /// Verdicts a second of the live server, where the target says so.
    verdicts: Option<u64>,
    /// Why it failed; `None` when it did not.
    failure: Option<String>,
}

/// Runs libFuzzer targets for a budget each.
#[derive(clap::Parser)]
struct Args {
    /// Seconds for each target
    seconds: u64,
    /// Which; all but `empty` when none is named
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Write the table and the ratios to this file as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let known = |name: &str| name == "empty" || TARGETS.contains(&name);
    if let Some(unknown) = args.targets.iter().find(|name| !known(name)) {
        eprintln!("fuzz-targets: no target `{unknown}`; there are {} and empty", TARGETS.join(", "));
        return ExitCode::from(2);
    }
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR"));
    let server = match wildcheck::target::live::OwnServer::start() {
        Ok(server) => server,
        Err(error) => {
            eprintln!("fuzz-targets: {error}");
            return ExitCode::from(5);
        }
    };
    let chosen: Vec<&str> = match &args.targets[..] {
        [] => TARGETS.to_vec(),
        some => some.iter().map(String::as_str).collect(),
    };
    let outcomes: Vec<Outcome> =
        chosen.into_iter().map(|name| run(fuzz, name, args.seconds, &server.address())).collect();
    let report = report(&outcomes, args.seconds);
    print!("{report}");
    if let Some(out) = &args.out
        && let Err(error) = std::fs::write(out, &report)
    {
        eprintln!("{}: {error}", out.display());
        return ExitCode::from(74);
    }
    ExitCode::from(u8::from(outcomes.iter().any(|outcome| outcome.failure.is_some())))
}

/// The table, and the ratios of the targets that are there.
fn report(outcomes: &[Outcome], seconds: u64) -> String {
    let mut text =
        format!("# libFuzzer targets\n\n{seconds} seconds each, one after another, without a sanitizer.\n\n");
    text.push_str(
        "| target | executions | executions/s | corpus | live verdicts/s | result |\n|---|---:|---:|---:|---:|---|\n",
    );
    for outcome in outcomes {
        let verdicts = outcome.verdicts.map_or_else(|| "-".to_owned(), |v| v.to_string());
        let result = outcome.failure.as_deref().unwrap_or("ok");
        let Outcome { name, executed, per_second, corpus, .. } = outcome;
        text.push_str(&format!("| {name} | {executed} | {per_second} | {corpus} | {verdicts} | {result} |\n"));
    }
    let of = |name: &str| outcomes.iter().find(|outcome| outcome.name == name);
    let share = |of: u64, to: u64| of as f64 / to.max(1) as f64;
    if let (Some(spec), Some(empty)) = (of("matcher_spec"), of("empty")) {
        let ratio = share(empty.per_second, spec.per_second);
        text.push_str(&format!("\nAn empty target executes {ratio:.1} times as many inputs as matcher_spec.\n"));
    }
    if let (Some(grid), Some(pair)) = (of("live_grid"), of("live_pair")) {
        let ratio = share(grid.verdicts.unwrap_or(0), pair.verdicts.unwrap_or(0));
        text.push_str(&format!("\nlive_grid gets {ratio:.0} times the verdicts of live_pair.\n"));
    }
    text
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
            // Long inputs from the start: a grid is as large as its input.
            "-len_control=0".to_owned(),
        ])
        .env(wildcheck::target::live::SERVER, address)
        .current_dir(fuzz)
        .stdin(Stdio::null())
        .output();
    match output {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            outcome.executed = last_number(&said, "stat::number_of_executed_units:").unwrap_or(0);
            outcome.per_second = last_number(&said, "stat::average_exec_per_sec:").unwrap_or(0);
            outcome.verdicts = last_number(&said, "wildcheck::verdicts-a-second:");
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
