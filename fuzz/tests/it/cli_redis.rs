//! The live glob, audited like any matcher: what it gets wrong has the names of the approximation's mistakes, and a
//! broker that was not under test says who stands alone.

use crate::cli_support::run;

#[test]
fn the_live_glob_crosses_separators_and_a_nats_server_says_that_it_stands_alone() {
    let ran = run(["run", "--seed", "1", "--oracle", "process:redis-server"]).exits(1);
    for cause in ["WC002 star-crosses-separators", "WC008 partial-star-acts", "WC029 tail-literal"] {
        assert!(ran.stdout.contains(cause), "{cause}\n{}", ran.stdout);
    }
    let referee = ran.events().into_iter().find(|event| event["event"] == "referee").expect("a referee");
    assert_eq!(referee["oracle"]["name"], "nats-server", "{referee}");
    let pairs = referee["pairs"].as_array().unwrap();
    let of = |alone: &str| pairs.iter().filter(|pair| pair["alone"] == alone).count();
    assert!(of("under-test") >= 10 && of("reference") == 0, "{referee}");
}

#[test]
fn a_scope_of_the_live_glob_has_disagreements() {
    let ran = run(["certify", "--tokens", "a,b", "--depth", "3", "--oracle", "process:redis-server"]).exits(1);
    let certificate = ran.events().into_iter().find(|event| event["event"] == "certificate").expect("a certificate");
    assert!(certificate["disagreements"].as_u64() > Some(0), "{certificate}");
}
