//! The Solace rules clause by clause, to be read beside the documentation. Slow on purpose.
//!
//! Must never share code with the fast matcher or with validation: it is the second opinion.

/// Does a message with this topic reach this topic subscription? See [`super::matches`].
pub fn matches(subscription: &[u8], topic: &[u8]) -> bool {
    // SMF topics are null-terminated UTF-8 strings of at most 250 bytes and 128 levels.
    let valid = |operand: &[u8]| {
        !operand.is_empty()
            && operand.len() <= 250
            && operand.iter().filter(|b| **b == b'/').count() < 128
            && !operand.contains(&0)
            && core::str::from_utf8(operand).is_ok()
    };
    if !valid(subscription) || !valid(topic) {
        return false;
    }
    let count = |operand: &[u8]| operand.split(|b| *b == b'/').count();
    let (wanted_levels, topic_levels) = (count(subscription), count(topic));
    let tail = subscription.split(|b| *b == b'/').next_back() == Some(b">");
    // `>` alone in the last level: one or more. Otherwise as many levels as the subscription has.
    if if tail { topic_levels < wanted_levels } else { topic_levels != wanted_levels } {
        return false;
    }
    for (index, level) in topic.split(|b| *b == b'/').enumerate() {
        let wanted = subscription.split(|b| *b == b'/').nth(index.min(wanted_levels - 1)).unwrap_or_default();
        let is_tail = tail && index + 1 >= wanted_levels;
        let wildcard = is_tail || wanted.ends_with(b"*");
        let fits = if is_tail || wanted == b"*" {
            true
        } else if wanted.ends_with(b"*") {
            level.starts_with(&wanted[..wanted.len() - 1])
        } else {
            level == wanted
        };
        if !fits {
            return false;
        }
        // Wildcards never match #P2P, wherever either stands.
        if wildcard && level == b"#P2P" {
            return false;
        }
        // A stand-alone wildcard in the first level never matches a topic that starts with $.
        if index == 0 && (is_tail || wanted == b"*") && topic.starts_with(b"$") {
            return false;
        }
    }
    true
}
