//! Pattern sets, against the plain list.

use proptest::prelude::*;
use wildcheck_matcher::{
    Dialect, ListSet, PatternSet, Strength,
    nats::{self, Nats, TokenTrie, naive, naive::NaiveSet},
};

use super::support::{join, operand, pattern_tokens, scope};

fn nats_list() -> ListSet {
    ListSet::new(nats::matches, |pattern| nats::validate_pattern(pattern, Strength::Server))
}

fn naive_list() -> ListSet {
    ListSet::new(naive::matches, |_| Ok(()))
}

fn reached(set: &dyn PatternSet, subject: &[u8]) -> Vec<u32> {
    let mut ids = Vec::new();
    set.matches(subject, &mut ids);
    ids.sort_unstable();
    ids
}

#[derive(Clone, Debug)]
enum Step {
    Insert(Vec<u8>, u32),
    /// Removes what the step of that index inserted, once more perhaps.
    Undo(prop::sample::Index),
    Remove(Vec<u8>, u32),
    Ask(Vec<u8>),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let pattern = || prop_oneof![4 => pattern_tokens().prop_map(|tokens| join(&tokens)), 1 => operand()];
    let step = prop_oneof![
        5 => (pattern(), 0..4_u32).prop_map(|(pattern, id)| Step::Insert(pattern, id)),
        4 => any::<prop::sample::Index>().prop_map(Step::Undo),
        1 => (pattern(), 0..4_u32).prop_map(|(pattern, id)| Step::Remove(pattern, id)),
        4 => pattern().prop_map(Step::Ask),
    ];
    prop::collection::vec(step, 1..60)
}

fn same_as_list(set: &mut dyn PatternSet, list: &mut ListSet, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut inserted: Vec<(&[u8], u32)> = Vec::new();
    for step in steps {
        match step {
            Step::Insert(pattern, id) => {
                prop_assert_eq!(set.insert(pattern, *id), list.insert(pattern, *id));
                inserted.push((pattern, *id));
            }
            Step::Undo(_) if inserted.is_empty() => {}
            Step::Undo(index) => {
                let (pattern, id) = inserted[index.index(inserted.len())];
                prop_assert_eq!(set.remove(pattern, id), list.remove(pattern, id));
            }
            Step::Remove(pattern, id) => prop_assert_eq!(set.remove(pattern, *id), list.remove(pattern, *id)),
            Step::Ask(subject) => prop_assert_eq!(reached(set, subject), reached(list, subject)),
        }
        prop_assert_eq!((set.len(), set.is_empty()), (list.len(), list.is_empty()));
    }
    for (pattern, _) in &inserted {
        prop_assert_eq!(reached(set, pattern), reached(list, pattern));
    }
    for (pattern, id) in inserted.iter().rev() {
        while list.remove(pattern, *id) {
            prop_assert!(set.remove(pattern, *id));
        }
        prop_assert!(!set.remove(pattern, *id));
        prop_assert_eq!(reached(set, pattern), reached(list, pattern));
    }
    prop_assert!(set.is_empty());
    Ok(())
}

proptest! {
    #[test]
    fn the_trie_is_the_list(steps in steps()) {
        same_as_list(&mut TokenTrie::new(), &mut nats_list(), &steps)?;
        same_as_list(Nats.pattern_set().unwrap().as_mut(), &mut nats_list(), &steps)?;
    }

    #[test]
    fn the_naive_set_is_the_list(steps in steps()) {
        same_as_list(&mut NaiveSet::new(), &mut naive_list(), &steps)?;
        same_as_list(Nats.naive_set().unwrap().as_mut(), &mut naive_list(), &steps)?;
    }
}

#[test]
fn both_sets_are_pairwise_on_a_whole_scope() {
    let operands = scope(&["a", "ab", "*", ">", ""], 4);
    let (mut trie, mut glob) = (TokenTrie::default(), NaiveSet::default());
    for (id, pattern) in operands.iter().enumerate() {
        let accepted = nats::validate_pattern(pattern, Strength::Server).is_ok();
        assert_eq!(trie.insert(pattern, id as u32).is_ok(), accepted);
        glob.insert(pattern, id as u32).unwrap();
    }
    for subject in &operands {
        let pairwise = |matches: fn(&[u8], &[u8]) -> bool| -> Vec<u32> {
            (0..).zip(&operands).filter(|(_, pattern)| matches(pattern, subject)).map(|(id, _)| id).collect()
        };
        assert_eq!(reached(&trie, subject), pairwise(nats::matches), "{subject:?}");
        assert_eq!(reached(&glob, subject), pairwise(naive::matches), "{subject:?}");
    }
}

#[test]
fn a_subject_of_many_tokens_is_matched_like_a_short_one() {
    let mut set = TokenTrie::new();
    let many = |token: &str, count: usize| join(&vec![token.as_bytes().to_vec(); count]);
    set.insert(b">", 0).unwrap();
    set.insert(&many("*", 2047), 1).unwrap();
    set.insert(&many("a", 2047), 2).unwrap();
    set.insert(&[many("a", 30), b".>".to_vec()].concat(), 3).unwrap();
    set.insert(&many("a", 2046), 4).unwrap();
    assert_eq!(reached(&set, &many("a", 2047)), [0, 1, 2, 3]);
    assert_eq!(reached(&set, &many("a", 2046)), [0, 3, 4]);
    assert_eq!(reached(&set, &many("a", 2048)), [0; 0], "too long for the server");
    for count in 20..30 {
        set.insert(&many("*", count), 5).unwrap();
        assert_eq!(reached(&set, &many("a", count)), [0, 5]);
    }
}

#[test]
fn the_same_pattern_twice_delivers_twice_and_is_removed_one_by_one() {
    for set in [Nats.pattern_set(), Nats.naive_set()] {
        let mut set = set.unwrap();
        for id in [7, 8, 7] {
            set.insert(b"a.b", id).unwrap();
        }
        assert_eq!(reached(set.as_ref(), b"a.b"), [7, 7, 8]);
        assert!(set.remove(b"a.b", 7));
        assert_eq!(reached(set.as_ref(), b"a.b"), [7, 8]);
        assert!(set.remove(b"a.b", 7) && !set.remove(b"a.b", 7));
        assert_eq!(reached(set.as_ref(), b"a.b"), [8]);
        assert!(!set.remove(b"a.*", 8) && !set.remove(b"a", 8) && !set.remove(b"a.b.>", 8) && set.remove(b"a.b", 8));
        assert!(set.is_empty());
    }
}

#[test]
fn a_set_that_is_emptied_and_filled_again_and_again_stays_within_twice_its_size() {
    let patterns: Vec<Vec<u8>> = (0..2_000).map(|n| format!("orders.{n}.created.{}", n * 7).into_bytes()).collect();
    let mut set = TokenTrie::new();
    let fill = |set: &mut TokenTrie| {
        for (id, pattern) in patterns.iter().enumerate() {
            set.insert(pattern, id as u32).unwrap();
        }
        assert_eq!(reached(set, b"orders.3.created.21"), [3]);
        for (id, pattern) in patterns.iter().enumerate() {
            assert!(set.remove(pattern, id as u32));
        }
        set.heap_bytes()
    };
    let first = fill(&mut set);
    for _ in 0..20 {
        assert!(fill(&mut set) <= 2 * first);
    }
    assert!(first > 2_000 * 32, "the bytes are counted");
}
