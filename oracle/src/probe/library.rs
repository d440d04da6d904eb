//! The client libraries of other languages that a probe can go through: taken once, kept in the cache, used offline.
//!
//! Must never install anything on the machine, and never run anything but the library and its driver.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use sha2::{Digest, Sha256};
use wildcheck_tables::Lane;

use crate::{
    Interrupt, OracleError,
    server::{
        cache::Cache,
        child::Guarded,
        pip::{self, PipError},
        program,
    },
};

/// The release of nats-py that is asked.
const NATS_PY: &str = "2.16.0";
const PYTHON_DRIVER: &str = include_str!("../../adapters/clients/nats_py.py");
const GO_DRIVER: &str = include_str!("../../adapters/clients/nats_go.go");
/// Where Debian's golang-*-dev packages put their sources.
const GO_PATH: &str = "/usr/share/gocode";
const GO_LIBRARY: &str = "src/github.com/nats-io/nats.go/nats.go";
const GO_PACKAGES: &str = "Debian's golang-go and golang-github-nats-io-go-nats-dev";
/// How long a first build may take on a small machine.
const BUILD: Duration = Duration::from_secs(300);

/// The lanes that this module knows.
pub const LANES: [Lane; 2] = [Lane::NATS_PY, Lane::NATS_GO];

/// The command that runs a probe through that library.
///
/// # Errors
/// [`OracleError::Unavailable`] with how to get what is missing.
pub fn driver(lane: &Lane, interrupt: &Interrupt) -> Result<Command, OracleError> {
    let cache = Cache::at(None);
    if *lane == Lane::NATS_PY { python(&cache, interrupt) } else { go(&cache, interrupt) }
}

/// What is here of that library, without taking or building anything.
///
/// # Errors
/// A fragment: what is missing, and how to get it.
pub fn here(lane: &Lane) -> Result<String, String> {
    let cache = Cache::at(None);
    if *lane == Lane::NATS_PY {
        let taken = if wheel(&cache).is_file() { "in the cache" } else { "taken by pip when it is asked" };
        return program::find("python3", "").map(|_| format!("nats-py {NATS_PY}, {taken}"));
    }
    let library = Path::new(GO_PATH).join(GO_LIBRARY);
    if !library.is_file() {
        return Err(format!("no {}; install {GO_PACKAGES}", library.display()));
    }
    let go = program::find("go", "").map_err(|why| format!("go {why}; install {GO_PACKAGES}"))?;
    Ok(format!("{}, built with {} when it is asked", library.display(), go.display()))
}

fn wheel(cache: &Cache) -> PathBuf {
    cache.root().join("clients").join(format!("nats_py-{NATS_PY}-py3-none-any.whl"))
}

/// A wheel of plain Python is imported as it is, without being unpacked.
fn python(cache: &Cache, interrupt: &Interrupt) -> Result<Command, OracleError> {
    let wheel = wheel(cache);
    let found = cache.locked(|| {
        if wheel.is_file() {
            return Ok(());
        }
        let staged = tempfile::tempdir().map_err(|error| PipError::Failed(error.to_string()))?;
        let taken = pip::download("nats-py", Some(NATS_PY), staged.path(), interrupt)?;
        put(&taken, &wheel).map_err(|error| PipError::Failed(format!("{}: {error}", wheel.display())))
    })?;
    match found {
        Ok(()) => {}
        Err(PipError::Interrupted) => return Err(OracleError::Interrupted),
        Err(error) => {
            let (why, _) = error.sentences();
            let how = format!(
                "it is taken once with `pip download nats-py=={NATS_PY}`, which needs python3-pip and a network"
            );
            return Err(OracleError::Unavailable { what: format!("nats-py {NATS_PY}"), why, how });
        }
    }
    let mut command = Command::new("python3");
    command.args(["-B", "-c", PYTHON_DRIVER]).env("PYTHONPATH", wheel);
    Ok(command)
}

/// The driver is built once of the distribution's source package.
fn go(cache: &Cache, interrupt: &Interrupt) -> Result<Command, OracleError> {
    let missing = |why: String| OracleError::Unavailable {
        what: "nats.go".to_owned(),
        why,
        how: format!("install {GO_PACKAGES}"),
    };
    let library = Path::new(GO_PATH).join(GO_LIBRARY);
    let source = fs::read(&library).map_err(|error| missing(format!("{}: {error}", library.display())))?;
    let mut digest = Sha256::new();
    digest.update(GO_DRIVER);
    digest.update(source);
    let hex: String = digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let program = cache.root().join("clients").join(format!("nats-go-{hex}"));
    cache.locked(|| if program.is_file() { Ok(()) } else { build(cache, &program, interrupt, &missing) })??;
    Ok(Command::new(program))
}

fn build(
    cache: &Cache,
    program: &Path,
    interrupt: &Interrupt,
    missing: &impl Fn(String) -> OracleError,
) -> Result<(), OracleError> {
    let staged = tempfile::tempdir().map_err(|error| missing(error.to_string()))?;
    let (main, built) = (staged.path().join("main.go"), staged.path().join("driver"));
    fs::write(&main, GO_DRIVER).map_err(|error| missing(error.to_string()))?;
    let mut command = Command::new("go");
    command.args(["build", "-o"]).arg(&built).arg(&main).current_dir(staged.path());
    command.envs([("GO111MODULE", "off"), ("GOPATH", GO_PATH), ("GOFLAGS", ""), ("CGO_ENABLED", "0")]);
    command.env("GOCACHE", cache.root().join("go-build"));
    let mut child = Guarded::spawn(command).map_err(|error| missing(format!("go does not run: {error}")))?;
    let deadline = Instant::now() + BUILD;
    let status = loop {
        if let Some(status) = child.ended_within(Duration::from_millis(20)) {
            break status;
        }
        if interrupt.is_set() {
            return Err(OracleError::Interrupted);
        }
        if Instant::now() > deadline {
            return Err(missing(format!("go build took longer than {BUILD:?}")));
        }
    };
    if !status.success() {
        return Err(missing(format!("go build failed: {}", child.said_to_the_end().trim())));
    }
    put(&built, program).map_err(|error| missing(format!("{}: {error}", program.display())))
}

/// Copies beside the place and renames: nobody sees half a file.
fn put(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().map_or_else(env::temp_dir, PathBuf::from);
    fs::create_dir_all(&folder)?;
    let staged = tempfile::Builder::new().prefix(".staged-").tempdir_in(&folder)?;
    let copy = staged.path().join("file");
    fs::copy(from, &copy)?;
    fs::rename(copy, to)
}

/// Runs a driver: `input` on its stdin, what it said on stdout.
///
/// # Errors
/// A sentence; `None` when it was interrupted.
pub(super) fn run(
    mut command: Command,
    input: &str,
    patience: Duration,
    interrupt: &Interrupt,
) -> Result<Vec<u8>, Option<String>> {
    let told = |error: io::Error| Some(error.to_string());
    let folder = tempfile::tempdir().map_err(told)?;
    let file = |name: &str| folder.path().join(name);
    fs::write(file("in"), input).map_err(told)?;
    command.stdin(fs::File::open(file("in")).map_err(told)?);
    command.stdout(fs::File::create(file("out")).map_err(told)?);
    command.stderr(fs::File::create(file("err")).map_err(told)?);
    let mut child = crate::server::child::spawn(command).map_err(told)?;
    let deadline = Instant::now() + patience;
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Ok(None) if interrupt.is_set() => break Err(None),
            Ok(None) if Instant::now() > deadline => break Err(Some(format!("no answer in {patience:?}"))),
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(error) => break Err(told(error)),
        }
    };
    if ended.is_err() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let status = ended?;
    let said = fs::read(file("out")).map_err(told)?;
    if status.success() && !said.is_empty() {
        return Ok(said);
    }
    let words = fs::read_to_string(file("err")).unwrap_or_default();
    let last = words.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("it said nothing");
    Err(Some(format!("the driver ended with {status}: {last}")))
}
