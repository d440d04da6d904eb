//! `cmd:` a program run once a pair: exit code 0 for a match, 1 for none, anything else an exception.
//!
//! Must never go through a shell: `{pattern}` and `{subject}` are put into the words after splitting.

use std::{
    borrow::Cow,
    ffi::{OsStr, OsString},
    io::Read,
    os::unix::ffi::{OsStrExt, OsStringExt},
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use wildcheck_tables::{Grid, Identity, Lane, Matches, Observations, Operand, Outcome};

use super::{
    acceptance_unsupported,
    program::{command, kill_group, split, unavailable},
};
use crate::{Options, Oracle, OracleError, server::child};

/// The oracle.
pub struct Cmd {
    identity: Identity,
    words: Vec<OsString>,
    options: Options,
    findings: Vec<String>,
}

impl Cmd {
    /// Checks the line; the program is started once a pair.
    ///
    /// # Errors
    /// [`OracleError::Address`] for a line that cannot be split or that names not both operands.
    pub fn open(line: &str, options: &Options) -> Result<Cmd, OracleError> {
        let what = format!("cmd:{line}");
        let words = split("cmd", line)?;
        for wanted in ["{pattern}", "{subject}"] {
            if !line.contains(wanted) {
                let why = format!("expected {wanted} among the arguments");
                return Err(OracleError::Address { address: what, why });
            }
        }
        let identity = super::plain_identity(&what, &words, Lane(Cow::Borrowed("cmd")), options);
        Ok(Cmd { identity, words, options: options.clone(), findings: Vec::new() })
    }

    fn pair(&self, pattern: &Operand, subject: &Operand) -> Result<Result<bool, Outcome>, OracleError> {
        if [pattern, subject].iter().any(|operand| operand.0.contains(&0)) {
            let why = "a NUL byte cannot stand in an argument".to_owned();
            return Ok(Err(Outcome::Unsupported(why)));
        }
        let words: Vec<OsString> = self.words.iter().map(|word| fill(word, pattern, subject)).collect();
        let mut command = command(&words);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = child::spawn(command).map_err(|error| unavailable(&self.identity.address, &error))?;
        // Its stderr is read beside, so that a full pipe stops nobody.
        let stderr = child.stderr.take().map(|mut stderr| {
            thread::spawn(move || {
                let mut text = Vec::new();
                let _ = stderr.by_ref().take(4_096).read_to_end(&mut text);
                let _ = std::io::copy(&mut stderr, &mut std::io::sink());
                String::from_utf8_lossy(&text).trim().to_owned()
            })
        });
        let deadline = Instant::now() + self.options.answer_timeout;
        let mut pause = Duration::from_micros(200);
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if self.options.interrupt.is_set() => {
                    kill_group(&mut child);
                    return Err(OracleError::Interrupted);
                }
                Ok(None) if Instant::now() < deadline => {
                    thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(10));
                }
                _ => {
                    kill_group(&mut child);
                    let why = format!("no answer in {:?}", self.options.answer_timeout);
                    return Ok(Err(Outcome::Failed(why)));
                }
            }
        };
        Ok(match status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => {
                let said = stderr.and_then(|reader| reader.join().ok()).unwrap_or_default();
                let said = if said.is_empty() { said } else { format!(": {said}") };
                Err(Outcome::Failed(format!("{}{said}", child::how_it_ended(status))))
            }
        })
    }
}

/// Puts the operands into a word, in one pass, so that an operand that holds `{subject}` stays as it is.
fn fill(word: &OsStr, pattern: &Operand, subject: &Operand) -> OsString {
    let mut rest = word.as_bytes();
    let mut filled = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(b"{pattern}") {
            filled.extend_from_slice(&pattern.0);
            rest = after;
        } else if let Some(after) = rest.strip_prefix(b"{subject}") {
            filled.extend_from_slice(&subject.0);
            rest = after;
        } else {
            filled.push(rest[0]);
            rest = &rest[1..];
        }
    }
    OsString::from_vec(filled)
}

impl Oracle for Cmd {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError> {
        if grid.pairs() == 0 {
            return Ok(acceptance_unsupported(grid));
        }
        let mut delivered = Matches::new();
        let mut unknown = Vec::new();
        for (s, subject) in grid.subjects.iter().enumerate() {
            let mut hits = Vec::new();
            for (p, pattern) in grid.patterns.iter().enumerate() {
                match self.pair(pattern, subject)? {
                    Ok(true) => hits.push(p as u32),
                    Ok(false) => {}
                    Err(outcome) => {
                        if matches!(outcome, Outcome::Failed(_)) {
                            let words = outcome.words();
                            self.findings.push(format!("{words} on pattern `{pattern}`, subject `{subject}`"));
                        }
                        unknown.push((p as u32, s as u32, outcome));
                    }
                }
            }
            delivered.push(hits);
        }
        unknown.sort_by_key(|(p, s, _)| (*p, *s));
        Ok(Observations {
            patterns: vec![Outcome::Accepted; grid.patterns.len()],
            subjects: vec![Outcome::Accepted; grid.subjects.len()],
            delivered,
            unknown,
        })
    }

    fn findings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.findings)
    }
}
