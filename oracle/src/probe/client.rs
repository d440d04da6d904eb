//! A probe through async-nats, as its users use it. Must never write a byte past the library.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use async_nats::{Client, ConnectOptions, Event, HeaderMap, Message, ServerError, Subject, Subscriber};
use futures_util::{FutureExt, StreamExt};
use wildcheck_tables::{
    cell::escape,
    probe::{Arrived, Conn, Probe, Publish, Sightings, Step},
};

use super::{PATIENCE, Ran, lost, unsupported};
use crate::{Interrupt, OracleError};

/// Messages a subscription can hold that were not read yet.
const CAPACITY: usize = 1 << 17;

struct Link {
    client: Client,
    told: Arc<Mutex<Conn>>,
    fence: Subscriber,
    inbox: String,
    fences: usize,
    over: bool,
}

struct Run {
    address: String,
    interrupt: Interrupt,
    links: BTreeMap<String, Link>,
    subscribers: BTreeMap<String, Subscriber>,
    /// Which connection made which subscription.
    owners: BTreeMap<String, String>,
    /// The subjects of our own fences: what comes under them is not the probe's.
    fences: BTreeSet<String>,
    seen: Sightings,
    transcript: Vec<String>,
}

/// Runs it against the server at `addr`.
pub(super) fn run(addr: SocketAddr, probe: &Probe, interrupt: &Interrupt) -> Result<Ran, OracleError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| lost(e.to_string()))?;
    runtime.block_on(async {
        let mut run = Run {
            address: addr.to_string(),
            interrupt: interrupt.clone(),
            links: BTreeMap::new(),
            subscribers: BTreeMap::new(),
            owners: BTreeMap::new(),
            fences: BTreeSet::new(),
            seen: Sightings::default(),
            transcript: Vec::new(),
        };
        for step in &probe.steps {
            if run.interrupt.is_set() {
                return Err(OracleError::Interrupted);
            }
            run.step(step).await?;
        }
        run.fence().await?;
        Ok(run.end())
    })
}

fn text(bytes: &[u8]) -> Result<String, OracleError> {
    String::from_utf8(bytes.to_vec()).map_err(|_| unsupported("async-nats takes UTF-8 text only"))
}

impl Run {
    async fn step(&mut self, step: &Step) -> Result<(), OracleError> {
        match step {
            Step::Connect(name, flags) => {
                if flags.verbose || flags.pedantic {
                    return Err(unsupported("async-nats is never verbose and never pedantic"));
                }
                self.connect(name).await
            }
            Step::Sub { conn, pattern, queue, id } => {
                let pattern = text(pattern)?;
                let client = self.link(conn)?.client.clone();
                let call = match queue {
                    None => client.subscribe(pattern.clone()).await,
                    Some(queue) => client.queue_subscribe(pattern.clone(), text(queue)?).await,
                };
                match call {
                    Ok(subscriber) => {
                        self.note(conn, &format!("subscribe({pattern:?}) -> Ok"));
                        self.subscribers.insert(id.clone(), subscriber);
                        self.owners.insert(id.clone(), conn.clone());
                    }
                    Err(error) => self.refuse(conn, &format!("subscribe({pattern:?})"), &error.to_string()),
                }
                self.settle(conn).await
            }
            Step::Unsub { conn, id } => self.unsubscribe(conn, id).await,
            Step::Pub(publish) => self.publish(publish).await,
            Step::Request { conn, subject, id } => {
                let subject = text(subject)?;
                let client = self.link(conn)?.client.clone();
                let answer = client.request(subject.clone(), "".into()).await;
                match answer {
                    Ok(message) => {
                        self.note(conn, &format!("request({subject:?}) -> Ok"));
                        self.seen.arrived.entry(id.clone()).or_default().push(arrived(&message));
                    }
                    Err(error) if error.kind() == async_nats::RequestErrorKind::NoResponders => {
                        self.note(conn, &format!("request({subject:?}) -> {error}"));
                        let status = Arrived { status: Some(503), ..Arrived::default() };
                        self.seen.arrived.entry(id.clone()).or_default().push(status);
                    }
                    Err(error) => self.refuse(conn, &format!("request({subject:?})"), &error.to_string()),
                }
                Ok(())
            }
            Step::Send { .. } => Err(unsupported("a client library sends no raw bytes")),
            Step::Close(conn) => {
                // The library ends a connection some time after its last handle went; its subscriptions end here.
                let owned = self.owners.iter().filter(|(_, owner)| *owner == conn).map(|(id, _)| id.clone());
                for id in owned.collect::<Vec<_>>() {
                    self.unsubscribe(conn, &id).await?;
                }
                let told = self.links.get(conn).map(Link::told).unwrap_or_default();
                self.seen.conns.insert(conn.clone(), told);
                self.links.remove(conn);
                Ok(())
            }
            Step::Fence => self.fence().await,
        }
    }

    async fn connect(&mut self, name: &str) -> Result<(), OracleError> {
        let told = Arc::<Mutex<Conn>>::default();
        let ears = Arc::clone(&told);
        let client = ConnectOptions::new()
            .subscription_capacity(CAPACITY)
            .connection_timeout(PATIENCE)
            .event_callback(move |event| {
                hear(&ears, event);
                std::future::ready(())
            })
            .connect(&self.address)
            .await
            .map_err(|error| lost(error.to_string()))?;
        let inbox = client.new_inbox();
        let fence = client.subscribe(inbox.clone()).await.map_err(|error| lost(error.to_string()))?;
        self.note(name, "connect() -> Ok");
        self.fences.insert(inbox.clone());
        self.links.insert(name.to_owned(), Link { client, told, fence, inbox, fences: 0, over: false });
        self.settle(name).await
    }

    async fn publish(&mut self, publish: &Publish) -> Result<(), OracleError> {
        let subject = text(&publish.subject)?;
        let client = self.link(&publish.conn)?.client.clone();
        let payload = vec![b'x'; publish.size];
        let mut headers = HeaderMap::new();
        for (name, value) in &publish.headers {
            let parsed =
                (text(name)?.parse::<async_nats::HeaderName>(), text(value)?.parse::<async_nats::HeaderValue>());
            match parsed {
                (Ok(name), Ok(value)) => headers.append(name, value),
                (Err(error), _) => {
                    self.refuse(&publish.conn, &format!("header {}", escape(name)), &error.to_string());
                    return Ok(());
                }
                (_, Err(error)) => {
                    self.refuse(&publish.conn, &format!("header value {}", escape(value)), &error.to_string());
                    return Ok(());
                }
            }
        }
        let call = format!("publish({subject:?}, {} bytes)", publish.size);
        for _ in 0..publish.times {
            let (subject, payload) = (Subject::from(subject.clone()), payload.clone().into());
            let sent = match (&publish.reply, publish.headers.is_empty()) {
                (None, true) => client.publish(subject, payload).await,
                (None, false) => client.publish_with_headers(subject, headers.clone(), payload).await,
                (Some(reply), true) => client.publish_with_reply(subject, text(reply)?, payload).await,
                (Some(reply), false) => {
                    let reply = text(reply)?;
                    client.publish_with_reply_and_headers(subject, reply, headers.clone(), payload).await
                }
            };
            match sent {
                Ok(()) => self.note(&publish.conn, &format!("{call} -> Ok")),
                Err(error) => self.refuse(&publish.conn, &call, &error.to_string()),
            }
        }
        self.settle(&publish.conn).await
    }

    /// What has arrived is kept; the library drops it with the subscription.
    async fn unsubscribe(&mut self, conn: &str, id: &str) -> Result<(), OracleError> {
        self.settle(conn).await?;
        self.drain(id);
        if let Some(mut subscriber) = self.subscribers.remove(id) {
            subscriber.unsubscribe().await.map_err(|error| lost(error.to_string()))?;
        }
        self.note(conn, &format!("unsubscribe({id})"));
        self.settle(conn).await
    }

    fn link(&mut self, conn: &str) -> Result<&mut Link, OracleError> {
        self.links.get_mut(conn).ok_or_else(|| unsupported(&format!("the probe has closed {conn} itself")))
    }

    fn note(&mut self, conn: &str, what: &str) {
        self.transcript.push(format!("{conn} . {what}"));
    }

    fn refuse(&mut self, conn: &str, what: &str, why: &str) {
        self.note(conn, &format!("{what} -> Err({why:?})"));
        if let Some(link) = self.links.get(conn) {
            link.told.lock().unwrap_or_else(PoisonError::into_inner).refusals.push(why.to_owned());
        }
    }

    /// A message to ourselves has come back: the server has answered everything before it.
    async fn settle(&mut self, conn: &str) -> Result<(), OracleError> {
        match self.links.get_mut(conn) {
            Some(link) => link.settle().await,
            None => Ok(()),
        }
    }

    async fn fence(&mut self) -> Result<(), OracleError> {
        for _ in 0..2 {
            for link in self.links.values_mut() {
                link.settle().await?;
            }
        }
        Ok(())
    }

    fn drain(&mut self, id: &str) {
        let Some(subscriber) = self.subscribers.get_mut(id) else { return };
        // Unconstrained: the runtime would otherwise say "nothing there" after so many messages, to be fair to others.
        while let Some(Some(message)) = tokio::task::unconstrained(subscriber.next()).now_or_never() {
            if self.fences.contains(message.subject.as_str()) {
                continue;
            }
            self.transcript.push(format!("{id} . message on {:?}, {} bytes", message.subject, message.payload.len()));
            self.seen.arrived.entry(id.to_owned()).or_default().push(arrived(&message));
        }
    }

    fn end(mut self) -> Ran {
        for id in self.subscribers.keys().cloned().collect::<Vec<_>>() {
            self.drain(&id);
        }
        for (name, link) in &self.links {
            self.seen.conns.insert(name.clone(), link.told());
        }
        for (name, conn) in &self.seen.conns {
            self.transcript.extend(conn.errors.iter().map(|error| format!("{name} . event: {error}")));
        }
        Ran { seen: self.seen, transcript: self.transcript }
    }
}

impl Link {
    fn told(&self) -> Conn {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn settle(&mut self) -> Result<(), OracleError> {
        // After an end the library is a new client: what comes then says nothing about the old one.
        if self.over || self.told().closed {
            self.over = true;
            return Ok(());
        }
        self.fences += 1;
        let payload = self.fences.to_string();
        let sent = self.client.publish(self.inbox.clone(), payload.clone().into()).await;
        sent.map_err(|error| lost(error.to_string()))?;
        let limit = tokio::time::Instant::now() + PATIENCE;
        loop {
            match tokio::time::timeout(std::time::Duration::from_millis(50), self.fence.next()).await {
                Ok(Some(message)) if message.payload == payload.as_bytes() => return Ok(()),
                Ok(Some(_)) => {}
                Ok(None) => return Err(lost("the client ended by itself")),
                Err(_) if self.told().closed => {
                    self.over = true;
                    return Ok(());
                }
                Err(_) if tokio::time::Instant::now() > limit => {
                    return Err(lost(format!("no message to ourselves came back in {PATIENCE:?}")));
                }
                Err(_) => {}
            }
        }
    }
}

fn hear(told: &Mutex<Conn>, event: Event) {
    let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
    match event {
        Event::ServerError(ServerError::Other(words)) => told.errors.push(words),
        Event::ServerError(other) => told.errors.push(other.to_string()),
        Event::Disconnected | Event::Closed => told.closed = true,
        _ => {}
    }
}

fn arrived(message: &Message) -> Arrived {
    let mut headers = Vec::new();
    for (name, values) in message.headers.iter().flat_map(HeaderMap::iter) {
        headers.extend(values.iter().map(|value| format!("{name}: {value}").into_bytes()));
    }
    Arrived {
        subject: message.subject.as_bytes().to_vec(),
        reply: message.reply.as_ref().map(|reply| reply.as_bytes().to_vec()),
        headers,
        status: message.status.map(|status| status.as_u16()),
        size: message.payload.len(),
    }
}
