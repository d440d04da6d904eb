//! One connection to an MQTT broker. Must never keep a session: what was subscribed to ends with the connection.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
};

use super::codec::{self, Decoder, Frame, Level};
use crate::{
    Interrupt,
    stream::{self, Stream},
};

/// Who logs in.
pub type Login = Option<(String, String)>;

/// How a connection is made.
#[derive(Clone, Default, Debug)]
pub struct Dial {
    /// What both speak.
    pub level: Level,
    /// Who logs in.
    pub login: Login,
}

/// An open connection behind its CONNACK.
pub struct Connection {
    stream: Stream,
    decoder: Decoder,
    level: Level,
}

/// How an exchange ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Met {
    /// What was waited for came.
    Done,
    /// The broker closed the connection; the reason of its DISCONNECT, empty where it sent none.
    Closed(String),
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// Nothing listens, or it does not speak that MQTT, or it does not let us in.
    pub fn open(addr: SocketAddr, dial: &Dial, interrupt: &Interrupt) -> io::Result<Connection> {
        let level = dial.level;
        let mut connection = Connection { stream: Stream::open(addr)?, decoder: Decoder::new(level), level };
        let login = dial.login.as_ref().map(|(user, password)| (user.as_str(), password.as_str()));
        codec::connect(connection.out(), level, login);
        let mut code = None;
        connection.exchange(interrupt, &mut |frame| {
            if let Frame::ConnAck(reason) = frame {
                code = Some(reason);
            }
            Ok(code.is_some())
        })?;
        match code {
            Some(0) => Ok(connection),
            Some(code) => Err(io::Error::new(ErrorKind::PermissionDenied, codec::reason(code))),
            None => Err(io::Error::new(ErrorKind::ConnectionReset, "closed before CONNACK")),
        }
    }

    /// The next exchange subscribes to a filter.
    pub fn subscribe(&mut self, packet_id: u16, subscription: u32, filter: &[u8], retained: bool) {
        codec::subscribe(&mut self.stream.out, self.level, packet_id, subscription, filter, retained);
    }

    /// The next exchange publishes.
    pub fn publish(&mut self, topic: &[u8], payload: &[u8]) {
        codec::publish(&mut self.stream.out, self.level, topic, payload);
    }

    /// The next exchange asks for a PINGRESP.
    pub fn ping(&mut self) {
        codec::ping(&mut self.stream.out);
    }

    /// What the next exchange sends.
    fn out(&mut self) -> &mut Vec<u8> {
        &mut self.stream.out
    }

    /// Sends and reads until `each` says `true` of a frame, or the connection ends.
    ///
    /// # Errors
    /// Those of `each`, of [`Stream::exchange`], and `InvalidData` for bytes that are not MQTT.
    pub fn exchange(
        &mut self,
        interrupt: &Interrupt,
        each: &mut dyn FnMut(Frame<'_>) -> io::Result<bool>,
    ) -> io::Result<Met> {
        let Connection { stream, decoder, .. } = self;
        let mut words = String::new();
        let met = stream.exchange(interrupt, &mut |bytes, _| {
            decoder.feed(bytes);
            while let Some(frame) = decoder.next_frame().map_err(invalid)? {
                if let Frame::Disconnect(code) = frame {
                    words = codec::reason(code);
                }
                if each(frame)? {
                    return Ok(true);
                }
            }
            Ok(false)
        })?;
        Ok(match met {
            stream::Met::Done => Met::Done,
            stream::Met::Closed => Met::Closed(words),
        })
    }
}

/// Bytes that are not the protocol.
pub fn invalid(error: codec::CodecError) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}
