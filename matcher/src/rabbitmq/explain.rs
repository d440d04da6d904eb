//! Which clause decides a pair, and at which word. Must never disagree with [`super::matches`].

use super::glob::{MANY, ONE};
use super::words::Words;
use super::{Variant, validate_pattern, validate_subject};
use crate::dialect::{ClauseId, Operand, Refusal, Strength, Trace};

/// How the pair is decided: the answer, the clause and the word (counted as the variant counts words).
pub fn explain(variant: Variant, pattern: &[u8], key: &[u8]) -> Trace {
    if let Err(refusal) = validate_pattern(variant, pattern, Strength::Server) {
        return refused(Operand::Pattern, refusal);
    }
    if let Err(refusal) = validate_subject(variant, key, Strength::Server) {
        return refused(Operand::Subject, refusal);
    }
    if super::matches(variant, pattern, key) { matched(variant, pattern) } else { unmatched(variant, pattern, key) }
}

fn refused(operand: Operand, refusal: Refusal) -> Trace {
    Trace { matched: false, clause: refusal.clause, operand, token: refusal.token, why: refusal.why }
}

/// The last `#`, else the last `*`, else the literals let it through.
fn matched(variant: Variant, pattern: &[u8]) -> Trace {
    let clauses = variant.clauses();
    let last = |wanted: &[u8]| {
        Words::new(pattern, variant.split()).enumerate().filter(|(_, w)| *w == wanted).last().map(|(index, _)| index)
    };
    let (clause, token, why) = if let Some(index) = last(MANY) {
        (clauses.hash, Some(index), "`#` takes zero or more words")
    } else if let Some(index) = last(ONE) {
        (clauses.star, Some(index), "`*` takes exactly one word")
    } else if pattern.is_empty() {
        (clauses.empty_key, None, "the empty pattern has no word, and neither has the empty key")
    } else if let Some(index) = Words::new(pattern, variant.split()).position(is_partial) {
        (clauses.partial, Some(index), "`*` or `#` beside other bytes is a literal, and the key's word is this literal")
    } else {
        (clauses.literal, None, "every word equals its literal")
    };
    Trace { matched: true, clause, operand: Operand::Pattern, token, why }
}

fn unmatched(variant: Variant, pattern: &[u8], key: &[u8]) -> Trace {
    let clauses = variant.clauses();
    let trace = |clause, operand, token, why| Trace { matched: false, clause, operand, token, why };
    let mut wanted = Words::new(pattern, variant.split());
    let mut words = Words::new(key, variant.split());
    let hashes = wanted.filter(|w| *w == MANY).count();
    let least = wanted.count() - hashes;
    let most = words.count();
    let mut token = 0;
    loop {
        let (want, word) = (wanted.next(), words.next());
        match (want, word) {
            (Some(MANY), _) => break,
            (Some(want), Some(word)) if want == ONE || want == word => {}
            (Some(want), Some(word)) => {
                let (clause, why) = differs(variant, want, word);
                return trace(clause, Operand::Pattern, Some(token), why);
            }
            (Some(ONE), None) if most == 0 => {
                return trace(clauses.empty_key, Operand::Pattern, Some(token), "the empty key has no word for `*`");
            }
            (Some(_), None) => {
                return trace(clauses.length, Operand::Pattern, Some(token), "the key has no word left for it");
            }
            (None, Some(_)) => {
                return trace(clauses.length, Operand::Subject, Some(token), "the pattern has no word left for it");
            }
            (None, None) => break,
        }
        token += 1;
    }
    if least > most {
        let why = "`#` may take nothing, and still the other words of the pattern are more than the key has";
        return trace(clauses.length, Operand::Pattern, Some(token), why);
    }
    let mut token = wanted.count() + token;
    let (mut wanted, mut words) = (Words::new(pattern, variant.split()), Words::new(key, variant.split()));
    while let (Some(want), Some(word)) = (wanted.next_back(), words.next_back()) {
        if want == MANY {
            break;
        }
        if want != ONE && want != word {
            let (clause, why) = differs(variant, want, word);
            return trace(clause, Operand::Pattern, Some(token), why);
        }
        token = token.saturating_sub(1);
    }
    let why = "the words between the `#`s do not stand in the key in this order";
    trace(clauses.hash, Operand::Pattern, Some(token), why)
}

/// Why a literal does not take a word.
fn differs(variant: Variant, want: &[u8], word: &[u8]) -> (ClauseId, &'static str) {
    let clauses = variant.clauses();
    if is_partial(want) {
        (clauses.partial, "`*` or `#` beside other bytes is a literal, and this literal is not the key's word")
    } else if want.is_empty() || word.is_empty() {
        (clauses.empty_word, "an empty word is a word of its own and equals no other literal")
    } else if want.eq_ignore_ascii_case(word) {
        (clauses.case, "words are compared byte for byte: upper and lower case differ")
    } else {
        (clauses.literal, "the literal is not the key's word")
    }
}

/// Holds a wildcard's byte; asked only of words that are no wildcard.
fn is_partial(word: &[u8]) -> bool {
    word.iter().any(|b| matches!(b, b'*' | b'#'))
}
