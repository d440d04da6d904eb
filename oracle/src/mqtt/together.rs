//! All filters on one connection, told apart by their subscription identifiers: MQTT 5.
//!
//! Must never take a delivery for a filter that its identifiers do not name.

use std::io;

use super::{
    ask::{Ask, Asked, FOREIGN_WAITING, LAST, SENTINEL, SENTINEL_ID, Seen, lost_unless_done, packet_id},
    codec::{self, Frame},
    connection::{Connection, invalid},
};
use crate::Plan;

/// About so many deliveries are asked of our own between two sentinels.
const OWN_WAITING: usize = 200_000;

impl Ask<'_> {
    /// Subscribes to some filters on one connection and publishes some topics there. `(topic, filter)` are appended.
    pub(super) fn together(&self, asked: Asked<'_>, seen: &mut Seen) -> io::Result<()> {
        let Asked { filters, taken, topics, sent } = asked;
        let prefix = &self.how.prefix;
        let mut connection = self.open()?;
        let sentinel = prefix.of(SENTINEL);
        connection.subscribe(1, SENTINEL_ID, &sentinel, false);
        let rounds = if self.how.plan == Plan::Resubscribed { 2 } else { 1 };
        for _ in 0..rounds {
            for (at, index) in taken.iter().enumerate() {
                let id = SENTINEL_ID + 1 + at as u32;
                connection.subscribe(packet_id(at), id, &prefix.of(&filters.operands[*index].0), false);
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
                connection.publish(&topic, &self.payload(*index as u32));
            }
            connection.publish(&sentinel, &self.payload(LAST));
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

    fn until_sentinel(&self, connection: &mut Connection, taken: &[usize], seen: &mut Seen) -> io::Result<()> {
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
        lost_unless_done(met)
    }
}
