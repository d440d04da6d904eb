//! Child processes that cannot outlive us: parent-death signal, own process group, output kept as a bounded tail.
//!
//! Must never leave a child behind: dropping kills and reaps, also while panicking; the death signal covers `kill -9`
//! of ourselves. The signal fires when the *thread* that forked ends, so every child is forked by one thread that
//! lives as long as the process does.

use std::{
    collections::VecDeque,
    io::{self, Read},
    os::unix::process::{CommandExt, ExitStatusExt},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, OnceLock,
        mpsc::{self, Sender},
    },
    thread,
    time::{Duration, Instant},
};

/// How many bytes of a child's talk are kept.
const TAIL: usize = 8 << 10;

type Job = (Command, Sender<io::Result<Child>>);

/// Forks on the thread that never ends. The command gets the death signal and its own process group.
///
/// # Errors
/// As [`Command::spawn`].
pub fn spawn(mut command: Command) -> io::Result<Child> {
    static SPAWNER: OnceLock<Mutex<Sender<Job>>> = OnceLock::new();
    die_with_parent(&mut command);
    let jobs = SPAWNER.get_or_init(|| {
        let (jobs, queue) = mpsc::channel::<Job>();
        thread::spawn(move || {
            while let Ok((mut command, answer)) = queue.recv() {
                let _ = answer.send(command.spawn());
            }
        });
        Mutex::new(jobs)
    });
    let (answer, child) = mpsc::channel();
    let gone = |_| io::Error::other("the spawning thread ended");
    match jobs.lock() {
        Ok(jobs) => jobs.send((command, answer)).map_err(|_| gone(()))?,
        Err(_) => return Err(gone(())),
    }
    child.recv().map_err(|_| gone(()))?
}

/// The child is killed when the thread that forks it ends, and a terminal's Ctrl-C does not reach it.
#[allow(unsafe_code)]
fn die_with_parent(command: &mut Command) {
    command.process_group(0);
    let parent = rustix::process::getpid();
    let prepare = move || {
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        // The parent may have died between fork and here.
        if rustix::process::getppid() != Some(parent) {
            return Err(io::Error::other("the parent died"));
        }
        Ok(())
    };
    // SAFETY: between fork and exec only two system calls are made, no allocation and no lock.
    unsafe { command.pre_exec(prepare) };
}

/// A child whose output is read all the time, and that is killed and reaped when dropped.
#[derive(Debug)]
pub struct Guarded {
    child: Child,
    tail: Arc<Mutex<VecDeque<u8>>>,
    readers: Vec<thread::JoinHandle<()>>,
}

impl Guarded {
    /// Starts it with stdin closed and both outputs captured.
    ///
    /// # Errors
    /// As [`Command::spawn`].
    pub fn spawn(mut command: Command) -> io::Result<Guarded> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = spawn(command)?;
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let mut readers = Vec::new();
        readers.extend(child.stdout.take().map(|stdout| keep_tail(stdout, Arc::clone(&tail))));
        readers.extend(child.stderr.take().map(|stderr| keep_tail(stderr, Arc::clone(&tail))));
        Ok(Guarded { child, tail, readers })
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, if it did.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// As [`Guarded::ended`], giving it a moment to be reaped: sockets close a little before the process is gone.
    pub fn ended_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.ended() {
                None if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                ended => return ended,
            }
        }
    }

    /// As [`Guarded::said`], once it has ended: waits a moment for what is still on its way through the pipes.
    pub fn said_to_the_end(&self) -> String {
        let deadline = Instant::now() + Duration::from_secs(1);
        while self.readers.iter().any(|reader| !reader.is_finished()) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        self.said()
    }

    /// The last lines it said so far, on stdout and stderr.
    pub fn said(&self) -> String {
        let bytes: Vec<u8> = self.tail.lock().map(|tail| tail.iter().copied().collect()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // Both fail only where it has already ended and was reaped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `exit code 1`, `signal 9 (SIGKILL)`.
pub fn how_it_ended(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => status.to_string(),
    }
}

/// The last three lines, as ` (it said: …)`; nothing where there are none.
pub fn quoted(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    match &lines[lines.len().saturating_sub(3)..] {
        [] => String::new(),
        last => format!(" (it said: {})", last.join(" / ")),
    }
}

fn keep_tail(mut from: impl Read + Send + 'static, tail: Arc<Mutex<VecDeque<u8>>>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(n) = from.read(&mut buffer) {
            if n == 0 {
                break;
            }
            let Ok(mut tail) = tail.lock() else { break };
            tail.extend(&buffer[..n]);
            let surplus = tail.len().saturating_sub(TAIL);
            tail.drain(..surplus);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alive(pid: u32) -> bool {
        std::path::Path::new(&format!("/proc/{pid}")).exists()
    }

    #[test]
    fn a_child_outlives_the_thread_that_asked_for_it_and_not_its_guard() {
        let mut sleep = Command::new("sleep");
        sleep.arg("60");
        let mut child = thread::spawn(move || Guarded::spawn(sleep).unwrap()).join().unwrap();
        assert_eq!(child.ended_within(Duration::from_millis(50)), None);
        let pid = child.id();
        drop(child);
        assert!(!alive(pid));
    }

    #[test]
    fn a_panic_takes_the_child_along() {
        let (pid, said) = mpsc::channel();
        let result = thread::spawn(move || {
            let mut sleep = Command::new("sleep");
            sleep.arg("60");
            let child = Guarded::spawn(sleep).unwrap();
            pid.send(child.id()).unwrap();
            panic!("on purpose");
        })
        .join();
        assert!(result.is_err());
        assert!(!alive(said.recv().unwrap()));
    }

    #[test]
    fn what_it_said_last_is_kept() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo out; echo err >&2; exit 3"]);
        let mut child = Guarded::spawn(shell).unwrap();
        let status = child.ended_within(Duration::from_secs(10)).unwrap();
        assert_eq!(how_it_ended(status), "exit code 3");
        let mut words: Vec<String> = child.said_to_the_end().split_whitespace().map(str::to_owned).collect();
        words.sort();
        assert_eq!(words, ["err", "out"]);
    }
}
