//! The regular expression that people write for a pattern, decided without one. Wrong on purpose.
//!
//! Every wildcard byte is one wherever it stands, nothing is validated, and separators around a many-level wildcard
//! stay what they are.

/// How a pattern is turned into the expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess {
    /// What the one-level expression stops at.
    pub(crate) separator: u8,
    /// Becomes `[^separator]+`, or `[^separator]*` where `one_may_be_empty`.
    pub(crate) one: u8,
    /// Whether `one` takes nothing, too.
    pub(crate) one_may_be_empty: bool,
    /// Becomes `.*`.
    pub(crate) many: u8,
}

impl Guess {
    /// Does the expression match the whole subject? Two places to come back to: the latest `many`, and the latest
    /// `one` behind it.
    pub(crate) fn matches(&self, pattern: &[u8], subject: &[u8]) -> bool {
        let (mut p, mut s) = (0, 0);
        let mut many: Option<(usize, usize)> = None;
        let mut one: Option<(usize, usize)> = None;
        loop {
            let here = subject.get(s);
            match pattern.get(p) {
                Some(byte) if *byte == self.many => {
                    p += 1;
                    (many, one) = (Some((p, s)), None);
                    continue;
                }
                Some(byte) if *byte == self.one => {
                    let takes = usize::from(!self.one_may_be_empty);
                    if takes == 0 || here.is_some_and(|b| *b != self.separator) {
                        (p, s) = (p + 1, s + takes);
                        one = Some((p, s));
                        continue;
                    }
                }
                Some(byte) if here == Some(byte) => {
                    (p, s) = (p + 1, s + 1);
                    continue;
                }
                None if here.is_none() => return true,
                _ => {}
            }
            if let Some((after, tried)) = one
                && subject.get(tried).is_some_and(|b| *b != self.separator)
            {
                (p, s) = (after, tried + 1);
                one = Some((p, s));
            } else if let Some((after, tried)) = many
                && tried < subject.len()
            {
                (p, s) = (after, tried + 1);
                (many, one) = (Some((p, s)), None);
            } else {
                return false;
            }
        }
    }
}
