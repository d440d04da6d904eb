//! Where a campaign's events arrive: the record, the progress line, the lines on stdout, and the tally that the exit
//! code is read from. Must never judge an event; it counts what the event says.

use std::{
    io::{self, Write},
    time::Instant,
};

use indicatif::ProgressBar;
use wildcheck::{exit::ExitCode, sink::Sink};
use wildcheck_oracle::{Oracle, OracleError};
use wildcheck_tables::{
    Alone, Identity, RunEvent,
    event::{Pile, SCHEMA},
};

use super::{clock, failure::Failure, session::Session, told};
use crate::record::Record;

/// What was counted so far.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Rows asked, and those that do not hold.
    pub rows: u64,
    /// Rows that do not hold.
    pub broken_rows: u64,
    /// Drift events.
    pub drift: u64,
    /// Pairs asked of the oracle under test.
    pub pairs: u64,
    /// Disagreements of the oracle under test.
    pub disagreements: u64,
    /// Causes that the baseline does not know, of the oracle under test.
    pub new_causes: u64,
    /// Causes that the baseline does not know, of the naive approximation.
    pub new_naive: u64,
    /// Causes that the baseline knows.
    pub known_causes: u64,
    /// Pairs on which a referee contradicts the reference, and the baseline does not know it.
    pub contradicted: u64,
    /// Causes that the baseline does not know of the oracle under test, in piles that do not fail.
    pub tolerated: u64,
    /// An outside program is audited: only causes of these piles fail, and a row that does not hold is one of its
    /// mistakes instead of drift.
    pub fail_on: Option<Vec<Pile>>,
    /// The self-check failed.
    pub blind: bool,
}

impl Tally {
    /// The exit code. Where `naive` is true an unknown cause of the naive approximation counts as well.
    pub fn code(&self, naive: bool) -> ExitCode {
        let when = |condition: bool, code: ExitCode| if condition { code } else { ExitCode::Agree };
        when(self.blind, ExitCode::SelfCheck)
            .worst(when(self.contradicted > 0, ExitCode::Disagreement))
            .worst(when(self.new_causes > 0 || (naive && self.new_naive > 0), ExitCode::Disagreement))
            .worst(when(self.drift > 0 || (self.broken_rows > 0 && self.fail_on.is_none()), ExitCode::Drift))
    }

    fn take(&mut self, event: &RunEvent) {
        match event {
            RunEvent::SelfCheck { caught, .. } => self.blind |= !caught,
            RunEvent::Row(row) => {
                self.rows += 1;
                self.broken_rows += u64::from(!row.holds);
            }
            RunEvent::Grid { pairs, disagreements, .. } => {
                self.pairs += pairs;
                self.disagreements += disagreements;
            }
            RunEvent::Witness(witness) if witness.known => self.known_causes += 1,
            RunEvent::Witness(witness) if witness.alone == "naive" => self.new_naive += 1,
            RunEvent::Witness(witness) => match &self.fail_on {
                Some(piles) if !piles.contains(&witness.pile) => self.tolerated += 1,
                _ => self.new_causes += 1,
            },
            RunEvent::Referee(referee) => self.contradicted += referee.news().count() as u64,
            RunEvent::Drift { .. } => self.drift += 1,
            _ => {}
        }
    }
}

/// The sink of one command.
pub struct Desk<'a> {
    session: &'a Session,
    record: Record,
    bar: ProgressBar,
    started: Instant,
    /// What was counted.
    pub tally: Tally,
    /// Writing the record failed; told once.
    record_failed: Option<io::Error>,
    stdout_failed: Option<io::Error>,
    closed: bool,
}

impl Drop for Desk<'_> {
    /// A panic unwound through here: the record says so.
    fn drop(&mut self) {
        if !self.closed {
            let _ = self.finished(ExitCode::Internal);
        }
    }
}

impl<'a> Desk<'a> {
    /// Says versions, seed and scope, opens the record and writes its first line.
    ///
    /// # Errors
    /// The record cannot be made.
    pub fn open(session: &'a Session, scope: &str, oracles: Vec<Identity>) -> Result<Desk<'a>, Failure> {
        Desk::audit(session, scope, oracles, None)
    }

    /// As [`Desk::open`], for an outside program: only causes of these piles fail.
    ///
    /// # Errors
    /// The record cannot be made.
    pub fn audit(
        session: &'a Session,
        scope: &str,
        oracles: Vec<Identity>,
        fail_on: Option<Vec<Pile>>,
    ) -> Result<Desk<'a>, Failure> {
        let out = &session.global.out;
        let output = |source| Failure::Output { what: out.display().to_string(), source };
        let mut record = Record::create(out).map_err(output)?;
        let talk = &session.talk;
        let names: Vec<String> = oracles.iter().map(told::described).collect();
        talk.say(&format!("wildcheck {} {}, {}", env!("CARGO_PKG_VERSION"), session.command, session.dialect.name()));
        talk.say(&format!("asked: {}", names.join(", ")));
        talk.say(&format!("seed {}; {scope}", session.seed));
        let started = RunEvent::Started {
            schema: SCHEMA,
            wildcheck: env!("CARGO_PKG_VERSION").to_owned(),
            command: session.command.to_owned(),
            arguments: session.arguments.clone(),
            dialect: session.dialect.name().to_owned(),
            seed: session.seed,
            scope: scope.to_owned(),
            oracles,
            fail_on: fail_on.clone(),
            at: clock::now(),
        };
        record.write(&started).map_err(output)?;
        Ok(Desk {
            session,
            record,
            bar: talk.progress(),
            started: Instant::now(),
            tally: Tally { fail_on, ..Tally::default() },
            record_failed: None,
            stdout_failed: None,
            closed: false,
        })
    }

    /// Takes an event; a record that cannot be written ends the command.
    ///
    /// # Errors
    /// The record could not be written.
    pub fn put(&mut self, event: RunEvent) -> Result<(), Failure> {
        let what = self.record.path().display().to_string();
        self.event(event).map_err(|source| Failure::Output { what, source })
    }

    /// As [`Desk::put`], without a word on stdout, where the data of this command goes.
    ///
    /// # Errors
    /// The record could not be written.
    pub fn keep(&mut self, event: RunEvent) -> Result<(), Failure> {
        self.tally.take(&event);
        let what = self.record.path().display().to_string();
        self.record.write(&event).map_err(|source| Failure::Output { what, source })
    }

    /// One line of talk.
    pub fn say(&self, text: &str) {
        self.bar.suspend(|| self.session.talk.say(text));
    }

    /// One line of data on stdout.
    pub fn print(&mut self, text: &str) {
        let wrote = self.bar.suspend(|| {
            let mut out = io::stdout().lock();
            writeln!(out, "{text}").and_then(|()| out.flush())
        });
        if let Err(error) = wrote {
            self.stdout_failed.get_or_insert(error);
        }
    }

    /// Puts what happened to an oracle on the way into the record.
    pub fn findings(&mut self, oracle: &mut dyn Oracle) {
        for text in oracle.findings() {
            // A failure to write is kept and told at the end.
            let _ = self.event(RunEvent::Finding { kind: "oracle".to_owned(), text, kept: None });
        }
    }

    /// Ends the run: an interrupt, a failure and the tally become one exit code, the record gets its last line, the
    /// reports are rendered, and one sentence is said.
    pub fn close(mut self, result: Result<ExitCode, Failure>, sentence: &str) -> ExitCode {
        self.bar.finish_and_clear();
        let mut code = match result {
            Ok(code) => code,
            Err(failure) => {
                self.tell(&failure);
                failure.code().worst(self.tally.code(false))
            }
        };
        if self.session.interrupt.is_set() {
            code = code.worst(ExitCode::Interrupted);
        }
        if let Some(source) = self.stdout_failed.take() {
            let failure = Failure::stdout(source);
            super::talk::complain(&failure.to_string());
            code = code.worst(failure.code());
        }
        if let Some(source) = &self.record_failed {
            super::talk::complain(&format!("cannot write {}: {source}", self.record.path().display()));
            code = code.worst(ExitCode::Output);
        }
        let mut wrote = self
            .finished(code)
            .map_err(|source| Failure::Output { what: self.record.path().display().to_string(), source });
        if wrote.is_ok() {
            wrote = super::render::all(self.record.dir());
        }
        if let Err(failure) = wrote {
            if self.record_failed.is_none() {
                super::talk::complain(&failure.to_string());
            }
            code = code.worst(failure.code());
        }
        let talk = &self.session.talk;
        talk.say(&format!(
            "{sentence}; exit {}: {}; record {}",
            code as u8,
            code.meaning(),
            self.record.path().display()
        ));
        code
    }

    /// Writes the record's last line, once.
    fn finished(&mut self, code: ExitCode) -> io::Result<()> {
        self.closed = true;
        self.record.write(&RunEvent::Finished {
            exit: code as u8,
            meaning: code.meaning().to_owned(),
            pairs: self.tally.pairs,
            disagreements: self.tally.disagreements,
            seconds: self.started.elapsed().as_secs_f64(),
        })
    }

    fn tell(&mut self, failure: &Failure) {
        if matches!(failure, Failure::Interrupted | Failure::Oracle(OracleError::Interrupted)) {
            return;
        }
        super::talk::complain(&failure.to_string());
        if let Failure::Oracle(error) = failure {
            let kept = match error {
                OracleError::Lost { kept, .. } => kept.as_ref().map(|path| path.display().to_string()),
                _ => None,
            };
            let kind = if matches!(error, OracleError::Lost { .. }) { "oracle-lost" } else { "oracle" };
            let _ = self.event(RunEvent::Finding { kind: kind.to_owned(), text: error.to_string(), kept });
        }
    }

    fn show(&mut self, event: &RunEvent) {
        let paint = self.session.talk.paint;
        match event {
            RunEvent::SelfCheck { cause, name, caught: true, .. } => {
                self.say(&format!("self-check: the planted {cause} {name} was found"));
            }
            RunEvent::SelfCheck { cause, name, caught: false, .. } => {
                self.print(&paint.bad(&format!("self-check: the planted {cause} {name} was NOT found")));
            }
            RunEvent::Row(row) if !row.holds => {
                let answers: Vec<String> =
                    row.answers.iter().map(|a| format!("{} ({}) {}", a.oracle, a.lane, a.verdict)).collect();
                let right = row.right.as_ref().map(|right| format!(" {right:?}")).unwrap_or_default();
                let (table, line, operation, left, expected) =
                    (&row.table, row.line, &row.operation, &row.left, &row.expected);
                let head = format!("{table}:{line}: {operation} {left:?}{right} is expected to be {expected}");
                self.print(&format!("{}; seen: {}", paint.bad(&head), answers.join(", ")));
            }
            RunEvent::Witness(witness) => {
                let line = told::witness(witness);
                self.print(&if witness.known { line } else { paint.bad(&line) });
            }
            RunEvent::Referee(referee) => {
                self.say(&told::refereed(referee));
                for pair in referee.pairs.iter().filter(|pair| pair.alone == Alone::Reference) {
                    let line = told::contradicted(referee, pair);
                    self.print(&if pair.known { line } else { paint.bad(&line) });
                }
            }
            RunEvent::Drift { place, expected, seen } => {
                self.print(&paint.bad(&format!("{place}: expected {expected}, seen {seen}")));
            }
            RunEvent::Finding { kind, text, kept } => {
                let kept = kept.as_ref().map(|path| format!(" (the last grid: {path})")).unwrap_or_default();
                self.say(&format!("finding: {kind}: {text}{kept}"));
            }
            RunEvent::NotRun { what, why } => self.say(&format!("not run: {what}: {why}")),
            RunEvent::Certificate(certificate) => self.print(&told::certified(certificate)),
            _ => {}
        }
    }
}

impl Sink for Desk<'_> {
    fn event(&mut self, event: RunEvent) -> io::Result<()> {
        self.tally.take(&event);
        let wrote = self.record.write(&event);
        self.show(&event);
        if let Err(error) = wrote {
            let again = io::Error::new(error.kind(), error.to_string());
            self.record_failed.get_or_insert(error);
            return Err(again);
        }
        Ok(())
    }

    fn progress(&mut self, done: u64, total: Option<u64>) {
        if let Some(total) = total
            && self.bar.length() != Some(total)
        {
            self.bar.set_length(total);
        }
        self.bar.set_position(done);
    }

    fn interrupted(&self) -> bool {
        self.session.interrupt.is_set()
    }
}
