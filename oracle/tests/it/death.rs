//! Life and death of a server of ours, by every lane: killed in the middle of a grid, killed again and again, dropped by
//! a panic.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use wildcheck_oracle::{Address, Options, Oracle, OracleError, open};
use wildcheck_tables::{Grid, Lane, Operand};

use crate::{
    built::VERSION,
    support::{binary, options},
};

const LANES: [Lane; 4] = [Lane::WIRE, Lane::WIRE_PEDANTIC, Lane::CLIENT, Lane::SUBSZ];

/// The bytes that a server has written when it is in the middle of a grid: its greeting and log are a few thousand, a
/// whole grid of [`long`] is many millions.
const BEGUN: u64 = 300_000;

/// A cache folder of its own, so that the servers of one test can be told from those of the others.
struct Own {
    folder: tempfile::TempDir,
    binary: PathBuf,
}

impl Own {
    fn new() -> Own {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("cache/nats-server");
        fs::create_dir_all(&home).unwrap();
        std::os::unix::fs::symlink(binary(VERSION).parent().unwrap(), home.join(VERSION)).unwrap();
        Own { binary: home.join(VERSION).join("nats-server"), folder }
    }

    fn open(&self, route: Lane) -> Box<dyn Oracle> {
        let address: Address = format!("process:nats-server@{VERSION}").parse().unwrap();
        let cache = Some(self.folder.path().join("cache"));
        open(&address, &Options { cache, keep: Some(self.folder.path().join("kept")), ..options(route) }).unwrap()
    }

    /// The servers that run: process id and the bytes that they wrote, which do not depend on how fast the machine is.
    fn servers(&self) -> Vec<(i32, u64)> {
        let server = |entry: fs::DirEntry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let line = fs::read(entry.path().join("cmdline")).ok()?;
            let program = line.split(|byte| *byte == 0).next()?;
            if Path::new(std::str::from_utf8(program).ok()?) != self.binary {
                return None;
            }
            let io = fs::read_to_string(entry.path().join("io")).ok()?;
            let wrote = io.lines().find_map(|line| line.strip_prefix("wchar: "))?;
            Some((pid, wrote.parse::<u64>().ok()?))
        };
        fs::read_dir("/proc").unwrap().flatten().filter_map(server).collect()
    }

    /// Runs `work` while the first `times` servers are killed that have begun to answer a grid.
    fn killing<T>(&self, times: usize, work: impl FnOnce() -> T) -> (T, usize) {
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let killer = scope.spawn(|| {
                let mut killed = Vec::new();
                while !over.load(Ordering::SeqCst) && killed.len() < times {
                    for (pid, wrote) in self.servers() {
                        if wrote >= BEGUN && !killed.contains(&pid) {
                            kill_9(pid);
                            killed.push(pid);
                        }
                    }
                    thread::sleep(Duration::from_millis(2));
                }
                killed.len()
            });
            let result = work();
            over.store(true, Ordering::SeqCst);
            (result, killer.join().unwrap())
        })
    }
}

fn kill_9(pid: i32) {
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    // It may have ended by itself meanwhile.
    let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
}

/// Every pattern takes every subject, so that the server works much longer than it starts.
fn long(route: &Lane) -> Grid {
    let subjects = if *route == Lane::WIRE || *route == Lane::WIRE_PEDANTIC { 30_000 } else { 4_000 };
    let pattern = |bits: u32, last: &str| {
        let head: Vec<&str> = (0..6).map(|bit| if bits >> bit & 1 == 0 { "a" } else { "*" }).collect();
        Operand(format!("{}.{last}", head.join(".")).into_bytes())
    };
    Grid {
        dialect: "nats",
        patterns: (0..64).flat_map(|bits| [pattern(bits, "*"), pattern(bits, ">")]).collect(),
        subjects: (0..subjects).map(|n| Operand(format!("a.a.a.a.a.a.{n}").into_bytes())).collect(),
    }
}

#[test]
fn a_server_killed_in_the_middle_of_a_grid_is_started_again_once_and_told() {
    for route in LANES {
        let own = Own::new();
        let mut lane = own.open(route.clone());
        let grid = long(&route);
        let (seen, killed) = own.killing(1, || lane.observe(&grid).unwrap());
        assert_eq!(killed, 1, "{route}: the grid was long enough to be killed in it");
        assert_eq!(seen.delivered.total(), grid.patterns.len() * grid.subjects.len(), "{route}");
        let findings = lane.findings();
        assert!(findings.len() == 1 && findings[0].contains("was lost"), "{route}: {findings:?}");
        assert_eq!(own.servers().len(), 1, "{route}");
        drop(lane);
        assert_eq!(own.servers().len(), 0, "{route}");
    }
}

#[test]
fn a_server_killed_twice_is_lost_and_the_last_grid_is_kept() {
    let mut told = Vec::new();
    for route in LANES {
        let own = Own::new();
        let mut lane = own.open(route.clone());
        let grid = long(&route);
        let (outcome, killed) = own.killing(2, || lane.observe(&grid).map(|_| ()));
        assert_eq!(killed, 2, "{route}: {outcome:?}");
        let Err(error @ OracleError::Lost { .. }) = outcome else { panic!("{route}: {outcome:?}") };
        told.push(error.to_string());
        let OracleError::Lost { kept: Some(path), .. } = error else { panic!("{route}: no grid was kept") };
        let kept: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        assert_eq!(kept["subjects"].as_array().unwrap().len(), grid.subjects.len(), "{route}");
        assert_eq!(lane.findings().len(), 1, "{route}: the first time is told too");
    }
    // What breaks first is chance: a read, a write, a new connection.
    insta::with_settings!({filters => vec![(r"was lost: .*", "was lost: WHY")]}, {
        insta::assert_snapshot!("killed-twice", told.join("\n"));
    });
}

#[test]
fn a_panic_in_the_holder_leaves_no_server() {
    for route in LANES {
        let own = Own::new();
        let panicked = std::panic::catch_unwind(|| {
            let _lane = own.open(route.clone());
            assert_eq!(own.servers().len(), 1, "{route}");
            panic!("on purpose");
        });
        assert_eq!(panicked.unwrap_err().downcast_ref::<&str>(), Some(&"on purpose"), "{route}");
        assert_eq!(own.servers().len(), 0, "{route}");
    }
}
