//! Where a campaign tells what it does: events for the record, a beat for the progress line, and the wish to stop.
//!
//! Must never swallow an event: what was found is on disk before the next question is asked.

use std::io;

use wildcheck_tables::RunEvent;

/// What a campaign talks to. The command line writes the record and draws; tests collect.
pub trait Sink {
    /// Takes one event of the record.
    ///
    /// # Errors
    /// The record could not be written; the campaign ends with what it has.
    fn event(&mut self, event: RunEvent) -> io::Result<()>;

    /// So many pairs are done, of so many if that is known.
    fn progress(&mut self, done: u64, total: Option<u64>);

    /// Was the campaign asked to stop? It then ends in good order with what it has.
    fn interrupted(&self) -> bool {
        false
    }
}
