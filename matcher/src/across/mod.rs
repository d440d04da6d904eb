//! What goes between dialects: patterns as pieces, what each dialect can say, translation, and a subscription that is
//! bound to what its backend can do.
//!
//! Must never know a dialect by name; what differs is asked through [`crate::Dialect`].

#[cfg(feature = "alloc")]
mod automaton;
mod capabilities;
#[cfg(feature = "alloc")]
mod comparison;
#[cfg(feature = "alloc")]
mod piece;
#[cfg(feature = "alloc")]
mod subscription;
#[cfg(feature = "alloc")]
mod translate;
#[cfg(feature = "alloc")]
mod trie;

#[cfg(feature = "alloc")]
pub use automaton::covers;
#[cfg(feature = "alloc")]
use automaton::{Difference, Side, differences};
pub use capabilities::{Capabilities, Said, Where};
#[cfg(feature = "alloc")]
pub use comparison::{Column, Comparison, Fate, compare, subjects, written as patterns_of};
#[cfg(feature = "alloc")]
pub use piece::Piece;
#[cfg(feature = "alloc")]
pub use subscription::Subscription;
#[cfg(feature = "alloc")]
pub use translate::{Both, Translation, translate};
#[cfg(feature = "alloc")]
pub use trie::PieceTrie;
