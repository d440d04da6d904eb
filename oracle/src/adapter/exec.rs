//! `exec:` a long-lived program that speaks the adapter protocol.
//!
//! Must never report a broken answer as a disagreement: it is a protocol error and ends the oracle.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    ffi::OsString,
    time::{Duration, Instant},
};

use wildcheck_tables::{Grid, Identity, Lane, Matches, Observations, Operand, Outcome, Verdict, row::Relation};

use super::{
    message::{self, Hello, PROTOCOL, Question, Rows, Text},
    narrow::{Backend, Narrower, Trouble},
    program::{Program, Silence, shown, split},
};
use crate::{Options, Oracle, OracleError, SetStep, SetsAnswer};

/// An answer may have so many bytes: the largest grid with a text for every cell.
const LONGEST: usize = 16 << 20;

/// The oracle.
pub struct Exec {
    identity: Identity,
    link: Link,
    narrower: Narrower,
}

/// The program and the conversation with it.
pub(super) struct Link {
    what: String,
    words: Vec<OsString>,
    options: Options,
    program: Option<Program>,
    seq: u64,
    keep_silent: bool,
    pub(super) hello: Hello,
}

impl Exec {
    /// Starts the program and shakes hands.
    ///
    /// # Errors
    /// [`OracleError::Unavailable`] when it cannot be started, [`OracleError::Protocol`] when it answers `hello`
    /// wrongly or not in time, [`OracleError::Unsupported`] when it is for another dialect or answers no grids.
    pub fn open(line: &str, options: &Options) -> Result<Exec, OracleError> {
        let link = Link::open(line, options)?;
        let hello = link.hello.clone();
        let refuse = |why: String| Err(OracleError::Unsupported { what: link.what.clone(), why });
        let dialect = options.dialect.name();
        if hello.dialect.split(['/', '@']).next() != Some(dialect) {
            return refuse(format!("it is an adapter for {}, and the question is in {dialect}", hello.dialect));
        }
        if !link.can("grid") {
            return refuse(format!("its `can` holds no \"grid\" but only {:?}", hello.can));
        }
        let mut remarks = Vec::new();
        if hello.dialect != dialect {
            remarks.push(format!("declares the dialect {}", hello.dialect));
        }
        remarks.extend(hello.entry.map(|entry| format!("asks {entry}")));
        let identity = Identity {
            address: link.what.clone(),
            name: hello.name,
            version: hello.version,
            commit: None,
            lane: Lane(Cow::Borrowed("exec")),
            dialect: dialect.to_owned(),
            remarks,
        };
        let narrower = Narrower::new(link.what.clone(), options.answer_timeout, options.restarts);
        Ok(Exec { identity, link, narrower })
    }

    /// Asks `ask` again after a hang or a death, once; then it is the question's fault.
    fn twice<T>(
        &mut self,
        mut ask: impl FnMut(&mut Link, Duration) -> Result<T, Trouble>,
    ) -> Result<Result<T, Outcome>, OracleError> {
        let mut last = String::new();
        for _ in 0..2 {
            last = match ask(&mut self.link, self.narrower.limit()) {
                Ok(answer) => return Ok(Ok(answer)),
                Err(Trouble::Fatal(error)) => return Err(error),
                Err(Trouble::NoAnswer) => format!("no answer in {:?}", self.narrower.limit()),
                Err(Trouble::Died(how)) => format!("the program died: {how}"),
            };
            self.narrower.revive(&mut self.link, &last)?;
        }
        Ok(Err(Outcome::Failed(last)))
    }

    /// Are these operands accepted? `pattern` says on which side they stand.
    fn valid(&mut self, operands: &[Operand], pattern: bool) -> Result<Vec<Outcome>, OracleError> {
        let unsayable = |operand: &Operand, link: &Link| match link.can("valid") {
            true => link.unsayable(operand),
            false => Some("its `can` holds no \"valid\""),
        };
        let mut outcomes: Vec<Outcome> = operands
            .iter()
            .map(|operand| match unsayable(operand, &self.link) {
                Some(why) => Outcome::Unsupported(why.to_owned()),
                None => Outcome::Accepted,
            })
            .collect();
        let open: Vec<usize> = (0..operands.len()).filter(|&index| outcomes[index] == Outcome::Accepted).collect();
        let mut waiting: Vec<&[usize]> = open.chunks(4_096).rev().collect();
        while let Some(group) = waiting.pop() {
            let asked: Vec<&Operand> = group.iter().map(|&index| &operands[index]).collect();
            let (patterns, subjects): (&[&Operand], &[&Operand]) = if pattern { (&asked, &[]) } else { (&[], &asked) };
            match self.twice(|link, limit| link.valid(patterns, subjects, limit))? {
                Ok(rows) => {
                    let row = usize::from(!pattern);
                    for (column, &index) in group.iter().enumerate() {
                        let key = format!("{}{column}", if pattern { 'p' } else { 's' });
                        let text = || rows.errors.get(&key).cloned().unwrap_or_default();
                        outcomes[index] = match rows.rows[row][column] {
                            b'1' => Outcome::Accepted,
                            b'0' | b'p' | b's' => Outcome::RefusedClient(text()),
                            b'e' => Outcome::Failed(text()),
                            _ => Outcome::Unsupported("the adapter cannot say".to_owned()),
                        };
                    }
                }
                Err(outcome) if group.len() == 1 => outcomes[group[0]] = outcome,
                Err(_) => waiting.extend(group.chunks(group.len().div_ceil(8)).rev()),
            }
        }
        Ok(outcomes)
    }
}

impl Oracle for Exec {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError> {
        if !grid.patterns.is_empty() && !grid.subjects.is_empty() {
            return self.narrower.observe(&mut self.link, grid);
        }
        let patterns = self.valid(&grid.patterns, true)?;
        let subjects = self.valid(&grid.subjects, false)?;
        let delivered = Matches::from_deliveries(Vec::new(), grid.subjects.len());
        Ok(Observations { patterns, subjects, delivered, unknown: Vec::new() })
    }

    fn relate(&mut self, relation: Relation, pairs: &[(Operand, Operand)]) -> Result<Vec<Verdict>, OracleError> {
        let mut verdicts = vec![Verdict::Unsupported; pairs.len()];
        if !self.link.can("relation") {
            return Ok(verdicts);
        }
        let mut by_left: BTreeMap<&Operand, Vec<usize>> = BTreeMap::new();
        for (index, (left, right)) in pairs.iter().enumerate() {
            if self.link.unsayable(left).is_none() && self.link.unsayable(right).is_none() {
                by_left.entry(left).or_default().push(index);
            }
        }
        for (left, indexes) in by_left {
            let mut waiting: Vec<&[usize]> = indexes.chunks(4_096).rev().collect();
            while let Some(group) = waiting.pop() {
                let right: Vec<&Operand> = group.iter().map(|&index| &pairs[index].1).collect();
                match self.twice(|link, limit| link.relation(relation, left, &right, limit))? {
                    Ok(rows) => {
                        for (column, &index) in group.iter().enumerate() {
                            verdicts[index] = match rows.rows[0][column] {
                                b'1' => Verdict::True,
                                // A refused operand stands in no relation.
                                b'0' | b'p' | b's' => Verdict::False,
                                _ => Verdict::Unsupported,
                            };
                        }
                    }
                    Err(outcome) if group.len() == 1 => {
                        let (left, right) = &pairs[group[0]];
                        self.narrower
                            .findings
                            .push(format!("{} on {relation:?} of `{left}`, `{right}`", outcome.words()));
                    }
                    Err(_) => waiting.extend(group.chunks(group.len().div_ceil(8)).rev()),
                }
            }
        }
        Ok(verdicts)
    }

    fn sets(&mut self, steps: &[SetStep]) -> Result<SetsAnswer, OracleError> {
        if !self.link.can("sets") {
            return Ok(SetsAnswer::Unknown(Outcome::Unsupported("its `can` holds no \"sets\"".to_owned())));
        }
        if let Some(why) = steps.iter().find_map(|step| self.link.unsayable(step.operand())) {
            return Ok(SetsAnswer::Unknown(Outcome::Unsupported(why.to_owned())));
        }
        Ok(match self.twice(|link, limit| link.sets(steps, limit))? {
            Ok(answers) => SetsAnswer::Answers(answers),
            Err(outcome) => SetsAnswer::Unknown(outcome),
        })
    }

    fn findings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.narrower.findings)
    }
}

impl Link {
    pub(super) fn open(line: &str, options: &Options) -> Result<Link, OracleError> {
        let mut link = Link {
            what: format!("exec:{line}"),
            words: split("exec", line)?,
            options: options.clone(),
            program: None,
            seq: 0,
            keep_silent: false,
            hello: Hello::default(),
        };
        link.hello = link.start()?;
        Ok(link)
    }

    pub(super) fn can(&self, word: &str) -> bool {
        self.hello.can.iter().any(|can| can == word)
    }

    fn broken(&self, why: String) -> OracleError {
        OracleError::Protocol { what: self.what.clone(), why }
    }

    /// Starts the program and shakes hands.
    fn start(&mut self) -> Result<Hello, OracleError> {
        self.program = None;
        let mut program = Program::start(&self.what, &self.words, LONGEST, &self.options.interrupt)?;
        program.send(Question::Hello { protocol: PROTOCOL }.line());
        let hello = match program.receive(self.options.start_timeout) {
            Ok(line) => message::hello(&line).map_err(|why| format!("answer to hello: {why}")),
            Err(Silence::Late) => {
                let said = Some(program.complaints()).filter(|said| !said.is_empty());
                let said = said.map(|said| format!("; its stderr ends: {said}")).unwrap_or_default();
                Err(format!("no answer to hello in {:?}{said}", self.options.start_timeout))
            }
            Err(Silence::Ended(how)) => Err(format!("it ended before it answered hello: {how}")),
            Err(Silence::TooLong(start)) => Err(too_long("hello", &start)),
            Err(Silence::Interrupted) => return Err(OracleError::Interrupted),
        };
        let hello = hello.map_err(|why| self.broken(why))?;
        self.program = Some(program);
        Ok(hello)
    }

    /// How long an answer may take.
    pub(super) fn answer_timeout(&self) -> Duration {
        self.options.answer_timeout
    }

    /// The next question has the number after `seq`.
    pub(super) fn skip_to(&mut self, seq: u64) {
        self.seq = self.seq.max(seq);
    }

    /// As [`Link::ask`], and a program that gave no answer in time is not given up.
    pub(super) fn ask_and_keep<T>(
        &mut self,
        name: &str,
        limit: Duration,
        question: impl FnOnce(u64) -> Vec<u8>,
        read: impl FnOnce(&[u8], u64) -> Result<T, String>,
    ) -> Result<T, Trouble> {
        self.keep_silent = true;
        let answer = self.ask(name, limit, question, read);
        self.keep_silent = false;
        answer
    }

    /// Asks one question, and hands the line of the answer to `read`.
    pub(super) fn ask<T>(
        &mut self,
        name: &str,
        limit: Duration,
        question: impl FnOnce(u64) -> Vec<u8>,
        read: impl FnOnce(&[u8], u64) -> Result<T, String>,
    ) -> Result<T, Trouble> {
        self.seq += 1;
        let seq = self.seq;
        let mut program = match self.program.take() {
            Some(program) => program,
            None => return Err(Trouble::Died("it was ended before".to_owned())),
        };
        if let Some(line) = program.unasked() {
            let why = format!("before seq {seq} was asked it wrote a line that nobody asked for: {}", shown(&line));
            return Err(self.broken(why).into());
        }
        program.send(question(seq));
        let line = match program.receive(limit) {
            Ok(line) => line,
            Err(Silence::Late) => {
                self.program = Some(program).filter(|_| self.keep_silent);
                return Err(Trouble::NoAnswer);
            }
            Err(Silence::Ended(how)) => return Err(Trouble::Died(how)),
            Err(Silence::TooLong(start)) => return Err(self.broken(too_long(name, &start)).into()),
            Err(Silence::Interrupted) => return Err(OracleError::Interrupted.into()),
        };
        self.program = Some(program);
        read(&line, seq).map_err(|why| self.broken(format!("answer to {name}, seq {seq}: {why}")).into())
    }

    pub(super) fn valid(
        &mut self,
        patterns: &[&Operand],
        subjects: &[&Operand],
        limit: Duration,
    ) -> Result<Rows, Trouble> {
        let question = |seq| Question::Valid { seq, patterns: texts(patterns), subjects: texts(subjects) }.line();
        self.ask("valid", limit, question, |line, seq| message::valid(line, seq, patterns.len(), subjects.len()))
    }

    pub(super) fn relation(
        &mut self,
        relation: Relation,
        left: &Operand,
        right: &[&Operand],
        limit: Duration,
    ) -> Result<Rows, Trouble> {
        let relation = message::relation_name(relation);
        let question = |seq| Question::Relation { seq, relation, left: vec![left.into()], right: texts(right) }.line();
        self.ask("relation", limit, question, |line, seq| message::rows(line, seq, "rows", 1, right.len()))
    }

    pub(super) fn sets(&mut self, steps: &[SetStep], limit: Duration) -> Result<Vec<Vec<Operand>>, Trouble> {
        let questions = steps.iter().filter(|step| matches!(step, SetStep::Ask(_))).count();
        let question = |seq| {
            let steps = steps.iter().map(|step| (step.sign(), Text::from(step.operand()))).collect();
            Question::Sets { seq, steps }.line()
        };
        self.ask("sets", limit, question, |line, seq| message::answers(line, seq, questions))
    }

    /// Sends `stop` and waits for the program to end; how it ended where that was not exit code 0.
    pub(super) fn stop(&mut self, limit: Duration) -> Option<String> {
        let mut program = self.program.take()?;
        program.send(Question::Stop.line());
        program.close_input();
        let deadline = Instant::now() + limit;
        match program.receive(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Some(format!("it answered stop: {}", shown(&line))),
            Err(Silence::Ended(_)) => program.failure(),
            Err(_) => Some(format!("it did not end in {limit:?}")),
        }
    }
}

fn too_long(name: &str, start: &[u8]) -> String {
    format!("answer to {name}: a line of more than {LONGEST} bytes, starting {}", shown(start))
}

fn texts<'a>(operands: &[&'a Operand]) -> Vec<Text<'a>> {
    operands.iter().map(|operand| Text::from(*operand)).collect()
}

impl Backend for Link {
    fn block(&mut self, patterns: &[&Operand], subjects: &[&Operand], limit: Duration) -> Result<Rows, Trouble> {
        let question = |seq| Question::Grid { seq, patterns: texts(patterns), subjects: texts(subjects) }.line();
        self.ask("grid", limit, question, |line, seq| message::rows(line, seq, "rows", patterns.len(), subjects.len()))
    }

    fn revive(&mut self) -> Result<(), OracleError> {
        let hello = self.start()?;
        if hello != self.hello {
            return Err(self.broken(format!(
                "after a restart it says hello differently: {:?} instead of {:?}",
                hello, self.hello
            )));
        }
        Ok(())
    }

    fn unsayable(&self, operand: &Operand) -> Option<&'static str> {
        (std::str::from_utf8(&operand.0).is_err() && !self.can("bytes"))
            .then_some("it is not UTF-8, and the adapter's `can` holds no \"bytes\"")
    }
}

impl Drop for Exec {
    /// A program that is well gets a moment to end by itself.
    fn drop(&mut self) {
        let _ = self.link.stop(Duration::from_millis(200));
    }
}
