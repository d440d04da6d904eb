//! One connection of async-nats with what the library does not offer: a fence, and its events in order.
//!
//! Must never decide what an event means for an operand.

use std::{
    collections::VecDeque,
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_nats::{Client, ConnectOptions, Event, ServerError, Subscriber};
use futures_util::StreamExt;
use tokio::sync::Notify;

use super::Asked;

/// Why a session ended.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// The connection was closed; the server's words before that, empty where it said none.
    Closed(String),
    /// There is nobody to connect to.
    Unreachable(String),
    /// A fence was not answered within the given patience.
    Silent(Duration),
    /// Ctrl-C.
    Interrupted,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Closed(words) if words.is_empty() => f.write_str("the connection was closed without a word"),
            End::Closed(words) => write!(f, "the connection was closed: {words}"),
            End::Unreachable(why) => write!(f, "no connection: {why}"),
            End::Silent(patience) => write!(f, "a fence was not answered in {patience:?}"),
            End::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// What the event callback saw, in the order in which the connection saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Told {
    /// `-ERR` with these words.
    Error(String),
    /// A message came for a subscription that was full: that subscription's id.
    Full(u64),
}

#[derive(Default)]
struct Ears {
    told: Mutex<VecDeque<Told>>,
    closed: AtomicBool,
    wake: Notify,
}

impl Ears {
    fn hear(&self, event: Event) {
        let told = match event {
            Event::ServerError(ServerError::Other(words)) => Told::Error(words),
            Event::ServerError(other) => Told::Error(other.to_string()),
            Event::SlowConsumer(sid) => Told::Full(sid),
            Event::Disconnected | Event::Closed => {
                self.closed.store(true, Ordering::SeqCst);
                self.wake.notify_one();
                return;
            }
            _ => return,
        };
        self.told.lock().unwrap_or_else(PoisonError::into_inner).push_back(told);
    }
}

/// A connection that is used until it closes, and then thrown away: the library would reconnect by itself and lose
/// what happened in between.
pub(super) struct Session {
    pub(super) client: Client,
    ears: Arc<Ears>,
    fence: Subscriber,
    fence_subject: String,
    fences: u64,
    patience: Duration,
}

/// Payloads of our own fences start with this byte; those of questions are decimal digits.
pub(super) const FENCE_MARK: u8 = b'!';

impl Session {
    /// Connects; each subscription can hold `capacity` messages that were not read yet.
    pub(super) async fn open(asked: &Asked<'_>, capacity: usize) -> Result<Session, End> {
        if asked.options.interrupt.is_set() {
            return Err(End::Interrupted);
        }
        let ears = Arc::new(Ears::default());
        let callback = Arc::clone(&ears);
        let client = ConnectOptions::new()
            .subscription_capacity(capacity)
            .connection_timeout(asked.options.patience)
            .event_callback(move |event| {
                callback.hear(event);
                std::future::ready(())
            })
            .connect(asked.address)
            .await
            .map_err(|error| End::Unreachable(error.to_string()))?;
        let fence_subject = client.new_inbox();
        let fence = client.subscribe(fence_subject.clone()).await.map_err(gone)?;
        Ok(Session { client, ears, fence, fence_subject, fences: 0, patience: asked.options.patience })
    }

    /// Waits until a message of our own has come back: everything that was sent before it has been answered, and every
    /// message that the answer brought lies in its subscription. Says nothing about events, see [`Session::told`].
    pub(super) async fn fence(&mut self) -> Result<(), End> {
        self.fences += 1;
        let payload = format!("{}{}", char::from(FENCE_MARK), self.fences);
        self.publish_own(self.fence_subject.clone(), payload.clone()).await?;
        let limit = tokio::time::sleep(self.patience);
        tokio::pin!(limit);
        loop {
            tokio::select! {
                biased;
                message = self.fence.next() => match message {
                    Some(message) if message.payload == payload.as_bytes() => break,
                    Some(_) => {}
                    None => return Err(self.closed()),
                },
                () = self.ears.wake.notified() => return Err(self.closed()),
                () = &mut limit => return Err(End::Silent(self.patience)),
            }
        }
        // The library reconnects on its own: a fence that comes back on a second connection proves nothing.
        let connects = self.client.statistics().connects.load(Ordering::Relaxed);
        if connects != 1 || self.ears.closed.load(Ordering::SeqCst) { Err(self.closed()) } else { Ok(()) }
    }

    /// Publishes something of ours.
    pub(super) async fn publish_own(&self, subject: String, payload: String) -> Result<(), End> {
        self.client.publish(subject, payload.into()).await.map_err(gone)
    }

    /// Waits a second for the end of the connection, without sending anything.
    pub(super) async fn await_close(&mut self) -> Option<End> {
        if !self.ears.closed.load(Ordering::SeqCst) {
            tokio::select! {
                () = self.ears.wake.notified() => {}
                () = tokio::time::sleep(Duration::from_secs(1)) => return None,
            }
        }
        Some(self.closed())
    }

    /// Takes the events that were told so far.
    pub(super) fn told(&self) -> VecDeque<Told> {
        std::mem::take(&mut *self.ears.told.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The end of this session, with the server's last words.
    pub(super) fn closed(&self) -> End {
        let words = self.told().into_iter().rev().find_map(|told| match told {
            Told::Error(words) => Some(words),
            Told::Full(_) => None,
        });
        End::Closed(words.unwrap_or_default())
    }
}

/// A command could not be handed to the connection's task: it has ended. The words are the library's, not the
/// server's, and are not kept.
pub(super) fn gone(error: impl fmt::Display) -> End {
    tracing::debug!("the client's task has ended: {error}");
    End::Closed(String::new())
}
