//! A proxy in front of a real server that gives one message in so many to the wrong subscription.
//!
//! For tests of the harness itself: what comes through it must be noticed. Must never invent or lose a byte otherwise.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use crate::wire::codec::{Decoder, Frame};

/// A running proxy on loopback. It lives as long as the process; its threads end with their connections.
#[derive(Debug)]
pub struct Misroute {
    addr: SocketAddr,
    misrouted: Arc<AtomicU64>,
}

impl Misroute {
    /// Listens on a free port and passes everything on, but every `one_in`-th `MSG`, counted over all connections,
    /// names the next subscription.
    ///
    /// # Errors
    /// No port is free.
    pub fn start(upstream: SocketAddr, one_in: u64) -> io::Result<Misroute> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let addr = listener.local_addr()?;
        let (seen, misrouted) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let count = misrouted.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (seen, count) = (seen.clone(), count.clone());
                thread::spawn(move || {
                    // A connection that breaks is passed on as a broken connection.
                    let _ = pass(client, upstream, one_in, &seen, &count);
                });
            }
        });
        Ok(Misroute { addr, misrouted })
    }

    /// Where to connect.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// How many messages went astray so far.
    pub fn misrouted(&self) -> u64 {
        self.misrouted.load(Ordering::SeqCst)
    }
}

fn pass(client: TcpStream, upstream: SocketAddr, one_in: u64, seen: &AtomicU64, count: &AtomicU64) -> io::Result<()> {
    let server = TcpStream::connect(upstream)?;
    let (mut from_client, mut to_server) = (client.try_clone()?, server.try_clone()?);
    thread::spawn(move || {
        let _ = io::copy(&mut from_client, &mut to_server);
        let _ = to_server.shutdown(Shutdown::Both);
    });
    let result = astray(server, client.try_clone()?, one_in, seen, count);
    let _ = client.shutdown(Shutdown::Both);
    result
}

fn astray(
    mut server: TcpStream,
    mut client: TcpStream,
    one_in: u64,
    seen: &AtomicU64,
    count: &AtomicU64,
) -> io::Result<()> {
    let mut decoder = Decoder::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let size = server.read(&mut buffer)?;
        if size == 0 {
            return Ok(());
        }
        decoder.feed(&buffer[..size]);
        let mut out = Vec::with_capacity(size);
        while let Some((frame, raw)) = decoder.next_raw().map_err(io::Error::other)? {
            match frame {
                Frame::Msg(msg) if seen.fetch_add(1, Ordering::SeqCst) % one_in == one_in - 1 => {
                    count.fetch_add(1, Ordering::SeqCst);
                    let sid: u64 = std::str::from_utf8(msg.sid).ok().and_then(|sid| sid.parse().ok()).unwrap_or(0);
                    out.extend_from_slice(b"MSG ");
                    out.extend_from_slice(msg.subject);
                    out.extend_from_slice(format!(" {} {}\r\n", sid + 1, msg.payload.len()).as_bytes());
                    out.extend_from_slice(msg.payload);
                    out.extend_from_slice(b"\r\n");
                }
                _ => out.extend_from_slice(raw),
            }
        }
        client.write_all(&out)?;
    }
}
