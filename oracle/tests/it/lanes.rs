//! What each lane of nats-server shows: refused and open, refused and closed, refused and delivered, inexpressible,
//! lost; of every release that `make test` names.

use wildcheck_oracle::{
    Address, Options, Oracle, OracleError, Plan, open,
    server::{NatsServer, Setup},
    wire::{self, Host, write::Connect},
};
use wildcheck_tables::{Grid, Lane};

use crate::support::{binary, grid, lane, newest, options, told, versions};

/// Operands that meet every fate, as far as the lane has it.
fn fates() -> Grid {
    let long = [b'a'; 4095];
    grid(
        &[b"a.*", b"a.>", b"a..b", b"a.>.c", b"a b", b"", &long],
        &[b"a.b", b"a.*", b"a.>", b"a..b", b"a b", b"", &long],
    )
}

fn shown(route: Lane) {
    let grid = fates();
    let told: Vec<(String, String)> = versions()
        .into_iter()
        .map(|version| {
            let seen = lane(&version, route.clone(), Plan::FanOut).observe(&grid).unwrap();
            (version, told(&grid, &seen))
        })
        .collect();
    let (newest, said) = told.last().unwrap();
    insta::assert_snapshot!(route.to_string(), said);
    for (version, other) in &told {
        assert_eq!(other, said, "{route}: {version} and {newest} differ");
    }
}

#[test]
fn the_wire_lane_shows_every_fate() {
    shown(Lane::WIRE);
}

#[test]
fn the_pedantic_wire_lane_shows_a_subject_that_is_refused_and_delivered() {
    shown(Lane::WIRE_PEDANTIC);
}

#[test]
fn the_client_lane_shows_what_the_library_refuses() {
    shown(Lane::CLIENT);
}

#[test]
fn the_monitor_lane_shows_what_the_server_would_do() {
    shown(Lane::SUBSZ);
}

#[test]
fn a_running_server_is_asked_under_a_random_prefix_and_says_the_same() {
    let server = NatsServer::start(&Setup::new(binary(&newest()))).unwrap();
    let address: Address = format!("nats://{}", server.addr()).parse().unwrap();
    let mut url = open(&address, &options(Lane::WIRE)).unwrap();
    assert!(url.identity().remarks.iter().any(|remark| remark.contains("prefix")), "{:?}", url.identity());
    let all = fates();
    let mut under = told(&all, &url.observe(&all).unwrap());
    let mut pedantic = open(&address, &options(Lane::WIRE_PEDANTIC)).unwrap();
    under.push_str("\npedantic:\n");
    under.push_str(&told(&all, &pedantic.observe(&all).unwrap()));
    insta::assert_snapshot!("url", under);
    // Without the longest operand, which the prefix makes longer than a line may be.
    let some = Grid { patterns: all.patterns[..6].to_vec(), subjects: all.subjects[..6].to_vec(), ..all };
    let beside = lane(&newest(), Lane::WIRE, Plan::FanOut).observe(&some).unwrap();
    // The empty operand is the prefix alone there, which ends in a dot.
    let under = told(&some, &url.observe(&some).unwrap());
    let same = |text: &str| text.lines().filter(|line| !line.contains("\"\"")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(same(&under), same(&told(&some, &beside)));
}

/// A lane to a server that is then killed; what the lane says.
fn lost(route: Lane) -> String {
    let server = NatsServer::start(&Setup::new(binary(&newest()))).unwrap();
    let address: Address = format!("nats://{}", server.addr()).parse().unwrap();
    let port = server.addr().port().to_string();
    let kept = tempfile::tempdir().unwrap();
    let how = Options { keep: Some(kept.path().to_owned()), ..options(route) };
    let mut lane = open(&address, &how).unwrap();
    drop(server);
    match lane.observe(&grid(&[b"a"], &[b"a"])) {
        Err(error @ OracleError::Lost { .. }) => {
            let OracleError::Lost { kept: Some(path), .. } = &error else { panic!("{error}") };
            let text = std::fs::read_to_string(path).unwrap();
            assert!(text.contains("patterns"), "{text}");
            error.to_string().replace(&port, "PORT")
        }
        Err(other) => panic!("{other}"),
        Ok(seen) => panic!("a dead server answered: {seen:?}"),
    }
}

#[test]
fn a_server_that_went_away_is_lost_and_the_last_grid_is_kept() {
    let said: Vec<String> = [Lane::WIRE, Lane::WIRE_PEDANTIC].into_iter().map(lost).collect();
    insta::with_settings!({filters => vec![(r"nats-server [0-9.]+", "nats-server VERSION")]}, {
        insta::assert_snapshot!("lost", said.join("\n"));
    });
}

#[test]
fn a_server_killed_between_two_grids_is_started_again_and_told() {
    let setup = Setup::new(binary(&newest()));
    let server = NatsServer::start(&setup).unwrap();
    let pid = rustix::process::Pid::from_raw(server.id() as i32).unwrap();
    let host = Host::Own(Box::new(server), setup);
    let mut oracle = wire::open("process:nats-server", host, Connect::default(), "", &options(Lane::WIRE)).unwrap();
    let grid = grid(&[b"a.*"], &[b"a.b"]);
    let whole = oracle.observe(&grid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    assert_eq!(oracle.observe(&grid).unwrap(), whole);
    let findings = oracle.findings();
    assert!(findings.len() == 1 && findings[0].contains("was lost"), "{findings:?}");
}

#[test]
fn a_pattern_of_the_greatest_length_is_accepted_however_many_stand_beside_it() {
    let longest = vec![b'a'; 4094];
    let short: Vec<Vec<u8>> = (0..2_000).map(|index| format!("b.{index}").into_bytes()).collect();
    let mut patterns: Vec<&[u8]> = short.iter().map(Vec::as_slice).collect();
    patterns.push(&longest);
    let grid = grid(&patterns, &[&longest, b"b.7"]);
    for route in [Lane::WIRE, Lane::WIRE_PEDANTIC, Lane::SUBSZ] {
        let seen = lane(&newest(), route.clone(), Plan::FanOut).observe(&grid).unwrap();
        assert_eq!(seen.patterns[2_000], wildcheck_tables::Outcome::Accepted, "{route}");
        assert_eq!((seen.delivered.of(0), seen.delivered.of(1)), (&[2_000][..], &[7][..]), "{route}");
    }
}
