//! Who is asked in one run. Must never ask by itself.

use wildcheck_oracle::Oracle;

/// The three ways: the reference and the naive approximation are always there, the live one if there is one.
pub struct Trio {
    /// The rules.
    pub reference: Box<dyn Oracle>,
    /// The one under test (a live server, an outside program).
    pub under_test: Option<Box<dyn Oracle>>,
    /// The approximation.
    pub naive: Box<dyn Oracle>,
}
