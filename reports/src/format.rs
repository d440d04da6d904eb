//! The formats of a report, by name. Must never render.

use std::{fmt, str::FromStr};

use crate::ReportError;

/// What a report is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For people.
    Markdown,
    /// The summary, for programs.
    Json,
    /// The rows, one a line.
    Csv,
    /// For CI servers: a suite a table, a case a row, a case a cause.
    Junit,
    /// One page for a browser, no other file needed.
    Html,
    /// For code hosts: a result a disagreement that is not known.
    Sarif,
    /// Test Anything Protocol 14.
    Tap,
    /// One page for the repository of the library that was audited.
    Page,
    /// What an endpoint badge of shields.io reads.
    BadgeJson,
    /// The same badge as an image.
    BadgeSvg,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 10] = [
        Format::Markdown,
        Format::Json,
        Format::Csv,
        Format::Junit,
        Format::Html,
        Format::Sarif,
        Format::Tap,
        Format::Page,
        Format::BadgeJson,
        Format::BadgeSvg,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Markdown => "md",
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Junit => "junit",
            Format::Html => "html",
            Format::Sarif => "sarif",
            Format::Tap => "tap",
            Format::Page => "page",
            Format::BadgeJson => "badge-json",
            Format::BadgeSvg => "badge-svg",
        }
    }

    /// All names.
    pub fn names() -> Vec<&'static str> {
        Format::ALL.into_iter().map(Format::name).collect()
    }

    /// The file beside the record.
    pub fn file(self) -> &'static str {
        match self {
            Format::Markdown => "report.md",
            Format::Json => "report.json",
            Format::Csv => "rows.csv",
            Format::Junit => "junit.xml",
            Format::Html => "report.html",
            Format::Sarif => "report.sarif",
            Format::Tap => "report.tap",
            Format::Page => "page.md",
            Format::BadgeJson => "badge.json",
            Format::BadgeSvg => "badge.svg",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = ReportError;

    fn from_str(text: &str) -> Result<Format, ReportError> {
        let known = Format::ALL.into_iter().find(|format| format.name() == text);
        known.ok_or_else(|| ReportError::Format(text.to_owned()))
    }
}
