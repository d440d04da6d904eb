//! A RabbitMQ of our own, asked on the wire. One node for all tests that only ask: a start takes seconds.

use std::sync::{Arc, Mutex, Weak};

use wildcheck_matcher::{Dialect, by_name};
use wildcheck_oracle::{
    Address, Options, Oracle, OracleError, Plan, open,
    server::{Rabbitmq, rabbitmq::Door},
};
use wildcheck_tables::{Grid, Lane, Operand, Outcome, Verdict};

pub fn rabbitmq() -> &'static dyn Dialect {
    by_name("rabbitmq").unwrap()
}

/// The node that runs now, or a new one; it ends with the last test that holds it.
fn node() -> Arc<Rabbitmq> {
    static NODE: Mutex<Weak<Rabbitmq>> = Mutex::new(Weak::new());
    let mut shared = NODE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    shared.upgrade().unwrap_or_else(|| {
        let node = Arc::new(Rabbitmq::start(None, Door::Amqp, &Options::new(rabbitmq())).unwrap());
        *shared = Arc::downgrade(&node);
        node
    })
}

fn opened(node: &Rabbitmq, plan: Plan) -> Box<dyn Oracle> {
    let address: Address = format!("amqp://guest:guest@{}", node.addr()).parse().unwrap();
    open(&address, &Options { plan, ..Options::new(rabbitmq()) }).unwrap()
}

fn grid<P: AsRef<[u8]>, S: AsRef<[u8]>>(patterns: &[P], subjects: &[S]) -> Grid {
    Grid {
        dialect: "rabbitmq",
        patterns: patterns.iter().map(|text| Operand::from(text.as_ref())).collect(),
        subjects: subjects.iter().map(|text| Operand::from(text.as_ref())).collect(),
    }
}

/// Every operand of one to `depth` of these words.
fn scope(words: &[&str], depth: usize) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut last: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    for _ in 0..depth {
        let longer = last.iter().flat_map(|head| words.iter().map(move |word| format!("{head}.{word}")));
        let longer = longer.collect();
        all.extend(std::mem::replace(&mut last, longer));
    }
    all
}

#[track_caller]
fn as_the_reference(oracle: &mut dyn Oracle, grid: &Grid) -> usize {
    let seen = oracle.observe(grid).unwrap();
    for (s, subject) in grid.subjects.iter().enumerate() {
        for (p, pattern) in grid.patterns.iter().enumerate() {
            let right = rabbitmq().matches(&pattern.0, &subject.0);
            assert_eq!(seen.verdict(p, s), Verdict::from(right), "{pattern:?} {subject:?}");
        }
    }
    seen.delivered.total()
}

#[test]
fn every_plan_sees_what_the_rules_say_and_a_refusal_does_not_spoil_its_neighbours() {
    let node = node();
    let long = "a".repeat(256);
    let patterns: [&[u8]; 13] = [
        b"a.#",
        b"*",
        b"\xff",
        b"#",
        b"",
        b"#.*",
        b"\xc0\x80",
        b"a.#",
        b"##",
        b"#.#.#",
        b"a.*.#",
        "\u{e4}".as_bytes(),
        long.as_bytes(),
    ];
    let keys: [&[u8]; 9] = [b"a", b"", b"..", b".a", b"\xff.a", b"a.b.c", b"a", long.as_bytes(), "\u{e4}".as_bytes()];
    let grid = grid(&patterns, &keys);
    for plan in [Plan::FanOut, Plan::Isolated, Plan::Resubscribed] {
        let mut oracle = opened(&node, plan);
        as_the_reference(&mut *oracle, &grid);
        let seen = oracle.observe(&grid).unwrap();
        for place in [2, 6] {
            let Outcome::RefusedClosed(words) = &seen.patterns[place] else { panic!("{:?}", seen.patterns[place]) };
            assert!(words.starts_with("501 FRAME_ERROR"), "{words}");
        }
        assert_eq!(seen.patterns[12].fate(false).as_str(), "inexpressible");
        assert_eq!(seen.subjects[7].fate(false).as_str(), "inexpressible");
        assert_eq!(seen.subjects[4], Outcome::Accepted, "a key may be any bytes");
        assert!(seen.delivered.contains(3, 4), "and is routed by them");
    }
}

#[test]
fn every_pair_of_four_words_is_as_the_reference_says() {
    let node = node();
    let mut oracle = opened(&node, Plan::FanOut);
    let operands = scope(&["a", "b", "*", "#", ""], 4);
    // In two grids: the second is asked on the queues that are there.
    let (first, second) = operands.split_at(300);
    let deliveries = as_the_reference(&mut *oracle, &grid(&operands, first))
        + as_the_reference(&mut *oracle, &grid(&operands, second));
    assert_eq!((operands.len(), deliveries), (780, 55_289));
}

#[test]
fn the_open_questions_are_answered_by_the_broker() {
    let node = node();
    let mut oracle = opened(&node, Plan::FanOut);
    let seen = oracle.observe(&grid(&["*", "#.*", "a.*.#", "a.#"], &["", "..", "a", "a.b", "a.b.c"])).unwrap();
    let of = |pattern| [0, 1, 2, 3, 4].map(|key| seen.verdict(pattern, key) == Verdict::True);
    assert!(!of(0)[0], "`*` does not catch the empty key");
    assert!(of(1)[1] && of(1)[2] && !of(1)[0], "`#.*` catches dots alone and a single word, not nothing");
    assert_eq!(of(2), [false, false, false, true, true]);
    assert_eq!(of(3), [false, false, true, true, true], "they differ on `a` alone");
}

#[test]
fn a_pair_that_would_keep_the_broker_busy_is_not_asked_and_its_neighbours_are() {
    let node = node();
    let mut oracle = opened(&node, Plan::FanOut);
    let key = vec!["a"; 128].join(".");
    let seen = oracle.observe(&grid(&["#.#.#.#.#.#", "a.#"], &[key.as_str(), "a"])).unwrap();
    let verdicts = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(pattern, subject)| seen.verdict(pattern, subject));
    assert_eq!(verdicts, [Verdict::Unsupported, Verdict::True, Verdict::True, Verdict::True]);
    assert!(matches!(&seen.unknown[..], [(0, 0, Outcome::Unsupported(why))] if why.contains("ways")));
}

#[test]
fn a_grid_of_one_side_asks_only_what_is_accepted() {
    let node = node();
    let mut oracle = opened(&node, Plan::FanOut);
    let none: [&str; 0] = [];
    let seen = oracle.observe(&grid(&[&b"a.*"[..], b"\xff"], &none)).unwrap();
    assert_eq!((seen.pattern_verdict(0), seen.pattern_verdict(1)), (Verdict::True, Verdict::False));
    let seen = oracle.observe(&grid(&none, &[&b"a"[..], b"\xff"])).unwrap();
    assert_eq!((seen.subject_verdict(0), seen.subject_verdict(1)), (Verdict::True, Verdict::True));
}

#[test]
fn what_it_is_is_read_from_it_and_who_may_not_log_in_is_told() {
    let node = node();
    let oracle = opened(&node, Plan::FanOut);
    let version = oracle.identity().version.clone().unwrap();
    assert_eq!(oracle.identity().to_string(), format!("rabbitmq-server {version} (wire)"));
    let options = Options::new(rabbitmq());
    let refused = |url: String, options: &Options| open(&url.parse::<Address>().unwrap(), options).err().unwrap();
    let stranger = refused(format!("amqp://me:wrong@{}", node.addr()), &options).to_string();
    assert!(stranger.contains("403 ACCESS_REFUSED"), "{stranger}");
    let nowhere = refused(format!("amqp://guest:guest@{}/nowhere", node.addr()), &options).to_string();
    assert!(nowhere.contains("530 NOT_ALLOWED"), "{nowhere}");
    let other = refused("process:rabbitmq-server@0.1".to_owned(), &options);
    assert!(matches!(&other, OracleError::Unavailable { why, .. } if why.contains(&version)), "{other}");
    for options in [
        Options { lane: Some(Lane::SUBSZ), ..options.clone() },
        Options { plan: Plan::CacheHit, ..options.clone() },
        Options::new(by_name("nats").unwrap()),
    ] {
        let error = refused(format!("amqp://{}", node.addr()), &options);
        assert!(matches!(error, OracleError::Unsupported { .. }), "{error}");
    }
}
