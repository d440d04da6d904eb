//! Brokers of another language at their MQTT listeners: one connection a filter.

use wildcheck_matcher::{Dialect, Strength, by_name};
use wildcheck_oracle::{Address, Options, Oracle, Plan, open, server::nats_mqtt};
use wildcheck_tables::{Grid, Observations, Operand, Outcome, Verdict};

use crate::support::{outcome, versions};

fn mqtt() -> &'static dyn Dialect {
    by_name("mqtt").unwrap()
}

fn opened(address: &str, plan: Plan) -> Box<dyn Oracle> {
    let address: Address = address.parse().unwrap();
    open(&address, &Options { plan, ..Options::new(mqtt()) }).unwrap()
}

/// A filter that catches the sentinel, some that are refused between some that are not, a space, a dot, a `$`.
fn small() -> Grid {
    let filters = ["a", "+", "#", "a/#", "+/b", "/", "", "a/#/b", "a+", "a", "$x/#", "a.b", "a b", "$share/g/a"];
    let topics = ["a", "a/b", "/", "/b", "", "$x", "$x/b", "a", "+", "a/b/c", "a.b", "a b"];
    let operands = |texts: &[&str]| texts.iter().map(|text| Operand::from(*text)).collect();
    Grid { dialect: "mqtt", patterns: operands(&filters), subjects: operands(&topics) }
}

/// The operands that the rules judge otherwise, and the pairs.
fn differences(grid: &Grid, seen: &Observations) -> String {
    let mut lines = Vec::new();
    for (filter, fate) in grid.patterns.iter().zip(&seen.patterns) {
        if mqtt().validate_pattern(&filter.0, Strength::Server).is_ok() != (*fate == Outcome::Accepted) {
            lines.push(format!("filter {filter:?}: {}", outcome(fate)));
        }
    }
    for (topic, fate) in grid.subjects.iter().zip(&seen.subjects) {
        if mqtt().validate_subject(&topic.0, Strength::Server).is_ok() != (*fate == Outcome::Accepted) {
            lines.push(format!("topic {topic:?}: {}", outcome(fate)));
        }
    }
    for (p, filter) in grid.patterns.iter().enumerate() {
        for (s, topic) in grid.subjects.iter().enumerate() {
            let right = mqtt().matches(&filter.0, &topic.0);
            if seen.verdict(p, s) != Verdict::from(right) {
                lines.push(format!("{filter:?} {topic:?}: {}", seen.verdict(p, s)));
            }
        }
    }
    lines.join("\n")
}

#[test]
fn nats_server_speaks_mqtt_as_the_rules_say_but_for_what_is_shown() {
    let oldest = opened("process:nats-server@2.9.10", Plan::FanOut).observe(&small()).unwrap();
    insta::assert_snapshot!("mqtt-nats-2.9.10", differences(&small(), &oldest));
    let newest = versions().pop().unwrap();
    if newest == "2.9.10" {
        return;
    }
    let address = format!("process:nats-server@{newest}");
    let seen = opened(&address, Plan::FanOut).observe(&small()).unwrap();
    insta::assert_snapshot!("mqtt-nats-newest", differences(&small(), &seen));
    for plan in [Plan::Isolated, Plan::Resubscribed] {
        assert_eq!(opened(&address, plan).observe(&small()).unwrap(), seen, "{plan:?}");
    }
}

#[test]
fn more_filters_than_connections_at_a_time_and_more_topics_than_a_round_are_all_asked() {
    let filters: Vec<String> = (0..450).map(|i| format!("{}#", "+/".repeat(i % 4))).collect();
    let topics: Vec<String> = (0..1500).map(|i| format!("{i}{}", "/x".repeat(i % 3))).collect();
    let patterns = filters.iter().map(|filter| Operand::from(filter.as_str())).collect();
    let subjects = topics.iter().map(|topic| Operand::from(topic.as_str())).collect();
    let grid = Grid { dialect: "mqtt", patterns, subjects };
    let seen = opened("process:nats-server", Plan::FanOut).observe(&grid).unwrap();
    let right = open(&Address::Reference, &Options::new(mqtt())).unwrap().observe(&grid).unwrap();
    assert_eq!(seen.delivered, right.delivered);
}

#[test]
fn the_listener_is_gone_with_its_value() {
    let (server, version) = nats_mqtt::start(None, &Options::new(mqtt())).unwrap();
    assert!(!version.is_empty());
    let process = format!("/proc/{}", server.id());
    assert!(std::path::Path::new(&process).exists());
    drop(server);
    assert!(!std::path::Path::new(&process).exists());
}

#[test]
fn rabbitmq_takes_what_the_rules_refuse_and_translates_the_rest() {
    let mut oracle = opened("process:rabbitmq-server", Plan::FanOut);
    assert!(oracle.identity().to_string().starts_with("rabbitmq-server "), "{}", oracle.identity());
    let seen = oracle.observe(&small()).unwrap();
    insta::assert_snapshot!("mqtt-rabbitmq", differences(&small(), &seen));
}
