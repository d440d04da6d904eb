//! The command on RabbitMQ: the commands on one node, what is said without one, and that a signal leaves nothing.

use std::{
    fs,
    path::PathBuf,
    process::Child,
    thread,
    time::{Duration, Instant},
};

use wildcheck_matcher::by_name;
use wildcheck_oracle::{
    Options,
    server::{Rabbitmq, rabbitmq::Door},
};

use crate::cli_support::{command, finish, run, run_with, signal};

#[test]
fn the_commands_answer_on_a_node_that_runs() {
    let node = Rabbitmq::start(None, Door::Amqp, &Options::new(by_name("rabbitmq").unwrap())).unwrap();
    let at = format!("amqp://guest:guest@{}", node.addr());
    let on = ["--dialect", "rabbitmq", "--oracle", &at];

    let ran = run([&["certify", "--tokens", "a,b", "--depth", "3", "--invalid"], &on[..]].concat()).exits(0);
    assert!(ran.stderr.contains("24025 pairs asked, 0 disagreements"), "{}", ran.stderr);
    assert!(ran.stdout.contains("asked on exchanges and queues of our own"), "{}", ran.stdout);

    let table = b"operation,left,right\nmatch,#.*,..\nmatch,*,\nvalid-pattern,\\xff,\nvalid-subject,\\xff,\n";
    let ran = run_with([&["judge"], &on[..]].concat(), table).exits(0);
    let verdicts: Vec<&str> = ran.stdout.lines().skip(1).filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(verdicts, ["true", "false", "false", "true"]);

    let ran = run([&["check", "a.#", "a"], &on[..]].concat()).exits(0);
    assert!(ran.stdout.contains("naive stands apart"), "{}", ran.stdout);
    let ran = run([&["check", "\\xff", "a"], &on[..]].concat());
    assert!(ran.stdout.contains("501 FRAME_ERROR - Malformed UTF-8 in shortstr"), "{}", ran.stdout);

    let ran = run([&["minimize", "xx.yy*.zz", "xx.yyq.zz"], &on[..]].concat()).exits(0);
    assert!(ran.stdout.contains("WC008 partial-star-acts"), "{}", ran.stdout);
    let ran = run([&["fuzz", "--max-time", "3s", "--seed", "1"], &on[..]].concat());
    assert!(ran.stderr.contains(" 0 disagreements with the reference"), "{}", ran.stderr);
}

#[test]
fn without_a_node_it_is_exit_5_with_the_sentence_how_to_get_one() {
    let certify = ["certify", "--dialect", "rabbitmq", "--oracle", "process:rabbitmq-server", "--depth", "1"];
    let asked = |variable: &str, value: &str| {
        let dir = tempfile::tempdir().unwrap();
        let mut command = command(dir.path(), certify);
        finish(command.env(variable, value).spawn().unwrap(), b"", dir).exits(5).stderr
    };
    for said in [asked("WILDCHECK_RABBITMQ_SERVER", "/nowhere"), asked("PATH", "/nowhere")] {
        assert!(said.contains("install the package rabbitmq-server (make brokers)"), "{said}");
    }
}

/// The home of the node that the child starts, once its helpers run too.
fn starting(child: &mut Child) -> PathBuf {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it could be stopped");
        let home = processes().into_iter().find(|(parent, _)| *parent == child.id()).map(|(_, home)| home);
        if let Some(home) = home
            && of_home(&home) >= 4
        {
            return home;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("no node is started");
}

/// The parents and the homes of all processes that have the home of a node.
fn processes() -> Vec<(u32, PathBuf)> {
    let read = |entry: fs::DirEntry| {
        let environment = fs::read(entry.path().join("environ")).ok()?;
        let home = environment.split(|byte| *byte == 0).find_map(|line| line.strip_prefix(b"HOME="))?;
        let home = PathBuf::from(String::from_utf8_lossy(home).into_owned());
        let ours = home.file_name()?.to_str()?.starts_with("wildcheck-");
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
        ours.then_some((parent, home))
    };
    fs::read_dir("/proc").unwrap().flatten().filter_map(read).collect()
}

fn of_home(home: &PathBuf) -> usize {
    processes().iter().filter(|(_, of)| of == home).count()
}

#[test]
fn a_signal_leaves_no_process_behind() {
    for (number, code) in [(libc::SIGINT, 130), (libc::SIGKILL, -1)] {
        let dir = tempfile::tempdir().unwrap();
        let args = ["certify", "--dialect", "rabbitmq", "--oracle", "process:rabbitmq-server", "--depth", "6"];
        let mut child = command(dir.path(), args).spawn().unwrap();
        let home = starting(&mut child);
        signal(&child, number);
        finish(child, b"", dir).exits(code);
        let deadline = Instant::now() + Duration::from_secs(10);
        while of_home(&home) > 0 {
            assert!(Instant::now() < deadline, "signal {number}: {} processes are left", of_home(&home));
            thread::sleep(Duration::from_millis(20));
        }
        if number == libc::SIGKILL {
            // Nobody was left to remove it.
            fs::remove_dir_all(&home).unwrap();
        }
        assert!(!home.exists(), "signal {number}: {}", home.display());
    }
}

#[test]
fn the_lane_cost_finds_where_the_brokers_walk_explodes() {
    let ran = run(["run", "--dialect", "rabbitmq", "--lane", "cost", "--seed", "1"]).exits(0);
    let many = ran.stdout.lines().find(|line| line.contains("many-token wildcards")).expect("the family is measured");
    assert!(many.contains("; explodes at pattern \"#.a.#.a.#"), "{many}");
    assert_eq!(ran.stdout.lines().count(), 5, "{}", ran.stdout);
    let findings = ran.events().into_iter().filter(|event| event["kind"] == "growth").count();
    assert_eq!(findings, 5);
}
