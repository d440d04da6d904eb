//! The probes of brokers whose claims speak of one pattern and at most one subject: `sub PATTERN[; pub SUBJECT]`, and a
//! word for what must be seen. Must never do I/O.

use super::{
    ProbeError,
    words::{error, parts, words},
};
use crate::{Fate, Operand, Outcome};

/// One pattern, and perhaps one subject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// What is subscribed to.
    pub pattern: Operand,
    /// What is published to, behind the subscription; `None`: what becomes of the subscription is the question.
    pub subject: Option<Operand>,
}

/// What must be seen of a [`Pair`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// The subject reaches the pattern (true), or does not (false).
    Delivered(bool),
    /// What becomes of the pattern.
    Pattern(Fate),
}

/// The fates that can be expected of a subscription.
const FATES: [Fate; 5] =
    [Fate::Accepted, Fate::RefusedOpen, Fate::RefusedClosed, Fate::RefusedClient, Fate::Inexpressible];

impl Pair {
    /// Reads the `probe` column. Words are those of a program's steps: blanks separate, `""` is the empty operand,
    /// `\xNN` a byte.
    ///
    /// # Errors
    /// The step that is none, with what was expected.
    pub fn parse(text: &str) -> Result<Pair, ProbeError> {
        let steps = parts(text, ';');
        let operand = |step: &str, verb: &str| match &words(step)?[..] {
            [first, operand] if first.plain() == Some(verb) => Ok(Operand(operand.bytes.clone())),
            _ => Err(error(step, format!("expected `{verb} OPERAND`"))),
        };
        match steps[..] {
            [sub] => Ok(Pair { pattern: operand(sub, "sub")?, subject: None }),
            [sub, publish] => Ok(Pair { pattern: operand(sub, "sub")?, subject: Some(operand(publish, "pub")?) }),
            _ => Err(error(text, "expected `sub PATTERN` or `sub PATTERN; pub SUBJECT`")),
        }
    }
}

impl Expected {
    /// Reads the `expected` column of that probe.
    ///
    /// # Errors
    /// A word that there is not, or that does not go with the probe.
    pub fn parse(text: &str, pair: &Pair) -> Result<Expected, ProbeError> {
        let fate = FATES.into_iter().find(|fate| fate.as_str() == text);
        match (text, &pair.subject, fate) {
            ("delivered", Some(_), _) => Ok(Expected::Delivered(true)),
            ("not-delivered", Some(_), _) => Ok(Expected::Delivered(false)),
            (_, None, Some(fate)) => Ok(Expected::Pattern(fate)),
            (_, Some(_), _) => Err(error(text, "expected delivered or not-delivered")),
            (_, None, None) => {
                let known: Vec<&str> = FATES.iter().map(|fate| fate.as_str()).collect();
                Err(error(text, format!("expected one of {}", known.join(", "))))
            }
        }
    }

    /// What was seen instead of what is expected; `None` where it is what is expected.
    pub fn instead(self, pattern: &Outcome, subject: &Outcome, delivered: bool) -> Option<String> {
        let told = |outcome: &Outcome| match outcome.words() {
            "" => outcome.fate(false).to_string(),
            words => format!("{} ({words})", outcome.fate(false)),
        };
        let holds = match self {
            Expected::Delivered(expected) => expected == delivered,
            Expected::Pattern(fate) => pattern.fate(false) == fate,
        };
        if holds {
            return None;
        }
        let mut text = match self {
            Expected::Pattern(_) => return Some(told(pattern)),
            Expected::Delivered(_) if delivered => "delivered".to_owned(),
            Expected::Delivered(_) => "not delivered".to_owned(),
        };
        for (what, outcome) in [("the subscription", pattern), ("the publish", subject)] {
            if *outcome != Outcome::Accepted {
                text.push_str(&format!("; {what} {}", told(outcome)));
            }
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_a_subscription_and_perhaps_a_publish() {
        let pair = Pair::parse(r#"sub a.#; pub """#).unwrap();
        assert_eq!(pair, Pair { pattern: Operand::from("a.#"), subject: Some(Operand::from("")) });
        assert_eq!(Pair::parse(r"sub a\x00b").unwrap().pattern, Operand::from(&b"a\0b"[..]));
        for wrong in ["", "pub a", "sub a; sub b", "sub a; pub b; pub c", "sub a b", "sub"] {
            assert!(Pair::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_expected_goes_with_the_probe() {
        let (one, two) = (Pair::parse("sub a").unwrap(), Pair::parse("sub a; pub a").unwrap());
        assert_eq!(Expected::parse("refused-closed", &one), Ok(Expected::Pattern(Fate::RefusedClosed)));
        assert_eq!(Expected::parse("delivered", &two), Ok(Expected::Delivered(true)));
        assert!(Expected::parse("delivered", &one).is_err() && Expected::parse("accepted", &two).is_err());
        assert!(Expected::parse("lost", &one).unwrap_err().to_string().contains("expected one of accepted"));
    }

    #[test]
    fn what_was_seen_instead_is_told_with_the_words_of_a_refusal() {
        let refused = Outcome::RefusedClosed("0x8f".to_owned());
        let seen = |expected: Expected| expected.instead(&refused, &Outcome::Accepted, false);
        assert_eq!(seen(Expected::Delivered(false)), None);
        assert_eq!(seen(Expected::Delivered(true)).unwrap(), "not delivered; the subscription refused-closed (0x8f)");
        assert_eq!(seen(Expected::Pattern(Fate::Accepted)).unwrap(), "refused-closed (0x8f)");
    }
}
