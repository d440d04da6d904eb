//! Which clause decides a pair, and at which level. Must never disagree with [`super::matches`].

use super::{MANY, ONE, clause, validate};
use crate::dialect::{ClauseId, Operand, Refusal, Strength, Trace};

/// How the pair is decided: the answer, the clause and the level (of the whole filter, `$share/NAME/` included).
pub fn explain(filter: &[u8], topic: &[u8]) -> Trace {
    if let Err(refusal) = validate::validate_pattern(filter, Strength::Server) {
        return refused(Operand::Pattern, refusal);
    }
    if let Err(refusal) = validate::topic(topic) {
        return refused(Operand::Subject, refusal);
    }
    let inner = validate::unshared(filter);
    let first = if inner.len() == filter.len() { 0 } else { 2 };
    let no = |clause, operand, token, why| Trace { matched: false, clause, operand, token: Some(token), why };
    if topic[0] == b'$' && matches!(inner[0], b'+' | b'#') {
        let why = "a topic that begins with `$` is hidden from a filter that begins with a wildcard";
        return no(clause::DOLLAR, Operand::Pattern, first, why);
    }
    let mut last_one = None;
    let mut levels = topic.split(|b| *b == b'/');
    let mut count = 0;
    for (index, wanted) in inner.split(|b| *b == b'/').enumerate() {
        count = index + 1;
        let token = first + index;
        let level = levels.next();
        if wanted == MANY {
            let (clause, why) = match level {
                None => (clause::PARENT, "`#` stands for the parent level, too"),
                Some(_) => (clause::HASH, "`#` stands for any number of levels"),
            };
            return Trace { matched: true, clause, operand: Operand::Pattern, token: Some(token), why };
        }
        match level {
            None => return no(clause::LENGTH, Operand::Pattern, token, "the topic has no level left for it"),
            Some(_) if wanted == ONE => last_one = Some(token),
            Some(level) if wanted == level => {}
            Some(level) => {
                let (clause, why) = differs(wanted, level);
                return no(clause, Operand::Pattern, token, why);
            }
        }
    }
    match (levels.next(), last_one) {
        (Some(_), _) => no(clause::LENGTH, Operand::Subject, count, "the filter has no level left for it"),
        (None, Some(token)) => Trace {
            matched: true,
            clause: clause::PLUS,
            operand: Operand::Pattern,
            token: Some(token),
            why: "`+` stands for exactly one level",
        },
        (None, None) => Trace {
            matched: true,
            clause: clause::LITERAL,
            operand: Operand::Pattern,
            token: None,
            why: "every level equals its literal",
        },
    }
}

fn refused(operand: Operand, refusal: Refusal) -> Trace {
    Trace { matched: false, clause: refusal.clause, operand, token: refusal.token, why: refusal.why }
}

fn differs(wanted: &[u8], level: &[u8]) -> (ClauseId, &'static str) {
    if wanted.is_empty() || level.is_empty() {
        (clause::EMPTY_LEVEL, "an empty level is a level of its own and equals no other literal")
    } else if wanted.eq_ignore_ascii_case(level) {
        (clause::CASE, "levels are compared byte for byte: upper and lower case differ")
    } else {
        (clause::LITERAL, "the literal is not the topic's level")
    }
}
