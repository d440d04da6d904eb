//! An adapter to copy: put your own matcher into `matches`, name it in `hello`, and ask
//!
//! ```text
//! wildcheck run --oracle 'exec:target/debug/examples/matcher'
//! ```

use std::io::{BufRead, Write};

use serde_json::{Value, json};

/// `Some(true)`, `Some(false)`, or `None` for a pattern that is refused.
fn matches(pattern: &str, subject: &str) -> Option<bool> {
    let (patterns, subjects): (Vec<_>, Vec<_>) = (pattern.split('.').collect(), subject.split('.').collect());
    if patterns.contains(&"") || patterns[..patterns.len() - 1].contains(&">") {
        return None;
    }
    if subjects.contains(&"") {
        return Some(false);
    }
    for (index, token) in patterns.iter().enumerate() {
        match subjects.get(index) {
            Some(_) if *token == ">" => return Some(true),
            Some(subject) if *token == "*" || token == subject => {}
            _ => return Some(false),
        }
    }
    Some(patterns.len() == subjects.len())
}

fn strings(ask: &Value, key: &str) -> Vec<String> {
    ask[key].as_array().into_iter().flatten().filter_map(|text| Some(text.as_str()?.to_owned())).collect()
}

/// Answers until `stop`. `row` says one pattern against these subjects, a character each; `other` answers what else
/// `hello` promised to be able to.
pub fn serve(
    hello: Value,
    row: impl Fn(&str, &[String]) -> String,
    other: impl Fn(&Value) -> Option<Value>,
) -> std::io::Result<()> {
    for line in std::io::stdin().lock().lines() {
        let ask: Value = serde_json::from_str(&line?)?;
        let mut answer = match ask["op"].as_str() {
            Some("stop") => break,
            Some("hello") => hello.clone(),
            Some("grid") => {
                let subjects = strings(&ask, "subjects");
                let rows: Vec<String> =
                    strings(&ask, "patterns").iter().map(|pattern| row(pattern, &subjects)).collect();
                json!({"rows": rows})
            }
            _ => other(&ask).unwrap_or_else(|| json!({"error": "unknown operation"})),
        };
        if ask["op"] != "hello" {
            answer["seq"] = ask["seq"].clone();
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let hello = json!({"protocol": 1, "impl": "my-matcher", "version": "1.0", "dialect": "nats", "entry": "matches",
        "can": ["grid"]});
    let row = |pattern: &str, subjects: &[String]| -> String {
        let cells = subjects.iter().map(|subject| matches(pattern, subject));
        cells.map(|cell| cell.map_or('p', |yes| if yes { '1' } else { '0' })).collect()
    };
    serve(hello, row, |_| None)
}
