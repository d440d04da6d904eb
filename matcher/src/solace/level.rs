//! One level of a subscription, read once. Must never look at another level.

use super::INBOX;

/// What a level of a subscription asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level<'a> {
    /// This level.
    Literal(&'a [u8]),
    /// These bytes, then any.
    Prefix(&'a [u8]),
    /// Any level.
    Any,
    /// This level and all that follow.
    Rest,
}

impl Level<'_> {
    /// Does it take this level of a topic, `first` or not? [`Level::Rest`] speaks of the first level it takes.
    pub(crate) fn takes(self, level: &[u8], first: bool) -> bool {
        match self {
            Level::Literal(literal) => literal == level,
            Level::Prefix(prefix) => level.starts_with(prefix) && level != INBOX,
            Level::Any | Level::Rest => level != INBOX && !(first && level.starts_with(b"$")),
        }
    }
}

/// The levels of a subscription. Only the last byte of a level can be a wildcard.
pub(crate) fn levels(subscription: &[u8]) -> impl Iterator<Item = Level<'_>> {
    let mut levels = subscription.split(|b| *b == b'/').peekable();
    core::iter::from_fn(move || {
        let level = levels.next()?;
        Some(match level {
            b">" if levels.peek().is_none() => Level::Rest,
            b"*" => Level::Any,
            [prefix @ .., b'*'] => Level::Prefix(prefix),
            literal => Level::Literal(literal),
        })
    })
}
