//! Outside programs: what is asked of them, and each way to misbehave told as what it is.

use std::time::{Duration, Instant};

use wildcheck_matcher::nats::Nats;
use wildcheck_oracle::{
    Address, Options, Oracle, OracleError, SetStep, SetsAnswer,
    adapter::{check, serve},
    open,
};
use wildcheck_tables::{Grid, Observations, Operand, Outcome, Verdict, row::Relation};

fn options() -> Options {
    Options { answer_timeout: Duration::from_millis(1_500), ..Options::new(&Nats) }
}

fn odd(way: &str) -> String {
    format!("exec:python3 {}/tests/adapters/odd.py {way}", env!("CARGO_MANIFEST_DIR"))
}

fn sample() -> String {
    format!("exec:python3 {}/adapters/matcher.py", env!("CARGO_MANIFEST_DIR"))
}

fn opened(address: &str, options: &Options) -> Result<Box<dyn Oracle>, OracleError> {
    open(&address.parse::<Address>()?, options)
}

fn operands(texts: &[&str]) -> Vec<Operand> {
    texts.iter().map(|text| Operand::from(*text)).collect()
}

fn grid(patterns: &[&str], subjects: &[&str]) -> Grid {
    Grid { dialect: "nats", patterns: operands(patterns), subjects: operands(subjects) }
}

/// A few patterns against a few subjects, `a.*` and `a.b` among them.
fn some() -> Grid {
    let patterns = ["a", "b", "a.*", "a.b", "a.>", "*.b", "c.d.e", "x", "y", "z"];
    let subjects = ["a", "b", "a.b", "a.c", "c.d.e", "x", "a.b.c", "q", "r", "s"];
    grid(&patterns, &subjects)
}

/// Every list of up to `depth` tokens.
fn scope(tokens: &[&str], depth: usize) -> Vec<Operand> {
    let mut all: Vec<String> = tokens.iter().map(|token| (*token).to_owned()).collect();
    let mut longest = all.clone();
    for _ in 1..depth {
        longest = longest.iter().flat_map(|head| tokens.iter().map(move |t| format!("{head}.{t}"))).collect();
        all.extend(longest.iter().cloned());
    }
    all.iter().map(|text| Operand::from(text.as_str())).collect()
}

fn broken(way: &str) -> String {
    let outcome = opened(&odd(way), &options()).and_then(|mut oracle| {
        oracle.observe(&some())?;
        oracle.observe(&some())
    });
    match outcome {
        Err(OracleError::Protocol { why, .. }) => why,
        other => panic!("{way}: expected a protocol error, got {other:?}"),
    }
}

fn unknown(seen: &Observations) -> Vec<(u32, u32, String)> {
    seen.unknown.iter().map(|(p, s, outcome)| (*p, *s, format!("{outcome:?}"))).collect()
}

#[test]
fn the_python_sample_says_what_the_reference_says() {
    let mut sample = opened(&sample(), &options()).unwrap();
    let mut reference = opened("reference", &options()).unwrap();
    assert_eq!(sample.identity().to_string(), "my-matcher 1.0 (exec)");
    let grid =
        Grid { dialect: "nats", patterns: scope(&["a", "b", "*", ">", ""], 3), subjects: scope(&["a", "b", ""], 3) };
    let (said, wanted) = (sample.observe(&grid).unwrap(), reference.observe(&grid).unwrap());
    assert_eq!(said.delivered, wanted.delivered);
    assert_eq!(said.unknown, []);
    for (index, pattern) in grid.patterns.iter().enumerate() {
        assert_eq!(said.pattern_verdict(index), wanted.pattern_verdict(index), "{pattern:?}");
    }
}

#[test]
fn a_pair_that_hangs_is_found_and_the_others_are_answered() {
    for way in ["hangs", "hangs-with-child"] {
        let mut oracle = opened(&odd(way), &options()).unwrap();
        let start = Instant::now();
        let seen = oracle.observe(&some()).unwrap();
        assert_eq!(unknown(&seen), [(2, 2, "Failed(\"no answer in 1.5s\")".to_owned())]);
        assert_eq!(seen.verdict(2, 2), Verdict::Unsupported);
        assert_eq!(seen.verdict(3, 2), Verdict::True);
        assert_eq!(seen.delivered.total(), 5);
        assert_eq!(oracle.findings(), ["no answer in 1.5s on pattern `a.*`, subject `a.b`"]);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        // It is not asked again.
        let start = Instant::now();
        assert_eq!(unknown(&oracle.observe(&some()).unwrap()).len(), 1);
        assert!(start.elapsed() < Duration::from_secs(1));
    }
}

#[test]
fn a_pair_that_kills_the_program_is_found_with_how_it_ended() {
    let mut oracle = opened(&odd("dies"), &options()).unwrap();
    let seen = oracle.observe(&some()).unwrap();
    let words = "Failed(\"the program died: exit code 3; its stderr ends: about to fail\")".to_owned();
    assert_eq!(unknown(&seen), [(2, 2, words)]);
    assert_eq!(seen.delivered.total(), 5);
    let mut oracle = opened(&odd("aborts"), &options()).unwrap();
    let seen = oracle.observe(&some()).unwrap();
    assert!(seen.unknown[0].2.words().contains("signal 6"), "{:?}", seen.unknown);
}

#[test]
fn a_pattern_that_kills_again_and_again_is_set_aside() {
    let mut oracle = opened(&odd("dies-on-pattern"), &options()).unwrap();
    let seen = oracle.observe(&some()).unwrap();
    assert_eq!(seen.patterns[2], Outcome::Failed("set aside after 3 pairs without an answer".to_owned()));
    assert_eq!(seen.delivered.total(), 5);
    assert_eq!(oracle.findings().len(), 3);
}

#[test]
fn restarts_are_budgeted() {
    let options = Options { restarts: 5, ..options() };
    let error = opened(&odd("dies-always"), &options).unwrap().observe(&some()).unwrap_err();
    assert!(matches!(error, OracleError::Lost { .. }), "{error:?}");
    assert!(error.to_string().contains("hung or died 6 times"), "{error}");
}

#[test]
fn a_broken_answer_is_a_protocol_error_that_says_what_was_expected() {
    insta::assert_snapshot!(
        [
            "other-protocol",
            "lies-about-seq",
            "chatters",
            "too-few-rows",
            "short-row",
            "unknown-character",
            "booleans",
            "not-utf-8",
            "ends",
        ]
        .map(|way| format!("{way}: {}", broken(way)))
        .join("\n")
    );
    let why = broken("chatters-after");
    assert!(why.contains("came `done`") || why.contains("nobody asked for: `done`"), "{why}");
    let why = broken("huge");
    assert!(why.contains("a line of more than 16777216 bytes, starting `xxxxx"), "{why}");
}

#[test]
fn a_slow_start_is_waited_for_within_its_limit() {
    opened(&odd("slow-start"), &options()).unwrap().observe(&some()).unwrap();
    let hasty = Options { start_timeout: Duration::from_millis(200), ..options() };
    let error = opened(&odd("slow-start"), &hasty).err().unwrap();
    assert!(error.to_string().contains("no answer to hello in 200ms"), "{error}");
}

#[test]
fn an_adapter_for_another_dialect_or_without_grids_is_not_asked() {
    let error = opened(&odd("other-dialect"), &options()).err().unwrap();
    assert!(error.to_string().contains("it is an adapter for mqtt, and the question is in nats"), "{error}");
    let error = opened(&odd("no-grid"), &options()).err().unwrap();
    assert!(matches!(error, OracleError::Unsupported { .. }), "{error:?}");
    let variant = opened(&odd("variant"), &options()).unwrap();
    assert_eq!(variant.identity().remarks, ["declares the dialect nats/test", "asks odd.cell"]);
}

#[test]
fn a_program_that_is_not_there_is_unavailable() {
    let error = opened("exec:no-such-program-anywhere", &options()).err().unwrap();
    assert!(matches!(error, OracleError::Unavailable { .. }), "{error:?}");
    let error = opened("exec:python3 'unclosed", &options()).err().unwrap();
    assert!(matches!(error, OracleError::Address { .. }), "{error:?}");
}

#[test]
fn every_character_has_its_meaning() {
    let mut oracle = opened(&odd("every-character"), &options()).unwrap();
    // The lengths together choose the character: 2 p, 3 s, 4 e, 5 -, 6 1, 7 0.
    let seen = oracle.observe(&grid(&["a"], &["b", "bb", "bbb", "bbbb", "bbbbb", "bbbbbb"])).unwrap();
    assert_eq!(seen.delivered.of(4), [0]);
    assert_eq!(seen.verdict(0, 5), Verdict::False);
    assert_eq!(seen.patterns, [Outcome::Accepted], "refused beside one subject only");
    assert_eq!(seen.subjects[1], Outcome::RefusedClient(String::new()));
    let unknown =
        [(0, 2, Outcome::Failed(String::new())), (0, 3, Outcome::Unsupported("the adapter cannot say".to_owned()))];
    assert_eq!(seen.unknown, unknown);
    let seen = oracle.observe(&grid(&["a"], &["b"])).unwrap();
    assert_eq!(seen.patterns, [Outcome::RefusedClient("ZeroDivisionError".to_owned())]);
}

#[test]
fn bytes_go_only_to_those_that_take_them() {
    let odd_bytes = || Grid::pair("nats", b"a\xff", b"a\xff");
    let seen = opened(&odd("well"), &options()).unwrap().observe(&odd_bytes()).unwrap();
    assert!(matches!(&seen.patterns[0], Outcome::Unsupported(why) if why.contains("not UTF-8")), "{seen:?}");
    assert_eq!(seen.verdict(0, 0), Verdict::Unsupported);
    let seen = opened(&odd("takes-bytes"), &options()).unwrap().observe(&odd_bytes()).unwrap();
    assert_eq!(seen.verdict(0, 0), Verdict::True);
}

#[test]
fn a_question_about_acceptance_goes_through_valid() {
    let seen = opened(&odd("well"), &options()).unwrap().observe(&grid(&["a b", "a"], &[])).unwrap();
    assert_eq!(seen.patterns, [Outcome::RefusedClient("a blank".to_owned()), Outcome::Accepted]);
    let seen = opened(&sample(), &options()).unwrap().observe(&grid(&[], &["a"])).unwrap();
    assert_eq!(seen.subject_verdict(0), Verdict::Unsupported, "the sample's `can` holds no valid");
}

#[test]
fn a_command_is_run_once_a_pair_and_its_exit_code_is_the_answer() {
    let mut oracle = opened("cmd:test {pattern} = {subject}", &options()).unwrap();
    let seen = oracle.observe(&grid(&["a", "{subject}"], &["a", "b", "{subject}"])).unwrap();
    assert_eq!((seen.delivered.of(0), seen.delivered.of(1), seen.delivered.of(2)), (&[0][..], &[][..], &[1][..]));
    assert_eq!(seen.unknown, []);
    let mut fails = opened("cmd:sh -c 'echo broken >&2; exit 7' {pattern} {subject}", &options()).unwrap();
    let seen = fails.observe(&grid(&["a"], &["a"])).unwrap();
    assert_eq!(seen.unknown, [(0, 0, Outcome::Failed("exit code 7: broken".to_owned()))]);
    let hasty = Options { answer_timeout: Duration::from_millis(200), ..options() };
    let mut hangs = opened("cmd:sleep 3600 {pattern} {subject}", &hasty).unwrap();
    let seen = hangs.observe(&grid(&["1"], &["2"])).unwrap();
    assert_eq!(seen.unknown, [(0, 0, Outcome::Failed("no answer in 200ms".to_owned()))]);
    let error = opened("cmd:test {pattern}", &options()).err().unwrap();
    assert!(error.to_string().contains("expected {subject}"), "{error}");
}

#[test]
fn a_filter_answers_a_line_a_pair() {
    let mut oracle = opened(r#"tsv:awk -F "\t" "{print (\$1==\$2)}""#, &options()).unwrap();
    let seen = oracle.observe(&grid(&["a", "b", "a\tb"], &["a", "b", "c"])).unwrap();
    assert_eq!((seen.delivered.of(0), seen.delivered.of(1), seen.delivered.of(2)), (&[0][..], &[1][..], &[][..]));
    assert!(matches!(&seen.patterns[2], Outcome::Unsupported(why) if why.contains("a tab")), "{seen:?}");
    let error = opened("tsv:cat", &options()).unwrap().observe(&some()).unwrap_err();
    assert!(error.to_string().contains("line 1: expected one of 1 0 p s e -, came `a\\ta`"), "{error}");
    let error = opened("tsv:true", &options()).unwrap().observe(&some()).unwrap_err();
    assert!(error.to_string().contains("expected 100 lines, and it ended after 0"), "{error}");
}

#[test]
fn our_own_adapter_says_what_the_oracle_behind_it_says() {
    let mut reference = opened("reference", &options()).unwrap();
    let questions = concat!(
        r#"{"op":"hello","protocol":1}"#,
        "\n",
        r#"{"op":"grid","seq":7,"patterns":["a.*","a.>","a..b",{"hex":"61ff"}],"subjects":["a.b","a.b.c",{"hex":"61ff"}]}"#,
        "\n",
        r#"{"op":"valid","seq":8,"patterns":["a..b","a.*"],"subjects":["a b"]}"#,
        "\n",
        r#"{"op":"relation","seq":9,"relation":"overlap","left":["a.*"],"right":["*.b","c.>"]}"#,
        "\n",
        r#"{"op":"sets","seq":10,"steps":[["+","a.>"],["+","a.*"],["?","a.b"],["-","a.>"],["?","a.b"]]}"#,
        "\n",
        r#"{"op":"dance","seq":11}"#,
        "\nnot json\n",
        r#"{"op":"stop"}"#,
        "\n",
        r#"{"op":"hello","protocol":1}"#,
        "\n",
    );
    let mut answers = Vec::new();
    serve(reference.as_mut(), questions.as_bytes(), &mut answers).unwrap();
    insta::with_settings!({filters => vec![(r#""version":"[^"]*""#, r#""version":"…""#)]}, {
        insta::assert_snapshot!(String::from_utf8(answers).unwrap());
    });
}

#[test]
fn sets_keep_a_pattern_once_and_forget_it_when_removed() {
    let a = || Operand::from("a.*");
    let steps = [
        SetStep::Add(a()),
        SetStep::Add(a()),
        SetStep::Ask("a.b".into()),
        SetStep::Remove(a()),
        SetStep::Ask("a.b".into()),
    ];
    let answers = opened("reference", &options()).unwrap().sets(&steps).unwrap();
    assert_eq!(answers, SetsAnswer::Answers(vec![vec![a()], vec![]]));
    let silent = opened(&sample(), &options()).unwrap().sets(&steps).unwrap();
    assert!(matches!(silent, SetsAnswer::Unknown(Outcome::Unsupported(_))), "{silent:?}");
    let related = opened(&sample(), &options()).unwrap().relate(Relation::Overlap, &[(a(), a())]).unwrap();
    assert_eq!(related, [Verdict::Unsupported]);
}

#[test]
fn the_conformance_check_passes_the_sample_and_names_what_others_break() {
    let checks = check(&sample(), &options()).unwrap();
    let failed: Vec<_> = checks.iter().filter(|check| !check.passed).collect();
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(checks.len(), 13);
    let failed = |way: &str| -> Vec<&'static str> {
        let checks = check(&odd(way), &options()).unwrap();
        checks.iter().filter(|check| !check.passed).map(|check| check.name).collect()
    };
    assert_eq!(failed("other-protocol"), ["handshake"]);
    assert!(failed("lies-about-seq").contains(&"echoes any seq"));
    assert!(failed("short-row").contains(&"answers a grid"));
}
