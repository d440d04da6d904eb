//! A proxy in front of the real server gives one message in ten thousand to the wrong subscription: whatever asks the
//! server must notice, so that a server column can never be a copy of the reference.

use wildcheck_oracle::{
    Options,
    chaos::Misroute,
    server::{NatsServer, Reach, Setup, find},
};

use crate::cli_support::{Ran, command, finish, run, tables_copy};

pub fn server() -> NatsServer {
    let nats = wildcheck_matcher::by_name("nats").unwrap();
    let found = find(None, &Options::new(nats), Reach::Download).found.unwrap();
    NatsServer::start(&Setup::new(found.binary)).unwrap()
}

/// Asks the command through the proxy, after the same without it was content.
fn through_the_proxy(args: &[&str]) -> Ran {
    let server = server();
    let honest = format!("nats://{}", server.addr());
    run([args, &["--oracle", &honest]].concat()).exits(0);
    let proxy = Misroute::start(server.addr(), 10_000).unwrap();
    let lying = format!("nats://{}", proxy.addr());
    let ran = run([args, &["--oracle", &lying]].concat());
    assert!(proxy.misrouted() > 0, "the command asked too little to meet one message in ten thousand");
    ran
}

#[test]
fn run_notices_one_misrouted_message_in_ten_thousand() {
    let ran = through_the_proxy(&["run", "--seed", "1"]).exits(1);
    assert!(ran.stdout.contains("NEW"), "{}", ran.stdout);
}

#[test]
fn certify_notices_one_misrouted_message_in_ten_thousand() {
    let ran = through_the_proxy(&["certify", "--tokens", "a,b,ab", "--depth", "6", "--seed", "1"]).exits(1);
    let certificate = ran.events().into_iter().find(|event| event["event"] == "certificate").unwrap();
    assert_ne!(certificate["disagreements"], 0, "{certificate}");
}

#[test]
fn regen_check_notices_one_misrouted_message_in_ten_thousand() {
    let server = server();
    let dir = tempfile::tempdir().unwrap();
    let tables = tables_copy(dir.path());
    let regen = |address: &str, check: &[&str]| {
        let args =
            [&["regen", "--seed", "1", "--oracle", address, "--tables", tables.to_str().unwrap()], check].concat();
        let own = tempfile::tempdir().unwrap();
        finish(command(own.path(), args).spawn().unwrap(), b"", own)
    };
    let honest = format!("nats://{}", server.addr());
    regen(&honest, &[]).exits(0);
    regen(&honest, &["--check"]).exits(0);
    let proxy = Misroute::start(server.addr(), 10_000).unwrap();
    let ran = regen(&format!("nats://{}", proxy.addr()), &["--check"]);
    assert!(proxy.misrouted() > 0, "it asked too little to meet one message in ten thousand");
    assert!([1, 3].contains(&ran.code), "exit {}\n{}\n{}", ran.code, ran.stdout, ran.stderr);
}
