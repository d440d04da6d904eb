//! A grid over two servers that are joined: patterns are subscribed to at one, subjects published at another.
//!
//! Must never take a silence for an answer: what is reported as not delivered stands before a sentinel that went the
//! same way. A `PONG` says nothing here, it comes from the near server alone. Routes and leaf connections keep the order
//! of what one connection published, and of the interest that one connection showed.

use std::{
    io::{self, ErrorKind},
    thread,
    time::{Duration, Instant},
};

use wildcheck_tables::{Grid, Outcome};

use super::{
    ask::{Ask, delivery, published},
    codec::{Frame, number},
    connection::Connection,
    sids::Sids,
    write,
};

/// What the sentinels are published to; no row and no scope speaks of it.
const SENTINEL: &[u8] = b"_wildcheck.sentinel";
/// Subjects between two sentinels.
const CHUNK: usize = 256;
/// How long a sentinel may be on its way before the servers count as not joined.
const PATIENCE: Duration = Duration::from_secs(20);

/// Both ends.
struct Ends<'a> {
    ask: &'a Ask<'a>,
    listens: Connection,
    speaks: Connection,
    /// The subscription id that the sentinels arrive under.
    sid: usize,
    round: usize,
}

/// `(subject, pattern)` of each delivery.
pub(super) fn fan_out(
    ask: &Ask<'_>,
    grid: &Grid,
    patterns: &[Outcome],
    subjects: &[Outcome],
) -> io::Result<Vec<(u32, u32)>> {
    let sids = Sids::new(&grid.patterns);
    let sid = grid.patterns.len() + 1;
    let mut ends = Ends { ask, listens: ask.open()?, speaks: ask.open_to_publish()?, sid, round: 0 };
    // First alone: interest that is there when two servers join is told in no order, later interest in that of the
    // subscriptions.
    write::sub(ends.listens.out(), SENTINEL, None, sid as u64);
    ends.joined()?;
    for index in (0..grid.patterns.len()).filter(|index| patterns[*index] == Outcome::Accepted) {
        write::sub(ends.listens.out(), &ask.wired(&grid.patterns[index]), None, sids.of(index));
    }
    write::unsub(ends.listens.out(), sid as u64);
    ends.sid += 1;
    write::sub(ends.listens.out(), SENTINEL, None, ends.sid as u64);
    ends.joined()?;
    let mut deliveries = Vec::new();
    for from in (0..grid.subjects.len()).step_by(CHUNK) {
        for at in (from..grid.subjects.len().min(from + CHUNK)).filter(|at| published(&subjects[*at])) {
            write::publish(ends.speaks.out(), &ask.wired(&grid.subjects[at]), None, at.to_string().as_bytes());
        }
        ends.speak()?;
        let what = &mut |frame: &Frame<'_>| deliveries.extend(delivery(frame, grid, &sids));
        ends.listen(PATIENCE, what)?;
    }
    Ok(deliveries)
}

impl Ends<'_> {
    /// Waits until what is published here arrives there.
    fn joined(&mut self) -> io::Result<()> {
        let started = Instant::now();
        loop {
            self.speak()?;
            match self.listen(Duration::from_millis(50), &mut |_| {}) {
                Err(error) if error.kind() == ErrorKind::TimedOut && started.elapsed() < PATIENCE => {}
                other => return other,
            }
        }
    }

    /// Sends what is to be published and a sentinel behind it.
    fn speak(&mut self) -> io::Result<()> {
        self.round += 1;
        write::publish(self.speaks.out(), SENTINEL, None, payload(self.round).as_bytes());
        self.ask.fence(&mut self.speaks, &mut |_| {})
    }

    /// Reads to the last sentinel.
    fn listen(&mut self, patience: Duration, each: &mut dyn FnMut(&Frame<'_>)) -> io::Result<()> {
        let Ends { ask, listens, sid, .. } = self;
        let awaited = payload(self.round);
        let started = Instant::now();
        loop {
            let mut arrived = false;
            ask.fence(listens, &mut |frame| match &frame {
                Frame::Msg(msg) if number(msg.sid) == Some(*sid) => arrived |= msg.payload == awaited.as_bytes(),
                _ => each(&frame),
            })?;
            if arrived {
                return Ok(());
            }
            if started.elapsed() > patience {
                let why = "what is published at one server does not arrive at the other";
                return Err(io::Error::new(ErrorKind::TimedOut, why));
            }
            thread::sleep(Duration::from_micros(200));
        }
    }
}

/// No number, or a pattern that matches the sentinel's subject would be given the subject at that index.
fn payload(round: usize) -> String {
    format!("s{round}")
}
