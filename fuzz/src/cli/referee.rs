//! `--referee`: whom to ask where the reference and an outside program disagree, and what to do where nobody can be
//! asked. Must never start a broker that nobody needs.

use std::str::FromStr;

use wildcheck::outside::referee;
use wildcheck_oracle::{Address, Oracle, OracleError, open::has_broker, require};
use wildcheck_tables::{RunEvent, event::WitnessRecord, row::BaselineRow};

use super::{
    desk::Desk,
    failure::Failure,
    session::{Session, in_memory},
};

/// Whom to ask.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The broker that `auto` stands for, if it can be had.
    Auto,
    /// Nobody.
    None,
    /// This one.
    Named(Address),
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        match text {
            "none" => Ok(Choice::None),
            _ => match text.parse::<Address>().map_err(|error| error.to_string())? {
                Address::Auto => Ok(Choice::Auto),
                address if in_memory(&address) => {
                    Err("the reference and its like are parties, not referees".to_owned())
                }
                address => Ok(Choice::Named(address)),
            },
        }
    }
}

/// The referee of one run.
pub struct Referee {
    choice: Choice,
    required: bool,
    state: State,
}

enum State {
    NotOpened,
    Open(Box<dyn Oracle>),
    /// None, and that was told.
    Absent,
}

impl Referee {
    /// Opens a referee that was named or is required at once; `auto` waits until somebody disagrees.
    ///
    /// # Errors
    /// It cannot be had.
    pub fn new(session: &Session, choice: Choice) -> Result<Referee, Failure> {
        let required = require::requires(require::REFEREE);
        let at_once = matches!(choice, Choice::Named(_)) || (required && choice == Choice::Auto);
        let state = if at_once { State::Open(open(session, &choice)?) } else { State::NotOpened };
        Ok(Referee { choice, required, state })
    }

    /// Asks about the witnesses of one program, and puts the answer, or why there is none, into the record.
    ///
    /// # Errors
    /// The run was interrupted; a referee that was named or is required was lost; the record could not be written.
    pub fn ask(
        &mut self,
        session: &Session,
        under_test: &str,
        witnesses: &[WitnessRecord],
        baseline: &[BaselineRow],
        desk: &mut Desk<'_>,
    ) -> Result<(), Failure> {
        if self.choice == Choice::None || !referee::is_needed(witnesses) || session.interrupt.is_set() {
            return Ok(());
        }
        if matches!(self.state, State::NotOpened) {
            self.state = match open(session, &self.choice) {
                Ok(oracle) => State::Open(oracle),
                Err(failure) => return self.absent(failure, desk),
            };
        }
        let State::Open(oracle) = &mut self.state else { return Ok(()) };
        let asked = referee::ask(session.dialect, under_test, witnesses, &mut **oracle, baseline);
        desk.findings(&mut **oracle);
        match asked {
            Ok(Some(record)) => desk.put(RunEvent::Referee(record)),
            Ok(None) => Ok(()),
            Err(error) => self.absent(Failure::Oracle(error), desk),
        }
    }

    /// Tells once that there is no referee, unless one is wanted by name.
    fn absent(&mut self, failure: Failure, desk: &mut Desk<'_>) -> Result<(), Failure> {
        let interrupted = matches!(failure, Failure::Interrupted | Failure::Oracle(OracleError::Interrupted));
        if interrupted || self.required || matches!(self.choice, Choice::Named(_)) {
            return Err(failure);
        }
        self.state = State::Absent;
        desk.put(RunEvent::NotRun { what: require::REFEREE.to_owned(), why: failure.to_string() })
    }
}

fn open(session: &Session, choice: &Choice) -> Result<Box<dyn Oracle>, Failure> {
    let address = match choice {
        Choice::Named(address) => address.clone(),
        Choice::Auto if !has_broker(session.dialect) => {
            return Err(Failure::Oracle(OracleError::Unavailable {
                what: "auto".to_owned(),
                why: format!("this version starts no broker of the dialect {}", session.dialect.name()),
                how: "name one that runs: --referee ADDRESS".to_owned(),
            }));
        }
        Choice::Auto | Choice::None => Address::Auto,
    };
    session.open_lane(&address, None, Default::default())
}
