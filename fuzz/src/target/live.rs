//! What the live libFuzzer targets share: the server they ask, the comparison with the reference, the count of verdicts.
//!
//! Must never ask anything but loopback. A server is started here only when a person replays a file; under libFuzzer
//! the runner owns it.

use std::{
    net::SocketAddr,
    sync::{
        LazyLock, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use wildcheck_matcher::nats::Nats;
use wildcheck_oracle::{
    Address, Options, Oracle, OracleError, nats, open,
    server::{NatsServer, Reach, Setup, find},
};
use wildcheck_tables::{Grid, Tables, row::BaselineRow};

use super::outcome;
use crate::{campaign::knows, compare::Disagreement, compare::compare, mutants, tally::Tally};

/// The environment variable with the address of the server to ask.
pub const SERVER: &str = "WILDCHECK_FUZZ_SERVER";

/// A server of one's own for the targets.
pub struct OwnServer(NatsServer);

impl OwnServer {
    /// Starts the server that `auto` means.
    ///
    /// # Errors
    /// [`OracleError::Unavailable`] with how to get one.
    pub fn start() -> Result<OwnServer, OracleError> {
        let found = find(None, &Options::new(&Nats), Reach::Download).found?;
        Ok(OwnServer(NatsServer::start(&Setup::new(found.binary))?))
    }

    /// For [`SERVER`].
    pub fn address(&self) -> String {
        self.0.addr().to_string()
    }
}

struct Asked {
    live: Box<dyn Oracle>,
    reference: Box<dyn Oracle>,
    baseline: Vec<BaselineRow>,
    started: Instant,
    told: Duration,
}

static ASKED: LazyLock<Mutex<Asked>> = LazyLock::new(|| {
    let options = Options::new(&Nats);
    let (address, keep): (String, Box<dyn Send>) = match std::env::var(SERVER) {
        Ok(address) => (address, Box::new(())),
        Err(_) => {
            let server = OwnServer::start().unwrap_or_else(|error| panic!("{error}"));
            (server.address(), Box::new(server))
        }
    };
    let addr: SocketAddr = address.parse().unwrap_or_else(|error| panic!("{SERVER}={address}: {error}"));
    assert!(addr.ip().is_loopback(), "{SERVER}={address}: only loopback is fuzzed");
    let live = nats::open_kept(&address, addr, keep, &options).unwrap_or_else(|error| panic!("{error}"));
    let reference = open(&Address::Reference, &options).unwrap_or_else(|error| panic!("{error}"));
    let baseline = Tables::embedded().unwrap_or_else(|error| panic!("{error}")).baseline;
    Mutex::new(Asked { live, reference, baseline, started: Instant::now(), told: Duration::ZERO })
});

static VERDICTS: AtomicU64 = AtomicU64::new(0);

/// Asks the grid live and compares. Says on stderr, about once a second, how many verdicts there were.
///
/// # Panics
/// On a disagreement whose cause the baseline does not know, and when the server is lost: libFuzzer then keeps the
/// input.
pub fn ask(grid: &Grid) {
    if grid.pairs() == 0 {
        return;
    }
    let mut asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
    let right = asked.reference.observe(grid).unwrap_or_else(|error| panic!("{error}"));
    let seen = asked.live.observe(grid).unwrap_or_else(|error| panic!("{error}"));
    let who = asked.live.identity().clone();
    let mut tally = Tally::new(&Nats).knowing(|code| knows(&asked.baseline, &who, code));
    let mut news = Vec::new();
    let counts = compare(grid, &right, &seen, |pattern, subject, reference| {
        let (pattern, subject) = (grid.patterns[pattern].clone(), grid.subjects[subject].clone());
        let found = Disagreement { pattern, subject, reference };
        let causes: Vec<&str> = tally.explain(&found).iter().map(|mutant| mutant.code).collect();
        if causes.is_empty() || !causes.iter().all(|code| knows(&asked.baseline, &who, code)) {
            news.push((causes.first().copied().unwrap_or(mutants::UNEXPLAINED), found));
        }
    });
    assert!(news.is_empty(), "{who} disagrees with the reference: {news:?}");
    let answered = counts.pairs - counts.unknown;
    let verdicts = VERDICTS.fetch_add(answered, Ordering::Relaxed) + answered;
    let elapsed = asked.started.elapsed();
    if elapsed > asked.told + Duration::from_secs(1) {
        asked.told = elapsed;
        eprintln!("{} {:.0}", outcome::VERDICTS, verdicts as f64 / elapsed.as_secs_f64());
    }
}
