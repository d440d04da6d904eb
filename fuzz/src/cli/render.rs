//! From the record in a run's folder to the reports beside it. Must never read anything but the record.

use std::path::Path;

use wildcheck_reports::{Format, Summary};

use super::failure::Failure;

/// The reports that every run leaves beside its record.
const WRITTEN: [Format; 4] = [Format::Markdown, Format::Json, Format::Csv, Format::Junit];

/// Renders every report.
///
/// # Errors
/// A report cannot be written.
pub fn all(dir: &Path) -> Result<(), Failure> {
    let summary = Summary::read(dir)?;
    for format in WRITTEN {
        let path = dir.join(format.file());
        let text = wildcheck_reports::render(&summary, format)?;
        std::fs::write(&path, text).map_err(|source| Failure::Output { what: path.display().to_string(), source })?;
    }
    Ok(())
}
