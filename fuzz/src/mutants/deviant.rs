//! A matcher that can be wrong in many ways at once: the dialect's rules with a set of deviations.
//!
//! Must never be asked for the truth: without a deviation the dialect itself answers.

use std::borrow::Cow;

use wildcheck_matcher::{Dialect, Operand as Side};

use super::{
    deviation::{Deviation, Set},
    parsed::Parsed,
    shape::Shape,
    token,
};

/// What a matcher with these deviations says, given what the rules say: where the deviations change nothing of the
/// plain algorithm, the dialect's own answer stands.
pub fn verdict(dialect: &dyn Dialect, set: Set, pattern: &Parsed<'_>, subject: &Parsed<'_>, truth: bool) -> bool {
    let deviant = plain(dialect, set, pattern, subject);
    if deviant == plain(dialect, Set::NONE, pattern, subject) { truth } else { deviant }
}

/// The plain algorithm over tokens, bent by the deviations.
pub fn plain(dialect: &dyn Dialect, set: Set, pattern: &Parsed<'_>, subject: &Parsed<'_>) -> bool {
    for deviation in [Deviation::NulEnds, Deviation::LossyUtf8, Deviation::TrailingSeparator] {
        if !set.has(deviation) {
            continue;
        }
        let (p, s) = (normal(dialect, deviation, pattern.bytes), normal(dialect, deviation, subject.bytes));
        if matches!((&p, &s), (Cow::Borrowed(p), Cow::Borrowed(s)) if p.len() == pattern.bytes.len() && s.len() == subject.bytes.len())
        {
            continue;
        }
        let (p, s) = (Parsed::new(dialect, Side::Pattern, &p), Parsed::new(dialect, Side::Subject, &s));
        return plain(dialect, set.without(deviation), &p, &s);
    }
    let syntax = dialect.syntax();
    if set.has(Deviation::TailBytePrefix)
        && let (Some(many), Some(last)) = (syntax.many, pattern.tokens.last())
        && *last == many
    {
        return pattern.valid(set) && subject.bytes.starts_with(&pattern.bytes[..pattern.bytes.len() - many.len()]);
    }
    if !pattern.valid(set) || !subject.valid(set) {
        return false;
    }
    let wild = |t: &[u8]| Some(t) == syntax.one || Some(t) == syntax.many;
    let edge = [pattern.tokens.first(), pattern.tokens.last()];
    if set.has(Deviation::EdgeStarRefused) && edge.iter().any(|t| t.copied() == syntax.one) {
        return false;
    }
    if set.has(Deviation::SubjectRefused) && subject.tokens.iter().any(|t| wild(t)) {
        return false;
    }
    if set.has(Deviation::Shallow) && subject.tokens.len() > 16 {
        return false;
    }
    if subject.shape.has(Shape::DOLLAR) && wild(pattern.tokens[0]) {
        // Some dialects hide such a subject; whether this one does is asked with another first byte.
        let seen = dialect.matches(pattern.bytes, &[b"x", &subject.bytes[1..]].concat());
        if set.has(Deviation::DollarVisible) || seen && !dialect.matches(pattern.bytes, subject.bytes) {
            return seen && set.has(Deviation::DollarVisible);
        }
    }
    if set.has(Deviation::SeparatorAny)
        && let Some(separator) = syntax.separator
        && pattern.bytes.contains(&separator)
        && separator_is_any_byte(dialect, set, pattern, subject)
    {
        return true;
    }
    let run = |p: &[&[u8]], s: &[&[u8]]| {
        let walk = Walk { dialect, set, pattern: p, subject: s };
        if set.has(Deviation::ManyNoBacktrack) { walk.committed() } else { walk.all() }
    };
    if set.has(Deviation::EmptyDropped) {
        let full = |tokens: &[&'_ [u8]]| tokens.iter().any(|t| t.is_empty());
        if full(&pattern.tokens) || full(&subject.tokens) {
            let p: Vec<&[u8]> = pattern.tokens.iter().copied().filter(|t| !t.is_empty()).collect();
            let s: Vec<&[u8]> = subject.tokens.iter().copied().filter(|t| !t.is_empty()).collect();
            return (p.is_empty() == s.is_empty()) && run(&p, &s);
        }
    }
    run(&pattern.tokens, &subject.tokens)
}

/// The operand as an implementation with this deviation sees it.
fn normal<'a>(dialect: &dyn Dialect, deviation: Deviation, bytes: &'a [u8]) -> Cow<'a, [u8]> {
    match deviation {
        Deviation::NulEnds => Cow::Borrowed(bytes.split(|b| *b == 0).next().unwrap_or(bytes)),
        Deviation::LossyUtf8 => match String::from_utf8_lossy(bytes) {
            Cow::Borrowed(_) => Cow::Borrowed(bytes),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
        _ => match (dialect.syntax().separator, bytes) {
            (Some(separator), [rest @ .., last]) if *last == separator && !rest.is_empty() => Cow::Borrowed(rest),
            _ => Cow::Borrowed(bytes),
        },
    }
}

/// Subjects of fewer tokens than this are walked without asking the heap.
const SHORT: usize = 32;

/// What a pattern token does.
enum Role {
    Many,
    One,
    Literal,
}

/// One pattern against one subject, as tokens.
struct Walk<'w> {
    dialect: &'w dyn Dialect,
    set: Set,
    pattern: &'w [&'w [u8]],
    subject: &'w [&'w [u8]],
}

impl Walk<'_> {
    fn has(&self, deviation: Deviation) -> bool {
        self.set.has(deviation)
    }

    fn role(&self, index: usize) -> Role {
        let syntax = self.dialect.syntax();
        let (token, last) = (self.pattern[index], index + 1 == self.pattern.len());
        if Some(token) == syntax.many {
            let placed = last || !syntax.many_last_only || self.has(Deviation::MisplacedActs);
            let off = self.has(Deviation::ManyLiteral) || self.has(Deviation::ManyLastOnly) && !last;
            return if placed && !off { Role::Many } else { Role::Literal };
        }
        if Some(token) != syntax.one {
            return Role::Literal;
        }
        let tail = syntax.many.is_some_and(|many| self.pattern.last().is_some_and(|t| t.ends_with(many)));
        let off = self.has(Deviation::StarLiteral)
            || self.has(Deviation::StarFirstOnly) && index > 0
            || self.has(Deviation::StarLastOnly) && !last
            || self.has(Deviation::StarOnce) && self.pattern[..index].contains(&token)
            || self.has(Deviation::TailBytePrefix) && tail;
        if off { Role::Literal } else { Role::One }
    }

    /// How many tokens the many-wildcard takes at least.
    fn least(&self) -> usize {
        match self.dialect.syntax().many_min {
            _ if self.has(Deviation::TailTakesOne) => 1,
            _ if self.has(Deviation::TailTakesNothing) => 0,
            0 if self.has(Deviation::ManyNeedsOne) => 1,
            least => least,
        }
    }

    fn star_takes(&self, token: &[u8]) -> bool {
        if self.has(Deviation::StarWordOnly) {
            return !token.is_empty() && token.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
        }
        !(self.has(Deviation::StarNotEmpty) && token.is_empty())
    }

    fn literal_takes(&self, index: usize, token: &[u8]) -> bool {
        let (one, pattern) = (self.dialect.syntax().one, self.pattern[index]);
        if self.has(Deviation::LastTokenPrefix)
            && index + 1 == self.pattern.len()
            && !pattern.is_empty()
            && token.starts_with(pattern)
        {
            return true;
        }
        if self.only_star_takes_empty() && token.is_empty() {
            return false;
        }
        token::takes(self.set, one, pattern, token)
    }

    fn only_star_takes_empty(&self) -> bool {
        self.has(Deviation::StarTakesEmpty) && !self.has(Deviation::EmptyAllowed) && !self.dialect.syntax().empty_tokens
    }

    /// Every way at once: which positions of the subject the pattern so far can have come to.
    fn all(&self) -> bool {
        let syntax = self.dialect.syntax();
        let count = self.subject.len();
        let mut heap = Vec::new();
        let mut stack = [false; 2 * SHORT];
        let both = if count < SHORT {
            &mut stack[..2 * (count + 1)]
        } else {
            heap.resize(2 * (count + 1), false);
            &mut heap[..]
        };
        let (mut reach, mut next) = both.split_at_mut(count + 1);
        reach[0] = true;
        if self.has(Deviation::StartOpen) {
            reach.fill(true);
        }
        let subject_tail =
            self.has(Deviation::SubjectActs) && self.subject.last().is_some_and(|t| Some(*t) == syntax.many);
        for index in 0..self.pattern.len() {
            if subject_tail && reach[count - 1] {
                return true;
            }
            next.fill(false);
            match self.role(index) {
                Role::Many => {
                    let least = self.least();
                    for from in (0..=count).filter(|from| reach[*from]) {
                        if self.has(Deviation::TailTakesOne) {
                            if from < count {
                                next[from + 1] = true;
                            }
                        } else if self.only_star_takes_empty() {
                            let run = self.subject[from..].iter().take_while(|t| !t.is_empty()).count();
                            if run >= least {
                                next[from + least..=from + run].fill(true);
                            }
                        } else if from + least <= count {
                            next[from + least..].fill(true);
                            break;
                        }
                    }
                }
                Role::One => {
                    for from in (0..=count).filter(|from| reach[*from]) {
                        if self.has(Deviation::StarTakesNothing) {
                            next[from] = true;
                        }
                        if from < count && self.star_takes(self.subject[from]) {
                            next[from + 1] = true;
                        }
                        if self.has(Deviation::StarCrosses) && from < count {
                            next[from + 1..].fill(true);
                        }
                    }
                }
                Role::Literal => self.literal(index, reach, next),
            }
            std::mem::swap(&mut reach, &mut next);
        }
        reach[count]
            || self.has(Deviation::EndOpen) && reach.contains(&true)
            || self.has(Deviation::OneTokenMore) && count > 0 && reach[count - 1]
    }

    fn literal(&self, index: usize, reach: &[bool], next: &mut [bool]) {
        let syntax = self.dialect.syntax();
        let count = self.subject.len();
        let pattern = self.pattern[index];
        let last = index + 1 == self.pattern.len();
        let crossing = match syntax.one {
            Some([star])
                if self.has(Deviation::StarPartial) && self.has(Deviation::StarCrosses) && pattern.contains(star) =>
            {
                Some(*star)
            }
            _ => None,
        };
        for from in (0..count).filter(|from| reach[*from]) {
            if self.literal_takes(index, self.subject[from]) {
                next[from + 1] = true;
            }
            if let (Some(star), Some(separator)) = (crossing, syntax.separator) {
                for (to, reached) in next.iter_mut().enumerate().skip(from + 2) {
                    let joined = self.subject[from..to].join(&separator);
                    *reached |= token::glob(self.set, star, pattern, &joined);
                }
            }
            if let (true, true, Some(many)) = (last, self.has(Deviation::TailPartial), syntax.many)
                && let Some(prefix) = pattern.strip_suffix(many).filter(|prefix| !prefix.is_empty())
                && self.subject[from].starts_with(prefix)
            {
                next[count] = true;
            }
        }
    }

    /// The many-wildcard stops at the first token that the next pattern token takes, and never thinks again.
    fn committed(&self) -> bool {
        let mut at = 0;
        for index in 0..self.pattern.len() {
            let takes = |index: usize, at: usize| match self.role(index) {
                Role::Many => true,
                Role::One => at < self.subject.len() && self.star_takes(self.subject[at]),
                Role::Literal => at < self.subject.len() && self.literal_takes(index, self.subject[at]),
            };
            match self.role(index) {
                Role::Many if index + 1 == self.pattern.len() => return at + self.least() <= self.subject.len(),
                Role::Many => {
                    let start = at + self.least();
                    match (start..=self.subject.len()).find(|at| takes(index + 1, *at)) {
                        Some(stop) => at = stop,
                        None => return false,
                    }
                }
                _ if takes(index, at) => at += 1,
                _ => return false,
            }
        }
        at == self.subject.len()
    }
}

/// The pattern as a regular expression whose author forgot to escape the separator.
fn separator_is_any_byte(dialect: &dyn Dialect, set: Set, pattern: &Parsed<'_>, subject: &Parsed<'_>) -> bool {
    let (syntax, text) = (dialect.syntax(), subject.bytes);
    let mut reach = vec![false; text.len() + 1];
    reach[0] = true;
    let shift = |reach: &mut Vec<bool>, takes: &dyn Fn(u8) -> bool| {
        for at in (0..text.len()).rev() {
            reach[at + 1] = reach[at] && takes(text[at]);
        }
        reach[0] = false;
    };
    for (index, token) in pattern.tokens.iter().enumerate() {
        if index > 0 {
            shift(&mut reach, &|_| true);
        }
        if Some(*token) == syntax.one || Some(*token) == syntax.many {
            let crosses = Some(*token) == syntax.many;
            // One or more bytes, of the same token unless the wildcard is for many.
            let mut grown = vec![false; text.len() + 1];
            for at in 0..text.len() {
                let takes = crosses || Some(text[at]) != syntax.separator;
                grown[at + 1] = (reach[at] || grown[at]) && takes;
            }
            reach = grown;
        } else {
            for byte in *token {
                shift(&mut reach, &|b| token::same(set, *byte, b));
            }
        }
    }
    reach[text.len()]
}
