//! The rows under the configurations of a server: one line that they agree, or drift with the configuration's name.

use wildcheck::{configurations::compare, rows};
use wildcheck_oracle::{Options, Oracle, configured::named, open};
use wildcheck_tables::Tables;

use crate::cli_support::run;

#[test]
fn run_says_in_one_line_that_the_rows_hold_under_every_configuration() {
    let ran = run(["run", "--seed", "1", "--configurations", "all"]).exits(0);
    let said: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("finding: configurations")).collect();
    let [line] = said[..] else { panic!("one line, not {said:?}") };
    insta::assert_snapshot!("configurations-agree", line);
    assert!(!ran.events().iter().any(|event| event["event"] == "drift"), "{}", ran.stderr);
}

#[test]
fn an_answer_that_no_limit_of_the_configuration_explains_is_a_difference() {
    let tables = Tables::embedded().unwrap();
    let tables = tables.dialect("nats").unwrap();
    let nats = wildcheck_matcher::by_name("nats").unwrap();
    let ask = |name| {
        let options = Options { config: named(name), ..Options::new(nats) };
        let mut oracle: Box<dyn Oracle> = open(&"auto".parse().unwrap(), &options).unwrap();
        rows::ask(nats, tables, &mut *oracle).unwrap()
    };
    let (usual, limited) = (ask("default"), ask("max-sub-tokens"));
    let explained = compare(tables, named("max-sub-tokens").unwrap(), &usual, &limited);
    assert!(explained.limited >= 15 && explained.differences.is_empty(), "{explained:?}");
    let unexplained = compare(tables, named("cluster").unwrap(), &usual, &limited);
    assert_eq!(unexplained.questions(), explained.questions());
    assert_eq!(unexplained.differences.len(), explained.limited);
    let of = |question: &str| unexplained.differences.iter().find(|difference| difference.question == question);
    insta::assert_debug_snapshot!("configuration-difference", of("match `a.b.c` `a.b.c`").unwrap());
}

#[test]
fn a_configuration_that_there_is_not_or_that_is_not_asked_here_is_a_usage_error() {
    let unknown = run(["run", "--configurations", "cluster,bogus"]).exits(2);
    let outside = run(["run", "--oracle", "exec:true", "--configurations", "all"]).exits(2);
    let memory = run(["run", "--seed", "1", "--oracle", "reference", "--configurations", "all"]).exits(2);
    let config = run(["certify", "--oracle", "naive", "--config", "cluster"]).exits(2);
    let texts: Vec<String> = [unknown, outside, memory, config].into_iter().map(|ran| ran.stderr).collect();
    insta::with_settings!({filters => vec![(r"seed \d+", "seed N")]}, {
        insta::assert_snapshot!("configurations-usage", texts.join("\n"));
    });
}
