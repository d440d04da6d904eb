//! Life and death of a RabbitMQ node of ours: killed in the middle of a grid, dropped by a panic. Two starts, no more.

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use wildcheck_oracle::{
    Options, Oracle, OracleError, amqp,
    broker::Broker,
    server::{Rabbitmq, rabbitmq::Door},
};
use wildcheck_tables::{Grid, Operand};

use crate::amqp::rabbitmq;

/// The bytes that a node has written when it is in the middle of a grid: the queues are a few hundred thousand, all
/// deliveries are ten million.
const BEGUN: u64 = 2_000_000;

/// A node and the process ids and homes of every node it was, this one last.
struct Watched(Rabbitmq, Arc<Mutex<Vec<(u32, PathBuf)>>>);

impl Watched {
    fn note(&self) {
        self.1.lock().unwrap().push((self.0.id(), self.0.folder().to_owned()));
    }
}

impl Broker for Watched {
    fn addr(&self) -> std::net::SocketAddr {
        self.0.addr()
    }
    fn ended(&mut self, patience: Duration) -> Option<String> {
        self.0.ended(patience)
    }
    fn again(&mut self) -> Result<(), OracleError> {
        self.0.again()?;
        self.note();
        Ok(())
    }
}

/// What a process has written, which does not depend on how fast the machine is.
fn wrote(pid: u32) -> u64 {
    let io = fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
    io.lines().find_map(|line| line.strip_prefix("wchar: ")?.parse().ok()).unwrap_or(0)
}

/// The node, its port mapper and its helpers, as far as they run: none of their environment is left of the dead.
fn of_home(home: &Path) -> Vec<String> {
    let wanted = format!("HOME={}", home.display());
    let of = |entry: fs::DirEntry| {
        let environment = fs::read(entry.path().join("environ")).ok()?;
        environment.split(|byte| *byte == 0).find(|line| *line == wanted.as_bytes())?;
        fs::read_to_string(entry.path().join("comm")).ok()
    };
    fs::read_dir("/proc").unwrap().flatten().filter_map(of).collect()
}

/// Every pattern takes every key, so that the node works much longer than a look at it takes.
fn long() -> Grid {
    let pattern = |bits: u32, last: &str| {
        let word = |bit: usize, word| if bits >> bit & 1 == 0 { word } else { "*" };
        Operand(format!("{}.{}.{}.{last}", word(0, "a"), word(1, "b"), word(2, "c")).into_bytes())
    };
    let patterns = (0..8).flat_map(|bits| ["#", "*", "*.#", "#.*", "#.#"].map(|last| pattern(bits, last)));
    let keys = (0..3000).map(|n| Operand(format!("a.b.c.{n}").into_bytes()));
    Grid { dialect: "rabbitmq", patterns: patterns.collect(), subjects: keys.collect() }
}

#[test]
fn a_node_killed_in_the_middle_of_a_grid_is_started_again_once_and_told_and_a_panic_leaves_nothing() {
    let options = Options::new(rabbitmq());
    let nodes = Arc::new(Mutex::new(Vec::new()));
    let node = Watched(Rabbitmq::start(None, Door::Amqp, &options).unwrap(), nodes.clone());
    node.note();
    let mut lane = amqp::lane("process:rabbitmq-server", Box::new(node), &options).unwrap();
    let (first, home) = nodes.lock().unwrap()[0].clone();
    assert!(of_home(&home).len() > 2, "the node, its port mapper and helpers: {:?}", of_home(&home));

    let (grid, over) = (long(), AtomicBool::new(false));
    let before = wrote(first);
    let seen = thread::scope(|scope| {
        let killer = scope.spawn(|| {
            while wrote(first) < before + BEGUN {
                assert!(!over.load(Ordering::SeqCst), "the grid was over before it could be killed in it");
                thread::sleep(Duration::from_millis(2));
            }
            let pid = rustix::process::Pid::from_raw(first as i32).unwrap();
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        });
        let seen = lane.observe(&grid).unwrap();
        over.store(true, Ordering::SeqCst);
        killer.join().unwrap();
        seen
    });
    assert_eq!(seen.delivered.total(), grid.patterns.len() * grid.subjects.len());
    let findings = lane.findings();
    assert!(findings.len() == 1 && findings[0].contains("was lost"), "{findings:?}");
    assert!(findings[0].contains("signal 9"), "{findings:?}");
    assert_eq!(nodes.lock().unwrap().len(), 2);

    let panicked = catch_unwind(AssertUnwindSafe(move || {
        let _lane = lane;
        panic!("on purpose");
    }));
    assert!(panicked.is_err());
    for (_, home) in nodes.lock().unwrap().iter() {
        gone(home);
        assert!(!home.exists(), "{}", home.display());
    }
}

/// Helpers end when their pipe to the node does: at once, but after it.
#[track_caller]
fn gone(home: &Path) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !of_home(home).is_empty() {
        assert!(Instant::now() < deadline, "still there: {:?}", of_home(home));
        thread::sleep(Duration::from_millis(10));
    }
}
