//! Markdown for people: the result first, then what does not hold, then the rest. Must never let an operand end a cell
//! or a code span.

use minijinja::{AutoEscape, Environment};

use super::{failed, told};
use crate::{
    ReportError, Summary,
    render::html::{syntax, view},
};

pub(super) fn render(summary: &Summary) -> Result<String, ReportError> {
    let environment = environment("report", include_str!("report.md.j2"))?;
    let template = environment.get_template("report").map_err(failed)?;
    let mut text = template.render(view(summary)).map_err(failed)?;
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    Ok(text)
}

/// An engine that escapes nothing by itself, with that template and the filters `code` and `cell`.
pub(super) fn environment<'t>(name: &'t str, template: &'t str) -> Result<Environment<'t>, ReportError> {
    let mut environment = Environment::new();
    environment.set_syntax(syntax()?);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.add_filter("code", |text: String| code(&text));
    environment.add_filter("cell", |text: String| cell(&text));
    environment.add_template(name, template).map_err(failed)?;
    Ok(environment)
}

/// Plain text in a table cell or a line.
fn cell(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in told::plain(text).chars() {
        match c {
            '\n' => escaped.push(' '),
            '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\' | '#' | '~' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// A code span, also in a table cell: the fence is longer than any run of backticks inside.
fn code(text: &str) -> String {
    let text = told::plain(text).replace('\n', " ").replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operand_cannot_end_its_code_span_or_its_cell() {
        assert_eq!(code("a.*"), "`a.*`");
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(cell("<b>|*"), "\\<b\\>\\|\\*");
    }
}
