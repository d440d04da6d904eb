//! Which subscription id each pattern of a grid gets. Must never give two patterns the same one.
//!
//! The id stands on the same control line as the pattern, and the server limits the line: a pattern of the greatest
//! length is refused for a long id. So the longest patterns get the shortest ids.

use wildcheck_tables::Operand;

/// Patterns up to this many bytes fit with any id.
const ROOMY: usize = 4_000;

/// Ids from 1, one a pattern.
pub struct Sids {
    /// Empty: pattern `i` has the id `i + 1`.
    of: Vec<u64>,
    back: Vec<u32>,
    count: usize,
}

impl Sids {
    /// Ids for these patterns.
    pub fn new(patterns: &[Operand]) -> Sids {
        let count = patterns.len();
        if patterns.iter().all(|pattern| pattern.0.len() <= ROOMY) {
            return Sids { of: Vec::new(), back: Vec::new(), count };
        }
        let mut back: Vec<u32> = (0..count as u32).collect();
        back.sort_by_key(|index| std::cmp::Reverse(patterns[*index as usize].0.len()));
        let mut of = vec![0; count];
        for (rank, index) in back.iter().enumerate() {
            of[*index as usize] = rank as u64 + 1;
        }
        Sids { of, back, count }
    }

    /// The id of the pattern at `index`.
    pub fn of(&self, index: usize) -> u64 {
        self.of.get(index).copied().unwrap_or(index as u64 + 1)
    }

    /// The index of the pattern with that id; `None` for an id that was not given.
    pub fn pattern(&self, sid: usize) -> Option<u32> {
        let rank = sid.checked_sub(1).filter(|rank| *rank < self.count)?;
        Some(self.back.get(rank).copied().unwrap_or(rank as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_patterns_get_the_shortest_ids_and_every_id_leads_back() {
        for long in [ROOMY, ROOMY + 94] {
            let patterns: Vec<Operand> =
                (0..200).map(|i| Operand(vec![b'a'; if i == 150 { long } else { i }])).collect();
            let sids = Sids::new(&patterns);
            (0..patterns.len()).for_each(|i| assert_eq!(sids.pattern(sids.of(i) as usize), Some(i as u32)));
            assert_eq!(sids.of(150), if long > ROOMY { 1 } else { 151 });
            assert_eq!((sids.pattern(0), sids.pattern(201)), (None, None));
        }
    }
}
