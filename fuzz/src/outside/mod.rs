//! Audits an outside program: rows, two exhaustive grids, a bounded search, growth, sets; three piles.
//!
//! Must never stop at the first mistake, and never take a hang, a crash or a missing ability for a verdict.

pub mod books;
pub mod growth;
pub mod operands;
pub mod referee;
pub mod sets;

use rand::{Rng, SeedableRng, rngs::StdRng};
use wildcheck_matcher::Dialect;
use wildcheck_oracle::{Oracle, OracleError};
use wildcheck_tables::{
    DialectTables, Operand, RunEvent,
    event::{Pile, WitnessRecord},
};

use crate::{
    campaign::Trio,
    certify::lost,
    compare::{Counts, Disagreement},
    error::CampaignError,
    generate, rows,
    sink::Sink,
    witness,
};

pub use books::Books;
pub use operands::Effort;

/// Sides of a random grid.
const SIDES: [usize; 3] = [32, 64, 128];

/// How to audit.
#[derive(Clone, Copy, Debug)]
pub struct AuditOptions {
    /// The seed of the search and the sets.
    pub seed: u64,
    /// How much is asked.
    pub effort: Effort,
    /// Random grids.
    pub grids: u64,
}

/// What an audit came to.
#[derive(Clone, Debug)]
pub struct Audited {
    /// Everything compared.
    pub counts: Counts,
    /// One witness a cause and pile, the legal pile first. They are also in the record.
    pub witnesses: Vec<WitnessRecord>,
    /// Stopped by the user.
    pub interrupted: bool,
}

impl Audited {
    /// How many causes a pile holds.
    pub fn in_pile(&self, pile: Pile) -> usize {
        self.witnesses.iter().filter(|witness| witness.pile == pile).count()
    }
}

/// Audits the oracle under test. What was found until then is in the record also when the program is lost.
///
/// # Errors
/// The program was lost or broke its protocol, nobody is under test, or the record could not be written.
pub fn audit(
    dialect: &'static dyn Dialect,
    tables: &DialectTables,
    options: &AuditOptions,
    trio: &mut Trio,
    sink: &mut dyn Sink,
) -> Result<Audited, CampaignError> {
    if trio.under_test.is_none() {
        return Err(CampaignError::Nothing("nobody is under test".to_owned()));
    }
    let mut books = Books::new(dialect, trio);
    let ended = stages(dialect, tables, options, trio, &mut books, sink);
    let witnesses = books.settle(trio, sink)?;
    let interrupted = match ended {
        Ok(all) => !all,
        Err(CampaignError::Oracle(OracleError::Interrupted)) => true,
        Err(CampaignError::Oracle(error)) => return Err(lost(error, sink)),
        Err(error) => return Err(error),
    };
    Ok(Audited { counts: books.counts, witnesses, interrupted })
}

/// One after the other; `false` when the user stopped it.
fn stages(
    dialect: &'static dyn Dialect,
    tables: &DialectTables,
    options: &AuditOptions,
    trio: &mut Trio,
    books: &mut Books,
    sink: &mut dyn Sink,
) -> Result<bool, CampaignError> {
    let not_run = |what: &str, why: &str| RunEvent::NotRun { what: what.to_owned(), why: why.to_owned() };
    ask_rows(dialect, tables, trio, sink)?;
    let row_sides = row_operands(tables);
    let (structure, literals) =
        (operands::structure(dialect, options.effort)?, operands::literals(dialect, options.effort));
    let sides = if options.effort == Effort::Full {
        vec![&row_sides, &structure, &literals]
    } else {
        vec![&structure, &literals]
    };
    let mut can_say = true;
    for sides in sides {
        if !books.ask(sides.clone(), trio, sink)? {
            return Ok(false);
        }
        can_say = can_say && books.ask_validity(sides.clone(), trio)?;
    }
    if !can_say {
        sink.event(not_run("what is legal by itself", "the program is not asked: it cannot say"))?;
    }
    if options.effort == Effort::Small {
        let why = "it takes a process a pair; write an adapter for the grid protocol";
        for what in
            ["structure of three and four tokens", "literals of two and three tokens", "search", "growth", "sets"]
        {
            sink.event(not_run(what, why))?;
        }
        return Ok(true);
    }
    let mut random = StdRng::seed_from_u64(options.seed);
    for _ in 0..options.grids {
        let side = SIDES[random.random_range(0..SIDES.len())];
        let grid = generate::grid(dialect, &mut random, side, side);
        if !books.ask((grid.patterns, grid.subjects), trio, sink)? {
            return Ok(false);
        }
    }
    let Some(program) = trio.under_test.as_deref_mut() else { return Ok(true) };
    grow(dialect, program, books, sink)?;
    match sets::ask(dialect, options.seed, program)? {
        sets::Sets::CannotSay(why) => sink.event(not_run("sets", &why))?,
        sets::Sets::Wrong(wrong) => {
            for set in wrong {
                sink.event(RunEvent::Finding { kind: "sets".to_owned(), text: set.sentence(), kept: None })?;
                books.note(set.cause, Pile::Legal, None, (set.pattern, set.subject), set.count);
            }
        }
    }
    Ok(true)
}

/// The rows as they stand in the tables. A row holds when the program says what the rules say; what a server of some
/// version does instead is not asked of a program.
fn ask_rows(
    dialect: &'static dyn Dialect,
    tables: &DialectTables,
    trio: &mut Trio,
    sink: &mut dyn Sink,
) -> Result<(), CampaignError> {
    let Some(program) = trio.under_test.as_deref_mut() else { return Ok(()) };
    let mut answers = rows::ask(dialect, tables, program)?;
    // The versions in the tables are a server's, not this program's.
    answers.version = None;
    answers.measured = true;
    for mut row in rows::results(dialect, tables, &[answers]) {
        if row.operation == "match" {
            let index = row.line as usize - wildcheck_tables::line_of(0) as usize;
            let expected = tables.matches[index].expected;
            row.expected = expected.to_string();
            row.pile = Some(pile(dialect, tables, index));
            row.holds = row.answers.iter().rev().nth(1).and_then(|a| a.verdict.known()).is_none_or(|v| v == expected);
        }
        sink.event(RunEvent::Row(row))?;
    }
    Ok(())
}

fn pile(dialect: &dyn Dialect, tables: &DialectTables, row: usize) -> Pile {
    let (pattern, subject) = (tables.matches[row].pattern.clone(), tables.matches[row].subject.clone());
    witness::pile(dialect, &Disagreement { pattern, subject, reference: tables.matches[row].expected })
}

fn row_operands(tables: &DialectTables) -> (Vec<Operand>, Vec<Operand>) {
    let mut sides = (rows::Distinct::default(), rows::Distinct::default());
    for row in &tables.matches {
        sides.0.place(&row.pattern);
        sides.1.place(&row.subject);
    }
    (sides.0.operands, sides.1.operands)
}

fn grow(
    dialect: &'static dyn Dialect,
    program: &mut dyn Oracle,
    books: &mut Books,
    sink: &mut dyn Sink,
) -> Result<(), CampaignError> {
    for growth in growth::measure(dialect, program)? {
        sink.event(RunEvent::Finding { kind: "growth".to_owned(), text: growth.sentence(), kept: None })?;
        if let Some(pair) = growth.explosion {
            books.note(&crate::mutants::EXPLODES, Pile::Limits, None, pair, 1);
        }
    }
    Ok(())
}
