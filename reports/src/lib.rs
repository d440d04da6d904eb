//! One run record in, a report out. Must never ask an oracle or decide a verdict: it tells what the record holds.

pub mod record;
pub mod shell;
