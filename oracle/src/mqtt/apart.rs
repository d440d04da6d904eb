//! One connection a filter, because MQTT 3.1.1 does not say for which subscription a message comes.
//!
//! Must never report "not delivered" of what was not published before a sentinel that came to the same connection.
//!
//! Why the sentinel is a fence: one connection publishes everything, the sentinel last, and each broker hands what one
//! connection publishes to one session in that order (MQTT 3.1.1, 4.6: ordered topics), whichever of the session's
//! subscriptions it is for. nats-server appends to the session's buffer while it reads the publisher; RabbitMQ binds
//! every filter of quality 0 of a session to one queue, and the publisher has one channel. The sentinel is subscribed to
//! behind the filter, and nothing is published before every SUBACK has come.

use std::io::{self, ErrorKind};

use super::{
    ask::{Ask, Asked, LAST, SENTINEL, Seen, lost_unless_done},
    codec::{self, Frame},
    connection::Connection,
};
use crate::Plan;

/// Connections at a time.
const CONNECTIONS: usize = 200;
/// Topics, and bytes of them, between two sentinels: what waits for us to read it must fit into the broker's buffers.
const TOPICS: usize = 1024;
const BYTES: usize = 1 << 18;

/// One filter's connection.
struct Ear {
    filter: usize,
    connection: Connection,
}

impl Ask<'_> {
    /// Each filter on a connection of its own; one more publishes the topics. `(topic, filter)` are appended.
    pub(super) fn apart(&self, asked: Asked<'_>, seen: &mut Seen) -> io::Result<()> {
        for some in asked.taken.chunks(CONNECTIONS) {
            let mut ears = self.ears(asked, some)?;
            let mut mouth = self.open()?;
            let (mut rest, mut round) = (asked.sent, 0);
            while !rest.is_empty() {
                let (now, later) = rest.split_at(self.fits(asked, rest));
                for index in now {
                    mouth.publish(&self.how.prefix.of(&asked.topics.operands[*index].0), &self.payload(*index as u32));
                }
                // A filter that catches the sentinel's topic gets it twice: the last round's must not end this one.
                let fence = LAST - round;
                mouth.publish(&self.how.prefix.of(SENTINEL), &self.payload(fence));
                mouth.ping();
                lost_unless_done(mouth.exchange(&self.how.interrupt, &mut |frame| Ok(frame == Frame::Pong))?)?;
                for ear in &mut ears {
                    self.hear(ear, fence, asked.topics.operands.len(), seen)?;
                }
                (rest, round) = (later, round + 1);
            }
        }
        Ok(())
    }

    /// How many of these topics stand between two sentinels; at least one.
    fn fits(&self, asked: Asked<'_>, rest: &[usize]) -> usize {
        let mut bytes = 0;
        let fit = rest.iter().take(TOPICS).take_while(|index| {
            bytes += asked.topics.operands[**index].0.len();
            bytes <= BYTES
        });
        fit.count().max(1)
    }

    /// Subscribed, and every SUBACK here.
    fn ears(&self, asked: Asked<'_>, some: &[usize]) -> io::Result<Vec<Ear>> {
        let subscribes: u16 = if self.how.plan == Plan::Resubscribed { 3 } else { 2 };
        let mut ears = Vec::with_capacity(some.len());
        for filter in some {
            let mut connection = self.open()?;
            let wired = self.how.prefix.of(&asked.filters.operands[*filter].0);
            for id in 1..subscribes {
                connection.subscribe(id, 0, &wired, false);
            }
            connection.subscribe(subscribes, 0, &self.how.prefix.of(SENTINEL), false);
            ears.push(Ear { filter: *filter, connection });
        }
        for ear in &mut ears {
            let met = ear.connection.exchange(&self.how.interrupt, &mut |frame| match frame {
                Frame::SubAck(_, code) if code >= 0x80 => {
                    let why = format!("a filter that was taken before is refused: {}", codec::reason(code));
                    Err(io::Error::new(ErrorKind::ConnectionReset, why))
                }
                Frame::SubAck(id, _) => Ok(id == subscribes),
                _ => Ok(false),
            })?;
            lost_unless_done(met)?;
        }
        Ok(ears)
    }

    fn hear(&self, ear: &mut Ear, fence: u32, topics: usize, seen: &mut Seen) -> io::Result<()> {
        let met = ear.connection.exchange(&self.how.interrupt, &mut |frame| {
            let Frame::Publish { payload, .. } = frame else { return Ok(false) };
            match self.index(payload) {
                Some(index) if index == fence => Ok(true),
                Some(index) if (index as usize) < topics => {
                    seen.push((index as usize, ear.filter));
                    Ok(false)
                }
                _ => Ok(false),
            }
        })?;
        lost_unless_done(met)
    }
}
