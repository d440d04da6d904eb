//! The summary as one JSON object. Must never rename a field without a new schema number.

use super::failed;
use crate::{ReportError, Summary};

pub(super) fn render(summary: &Summary) -> Result<String, ReportError> {
    serde_json::to_string_pretty(summary).map_err(failed)
}
