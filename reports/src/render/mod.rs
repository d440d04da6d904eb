//! The renderers, one format a file. Must never add a judgement of their own: they differ in form only.

mod badge;
mod csv;
mod html;
mod json;
mod junit;
mod markdown;
mod page;
mod sarif;
mod tap;
pub(crate) mod told;

use crate::{Format, ReportError, Summary};

/// The report as text, ending with a line feed.
///
/// # Errors
/// [`ReportError::Render`] when a template or a library fails.
pub fn render(summary: &Summary, format: Format) -> Result<String, ReportError> {
    let mut text = match format {
        Format::Markdown => markdown::render(summary)?,
        Format::Json => json::render(summary)?,
        Format::Csv => csv::render(summary)?,
        Format::Junit => junit::render(summary)?,
        Format::Html => html::render(summary)?,
        Format::Sarif => sarif::render(summary)?,
        Format::Tap => tap::render(summary),
        Format::Page => page::render(summary)?,
        Format::BadgeJson => badge::json(summary)?,
        Format::BadgeSvg => badge::svg(summary)?,
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

fn failed(error: impl std::fmt::Display) -> ReportError {
    ReportError::Render(error.to_string())
}
