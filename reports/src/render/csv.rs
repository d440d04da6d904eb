//! The rows, one a line, for a spreadsheet. Must never hold a row that was not asked.

use super::{failed, told};
use crate::{ReportError, Summary};

pub(super) fn render(summary: &Summary) -> Result<String, ReportError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = [
        "table",
        "line",
        "operation",
        "left",
        "right",
        "lane",
        "expected",
        "reference",
        "server",
        "naive",
        "clause",
        "holds",
    ];
    writer.write_record(head).map_err(failed)?;
    for row in &summary.rows {
        let [reference, server, naive] = told::three(&row.answers);
        let right = row.right.as_ref().map(ToString::to_string).unwrap_or_default();
        let (line, left) = (row.line.to_string(), row.left.to_string());
        let lane = told::lanes(&row.answers);
        let holds = row.holds.to_string();
        let cells = [
            &row.table,
            &line,
            &row.operation,
            &left,
            &right,
            &lane,
            &row.expected,
            &reference,
            &server,
            &naive,
            &row.clause,
            &holds,
        ];
        writer.write_record(cells).map_err(failed)?;
    }
    String::from_utf8(writer.into_inner().map_err(failed)?).map_err(failed)
}
