//! Runs libFuzzer targets for a budget each and prints one table; what `make fuzz-targets` calls.
//!
//! Owns the server that the live targets ask, since a libFuzzer process ends without dropping anything. Must never stop
//! at the first target that fails, and never leave a target behind.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use clap::Parser;
use wildcheck::target::{
    EMPTY, TARGETS, Target,
    live::{OwnServer, SERVER},
    outcome::{Outcome, grid_over_pair, report},
};
use wildcheck_oracle::server::child;

/// `live_grid` must get so many times the verdicts of `live_pair`.
const TIMES: f64 = 20.0;

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
    /// Fail when live_grid gets less than 20 times the verdicts of live_pair
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut chosen: Vec<Target> = Vec::new();
    for name in &args.targets {
        match TARGETS.iter().chain([&EMPTY]).find(|target| target.name == name) {
            Some(target) => chosen.push(*target),
            None => {
                let names: Vec<&str> = TARGETS.iter().chain([&EMPTY]).map(|target| target.name).collect();
                eprintln!("fuzz-targets: no target `{name}`; there are {}", names.join(", "));
                return ExitCode::from(2);
            }
        }
    }
    if chosen.is_empty() {
        chosen.extend(TARGETS);
    }
    let place = match Place::find() {
        Ok(place) => place,
        Err(error) => {
            eprintln!("fuzz-targets: {error}");
            return ExitCode::from(2);
        }
    };
    let outcomes: Vec<Outcome> = chosen.iter().map(|target| place.run(target, args.seconds)).collect();
    for outcome in &outcomes {
        for told in &outcome.told {
            eprintln!("{}: {told}", outcome.name);
        }
    }
    let named: String = args.targets.iter().map(|name| format!(" {name}")).collect();
    let command = format!("cargo run --features targets --bin fuzz-targets -- {}{named}", args.seconds);
    let report = report(&outcomes, args.seconds, &command);
    print!("{report}");
    if let Some(out) = &args.out
        && let Err(error) = fs::write(out, &report)
    {
        eprintln!("{}: {error}", out.display());
        return ExitCode::from(74);
    }
    let failed = outcomes.iter().any(|outcome| outcome.failure.is_some());
    let slow = args.check && grid_over_pair(&outcomes).is_none_or(|ratio| ratio < TIMES);
    if slow {
        eprintln!("fuzz-targets: live_grid must get {TIMES} times the verdicts of live_pair");
    }
    ExitCode::from(u8::from(failed || slow))
}

/// Where targets are built and their inputs kept.
struct Place {
    /// The workspace's folder, from which shown paths start.
    root: PathBuf,
    /// The crate's folder in it: the corpus lies in its `corpus/NAME`, a crashing input in `artifacts/NAME`.
    fuzz: PathBuf,
    /// Where Cargo builds.
    built: PathBuf,
    /// The host's triple.
    triple: String,
}

impl Place {
    fn find() -> Result<Place, String> {
        let fuzz = Path::new(env!("CARGO_MANIFEST_DIR"));
        let metadata = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
        let metadata: serde_json::Value = serde_json::from_str(&said("cargo", &metadata, fuzz)?)
            .map_err(|error| format!("cargo metadata: {error}"))?;
        let root = PathBuf::from(metadata["workspace_root"].as_str().ok_or("cargo metadata names no workspace")?);
        let built = metadata["target_directory"].as_str().ok_or("cargo metadata names no target directory")?;
        let rustc = said("rustc", &["-vV"], fuzz)?;
        let triple = rustc.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?;
        said("cargo", &["fuzz", "--version"], fuzz)
            .map_err(|_| "cargo-fuzz is missing: cargo install cargo-fuzz --locked")?;
        let fuzz = fuzz.strip_prefix(&root).unwrap_or(fuzz).to_owned();
        Ok(Place { root, fuzz, built: built.into(), triple: triple.to_owned() })
    }

    /// Builds and runs one target.
    fn run(&self, target: &Target, seconds: u64) -> Outcome {
        eprintln!("{}: building, then {seconds} s", target.name);
        self.try_run(target, seconds).unwrap_or_else(|why| Outcome::failed(target.name, why))
    }

    fn try_run(&self, target: &Target, seconds: u64) -> Result<Outcome, String> {
        let name = target.name;
        // No sanitizer: the crates forbid unsafe code, and so it builds on stable.
        let flags = ["fuzz", "build", "-s", "none", "--no-default-features", "--features", "targets"];
        let built = self.built.to_string_lossy();
        let place = ["--target", &self.triple, "--target-dir", &built, name];
        said("cargo", &[&flags[..], &place].concat(), &self.root.join(&self.fuzz))?;
        let (corpus, artifacts) = (self.fuzz.join("corpus").join(name), self.fuzz.join("artifacts").join(name));
        for folder in [&corpus, &artifacts] {
            fs::create_dir_all(self.root.join(folder)).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        // One server a target: one that a target brings down does not fail the next.
        let server = if target.live { Some(OwnServer::start().map_err(|error| error.to_string())?) } else { None };
        let mut command = Command::new(self.built.join(&self.triple).join("release").join(name));
        command.current_dir(&self.root).arg(&corpus).arg(format!("-artifact_prefix={}/", artifacts.display())).args([
            &format!("-max_total_time={seconds}"),
            "-print_final_stats=1",
            "-timeout=30",
            "-rss_limit_mb=4096",
            // Long inputs from the start: a grid is as large as its input.
            "-len_control=0",
        ]);
        if let Some(server) = &server {
            command.env(SERVER, server.address());
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let output = child::spawn(command).and_then(|child| child.wait_with_output());
        let output = output.map_err(|error| format!("cannot be run: {error}"))?;
        let ended = (!output.status.success()).then(|| output.status.to_string());
        let mut outcome = Outcome::read(name, &String::from_utf8_lossy(&output.stderr), ended);
        outcome.corpus = fs::read_dir(self.root.join(&corpus)).map_or(0, |entries| entries.flatten().count());
        Ok(outcome)
    }
}

/// What a command says on stdout, or, when it fails, what it said last on stderr.
fn said(program: &str, arguments: &[&str], folder: &Path) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = child::spawn(command).and_then(|child| child.wait_with_output());
    let output = output.map_err(|error: io::Error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.lines().collect();
    Err(format!("{program} {}: {}", arguments.join(" "), lines[lines.len().saturating_sub(20)..].join("\n")))
}
