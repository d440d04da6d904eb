//! One token of a pattern, in words that every dialect shares.

/// What a token of a pattern asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece<'a> {
    /// This token.
    Literal(&'a [u8]),
    /// A token that begins so.
    Prefix(&'a [u8]),
    /// One token.
    One,
    /// Any number of tokens, none included.
    Any,
}

impl Piece<'_> {
    /// Does it take this token, where no dialect keeps the token from wildcards?
    pub fn takes(self, token: &[u8]) -> bool {
        match self {
            Piece::Literal(literal) => literal == token,
            Piece::Prefix(prefix) => token.starts_with(prefix),
            Piece::One | Piece::Any => true,
        }
    }

    /// Takes one token it names.
    pub fn is_literal(self) -> bool {
        matches!(self, Piece::Literal(_))
    }
}
