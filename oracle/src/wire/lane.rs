//! The lanes `wire` and `wire-pedantic`: a grid over one connection, every refusal attributed, every silence fenced.
//!
//! Must never know what a matcher says of a pair.

use std::{
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use wildcheck_tables::{Grid, Identity, Lane, Matches, Observations, Outcome};

use super::{
    codec::{Decoder, Frame, number},
    write::{self, Connect},
};
use crate::{
    Interrupt, Oracle, OracleError,
    server::{NatsServer, Setup},
};

/// How long a fence may take before the server counts as lost.
const PATIENCE: Duration = Duration::from_secs(30);

/// One connection.
struct Connection {
    stream: TcpStream,
    decoder: Decoder,
    out: Vec<u8>,
}

/// What a batch of commands met.
enum Met {
    Fence,
    Closed(String),
}

impl Connection {
    fn open(addr: SocketAddr, verbose: bool, pedantic: bool) -> std::io::Result<(Connection, serde_json::Value)> {
        let stream = TcpStream::connect(addr)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut connection = Connection { stream, decoder: Decoder::new(), out: Vec::new() };
        write::connect(&mut connection.out, &Connect { verbose, pedantic, ..Connect::default() });
        write::ping(&mut connection.out);
        let mut info = serde_json::Value::Null;
        let met = connection.exchange(&Interrupt::new(), &mut |frame| {
            if let Frame::Info(json) = frame {
                info = serde_json::from_slice(json).unwrap_or_default();
            }
        })?;
        match met {
            Met::Fence => Ok((connection, info)),
            Met::Closed(words) => Err(std::io::Error::new(ErrorKind::ConnectionReset, words)),
        }
    }

    /// Sends what is in `out` (which ends in a PING) while reading, until its PONG or the end.
    fn exchange(&mut self, interrupt: &Interrupt, each: &mut dyn FnMut(Frame<'_>)) -> std::io::Result<Met> {
        self.stream.set_nonblocking(true)?;
        let (mut sent, mut buffer, mut words) = (0, vec![0; 1 << 18], String::new());
        let mut quiet = Instant::now();
        loop {
            let mut idle = true;
            if sent < self.out.len() {
                match self.stream.write(&self.out[sent..]) {
                    Ok(n) => {
                        sent += n;
                        idle = false;
                    }
                    Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                    Err(_) => sent = self.out.len(),
                }
            }
            match self.stream.read(&mut buffer) {
                Ok(0) => return Ok(Met::Closed(words)),
                Ok(n) => {
                    idle = false;
                    self.decoder.feed(&buffer[..n]);
                    loop {
                        match self.decoder.next_frame() {
                            Ok(Some(Frame::Pong)) => {
                                self.out.clear();
                                return Ok(Met::Fence);
                            }
                            Ok(Some(Frame::Ping)) => write::pong(&mut self.out),
                            Ok(Some(frame)) => {
                                if let Frame::Err(said) = frame {
                                    words = String::from_utf8_lossy(said).into_owned();
                                }
                                each(frame);
                            }
                            Ok(None) => break,
                            Err(error) => return Err(std::io::Error::new(ErrorKind::InvalidData, error)),
                        }
                    }
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                Err(_) => return Ok(Met::Closed(words)),
            }
            if idle {
                if interrupt.is_set() {
                    return Err(std::io::Error::new(ErrorKind::Interrupted, "interrupted"));
                }
                if quiet.elapsed() > PATIENCE {
                    return Err(std::io::Error::new(ErrorKind::TimedOut, "no PONG in time"));
                }
                std::thread::sleep(Duration::from_micros(50));
            } else {
                quiet = Instant::now();
            }
        }
    }
}

/// A NATS server on the wire.
pub struct WireLane {
    addr: SocketAddr,
    pedantic: bool,
    identity: Identity,
    interrupt: Interrupt,
    server: Option<NatsServer>,
    /// How to start it once more.
    setup: Option<Setup>,
    findings: Vec<String>,
}

/// Which side of a pair a command belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Subscribe,
    Publish,
}

impl WireLane {
    /// Connects once to read the version.
    ///
    /// # Errors
    /// No NATS server answers there.
    pub fn new(
        address: &str,
        addr: SocketAddr,
        lane: Lane,
        dialect: &str,
        interrupt: Interrupt,
        server: Option<NatsServer>,
    ) -> Result<WireLane, OracleError> {
        let (_, info) = Connection::open(addr, false, false).map_err(|e| OracleError::Unavailable {
            what: address.to_owned(),
            why: e.to_string(),
            how: "name a NATS server that runs".to_owned(),
        })?;
        let text = |key: &str| info[key].as_str().map(str::to_owned);
        let identity = Identity {
            address: address.to_owned(),
            name: "nats-server".to_owned(),
            version: text("version"),
            commit: text("git_commit"),
            lane: lane.clone(),
            dialect: dialect.to_owned(),
            remarks: Vec::new(),
        };
        Ok(WireLane {
            addr,
            pedantic: lane == Lane::WIRE_PEDANTIC,
            identity,
            interrupt,
            server,
            setup: None,
            findings: Vec::new(),
        })
    }

    /// The same; a server that dies is started once more, which is told as a finding.
    pub fn restarting(self, setup: Setup) -> WireLane {
        WireLane { setup: Some(setup), ..self }
    }

    fn lost(&self, error: std::io::Error) -> OracleError {
        if error.kind() == ErrorKind::Interrupted {
            return OracleError::Interrupted;
        }
        OracleError::Lost { what: self.identity.to_string(), why: error.to_string(), kept: None }
    }

    /// A closed connection is an answer only from a server that still runs.
    fn alive(&self) -> std::io::Result<()> {
        let again = Connection::open(self.addr, false, self.pedantic);
        again.map(drop).map_err(|error| std::io::Error::new(error.kind(), format!("it does not answer: {error}")))
    }

    /// Starts the server again, once.
    fn again(&mut self, error: &std::io::Error) -> Result<bool, OracleError> {
        let Some(setup) = self.setup.take().filter(|_| error.kind() != ErrorKind::Interrupted) else {
            return Ok(false);
        };
        let how = self.server.as_mut().and_then(|server| server.ended(Duration::from_millis(500)));
        let how = how.unwrap_or_else(|| error.to_string());
        self.findings.push(format!("the server went away ({how}) and was started again"));
        self.server = None;
        let server = NatsServer::start(&setup)?;
        self.addr = server.addr();
        self.server = Some(server);
        Ok(true)
    }

    /// What becomes of each command: verbose answers one by one; a closed connection is its last command's.
    fn settle(&self, role: Role, lines: Vec<(usize, Vec<u8>)>, outcomes: &mut [Outcome]) -> std::io::Result<()> {
        let mut rest = &lines[..];
        while !rest.is_empty() {
            let (mut connection, _) = Connection::open(self.addr, true, self.pedantic)?;
            let mut answers: Vec<Outcome> = Vec::new();
            let batch = &rest[..rest.len().min(4096)];
            for (_, line) in batch {
                connection.out.extend_from_slice(line);
            }
            write::ping(&mut connection.out);
            // A refused SUB is answered by -ERR alone, a refused PUB by -ERR and then by +OK for its payload.
            let mut refused: Option<String> = None;
            let met = connection.exchange(&self.interrupt, &mut |frame| match frame {
                Frame::Ok => answers.push(refused.take().map_or(Outcome::Accepted, Outcome::RefusedOpen)),
                Frame::Err(words) => {
                    let words = String::from_utf8_lossy(words).into_owned();
                    match role {
                        Role::Subscribe => answers.push(Outcome::RefusedOpen(words)),
                        Role::Publish => refused = Some(words),
                    }
                }
                _ => {}
            })?;
            let mut done = batch.len();
            if let Met::Closed(words) = met {
                self.alive()?;
                if role == Role::Subscribe && matches!(answers.last(), Some(Outcome::RefusedOpen(_))) {
                    answers.pop();
                }
                answers.push(Outcome::RefusedClosed(words));
                done = answers.len();
            }
            for ((index, _), answer) in batch.iter().zip(answers) {
                outcomes[*index] = answer;
            }
            rest = &rest[done.min(rest.len())..];
        }
        Ok(())
    }

    fn ask(&self, grid: &Grid) -> std::io::Result<Observations> {
        let carried = |operands: &[wildcheck_tables::Operand]| -> Vec<Outcome> {
            let why = |o: &wildcheck_tables::Operand| write::cannot_carry(&o.0);
            operands.iter().map(|o| why(o).map_or(Outcome::Accepted, |w| Outcome::Inexpressible(w.into()))).collect()
        };
        let (mut patterns, mut subjects) = (carried(&grid.patterns), carried(&grid.subjects));
        let mut lines = Vec::new();
        for (index, pattern) in grid.patterns.iter().enumerate().filter(|(i, _)| patterns[*i] == Outcome::Accepted) {
            let mut line = Vec::new();
            write::sub(&mut line, &pattern.0, None, index as u64 + 1);
            lines.push((index, line));
        }
        self.settle(Role::Subscribe, lines, &mut patterns)?;
        let publishes = grid.subjects.iter().enumerate().filter(|(i, _)| subjects[*i] == Outcome::Accepted);
        let lines: Vec<_> = publishes
            .map(|(index, subject)| {
                let mut line = Vec::new();
                write::publish(&mut line, &subject.0, None, b"");
                (index, line)
            })
            .collect();
        self.settle(Role::Publish, lines, &mut subjects)?;
        let (mut connection, _) = Connection::open(self.addr, false, self.pedantic)?;
        for (index, pattern) in grid.patterns.iter().enumerate() {
            if patterns[index] == Outcome::Accepted {
                write::sub(&mut connection.out, &pattern.0, None, index as u64 + 1);
            }
        }
        write::ping(&mut connection.out);
        let mut deliveries: Vec<(u32, u32)> = Vec::new();
        let closed = |words: String| std::io::Error::new(ErrorKind::ConnectionReset, format!("closed: {words}"));
        if let Met::Closed(words) = connection.exchange(&self.interrupt, &mut |_| {})? {
            return Err(closed(words));
        }
        let mut index = 0;
        let mut chunk = 64;
        while index < grid.subjects.len() {
            let end = (index + chunk).min(grid.subjects.len());
            for (at, subject) in grid.subjects.iter().enumerate().take(end).skip(index) {
                if matches!(subjects[at], Outcome::Accepted | Outcome::RefusedOpen(_)) {
                    write::publish(&mut connection.out, &subject.0, None, at.to_string().as_bytes());
                }
            }
            write::ping(&mut connection.out);
            let before = deliveries.len();
            let met = connection.exchange(&self.interrupt, &mut |frame| {
                if let Frame::Msg(msg) = frame
                    && let (Some(sid), Some(at)) = (number(msg.sid), number(msg.payload))
                {
                    deliveries.push((at as u32, sid as u32 - 1));
                }
            })?;
            if let Met::Closed(words) = met {
                return Err(closed(words));
            }
            let per = (deliveries.len() - before) / (end - index).max(1) + 1;
            chunk = (200_000 / per).clamp(16, 100_000);
            index = end;
        }
        Ok(Observations {
            patterns,
            delivered: Matches::from_deliveries(deliveries, grid.subjects.len()),
            subjects,
            unknown: Vec::new(),
        })
    }
}

impl Oracle for WireLane {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError> {
        match self.ask(grid) {
            Ok(seen) => Ok(seen),
            Err(error) if self.again(&error)? => self.ask(grid).map_err(|error| self.lost(error)),
            Err(error) => Err(self.lost(error)),
        }
    }

    fn findings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.findings)
    }
}
