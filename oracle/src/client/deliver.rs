//! Who gets what: every pattern subscribed, every subject published with its index as payload, one fence a chunk.
//!
//! Must never take part of a chunk for an answer: a chunk whose connection closes is asked again in halves.

use std::{
    pin::Pin,
    task::{Context, Poll, Waker},
};

use async_nats::{Subject, Subscriber};
use futures_util::Stream;
use wildcheck_tables::Outcome;

use super::{
    Asked,
    session::{End, FENCE_MARK, Session, gone},
};

/// So many subscriptions stand on one connection: each holds some kilobytes in the library.
const PATTERNS: usize = 4_096;
/// No more subjects in a chunk, and so no more messages in one subscription.
const SUBJECTS: usize = 2_048;
/// A chunk is cut for about so many deliveries: far below what makes the server call us slow.
const DELIVERIES: usize = 200_000;
/// So many deliveries the first chunk brings at most.
const FIRST: usize = 65_536;
/// So many times a grid may lose its connection before what is left counts as lost.
const CLOSES: usize = 256;

/// What was seen: deliveries as (subject, pattern), and cells without an answer as (pattern, subject, why).
#[derive(Default)]
pub(super) struct Seen {
    pub(super) deliveries: Vec<(u32, u32)>,
    pub(super) unknown: Vec<(u32, u32, Outcome)>,
}

/// Some patterns and some subjects, each with its index in the grid.
type Block<'a> = (&'a [(u32, Subject)], &'a [(u32, Subject)]);

/// Asks all pairs. The operands come with their indexes in the grid.
pub(super) async fn deliver(
    asked: &Asked<'_>,
    patterns: &[(u32, Subject)],
    subjects: &[(u32, Subject)],
) -> Result<Seen, End> {
    let mut seen = Seen::default();
    if subjects.is_empty() {
        return Ok(seen);
    }
    let mut closes = 0;
    let mut blocks: Vec<Block<'_>> = patterns.chunks(PATTERNS).rev().map(|patterns| (patterns, subjects)).collect();
    while let Some((patterns, subjects)) = blocks.pop() {
        let mut done = 0;
        let end = match block(asked, patterns, subjects, &mut done, &mut seen).await {
            Ok(()) => continue,
            Err(end @ End::Closed(_)) => end,
            Err(end) => return Err(end),
        };
        closes += 1;
        let left = &subjects[done..];
        if (patterns.len(), left.len()) == (1, 1) || closes > CLOSES {
            let why = Outcome::Lost(end.to_string());
            for (p, _) in patterns {
                seen.unknown.extend(left.iter().map(|(s, _)| (*p, *s, why.clone())));
            }
        } else if left.len() > 1 {
            let (first, second) = left.split_at(left.len() / 2);
            blocks.extend([(patterns, second), (patterns, first)]);
        } else {
            let (first, second) = patterns.split_at(patterns.len() / 2);
            blocks.extend([(second, left), (first, left)]);
        }
    }
    Ok(seen)
}

/// One connection's worth of patterns against all `subjects`, in chunks; `done` counts the subjects that are answered.
async fn block(
    asked: &Asked<'_>,
    patterns: &[(u32, Subject)],
    subjects: &[(u32, Subject)],
    done: &mut usize,
    seen: &mut Seen,
) -> Result<(), End> {
    let mut session = Session::open(asked, SUBJECTS + 64).await?;
    let mut subscribers = Vec::with_capacity(patterns.len());
    for (_, pattern) in patterns {
        subscribers.push(session.client.subscribe(pattern.clone()).await.map_err(gone)?);
    }
    session.fence().await?;
    let mut size = (FIRST / patterns.len().max(1)).clamp(1, SUBJECTS);
    while *done < subjects.len() {
        if asked.options.interrupt.is_set() {
            return Err(End::Interrupted);
        }
        let chunk = &subjects[*done..subjects.len().min(*done + size)];
        for (index, subject) in chunk {
            session.client.publish(subject.clone(), index.to_string().into()).await.map_err(gone)?;
        }
        session.fence().await?;
        let before = seen.deliveries.len();
        for (subscriber, (pattern, _)) in subscribers.iter_mut().zip(patterns) {
            drain(subscriber, *pattern, &mut seen.deliveries);
        }
        *done += chunk.len();
        let each = (seen.deliveries.len() - before).div_ceil(chunk.len()).max(1);
        size = (DELIVERIES / each).clamp(1, (4 * size).min(SUBJECTS));
    }
    Ok(())
}

/// Takes what lies in a subscription. `now_or_never` would stop after some messages when the task's budget is used up
/// and look like "no more", so the budget is lifted.
fn drain(subscriber: &mut Subscriber, pattern: u32, deliveries: &mut Vec<(u32, u32)>) {
    let mut context = Context::from_waker(Waker::noop());
    let mut messages = std::pin::pin!(tokio::task::unconstrained(std::future::poll_fn(|context| {
        while let Poll::Ready(Some(message)) = Pin::new(&mut *subscriber).poll_next(context) {
            if message.payload.first() == Some(&FENCE_MARK) {
                continue;
            }
            if let Some(subject) = std::str::from_utf8(&message.payload).ok().and_then(|text| text.parse().ok()) {
                deliveries.push((subject, pattern));
            }
        }
        Poll::Ready(())
    })));
    let _ = messages.as_mut().poll(&mut context);
}
