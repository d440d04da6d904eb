//! What the engine's tests share: a sink that keeps events, and the ways in memory.

use std::io;

use wildcheck::{Trio, sink::Sink};
use wildcheck_matcher::{Dialect, dialects, nats::Nats};
use wildcheck_oracle::{
    Oracle,
    memory::{Memory, Opinion},
};
use wildcheck_tables::RunEvent;

pub static NATS: &Nats = &Nats;

/// Keeps every event.
#[derive(Default)]
pub struct Kept(pub Vec<RunEvent>);

impl Sink for Kept {
    fn event(&mut self, event: RunEvent) -> io::Result<()> {
        self.0.push(event);
        Ok(())
    }
    fn progress(&mut self, _done: u64, _total: Option<u64>) {}
}

pub fn memory(dialect: &'static dyn Dialect, opinion: Opinion) -> Box<dyn Oracle> {
    Box::new(Memory::new(dialect, opinion))
}

/// Reference, somebody under test, the approximation.
pub fn trio(dialect: &'static dyn Dialect, under_test: Option<Box<dyn Oracle>>) -> Trio {
    Trio::new(memory(dialect, Opinion::Reference), under_test, memory(dialect, Opinion::Naive))
}

pub fn every_dialect() -> impl Iterator<Item = &'static dyn Dialect> {
    dialects().iter().copied()
}
