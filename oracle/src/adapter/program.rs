//! An outside program that is written to and read from in lines, with every wait bounded.
//!
//! Must never block for longer than asked, whatever the program does: not reading, not answering, writing without
//! end. Reading and writing each have a thread; killing the program's process group ends both.

use std::{
    collections::VecDeque,
    ffi::OsString,
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{Interrupt, OracleError, server::child};

/// So much of what it says on stderr is kept.
const COMPLAINTS: usize = 8 << 10;
/// How many unread lines its stdout may be ahead.
const AHEAD: usize = 1024;

/// A line of the program's stdout, without the line end.
enum Line {
    Whole(Vec<u8>),
    /// The first bytes of a line longer than allowed.
    TooLong(Vec<u8>),
}

/// Why there is no line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    /// The time was up.
    Late,
    /// The program ended; how, and what it said on stderr last.
    Ended(String),
    /// The line is longer than allowed: its first bytes.
    TooLong(Vec<u8>),
    /// Ctrl-C.
    Interrupted,
}

/// A running program; killed with its whole process group when dropped.
pub(super) struct Program {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Line>,
    complaints: Arc<Mutex<VecDeque<u8>>>,
    interrupt: Interrupt,
}

/// `exec:`'s line, split as a POSIX shell splits words; nothing else of a shell.
pub(super) fn split(scheme: &str, line: &str) -> Result<Vec<OsString>, OracleError> {
    let bad = |why: &str| OracleError::Address { address: format!("{scheme}:{line}"), why: why.to_owned() };
    let words = shlex::split(line).ok_or_else(|| bad("a quote is not closed"))?;
    if words.is_empty() {
        return Err(bad("no program is named"));
    }
    Ok(words.into_iter().map(OsString::from).collect())
}

/// The command of these words.
pub(super) fn command(words: &[OsString]) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command
}

/// A program that cannot be started at all.
pub(super) fn unavailable(what: &str, error: &io::Error) -> OracleError {
    OracleError::Unavailable {
        what: what.to_owned(),
        why: error.to_string(),
        how: "see that the first word is a program on PATH or a path to one".to_owned(),
    }
}

impl Program {
    /// Starts it. `what` is the address, for messages; lines longer than `longest` bytes are not read.
    pub(super) fn start(
        what: &str,
        words: &[OsString],
        longest: usize,
        interrupt: &Interrupt,
    ) -> Result<Program, OracleError> {
        let mut command = command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child::spawn(command).map_err(|error| unavailable(what, &error))?;
        let (input, lines_in) = mpsc::channel::<Vec<u8>>();
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                // A write fails when the program is gone; the reader notices that too.
                while let Ok(bytes) = lines_in.recv() {
                    if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        let (lines_out, output) = mpsc::sync_channel(AHEAD);
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_lines(stdout, longest, &lines_out));
        }
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(stderr) = child.stderr.take() {
            let tail = Arc::clone(&complaints);
            thread::spawn(move || keep_tail(stderr, &tail));
        }
        Ok(Program { child, input: Some(input), output, complaints, interrupt: interrupt.clone() })
    }

    /// Hands bytes to the program; they are written as fast as it reads.
    pub(super) fn send(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            // Fails when the writer has ended with the program, which the next receive tells.
            let _ = input.send(bytes);
        }
    }

    /// Closes its stdin once everything was written.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line of its stdout.
    pub(super) fn receive(&mut self, limit: Duration) -> Result<Vec<u8>, Silence> {
        let deadline = Instant::now() + limit;
        loop {
            if self.interrupt.is_set() {
                return Err(Silence::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(Duration::from_millis(50))) {
                Ok(Line::Whole(line)) => return Ok(line),
                Ok(Line::TooLong(start)) => return Err(Silence::TooLong(start)),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended(self.how_it_ended())),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Silence::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// A line that lies there already, though nothing was asked.
    pub(super) fn unasked(&mut self) -> Option<Vec<u8>> {
        match self.output.try_recv() {
            Ok(Line::Whole(line) | Line::TooLong(line)) => Some(line),
            Err(_) => None,
        }
    }

    /// The exit status once stdout has closed: a moment is given to end by itself. Only status 0 is `None`.
    pub(super) fn failure(&mut self) -> Option<String> {
        let deadline = Instant::now() + Duration::from_secs(1);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return None,
                Ok(Some(status)) => return Some(child::how_it_ended(status)),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return Some("it closed its stdout and stayed".to_owned()),
            }
        }
    }

    fn how_it_ended(&mut self) -> String {
        let how = self.failure().unwrap_or_else(|| "exit code 0".to_owned());
        match self.complaints() {
            said if said.is_empty() => how,
            said => format!("{how}; its stderr ends: {said}"),
        }
    }

    /// The last two lines of its stderr, at most 300 characters.
    pub(super) fn complaints(&self) -> String {
        let mut bytes: Vec<u8> =
            self.complaints.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        while bytes.last().is_some_and(u8::is_ascii_whitespace) {
            bytes.pop();
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = lines[lines.len().saturating_sub(2)..].join(" | ");
        let skip = last.chars().count().saturating_sub(300);
        last.chars().skip(skip).collect()
    }

    /// Kills it and everything it started in its group, and reaps it.
    pub(super) fn kill(&mut self) {
        self.input = None;
        kill_group(&mut self.child);
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills a child and its process group, and reaps the child. Harmless when it has ended already.
pub(super) fn kill_group(child: &mut Child) {
    // A child that was reaped may have left its number to somebody else.
    if matches!(child.try_wait(), Ok(None)) {
        if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn read_lines(stdout: impl Read, longest: usize, lines: &SyncSender<Line>) {
    let mut stdout = BufReader::with_capacity(64 << 10, stdout);
    loop {
        let mut line = Vec::new();
        let limit = longest as u64 + 1;
        match stdout.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = if line.last() == Some(&b'\n') {
            line.pop();
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            Line::Whole(line)
        } else if line.len() > longest {
            line.truncate(400);
            Line::TooLong(line)
        } else {
            // The end, in the middle of a line: told as it is.
            Line::Whole(line)
        };
        let last = matches!(line, Line::TooLong(_));
        if lines.send(line).is_err() || last {
            return;
        }
    }
}

fn keep_tail(mut stderr: impl Read, tail: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut buffer) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(&buffer[..count]);
        let over = tail.len().saturating_sub(COMPLAINTS);
        tail.drain(..over);
    }
}

/// The first 200 characters of what came, in a form that can be printed: control characters and bytes that are not
/// UTF-8 are escaped.
pub(super) fn shown(line: &[u8]) -> String {
    let mut shown = String::from("`");
    let mut count = 0;
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            count += 1;
            match c {
                _ if count > 200 => {}
                c if c.is_control() => shown.extend(c.escape_default()),
                c => shown.push(c),
            }
        }
        for byte in chunk.invalid() {
            count += 1;
            if count <= 200 {
                shown.push_str(&format!("\\x{byte:02x}"));
            }
        }
    }
    shown.push_str(if count > 200 { "…`" } else { "`" });
    shown
}
