//! A subscription that exists only where its backend honours the pattern.

use alloc::vec::Vec;

use crate::{Dialect, Refusal, Strength};

/// A pattern bound to the dialect that will read it.
///
/// There is no value of this type whose pattern the dialect refuses, or accepts and then never treats as the wildcard it
/// looks like: whoever holds one can subscribe.
///
/// ```
/// use wildcheck_matcher::{Subscription, by_name};
///
/// let rabbitmq = by_name("rabbitmq").unwrap();
/// let orders = Subscription::new(rabbitmq, b"orders.*.#").unwrap();
/// assert!(orders.reaches(b"orders.eu.created"));
/// assert!(Subscription::new(rabbitmq, b"orders.e*").is_err());
/// assert!(Subscription::new(by_name("flat").unwrap(), b"orders.*").is_err());
/// ```
#[derive(Clone)]
pub struct Subscription {
    dialect: &'static dyn Dialect,
    pattern: Vec<u8>,
}

impl Subscription {
    /// Binds a pattern by the portable rule.
    ///
    /// # Errors
    /// What the dialect's [`Strength::Strict`] refuses: the clause and the token. Fatal, never to be degraded to a
    /// literal.
    pub fn new(dialect: &'static dyn Dialect, pattern: &[u8]) -> Result<Subscription, Refusal> {
        Subscription::with_strength(dialect, pattern, Strength::Strict)
    }

    /// Binds a pattern by the rule of that strength.
    ///
    /// # Errors
    /// What the dialect refuses at that strength.
    pub fn with_strength(
        dialect: &'static dyn Dialect,
        pattern: &[u8],
        strength: Strength,
    ) -> Result<Subscription, Refusal> {
        dialect.validate_pattern(pattern, strength)?;
        Ok(Subscription { dialect, pattern: pattern.to_vec() })
    }

    /// The pattern.
    pub fn pattern(&self) -> &[u8] {
        &self.pattern
    }

    /// The dialect that reads it.
    pub fn dialect(&self) -> &'static dyn Dialect {
        self.dialect
    }

    /// Does a message with this subject reach it?
    pub fn reaches(&self, subject: &[u8]) -> bool {
        self.dialect.matches(&self.pattern, subject)
    }
}

impl core::fmt::Debug for Subscription {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Subscription({} {})", self.dialect.name(), self.pattern.escape_ascii())
    }
}
