//! Our own adapter: any oracle behind the adapter protocol, so that wildcheck can be asked by wildcheck.
//!
//! Must never answer what the oracle did not say: what it cannot say is `-`.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};
use wildcheck_tables::{Grid, Observations, Operand, Outcome, Verdict, row::Relation};

use super::message::{PROTOCOL, Text, operand};
use crate::{Oracle, OracleError, SetStep, SetsAnswer};

/// Answers questions until `stop` or the end of the input. A question that cannot be answered is answered with
/// `{"seq":…,"error":"…"}`.
///
/// # Errors
/// Only those of reading and writing.
pub fn serve(oracle: &mut dyn Oracle, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in input.split(b'\n') {
        let line = line?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = match serde_json::from_slice::<Value>(&line) {
            Ok(question) if question["op"] == "stop" => return Ok(()),
            Ok(question) => {
                let seq = question["seq"].clone();
                answer(oracle, &question).unwrap_or_else(|why| json!({"seq": seq, "error": why}))
            }
            Err(error) => json!({"seq": null, "error": format!("not a JSON object: {error}")}),
        };
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}

fn answer(oracle: &mut dyn Oracle, question: &Value) -> Result<Value, String> {
    let seq = &question["seq"];
    match question["op"].as_str() {
        Some("hello") => Ok(hello(oracle)),
        Some("grid") => {
            let seen = observe(oracle, operands(question, "patterns")?, operands(question, "subjects")?)?;
            let rows: Vec<String> = (0..seen.patterns.len()).map(|pattern| row(&seen, pattern)).collect();
            Ok(json!({"seq": seq, "rows": rows, "errors": errors(&seen)}))
        }
        Some("valid") => {
            // The two sides are asked apart: an empty other side is what makes it a question about acceptance.
            let patterns = observe(oracle, operands(question, "patterns")?, Vec::new())?;
            let subjects = observe(oracle, Vec::new(), operands(question, "subjects")?)?;
            let said = |outcomes: &[Outcome]| outcomes.iter().map(acceptance).collect::<String>();
            let all = Observations { subjects: subjects.subjects, ..patterns };
            Ok(json!({
                "seq": seq,
                "patterns": said(&all.patterns),
                "subjects": said(&all.subjects),
                "errors": errors(&all),
            }))
        }
        Some("relation") => {
            let relation = match question["relation"].as_str() {
                Some("subset") => Relation::Subset,
                Some("overlap") => Relation::Overlap,
                _ => return Err("expected the relation subset or overlap".to_owned()),
            };
            let right = operands(question, "right")?;
            let rows: Result<Vec<String>, String> = operands(question, "left")?
                .into_iter()
                .map(|left| {
                    let pairs: Vec<_> = right.iter().map(|right| (left.clone(), right.clone())).collect();
                    let verdicts = oracle.relate(relation, &pairs).map_err(|error| error.to_string())?;
                    Ok(verdicts.into_iter().map(verdict).collect())
                })
                .collect();
            Ok(json!({"seq": seq, "rows": rows?}))
        }
        Some("sets") => {
            let steps = question["steps"].as_array().ok_or("expected a list of steps")?;
            let steps: Option<Vec<SetStep>> = steps.iter().map(step).collect();
            match oracle.sets(&steps.ok_or("expected steps like [\"+\",\"a.>\"]")?) {
                Ok(SetsAnswer::Answers(answers)) => {
                    let answers: Vec<Vec<Text<'_>>> =
                        answers.iter().map(|list| list.iter().map(Text::from).collect()).collect();
                    Ok(json!({"seq": seq, "answers": answers}))
                }
                Ok(SetsAnswer::Unknown(outcome)) => Err(outcome.words().to_owned()),
                Err(error) => Err(error.to_string()),
            }
        }
        Some(other) => Err(format!("unknown operation `{other}`")),
        None => Err("expected \"op\"".to_owned()),
    }
}

fn hello(oracle: &mut dyn Oracle) -> Value {
    let mut can = vec!["grid", "valid"];
    let pair = [(Operand::from("a"), Operand::from("a"))];
    if matches!(oracle.relate(Relation::Overlap, &pair).as_deref(), Ok([Verdict::True | Verdict::False])) {
        can.push("relation");
    }
    if matches!(oracle.sets(&[]), Ok(SetsAnswer::Answers(_))) {
        can.push("sets");
    }
    can.push("bytes");
    let identity = oracle.identity();
    json!({
        "protocol": PROTOCOL,
        "impl": identity.name,
        "version": identity.version,
        "dialect": identity.dialect,
        "entry": format!("wildcheck {}", identity.address),
        "can": can,
    })
}

fn observe(oracle: &mut dyn Oracle, patterns: Vec<Operand>, subjects: Vec<Operand>) -> Result<Observations, String> {
    let dialect = wildcheck_matcher::by_name(&oracle.identity().dialect).ok_or("unknown dialect")?.name();
    oracle.observe(&Grid { dialect, patterns, subjects }).map_err(|error: OracleError| error.to_string())
}

fn operands(question: &Value, key: &str) -> Result<Vec<Operand>, String> {
    let wrong = || format!("expected \"{key}\" to be a list of strings or {{\"hex\":…}}");
    let list = question[key].as_array().ok_or_else(wrong)?;
    list.iter().map(|value| operand(value).ok_or_else(wrong)).collect()
}

fn step(step: &Value) -> Option<SetStep> {
    let [sign, text] = step.as_array()?.as_slice() else { return None };
    let text = operand(text)?;
    match sign.as_str()? {
        "+" => Some(SetStep::Add(text)),
        "-" => Some(SetStep::Remove(text)),
        "?" => Some(SetStep::Ask(text)),
        _ => None,
    }
}

fn row(seen: &Observations, pattern: usize) -> String {
    let mut row: Vec<u8> = (0..seen.subjects.len())
        .map(|subject| match (&seen.patterns[pattern], &seen.subjects[subject]) {
            _ if seen.delivered.contains(pattern, subject) => b'1',
            (outcome, _) | (_, outcome) if outcome.is_unknown() => unknown(outcome),
            (Outcome::Accepted, Outcome::Accepted) => b'0',
            (Outcome::Accepted, _) => b's',
            _ => b'p',
        })
        .collect();
    for (_, subject, outcome) in seen.unknown.iter().filter(|(p, _, _)| *p as usize == pattern) {
        row[*subject as usize] = unknown(outcome);
    }
    row.into_iter().map(char::from).collect()
}

fn unknown(outcome: &Outcome) -> u8 {
    if matches!(outcome, Outcome::Failed(_)) { b'e' } else { b'-' }
}

fn acceptance(outcome: &Outcome) -> char {
    match outcome {
        Outcome::Accepted => '1',
        outcome if outcome.is_unknown() => char::from(unknown(outcome)),
        _ => '0',
    }
}

fn verdict(verdict: Verdict) -> char {
    match verdict {
        Verdict::True => '1',
        Verdict::False => '0',
        Verdict::Unsupported => '-',
    }
}

/// The words of refusals and exceptions: `p0` for a pattern, `s0` for a subject, `0,0` for a cell.
fn errors(seen: &Observations) -> Value {
    let side = |letter: char, outcomes: &[Outcome]| -> Vec<(String, Value)> {
        let with_words = outcomes.iter().enumerate().filter(|(_, outcome)| !outcome.words().is_empty());
        with_words.map(|(index, outcome)| (format!("{letter}{index}"), outcome.words().into())).collect()
    };
    let mut all = side('p', &seen.patterns);
    all.extend(side('s', &seen.subjects));
    all.extend(seen.unknown.iter().map(|(p, s, outcome)| (format!("{p},{s}"), outcome.words().into())));
    Value::Object(all.into_iter().collect())
}
