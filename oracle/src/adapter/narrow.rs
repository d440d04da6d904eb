//! A grid asked of a program that may hang or die: in blocks, narrowed until the cell that does it is alone.
//!
//! Must never lose an answer that was given, never take a hang for a "no", and never restart without counting.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    time::{Duration, Instant},
};

use wildcheck_tables::{Grid, Matches, Observations, Operand, Outcome};

use super::message::Rows;
use crate::OracleError;

/// Why a block has no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The host's `T`.
    NoAnswer,
    /// The host's `X`: how it ended.
    Died(String),
    /// Nothing more can be asked.
    Fatal(OracleError),
}

impl From<OracleError> for Trouble {
    fn from(error: OracleError) -> Self {
        Trouble::Fatal(error)
    }
}

/// What answers blocks.
pub(super) trait Backend {
    /// Asks patterns x subjects within `limit`: one row a pattern, one character a subject.
    fn block(&mut self, patterns: &[&Operand], subjects: &[&Operand], limit: Duration) -> Result<Rows, Trouble>;

    /// Ends what is left of the program and starts it again.
    fn revive(&mut self) -> Result<(), OracleError>;

    /// Why this operand cannot be put to this program at all.
    fn unsayable(&self, operand: &Operand) -> Option<&'static str>;
}

/// How the words of an outcome start where the program hung, ended, or was not asked because its operand made it do so
/// before. Every other failure is an exception that the program told.
pub const NO_ANSWER: &str = "no answer";
/// As [`NO_ANSWER`].
pub const DIED: &str = "the program died";
/// As [`NO_ANSWER`].
pub const SET_ASIDE: &str = "set aside";

/// Cells in a question: the first, the fewest that an adapting size goes down to, and the most.
const FIRST: usize = 4_096;
const FEWEST: usize = 64;
const MOST: usize = 65_536;
/// After so many cells without an answer an operand is set aside.
const TIRED: u32 = 3;
/// In so many parts a block is cut that got no answer: fewer restarts than halves.
const PARTS: usize = 8;

/// What is known of a program's weak points, kept over all grids of a run.
pub(super) struct Narrower {
    /// The address, for messages.
    what: String,
    limit: Duration,
    restarts: usize,
    budget: usize,
    cells: usize,
    per_cell: Duration,
    dead: HashMap<(Operand, Operand), Outcome>,
    tired: [HashMap<Operand, u32>; 2],
    pub(super) findings: Vec<String>,
}

/// One grid under work.
struct Work<'g> {
    grid: &'g Grid,
    patterns: Vec<Outcome>,
    subjects: Vec<Outcome>,
    deliveries: Vec<(u32, u32)>,
    unknown: Vec<(u32, u32, Outcome)>,
    /// Of each pattern and subject: how many cells said that it was refused, how many said anything else.
    refused: [Vec<(u32, u32, String)>; 2],
    dead: HashSet<(usize, usize)>,
}

struct Piece {
    patterns: Range<usize>,
    subjects: Range<usize>,
    /// It is part of a block that got no answer.
    suspect: bool,
}

impl Narrower {
    pub(super) fn new(what: String, limit: Duration, budget: usize) -> Narrower {
        Narrower {
            what,
            limit,
            restarts: 0,
            budget,
            cells: FIRST,
            per_cell: Duration::ZERO,
            dead: HashMap::new(),
            tired: [HashMap::new(), HashMap::new()],
            findings: Vec::new(),
        }
    }

    /// How long an answer may take.
    pub(super) fn limit(&self) -> Duration {
        self.limit
    }

    /// Counts a restart and does it.
    pub(super) fn revive(&mut self, backend: &mut impl Backend, why: &str) -> Result<(), OracleError> {
        if self.restarts >= self.budget {
            let why = format!(
                "it hung or died {} times, which is all that is allowed; the last time: {why}",
                self.budget + 1
            );
            return Err(OracleError::Lost { what: self.what.clone(), why, kept: None });
        }
        self.restarts += 1;
        backend.revive()
    }

    /// Asks a whole grid with patterns and subjects.
    pub(super) fn observe(&mut self, backend: &mut impl Backend, grid: &Grid) -> Result<Observations, OracleError> {
        let mut work = Work::new(grid);
        for (index, operand) in grid.patterns.iter().enumerate() {
            work.patterns[index] = self.at_once(backend, 0, operand);
        }
        for (index, operand) in grid.subjects.iter().enumerate() {
            work.subjects[index] = self.at_once(backend, 1, operand);
        }
        self.recall(&mut work);
        let whole = Piece { patterns: 0..grid.patterns.len(), subjects: 0..grid.subjects.len(), suspect: false };
        let mut pieces = vec![whole];
        let (mut deaths, mut found) = (Vec::new(), 0);
        while let Some(piece) = pieces.pop() {
            let (rows, columns) = work.askable(&piece);
            let cells = rows.len() * columns.len();
            if cells == 0 {
                continue;
            }
            let inside = |(p, s): &(usize, usize)| rows.binary_search(p).is_ok() && columns.binary_search(s).is_ok();
            let dead_inside = work.dead.iter().any(inside);
            if dead_inside && cells == 1 {
                continue;
            }
            if dead_inside || cells > self.cells {
                piece.cut(2, &mut pieces);
                continue;
            }
            let short = Duration::from_secs(1).max(self.per_cell * 50 * cells as u32).min(self.limit);
            let limit = if piece.suspect && cells > 1 { short } else { self.limit };
            let asked = Instant::now();
            let patterns: Vec<&Operand> = rows.iter().map(|&index| &grid.patterns[index]).collect();
            let subjects: Vec<&Operand> = columns.iter().map(|&index| &grid.subjects[index]).collect();
            let outcome = match backend.block(&patterns, &subjects, limit) {
                Ok(answer) => {
                    self.pace(cells, asked.elapsed(), piece.suspect);
                    work.take(&rows, &columns, &answer);
                    continue;
                }
                Err(Trouble::Fatal(error)) => return Err(error),
                Err(Trouble::NoAnswer) => Outcome::Failed(format!("{NO_ANSWER} in {limit:?}")),
                Err(Trouble::Died(how)) => Outcome::Failed(format!("{DIED}: {how}")),
            };
            self.revive(backend, outcome.words())?;
            if !piece.suspect {
                deaths.push(format!("{} (while asked {cells} pairs at once)", outcome.words()));
            }
            if cells == 1 {
                found += 1;
                self.bury(&mut work, rows[0], columns[0], outcome);
            } else {
                piece.cut(PARTS, &mut pieces);
            }
        }
        if found == 0 {
            self.findings.extend(deaths.into_iter().map(|death| format!("{death}; no single pair repeats it")));
        }
        Ok(work.done())
    }

    /// The outcome of an operand that is known before it is asked.
    fn at_once(&self, backend: &impl Backend, side: usize, operand: &Operand) -> Outcome {
        if let Some(why) = backend.unsayable(operand) {
            return Outcome::Unsupported(why.to_owned());
        }
        match self.tired[side].get(operand) {
            Some(count) if *count >= TIRED => set_aside(*count),
            _ => Outcome::Accepted,
        }
    }

    /// Marks the cells that got no answer in an earlier grid.
    fn recall(&self, work: &mut Work<'_>) {
        if self.dead.is_empty() {
            return;
        }
        let position = |operands: &[Operand], wanted: &Operand| -> Vec<usize> {
            operands.iter().enumerate().filter(|(_, operand)| *operand == wanted).map(|(index, _)| index).collect()
        };
        for ((pattern, subject), outcome) in &self.dead {
            let columns = position(&work.grid.subjects, subject);
            if columns.is_empty() {
                continue;
            }
            for p in position(&work.grid.patterns, pattern) {
                for &s in &columns {
                    work.mark(p, s, outcome.clone());
                }
            }
        }
    }

    /// A single cell without an answer: it is not asked again, and after some the operand is not.
    fn bury(&mut self, work: &mut Work<'_>, p: usize, s: usize, outcome: Outcome) {
        let (pattern, subject) = (&work.grid.patterns[p], &work.grid.subjects[s]);
        self.findings.push(format!("{} on pattern `{pattern}`, subject `{subject}`", outcome.words()));
        self.dead.insert((pattern.clone(), subject.clone()), outcome.clone());
        for (side, operand) in [pattern, subject].into_iter().enumerate() {
            let count = self.tired[side].entry(operand.clone()).or_default();
            *count += 1;
            if *count == TIRED {
                let (operands, outcomes) = if side == 0 {
                    (&work.grid.patterns, &mut work.patterns)
                } else {
                    (&work.grid.subjects, &mut work.subjects)
                };
                for (other, outcome) in operands.iter().zip(outcomes) {
                    if other == operand {
                        *outcome = set_aside(TIRED);
                    }
                }
            }
        }
        work.mark(p, s, outcome);
    }

    fn pace(&mut self, cells: usize, took: Duration, suspect: bool) {
        self.per_cell = self.per_cell.max(took / cells as u32).min(self.limit);
        if suspect {
            return;
        }
        if took < Duration::from_millis(300) && cells * 2 > self.cells {
            self.cells = (self.cells * 4).min(MOST);
        } else if took > Duration::from_secs(2) {
            self.cells = (self.cells / 4).max(FEWEST);
        }
    }
}

fn set_aside(count: u32) -> Outcome {
    Outcome::Failed(format!("{SET_ASIDE} after {count} pairs without an answer"))
}

impl Piece {
    /// Cuts the longer side into `parts`, the first part on top of the stack.
    fn cut(&self, parts: usize, pieces: &mut Vec<Piece>) {
        let cut_patterns = self.patterns.len() >= self.subjects.len();
        let range = if cut_patterns { &self.patterns } else { &self.subjects };
        let step = range.len().div_ceil(parts).max(1);
        // Cutting in two because the block is too large makes nobody a suspect.
        let suspect = self.suspect || parts > 2;
        let starts: Vec<usize> = range.clone().step_by(step).collect();
        for start in starts.into_iter().rev() {
            let part = start..(start + step).min(range.end);
            let (patterns, subjects) =
                if cut_patterns { (part, self.subjects.clone()) } else { (self.patterns.clone(), part) };
            pieces.push(Piece { patterns, subjects, suspect });
        }
    }
}

impl<'g> Work<'g> {
    fn new(grid: &'g Grid) -> Work<'g> {
        let (patterns, subjects) = (grid.patterns.len(), grid.subjects.len());
        Work {
            grid,
            patterns: vec![Outcome::Accepted; patterns],
            subjects: vec![Outcome::Accepted; subjects],
            deliveries: Vec::new(),
            unknown: Vec::new(),
            refused: [vec![(0, 0, String::new()); patterns], vec![(0, 0, String::new()); subjects]],
            dead: HashSet::new(),
        }
    }

    fn askable(&self, piece: &Piece) -> (Vec<usize>, Vec<usize>) {
        let rows = piece.patterns.clone().filter(|&index| self.patterns[index] == Outcome::Accepted);
        let columns = piece.subjects.clone().filter(|&index| self.subjects[index] == Outcome::Accepted);
        (rows.collect(), columns.collect())
    }

    fn mark(&mut self, p: usize, s: usize, outcome: Outcome) {
        if self.dead.insert((p, s)) {
            self.unknown.push((p as u32, s as u32, outcome));
        }
    }

    fn take(&mut self, rows: &[usize], columns: &[usize], answer: &Rows) {
        for (row, &p) in rows.iter().enumerate() {
            for (column, &s) in columns.iter().enumerate() {
                let character = answer.rows[row][column];
                for (side, (index, refusal)) in [(p, b'p'), (s, b's')].into_iter().enumerate() {
                    let (refused, other, text) = &mut self.refused[side][index];
                    if character == refusal {
                        *refused += 1;
                        if text.is_empty() {
                            answer.text(row, column).clone_into(text);
                        }
                    } else if matches!(character, b'0' | b'1') {
                        *other += 1;
                    }
                }
                match character {
                    b'1' => self.deliveries.push((s as u32, p as u32)),
                    b'e' => {
                        let text = answer.text(row, column).to_owned();
                        self.unknown.push((p as u32, s as u32, Outcome::Failed(text)));
                    }
                    b'-' => {
                        let why = "the adapter cannot say".to_owned();
                        self.unknown.push((p as u32, s as u32, Outcome::Unsupported(why)));
                    }
                    _ => {}
                }
            }
        }
    }

    fn done(mut self) -> Observations {
        // An operand is refused when nothing else was ever said of it; refused beside some partners only, it is a
        // "no" for those.
        let [patterns, subjects] = std::mem::take(&mut self.refused);
        for (outcomes, refused) in [(&mut self.patterns, patterns), (&mut self.subjects, subjects)] {
            for (outcome, (refused, other, text)) in outcomes.iter_mut().zip(refused) {
                if refused > 0 && other == 0 && *outcome == Outcome::Accepted {
                    *outcome = Outcome::RefusedClient(text);
                }
            }
        }
        self.unknown.sort_by_key(|(p, s, _)| (*p, *s));
        Observations {
            delivered: Matches::from_deliveries(self.deliveries, self.grid.subjects.len()),
            patterns: self.patterns,
            subjects: self.subjects,
            unknown: self.unknown,
        }
    }
}
