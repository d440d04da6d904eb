//! What becomes of each operand: refused by the library, refused by the server, the end of the connection, or taken.
//!
//! The server's `-ERR` does not name its operand and the library passes it on as an event beside the messages, so
//! each operand is followed by a message to a subscription that is full already: that raises an event too, and the
//! events come in order. Deliveries are not looked at here.

use std::collections::VecDeque;

use async_nats::{Subject, Subscriber};
use wildcheck_tables::Outcome;

use super::{
    Asked,
    session::{End, Session, Told, gone},
};

/// What an operand is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Pattern,
    Subject,
}

/// So many operands are first asked together, and are all taken if no error was told.
const COARSE: usize = 1_000;
/// So many operands are asked with a mark behind each: the library keeps 128 events, and each may cause two.
const FINE: usize = 40;
/// How often an operand that closes the connection is asked again for the server's words: what the server said last
/// can be lost with the connection.
const WORDS_TRIES: usize = 3;

/// Fills in the outcomes that are still open.
///
/// `session` is reused where it is still good, so that patterns and subjects share one.
pub(super) async fn settle(
    asked: &Asked<'_>,
    session: &mut Option<Marked>,
    role: Role,
    outcomes: Vec<Option<Outcome>>,
    texts: &[Option<Subject>],
) -> Result<Vec<Outcome>, End> {
    let mut pass = Pass { asked, role, session: session.take(), outcomes };
    let open: Vec<(usize, Subject)> = texts
        .iter()
        .enumerate()
        .filter(|(index, _)| pass.outcomes[*index].is_none())
        .filter_map(|(index, text)| text.clone().map(|text| (index, text)))
        .collect();
    let mut waiting: Vec<&[(usize, Subject)]> = open.chunks(COARSE).rev().collect();
    while let Some(group) = waiting.pop() {
        if asked.options.interrupt.is_set() {
            return Err(End::Interrupted);
        }
        let result = if group.len() > FINE { pass.coarse(group).await } else { pass.fine(group).await.map(|()| true) };
        let part = match result {
            Ok(true) => continue,
            // Some error: look closer.
            Ok(false) => FINE,
            Err(End::Closed(words)) => {
                pass.session = None;
                if let [(index, text)] = group {
                    pass.outcomes[*index] = Some(pass.alone(text, words).await?);
                    continue;
                }
                group.len().div_ceil(2)
            }
            Err(end) => return Err(end),
        };
        waiting.extend(group.chunks(part).rev());
    }
    *session = pass.session;
    Ok(pass.outcomes.into_iter().map(Option::unwrap_or_default).collect())
}

struct Pass<'a> {
    asked: &'a Asked<'a>,
    role: Role,
    session: Option<Marked>,
    outcomes: Vec<Option<Outcome>>,
}

/// A session with the subscription that is always full.
pub(super) struct Marked {
    session: Session,
    /// Held, never read.
    _full: Subscriber,
    subject: String,
}

impl Marked {
    async fn open(asked: &Asked<'_>) -> Result<Marked, End> {
        let session = Session::open(asked, 1).await?;
        let subject = session.client.new_inbox();
        let full = session.client.subscribe(subject.clone()).await.map_err(gone)?;
        let mut marked = Marked { session, _full: full, subject };
        // The first message fills it, the second is told.
        marked.mark().await?;
        marked.mark().await?;
        marked.events(1, false).await?;
        Ok(marked)
    }

    async fn mark(&self) -> Result<(), End> {
        self.session.publish_own(self.subject.clone(), String::new()).await
    }

    /// A fence for events: returns what was told when all `marks` marks were seen, or, with `hasty`, when an error was
    /// (the library drops events when 128 wait, so after many errors a mark may never be seen; the session is spent).
    async fn events(&mut self, marks: usize, hasty: bool) -> Result<VecDeque<Told>, End> {
        let mut told = VecDeque::new();
        loop {
            self.session.fence().await?;
            tokio::task::yield_now().await;
            told.extend(self.session.told());
            let seen = told.iter().filter(|told| matches!(told, Told::Full(_))).count();
            if seen >= marks || (hasty && seen < told.len()) {
                return Ok(told);
            }
        }
    }
}

impl Pass<'_> {
    async fn session(&mut self) -> Result<Marked, End> {
        match self.session.take() {
            Some(marked) => Ok(marked),
            None => Marked::open(self.asked).await,
        }
    }

    /// Sends one operand. The subscription is given up at once: only what the server says of it is of interest.
    async fn send(&mut self, marked: &Marked, index: usize, text: &Subject) -> Result<(), End> {
        let refused = match self.role {
            Role::Pattern => match marked.session.client.subscribe(text.clone()).await {
                Ok(subscriber) => {
                    drop(subscriber);
                    None
                }
                Err(error) if error.kind() == async_nats::SubscribeErrorKind::Other => return Err(gone(error)),
                Err(error) => Some(error.to_string()),
            },
            Role::Subject => match marked.session.client.publish(text.clone(), "".into()).await {
                Ok(()) => None,
                Err(error) if error.kind() == async_nats::client::PublishErrorKind::Send => return Err(gone(error)),
                Err(error) => Some(error.to_string()),
            },
        };
        if let Some(words) = refused {
            self.outcomes[index] = Some(Outcome::RefusedClient(words));
        }
        Ok(())
    }

    /// All of a group, then one mark. True: no error was told.
    async fn coarse(&mut self, group: &[(usize, Subject)]) -> Result<bool, End> {
        let mut marked = self.session().await?;
        for (index, text) in group {
            self.send(&marked, *index, text).await?;
        }
        marked.mark().await?;
        let told = marked.events(1, true).await?;
        let clean = !told.iter().any(|told| matches!(told, Told::Error(_)));
        self.session = Some(marked).filter(|_| clean);
        Ok(clean)
    }

    /// All of a group, a mark behind each.
    async fn fine(&mut self, group: &[(usize, Subject)]) -> Result<(), End> {
        let mut marked = self.session().await?;
        for (index, text) in group {
            self.send(&marked, *index, text).await?;
            marked.mark().await?;
        }
        let mut position = 0;
        for told in marked.events(group.len(), false).await? {
            match (told, group.get(position)) {
                (Told::Full(_), _) => position += 1,
                (Told::Error(words), Some((index, _))) => self.outcomes[*index] = Some(Outcome::RefusedOpen(words)),
                (Told::Error(words), None) => tracing::warn!("an error that no operand caused: {words}"),
            }
        }
        self.session = Some(marked);
        Ok(())
    }

    /// One operand that closed the connection, asked again until the server's words were heard.
    async fn alone(&mut self, text: &Subject, mut words: String) -> Result<Outcome, End> {
        for _ in 0..WORDS_TRIES {
            if !words.is_empty() {
                break;
            }
            let mut session = Session::open(self.asked, 1).await?;
            let client = session.client.clone();
            let _held = match self.role {
                Role::Pattern => Some(client.subscribe(text.clone()).await.map_err(gone)?),
                Role::Subject => {
                    client.publish(text.clone(), "".into()).await.map_err(gone)?;
                    None
                }
            };
            // Nothing is written behind it before the end was heard, so that the server's last line is not lost to a
            // reset.
            let end = match client.flush().await {
                Ok(()) => session.await_close().await,
                Err(_) => Some(session.closed()),
            };
            let end = match end {
                Some(end) => end,
                None => match session.fence().await {
                    // Alone it closes nothing.
                    Ok(()) => return Ok(Outcome::Accepted),
                    Err(end) => end,
                },
            };
            match end {
                End::Closed(heard) => words = heard,
                other => return Err(other),
            }
        }
        Ok(Outcome::RefusedClosed(words))
    }
}
