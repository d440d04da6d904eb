//! Published crates as adapters: `wild-crates NAME` serves that crate's matcher on stdin and stdout.
//!
//! It must never decide anything about a pair: the crate does, through its own entry. A panic of the crate is the answer
//! `e`, not the end of the program.

mod entries;
/// The loop is the one that people copy.
#[path = "../../../matcher.rs"]
#[allow(dead_code)]
mod matcher;

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

use entries::{ENTRIES, Entry};

fn main() -> std::io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(entry) = ENTRIES.iter().find(|entry| entry.package == name) else {
        let names: Vec<_> = ENTRIES.iter().map(|entry| entry.package).collect();
        eprintln!("usage: wild-crates NAME, one of {}", names.join(", "));
        std::process::exit(2);
    };
    // What a crate panics with is told by the `e` of its cells; a million lines on stderr tell nobody more.
    std::panic::set_hook(Box::new(|_| {}));
    let can: &[&str] = if entry.valid.is_some() { &["grid", "valid"] } else { &["grid"] };
    let hello = json!({"protocol": 1, "impl": entry.package, "version": locked(entry.package), "dialect": entry.dialect,
        "entry": entry.entry, "can": can});
    matcher::serve(hello, |pattern, subjects| row(entry, pattern, subjects), |ask| valid(entry, ask))
}

fn row(entry: &Entry, pattern: &str, subjects: &[String]) -> String {
    match catch_unwind(|| (entry.prepare)(pattern)) {
        Err(_) => "e".repeat(subjects.len()),
        Ok(None) => "p".repeat(subjects.len()),
        Ok(Some(prepared)) => {
            let cell = |subject: &String| match catch_unwind(AssertUnwindSafe(|| prepared(subject))) {
                Err(_) => 'e',
                Ok(None) => 's',
                Ok(Some(yes)) => char::from(b'0' + u8::from(yes)),
            };
            subjects.iter().map(cell).collect()
        }
    }
}

fn valid(entry: &Entry, ask: &Value) -> Option<Value> {
    let [pattern, subject] = entry.valid.filter(|_| ask["op"] == "valid")?;
    let side = |key: &str, takes: fn(&str) -> bool| -> String {
        let texts = ask[key].as_array().into_iter().flatten().filter_map(Value::as_str);
        texts.map(|text| char::from(b'0' + u8::from(takes(text)))).collect()
    };
    Some(json!({"patterns": side("patterns", pattern), "subjects": side("subjects", subject)}))
}

/// The release in the lock file.
fn locked(package: &str) -> String {
    let name = format!("name = \"{package}\"");
    let mut lines = include_str!("../Cargo.lock").lines().skip_while(|line| *line != name);
    let version = lines.nth(1).and_then(|line| line.strip_prefix("version = "));
    version.unwrap_or("unknown").trim_matches('"').to_owned()
}
