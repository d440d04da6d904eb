//! What several tests need: servers by version, small grids, their answers as lines.

use std::path::PathBuf;

use wildcheck_matcher::Dialect;
use wildcheck_oracle::{Address, Options, Oracle, Plan, open, server};
use wildcheck_tables::{Grid, Lane, Observations, Operand, Outcome};

pub fn nats() -> &'static dyn Dialect {
    wildcheck_matcher::by_name("nats").unwrap()
}

pub fn options(lane: Lane) -> Options {
    Options { lane: Some(lane), ..Options::new(nats()) }
}

/// The releases that `make test` names, or the one that is found.
pub fn versions() -> Vec<String> {
    let named = std::env::var("WILDCHECK_TEST_VERSIONS").unwrap_or_default();
    let named: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    let found = || server::find(None, &Options::new(nats()), server::Reach::Download).found.unwrap().version;
    if named.is_empty() { vec![found()] } else { named }
}

pub fn newest() -> String {
    versions().pop().unwrap()
}

pub fn binary(version: &str) -> PathBuf {
    server::find(Some(version), &Options::new(nats()), server::Reach::Download).found.unwrap().binary
}

pub fn lane(version: &str, lane: Lane, plan: Plan) -> Box<dyn Oracle> {
    let address: Address = format!("process:nats-server@{version}").parse().unwrap();
    open(&address, &Options { plan, ..options(lane) }).unwrap()
}

pub fn grid(patterns: &[&[u8]], subjects: &[&[u8]]) -> Grid {
    let operands = |texts: &[&[u8]]| texts.iter().map(|text| Operand::from(*text)).collect();
    Grid { dialect: "nats", patterns: operands(patterns), subjects: operands(subjects) }
}

/// Every pattern over these tokens with one to three tokens, every literal subject likewise.
pub fn small() -> Grid {
    let tokens = |with: &[&str]| -> Vec<Operand> {
        let mut all: Vec<Vec<&str>> = vec![vec![]];
        let mut found = Vec::new();
        for _ in 0..3 {
            all = all.iter().flat_map(|have| with.iter().map(|t| [&have[..], &[*t]].concat())).collect();
            found.extend(all.iter().map(|tokens| Operand(tokens.join(".").into_bytes())));
        }
        found
    };
    let legal = |pattern: &Operand| nats().validate_pattern(&pattern.0, wildcheck_matcher::Strength::Server).is_ok();
    let patterns = tokens(&["a", "B", "*", ">"]).into_iter().filter(legal).collect();
    Grid { dialect: "nats", patterns, subjects: tokens(&["a", "B"]) }
}

pub fn outcome(outcome: &Outcome) -> String {
    let words = |kind: &str, words: &str| format!("{kind} ({words})");
    match outcome {
        Outcome::Accepted => "accepted".to_owned(),
        Outcome::RefusedOpen(text) => words("refused-open", text),
        Outcome::RefusedClosed(text) => words("refused-closed", text),
        Outcome::RefusedClient(text) => words("refused-client", text),
        Outcome::Inexpressible(text) => words("inexpressible", text),
        Outcome::Lost(text) => words("lost", text),
        Outcome::Unsupported(text) => words("unsupported", text),
        Outcome::Failed(text) => words("failed", text),
    }
}

fn short(operand: &Operand) -> String {
    if operand.0.len() > 40 { format!("{} bytes", operand.0.len()) } else { format!("{operand:?}") }
}

/// What became of each operand, and who got what.
pub fn told(grid: &Grid, seen: &Observations) -> String {
    let mut text = String::new();
    for (pattern, fate) in grid.patterns.iter().zip(&seen.patterns) {
        text.push_str(&format!("pattern {}: {}\n", short(pattern), outcome(fate)));
    }
    for (index, (subject, fate)) in grid.subjects.iter().zip(&seen.subjects).enumerate() {
        let to: Vec<String> =
            seen.delivered.of(index).iter().map(|pattern| short(&grid.patterns[*pattern as usize])).collect();
        let to =
            if to.is_empty() { "delivered to nobody".to_owned() } else { format!("delivered to {}", to.join(" ")) };
        text.push_str(&format!("subject {}: {}, {to}\n", short(subject), outcome(fate)));
    }
    for (pattern, subject, why) in &seen.unknown {
        let (pattern, subject) = (&grid.patterns[*pattern as usize], &grid.subjects[*subject as usize]);
        text.push_str(&format!("pair {} {}: {}\n", short(pattern), short(subject), outcome(why)));
    }
    text
}
