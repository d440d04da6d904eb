//! `certify` beside the loop that people write, on one server: `cargo bench -p wildcheck --bench certify -- [--out
//! FILE] [--check] [--quick] [--oracle process:nats-server@V]`.
//!
//! Both ask pairs of the same scope; the loop is async-nats with a fence, one pair at a time. The ratio is taken
//! within a round, so that a busy machine slows both. `--check` fails under ten thousand, and when the billion takes
//! more than 20 s or 1 GiB. `--quick` is one round instead of three.

use std::{
    fmt::Write as _,
    io,
    process::ExitCode,
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use wildcheck::{
    campaign::Trio,
    certify::{Certified, CertifyOptions, certify},
    scope::Scope,
    sink::Sink,
};
use wildcheck_matcher::Dialect;
use wildcheck_oracle::{
    Address, Options, OracleError,
    client::one_at_a_time,
    open,
    server::{NatsServer, Reach, Setup, find},
};
use wildcheck_tables::{Operand, RunEvent};

const TIMES: f64 = 10_000.0;
const SECONDS: f64 = 20.0;
const MEBIBYTES: f64 = 1024.0;
/// Three literals and eight tokens: 1.07 billion pairs.
const SCOPE: (&str, usize) = ("a,b,c", 8);

struct Nowhere;

impl Sink for Nowhere {
    fn event(&mut self, _: RunEvent) -> io::Result<()> {
        Ok(())
    }
    fn progress(&mut self, _: u64, _: Option<u64>) {}
}

fn nats() -> &'static dyn Dialect {
    wildcheck_matcher::by_name("nats").expect("it is built in")
}

fn scope() -> Scope {
    let (tokens, depth) = SCOPE;
    Scope::parse(nats(), tokens, depth, false, false).expect("letters are literals")
}

/// Certifies the scope on a server of its own; what it came to and the seconds, the server's start not counted.
fn whole(oracle: &Address, scope: &Scope) -> Result<(Certified, f64), OracleError> {
    let options = Options::new(nats());
    let memory = |address: Address| open(&address, &options);
    let mut trio = Trio::new(memory(Address::Reference)?, Some(open(oracle, &options)?), memory(Address::Naive)?);
    let how = CertifyOptions { seed: 1, ..CertifyOptions::default() };
    let started = Instant::now();
    let certified = certify(scope, &mut trio, &how, &mut Nowhere).map_err(|error| OracleError::Lost {
        what: oracle.to_string(),
        why: error.to_string(),
        kept: None,
    })?;
    Ok((certified, started.elapsed().as_secs_f64()))
}

/// So many pairs a second by the loop, for about that long.
fn looped(address: &str, scope: &Scope, random: &mut StdRng, time: Duration) -> Result<f64, String> {
    let block = scope.blocks().next().ok_or("the scope is empty")?;
    let started = Instant::now();
    let mut asked = 0;
    while started.elapsed() < time {
        let mut draw = |from: &[Operand]| from[random.random_range(0..from.len())].clone();
        let pairs: Vec<_> = (0..500).map(|_| (draw(&block.patterns), draw(&block.subjects))).collect();
        for (verdict, (pattern, subject)) in one_at_a_time(address, &pairs)?.into_iter().zip(&pairs) {
            assert_eq!(verdict, wildcheck_matcher::nats::matches(&pattern.0, &subject.0), "{pattern} {subject}");
            asked += 1;
        }
    }
    Ok(f64::from(asked) / started.elapsed().as_secs_f64())
}

/// The most memory this process ever held, in MiB.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<f64>().ok().map(|kib| kib / 1024.0)
}

fn option(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

fn flag(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}

fn measure() -> Result<(String, Vec<String>), String> {
    let text = option("--oracle").unwrap_or_else(|| "process:nats-server@2.15.1".to_owned());
    let address: Address = text.parse().map_err(|error: OracleError| error.to_string())?;
    let version = text.split_once('@').map(|(_, version)| version);
    let found = find(version, &Options::new(nats()), Reach::Download).found.map_err(|error| error.to_string())?;
    let server = NatsServer::start(&Setup::new(found.binary)).map_err(|error| error.to_string())?;
    let mut random = StdRng::seed_from_u64(1);
    let scope = scope();
    let mut rows = Vec::new();
    for _ in 0..if flag("--quick") { 1 } else { 3 } {
        let slow = looped(&server.addr().to_string(), &scope, &mut random, Duration::from_secs(3))?;
        let (certified, seconds) = whole(&address, &scope).map_err(|error| error.to_string())?;
        let counts = &certified.under_test;
        if counts.pairs != scope.pairs() || counts.disagreements() > 0 {
            return Err(format!(
                "{} of {} pairs, {} disagreements",
                counts.pairs,
                scope.pairs(),
                counts.disagreements()
            ));
        }
        rows.push((slow, seconds, counts.pairs as f64 / seconds / slow));
    }
    let mut report = format!(
        "# certify\n\nThree literals and eight tokens whole, {} pairs, live on {text}, comparison with the reference \
         included, beside a loop of async-nats that asks pairs of the same scope one at a time with a fence. One round \
         a line.\n\n| loop, verdicts/s | certify, verdicts/s | certify, seconds | ratio |\n|---:|---:|---:|---:|\n",
        scope.pairs()
    );
    rows.iter().for_each(|(slow, seconds, ratio)| {
        let fast = scope.pairs() as f64 / seconds;
        let _ = writeln!(report, "| {slow:.0} | {fast:.0} | {seconds:.1} | {ratio:.0} |");
    });
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let ratio = median(rows.iter().map(|row| row.2).collect());
    let seconds = median(rows.iter().map(|row| row.1).collect());
    let mib = peak().ok_or("no /proc/self/status")?;
    let _ = writeln!(
        report,
        "\nMedian: {ratio:.0} times the loop, {seconds:.1} s; at most {mib:.0} MiB of our memory, the server's not counted."
    );
    let mut missed = Vec::new();
    if ratio < TIMES {
        missed.push(format!("{ratio:.0} times the loop, not {TIMES:.0}"));
    }
    if seconds > SECONDS || mib > MEBIBYTES {
        missed.push(format!("{seconds:.1} s and {mib:.0} MiB, not {SECONDS:.0} s and {MEBIBYTES:.0} MiB"));
    }
    Ok((report, missed))
}

fn main() -> ExitCode {
    let (report, missed) = match measure() {
        Ok(measured) => measured,
        Err(why) => {
            eprintln!("certify bench: {why}");
            return ExitCode::from(5);
        }
    };
    print!("{report}");
    if let Some(out) = option("--out")
        && let Err(error) = std::fs::write(&out, &report)
    {
        eprintln!("{out}: {error}");
        return ExitCode::from(74);
    }
    if flag("--check") && !missed.is_empty() {
        eprintln!("not reached: {}", missed.join("; "));
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
