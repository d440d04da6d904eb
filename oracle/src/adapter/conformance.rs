//! Does a program keep the adapter protocol? One check a promise, each on a program that is well.
//!
//! Must never judge a verdict: an adapter for a wrong matcher can be a perfect adapter.

use std::time::{Duration, Instant};

use wildcheck_tables::{Operand, row::Relation};

use super::{
    exec::Link,
    message::{self, Hello, Rows},
    narrow::{Backend, Trouble},
    program::{shown, split},
};
use crate::{Options, OracleError, SetStep};

/// One promise, and whether it was kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The promise in some words.
    pub name: &'static str,
    /// Kept?
    pub passed: bool,
    /// What was seen.
    pub said: String,
}

type Said = Result<String, String>;

/// Checks the program of `exec:LINE` (with or without the scheme). Stops after the handshake when that fails.
///
/// # Errors
/// [`OracleError::Address`] for a line that cannot be split, [`OracleError::Unavailable`] for a program that cannot be
/// started, [`OracleError::Interrupted`]; everything else is a check that failed.
pub fn check(line: &str, options: &Options) -> Result<Vec<Check>, OracleError> {
    let line = line.strip_prefix("exec:").unwrap_or(line);
    split("exec", line)?;
    let mut bench = Bench { line, options, link: None, checks: Vec::new() };
    let hello = match Link::open(line, options) {
        Ok(link) => {
            let hello = link.hello.clone();
            bench.link = Some(link);
            hello
        }
        Err(OracleError::Protocol { why, .. }) => {
            bench.checks.push(Check { name: "handshake", passed: false, said: why });
            return Ok(bench.checks);
        }
        Err(other) => return Err(other),
    };
    bench.checks.push(Check { name: "handshake", passed: true, said: introduce(&hello) });
    bench.check("known dialect", |_| known_dialect(&hello))?;
    bench.check("answers a grid", |link| {
        link.hello.can.contains(&"grid".to_owned()).then_some(()).ok_or("`can` holds no \"grid\"")?;
        shape(link, &["a", "*"], &["a", "b", "a.b"])
    })?;
    bench.check("echoes any seq", |link| {
        link.skip_to(9_007_199_254_740_000);
        shape(link, &["a"], &["a"]).map(|_| "9007199254740001".to_owned())
    })?;
    bench.check("keeps order and repetition", repetition)?;
    bench.check("takes an empty grid", |link| {
        shape(link, &[], &[])?;
        shape(link, &["a", "b"], &[])?;
        shape(link, &[], &["a"]).map(|_| "0 x 0, 2 x 0 and 0 x 1".to_owned())
    })?;
    bench.check("answers odd operands", |link| shape(link, &ODD, &ODD))?;
    bench.check("takes bytes that are not UTF-8", bytes)?;
    bench.check("valid, relation and sets as claimed", claimed)?;
    bench.check("survives an unknown operation", unknown_operation)?;
    bench.check("answers a big grid in time", |link| big(link).map(|(said, _)| said))?;
    bench.check("is faster by the grid than by the pair", speed)?;
    bench.check("ends at stop", |link| match link.stop(Duration::from_secs(2)) {
        None => Ok("exit code 0".to_owned()),
        Some(how) => Err(how),
    })?;
    Ok(bench.checks)
}

/// Operands that break careless parsers; every one is an ordinary JSON string.
const ODD: [&str; 12] =
    ["", ".", "a..b", "a b", "\u{0}", "\"\\/", "é.ü", "🦀", "[a-z]+", "constructor", "a\nb", "a\tb\r"];

struct Bench<'a> {
    line: &'a str,
    options: &'a Options,
    link: Option<Link>,
    checks: Vec<Check>,
}

impl Bench<'_> {
    /// Runs one check on a program that is well: a new one when the last check broke it.
    fn check(&mut self, name: &'static str, run: impl FnOnce(&mut Link) -> Said) -> Result<(), OracleError> {
        if self.options.interrupt.is_set() {
            return Err(OracleError::Interrupted);
        }
        let mut link = match self.link.take() {
            Some(link) => link,
            None => match Link::open(self.line, self.options) {
                Ok(link) => link,
                Err(OracleError::Interrupted) => return Err(OracleError::Interrupted),
                Err(error) => {
                    self.checks.push(Check { name, passed: false, said: format!("started again: {error}") });
                    return Ok(());
                }
            },
        };
        let (passed, said) = match run(&mut link) {
            Ok(said) => (true, said),
            Err(said) => (false, said),
        };
        self.checks.push(Check { name, passed, said });
        self.link = Some(link).filter(|_| passed);
        Ok(())
    }
}

fn introduce(hello: &Hello) -> String {
    let version = hello.version.as_deref().unwrap_or("without a version");
    format!("{} {version}, dialect {}, can {}", hello.name, hello.dialect, hello.can.join(" "))
}

fn known_dialect(hello: &Hello) -> Said {
    let base = hello.dialect.split(['/', '@']).next().unwrap_or_default();
    match wildcheck_matcher::by_name(base) {
        Some(dialect) => Ok(dialect.name().to_owned()),
        None => Err(format!("`{}` is none of those that are known here", hello.dialect)),
    }
}

fn trouble(trouble: Trouble) -> String {
    match trouble {
        Trouble::NoAnswer => "no answer in time".to_owned(),
        Trouble::Died(how) => format!("the program died: {how}"),
        Trouble::Fatal(OracleError::Protocol { why, .. }) => why,
        Trouble::Fatal(error) => error.to_string(),
    }
}

fn ask(link: &mut Link, patterns: &[Operand], subjects: &[Operand]) -> Result<Rows, String> {
    let patterns: Vec<&Operand> = patterns.iter().collect();
    let subjects: Vec<&Operand> = subjects.iter().collect();
    let limit = link.answer_timeout();
    link.block(&patterns, &subjects, limit).map_err(trouble)
}

fn operands(texts: &[&str]) -> Vec<Operand> {
    texts.iter().map(|text| Operand::from(*text)).collect()
}

fn shape(link: &mut Link, patterns: &[&str], subjects: &[&str]) -> Said {
    ask(link, &operands(patterns), &operands(subjects))?;
    Ok(format!("{} x {}", patterns.len(), subjects.len()))
}

/// The same operands in another order give the same answers in that order.
fn repetition(link: &mut Link) -> Said {
    let forward = ask(link, &operands(&["a", "b", "a"]), &operands(&["a", "b", "a"]))?.rows;
    let backward = ask(link, &operands(&["b", "a"]), &operands(&["b", "a"]))?.rows;
    let same = forward[0] == forward[2]
        && forward.iter().all(|row| row[0] == row[2])
        && (0..2).all(|p| (0..2).all(|s| forward[p][s] == backward[1 - p][1 - s]));
    if same {
        Ok("3 x 3 against 2 x 2".to_owned())
    } else {
        Err("the order of the operands changes the answers".into())
    }
}

fn bytes(link: &mut Link) -> Said {
    if !link.can("bytes") {
        return Ok("not claimed: such operands are not sent".to_owned());
    }
    let odd = [Operand(vec![0x61, 0xff]), Operand(vec![0x80])];
    ask(link, &odd, &odd).map(|_| "{\"hex\":\"61ff\"} and {\"hex\":\"80\"}".to_owned())
}

fn claimed(link: &mut Link) -> Said {
    let mut said = Vec::new();
    let limit = link.answer_timeout();
    let [a, star] = [Operand::from("a"), Operand::from("*")];
    if link.can("valid") {
        link.valid(&[&a, &star], &[&a], limit).map_err(trouble)?;
        said.push("valid");
    }
    if link.can("relation") {
        for relation in [Relation::Subset, Relation::Overlap] {
            link.relation(relation, &a, &[&a, &star], limit).map_err(trouble)?;
        }
        said.push("relation");
    }
    if link.can("sets") {
        let steps = [SetStep::Add(a.clone()), SetStep::Ask(a.clone()), SetStep::Remove(a.clone()), SetStep::Ask(a)];
        let answers = link.sets(&steps, limit).map_err(trouble)?;
        if !answers[1].is_empty() {
            return Err("sets: a pattern that was removed still answers".to_owned());
        }
        said.push("sets");
    }
    Ok(if said.is_empty() { "none claimed".to_owned() } else { said.join(", ") })
}

/// It may say `error` or nothing, and must go on.
fn unknown_operation(link: &mut Link) -> Said {
    let question = |seq: u64| format!("{{\"op\":\"no-such-operation\",\"seq\":{seq}}}\n").into_bytes();
    let limit = Duration::from_secs(1).min(link.answer_timeout());
    let said = match link
        .ask_and_keep("an unknown operation", limit, question, |line, _| message::object(line).map(|_| shown(line)))
    {
        Ok(said) => said,
        Err(Trouble::NoAnswer) => "nothing".to_owned(),
        Err(other) => return Err(trouble(other)),
    };
    shape(link, &["a"], &["a"]).map(|_| format!("it says {said} and goes on"))
}

fn big(link: &mut Link) -> Result<(String, f64), String> {
    let patterns: Vec<Operand> = (0..64).map(|n| Operand::from(format!("a.{}.{}", n % 8, n / 8).as_str())).collect();
    let subjects: Vec<Operand> = (0..512).map(|n| Operand::from(format!("a.{}.{}", n % 16, n / 16).as_str())).collect();
    let start = Instant::now();
    ask(link, &patterns, &subjects)?;
    let took = start.elapsed();
    let rate = (patterns.len() * subjects.len()) as f64 / took.as_secs_f64().max(1e-9);
    Ok((format!("64 x 512 in {took:.1?}"), rate))
}

fn speed(link: &mut Link) -> Said {
    let (_, by_grid) = big(link)?;
    let start = Instant::now();
    let mut pairs = 0;
    while pairs < 200 && start.elapsed() < Duration::from_secs(1) {
        shape(link, &["a.1.2"], &["a.2.2"])?;
        pairs += 1;
    }
    let by_pair = f64::from(pairs) / start.elapsed().as_secs_f64().max(1e-9);
    let said = format!("{by_grid:.0} pairs/s by the grid, {by_pair:.0} one a line");
    if by_grid > by_pair { Ok(said) } else { Err(said) }
}
