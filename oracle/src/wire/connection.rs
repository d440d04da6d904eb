//! One connection to a NATS server: commands out, frames in, at the same time.
//!
//! Must never wait without a bound, and never write everything before it reads: both sides would wait for ever.

use std::{
    io::{self, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    thread,
    time::{Duration, Instant},
};

use super::{
    codec::{Decoder, Frame},
    write::{self, Connect},
};
use crate::Interrupt;

/// How long a server may say nothing while a fence is awaited before it counts as lost.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// An open connection behind its first `PONG`.
pub struct Connection {
    stream: TcpStream,
    decoder: Decoder,
    buffer: Vec<u8>,
    /// Commands to be sent by the next [`Connection::exchange`].
    pub out: Vec<u8>,
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
        let stream = TcpStream::connect_timeout(&addr, Duration::from_secs(10))?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let mut connection = Connection { stream, decoder: Decoder::new(), buffer: vec![0; 1 << 18], out: Vec::new() };
        write::connect(&mut connection.out, connect);
        write::ping(&mut connection.out);
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

    /// Sends `out`, which holds `fences` `PING`s, and reads until as many `PONG`s came or the connection ended. Each
    /// frame but the server's `PING` is shown to `each`.
    ///
    /// # Errors
    /// Interrupted, silence beyond [`PATIENCE`], or bytes that are not the protocol.
    pub fn exchange(
        &mut self,
        fences: usize,
        interrupt: &Interrupt,
        each: &mut dyn FnMut(Frame<'_>),
    ) -> io::Result<Met> {
        let (mut sent, mut words, mut pongs) = (0, String::new(), 0);
        let mut quiet: Option<Instant> = None;
        loop {
            let mut idle = true;
            if sent < self.out.len() {
                match self.stream.write(&self.out[sent..]) {
                    Ok(count) => {
                        sent += count;
                        idle = false;
                    }
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    // The server closed: what it said before is still to be read.
                    Err(_) => sent = self.out.len(),
                }
            }
            match self.stream.read(&mut self.buffer) {
                Ok(0) => return Ok(Met::Closed(words)),
                Ok(count) => {
                    idle = false;
                    self.decoder.feed(&self.buffer[..count]);
                    loop {
                        let frame = self.decoder.next_frame();
                        match frame.map_err(|error| io::Error::new(ErrorKind::InvalidData, error))? {
                            Some(Frame::Ping) => write::pong(&mut self.out),
                            Some(frame) => {
                                match frame {
                                    Frame::Pong => pongs += 1,
                                    Frame::Err(said) => words = String::from_utf8_lossy(said).into_owned(),
                                    _ => {}
                                }
                                each(frame);
                                if pongs == fences {
                                    self.out.clear();
                                    return Ok(Met::Fence);
                                }
                            }
                            None => break,
                        }
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => return Ok(Met::Closed(words)),
            }
            if !idle {
                quiet = None;
                continue;
            }
            if interrupt.is_set() {
                return Err(io::Error::new(ErrorKind::Interrupted, "interrupted"));
            }
            let since = *quiet.get_or_insert_with(Instant::now);
            match since.elapsed() {
                waited if waited > PATIENCE => return Err(io::Error::new(ErrorKind::TimedOut, "no PONG in time")),
                waited if waited > Duration::from_micros(200) => thread::sleep(Duration::from_micros(50)),
                _ => thread::yield_now(),
            }
        }
    }
}
