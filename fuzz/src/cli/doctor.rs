//! `doctor`: can I work here? One line for each thing, and what `auto` means on this machine. Must never change
//! anything here: no download, no install.

use std::{
    io::{Read, Write},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use wildcheck::exit::ExitCode;
use wildcheck_oracle::{
    Options,
    probe::library,
    require::{self, ImageLane},
    server::{
        find::{Reach, cached, find, list_releases},
        program, rabbitmq, redis,
    },
};

use super::{failure::Failure, session::Session, talk::Paint};

/// How long a program may take to tell its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// How a line ends for the person.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Good,
    /// Missing, and something does not work without it.
    Bad,
    /// Missing, and only something optional needs it.
    Absent,
}

/// The brokers of other dialects: program, variable, where it is and what version, dialect.
type Broker = (&'static str, &'static str, fn() -> Result<String, String>, &'static str);
const BROKERS: [Broker; 3] = [
    ("mosquitto", MOSQUITTO, mosquitto_here, "mqtt"),
    ("rabbitmq-server", rabbitmq::VARIABLE, rabbitmq_here, "rabbitmq"),
    ("redis-server", redis::VARIABLE, redis::here, "any dialect, as a glob"),
];
const MOSQUITTO: &str = "WILDCHECK_MOSQUITTO";

struct Page {
    paint: Paint,
    text: String,
}

impl Page {
    fn line(&mut self, state: State, what: &str, found: &str) {
        let mark = match state {
            State::Good => self.paint.good("ok "),
            State::Bad => self.paint.bad("NO "),
            State::Absent => self.paint.dim("-  "),
        };
        self.text.push_str(&format!("{mark} {what:<18} {found}\n"));
    }

    /// A program that tells its version; what is missing without it.
    fn program(&mut self, name: &str, args: &[&str], without: &str, needed: bool) -> bool {
        match first_line(name, args) {
            Ok(line) => {
                self.line(State::Good, name, &line);
                true
            }
            Err(why) => {
                let state = if needed { State::Bad } else { State::Absent };
                self.line(state, name, &format!("{why}; without it {without}"));
                false
            }
        }
    }
}

/// Runs it.
pub fn run(session: &mut Session) -> Result<ExitCode, Failure> {
    let mut page = Page { paint: session.talk.paint, text: String::new() };
    let options = session.options(None, Default::default());
    page.line(
        State::Good,
        "wildcheck",
        &format!("{}, {} {}", env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH),
    );
    page.program("cargo", &["--version"], "nothing can be built, what is built works", false);
    page.program("rustc", &["--version"], "nothing can be built, what is built works", false);
    let python = page.program("python3", &["--version"], "no release can be downloaded", false);
    let pip = python && page.program("python3", &["-m", "pip", "--version"], "no release can be downloaded", false);
    let (engine, as_required) = container_engine(&mut page);
    page.program("nc", &["-h"], "the lines to paste cannot be tried", false);
    writable(&mut page, "working folder", Path::new("."));
    for broker in BROKERS {
        brokers(&mut page, broker);
    }
    for lane in library::LANES {
        match library::here(&lane) {
            Ok(found) => page.line(State::Good, &lane.0, &found),
            Err(why) => page.line(State::Absent, &lane.0, &format!("{why}; without it no claim is asked by that lane")),
        }
    }
    let usable = auto(&mut page, session, &options, pip, engine);
    let mut out = std::io::stdout().lock();
    out.write_all(page.text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
    if usable && as_required {
        Ok(ExitCode::Agree)
    } else if usable {
        session.talk.say(&format!("what {} names cannot be had here; exit 5", require::VARIABLE));
        Ok(ExitCode::NoOracle)
    } else {
        session.talk.say("no live server can be had: put nats-server on PATH, or give pip a network; exit 5");
        Ok(ExitCode::NoOracle)
    }
}

/// A broker that the distribution has.
fn brokers(page: &mut Page, (name, variable, here, dialect): Broker) {
    match here() {
        Ok(line) => page.line(State::Good, name, &line),
        Err(why) => {
            let hint = format!("{why}; without it nobody live answers in {dialect}: make brokers, or set {variable}");
            page.line(State::Absent, name, &hint);
        }
    }
}

fn mosquitto_here() -> Result<String, String> {
    let binary = program::find("mosquitto", MOSQUITTO)?;
    let line = program::first_line(&binary, &["-h"])?;
    Ok(format!("{line} at {}", binary.display()))
}

/// It takes seconds to ask the program itself.
fn rabbitmq_here() -> Result<String, String> {
    let here = rabbitmq::here()?;
    program::on_path("epmd").map_err(|why| format!("{}, but epmd is {why}", here.script.display()))?;
    let version = here.version.as_deref().unwrap_or("of a version that it does not tell");
    Ok(format!("{version} at {}", here.script.display()))
}

/// How `auto` decides, step by step. True when it would find something.
fn auto(page: &mut Page, session: &Session, options: &Options, pip: bool, engine: bool) -> bool {
    let search = find(None, options, Reach::Local);
    for step in &search.steps {
        page.line(State::Good, "auto looks at", &format!("{}: {}", step.tried, step.result));
    }
    let versions = cached(options);
    let cache = if versions.is_empty() { "none".to_owned() } else { versions.join(" ") };
    page.line(State::Good, "cached releases", &cache);
    if let Ok(found) = &search.found {
        page.line(State::Good, "auto means", &format!("nats-server {} at {}", found.version, found.binary.display()));
        return true;
    }
    if pip && !session.interrupt.is_set() {
        match list_releases(options) {
            Ok((releases, None)) if !releases.is_empty() => {
                let newest = &releases[releases.len() - 1];
                page.line(State::Good, "auto means", &format!("nats-server {newest}, downloaded when first used"));
                return true;
            }
            Ok((_, note)) => {
                page.line(State::Absent, "package index", &note.unwrap_or_else(|| "knows no release".to_owned()));
            }
            Err(error) => page.line(State::Absent, "package index", &error.to_string()),
        }
    }
    if engine {
        page.line(State::Good, "auto means", "an image, by the container engine");
        return true;
    }
    page.line(State::Bad, "auto means", "nothing: no binary, no cached release, no package index, no container engine");
    false
}

/// Some engine answers; whether what is required of it can be had.
fn container_engine(page: &mut Page) -> (bool, bool) {
    let without = "without it no image: oracle";
    match require::image_lane() {
        Ok(ImageLane::Engine(version)) => {
            page.line(State::Good, "container engine", &version);
            (true, true)
        }
        Ok(ImageLane::NotRun(why)) => {
            page.line(State::Absent, "container engine", &format!("none: {why}; {without}"));
            (false, true)
        }
        Err(error) => {
            page.line(State::Bad, "container engine", &error.to_string());
            (false, false)
        }
    }
}

fn writable(page: &mut Page, what: &str, dir: &Path) {
    match tempfile::Builder::new().prefix(".wildcheck-doctor").tempfile_in(dir) {
        Ok(_) => page.line(State::Good, what, "can be written"),
        Err(error) => page.line(State::Bad, what, &format!("cannot be written: {error}; use --out")),
    }
}

/// The first line that a program prints, or in a few words why it prints none.
fn first_line(program: &str, args: &[&str]) -> Result<String, String> {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "not found".to_owned(),
            _ => error.to_string(),
        })?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(10)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("no answer in {} seconds", PATIENCE.as_secs()));
            }
        }
    };
    let mut said = String::new();
    if let Some(out) = child.stdout.take() {
        let _ = out.take(4096).read_to_string(&mut said);
    }
    if let Some(out) = child.stderr.take() {
        let _ = out.take(4096).read_to_string(&mut said);
    }
    let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("says nothing").to_owned();
    // A help text is an answer too: some programs know no `--version`.
    if status.success() || program == "nc" { Ok(line) } else { Err(line) }
}
