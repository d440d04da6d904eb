//! The glob of a live redis-server, asked with the patterns of a dialect.

use wildcheck_oracle::{Address, Options, Oracle, OracleError, Plan, open, server::redis};
use wildcheck_tables::Lane;

use crate::support::{grid, nats, told};

fn lane() -> Box<dyn Oracle> {
    open(&"process:redis-server".parse().unwrap(), &Options::new(nats())).unwrap()
}

#[test]
fn the_glob_runs_across_separators_and_knows_no_tail() {
    let mut lane = lane();
    let patterns: [&[u8]; 8] = [b"a.*", b"*", b"a.>", b"a.b", b"a.*", b"a.?", b"", b"\xff*"];
    let grid = grid(&patterns, &[b"a.b", b"a.b.c", b"a", b"a.>", b"", b"\xff", b"a.b"]);
    insta::assert_snapshot!(told(&grid, &lane.observe(&grid).unwrap()));
}

#[test]
fn more_subjects_than_go_between_two_sentinels_arrive_once_each() {
    let texts: Vec<String> = (0..1000).map(|n| format!("a.{n}")).collect();
    let subjects: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
    let grid = grid(&[b"*", b"a.*", b"a.999", b"b"], &subjects);
    let seen = lane().observe(&grid).unwrap();
    assert_eq!(seen.delivered.total(), 2001);
    assert_eq!(seen.delivered.of(999), [0, 1, 2]);
}

#[test]
fn a_server_of_somebody_else_is_asked_under_a_prefix_and_says_the_same() {
    let server = redis::start(None, &Options::new(nats())).unwrap();
    let address: Address = format!("redis://{}", server.addr()).parse().unwrap();
    let mut foreign = open(&address, &Options::new(nats())).unwrap();
    assert!(foreign.identity().remarks.iter().any(|remark| remark.contains("under the prefix wc")));
    let grid = grid(&[b"*", b"a.*", b"b"], &[b"a.b", b"b", b"c"]);
    assert_eq!(foreign.observe(&grid).unwrap(), lane().observe(&grid).unwrap());
}

#[test]
fn what_it_does_not_have_is_said() {
    let ask = |options: Options| open(&"process:redis-server".parse().unwrap(), &options).err().expect("an error");
    let lane = ask(Options { lane: Some(Lane::WIRE), ..Options::new(nats()) }).to_string();
    assert!(lane.contains("there is no lane wire; there is client"), "{lane}");
    let plan = ask(Options { plan: Plan::Isolated, ..Options::new(nats()) }).to_string();
    assert!(plan.contains("the plan fan-out alone"), "{plan}");
    let version = open(&"process:redis-server@0.1".parse().unwrap(), &Options::new(nats())).err().unwrap();
    assert!(matches!(version, OracleError::Unavailable { .. }), "{version}");
}
