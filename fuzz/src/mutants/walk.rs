//! A pattern's tokens walked along a subject's, as a matcher with these deviations does it. Must never look at what the
//! rules refuse: [`super::deviant`] has done so.

use wildcheck_matcher::Dialect;

use super::{
    deviation::{Deviation, Set},
    token,
};

/// Subjects of fewer tokens than this are walked without asking the heap.
const SHORT: usize = 32;

/// What a pattern token does.
enum Role {
    Many,
    One,
    Literal,
}

/// One pattern against one subject, as tokens.
pub struct Walk<'w> {
    /// Whose rules.
    pub dialect: &'w dyn Dialect,
    /// What is done differently.
    pub set: Set,
    /// The pattern's tokens.
    pub pattern: &'w [&'w [u8]],
    /// The subject's tokens.
    pub subject: &'w [&'w [u8]],
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
            let brace = self.has(Deviation::BraceParameter) && matches!(token, [b'{', .., b'}']);
            return if brace { Role::One } else { Role::Literal };
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
    pub fn all(&self) -> bool {
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
            if let (true, Some([many]), Some(separator)) =
                (self.has(Deviation::TailPartial), syntax.many, syntax.separator)
                && pattern.len() > 1
                && pattern.contains(many)
            {
                let mut signs = vec![(*many, None)];
                if let (true, Some([one])) = (self.has(Deviation::StarPartial), syntax.one) {
                    signs.push((*one, Some(separator)));
                }
                for (to, reached) in next.iter_mut().enumerate().skip(from + 1) {
                    let joined = || self.subject[from..to].join(&separator);
                    *reached = *reached || token::glob_of(self.set, &signs, pattern, &joined());
                }
            }
        }
    }

    /// The many-wildcard stops at the first token that the next pattern token takes, and never thinks again.
    pub fn committed(&self) -> bool {
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
