//! A probe by raw lines. Must never leave out a byte that the probe asks for, however wrong.

use std::{collections::BTreeMap, net::SocketAddr};

use wildcheck_tables::probe::{Conn, Flags, Probe, Publish, Sightings, Step};

use super::{
    Ran,
    line::{Line, Transcript},
    unsupported,
};
use crate::{Interrupt, OracleError, wire::write};

/// Publishes that are written between two looks at the server.
const BATCH: usize = 1000;

struct Run<'a> {
    addr: SocketAddr,
    pedantic: bool,
    interrupt: &'a Interrupt,
    transcript: Transcript,
    lines: BTreeMap<String, Line>,
    /// Closed by the probe itself: no condition on them says "open".
    left: BTreeMap<String, Conn>,
    /// Subscription names by their number, over all connections.
    ids: Vec<(String, String)>,
    seen: Sightings,
}

/// Runs it against the server at `addr`.
pub(super) fn run(addr: SocketAddr, pedantic: bool, probe: &Probe, interrupt: &Interrupt) -> Result<Ran, OracleError> {
    let mut run = Run {
        addr,
        pedantic,
        interrupt,
        transcript: Transcript::default(),
        lines: BTreeMap::new(),
        left: BTreeMap::new(),
        ids: Vec::new(),
        seen: Sightings::default(),
    };
    for step in &probe.steps {
        run.step(step)?;
    }
    run.fence()?;
    Ok(run.end())
}

impl Run<'_> {
    fn step(&mut self, step: &Step) -> Result<(), OracleError> {
        match step {
            Step::Connect(name, flags) => {
                let flags = Flags { pedantic: flags.pedantic || self.pedantic, ..*flags };
                let line = Line::open(name, self.addr, flags, &self.transcript, self.interrupt)?;
                self.lines.insert(name.clone(), line);
            }
            Step::Sub { conn, pattern, queue, id } => {
                let sid = self.number(conn, id);
                let mut out = Vec::new();
                write::sub(&mut out, pattern, queue.as_deref(), sid);
                self.say(conn, &out)?;
            }
            Step::Unsub { conn, id } => {
                let mut out = Vec::new();
                let known = self.ids.iter().position(|(_, known)| known == id).unwrap_or_default();
                write::unsub(&mut out, known as u64 + 1);
                self.say(conn, &out)?;
            }
            Step::Pub(publish) => self.publish(publish)?,
            Step::Request { conn, subject, id } => {
                let sid = self.number(conn, id);
                let inbox = format!("_INBOX.{id}");
                let mut out = Vec::new();
                write::sub(&mut out, inbox.as_bytes(), None, sid);
                write::publish(&mut out, subject, Some(inbox.as_bytes()), b"");
                self.say(conn, &out)?;
            }
            Step::Send { conn, bytes } => self.line(conn)?.write(bytes),
            Step::Close(conn) => {
                if let Some(mut line) = self.lines.remove(conn) {
                    line.fence(self.interrupt)?;
                    self.collect(&line, conn);
                    line.close();
                    let met = self.seen.conns.remove(conn).unwrap_or_default();
                    self.left.insert(conn.clone(), met);
                }
            }
            Step::Fence => self.fence()?,
        }
        Ok(())
    }

    /// Our names are the server's numbers, counted from 1 over all connections.
    fn number(&mut self, conn: &str, id: &str) -> u64 {
        self.ids.push((conn.to_owned(), id.to_owned()));
        self.ids.len() as u64
    }

    fn line(&mut self, conn: &str) -> Result<&mut Line, OracleError> {
        self.lines.get_mut(conn).ok_or_else(|| unsupported(&format!("the probe has closed {conn} itself")))
    }

    /// Writes and waits for what the server says to it, so that the next step of another connection comes later.
    fn say(&mut self, conn: &str, out: &[u8]) -> Result<(), OracleError> {
        let interrupt = self.interrupt.clone();
        let line = self.line(conn)?;
        line.write(out);
        line.fence(&interrupt)
    }

    fn publish(&mut self, publish: &Publish) -> Result<(), OracleError> {
        let payload = vec![b'x'; publish.size];
        let reply = publish.reply.as_deref();
        let mut one = Vec::new();
        if publish.headers.is_empty() {
            write::publish(&mut one, &publish.subject, reply, &payload);
        } else {
            let mut block = b"NATS/1.0\r\n".to_vec();
            for (name, value) in &publish.headers {
                block.extend([&name[..], b": ", value, b"\r\n"].concat());
            }
            block.extend(b"\r\n");
            write::publish_with_headers(&mut one, &publish.subject, reply, &block, &payload);
        }
        let mut left = publish.times;
        while left > 0 {
            let now = left.min(BATCH);
            self.say(&publish.conn, &one.repeat(now))?;
            left -= now;
        }
        Ok(())
    }

    /// Two rounds: after the first the server has handled every publish, so that the answers of the second come
    /// behind every message.
    fn fence(&mut self) -> Result<(), OracleError> {
        for _ in 0..2 {
            for line in self.lines.values_mut() {
                line.fence(self.interrupt)?;
            }
        }
        Ok(())
    }

    fn collect(&mut self, line: &Line, name: &str) {
        line.heard(|heard| {
            for (sid, message) in &heard.messages {
                let number = std::str::from_utf8(sid).ok().and_then(|sid| sid.parse::<usize>().ok());
                if let Some((_, id)) = number.and_then(|n| self.ids.get(n.checked_sub(1)?)) {
                    self.seen.arrived.entry(id.clone()).or_default().push(message.clone());
                }
            }
            let conn = Conn { closed: heard.closed, errors: heard.errors.clone(), refusals: Vec::new() };
            self.seen.conns.insert(name.to_owned(), conn);
        });
    }

    fn end(mut self) -> Ran {
        let lines = std::mem::take(&mut self.lines);
        for (name, line) in &lines {
            self.collect(line, name);
        }
        self.seen.conns.extend(std::mem::take(&mut self.left));
        let transcript = std::mem::take(&mut *self.transcript.lock().unwrap_or_else(|e| e.into_inner()));
        drop(lines);
        Ran { seen: self.seen, transcript }
    }
}
