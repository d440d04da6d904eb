//! Operands before they are on the wire: under a prefix where the broker is not ours.
//!
//! Must never put a question under a prefix that means something else there.

use wildcheck_tables::Outcome;

use super::codec::MAX_TEXT;

/// mosquitto counts slashes up to this many; a prefix adds one.
const SLASHES: usize = 200;

/// What stands before every operand; empty for a broker of ours.
#[derive(Clone, Default)]
pub struct Prefix(pub Vec<u8>);

impl Prefix {
    /// The operand as it is sent.
    pub fn of(&self, operand: &[u8]) -> Vec<u8> {
        [&self.0[..], operand].concat()
    }

    /// Why the operand cannot be asked.
    pub fn cannot(&self, operand: &[u8]) -> Option<Outcome> {
        if operand.len() > MAX_TEXT {
            return Some(Outcome::Inexpressible("a length of more than two bytes".to_owned()));
        }
        if self.0.is_empty() {
            return None;
        }
        let why = if operand.is_empty() {
            "nothing at all is something under a prefix"
        } else if operand.starts_with(b"$") {
            "a `$` is a byte like any other under a prefix"
        } else if operand.len() + self.0.len() > MAX_TEXT || count(operand) >= SLASHES {
            "at the limit there is no room for a prefix"
        } else {
            return None;
        };
        Some(Outcome::Unsupported(why.to_owned()))
    }
}

fn count(operand: &[u8]) -> usize {
    operand.iter().filter(|b| **b == b'/').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_else_under_a_prefix_is_not_asked() {
        let prefix = Prefix(b"wc1/".to_vec());
        for operand in ["", "$x/a", &"/".repeat(200)] {
            assert!(matches!(prefix.cannot(operand.as_bytes()), Some(Outcome::Unsupported(_))), "{operand}");
            assert_eq!(Prefix::default().cannot(operand.as_bytes()), None);
        }
        assert_eq!((prefix.cannot(b"a/#"), prefix.of(b"#")), (None, b"wc1/#".to_vec()));
    }
}
