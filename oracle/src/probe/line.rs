//! One connection of a wire probe: writes what it is told, keeps what it hears. A thread reads, so that a long write
//! cannot block against the server's. Must never interpret a message beyond taking it apart.

use std::{
    io::{ErrorKind, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use wildcheck_tables::probe::{Arrived, Flags};

use super::{PATIENCE, lost};
use crate::{
    Interrupt, OracleError,
    wire::codec::{Decoder, Frame, Msg},
};

/// Longer lines of a transcript are cut in the middle of what they say.
const SHOWN: usize = 200;

/// What both ways of all connections looked like.
pub(super) type Transcript = Arc<Mutex<Vec<String>>>;

/// A connection.
pub(super) struct Line {
    name: String,
    stream: TcpStream,
    heard: Arc<(Mutex<Heard>, Condvar)>,
    transcript: Transcript,
    reader: Option<JoinHandle<()>>,
    pings: usize,
}

/// What was heard so far.
#[derive(Default)]
pub(super) struct Heard {
    /// Messages with the number of their subscription, in order.
    pub messages: Vec<(Vec<u8>, Arrived)>,
    /// The server's errors.
    pub errors: Vec<String>,
    /// The server ended the connection.
    pub closed: bool,
    pongs: usize,
    broken: Option<String>,
}

impl Line {
    /// Connects and waits until the server has answered a `PING`, or has ended the connection.
    pub(super) fn open(
        name: &str,
        addr: SocketAddr,
        flags: Flags,
        transcript: &Transcript,
        interrupt: &Interrupt,
    ) -> Result<Line, OracleError> {
        let io = |error: std::io::Error| lost(format!("{name}: {error}"));
        let stream = TcpStream::connect_timeout(&addr, PATIENCE).map_err(io)?;
        stream.set_nodelay(true).map_err(io)?;
        stream.set_write_timeout(Some(PATIENCE)).map_err(io)?;
        let heard = Arc::<(Mutex<Heard>, Condvar)>::default();
        let reader = Reader {
            name: name.to_owned(),
            stream: stream.try_clone().map_err(io)?,
            heard: Arc::clone(&heard),
            transcript: Arc::clone(transcript),
        };
        let reader = Some(std::thread::spawn(move || reader.read()));
        let transcript = Arc::clone(transcript);
        let mut line = Line { name: name.to_owned(), stream, heard, transcript, reader, pings: 0 };
        let json = serde_json::json!({
            "verbose": flags.verbose,
            "pedantic": flags.pedantic,
            "tls_required": false,
            "name": name,
            "lang": "rust",
            "version": env!("CARGO_PKG_VERSION"),
            "protocol": 1,
            "echo": true,
            "headers": flags.headers,
            "no_responders": flags.no_responders,
        });
        line.write(format!("CONNECT {json}\r\n").as_bytes());
        line.fence(interrupt)?;
        Ok(line)
    }

    /// Writes. An end of the connection on the way is heard by the reader, so it is no error here.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        note(&self.transcript, &self.name, '>', bytes);
        let _ = self.stream.write_all(bytes);
    }

    /// Waits until everything the server has to say to what was written has been heard.
    pub(super) fn fence(&mut self, interrupt: &Interrupt) -> Result<(), OracleError> {
        self.pings += 1;
        self.write(b"PING\r\n");
        let deadline = Instant::now() + PATIENCE;
        let mut heard = lock(&self.heard.0);
        loop {
            if let Some(why) = &heard.broken {
                return Err(lost(format!("{}: {why}", self.name)));
            }
            if heard.closed || heard.pongs >= self.pings {
                return Ok(());
            }
            if interrupt.is_set() {
                return Err(OracleError::Interrupted);
            }
            if Instant::now() > deadline {
                return Err(lost(format!("{}: no answer to a PING in {PATIENCE:?}", self.name)));
            }
            let wait = self.heard.1.wait_timeout(heard, Duration::from_millis(100));
            heard = wait.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Looks at what was heard.
    pub(super) fn heard<T>(&self, look: impl FnOnce(&Heard) -> T) -> T {
        look(&lock(&self.heard.0))
    }

    /// Ends the connection from our side.
    pub(super) fn close(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.close();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The reading end.
struct Reader {
    name: String,
    stream: TcpStream,
    heard: Arc<(Mutex<Heard>, Condvar)>,
    transcript: Transcript,
}

impl Reader {
    fn read(mut self) {
        let mut decoder = Decoder::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(length) => decoder.feed(&buffer[..length]),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => break,
            }
            loop {
                match decoder.next_raw() {
                    Ok(Some((frame, raw))) => {
                        note(&self.transcript, &self.name, '<', raw);
                        let ping = matches!(frame, Frame::Ping);
                        hear(&mut lock(&self.heard.0), frame);
                        if ping {
                            let _ = self.stream.write_all(b"PONG\r\n");
                        }
                        self.heard.1.notify_all();
                    }
                    Ok(None) => break,
                    Err(error) => {
                        lock(&self.heard.0).broken = Some(error.to_string());
                        self.heard.1.notify_all();
                        return;
                    }
                }
            }
        }
        note(&self.transcript, &self.name, '<', b"(the connection ended)");
        lock(&self.heard.0).closed = true;
        self.heard.1.notify_all();
    }
}

fn hear(heard: &mut Heard, frame: Frame<'_>) {
    match frame {
        Frame::Msg(msg) => heard.messages.push((msg.sid.to_vec(), arrived(&msg, &[]))),
        Frame::HMsg { msg, headers } => heard.messages.push((msg.sid.to_vec(), arrived(&msg, headers))),
        Frame::Pong => heard.pongs += 1,
        Frame::Err(words) => heard.errors.push(String::from_utf8_lossy(words).into_owned()),
        Frame::Info(_) | Frame::Ping | Frame::Ok => {}
    }
}

fn arrived(msg: &Msg<'_>, headers: &[u8]) -> Arrived {
    let mut lines = headers.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_end);
    let status = lines.next().and_then(|version| {
        let rest = String::from_utf8_lossy(version.strip_prefix(b"NATS/1.0")?).into_owned();
        rest.split_whitespace().next()?.parse().ok()
    });
    Arrived {
        subject: msg.subject.to_vec(),
        reply: msg.reply.map(<[u8]>::to_vec),
        headers: lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect(),
        status,
        size: msg.payload.len(),
    }
}

/// One entry for what was written or read at once, cut where it is long.
pub(super) fn note(transcript: &Transcript, name: &str, way: char, bytes: &[u8]) {
    let mut shown = String::new();
    for byte in &bytes[..bytes.len().min(SHOWN)] {
        match byte {
            b'\r' => shown.push_str("\\r"),
            b'\n' => shown.push_str("\\n"),
            b' '..=b'~' if *byte != b'\\' => shown.push(char::from(*byte)),
            other => shown.push_str(&format!("\\x{other:02x}")),
        }
    }
    let more = bytes.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!(" … {more} more bytes") };
    lock(transcript).push(format!("{name} {way} {shown}{more}"));
}
