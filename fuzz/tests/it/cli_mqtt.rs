//! The command on brokers that speak MQTT besides their own language: what they do differently is known by cause, and
//! the rows that were measured on mosquitto are no drift of theirs.

use crate::cli_support::{Ran, run};

/// A level that is hidden, a dot, a space, and the wildcards of the other languages.
const ODD: [&str; 6] = ["certify", "--tokens", "a,$x,a.b,a b,*,>", "--depth", "2", "--invalid"];

fn on(command: &[&str], oracle: &str) -> Ran {
    run([command, &["--dialect", "mqtt", "--oracle", oracle, "--seed", "1"]].concat())
}

/// Code, what is said of the one under test, and whether the baseline knows it.
fn causes(ran: &Ran, who: &str) -> Vec<String> {
    let mut causes: Vec<String> = ran
        .events()
        .iter()
        .filter(|event| event["event"] == "witness" && event["alone"] != "naive")
        .map(|event| format!("{} {} known {}", event["cause"].as_str().unwrap(), event["pattern"], event["known"]))
        .collect();
    causes.sort();
    causes.dedup();
    assert!(ran.stdout.contains(who), "{}", ran.stdout);
    causes
}

#[test]
fn nats_server_differs_by_causes_that_the_baseline_knows() {
    let ran = on(&ODD, "process:nats-server@2.9.10").exits(0);
    insta::assert_debug_snapshot!("mqtt-nats-causes", causes(&ran, "nats-server 2.9.10 (wire)"));
    let ran = on(&["certify", "--tokens", "a,b", "--depth", "3", "--invalid"], "process:nats-server").exits(0);
    assert!(ran.stderr.contains("24025 pairs asked, 0 disagreements"), "{}", ran.stderr);
}

#[test]
fn rows_measured_on_another_broker_are_told_and_are_no_drift_and_no_column_is_rewritten() {
    let ran = on(&["run"], "process:nats-server").exits(0);
    assert!(ran.stderr.contains("the rows of mqtt were measured on mosquitto"), "{}", ran.stderr);
    assert!(ran.stderr.contains(" 0 do not hold"), "{}", ran.stderr);
    let share = |event: &&serde_json::Value| event["event"] == "row" && event["left"] == "$share/g/a/+";
    let events = ran.events();
    let row = events.iter().find(share).unwrap();
    assert_eq!((&row["holds"], &row["expected"]), (&true.into(), &"true".into()), "{row}");
    assert_eq!(row["answers"][1]["verdict"], "false", "{row}");

    let tables = format!("{}/../truth-tables", env!("CARGO_MANIFEST_DIR"));
    let ran = on(&["regen", "--check", "--tables", &tables], "process:nats-server").exits(2);
    assert!(ran.stderr.contains("measured on mosquitto, not on nats-server"), "{}", ran.stderr);
}

#[test]
fn rabbitmq_differs_by_causes_that_the_baseline_knows() {
    let ran = on(&ODD, "process:rabbitmq-server").exits(0);
    insta::assert_debug_snapshot!("mqtt-rabbitmq-causes", causes(&ran, "rabbitmq-server "));
}
