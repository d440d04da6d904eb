//! A scope: every pattern and every subject over a few tokens up to a depth, in a fixed order.
//!
//! Must never depend on anything but its fields: the same scope is the same questions in the same order for ever,
//! because certificates carry a digest over it.

use std::{collections::BTreeSet, fmt};

use wildcheck_matcher::{Dialect, Strength};
use wildcheck_tables::{Operand, cell};

use crate::error::CampaignError;

/// Every pattern x every subject over these tokens.
///
/// The order: fewer tokens first; within a length like an odometer whose last token turns fastest, over the literals as
/// given, then the wildcard for one token, then the one for many, then (with `invalid`) the empty token.
#[derive(Clone)]
pub struct Scope {
    /// The language.
    pub dialect: &'static dyn Dialect,
    /// The literal tokens, in the order given, without repeats.
    pub literals: Vec<Operand>,
    /// The greatest number of tokens of an operand.
    pub depth: usize,
    /// Also the empty token and wildcards anywhere, on both sides.
    pub invalid: bool,
    /// Only one pair of those that differ by a renaming of the literals.
    pub canonical: bool,
}

/// Patterns x subjects of one part of a scope; without `canonical` there is one part.
pub struct Block {
    /// What is subscribed to.
    pub patterns: Vec<Operand>,
    /// What is published to.
    pub subjects: Vec<Operand>,
    /// How many pairs of the full scope each pair stands for, summed over the block.
    pub covers: u64,
}

impl Scope {
    /// Parses the list of `--tokens`: commas between tokens, `''` for the empty one, `\xNN` for a byte.
    ///
    /// # Errors
    /// [`CampaignError::Scope`]: a broken escape, a repeated token, a token that holds the separator, a wildcard or a
    /// token the dialect refuses (unless `invalid`), no token at all, depth 0, or a scope too large to count.
    pub fn parse(
        dialect: &'static dyn Dialect,
        tokens: &str,
        depth: usize,
        invalid: bool,
        canonical: bool,
    ) -> Result<Scope, CampaignError> {
        let bad = |why: String| Err(CampaignError::Scope(why));
        let syntax = dialect.syntax();
        if depth == 0 {
            return bad("the depth must be at least 1".to_owned());
        }
        let mut literals: Vec<Operand> = Vec::new();
        for text in tokens.split(',') {
            let bytes = if text == "''" {
                Vec::new()
            } else if text.is_empty() {
                return bad("an empty entry in the list of tokens: write '' for the empty token".to_owned());
            } else {
                cell::unescape(text).map_err(|e| CampaignError::Scope(format!("token `{text}`: {e}")))?
            };
            let wildcard = Some(&bytes[..]) == syntax.one || Some(&bytes[..]) == syntax.many;
            if syntax.separator.is_some_and(|s| bytes.contains(&s)) {
                return bad(format!("token `{text}` holds the separator"));
            }
            if invalid && (wildcard || bytes.is_empty()) {
                continue; // it is in the alphabet already
            }
            if wildcard {
                return bad(format!("`{text}` is a wildcard: the dialect's wildcards are added by themselves"));
            }
            let refusal = dialect
                .validate_pattern(&bytes, Strength::Server)
                .and_then(|()| dialect.validate_subject(&bytes, Strength::Server));
            if let (false, Err(refusal)) = (invalid, refusal) {
                return bad(format!("token `{text}` is refused by {}: {refusal}", dialect.name()));
            }
            let token = Operand(bytes);
            if literals.contains(&token) {
                return bad(format!("token `{text}` is listed twice"));
            }
            literals.push(token);
        }
        if literals.is_empty() && !invalid {
            return bad("a scope needs at least one literal token".to_owned());
        }
        let scope = Scope { dialect, literals, depth, invalid, canonical };
        let letters = scope.alphabet(Side::Pattern).len() as f64;
        if letters.powi(depth as i32) > 1e8 {
            return bad(format!("{letters} tokens to depth {depth} are more than 100 million patterns"));
        }
        Ok(scope)
    }

    /// Every pattern, in the documented order (with `canonical`: the canonical ones).
    pub fn patterns(&self) -> impl Iterator<Item = Operand> + '_ {
        let alphabet = self.alphabet(Side::Pattern);
        let literals = self.literals.len();
        Words::new(alphabet.len(), self.depth)
            .filter(move |word| !self.canonical || is_canonical(word, literals, 0))
            .filter_map(move |word| self.operand(&alphabet, &word, Side::Pattern))
    }

    /// Every subject, in the documented order (with `canonical`: those that some canonical pattern is asked with).
    pub fn subjects(&self) -> impl Iterator<Item = Operand> + '_ {
        let distinct = self.literals.len().min(self.depth);
        self.subjects_beside(if self.canonical { distinct } else { self.literals.len() })
    }

    /// How many patterns.
    pub fn pattern_count(&self) -> u64 {
        self.patterns().count() as u64
    }

    /// How many subjects.
    pub fn subject_count(&self) -> u64 {
        self.subjects().count() as u64
    }

    /// How many pairs are asked.
    pub fn pairs(&self) -> u64 {
        self.blocks().map(|b| b.patterns.len() as u64 * b.subjects.len() as u64).sum()
    }

    /// The grids of the scope: one, or with `canonical` one for each number of distinct literals in the pattern.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        let kinds = if self.canonical { 0..=self.literals.len().min(self.depth) } else { 0..=0 };
        kinds.map(move |distinct| self.block(distinct)).filter(|b| !b.patterns.is_empty() && !b.subjects.is_empty())
    }

    fn block(&self, distinct: usize) -> Block {
        if !self.canonical {
            let (patterns, subjects): (Vec<_>, Vec<_>) = (self.patterns().collect(), self.subjects().collect());
            let covers = patterns.len() as u64 * subjects.len() as u64;
            return Block { patterns, subjects, covers };
        }
        let alphabet = self.alphabet(Side::Pattern);
        let literals = self.literals.len();
        let patterns: Vec<Operand> = Words::new(alphabet.len(), self.depth)
            .filter(|word| is_canonical(word, literals, 0) && literals_in(word, literals) == distinct)
            .filter_map(|word| self.operand(&alphabet, &word, Side::Pattern))
            .collect();
        let alphabet = self.alphabet(Side::Subject);
        let mut subjects = Vec::new();
        let mut renamings = 0u64;
        for word in Words::new(alphabet.len(), self.depth).filter(|word| is_canonical(word, literals, distinct)) {
            if let Some(subject) = self.operand(&alphabet, &word, Side::Subject) {
                let used = word.iter().filter(|i| **i < literals).map(|i| i + 1).max().unwrap_or(0).max(distinct);
                renamings += (literals - used + 1..=literals).map(|n| n as u64).product::<u64>();
                subjects.push(subject);
            }
        }
        let covers = renamings * patterns.len() as u64;
        Block { patterns, subjects, covers }
    }

    fn subjects_beside(&self, distinct: usize) -> impl Iterator<Item = Operand> + '_ {
        let alphabet = self.alphabet(Side::Subject);
        let literals = self.literals.len();
        Words::new(alphabet.len(), self.depth)
            .filter(move |word| is_canonical(word, literals, distinct))
            .filter_map(move |word| self.operand(&alphabet, &word, Side::Subject))
    }

    fn alphabet(&self, side: Side) -> Vec<Vec<u8>> {
        let syntax = self.dialect.syntax();
        let mut tokens: Vec<Vec<u8>> = self.literals.iter().map(|t| t.0.clone()).collect();
        if side == Side::Pattern || self.invalid {
            tokens.extend(syntax.one.map(<[u8]>::to_vec));
            tokens.extend(syntax.many.map(<[u8]>::to_vec));
        }
        if self.invalid {
            tokens.push(Vec::new());
        }
        tokens
    }

    fn operand(&self, alphabet: &[Vec<u8>], word: &[usize], side: Side) -> Option<Operand> {
        let separator = match self.dialect.syntax().separator {
            Some(byte) => vec![byte],
            None if word.len() > 1 => return None,
            None => Vec::new(),
        };
        let parts: Vec<&[u8]> = word.iter().map(|i| &alphabet[*i][..]).collect();
        let bytes = parts.join(&separator[..]);
        let valid = self.invalid
            || match side {
                Side::Pattern => self.dialect.validate_pattern(&bytes, Strength::Server).is_ok(),
                Side::Subject => self.dialect.validate_subject(&bytes, Strength::Server).is_ok(),
            };
        valid.then_some(Operand(bytes))
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tokens ")?;
        for (index, token) in self.literals.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            if token.0.is_empty() { write!(f, "{comma}''")? } else { write!(f, "{comma}{token}")? }
        }
        write!(f, "; depth {}", self.depth)?;
        if self.invalid {
            f.write_str("; with invalid operands")?;
        }
        if self.canonical {
            f.write_str("; up to renaming")?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Pattern,
    Subject,
}

/// Every word over `letters` letters of 1 to `depth` letters, shorter ones first.
struct Words {
    letters: usize,
    depth: usize,
    next: Option<Vec<usize>>,
}

impl Words {
    fn new(letters: usize, depth: usize) -> Words {
        Words { letters, depth, next: (letters > 0 && depth > 0).then(|| vec![0]) }
    }
}

impl Iterator for Words {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let word = self.next.take()?;
        let mut after = word.clone();
        self.next = match after.iter().rposition(|letter| letter + 1 < self.letters) {
            Some(at) => {
                after[at] += 1;
                after[at + 1..].fill(0);
                Some(after)
            }
            None if word.len() < self.depth => Some(vec![0; word.len() + 1]),
            None => None,
        };
        Some(word)
    }
}

/// Do the literals from number `known` on come up in their order, none before its predecessor?
fn is_canonical(word: &[usize], literals: usize, known: usize) -> bool {
    let mut seen = known;
    for letter in word.iter().copied().filter(|letter| *letter < literals) {
        if letter > seen {
            return false;
        }
        seen = seen.max(letter + 1);
    }
    true
}

/// How many different literals stand in the word.
fn literals_in(word: &[usize], literals: usize) -> usize {
    word.iter().filter(|letter| **letter < literals).collect::<BTreeSet<_>>().len()
}
