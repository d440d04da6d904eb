//! Which clause decides a pair, and at which level. Must never disagree with [`super::matches`].

use super::{INBOX, Level, clause, levels, validate_pattern, validate_subject};
use crate::dialect::{ClauseId, Operand, Refusal, Strength, Trace};

/// How the pair is decided: the answer, the clause and the level.
pub fn explain(subscription: &[u8], topic: &[u8]) -> Trace {
    if let Err(refusal) = validate_pattern(subscription, Strength::Server) {
        return refused(Operand::Pattern, refusal);
    }
    if let Err(refusal) = validate_subject(topic, Strength::Server) {
        return refused(Operand::Subject, refusal);
    }
    let no = |clause, operand, token, why| Trace { matched: false, clause, operand, token: Some(token), why };
    let mut reason = (clause::LITERAL, None, "every level equals its literal");
    let mut rest = topic.split(|b| *b == b'/').enumerate();
    let mut count = 0;
    for (index, wanted) in levels(subscription).enumerate() {
        count = index + 1;
        let Some((_, level)) = rest.next() else {
            return match wanted {
                Level::Rest => no(clause::TAIL, Operand::Pattern, index, "`>` needs at least one level"),
                _ => no(clause::LENGTH, Operand::Pattern, index, "the topic has no level left for it"),
            };
        };
        if !wanted.takes(level, index == 0) {
            let (clause, why) = differs(wanted, level);
            return no(clause, Operand::Pattern, index, why);
        }
        match wanted {
            Level::Literal(literal) if reason.1.is_none() && literal.contains(&b'*') => {
                reason = (clause::STAR_LITERAL, Some(index), "`*` in this place is a literal, and so is the topic's");
            }
            Level::Literal(literal) if reason.1.is_none() && literal.contains(&b'>') => {
                reason = (clause::TAIL_LITERAL, Some(index), "`>` in this place is a literal, and so is the topic's");
            }
            Level::Literal(_) => {}
            Level::Any if holds_inbox(level) => {
                reason = (clause::P2P_LEVEL, Some(index), "`#P2P` is kept from wildcards as a whole level only");
            }
            Level::Any => reason = (clause::STAR, Some(index), "`*` alone takes this one level"),
            Level::Prefix(prefix) => {
                let behind = subscription.split(|b| *b == b'/').take(index).any(|level| level == b">");
                let open = if behind { clause::TAIL_PREFIX } else { open_clause(prefix, level, index == 0) };
                reason = (open, Some(index), "the level begins with what stands before the last `*`");
            }
            Level::Rest => {
                if let Some((hidden, _)) = rest.find(|(_, level)| *level == INBOX) {
                    return no(clause::P2P, Operand::Subject, hidden, "no wildcard takes `#P2P`");
                }
                reason = (clause::TAIL, Some(index), "`>` takes one or more levels");
            }
        }
    }
    if rest.next().is_some() {
        let why = "the subscription has no level left for it";
        return no(clause::LENGTH, Operand::Subject, count, why);
    }
    let (clause, token, why) = reason;
    Trace { matched: true, clause, operand: Operand::Pattern, token, why }
}

fn refused(operand: Operand, refusal: Refusal) -> Trace {
    Trace { matched: false, clause: refusal.clause, operand, token: refusal.token, why: refusal.why }
}

/// The clause of a prefix that matched: an open one where the documents do not say that it would.
fn open_clause(prefix: &[u8], level: &[u8], first: bool) -> ClauseId {
    if holds_inbox(level) {
        clause::P2P_LEVEL
    } else if prefix.contains(&b'*') {
        clause::STAR_PREFIX
    } else if first && prefix.starts_with(b"$") {
        clause::DOLLAR_PREFIX
    } else {
        clause::PREFIX
    }
}

fn holds_inbox(level: &[u8]) -> bool {
    level.windows(INBOX.len()).any(|bytes| bytes == INBOX)
}

fn differs(wanted: Level<'_>, level: &[u8]) -> (ClauseId, &'static str) {
    match wanted {
        Level::Prefix(prefix) if level == INBOX && level.starts_with(prefix) => {
            (clause::P2P_PREFIX, "a prefix is a wildcard, and no wildcard takes `#P2P`")
        }
        Level::Any | Level::Rest if level == INBOX => (clause::P2P, "no wildcard takes `#P2P`"),
        Level::Any | Level::Rest => {
            (clause::DOLLAR, "a stand-alone wildcard in the first level does not take a topic that begins with `$`")
        }
        Level::Prefix(prefix) if prefix.contains(&b'*') => {
            (clause::STAR_PREFIX, "only the last `*` of the level is a wildcard; the level does not begin so")
        }
        Level::Prefix(_) => (clause::PREFIX, "the level does not begin with the prefix"),
        Level::Literal(literal) if literal.contains(&b'*') => {
            (clause::STAR_LITERAL, "`*` in this place is a literal, and this literal is not the topic's level")
        }
        Level::Literal(literal) if literal.contains(&b'>') => {
            (clause::TAIL_LITERAL, "`>` in this place is a literal, and this literal is not the topic's level")
        }
        Level::Literal(literal) if literal.is_empty() || level.is_empty() => {
            (clause::EMPTY_LEVEL, "an empty level is a level of its own and equals no other literal")
        }
        Level::Literal(literal) if literal.eq_ignore_ascii_case(level) => {
            (clause::CASE, "levels are compared byte for byte: upper and lower case differ")
        }
        Level::Literal(_) => (clause::LITERAL, "the literal is not the topic's level"),
    }
}
