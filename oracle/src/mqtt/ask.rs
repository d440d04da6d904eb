//! A grid over MQTT connections: what becomes of each operand, then who gets what.
//!
//! Must never take a silence for an answer: whatever is reported as not delivered stands before the delivery of a
//! sentinel that was published after it, on the same two connections' worth of order: one session.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
};

use wildcheck_tables::{Grid, Matches, Observations, Operand, Outcome};

use super::{
    codec::{self, Frame},
    connection::{Connection, Login, Met, invalid},
    operands::Prefix,
};
use crate::{Interrupt, Plan, broker::Asker, distinct::Distinct};

/// The sentinel's topic and the index in its payload.
const SENTINEL: &[u8] = b"wildcheck-sentinel";
const LAST: u32 = u32::MAX;
/// The subscription identifier of the sentinel; those of the patterns follow.
const SENTINEL_ID: u32 = 1;
/// Commands whose fate is asked for in one go.
const COMMANDS: usize = 2048;
/// A broker that is not ours may drop what waits beyond a thousand messages.
const FOREIGN_WAITING: usize = 500;
/// About so many deliveries are asked of our own between two sentinels.
const OWN_WAITING: usize = 200_000;

/// How to ask.
pub struct MqttAsker {
    pub login: Login,
    pub plan: Plan,
    pub prefix: Prefix,
    /// Stands in every payload, so that what others publish is told from ours.
    pub nonce: u32,
    /// The broker is not ours.
    pub foreign: bool,
    pub interrupt: Interrupt,
}

impl Asker for MqttAsker {
    fn ask(&mut self, addr: SocketAddr, grid: &Grid) -> io::Result<Observations> {
        Ask { how: self, addr }.grid(grid)
    }
}

struct Ask<'a> {
    how: &'a MqttAsker,
    addr: SocketAddr,
}

impl Ask<'_> {
    fn open(&self) -> io::Result<Connection> {
        Connection::open(self.addr, &self.how.login, &self.how.interrupt)
    }

    fn grid(&self, grid: &Grid) -> io::Result<Observations> {
        let filters = Distinct::new(&grid.patterns);
        let topics = Distinct::new(&grid.subjects);
        let prefix = &self.how.prefix;
        let patterns = self.settle(&filters.operands, |out, at, filter| {
            codec::subscribe(out, packet_id(at), SENTINEL_ID + 1, &prefix.of(filter), false);
        })?;
        let subjects = self.settle(&topics.operands, |out, _, topic| {
            codec::publish(out, &prefix.of(topic), &[]);
            codec::ping(out);
        })?;
        let taken: Vec<usize> = (0..patterns.len()).filter(|i| patterns[*i] == Outcome::Accepted).collect();
        let sent: Vec<usize> = (0..subjects.len()).filter(|i| subjects[*i] == Outcome::Accepted).collect();
        let (mut deliveries, mut seen) = (Vec::new(), Vec::new());
        match self.how.plan {
            Plan::Isolated => {
                for filter in taken.chunks(1) {
                    for topic in sent.chunks(1) {
                        self.session(&filters, filter, &topics, topic, &mut seen)?;
                    }
                }
            }
            _ => {
                let most = if self.how.foreign { FOREIGN_WAITING } else { usize::MAX };
                for filters_at in taken.chunks(most) {
                    self.session(&filters, filters_at, &topics, &sent, &mut seen)?;
                }
            }
        }
        for (topic, filter) in seen {
            let (of_topic, of_filter) = (topics.places(topic), filters.places(filter));
            deliveries.extend(of_topic.iter().flat_map(|t| of_filter.iter().map(move |f| (*t, *f))));
        }
        Ok(Observations {
            patterns: filters.spread(&patterns),
            subjects: topics.spread(&subjects),
            delivered: Matches::from_deliveries(deliveries, grid.subjects.len()),
            unknown: Vec::new(),
        })
    }

    /// Sends each operand's command and waits for its answer, SUBACK or PINGRESP; a closed connection is an answer too.
    fn settle(&self, operands: &[Operand], command: impl Fn(&mut Vec<u8>, usize, &[u8])) -> io::Result<Vec<Outcome>> {
        let mut outcomes: Vec<Outcome> =
            operands.iter().map(|operand| self.how.prefix.cannot(&operand.0).unwrap_or(Outcome::Accepted)).collect();
        let sendable: Vec<usize> = (0..operands.len()).filter(|i| outcomes[*i] == Outcome::Accepted).collect();
        let (mut rest, mut size) = (&sendable[..], COMMANDS);
        let mut open: Option<Connection> = None;
        while !rest.is_empty() {
            let batch = &rest[..rest.len().min(size)];
            let mut connection = open.take().map_or_else(|| self.open(), Ok)?;
            let (answers, met) = self.batch(&mut connection, operands, batch, &command)?;
            let done = answers.len();
            for (index, answer) in batch.iter().zip(answers) {
                outcomes[*index] = answer;
            }
            rest = &rest[done..];
            let Met::Closed(_) = met else {
                open = Some(connection);
                size = (size * 2).min(COMMANDS);
                continue;
            };
            // Alone on a new connection it is this command or the broker itself; a dead one does not open.
            let (suspect, after) = rest.split_at(1);
            let mut alone = self.open()?;
            let (answers, met) = self.batch(&mut alone, operands, suspect, &command)?;
            outcomes[suspect[0]] = match (answers.into_iter().next(), met) {
                (Some(answer), _) => answer,
                (None, Met::Closed(words)) => {
                    self.open()?;
                    Outcome::RefusedClosed(words)
                }
                (None, Met::Done) => Outcome::Lost("no answer".to_owned()),
            };
            rest = after;
            // Where one is refused the next one often is.
            size = (size / 4).max(16);
        }
        Ok(outcomes)
    }

    fn batch(
        &self,
        connection: &mut Connection,
        operands: &[Operand],
        batch: &[usize],
        command: &impl Fn(&mut Vec<u8>, usize, &[u8]),
    ) -> io::Result<(Vec<Outcome>, Met)> {
        for (at, index) in batch.iter().enumerate() {
            command(connection.out(), at, &operands[*index].0);
        }
        let mut answers = Vec::with_capacity(batch.len());
        let met = connection.exchange(&self.how.interrupt, &mut |frame| {
            match frame {
                Frame::SubAck(id, _) if id != packet_id(answers.len()) => {
                    return Err(io::Error::new(ErrorKind::InvalidData, "a SUBACK out of order"));
                }
                Frame::SubAck(_, code) if code >= 0x80 => answers.push(Outcome::RefusedOpen(codec::reason(code))),
                Frame::SubAck(..) | Frame::Pong => answers.push(Outcome::Accepted),
                _ => {}
            }
            Ok(answers.len() == batch.len())
        })?;
        Ok((answers, met))
    }

    /// Subscribes to some filters on one connection and publishes some topics there. `(topic, filter)` are appended.
    fn session(
        &self,
        filters: &Distinct,
        taken: &[usize],
        topics: &Distinct,
        sent: &[usize],
        seen: &mut Vec<(usize, usize)>,
    ) -> io::Result<()> {
        let prefix = &self.how.prefix;
        let mut connection = self.open()?;
        let sentinel = prefix.of(SENTINEL);
        codec::subscribe(connection.out(), 1, SENTINEL_ID, &sentinel, false);
        let rounds = if self.how.plan == Plan::Resubscribed { 2 } else { 1 };
        for _ in 0..rounds {
            for (at, index) in taken.iter().enumerate() {
                let id = SENTINEL_ID + 1 + at as u32;
                codec::subscribe(connection.out(), packet_id(at), id, &prefix.of(&filters.operands[*index].0), false);
            }
        }
        let mut rest = sent;
        let mut chunk = 64;
        loop {
            if self.how.foreign {
                chunk = (FOREIGN_WAITING / (taken.len() + 1)).max(1);
            }
            let (now, later) = rest.split_at(rest.len().min(chunk));
            for index in now {
                let topic = prefix.of(&topics.operands[*index].0);
                codec::publish(connection.out(), &topic, &self.payload(*index as u32));
            }
            codec::publish(connection.out(), &sentinel, &self.payload(LAST));
            let before = seen.len();
            self.until_sentinel(&mut connection, taken, seen)?;
            rest = later;
            if rest.is_empty() {
                return Ok(());
            }
            let each = (seen.len() - before) / now.len().max(1) + 1;
            chunk = (OWN_WAITING / each).clamp(16, 65_536);
        }
    }

    fn until_sentinel(
        &self,
        connection: &mut Connection,
        taken: &[usize],
        seen: &mut Vec<(usize, usize)>,
    ) -> io::Result<()> {
        let met = connection.exchange(&self.how.interrupt, &mut |frame| {
            let Frame::Publish { payload, properties, .. } = frame else { return Ok(false) };
            let Some(topic) = self.index(payload) else { return Ok(false) };
            let ids = codec::subscriptions(properties).map_err(invalid)?;
            if topic == LAST {
                return Ok(ids.contains(&SENTINEL_ID));
            }
            for id in ids {
                let filter = id.checked_sub(SENTINEL_ID + 1).and_then(|at| taken.get(at as usize));
                seen.extend(filter.map(|filter| (topic as usize, *filter)));
            }
            Ok(false)
        })?;
        match met {
            Met::Done => Ok(()),
            Met::Closed(words) => {
                let why = format!("the connection was closed {words}");
                Err(io::Error::new(ErrorKind::ConnectionReset, why.trim_end().to_owned()))
            }
        }
    }

    fn payload(&self, index: u32) -> [u8; 8] {
        let both = u64::from(self.how.nonce) << 32 | u64::from(index);
        both.to_be_bytes()
    }

    fn index(&self, payload: &[u8]) -> Option<u32> {
        let both = u64::from_be_bytes(payload.try_into().ok()?);
        (both >> 32 == u64::from(self.how.nonce)).then_some(both as u32)
    }
}

/// Packet ids go round, and none is 0.
fn packet_id(at: usize) -> u16 {
    (at % 65_535) as u16 + 1
}
