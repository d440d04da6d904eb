//! How the time for one pair grows with its length, and where it explodes.
//!
//! Must never take long itself: a family ends as soon as one pair is slow, and none is asked what the rules refuse.

use std::time::{Duration, Instant};

use wildcheck_matcher::{Dialect, Strength};
use wildcheck_oracle::{Oracle, OracleError, adapter::NO_ANSWER};
use wildcheck_tables::{Grid, Operand, Outcome};

/// A pair slower than this is an explosion if it grew out of proportion; that ends its family.
const SLOW: Duration = Duration::from_millis(100);
/// So many times slower still ends the family, explosion or not.
const PATIENT: u32 = 10;
/// The longest pair, in repetitions.
const MOST: usize = 160;
/// How many times the time of the shortest pair, for each repetition, is still in proportion.
const STEEP: u32 = 20;

/// What one family came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Growth {
    /// What grows.
    pub family: &'static str,
    /// Repetitions and the time of one pair, shortest first.
    pub times: Vec<(usize, Duration)>,
    /// The first pair that is out of proportion.
    pub explosion: Option<(Operand, Operand)>,
}

impl Growth {
    /// One sentence for the record.
    pub fn sentence(&self) -> String {
        let told = |(size, time): &(usize, Duration)| format!("{:.2} ms at {size}", time.as_secs_f64() * 1e3);
        let (Some(first), Some(last)) = (self.times.first(), self.times.last()) else {
            return format!("{}: not expressible in this dialect", self.family);
        };
        let end = if self.explosion.is_some() { "explodes" } else { "in proportion" };
        format!("{}: {}, {}; {end}", self.family, told(first), told(last))
    }
}

type Family = (&'static str, fn(&dyn Dialect, usize) -> Option<(Vec<u8>, Vec<u8>)>);

/// The families. Each makes a pair of `n` repetitions, or nothing where the dialect has no such wildcard.
const FAMILIES: [Family; 5] = [
    ("equal tokens", |dialect, n| {
        let text = repeated(dialect, b"a", n);
        Some((text.clone(), text))
    }),
    ("one long token", |_, n| Some((vec![b'a'; n], vec![b'a'; n]))),
    ("one-token wildcards", |dialect, n| {
        Some((repeated(dialect, dialect.syntax().one?, n), repeated(dialect, b"a", n + 1)))
    }),
    // Many-token wildcards with literals between, and a subject that fails at its very end: what a matcher that tries
    // every split does in exponential time.
    ("many-token wildcards", |dialect, n| {
        let separator = dialect.syntax().separator?;
        let piece = [dialect.syntax().many?, &[separator], b"a"].concat();
        let mut subject = repeated(dialect, b"a", 2 * n);
        subject.extend([separator, b'b']);
        Some((repeated(dialect, &piece, n), subject))
    }),
    // The same with stars inside one token, which no dialect but Solace knows: for matchers built on expressions.
    ("stars within a token", |dialect, n| {
        let mut subject = vec![b'a'; 2 * n];
        subject.push(b'b');
        Some(([dialect.syntax().one?, b"a"].concat().repeat(n), subject))
    }),
];

fn repeated(dialect: &dyn Dialect, token: &[u8], n: usize) -> Vec<u8> {
    let separator: Vec<u8> = dialect.syntax().separator.into_iter().collect();
    vec![token; n].join(&separator[..])
}

/// Measures every family.
///
/// # Errors
/// The program was lost or broke its protocol.
pub fn measure(dialect: &'static dyn Dialect, program: &mut dyn Oracle) -> Result<Vec<Growth>, OracleError> {
    FAMILIES.iter().map(|family| one(dialect, program, family)).collect()
}

fn one(dialect: &'static dyn Dialect, program: &mut dyn Oracle, (name, make): &Family) -> Result<Growth, OracleError> {
    let mut growth = Growth { family: name, times: Vec::new(), explosion: None };
    let mut size = 1;
    while size <= MOST {
        let Some((pattern, subject)) = make(dialect, size) else { break };
        let legal = dialect.validate_pattern(&pattern, Strength::Server).is_ok()
            && dialect.validate_subject(&subject, Strength::Server).is_ok();
        if !legal {
            break;
        }
        let grid = Grid::pair(dialect.name(), &pattern, &subject);
        let Some((time, silent)) = time(&grid, program)? else { break };
        growth.times.push((size, time));
        let first = growth.times.first().map_or(time, |(_, time)| *time);
        // The shortest pair costs a round trip, so proportion is measured against that and generously.
        if silent || (time >= SLOW && time > first * STEEP) {
            growth.explosion = Some((pattern.into(), subject.into()));
            break;
        }
        // Slow and yet in proportion: a program that is slow from the start, or a machine that has much else to do.
        if time >= SLOW * PATIENT {
            break;
        }
        size += size.div_ceil(4);
    }
    Ok(growth)
}

/// The fastest of three, and whether there was no answer at all; `None` for a pair that is not put to it.
fn time(grid: &Grid, program: &mut dyn Oracle) -> Result<Option<(Duration, bool)>, OracleError> {
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let started = Instant::now();
        let seen = program.observe(grid)?;
        best = best.min(started.elapsed());
        let silent = |outcome: &Outcome| matches!(outcome, Outcome::Failed(why) if why.starts_with(NO_ANSWER));
        if seen.unknown.iter().any(|(_, _, outcome)| silent(outcome)) {
            return Ok(Some((best, true)));
        }
        if seen.unknown.iter().any(|(_, _, outcome)| matches!(outcome, Outcome::Unsupported(_))) {
            return Ok(None);
        }
        if best > SLOW * 4 {
            break;
        }
    }
    Ok(Some((best, false)))
}
