//! The adapter protocol's grids beside one pair a line, and what they cost on our side: `cargo bench -p
//! wildcheck-oracle --bench adapter -- [--out FILE] [--check]`.
//!
//! Both are asked of the Python adapter that people copy, the ratio is taken within a round, and every answer is held
//! against the reference. `--check` fails under twenty times, and when this process takes a tenth of the CPU time of
//! the program or more. Must never count the start of the program as an answer.

use std::{fmt::Write as _, process::ExitCode, time::Instant};

use wildcheck_matcher::Dialect;
use wildcheck_oracle::{Options, Oracle, OracleError, adapter::Exec};
use wildcheck_tables::{Grid, Operand};

const TIMES: f64 = 20.0;
const SHARE: f64 = 0.1;
const ROUNDS: usize = 3;
/// Pairs asked one a line, a round.
const PAIRS: usize = 40_000;
/// Grids asked, a round.
const GRIDS: usize = 40;
const SIDE: usize = 250;

fn nats() -> &'static dyn Dialect {
    wildcheck_matcher::by_name("nats").expect("it is built in")
}

/// Legal operands of one to five of these tokens, the shorter first.
fn operands(tokens: &[&str]) -> Vec<Operand> {
    let mut texts: Vec<String> = tokens.iter().map(|token| (*token).to_owned()).collect();
    let mut at = 0;
    while texts.len() < SIDE {
        if !texts[at].contains('>') {
            let longer: Vec<String> = tokens.iter().map(|token| format!("{}.{token}", texts[at])).collect();
            texts.extend(longer);
        }
        at += 1;
    }
    texts.truncate(SIDE);
    texts.iter().map(|text| Operand::from(text.as_bytes())).collect()
}

/// Seconds that it took; fails where an answer is not the reference's.
fn ask(program: &mut dyn Oracle, grids: &[Grid]) -> Result<f64, String> {
    let started = Instant::now();
    let answers: Result<Vec<_>, OracleError> = grids.iter().map(|grid| program.observe(grid)).collect();
    let seconds = started.elapsed().as_secs_f64();
    for (grid, seen) in grids.iter().zip(answers.map_err(|error| error.to_string())?) {
        for (p, pattern) in grid.patterns.iter().enumerate() {
            for (s, subject) in grid.subjects.iter().enumerate() {
                if seen.verdict(p, s).known() != Some(nats().matches(&pattern.0, &subject.0)) {
                    return Err(format!("the adapter is wrong on {pattern} {subject}"));
                }
            }
        }
    }
    Ok(seconds)
}

/// CPU time in ticks: of this process, and of its children that ended.
fn ticks() -> Result<(f64, f64), String> {
    let stat = std::fs::read_to_string("/proc/self/stat").map_err(|error| error.to_string())?;
    // The name may hold blanks; it ends at the last bracket, and the state is the third field.
    let fields: Vec<&str> = stat.rsplit_once(')').ok_or("no name in /proc/self/stat")?.1.split_whitespace().collect();
    let at = |field: usize| fields.get(field - 3).and_then(|text| text.parse::<f64>().ok()).ok_or("a short stat");
    Ok((at(14)? + at(15)?, at(16)? + at(17)?))
}

struct Round {
    pairs: f64,
    grids: f64,
    share: f64,
}

fn round(line: &str) -> Result<Round, String> {
    let (patterns, subjects) = (operands(&["a", "b", "*", ">"]), operands(&["a", "b", "c"]));
    let open = || Exec::open(line, &Options::new(nats())).map_err(|error| error.to_string());
    let one = |index: usize| {
        let (pattern, subject) = (&patterns[index % SIDE], &subjects[index / SIDE % SIDE]);
        Grid::pair("nats", &pattern.0, &subject.0)
    };
    let single: Vec<Grid> = (0..PAIRS).map(one).collect();
    let whole = Grid { dialect: "nats", patterns: patterns.clone(), subjects: subjects.clone() };
    let mut program = open()?;
    let pairs = PAIRS as f64 / ask(&mut program, &single)?;
    drop(program);
    let mut program = open()?;
    let before = ticks()?;
    // The answers are checked after the clocks are read: that is no cost of asking.
    let started = Instant::now();
    let seen: Result<Vec<_>, OracleError> = (0..GRIDS).map(|_| program.observe(&whole)).collect();
    let seconds = started.elapsed().as_secs_f64();
    let host = ticks()?.0 - before.0;
    seen.map_err(|error| error.to_string())?;
    ask(&mut program, std::slice::from_ref(&whole))?;
    drop(program);
    let child = ticks()?.1 - before.1;
    Ok(Round { pairs, grids: (GRIDS * SIDE * SIDE) as f64 / seconds, share: host / child })
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn measure() -> Result<(String, Vec<String>), String> {
    let line = format!("python3 {}/adapters/matcher.py", env!("CARGO_MANIFEST_DIR"));
    let rounds: Vec<Round> = (0..ROUNDS).map(|_| round(&line)).collect::<Result<_, _>>()?;
    let mut report = format!(
        "# adapter\n\nThe Python adapter of `oracle/adapters/`, asked {PAIRS} pairs one a line and {GRIDS} grids of {SIDE} \
         x {SIDE}. CPU: what this process takes for asking and reading the grids, of what the program takes. One round \
         a line.\n\n| one pair a line, verdicts/s | grids, verdicts/s | ratio | CPU, of the program's |\n\
         |---:|---:|---:|---:|\n"
    );
    for Round { pairs, grids, share } in &rounds {
        let _ = writeln!(report, "| {pairs:.0} | {grids:.0} | {:.0} | {:.1} % |", grids / pairs, share * 100.0);
    }
    let times = median(rounds.iter().map(|round| round.grids / round.pairs));
    let share = median(rounds.iter().map(|round| round.share));
    let _ =
        writeln!(report, "\nMedian: {times:.0} times one pair a line; {:.1} % of the program's CPU.", share * 100.0);
    let mut missed = Vec::new();
    if times < TIMES {
        missed.push(format!("{times:.0} times one pair a line, not {TIMES:.0}"));
    }
    if share >= SHARE {
        missed.push(format!("{:.1} % of the program's CPU, not under {:.0} %", share * 100.0, SHARE * 100.0));
    }
    Ok((report, missed))
}

fn main() -> ExitCode {
    let (report, missed) = match measure() {
        Ok(measured) => measured,
        Err(why) => {
            eprintln!("adapter bench: {why}");
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
