//! One pair after another: the fast matcher beside the regex, globset, wildmatch and wildcard crates.
//!
//! `cargo bench -p wildcheck-matcher --bench matchers -- [--out FILE] [--check] [--quick] [--no-instructions]`.
//! Unprepared stands beside unprepared (every call builds what it needs), prepared beside prepared. Every rival gets
//! the pattern already written in its own language. Its answers are compared with ours wherever it can express the
//! pattern; wildmatch and wildcard can't say "one token", so for `*` they run the glob people would write.
//! `--check` fails when one of them is faster.

mod harness;

use std::{process::ExitCode, time::Duration};

use globset::{Glob, GlobBuilder, GlobMatcher};
use harness::{Contender, Figure, Numbers};
use regex::bytes::Regex;
use wildcard::Wildcard;
use wildcheck_matcher::nats::{self, Pattern};
use wildmatch::WildMatch;

const WORDS: [&str; 16] = [
    "orders",
    "eu",
    "us",
    "created",
    "updated",
    "deleted",
    "billing",
    "v1",
    "v2",
    "inventory",
    "item",
    "a",
    "b",
    "shard7",
    "telemetry",
    "4711",
];
const PAIRS: usize = 256;

/// One question in the languages of all contenders.
#[derive(Clone)]
struct Pair {
    pattern: String,
    subject: String,
    /// With `/` for the dot, for globset.
    path: String,
    path_glob: String,
    regex: String,
    glob: String,
    /// No token is `*`, so that a glob over the whole string can say the same.
    globs_can_say_it: bool,
}

impl Pair {
    fn new(pattern: &[&str], subject: &[&str]) -> Pair {
        let written = |one: &str, many: &str, separator: &str| {
            let token = |token: &&str| match *token {
                "*" => one.to_owned(),
                ">" => many.to_owned(),
                word => word.to_owned(),
            };
            pattern.iter().map(token).collect::<Vec<_>>().join(separator)
        };
        Pair {
            pattern: pattern.join("."),
            subject: subject.join("."),
            path: subject.join("/"),
            path_glob: written("*", "**", "/"),
            regex: format!(r"(?-u)\A{}\z", written("[^.]+", ".+", r"\.")),
            glob: written("*", "?*", "."),
            globs_can_say_it: !pattern.contains(&"*"),
        }
    }
}

/// Pairs of which about half match; the others are near misses and strangers.
fn pairs(tokens: std::ops::RangeInclusive<usize>, seed: u64) -> Vec<Pair> {
    let mut numbers = Numbers(seed);
    let make = |_| {
        let count = tokens.start() + numbers.below(tokens.end() - tokens.start() + 1);
        let subject: Vec<&str> = (0..count).map(|_| *numbers.pick(&WORDS)).collect();
        let mut pattern = subject.clone();
        match numbers.below(8) {
            0..3 => {}
            3..6 => {
                for _ in 0..1 + numbers.below(2) {
                    pattern[numbers.below(count)] = "*";
                }
            }
            _ => {
                pattern.truncate(1 + numbers.below(count - 1));
                pattern.push(">");
            }
        }
        match numbers.below(4) {
            0 => {
                let at = numbers.below(pattern.len());
                if pattern[at] != ">" {
                    pattern[at] = *numbers.pick(&WORDS);
                }
            }
            1 => {
                let other: Vec<&str> = (0..count).map(|_| *numbers.pick(&WORDS)).collect();
                return Pair::new(&pattern, &other);
            }
            _ => {}
        }
        Pair::new(&pattern, &subject)
    };
    (0..PAIRS).map(make).collect()
}

/// A contender that asks `ask` about every prepared question.
fn contender<Q: 'static>(name: &'static str, questions: Vec<Q>, ask: impl Fn(&Q) -> bool + 'static) -> Contender {
    Contender { name, pass: Box::new(move || questions.iter().filter(|question| ask(question)).count()) }
}

fn path_glob(glob: &str) -> Glob {
    GlobBuilder::new(glob).literal_separator(true).build().expect("made of words")
}

fn unprepared(pairs: &'static [Pair]) -> Vec<Contender> {
    let all = || pairs.iter().collect::<Vec<_>>();
    vec![
        contender("wildcheck `matches`", all(), |p| nats::matches(p.pattern.as_bytes(), p.subject.as_bytes())),
        contender("wildcheck `spec`", all(), |p| nats::spec::matches(p.pattern.as_bytes(), p.subject.as_bytes())),
        contender("wildcard", all(), |p| Wildcard::new(p.glob.as_bytes()).unwrap().is_match(p.subject.as_bytes())),
        contender("wildmatch", all(), |p| WildMatch::new(&p.glob).matches(&p.subject)),
        contender("globset", all(), |p| path_glob(&p.path_glob).compile_matcher().is_match(&p.path)),
        contender("regex", all(), |p| Regex::new(&p.regex).unwrap().is_match(p.subject.as_bytes())),
    ]
}

fn prepared(pairs: &'static [Pair]) -> Vec<Contender> {
    fn each<P>(pairs: &'static [Pair], prepare: impl Fn(&'static Pair) -> P) -> Vec<(P, &'static Pair)> {
        pairs.iter().map(|pair| (prepare(pair), pair)).collect()
    }
    vec![
        contender(
            "wildcheck `Pattern`",
            each(pairs, |p| Pattern::new(p.pattern.as_bytes()).unwrap()),
            |(pattern, p)| pattern.matches(p.subject.as_bytes()),
        ),
        contender("wildcard", each(pairs, |p| Wildcard::new(p.glob.as_bytes()).unwrap()), |(glob, p)| {
            glob.is_match(p.subject.as_bytes())
        }),
        contender("wildmatch", each(pairs, |p| WildMatch::new(&p.glob)), |(glob, p)| glob.matches(&p.subject)),
        contender(
            "globset",
            each(pairs, |p| -> GlobMatcher { path_glob(&p.path_glob).compile_matcher() }),
            |(glob, p)| glob.is_match(&p.path),
        ),
        contender("regex", each(pairs, |p| Regex::new(&p.regex).unwrap()), |(regex, p)| {
            regex.is_match(p.subject.as_bytes())
        }),
    ]
}

/// Every rival says what we say wherever it can express the pattern.
fn cross_check(pairs: &[Pair]) {
    for pair in pairs {
        let ours = nats::matches(pair.pattern.as_bytes(), pair.subject.as_bytes());
        let told = (&pair.pattern, &pair.subject);
        assert_eq!(nats::spec::matches(pair.pattern.as_bytes(), pair.subject.as_bytes()), ours, "spec {told:?}");
        assert_eq!(Regex::new(&pair.regex).unwrap().is_match(pair.subject.as_bytes()), ours, "regex {told:?}");
        assert_eq!(path_glob(&pair.path_glob).compile_matcher().is_match(&pair.path), ours, "globset {told:?}");
        if pair.globs_can_say_it {
            assert_eq!(WildMatch::new(&pair.glob).matches(&pair.subject), ours, "wildmatch {told:?}");
            let wildcard = Wildcard::new(pair.glob.as_bytes()).unwrap();
            assert_eq!(wildcard.is_match(pair.subject.as_bytes()), ours, "wildcard {told:?}");
        }
    }
}

fn main() -> ExitCode {
    let workloads: [(&str, &'static [Pair]); 2] =
        [("3 to 5 tokens", pairs(3..=5, 1).leak()), ("16 tokens", pairs(16..=16, 2).leak())];
    let races: Vec<(String, Vec<Contender>)> = workloads
        .iter()
        .flat_map(|(name, pairs)| {
            [(format!("{name}, unprepared"), unprepared(pairs)), (format!("{name}, prepared"), prepared(pairs))]
        })
        .collect();
    if let Some(counted) = harness::option("--counted") {
        let (race, index) = counted.split_once(',').expect("written by ourselves");
        let contender = &races[race.parse::<usize>().unwrap()].1[index.parse::<usize>().unwrap()];
        std::hint::black_box(harness::counted_pass(contender));
        return ExitCode::SUCCESS;
    }
    workloads.iter().for_each(|(_, pairs)| cross_check(pairs));
    let rounds = if harness::flag("--quick") { 5 } else { 41 };
    let mut report = String::from(
        "# Matchers\n\nOne pair at a time, 256 rotating pairs, half of them matching. Times and ratios are medians over \
         rounds in which all contenders take turns; `ratio` is time over ours in the same round. Instructions are \
         counted by callgrind. Every answer was compared with ours where the contender can express the pattern.\n",
    );
    let mut slower = Vec::new();
    for (number, (name, contenders)) in races.iter().enumerate() {
        let mut figures = harness::race(contenders, PAIRS, rounds, Duration::from_millis(3));
        if !harness::flag("--no-instructions") {
            for (index, figure) in figures.iter_mut().enumerate() {
                let counted = harness::instructions(&["--counted", &format!("{number},{index}")]);
                figure.instructions = counted.map(|count| count as f64 / PAIRS as f64);
            }
        }
        let row = |f: &Figure| {
            let instructions = f.instructions.map_or("not counted".to_owned(), |count| format!("{count:.0}"));
            vec![f.name.to_owned(), format!("{:.1}", f.nanos), format!("{:.2}", f.ratio), instructions]
        };
        let rows: Vec<_> = figures.iter().map(row).collect();
        let head = ["contender", "ns a pair", "ratio", "instructions a pair"];
        report += &format!("\n## {name}\n\n{}", harness::table(&head, &rows));
        slower.extend(figures.iter().skip(1).filter(|f| f.ratio < 1.0).map(|f| format!("{name}: {}", f.name)));
    }
    if let Err(error) = harness::publish(&report, harness::option("--out").as_deref()) {
        eprintln!("the report could not be written: {error}");
        return ExitCode::from(74);
    }
    if harness::flag("--check") && !slower.is_empty() {
        eprintln!("faster than ours: {}", slower.join("; "));
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
