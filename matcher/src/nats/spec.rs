//! The NATS rules clause by clause, to be read beside the documentation. Slow on purpose.
//!
//! Must never share code with the fast matcher or with validation: it is the second opinion.

/// Does `subject` reach a subscription to `pattern`? See [`super::matches`].
pub fn matches(pattern: &[u8], subject: &[u8]) -> bool {
    fn valid(operand: &[u8]) -> bool {
        operand.len() <= 4094
            && operand.split(|b| *b == b'.').all(|token| !token.is_empty())
            && !operand.iter().any(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
    }
    if !valid(pattern) || !valid(subject) {
        return false;
    }
    let tokens = pattern.split(|b| *b == b'.').count();
    if pattern.split(|b| *b == b'.').enumerate().any(|(i, t)| t == b">" && i + 1 != tokens) {
        return false;
    }
    let mut rest = subject.split(|b| *b == b'.');
    for token in pattern.split(|b| *b == b'.') {
        match (token, rest.next()) {
            (_, None) => return false,
            (b">", Some(_)) => return true,
            (b"*", Some(_)) => {}
            (literal, Some(other)) => {
                if literal != other {
                    return false;
                }
            }
        }
    }
    rest.next().is_none()
}
