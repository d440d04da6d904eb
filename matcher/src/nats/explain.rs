//! Why a pair is decided as it is: the clause and the token. Must never differ from the matcher in the answer.

use super::{clause, validate};
use crate::dialect::{ClauseId, Operand, Refusal, Strength, Trace};

/// How the pair is decided: the answer, the clause and the token.
///
/// A "no" names the first token, from the left, that cannot be; a refused operand comes before, the pattern first. A
/// "yes" names the token with the strongest say: a wildcard of the subject that is only a literal, then `>`, then the
/// first `*`, then the first literal that looks like a wildcard; without any of these it is the literal as a whole.
pub fn explain(pattern: &[u8], subject: &[u8]) -> Trace {
    if let Err(refusal) = validate::validate_pattern(pattern, Strength::Server) {
        return refused(Operand::Pattern, refusal);
    }
    if let Err(refusal) = validate::validate_delivery(subject) {
        return refused(Operand::Subject, refusal);
    }
    mismatch(pattern, subject).unwrap_or_else(|| agreement(pattern, subject))
}

fn refused(operand: Operand, refusal: Refusal) -> Trace {
    Trace { matched: false, clause: refusal.clause, operand, token: refusal.token, why: refusal.why }
}

fn tokens(operand: &[u8]) -> impl Iterator<Item = &[u8]> {
    operand.split(|byte| *byte == b'.')
}

fn is_wildcard(token: &[u8]) -> bool {
    matches!(token, b"*" | b">")
}

fn looks_like_wildcard(token: &[u8]) -> bool {
    !is_wildcard(token) && token.iter().any(|byte| matches!(byte, b'*' | b'>'))
}

/// The first token at which two valid operands part; `None` when they match.
fn mismatch(pattern: &[u8], subject: &[u8]) -> Option<Trace> {
    let no = |clause: ClauseId, operand, token, why| Some(Trace { matched: false, clause, operand, token, why });
    let mut rest = tokens(subject);
    let mut last = (0, &b""[..]);
    for (index, wanted) in tokens(pattern).enumerate() {
        let at = Some(index);
        last = (index, wanted);
        match (wanted, rest.next()) {
            (b">", None) => return no(clause::TAIL, Operand::Pattern, at, "`>` needs at least one token"),
            (b">", Some(_)) => return None,
            (b"*", None) => return no(clause::STAR, Operand::Pattern, at, "`*` needs exactly one token"),
            (_, None) => return no(clause::LENGTH, Operand::Pattern, at, "the subject has fewer tokens"),
            (b"*", Some(_)) => {}
            (wanted, Some(token)) if wanted == token => {}
            (_, Some(b"*" | b">")) => {
                return no(
                    clause::SUBJECT_LITERAL,
                    Operand::Subject,
                    at,
                    "a wildcard in a subject is a literal, not this one",
                );
            }
            (wanted, Some(_)) if looks_like_wildcard(wanted) => {
                return no(
                    clause::PARTIAL,
                    Operand::Pattern,
                    at,
                    "a wildcard beside other bytes is a literal, not this one",
                );
            }
            (wanted, Some(token)) if wanted.eq_ignore_ascii_case(token) => {
                return no(clause::CASE, Operand::Pattern, at, "the same letters in another case");
            }
            (_, Some(_)) => return no(clause::LITERAL, Operand::Pattern, at, "another literal"),
        }
    }
    rest.next()?;
    match last {
        (index, b"*") => {
            no(clause::STAR, Operand::Pattern, Some(index), "`*` is exactly one token, never the rest of the subject")
        }
        (index, _) => no(clause::LENGTH, Operand::Subject, Some(index + 1), "the subject has more tokens"),
    }
}

/// What made two operands that match do so.
fn agreement(pattern: &[u8], subject: &[u8]) -> Trace {
    let yes = |clause: ClauseId, operand, token, why| Trace { matched: true, clause, operand, token, why };
    if let Some(at) = tokens(subject).position(is_wildcard) {
        return yes(
            clause::SUBJECT_LITERAL,
            Operand::Subject,
            Some(at),
            "a wildcard in a subject is delivered as a literal",
        );
    }
    if let Some(at) = tokens(pattern).position(|token| token == b">") {
        return yes(clause::TAIL, Operand::Pattern, Some(at), "`>` takes the rest of the subject");
    }
    if let Some(at) = tokens(pattern).position(|token| token == b"*") {
        return yes(clause::STAR, Operand::Pattern, Some(at), "`*` takes one token");
    }
    if let Some(at) = tokens(pattern).position(looks_like_wildcard) {
        return yes(
            clause::PARTIAL,
            Operand::Pattern,
            Some(at),
            "a wildcard beside other bytes is the same literal in both",
        );
    }
    yes(clause::LITERAL, Operand::Pattern, None, "the same tokens")
}
