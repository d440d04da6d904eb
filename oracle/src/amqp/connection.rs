//! One connection to an AMQP broker, one channel on it. Must never outlive a refusal: a closed channel is a closed
//! connection to us.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
};

use super::{
    codec::{self, Decoder, Frame},
    write,
};
use crate::{
    Interrupt,
    stream::{self, Stream},
};

/// Who logs in, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Login {
    /// The user.
    pub user: String,
    /// The password.
    pub password: String,
    /// The virtual host.
    pub vhost: String,
}

impl Default for Login {
    /// What a broker as it comes lets in from its own machine.
    fn default() -> Login {
        Login { user: "guest".to_owned(), password: "guest".to_owned(), vhost: "/".to_owned() }
    }
}

/// What a broker says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// `RabbitMQ`.
    pub product: String,
    /// `3.10.8`.
    pub version: String,
}

/// An open connection with its channel.
pub struct Connection {
    stream: Stream,
    decoder: Decoder,
    /// What it said when we connected.
    pub about: About,
}

/// How an exchange ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Met {
    /// What was waited for came.
    Done,
    /// The broker closed the channel; its words. The connection stays open until we leave.
    ChannelClosed(String),
    /// The broker closed the connection; its words, empty where it said none.
    Closed(String),
}

impl Connection {
    /// Connects and logs in.
    ///
    /// # Errors
    /// Nothing listens, or it does not speak AMQP 0-9-1, or it does not let us in (`PermissionDenied`, its words).
    pub fn open(addr: SocketAddr, login: &Login, interrupt: &Interrupt) -> io::Result<Connection> {
        let stream = Stream::open(addr)?;
        let mut connection = Connection { stream, decoder: Decoder::new(), about: About::default() };
        connection.out().extend_from_slice(write::PROTOCOL);
        let mut about = About::default();
        let met = connection.exchange(interrupt, &mut |frame, out| {
            match frame {
                Frame::Start(table) => {
                    let text = |name| {
                        let text = codec::property(table, name).map_err(invalid)?.unwrap_or_default();
                        Ok::<_, io::Error>(String::from_utf8_lossy(text).into_owned())
                    };
                    about = About { product: text("product")?, version: text("version")? };
                    write::login(out, &login.user, &login.password);
                }
                Frame::Tune(channels, greatest, _) => write::open(out, channels, greatest, &login.vhost),
                Frame::Opened => write::channel(out),
                Frame::Done(codec::Request::Channel) => return Ok(true),
                _ => {}
            }
            Ok(false)
        })?;
        connection.about = about;
        match met {
            Met::Done => Ok(connection),
            Met::Closed(words) if words.is_empty() => {
                Err(io::Error::new(ErrorKind::ConnectionReset, "closed before it let us in"))
            }
            Met::Closed(words) | Met::ChannelClosed(words) => Err(io::Error::new(ErrorKind::PermissionDenied, words)),
        }
    }

    /// What the next exchange sends.
    pub fn out(&mut self) -> &mut Vec<u8> {
        &mut self.stream.out
    }

    /// Sends and reads until `each` says `true` of a frame, or the channel or the connection is closed. What `each`
    /// appends to its second argument is sent as well.
    ///
    /// # Errors
    /// Those of `each`, of [`Stream::exchange`], `InvalidData` for bytes that are not AMQP, and a broker that stops
    /// publishers: what it does not read it will not answer.
    pub fn exchange(
        &mut self,
        interrupt: &Interrupt,
        each: &mut dyn FnMut(Frame<'_>, &mut Vec<u8>) -> io::Result<bool>,
    ) -> io::Result<Met> {
        let Connection { stream, decoder, .. } = self;
        let mut closed = None;
        let met = stream.exchange(interrupt, &mut |bytes, out| {
            decoder.feed(bytes);
            while let Some(frame) = decoder.next_frame().map_err(invalid)? {
                let ended = match frame {
                    Frame::ConnectionClose(code, text) => Met::Closed(words(code, text)),
                    Frame::ChannelClose(code, text) => Met::ChannelClosed(words(code, text)),
                    Frame::Blocked(reason) => {
                        let reason = String::from_utf8_lossy(reason);
                        return Err(io::Error::other(format!("it stops publishers: {reason}")));
                    }
                    frame if each(frame, out)? => Met::Done,
                    _ => continue,
                };
                closed = Some(ended);
                return Ok(true);
            }
            Ok(false)
        })?;
        Ok(match met {
            stream::Met::Done => closed.unwrap_or(Met::Done),
            stream::Met::Closed => Met::Closed(String::new()),
        })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // A broker that hears of it writes no warning about a client that was lost.
        let mut words = Vec::new();
        write::close(&mut words);
        self.stream.leave(&words);
    }
}

/// `501 FRAME_ERROR …`: the code and the text as they came.
fn words(code: u16, text: &[u8]) -> String {
    format!("{code} {}", String::from_utf8_lossy(text)).trim_end().to_owned()
}

/// Bytes that are not the protocol.
fn invalid(error: codec::CodecError) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}
