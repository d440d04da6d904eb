//! A grid over MQTT connections: what becomes of each operand, then who gets what.
//!
//! Must never take a silence for an answer: whatever is reported as not delivered stands before the delivery of a
//! sentinel that was published after it, on the same connection.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
};

use wildcheck_tables::{Grid, Matches, Observations, Operand, Outcome};

use super::{
    codec::{self, Frame, Level},
    connection::{Connection, Dial, Met},
    operands::Prefix,
};
use crate::{Interrupt, Plan, broker::Asker, distinct::Distinct};

/// The sentinel's topic and the index in its payload.
pub(super) const SENTINEL: &[u8] = b"wildcheck-sentinel";
pub(super) const LAST: u32 = u32::MAX;
/// The subscription identifier of the sentinel; those of the patterns follow.
pub(super) const SENTINEL_ID: u32 = 1;
/// Commands whose fate is asked for in one go.
const COMMANDS: usize = 2048;
/// A broker that is not ours may drop what waits beyond a thousand messages.
pub(super) const FOREIGN_WAITING: usize = 500;

/// How to ask.
pub struct MqttAsker {
    pub dial: Dial,
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

pub(super) struct Ask<'a> {
    pub how: &'a MqttAsker,
    addr: SocketAddr,
}

/// Whom a session asks: places among the distinct operands.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub filters: &'a Distinct,
    pub taken: &'a [usize],
    pub topics: &'a Distinct,
    pub sent: &'a [usize],
}

/// Deliveries as `(topic, filter)`.
pub(super) type Seen = Vec<(usize, usize)>;

impl Ask<'_> {
    pub(super) fn open(&self) -> io::Result<Connection> {
        Connection::open(self.addr, &self.how.dial, &self.how.interrupt)
    }

    /// One subscription identifier a filter, or one connection a filter where the standard has no identifiers.
    fn session(&self, asked: Asked<'_>, seen: &mut Seen) -> io::Result<()> {
        match self.how.dial.level {
            Level::Five => self.together(asked, seen),
            Level::Four => self.apart(asked, seen),
        }
    }

    /// A connection on which topics are settled. A PINGRESP may overtake a broker's second thoughts about a topic (RabbitMQ
    /// has them in another process than the one that reads), an echo of ours can not.
    fn echoing(&self) -> io::Result<Connection> {
        let mut connection = self.open()?;
        if self.how.dial.level == Level::Four {
            connection.subscribe(1, SENTINEL_ID, &self.how.prefix.of(SENTINEL), false);
            let met = connection.exchange(&self.how.interrupt, &mut |frame| Ok(matches!(frame, Frame::SubAck(..))))?;
            lost_unless_done(met)?;
        }
        Ok(connection)
    }

    fn grid(&self, grid: &Grid) -> io::Result<Observations> {
        let filters = Distinct::new(&grid.patterns);
        let topics = Distinct::new(&grid.subjects);
        let prefix = &self.how.prefix;
        let patterns = self.settle(&filters.operands, Ask::open, |connection, at, filter| {
            connection.subscribe(packet_id(at), SENTINEL_ID + 1, &prefix.of(filter), false);
        })?;
        let subjects = self.settle(&topics.operands, Ask::echoing, |connection, _, topic| {
            connection.publish(&prefix.of(topic), &[]);
            match self.how.dial.level {
                Level::Five => connection.ping(),
                Level::Four => connection.publish(&prefix.of(SENTINEL), &self.payload(LAST)),
            }
        })?;
        let taken: Vec<usize> = (0..patterns.len()).filter(|i| patterns[*i] == Outcome::Accepted).collect();
        let sent: Vec<usize> = (0..subjects.len()).filter(|i| subjects[*i] == Outcome::Accepted).collect();
        let (mut deliveries, mut seen) = (Vec::new(), Vec::new());
        match self.how.plan {
            Plan::Isolated => {
                for one in taken.chunks(1) {
                    for other in sent.chunks(1) {
                        let asked = Asked { filters: &filters, taken: one, topics: &topics, sent: other };
                        self.session(asked, &mut seen)?;
                    }
                }
            }
            _ => {
                let most = if self.how.foreign { FOREIGN_WAITING } else { usize::MAX };
                for some in taken.chunks(most) {
                    let asked = Asked { filters: &filters, taken: some, topics: &topics, sent: &sent };
                    self.session(asked, &mut seen)?;
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

    /// Sends each operand's command and waits for its answer, SUBACK or an echo; a closed connection is an answer too.
    fn settle(
        &self,
        operands: &[Operand],
        open: impl Fn(&Self) -> io::Result<Connection>,
        command: impl Fn(&mut Connection, usize, &[u8]),
    ) -> io::Result<Vec<Outcome>> {
        let mut outcomes: Vec<Outcome> =
            operands.iter().map(|operand| self.how.prefix.cannot(&operand.0).unwrap_or(Outcome::Accepted)).collect();
        let sendable: Vec<usize> = (0..operands.len()).filter(|i| outcomes[*i] == Outcome::Accepted).collect();
        let (mut rest, mut size) = (&sendable[..], COMMANDS);
        let mut kept: Option<Connection> = None;
        while !rest.is_empty() {
            let batch = &rest[..rest.len().min(size)];
            let mut connection = kept.take().map_or_else(|| open(self), Ok)?;
            let (answers, met) = self.batch(&mut connection, operands, batch, &command)?;
            let done = answers.len();
            for (index, answer) in batch.iter().zip(answers) {
                outcomes[*index] = answer;
            }
            rest = &rest[done..];
            let Met::Closed(_) = met else {
                kept = Some(connection);
                size = (size * 2).min(COMMANDS);
                continue;
            };
            // Alone on a new connection it is this command or the broker itself; a dead one does not open.
            let (suspect, after) = rest.split_at(1);
            let mut alone = open(self)?;
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
        command: &impl Fn(&mut Connection, usize, &[u8]),
    ) -> io::Result<(Vec<Outcome>, Met)> {
        for (at, index) in batch.iter().enumerate() {
            command(connection, at, &operands[*index].0);
        }
        let mut answers = Vec::with_capacity(batch.len());
        let met = connection.exchange(&self.how.interrupt, &mut |frame| {
            match frame {
                Frame::SubAck(id, _) if id != packet_id(answers.len()) => {
                    return Err(io::Error::new(ErrorKind::InvalidData, "a SUBACK out of order"));
                }
                Frame::SubAck(_, code) if code >= 0x80 => answers.push(Outcome::RefusedOpen(codec::reason(code))),
                Frame::SubAck(..) | Frame::Pong => answers.push(Outcome::Accepted),
                Frame::Publish { payload, .. } if self.index(payload) == Some(LAST) => answers.push(Outcome::Accepted),
                _ => {}
            }
            Ok(answers.len() == batch.len())
        })?;
        Ok((answers, met))
    }

    pub(super) fn payload(&self, index: u32) -> [u8; 8] {
        let both = u64::from(self.how.nonce) << 32 | u64::from(index);
        both.to_be_bytes()
    }

    pub(super) fn index(&self, payload: &[u8]) -> Option<u32> {
        let both = u64::from_be_bytes(payload.try_into().ok()?);
        (both >> 32 == u64::from(self.how.nonce)).then_some(both as u32)
    }
}

/// A fence that was never reached is a lost connection.
pub(super) fn lost_unless_done(met: Met) -> io::Result<()> {
    match met {
        Met::Done => Ok(()),
        Met::Closed(words) => {
            let why = format!("the connection was closed {words}");
            Err(io::Error::new(ErrorKind::ConnectionReset, why.trim_end().to_owned()))
        }
    }
}

/// Packet ids go round, and none is 0.
pub(super) fn packet_id(at: usize) -> u16 {
    (at % 65_535) as u16 + 1
}
