//! The image lane, really run where a container engine answers; elsewhere named as not run, and a failure where
//! `WILDCHECK_REQUIRE` expects it.

use std::time::{Duration, Instant};

use wildcheck_oracle::{Address, Interrupt, Options, OracleError, Plan, open};
use wildcheck_tables::Lane;

use crate::{
    built::{Built, VERSION, said},
    support::{lane, options, small, told},
};

#[test]
fn a_server_in_a_container_answers_as_one_beside_us_and_is_gone_afterwards() {
    let Some(built) = Built::here("answers") else { return };
    let address: Address = built.address().parse().unwrap();
    let grid = small();
    for route in [Lane::WIRE, Lane::WIRE_PEDANTIC, Lane::CLIENT] {
        let mut contained = open(&address, &options(route.clone())).unwrap();
        assert_eq!(contained.identity().version.as_deref(), Some(VERSION));
        let mut beside = lane(VERSION, route.clone(), Plan::FanOut);
        let (inside, outside) = (contained.observe(&grid).unwrap(), beside.observe(&grid).unwrap());
        assert_eq!(told(&grid, &inside), told(&grid, &outside), "{route}");
        assert!(inside.delivered.total() > 0);
    }
    assert_eq!(built.containers(), [""; 0]);
}

#[test]
fn a_container_listens_on_loopback_alone() {
    let Some(built) = Built::here("loopback") else { return };
    let address: Address = built.address().parse().unwrap();
    let _contained = open(&address, &options(Lane::WIRE)).unwrap();
    let ports = said(&["inspect", "--format", "{{json .NetworkSettings.Ports}}", &built.containers()[0]]);
    assert!(ports.contains(r#""HostIp":"127.0.0.1""#) && !ports.contains("0.0.0.0"), "{ports}");
}

#[test]
fn a_panic_leaves_no_container() {
    let Some(built) = Built::here("panic") else { return };
    let address: Address = built.address().parse().unwrap();
    let panicked = std::panic::catch_unwind(|| {
        let _contained = open(&address, &options(Lane::WIRE)).unwrap();
        assert_eq!(built.containers().len(), 1);
        panic!("on purpose");
    });
    assert_eq!(panicked.unwrap_err().downcast_ref::<&str>(), Some(&"on purpose"));
    assert_eq!(built.containers(), [""; 0]);
}

#[test]
fn a_start_that_takes_too_long_or_is_interrupted_leaves_no_container() {
    let Some(built) = Built::here("late") else { return };
    let address: Address = built.address().parse().unwrap();
    let late = Options { start_timeout: Duration::from_millis(1), ..options(Lane::WIRE) };
    assert!(matches!(open(&address, &late), Err(OracleError::Unavailable { .. })));
    assert_eq!(built.containers(), [""; 0], "after a start that took too long");

    let interrupt = Interrupt::new();
    let interrupted = Options { interrupt: interrupt.clone(), ..options(Lane::WIRE) };
    let start = Instant::now();
    let outcome = std::thread::scope(|scope| {
        let opening = scope.spawn(|| open(&address, &interrupted).map(drop));
        interrupt.set();
        opening.join().unwrap()
    });
    assert!(matches!(outcome, Err(OracleError::Interrupted)), "{outcome:?}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(built.containers(), [""; 0], "after an interrupted start");
}

#[test]
fn an_image_that_is_not_to_be_had_is_unavailable_and_says_how_to_get_it() {
    let Some(_built) = Built::here("unavailable") else { return };
    let address: Address = "image:localhost:1/no-such/nats:0".parse().unwrap();
    match open(&address, &options(Lane::WIRE)) {
        Err(OracleError::Unavailable { how, .. }) => assert!(how.contains("pull or build the image"), "{how}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("there is no such image"),
    }
}
