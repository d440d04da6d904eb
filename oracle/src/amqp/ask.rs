//! A grid over AMQP connections: what becomes of each operand, then who gets what.
//!
//! Must never take a silence for an answer, and never put a pair to the broker that would keep it busy for ever: such a
//! pair is told as unsupported.

use std::{io, net::SocketAddr};

use wildcheck_tables::{Grid, Matches, Observations, Operand, Outcome};

use super::{
    bench::Bench,
    codec::Request,
    connection::{Login, Met},
    cost::{self, Budget},
    session::{Bind, Names, Session},
    write::MAX_TEXT,
};
use crate::{Interrupt, Plan, broker::Asker, distinct::Distinct};

/// Commands whose fate is asked for in one go.
const COMMANDS: usize = 2048;
/// About so many deliveries are asked for between two fences.
const OWN_WAITING: usize = 100_000;
/// As many, of a broker that has other things to do.
const FOREIGN_WAITING: usize = 5_000;

/// How to ask.
pub struct AmqpAsker {
    /// Who we are there.
    pub login: Login,
    /// How the grid is put.
    pub plan: Plan,
    /// What was named so far.
    pub names: Names,
    /// What a pair may cost it.
    pub budget: Budget,
    /// The broker is not ours.
    pub foreign: bool,
    /// Ctrl-C.
    pub interrupt: Interrupt,
    /// Binding costs more than asking, and the next grid often has the same patterns.
    pub open: Option<Kept>,
}

/// A session and what it was opened for.
pub struct Kept {
    addr: SocketAddr,
    patterns: Vec<Operand>,
    /// What became of each when the session was opened.
    outcomes: Vec<Outcome>,
    session: Session,
}

impl Asker for AmqpAsker {
    fn ask(&mut self, addr: SocketAddr, grid: &Grid) -> io::Result<Observations> {
        let seen = self.grid(addr, grid);
        if seen.is_err() {
            self.open = None;
        }
        seen
    }
}

impl AmqpAsker {
    fn grid(&mut self, addr: SocketAddr, grid: &Grid) -> io::Result<Observations> {
        let (patterns, keys) = (Distinct::new(&grid.patterns), Distinct::new(&grid.subjects));
        let mut of_keys: Vec<Outcome> = keys.operands.iter().map(expressible).collect();
        self.settle(addr, &keys.operands, accepted(&of_keys), &mut of_keys, Request::Qos)?;
        let sent = accepted(&of_keys);
        let of_patterns = self.open(addr, &patterns.operands)?;
        let mut seen = Vec::new();
        let taken = accepted(&of_patterns);
        if self.plan == Plan::Isolated {
            for pattern in &taken {
                for key in &sent {
                    let one = &patterns.operands[*pattern].0;
                    let mut session = self.session(addr, &[one])?.map_err(|_| changed())?;
                    let mut of_pair = Vec::new();
                    session.publish(
                        &[(*key as u32, &keys.operands[*key].0)],
                        self.budget,
                        &self.interrupt,
                        &mut of_pair,
                    )?;
                    seen.extend(of_pair.into_iter().map(|(key, _)| (key, *pattern as u32)));
                }
            }
        } else if let Some(kept) = &mut self.open {
            let waiting = if self.foreign { FOREIGN_WAITING } else { OWN_WAITING };
            rounds(
                &mut kept.session,
                taken.len(),
                &keys.operands,
                &sent,
                (waiting, self.budget),
                &self.interrupt,
                &mut seen,
            )?;
            seen.iter_mut().for_each(|(_, pattern)| *pattern = taken[*pattern as usize] as u32);
        }
        let mut unknown = Vec::new();
        for (pattern, key) in too_dear(self.budget, &patterns.operands, &taken, &keys.operands, &sent) {
            let why = Outcome::Unsupported(format!("more than {} ways for the broker to try", self.budget.0));
            let places = spread(&patterns, pattern, &keys, key);
            unknown.extend(places.map(|(pattern, key)| (pattern, key, why.clone())));
        }
        let mut deliveries = Vec::with_capacity(seen.len());
        for (key, pattern) in seen {
            let places = spread(&patterns, pattern as usize, &keys, key as usize);
            deliveries.extend(places.map(|(pattern, key)| (key, pattern)));
        }
        Ok(Observations {
            patterns: patterns.spread(&of_patterns),
            subjects: keys.spread(&of_keys),
            delivered: Matches::from_deliveries(deliveries, grid.subjects.len()),
            unknown,
        })
    }

    /// A session with every pattern that is taken, and what became of all of them. Isolated there is no session.
    fn open(&mut self, addr: SocketAddr, patterns: &[Operand]) -> io::Result<Vec<Outcome>> {
        if let Some(kept) = &self.open
            && kept.addr == addr
            && kept.patterns == patterns
        {
            return Ok(kept.outcomes.clone());
        }
        self.open = None;
        let mut outcomes: Vec<Outcome> = patterns.iter().map(expressible).collect();
        // A refusal takes the whole session along, so those that might be refused are tried beforehand.
        let mut tried = accepted(&outcomes);
        if self.plan != Plan::Isolated {
            tried.retain(|at| !plain(&patterns[*at].0));
        }
        self.settle(addr, patterns, tried, &mut outcomes, Request::Bind)?;
        if self.plan == Plan::Isolated {
            return Ok(outcomes);
        }
        for _ in 0..2 {
            let taken = accepted(&outcomes);
            let bytes: Vec<&[u8]> = taken.iter().map(|at| &patterns[*at].0[..]).collect();
            if let Ok(session) = self.session(addr, &bytes)? {
                let patterns = patterns.to_vec();
                self.open = Some(Kept { addr, patterns, outcomes: outcomes.clone(), session });
                return Ok(outcomes);
            }
            self.settle(addr, patterns, taken, &mut outcomes, Request::Bind)?;
        }
        Err(changed())
    }

    fn session(
        &mut self,
        addr: SocketAddr,
        patterns: &[&[u8]],
    ) -> io::Result<Result<Session, super::session::Refused>> {
        let how = if self.plan == Plan::Resubscribed { Bind::Again } else { Bind::Once };
        Session::open(addr, &self.login, self.names.next(), patterns, how, &self.interrupt)
    }

    /// Asks for the fate of some operands, as patterns ([`Request::Bind`]) or as keys ([`Request::Qos`]), one answer
    /// each. A closed channel or connection is an answer too.
    fn settle(
        &mut self,
        addr: SocketAddr,
        operands: &[Operand],
        which: Vec<usize>,
        outcomes: &mut [Outcome],
        answer: Request,
    ) -> io::Result<()> {
        let (mut rest, mut size) = (&which[..], COMMANDS);
        let mut open: Option<Bench> = None;
        while !rest.is_empty() {
            let batch = &rest[..rest.len().min(size)];
            let mut bench = open.take().map_or_else(|| self.bench(addr), Ok)?;
            let (done, met) = bench.batch(operands, batch, answer, &self.interrupt)?;
            rest = &rest[done..];
            if met == Met::Done {
                open = Some(bench);
                size = (size * 2).min(COMMANDS);
                continue;
            }
            // Alone on a new connection it is this operand or the broker itself; a dead one does not open.
            let (suspect, after) = rest.split_at(1);
            let (_, met) = self.bench(addr)?.batch(operands, suspect, answer, &self.interrupt)?;
            outcomes[suspect[0]] = match met {
                Met::Done => Outcome::Accepted,
                Met::ChannelClosed(words) => Outcome::RefusedOpen(words),
                Met::Closed(words) => {
                    self.bench(addr)?;
                    Outcome::RefusedClosed(words)
                }
            };
            rest = after;
            // Where one is refused the next one often is.
            size = (size / 4).max(16);
        }
        Ok(())
    }

    fn bench(&mut self, addr: SocketAddr) -> io::Result<Bench> {
        Bench::open(addr, &self.login, self.names.next(), &self.interrupt)
    }
}

/// Publishes in rounds, as many keys in each as bring about `waiting` deliveries.
fn rounds(
    session: &mut Session,
    patterns: usize,
    keys: &[Operand],
    sent: &[usize],
    (waiting, budget): (usize, Budget),
    interrupt: &Interrupt,
    seen: &mut Vec<(u32, u32)>,
) -> io::Result<()> {
    let mut rest = sent;
    let mut size = (waiting / (patterns + 1)).clamp(1, 64);
    while !rest.is_empty() {
        let (now, later) = rest.split_at(rest.len().min(size));
        let before = seen.len();
        let published: Vec<(u32, &[u8])> = now.iter().map(|at| (*at as u32, &keys[*at].0[..])).collect();
        session.publish(&published, budget, interrupt, seen)?;
        rest = later;
        let each = (seen.len() - before) / now.len() + 1;
        size = (waiting / each).clamp(1, size * 16);
    }
    Ok(())
}

/// The pairs that are not put to a broker.
fn too_dear(
    budget: Budget,
    patterns: &[Operand],
    taken: &[usize],
    keys: &[Operand],
    sent: &[usize],
) -> Vec<(usize, usize)> {
    let words: Vec<usize> = sent.iter().map(|at| cost::words(&keys[*at].0)).collect();
    let longest = words.iter().copied().max().unwrap_or(0);
    let mut pairs = Vec::new();
    for pattern in taken {
        let hashes = cost::hashes(&patterns[*pattern].0);
        if !budget.affordable(hashes, longest) {
            let dear = sent.iter().zip(&words).filter(|(_, words)| !budget.affordable(hashes, **words));
            pairs.extend(dear.map(|(key, _)| (*pattern, *key)));
        }
    }
    pairs
}

/// Every place of a pair in the grid.
fn spread<'a>(
    patterns: &'a Distinct,
    pattern: usize,
    keys: &'a Distinct,
    key: usize,
) -> impl Iterator<Item = (u32, u32)> + 'a {
    let keys = keys.places(key);
    patterns.places(pattern).iter().flat_map(move |pattern| keys.iter().map(move |key| (*pattern, *key)))
}

fn expressible(operand: &Operand) -> Outcome {
    if operand.0.len() > MAX_TEXT {
        return Outcome::Inexpressible("a length of more than one byte".to_owned());
    }
    Outcome::Accepted
}

fn accepted(outcomes: &[Outcome]) -> Vec<usize> {
    (0..outcomes.len()).filter(|at| outcomes[*at] == Outcome::Accepted).collect()
}

/// Nothing is known of any broker that would refuse it.
fn plain(pattern: &[u8]) -> bool {
    pattern.is_ascii() && cost::hashes(pattern) <= 2
}

fn changed() -> io::Error {
    io::Error::other("it refuses a pattern that it took before")
}
