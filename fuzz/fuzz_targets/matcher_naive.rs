//! The naive approximation against the rules. Harvests causes and goes on; stops only at a disagreement that nothing in
//! the baseline explains.
//!
//! Must never decide who is right.
#![cfg_attr(fuzzing, no_main)]

use std::{
    collections::BTreeSet,
    sync::{LazyLock, Mutex},
};

use arbitrary::{Arbitrary, Unstructured};
use wildcheck::{compare::Disagreement, generate::Pair, tally::Tally};
use wildcheck_matcher::{Dialect, nats::Nats};
use wildcheck_tables::{Operand, Tables};

/// The causes that the baseline knows of the naive approximation.
static KNOWN: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let tables = Tables::embedded().expect("the tables in the binary are linted by the tests");
    let naive = tables.baseline.into_iter().filter(|row| row.dialect == "nats" && row.oracle == "naive");
    naive.map(|row| row.cause).collect()
});

/// Explains; remembers the explanations that fitted.
static TALLY: LazyLock<Mutex<Tally>> =
    LazyLock::new(|| Mutex::new(Tally::new(&Nats).knowing(|code| KNOWN.contains(code))));

/// The causes met so far; each is told once.
static MET: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

fn one(data: &[u8]) {
    let Ok(pair) = Pair::arbitrary(&mut Unstructured::new(data)) else { return };
    let reference = Nats.matches(pair.pattern.bytes(), pair.subject.bytes());
    if Nats.naive_matches(pair.pattern.bytes(), pair.subject.bytes()) == reference {
        return;
    }
    let found = Disagreement { pattern: pair.pattern, subject: pair.subject, reference };
    let causes = TALLY.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).explain(&found);
    let known: Vec<_> = causes.into_iter().filter(|cause| KNOWN.contains(cause.code)).collect();
    assert!(!known.is_empty(), "nothing in the baseline explains {found:?}");
    // One known cause alone is a clear case; several are left for the classifier, which sees them all together.
    if let [cause] = known[..] {
        let mut met = MET.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if met.insert(cause.code) {
            // Enough to recognise the pair by; the corpus has the rest.
            let short = |operand: &Operand| operand.to_string().chars().take(60).collect::<String>();
            let (pattern, subject) = (short(&found.pattern), short(&found.subject));
            eprintln!("wildcheck: {} {} by pattern {pattern} subject {subject}", cause.code, cause.name);
        }
    }
}

wildcheck::target!("matcher_naive", one);
