//! One subject against many patterns: the trie beside the plain list and the regex crate's `RegexSet`.
//!
//! `cargo bench -p wildcheck-matcher --bench sets -- [--out FILE] [--quick]`. Patterns of three to five tokens, one in
//! five with a `*`, one in ten with a `>`; every trie answer is compared with the list's.

mod harness;

use std::{process::ExitCode, time::Duration};

use harness::{Contender, Numbers};
use regex::bytes::{RegexSet, RegexSetBuilder};
use wildcheck_matcher::{
    PatternSet,
    nats::{self, Pattern, TokenTrie},
};

const WORDS: [&str; 8] = ["created", "updated", "deleted", "paid", "sent", "lost", "v1", "v2"];

/// `orders.<region>.<number>.created` and the like: few names, many numbers, as routers see them.
fn subject(numbers: &mut Numbers, scale: usize) -> Vec<String> {
    let service = ["orders", "billing", "stock", "mail"][numbers.below(4)];
    let mut tokens = vec![service.to_owned(), format!("r{}", numbers.below(20)), numbers.below(scale).to_string()];
    for _ in 0..numbers.below(3) {
        tokens.push((*numbers.pick(&WORDS)).to_owned());
    }
    tokens
}

fn pattern(numbers: &mut Numbers, scale: usize) -> String {
    let mut tokens = subject(numbers, scale);
    if numbers.below(5) == 0 {
        let at = numbers.below(tokens.len());
        // A star in place of the number would make every second subject match thousands.
        tokens[if at == 2 { 1 } else { at }] = "*".to_owned();
    }
    if numbers.below(10) == 0 {
        tokens.truncate(4);
        tokens.push(">".to_owned());
    }
    tokens.join(".")
}

fn regex_set(patterns: &[String]) -> Option<RegexSet> {
    let written = patterns.iter().map(|pattern| {
        let token = |token| match token {
            "*" => "[^.]+",
            ">" => ".+",
            word => word,
        };
        format!(r"(?-u)\A{}\z", pattern.split('.').map(token).collect::<Vec<_>>().join(r"\."))
    });
    RegexSetBuilder::new(written).size_limit(1 << 30).build().ok()
}

fn main() -> ExitCode {
    let quick = harness::flag("--quick");
    let sizes: &[usize] = if quick { &[1_000, 100_000] } else { &[1_000, 100_000, 1_000_000] };
    let mut rows = Vec::new();
    for &size in sizes {
        let mut numbers = Numbers(size as u64);
        let patterns: Vec<String> = (0..size).map(|_| pattern(&mut numbers, size / 10)).collect();
        // Every second subject is made from a pattern, so that it reaches one at least.
        let mut asked = |index: usize| {
            if index.is_multiple_of(2) {
                return subject(&mut numbers, size / 10).join(".");
            }
            let pattern = numbers.pick(&patterns);
            let fill = |token| if matches!(token, "*" | ">") { "created" } else { token };
            pattern.split('.').map(fill).collect::<Vec<_>>().join(".")
        };
        let subjects: Vec<String> = (0..4096).map(&mut asked).collect();
        let mut trie = TokenTrie::new();
        for (id, pattern) in patterns.iter().enumerate() {
            trie.insert(pattern.as_bytes(), id as u32).expect("made of words");
        }
        let bytes = trie.heap_bytes() as f64 / size as f64;
        let few = (10_000_000 / size).clamp(8, subjects.len());
        let mut hits = 0;
        for subject in &subjects[..few] {
            let mut ids = Vec::new();
            trie.matches(subject.as_bytes(), &mut ids);
            ids.sort_unstable();
            let asked = |(_, pattern): &(u32, &String)| nats::matches(pattern.as_bytes(), subject.as_bytes());
            let list: Vec<u32> = (0..).zip(&patterns).filter(asked).map(|(id, _)| id).collect();
            assert_eq!(ids, list, "{subject}");
            hits += ids.len();
        }
        let patterns: &'static [String] = patterns.leak();
        let subjects: &'static [String] = subjects.leak();
        let prepared: Vec<Pattern> = patterns.iter().map(|p| Pattern::new(p.as_bytes()).unwrap()).collect();
        let mut contenders = vec![
            Contender {
                name: "trie",
                pass: Box::new(move || {
                    let mut ids = Vec::with_capacity(64);
                    let mut hits = 0;
                    for subject in subjects {
                        ids.clear();
                        trie.matches(subject.as_bytes(), &mut ids);
                        hits += ids.len();
                    }
                    hits
                }),
            },
            Contender {
                name: "plain list",
                pass: Box::new(move || {
                    let hits = |s: &String| prepared.iter().filter(|p| p.matches(s.as_bytes())).count();
                    subjects[..few].iter().map(hits).sum()
                }),
            },
        ];
        if size <= 1_000
            && let Some(set) = regex_set(patterns)
        {
            let hits = move |s: &String| set.matches(s.as_bytes()).iter().count();
            contenders
                .push(Contender { name: "RegexSet", pass: Box::new(move || subjects[..few].iter().map(&hits).sum()) });
        }
        // The rivals pass over fewer subjects; what is compared is the time a subject.
        let rounds = if quick { 5 } else { 41 };
        let asked = [subjects.len(), few, few];
        let mut figures = Vec::new();
        for (contender, asked) in contenders.into_iter().zip(asked) {
            figures.extend(harness::race(&[contender], asked, rounds, Duration::from_millis(2)));
        }
        for figure in &figures {
            rows.push(vec![
                format!("{size} patterns, {}", figure.name),
                format!("{:.0}", figure.nanos),
                format!("{:.1}", figure.nanos / figures[0].nanos),
                if figure.name == "trie" { format!("{bytes:.0}") } else { "-".to_owned() },
                format!("{:.2}", hits as f64 / few as f64),
            ]);
        }
    }
    let head = ["contender", "ns a subject", "ratio", "bytes a pattern", "matches a subject"];
    let report = format!(
        "# Pattern sets\n\nOne subject against many patterns of three to six tokens, one in five with a `*`, one in ten \
         with a `>`; half of the subjects made from a pattern; medians. `RegexSet` is built for the smallest set only: with 100,000 patterns its automaton takes \
         gigabytes. The trie's answers were compared with the list's.\n\n{}",
        harness::table(&head, &rows)
    );
    if let Err(error) = harness::publish(&report, harness::option("--out").as_deref()) {
        eprintln!("the report could not be written: {error}");
        return ExitCode::from(74);
    }
    ExitCode::SUCCESS
}
