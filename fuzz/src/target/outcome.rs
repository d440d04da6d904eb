//! What one libFuzzer run came to, read from what it printed, and the table of several.
//!
//! Must never run anything: the runner does.

use std::fmt::Write as _;

/// What the live targets print about once a second, in front of the number.
pub const VERDICTS: &str = "wildcheck::verdicts-a-second:";
/// What a target prints in front of something that a person should see once.
pub const TOLD: &str = "wildcheck: ";

/// What one target did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Which target.
    pub name: String,
    /// Inputs executed.
    pub executed: u64,
    /// Inputs executed a second, as libFuzzer counts.
    pub per_second: u64,
    /// Files in the corpus afterwards.
    pub corpus: usize,
    /// Live verdicts a second, where the target says so.
    pub verdicts: Option<u64>,
    /// What it told, such as causes met, and stopped not for.
    pub told: Vec<String>,
    /// Why it failed; `None` when it did not.
    pub failure: Option<String>,
    /// The input that libFuzzer kept of a failure.
    pub artifact: Option<String>,
}

impl Outcome {
    /// A target that did not come to run.
    pub fn failed(name: &str, why: impl Into<String>) -> Outcome {
        Outcome { name: name.to_owned(), failure: Some(why.into()), ..Outcome::default() }
    }

    /// Reads what libFuzzer printed to its end; `ended` is how the process did when not well.
    pub fn read(name: &str, said: &str, ended: Option<String>) -> Outcome {
        let after = |key: &str| said.lines().rev().find_map(|line| Some(line.split_once(key)?.1.trim()));
        let number = |key: &str| after(key).and_then(|number| number.parse().ok());
        let executed = number("stat::number_of_executed_units:").unwrap_or(0);
        let why = || said.lines().skip_while(|line| !line.contains("panicked at")).nth(1);
        let failure = match ended {
            Some(ended) => Some(why().map_or(ended, |message| message.trim().to_owned())),
            None if executed == 0 => Some("executed nothing".to_owned()),
            None => None,
        };
        Outcome {
            name: name.to_owned(),
            executed,
            per_second: number("stat::average_exec_per_sec:").unwrap_or(0),
            corpus: 0,
            verdicts: number(VERDICTS),
            told: said.lines().filter_map(|line| line.strip_prefix(TOLD)).map(str::to_owned).collect(),
            artifact: failure.as_ref().and_then(|_| after("Test unit written to ")).map(str::to_owned),
            failure,
        }
    }
}

/// The table, each failure with its input and how to replay it, and the ratios of the targets that are there.
pub fn report(outcomes: &[Outcome], seconds: u64, command: &str) -> String {
    let mut text = format!(
        "# libFuzzer targets\n\n{seconds} seconds each, one after another, without a sanitizer, by `{command}`.\n\n\
         | target | executions | executions/s | corpus | live verdicts/s | result |\n\
         |---|---:|---:|---:|---:|---|\n"
    );
    for Outcome { name, executed, per_second, corpus, verdicts, failure, .. } in outcomes {
        let verdicts = verdicts.map_or_else(|| "-".to_owned(), |verdicts| verdicts.to_string());
        let result = if failure.is_some() { "failed" } else { "ok" };
        let _ = writeln!(text, "| {name} | {executed} | {per_second} | {corpus} | {verdicts} | {result} |");
    }
    for Outcome { name, failure, artifact, .. } in outcomes {
        let Some(failure) = failure else { continue };
        let _ = write!(text, "\n{name} failed: {failure}\n");
        if let Some(artifact) = artifact {
            let _ = writeln!(text, "Again: `cargo run --features targets --bin {name} {artifact}`");
        }
    }
    for line in [structured(outcomes), live(outcomes)].into_iter().flatten() {
        let _ = write!(text, "\n{line}\n");
    }
    text
}

/// How many times the verdicts of `live_pair` `live_grid` gets a second, when both ran.
pub fn grid_over_pair(outcomes: &[Outcome]) -> Option<f64> {
    let verdicts = |name| of(outcomes, name)?.verdicts;
    ratio(verdicts("live_grid")?, verdicts("live_pair")?)
}

fn structured(outcomes: &[Outcome]) -> Option<String> {
    let ratio = ratio(of(outcomes, "empty")?.per_second, of(outcomes, "matcher_spec")?.per_second)?;
    Some(format!("An empty target executes {ratio:.1} times as many inputs as matcher_spec."))
}

fn live(outcomes: &[Outcome]) -> Option<String> {
    Some(format!("live_grid gets {:.0} times the verdicts of live_pair.", grid_over_pair(outcomes)?))
}

fn of<'o>(outcomes: &'o [Outcome], name: &str) -> Option<&'o Outcome> {
    outcomes.iter().find(|outcome| outcome.name == name)
}

fn ratio(of: u64, to: u64) -> Option<f64> {
    (to > 0).then(|| of as f64 / to as f64)
}
