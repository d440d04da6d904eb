//! A connection on which operands are tried, one answer each: what is refused here spoils no session.
//!
//! Must never deliver: nobody consumes from its queue.

use std::{io, net::SocketAddr};

use wildcheck_tables::Operand;

use super::{
    codec::{Frame, Request},
    connection::{Connection, Login, Met},
    session::Names,
    write,
};
use crate::Interrupt;

/// An exchange and a queue to try operands on.
pub struct Bench {
    connection: Connection,
    names: Names,
}

impl Bench {
    /// Connects and declares.
    ///
    /// # Errors
    /// The connection is lost, or the broker refuses what is needed.
    pub fn open(addr: SocketAddr, login: &Login, names: Names, interrupt: &Interrupt) -> io::Result<Bench> {
        let mut connection = Connection::open(addr, login, interrupt)?;
        let out = connection.out();
        write::topic_exchange(out, &names.exchange(0));
        write::queue(out, &names.queue(0));
        // An exchange without any binding would not go by itself.
        write::bind(out, &names.queue(0), &names.exchange(0), b"");
        let met = connection.exchange(interrupt, &mut |frame, _| Ok(frame == Frame::Done(Request::Bind)))?;
        match met {
            Met::Done => Ok(Bench { connection, names }),
            Met::ChannelClosed(words) | Met::Closed(words) => Err(io::Error::other(words)),
        }
    }

    /// How many were answered, and how it ended.
    ///
    /// # Errors
    /// The connection is lost in another way than by being closed.
    pub fn batch(
        &mut self,
        operands: &[Operand],
        batch: &[usize],
        answer: Request,
        interrupt: &Interrupt,
    ) -> io::Result<(usize, Met)> {
        let (queue, exchange) = (self.names.queue(0), self.names.exchange(0));
        let out = self.connection.out();
        for index in batch {
            let operand = &operands[*index].0;
            if answer == Request::Bind {
                write::bind(out, &queue, &exchange, operand);
            } else {
                write::publish(out, &exchange, operand, b"");
                write::ping(out);
            }
        }
        let mut answers = 0;
        let met = self.connection.exchange(interrupt, &mut |frame, _| {
            answers += usize::from(frame == Frame::Done(answer));
            Ok(answers == batch.len())
        })?;
        Ok((answers, met))
    }
}
