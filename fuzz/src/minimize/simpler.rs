//! The one-step simplifications of a pair. Must never ask whether they are any good.

use std::collections::BTreeSet;

use wildcheck_matcher::Syntax;

/// At most so many variants a side; a round asks their product.
const MOST: usize = 400;

/// At most so many bytes of variants a side, as long as there are [`FEW`].
const BYTES: usize = 200_000;

/// Tokens, or bytes of a token, that are dropped one by one; longer runs are dropped in halves, quarters and so on.
const FEW: usize = 24;

type Tokens = Vec<Vec<u8>>;

/// Variants of the pattern and variants of the subject, each with the unchanged operand first, so that their product
/// holds every one-step simplification: of one side, of both in the same way (renaming a token everywhere), and of both
/// in different ways (dropping a token here and a token there).
pub fn simpler(syntax: &Syntax, pattern: &[u8], subject: &[u8]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let split = |operand: &[u8]| -> Tokens {
        match syntax.separator {
            Some(separator) => operand.split(|b| *b == separator).map(<[u8]>::to_vec).collect(),
            None => vec![operand.to_vec()],
        }
    };
    let (pattern, subject) = (split(pattern), split(subject));
    let words: BTreeSet<Vec<u8>> = pattern.iter().chain(&subject).filter(|t| !t.is_empty()).cloned().collect();
    let variants = |tokens: &Tokens| -> Vec<Vec<u8>> {
        let separator: Vec<u8> = syntax.separator.into_iter().collect();
        let join = |tokens: &Tokens| tokens.join(&separator[..]);
        let own = join(tokens);
        let most = (BYTES / own.len().max(1)).clamp(FEW, MOST);
        let mut seen: BTreeSet<Vec<u8>> = BTreeSet::from([own.clone()]);
        let mut list = vec![own];
        side(syntax, tokens, &words, &mut |variant: Tokens| {
            let bytes = join(&variant);
            // The operand without a byte is no simplification: it is another question.
            if list.len() < most && !bytes.is_empty() && seen.insert(bytes.clone()) {
                list.push(bytes);
            }
        });
        list
    };
    (variants(&pattern), variants(&subject))
}

fn side(syntax: &Syntax, tokens: &Tokens, words: &BTreeSet<Vec<u8>>, put: &mut dyn FnMut(Tokens)) {
    let with = |index: usize, token: Vec<u8>| {
        let mut changed = tokens.clone();
        changed[index] = token;
        changed
    };
    // Fewer tokens.
    for (from, to) in cuts(tokens.len()) {
        put([&tokens[..from], &tokens[to..]].concat());
    }
    for index in 1..tokens.len().min(FEW) {
        let mut merged = tokens.clone();
        let token = merged.remove(index);
        merged[index - 1].extend(token);
        put(merged);
    }
    // Plainer tokens, one at a time.
    let plain = [Some(&b"a"[..]), syntax.one];
    for index in 0..tokens.len().min(FEW) {
        for token in plain.into_iter().flatten() {
            put(with(index, token.to_vec()));
        }
    }
    // A word everywhere: a plainer one in its place, or a part of it.
    for word in words.iter().take(FEW) {
        let everywhere = |new: &[u8]| tokens.iter().map(|t| if t == word { new.to_vec() } else { t.clone() }).collect();
        for letter in [b"a", b"b", b"c"] {
            put(everywhere(letter));
        }
        for (from, to) in cuts(word.len()) {
            put(everywhere(&[&word[..from], &word[to..]].concat()));
        }
    }
    // A byte everywhere: letters to `a` in their case, others to `a`.
    let bytes: BTreeSet<u8> = words.iter().flatten().copied().collect();
    for byte in bytes.into_iter().take(2 * FEW) {
        let map = |b: &u8| match *b {
            b if b.eq_ignore_ascii_case(&byte) && b.is_ascii_lowercase() => b'a',
            b if b.eq_ignore_ascii_case(&byte) && b.is_ascii_uppercase() => b'A',
            b if b == byte => b'a',
            b => b,
        };
        put(tokens.iter().map(|t| t.iter().map(map).collect()).collect());
    }
    // Shorter or plainer bytes, one place at a time.
    for (index, token) in tokens.iter().enumerate().take(FEW) {
        for (from, to) in cuts(token.len()).filter(|(from, to)| to - from < token.len()) {
            put(with(index, [&token[..from], &token[to..]].concat()));
        }
        for at in 0..token.len().min(FEW) {
            let mut changed = token.clone();
            changed[at] = b'a';
            put(with(index, changed));
        }
    }
}

/// Which ranges of `length` things are dropped: halves, quarters, … and single ones, all of those where they are few.
fn cuts(length: usize) -> impl Iterator<Item = (usize, usize)> {
    let sizes =
        std::iter::successors(Some(length / 2), |size| (*size > 1).then_some(size / 2)).filter(|size| *size > 0);
    let cut = move |size: usize| {
        let pieces = length.div_ceil(size).min(FEW);
        let last = (length - size, length);
        (0..pieces).map(move |n| (n * size, ((n + 1) * size).min(length))).chain([last])
    };
    let few = (1..=FEW).contains(&length).then(|| cut(1)).into_iter().flatten();
    sizes.flat_map(cut).chain(few)
}
