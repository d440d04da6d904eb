//! What may be subscribed to and published to, at two strengths. Must never decide a match.

use super::clause;
use crate::dialect::{Refusal, Strength};

/// The longest operand in bytes that fits the default control line of 4096 bytes beside a one-digit sid or size.
pub const MAX_OPERAND: usize = 4094;

/// May this be subscribed to? `Server`: exactly what nats-server accepts for a subscription.
///
/// # Errors
/// The first clause that refuses, and the token.
pub fn validate_pattern(pattern: &[u8], strength: Strength) -> Result<(), Refusal> {
    let _ = (pattern, strength, clause::EMPTY);
    Ok(())
}

/// May this be published to? `Server`: exactly what nats-server accepts for a publish in pedantic mode.
///
/// # Errors
/// The first clause that refuses, and the token.
pub fn validate_subject(subject: &[u8], strength: Strength) -> Result<(), Refusal> {
    let _ = (subject, strength);
    Ok(())
}
