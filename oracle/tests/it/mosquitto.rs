//! A mosquitto of our own, asked on the wire.

use wildcheck_matcher::{Dialect, by_name};
use wildcheck_oracle::{Address, Options, Oracle, OracleError, Plan, open, server::mosquitto};
use wildcheck_tables::{Grid, Lane, Operand, Outcome, Verdict};

fn mqtt() -> &'static dyn Dialect {
    by_name("mqtt").unwrap()
}

fn opened(address: &str, plan: Plan) -> Box<dyn Oracle> {
    open(&address.parse().unwrap(), &Options { plan, ..Options::new(mqtt()) }).unwrap()
}

fn grid(patterns: &[&str], subjects: &[&str]) -> Grid {
    let operands = |texts: &[&str]| texts.iter().map(|text| Operand::from(*text)).collect();
    Grid { dialect: "mqtt", patterns: operands(patterns), subjects: operands(subjects) }
}

fn small() -> Grid {
    let filters = ["a", "+", "#", "a/#", "+/b", "/", "", "a/#/b", "a+", "a", "$share/g/a", "$x/#", "+/+/#", "a\0"];
    grid(&filters, &["a", "a/b", "/", "/b", "", "$x", "$x/b", "a", "+", "$SYSx", "a/b/c"])
}

#[test]
fn every_plan_sees_what_the_rules_say_and_a_refusal_does_not_spoil_its_neighbours() {
    let grid = small();
    for plan in [Plan::FanOut, Plan::Isolated, Plan::Resubscribed] {
        let seen = opened("process:mosquitto", plan).observe(&grid).unwrap();
        for (p, pattern) in grid.patterns.iter().enumerate() {
            for (s, subject) in grid.subjects.iter().enumerate() {
                let right = mqtt().matches(&pattern.0, &subject.0);
                assert_eq!(seen.verdict(p, s), Verdict::from(right), "{plan:?} {pattern:?} {subject:?}");
            }
        }
        assert_eq!(seen.patterns[8], Outcome::RefusedClosed("0x81 Malformed Packet".to_owned()));
        assert_eq!(seen.patterns[13].fate(false).as_str(), "refused-closed");
        assert_eq!(seen.subjects[9].fate(false).as_str(), "refused-closed");
    }
}

#[test]
fn a_grid_without_subjects_asks_only_what_is_accepted() {
    let seen = opened("process:mosquitto", Plan::FanOut).observe(&grid(&["a/+", "a+"], &[])).unwrap();
    assert_eq!((seen.pattern_verdict(0), seen.pattern_verdict(1)), (Verdict::True, Verdict::False));
}

#[test]
fn a_running_broker_is_asked_under_a_prefix_and_never_about_a_dollar() {
    let server = mosquitto::start(None, &Options::new(mqtt())).unwrap();
    let mut oracle = opened(&format!("mqtt://{}", server.addr()), Plan::FanOut);
    assert!(oracle.identity().remarks[0].contains("under the prefix wc"), "{:?}", oracle.identity());
    // More filters than a broker as it comes keeps messages for.
    let filters: Vec<String> = (0..1500).map(|i| format!("{}#", "+/".repeat(i % 3))).collect();
    let filters: Vec<&str> = filters.iter().map(String::as_str).chain(["$x/a"]).collect();
    let seen = oracle.observe(&grid(&filters, &["a", "a/b/c", "$x/a"])).unwrap();
    for (p, filter) in filters.iter().enumerate().take(1500) {
        let rows = [seen.verdict(p, 0), seen.verdict(p, 1)];
        assert_eq!(rows, [Verdict::from(p % 3 < 2), Verdict::True], "{filter}");
    }
    assert_eq!((seen.verdict(1500, 0), seen.verdict(0, 2)), (Verdict::Unsupported, Verdict::Unsupported));
}

#[test]
fn what_it_is_is_read_from_it_and_another_version_is_not_had() {
    let oracle = opened("process:mosquitto", Plan::FanOut);
    let version = oracle.identity().version.clone().unwrap();
    assert_eq!(oracle.identity().to_string(), format!("mosquitto {version} (wire)"));
    let open = |address: &str, options: &Options| open(&address.parse::<Address>().unwrap(), options).err().unwrap();
    let other = open("process:mosquitto@0.1", &Options::new(mqtt()));
    assert!(matches!(&other, OracleError::Unavailable { why, .. } if why.contains(&version)), "{other}");
    let lane = Options { lane: Some(Lane::SUBSZ), ..Options::new(mqtt()) };
    assert!(matches!(open("process:mosquitto", &lane), OracleError::Unsupported { .. }));
    let nats = Options::new(by_name("nats").unwrap());
    assert!(matches!(open("process:mosquitto", &nats), OracleError::Unsupported { .. }));
}

#[test]
fn a_broker_is_gone_with_its_value() {
    let server = mosquitto::start(None, &Options::new(mqtt())).unwrap();
    let process = format!("/proc/{}", server.id());
    assert!(std::path::Path::new(&process).exists());
    drop(server);
    assert!(!std::path::Path::new(&process).exists());
}
