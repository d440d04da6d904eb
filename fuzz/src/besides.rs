//! The operands of a dialect's rows, put as one grid to a broker that the tables were not measured on: what it does
//! differently is causes, known or new, as in a certify.
//!
//! Must never judge it by the measured columns: they speak of another broker.

use wildcheck_matcher::Dialect;
use wildcheck_tables::{DialectTables, Grid, event::WitnessRecord, row::OperandKind};

use crate::{campaign::Trio, error::CampaignError, ledger::Ledger, rows::Distinct, sink::Sink};

/// Asks; writes the `Grid` event and a `Witness` a cause, and returns the witnesses.
///
/// # Errors
/// The oracle was lost, or the record could not be written.
pub fn ask(
    dialect: &'static dyn Dialect,
    tables: &DialectTables,
    trio: &mut Trio,
    sink: &mut dyn Sink,
) -> Result<Vec<WitnessRecord>, CampaignError> {
    let mut ledger = Ledger::new(dialect, trio);
    let Some(oracle) = trio.under_test.as_deref_mut() else { return Ok(Vec::new()) };
    let grid = grid(dialect, tables);
    let reference = trio.reference.observe(&grid)?;
    let seen = oracle.observe(&grid)?;
    let who = oracle.identity().clone();
    ledger.take(&grid, &reference, &seen, &who, true, sink)?;
    ledger.settle(trio, sink)
}

fn grid(dialect: &'static dyn Dialect, tables: &DialectTables) -> Grid {
    let (mut patterns, mut subjects) = (Distinct::default(), Distinct::default());
    for row in &tables.matches {
        patterns.place(&row.pattern);
        subjects.place(&row.subject);
    }
    for row in &tables.validation {
        match row.operand {
            OperandKind::Pattern => patterns.place(&row.text),
            OperandKind::Subject => subjects.place(&row.text),
        };
    }
    Grid { dialect: dialect.name(), patterns: patterns.operands, subjects: subjects.operands }
}
