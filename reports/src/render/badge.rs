//! The badge of an audit: the JSON that shields.io's endpoint badge reads (<https://shields.io/badges/endpoint-badge>;
//! `reports/badge.schema.json` states it), and an SVG that needs nobody.
//!
//! Must never say that nothing is wrong of a run that did not get to its end, and never let text out unescaped.

use minijinja::{AutoEscape, Environment, context};
use serde::Serialize;
use wildcheck_tables::event::Pile;

use super::{failed, html::syntax, told};
use crate::{ReportError, Summary};

/// The left half.
const LABEL: &str = "wildcheck";

/// What the badge says, in the words of shields.io.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Badge {
    schema_version: u8,
    label: &'static str,
    message: String,
    color: &'static str,
}

pub(super) fn json(summary: &Summary) -> Result<String, ReportError> {
    serde_json::to_string_pretty(&badge(summary)).map_err(failed)
}

pub(super) fn svg(summary: &Summary) -> Result<String, ReportError> {
    let mut environment = Environment::new();
    environment.set_syntax(syntax()?);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("badge", include_str!("badge.svg.j2")).map_err(failed)?;
    let Badge { label, message, color, .. } = badge(summary);
    let (left, right) = (width(label), width(&message));
    let view = context! { label, message => told::plain(&message), color => hex(color), left, right };
    environment.get_template("badge").map_err(failed)?.render(view).map_err(failed)
}

fn badge(summary: &Summary) -> Badge {
    let (message, color) = said(summary);
    Badge { schema_version: 1, label: LABEL, message: told::plain(&message), color }
}

fn said(summary: &Summary) -> (String, &'static str) {
    let dialect = if summary.dialect.is_empty() { "run" } else { &summary.dialect };
    if !summary.is_whole() {
        return (format!("{dialect}: no result"), "lightgrey");
    }
    let wrong = |pile| {
        let of_pile = summary.witnesses.iter().filter(|w| w.pile == pile && w.alone != "naive");
        of_pile.map(|witness| witness.count).sum::<u64>()
    };
    let mut message =
        format!("{dialect}: {} wrong on legal of {}", grouped(wrong(Pile::Legal)), grouped(summary.pairs));
    for (pile, words) in [(Pile::Illegal, "illegal accepted"), (Pile::Limits, "limits")] {
        if wrong(pile) > 0 {
            message.push_str(&format!(", {} {words}", grouped(wrong(pile))));
        }
    }
    if summary.contradicted().next().is_some() {
        return (message + ", disputed", "orange");
    }
    let clean = summary.exit == Some(0);
    let color = match (clean, Pile::ALL.iter().all(|pile| wrong(*pile) == 0)) {
        (true, true) => "brightgreen",
        (true, false) => "green",
        (false, _) => "red",
    };
    (message, color)
}

/// The colours of shields.io.
fn hex(color: &str) -> &'static str {
    match color {
        "brightgreen" => "#4c1",
        "green" => "#97ca00",
        "orange" => "#fe7d37",
        "red" => "#e05d44",
        _ => "#9f9f9f",
    }
}

/// `1234567` as `1,234,567`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let (head, rest) = digits.split_at((digits.len() - 1) % 3 + 1);
    let groups = rest.as_bytes().chunks(3).map(|group| format!(",{}", String::from_utf8_lossy(group)));
    std::iter::once(head.to_owned()).chain(groups).collect()
}

/// The text's room in pixels with a margin at each end. The SVG sets `textLength`, so that the letters fit the room
/// whatever the font is.
fn width(text: &str) -> usize {
    text.chars().count() * 13 / 2 + 12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_in_groups_of_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (1_234_567, "1,234,567")]
        {
            assert_eq!(grouped(number), text);
        }
    }
}
