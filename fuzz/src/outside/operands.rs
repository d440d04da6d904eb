//! The two exhaustive grids for outside programs: structure (few letters, every shape) and literals (few shapes, every
//! nasty letter).
//!
//! Must never depend on anything but the dialect and the size: two audits of one dialect ask the same.

use wildcheck_matcher::Dialect;
use wildcheck_tables::Operand;

use crate::{error::CampaignError, scope::Scope};

/// Literals that break matchers: regex metacharacters, shell globs, look-alikes, case, Unicode in two normal forms, the
/// dollar, blanks, and names that every object of a scripting language has.
const NASTY: &[&str] = &[
    "a",
    "A",
    "b",
    "ab",
    "ba",
    "aa",
    "0",
    "00",
    "1",
    "-1",
    "a+",
    "a?",
    "(a)",
    "(",
    ")",
    "[a]",
    "[",
    "[^a]",
    "a|b",
    "|",
    "^a",
    "a$",
    "$",
    "$a",
    "$SYS",
    "{a}",
    "a{2}",
    "\\",
    "\\w",
    "\\d",
    ".*",
    "%",
    "_",
    "-",
    "~",
    "!",
    "@",
    ":",
    ";",
    ",",
    "'",
    "\"",
    "&",
    "=",
    "a*",
    "*a",
    "**",
    "a#",
    "#a",
    "##",
    "a>",
    ">a",
    ">>",
    "a+b",
    "++",
    " ",
    "a ",
    " a",
    "\t",
    "\u{a0}",
    "\u{2003}",
    "\u{200b}",
    "é",
    "e\u{301}",
    "É",
    "ß",
    "SS",
    "ss",
    "İ",
    "i",
    "ı",
    "ﬁ",
    "fi",
    "а",
    "Ａ",
    "＊",
    "．",
    "☃",
    "😀",
    "\u{feff}a",
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "prototype",
    "null",
    "None",
    "true",
    "NaN",
    "undefined",
];

/// How much an outside program can be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Many pairs at a time.
    Full,
    /// A process a pair.
    Small,
}

/// Patterns and subjects.
pub type Sides = (Vec<Operand>, Vec<Operand>);

/// Every operand of up to four tokens over two letters, the wildcards and the empty token, on both sides.
///
/// # Errors
/// None in practice: the scope is a constant.
pub fn structure(dialect: &'static dyn Dialect, effort: Effort) -> Result<Sides, CampaignError> {
    let depth = if effort == Effort::Full { 4 } else { 2 };
    let scope = Scope::parse(dialect, "a,b", depth, true, false)?;
    Ok((scope.patterns().collect(), scope.subjects().collect()))
}

/// Each nasty literal in each place of up to three tokens; beside it the letter `a`, and in patterns the wildcards.
pub fn literals(dialect: &'static dyn Dialect, effort: Effort) -> Sides {
    let syntax = dialect.syntax();
    let most = match (syntax.separator, effort) {
        (Some(_), Effort::Full) => 3,
        _ => 1,
    };
    let nasty: Vec<&[u8]> = NASTY
        .iter()
        .map(|token| token.as_bytes())
        .filter(|token| syntax.separator.is_none_or(|separator| !token.contains(&separator)))
        .collect();
    let beside: Vec<&[u8]> = [Some(&b"a"[..]), syntax.one, syntax.many].into_iter().flatten().collect();
    let separator: Vec<u8> = syntax.separator.into_iter().collect();
    let sides = |beside: &[&[u8]]| {
        let mut operands = Vec::new();
        for length in 1..=most {
            for place in 0..length {
                for others in words(beside.len(), length - 1) {
                    for token in &nasty {
                        let mut tokens: Vec<&[u8]> = others.iter().map(|index| beside[*index]).collect();
                        tokens.insert(place, token);
                        operands.push(Operand(tokens.join(&separator[..])));
                    }
                }
            }
        }
        operands
    };
    let (mut patterns, subjects) = (sides(&beside), sides(&beside[..1]));
    patterns.extend(beside.iter().skip(1).map(|token| Operand::from(*token)));
    (distinct(patterns), distinct(subjects))
}

/// Every word of exactly `length` letters.
fn words(letters: usize, length: usize) -> Vec<Vec<usize>> {
    (0..length).fold(vec![Vec::new()], |words, _| {
        let longer = |word: Vec<usize>| (0..letters).map(move |letter| [&word[..], &[letter]].concat());
        words.into_iter().flat_map(longer).collect()
    })
}

fn distinct(mut operands: Vec<Operand>) -> Vec<Operand> {
    let mut seen = std::collections::HashSet::new();
    operands.retain(|operand| seen.insert(operand.clone()));
    operands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grids_hold_what_the_report_promises() {
        for dialect in ["nats", "rabbitmq", "mqtt", "solace"].map(|name| wildcheck_matcher::by_name(name).unwrap()) {
            let (patterns, subjects) = structure(dialect, Effort::Full).unwrap();
            let separator = char::from(dialect.syntax().separator.unwrap());
            let deepest = ["a", "b", "a", "b"].join(&separator.to_string());
            assert!(patterns.contains(&Operand::from(deepest.as_bytes())), "{}", dialect.name());
            assert!(subjects.contains(&Operand::from(format!("a{separator}{separator}b").as_bytes())));
            let (patterns, subjects) = literals(dialect, Effort::Full);
            for token in ["constructor", "$SYS", "(a)"] {
                let three = format!("a{separator}{token}{separator}a");
                assert!(patterns.contains(&Operand::from(three.as_bytes())), "{three}");
                assert!(subjects.contains(&Operand::from(three.as_bytes())), "{three}");
            }
        }
    }
}
