//! One connection to a NATS server: commands out, frames in, and a fence behind them.
//!
//! Must never know what a frame means for an operand.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
};

use super::{
    codec::{Decoder, Frame},
    write::{self, Connect},
};
use crate::{
    Interrupt,
    stream::{self, Stream},
};

/// An open connection behind its first `PONG`.
pub struct Connection {
    stream: Stream,
    decoder: Decoder,
}

/// How an exchange ended.
#[derive(Debug)]
pub enum Met {
    /// Every fence was answered.
    Fence,
    /// The server closed the connection; its last `-ERR`, empty where it said none.
    Closed(String),
}

impl Connection {
    /// Connects, sends `CONNECT` and `PING`, and reads `INFO` and `PONG`. Returns the `INFO`.
    ///
    /// # Errors
    /// Nothing listens, or it does not speak NATS, or it closes.
    pub fn open(addr: SocketAddr, connect: &Connect) -> io::Result<(Connection, serde_json::Value)> {
        let mut connection = Connection { stream: Stream::open(addr)?, decoder: Decoder::new() };
        write::connect(connection.out(), connect);
        write::ping(connection.out());
        let mut info = serde_json::Value::Null;
        let met = connection.exchange(1, &Interrupt::new(), &mut |frame| {
            if let Frame::Info(json) = frame
                && info.is_null()
            {
                info = serde_json::from_slice(json).unwrap_or_default();
            }
        })?;
        match met {
            Met::Fence => Ok((connection, info)),
            Met::Closed(words) => Err(io::Error::new(ErrorKind::ConnectionReset, format!("closed at once {words}"))),
        }
    }

    /// Commands to be sent by the next [`Connection::exchange`].
    pub fn out(&mut self) -> &mut Vec<u8> {
        &mut self.stream.out
    }

    /// Sends `out`, which holds `fences` `PING`s, and reads until as many `PONG`s came or the connection ended. Each
    /// frame but the server's `PING` is shown to `each`.
    ///
    /// # Errors
    /// Those of [`Stream::exchange`], and `InvalidData` for bytes that are not the protocol.
    pub fn exchange(
        &mut self,
        fences: usize,
        interrupt: &Interrupt,
        each: &mut dyn FnMut(Frame<'_>),
    ) -> io::Result<Met> {
        let Connection { stream, decoder } = self;
        let (mut words, mut pongs) = (String::new(), 0);
        let met = stream.exchange(interrupt, &mut |bytes, out| {
            decoder.feed(bytes);
            while let Some(frame) =
                decoder.next_frame().map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?
            {
                match frame {
                    Frame::Ping => {
                        write::pong(out);
                        continue;
                    }
                    Frame::Pong => pongs += 1,
                    Frame::Err(said) => words = String::from_utf8_lossy(said).into_owned(),
                    _ => {}
                }
                each(frame);
                if pongs == fences {
                    return Ok(true);
                }
            }
            Ok(false)
        })?;
        Ok(match met {
            stream::Met::Done => Met::Fence,
            stream::Met::Closed => Met::Closed(words),
        })
    }
}
