//! Recordings: what was seen is answered, nothing else is.

use std::{fs, path::Path};

use wildcheck_matcher::nats::Nats;
use wildcheck_oracle::{Options, Oracle, OracleError, open};
use wildcheck_tables::{Grid, Lane, Operand, Outcome, Verdict};

const FRESH: &str = "\
lane,kind,left,right,observation
wire,as,2.10.0,,
wire,match,a.*,a.b,delivered
wire,match,a.*,a.b.c,not-delivered
wire,pattern,a..b,,refused-open: Invalid Subject
";
const OLD: &str = "\
lane,kind,left,right,observation
wire,match,a.*,a.b,not-delivered
wire,match,a.>,a.b,delivered
wire,scope,\"tokens a,b; depth 2\",00ff,\"36 pairs, 12 matches\"
";

/// The tables of the repository with two recordings of a server that does not exist.
fn tables(dir: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../truth-tables");
    for folder in ["", "nats"] {
        fs::create_dir_all(dir.join(folder)).unwrap();
        for entry in fs::read_dir(from.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "csv") {
                fs::copy(&path, dir.join(folder).join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    fs::create_dir_all(dir.join("nats/observed")).unwrap();
    fs::write(dir.join("nats/observed/test-server@2.11.0.csv"), FRESH).unwrap();
    fs::write(dir.join("nats/observed/test-server@2.10.0.csv"), OLD).unwrap();
}

fn opened(version: &str, lane: Option<Lane>) -> Result<Box<dyn Oracle>, OracleError> {
    let dir = tempfile::tempdir().unwrap();
    tables(dir.path());
    let options = Options { tables: Some(dir.path().to_owned()), lane, ..Options::new(&Nats) };
    open(&format!("recorded:test-server@{version}").parse()?, &options)
}

fn grid(patterns: &[&str], subjects: &[&str]) -> Grid {
    let operands = |texts: &[&str]| texts.iter().map(|text| Operand::from(*text)).collect();
    Grid { dialect: "nats", patterns: operands(patterns), subjects: operands(subjects) }
}

#[test]
fn recorded_pairs_are_answered_and_others_are_unsupported() {
    let mut recorded = opened("2.11.0", None).unwrap();
    let seen = recorded.observe(&grid(&["a.*", "a.>", "x"], &["a.b", "a.b.c"])).unwrap();
    let verdicts = |p| [seen.verdict(p, 0), seen.verdict(p, 1)];
    assert_eq!(verdicts(0), [Verdict::True, Verdict::False]);
    assert_eq!(verdicts(1), [Verdict::True, Verdict::Unsupported], "as in 2.10.0, which lacks the second");
    assert_eq!(verdicts(2), [Verdict::Unsupported; 2]);
    let findings = recorded.findings();
    assert_eq!(findings, ["3 of 6 questions were answered from the recording, the others are unsupported"]);
    assert_eq!(recorded.findings(), Vec::<String>::new());
}

#[test]
fn a_recorded_refusal_keeps_its_words() {
    let mut recorded = opened("2.11.0", None).unwrap();
    let seen = recorded.observe(&grid(&["a..b", "a.b"], &[])).unwrap();
    assert_eq!(seen.patterns[0], Outcome::RefusedOpen("Invalid Subject".to_owned()));
    assert_eq!(seen.pattern_verdict(1), Verdict::Unsupported);
}

#[test]
fn a_recorded_scope_is_known_by_its_words() {
    let recorded = opened("2.11.0", None).unwrap();
    let scope = recorded.recorded_scope("tokens a,b; depth 2").unwrap();
    assert_eq!((scope.digest.as_str(), scope.pairs, scope.matches), ("00ff", 36, 12));
    assert_eq!(recorded.recorded_scope("tokens a; depth 1"), None);
}

#[test]
fn what_was_not_recorded_at_all_is_said_with_what_was() {
    let error = opened("1.0.0", None).err().unwrap();
    assert!(
        error.to_string().contains("recorded is recorded:test-server@2.10.0, recorded:test-server@2.11.0"),
        "{error}"
    );
    let error = opened("2.11.0", Some(Lane::CLIENT)).err().unwrap();
    assert!(error.to_string().contains("the lane client was not recorded, only wire"), "{error}");
}
