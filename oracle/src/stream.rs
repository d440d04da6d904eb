//! One socket of a pipelined protocol: bytes out and in at the same time.
//!
//! Must never wait without a bound, and never write everything before it reads: both sides would wait for ever.

use std::{
    io::{self, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    thread,
    time::{Duration, Instant},
};

use crate::Interrupt;

/// How long the other side may say nothing while an answer is awaited before it counts as lost.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// How an exchange ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Met {
    /// What was waited for came.
    Done,
    /// The other side closed the connection.
    Closed,
}

/// Gets what came and may append to what is sent; `true` when it has all it waits for.
pub type Taker<'a> = dyn FnMut(&[u8], &mut Vec<u8>) -> io::Result<bool> + 'a;

/// An open socket and what is to be sent on it.
pub struct Stream {
    tcp: TcpStream,
    buffer: Vec<u8>,
    /// Sent by the next [`Stream::exchange`].
    pub out: Vec<u8>,
}

impl Stream {
    /// Connects.
    ///
    /// # Errors
    /// Nothing listens there.
    pub fn open(addr: SocketAddr) -> io::Result<Stream> {
        let tcp = TcpStream::connect_timeout(&addr, Duration::from_secs(10))?;
        tcp.set_nodelay(true)?;
        tcp.set_nonblocking(true)?;
        Ok(Stream { tcp, buffer: vec![0; 1 << 18], out: Vec::new() })
    }

    /// Says `words`, if everything before them was sent, and leaves. What the other side still says is read behind our
    /// back: unread it would make our leaving look like a loss.
    pub fn leave(&mut self, words: &[u8]) {
        if !self.out.is_empty() || self.tcp.write(words).is_err() {
            return;
        }
        let Ok(mut tcp) = self.tcp.try_clone() else { return };
        thread::spawn(move || {
            let ready = tcp.set_nonblocking(false).and_then(|()| tcp.set_read_timeout(Some(PATIENCE)));
            let mut rest = [0; 4096];
            while ready.is_ok() && tcp.read(&mut rest).is_ok_and(|count| count > 0) {}
        });
    }

    /// Sends `out` and shows what comes to `take`, until that says `true` or the connection ends. What `take` appends to
    /// its second argument is sent as well.
    ///
    /// # Errors
    /// Those of `take`; interrupted; silence beyond [`PATIENCE`].
    pub fn exchange(&mut self, interrupt: &Interrupt, take: &mut Taker<'_>) -> io::Result<Met> {
        let mut sent = 0;
        let mut quiet: Option<Instant> = None;
        loop {
            let mut idle = true;
            if sent < self.out.len() {
                match self.tcp.write(&self.out[sent..]) {
                    Ok(count) => {
                        sent += count;
                        idle = false;
                    }
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    // The other side closed: what it said before is still to be read.
                    Err(_) => sent = self.out.len(),
                }
            }
            match self.tcp.read(&mut self.buffer) {
                Ok(0) => return Ok(Met::Closed),
                Ok(count) => {
                    idle = false;
                    if take(&self.buffer[..count], &mut self.out)? {
                        self.out.drain(..sent);
                        return Ok(Met::Done);
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => return Ok(Met::Closed),
            }
            if !idle {
                quiet = None;
                continue;
            }
            if interrupt.is_set() {
                return Err(io::Error::new(ErrorKind::Interrupted, "interrupted"));
            }
            match quiet.get_or_insert_with(Instant::now).elapsed() {
                waited if waited > PATIENCE => return Err(io::Error::new(ErrorKind::TimedOut, "no answer in time")),
                waited if waited > Duration::from_micros(200) => thread::sleep(Duration::from_micros(50)),
                _ => thread::yield_now(),
            }
        }
    }
}
