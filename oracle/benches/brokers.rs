//! Verdicts a second of each live broker, a grid beside one pair a question in the same run, and of each dialect's matcher
//! beside its naive approximation: `cargo bench -p wildcheck-oracle --bench brokers -- [--out FILE] [--check]`.
//!
//! Each answer of a broker that speaks a dialect is held against the reference. `--check` fails where a grid is not
//! faster than one pair a question. Must never count a start as an answer.

use std::{fmt::Write as _, hint::black_box, process::ExitCode, time::Instant};

use wildcheck_matcher::{Dialect, by_name, dialects};
use wildcheck_oracle::{Options, Oracle, OracleError, open};
use wildcheck_tables::{Grid, Operand, Verdict};

/// Patterns and subjects of the grid.
const SIDE: usize = 400;
/// Pairs that are asked one by one.
const PAIRS: usize = 60;
/// Rounds of the grid; the median counts.
const ROUNDS: usize = 3;
/// The brokers, the dialect they are asked in, and whether they speak it.
const BROKERS: [(&str, &str, bool); 4] = [
    ("process:nats-server", "nats", true),
    ("process:mosquitto", "mqtt", true),
    ("process:rabbitmq-server", "rabbitmq", true),
    ("process:redis-server", "nats", false),
];

/// Operands of one to four of these tokens, those with fewer tokens first; what the rules refuse is left out.
fn operands(dialect: &dyn Dialect, tokens: &[&[u8]], legal: impl Fn(&[u8]) -> bool) -> Vec<Operand> {
    let separator: Vec<u8> = dialect.syntax().separator.into_iter().collect();
    let mut all: Vec<Vec<u8>> = tokens.iter().map(|token| token.to_vec()).collect();
    let mut last = all.clone();
    for _ in 0..4 {
        let longer = |text: &Vec<u8>| -> Vec<Vec<u8>> {
            tokens.iter().map(|token| [&text[..], &separator[..], token].concat()).collect()
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all.retain(|text| legal(text));
    all.into_iter().take(SIDE).map(Operand).collect()
}

fn grid(dialect: &'static dyn Dialect) -> Grid {
    use wildcheck_matcher::Strength::Strict;
    let syntax = dialect.syntax();
    let mut tokens: Vec<&[u8]> = vec![b"a", b"b"];
    tokens.extend(syntax.one.iter().chain(&syntax.many));
    Grid {
        dialect: dialect.name(),
        patterns: operands(dialect, &tokens, |text| dialect.validate_pattern(text, Strict).is_ok()),
        subjects: operands(dialect, &[b"a", b"b", b"c"], |text| dialect.validate_subject(text, Strict).is_ok()),
    }
}

/// Seconds that it took.
fn ask(oracle: &mut dyn Oracle, grid: &Grid, speaks: Option<&dyn Dialect>) -> Result<f64, OracleError> {
    let started = Instant::now();
    let seen = oracle.observe(grid)?;
    let seconds = started.elapsed().as_secs_f64();
    for (p, pattern) in grid.patterns.iter().enumerate() {
        for (s, subject) in grid.subjects.iter().enumerate() {
            if let (Some(dialect), Some(verdict)) = (speaks, seen.verdict(p, s).known()) {
                assert_eq!(verdict, dialect.matches(&pattern.0, &subject.0), "{pattern} {subject}");
            }
            assert_ne!(seen.verdict(p, s), Verdict::Unsupported, "{pattern} {subject}");
        }
    }
    Ok(seconds)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

struct Line {
    who: String,
    grid: f64,
    pair: f64,
}

fn broker((address, name, speaks): (&str, &'static str, bool)) -> Result<Line, OracleError> {
    let dialect = by_name(name).expect("it is built in");
    let mut oracle = open(&address.parse()?, &Options::new(dialect))?;
    let grid = grid(dialect);
    let speaks = speaks.then_some(dialect);
    let rounds = (0..ROUNDS).map(|_| ask(&mut *oracle, &grid, speaks)).collect::<Result<Vec<f64>, _>>()?;
    let started = Instant::now();
    for at in 0..PAIRS {
        let (pattern, subject) = (&grid.patterns[at * 5 % grid.patterns.len()], &grid.subjects[at]);
        oracle.observe(&Grid::pair(name, &pattern.0, &subject.0))?;
    }
    let pair = PAIRS as f64 / started.elapsed().as_secs_f64();
    Ok(Line { who: oracle.identity().to_string(), grid: grid.pairs() as f64 / median(rounds), pair })
}

/// Verdicts a second of a matcher over the grid, many times.
fn matcher(grid: &Grid, matches: impl Fn(&[u8], &[u8]) -> bool) -> f64 {
    let once = || {
        for pattern in &grid.patterns {
            for subject in &grid.subjects {
                black_box(matches(black_box(&pattern.0), black_box(&subject.0)));
            }
        }
    };
    let round = || {
        let started = Instant::now();
        (0..10).for_each(|_| once());
        10.0 * grid.pairs() as f64 / started.elapsed().as_secs_f64()
    };
    median((0..ROUNDS).map(|_| round()).collect())
}

fn measure() -> Result<(String, Vec<String>), OracleError> {
    let mut report = format!(
        "# brokers\n\nVerdicts a second, comparison left out: a grid of {SIDE} x {SIDE} beside {PAIRS} pairs of it asked one \
         by one, each with its own subscription and fence.\n\n| broker | grid | one pair a question | ratio |\n|---|---:|---:|---:|\n"
    );
    let mut missed = Vec::new();
    for asked in BROKERS {
        let Line { who, grid, pair } = broker(asked)?;
        let _ = writeln!(report, "| {who} | {grid:.0} | {pair:.0} | {:.0} |", grid / pair);
        if grid < pair {
            missed.push(format!("{who}: a grid is slower than one pair a question"));
        }
    }
    let _ = writeln!(
        report,
        "\nThe matchers over the same kind of grid, verdicts a second, one core.\n\n| dialect | reference | naive | ratio \
         |\n|---|---:|---:|---:|"
    );
    for dialect in dialects() {
        let grid = grid(*dialect);
        let reference = matcher(&grid, |pattern, subject| dialect.matches(pattern, subject));
        let naive = matcher(&grid, |pattern, subject| dialect.naive_matches(pattern, subject));
        let _ = writeln!(
            report,
            "| {} | {:.1} million | {:.1} million | {:.2} |",
            dialect.name(),
            reference / 1e6,
            naive / 1e6,
            reference / naive
        );
    }
    Ok((report, missed))
}

fn main() -> ExitCode {
    let (report, missed) = match measure() {
        Ok(measured) => measured,
        Err(why) => {
            eprintln!("brokers bench: {why}");
            return ExitCode::from(5);
        }
    };
    print!("{report}");
    let mut arguments = std::env::args().skip_while(|argument| argument != "--out").skip(1);
    if let Some(out) = arguments.next()
        && let Err(error) = std::fs::write(&out, &report)
    {
        eprintln!("{out}: {error}");
        return ExitCode::from(74);
    }
    if std::env::args().any(|argument| argument == "--check") && !missed.is_empty() {
        eprintln!("not reached: {}", missed.join("; "));
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
