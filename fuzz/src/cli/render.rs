//! From the record in a run's folder to the reports beside it, and its witnesses as rows for a table. Must never read anything but the record.

use std::path::Path;

use wildcheck::found;
use wildcheck_reports::{Format, Summary};
use wildcheck_tables::table;

use super::failure::Failure;

/// The reports that every run leaves beside its record.
const WRITTEN: [Format; 4] = [Format::Markdown, Format::Json, Format::Csv, Format::Junit];

/// Renders every report and the rows.
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
    let path = dir.join(found::FILE);
    let rows = table::render(&found::rows(&summary));
    std::fs::write(&path, rows).map_err(|source| Failure::Output { what: path.display().to_string(), source })
}
