//! The image lane, really run where a container engine answers; elsewhere named as not run, and a failure where
//! `WILDCHECK_REQUIRE` expects it.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use wildcheck_oracle::{Address, OracleError, Plan, image, open};
use wildcheck_tables::Lane;

use crate::support::{binary, lane, newest, options, small, told};

/// The engine's version; `None` after saying that the lane is not run.
fn engine(test: &str) -> Option<String> {
    match image::engine() {
        Ok(version) => Some(version),
        Err(why) => {
            let required = std::env::var("WILDCHECK_REQUIRE").unwrap_or_default();
            assert!(!required.split([',', ' ']).any(|what| what == "image"), "the image lane is required: {why}");
            // Not the captured stderr of a passing test: a lane that is not run is said.
            let _ = writeln!(std::io::stderr().lock(), "not run: image lane ({test}): {why}");
            None
        }
    }
}

/// An image of nothing but the release's static binary.
fn built(version: &str) -> String {
    let name = format!("wildcheck-test-nats:{version}");
    let binary = binary(version);
    let folder = binary.parent().unwrap();
    let mut tar = Command::new("tar")
        .args(["-C", folder.to_str().unwrap(), "-c", "nats-server"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let imported = Command::new("docker")
        .args(["import", "--change", r#"ENTRYPOINT ["/nats-server"]"#, "-", &name])
        .stdin(tar.stdout.take().unwrap())
        .output()
        .unwrap();
    assert!(tar.wait().unwrap().success());
    assert!(imported.status.success(), "{}", String::from_utf8_lossy(&imported.stderr));
    name
}

fn containers() -> String {
    let output = Command::new("docker").args(["ps", "-aq", "--filter", "label=io.wildcheck"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_server_in_a_container_answers_as_one_beside_us_and_is_gone_afterwards() {
    if engine("answers").is_none() {
        return;
    }
    let version = newest();
    let address: Address = format!("image:{}", built(&version)).parse().unwrap();
    let grid = small();
    for route in [Lane::WIRE, Lane::WIRE_PEDANTIC, Lane::CLIENT] {
        let mut contained = open(&address, &options(route.clone())).unwrap();
        assert_eq!(contained.identity().version.as_deref(), Some(&*version));
        let mut beside = lane(&version, route.clone(), Plan::FanOut);
        let (inside, outside) = (contained.observe(&grid).unwrap(), beside.observe(&grid).unwrap());
        assert_eq!(told(&grid, &inside), told(&grid, &outside), "{route}");
        assert!(inside.delivered.total() > 0);
    }
    let panicked = std::panic::catch_unwind(|| {
        let _contained = open(&address, &options(Lane::WIRE)).unwrap();
        panic!("on purpose");
    });
    assert!(panicked.is_err());
    assert_eq!(containers(), "", "no container is left, also after a panic");
    let removed = Command::new("docker").args(["rmi", "-f", &built(&version)]).output().unwrap();
    assert!(removed.status.success(), "{}", String::from_utf8_lossy(&removed.stderr));
}

#[test]
fn an_image_that_is_not_to_be_had_is_unavailable_and_says_how_to_get_it() {
    if engine("unavailable").is_none() {
        return;
    }
    let address: Address = "image:localhost:1/no-such/nats:0".parse().unwrap();
    match open(&address, &options(Lane::WIRE)) {
        Err(OracleError::Unavailable { how, .. }) => assert!(how.contains("pull or build the image"), "{how}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("there is no such image"),
    }
}
