//! One grid under every configuration of a server of ours: the answers are the same, limits apart.

use wildcheck_oracle::{
    Address, Options, Oracle, OracleError, Plan,
    configured::{CONFIGURATIONS, named},
    open,
};
use wildcheck_tables::{Lane, Outcome};

use crate::support::{grid, nats, newest, small, told, versions};

fn under(version: &str, name: &str, options: Options) -> Result<Box<dyn Oracle>, OracleError> {
    let address: Address = format!("process:nats-server@{version}").parse().unwrap();
    open(&address, &Options { config: Some(named(name).unwrap()), ..options })
}

#[test]
fn a_grid_has_the_same_deliveries_under_every_configuration_on_both_wire_lanes() {
    let mut grid = small();
    grid.patterns.retain(|pattern| pattern.0.split(|byte| *byte == b'.').count() <= 2);
    for version in versions() {
        for lane in [Lane::WIRE, Lane::WIRE_PEDANTIC] {
            let ask = |name| {
                let options = Options { lane: Some(lane.clone()), ..Options::new(nats()) };
                under(&version, name, options).unwrap().observe(&grid).unwrap()
            };
            let usual = ask("default");
            assert!(usual.delivered.total() > grid.patterns.len(), "{version} {lane}");
            for configuration in &CONFIGURATIONS[1..] {
                assert_eq!(ask(configuration.name), usual, "{version} {lane} {}", configuration.name);
            }
        }
    }
}

#[test]
fn a_limit_refuses_in_the_words_that_its_configuration_knows() {
    let long = [b'a'; 300];
    let grid = grid(&[b"a", b"a.b.c", &long, b">"], &[b"a", b"a.b.c", b"a..b"]);
    let mut texts = Vec::new();
    for name in ["max-sub-tokens", "max-control-line", "pedantic"] {
        let seen = under(&newest(), name, Options::new(nats())).unwrap().observe(&grid).unwrap();
        let refused = seen.patterns.iter().chain(&seen.subjects).filter(|outcome| **outcome != Outcome::Accepted);
        let refused: Vec<_> = refused.collect();
        assert_eq!(refused.len(), 1, "{name}: {refused:?}");
        assert!(named(name).unwrap().limits(refused[0]), "{name}: {refused:?}");
        texts.push(format!("{name}\n{}", told(&grid, &seen)));
    }
    insta::assert_snapshot!("configured-limits", texts.join("\n"));
}

#[test]
fn what_is_published_at_one_server_and_delivered_at_another_is_counted_once_and_in_order() {
    // More subjects than go between two sentinels, and patterns that match the sentinel too.
    let texts: Vec<String> = (0..700).map(|n| format!("a.{n}")).collect();
    let subjects: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
    let grid = grid(&[b">", b"*.>", b"a.*", b"a.699", b"b"], &subjects);
    for name in ["cluster", "leaf-to-hub", "hub-to-leaf"] {
        let seen = under(&newest(), name, Options::new(nats())).unwrap().observe(&grid).unwrap();
        assert_eq!(seen.delivered.total(), 3 * 700 + 1, "{name}");
        assert_eq!(seen.delivered.of(699), [0, 1, 2, 3], "{name}");
    }
}

#[test]
fn what_cannot_be_asked_under_a_configuration_is_said() {
    let cases = [
        ("cluster", Options { plan: Plan::Isolated, ..Options::new(nats()) }),
        ("verbose", Options { lane: Some(Lane::CLIENT), ..Options::new(nats()) }),
    ];
    let mut texts: Vec<String> = Vec::new();
    for (name, options) in cases {
        texts.push(under(&newest(), name, options).err().expect("an error").to_string());
    }
    let config = named("cluster");
    for address in ["reference", "nats://127.0.0.1:1", "recorded:nats-server@2.15.1"] {
        let options = Options { config, ..Options::new(nats()) };
        texts.push(open(&address.parse().unwrap(), &options).err().expect("an error").to_string());
    }
    let texts = texts.join("\n").replace(&format!("process:nats-server@{}", newest()), "process:nats-server@NEWEST");
    insta::assert_snapshot!("configured-unsupported", texts);
}
