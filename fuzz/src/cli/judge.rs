//! `judge`: somebody's questions on stdin, the same with verdicts on stdout. Must never change an input column, and
//! never hold more than one batch.

use std::io::{self, BufWriter, Write};

use wildcheck::{exit::ExitCode, rows::Distinct};
use wildcheck_matcher::Strength;
use wildcheck_oracle::{Address, Oracle, Plan};
use wildcheck_tables::{Grid, Lane, Observations, Operand, Outcome, Verdict, row::Relation};

use super::{
    args::{Route, decode},
    failure::Failure,
    judge_csv::{CsvError, Reader, Record},
    session::{Session, in_memory},
    stdin::{Came, Stdin},
};

/// The options of `judge`.
#[derive(clap::Args)]
#[command(
    after_help = "The header names operation, left and right, in any order, with any other columns beside them.\n\
                        operation is match (left pattern, right subject), valid-pattern, valid-subject (right is not\n\
                        read), subset or overlap (of two patterns). Operands are written \\xNN where they are not plain.\n\
                        verdict is true, false or unsupported."
)]
pub struct Args {
    /// The one oracle that answers
    #[arg(long, value_name = "ADDRESS", required = true)]
    oracle: Address,
    #[command(flatten)]
    route: Route,
    /// valid-pattern and valid-subject by the portable rule
    #[arg(long)]
    strict: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Match,
    ValidPattern,
    ValidSubject,
    Related(Relation),
}

impl Operation {
    fn parse(text: &[u8]) -> Option<Operation> {
        Some(match text {
            b"match" => Operation::Match,
            b"valid-pattern" => Operation::ValidPattern,
            b"valid-subject" => Operation::ValidSubject,
            b"subset" => Operation::Related(Relation::Subset),
            b"overlap" => Operation::Related(Relation::Overlap),
            _ => return None,
        })
    }
}

struct Question {
    operation: Operation,
    left: Operand,
    right: Operand,
    record: Record,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let mut bench = Bench::open(session, &args)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut input = Input::new();
    let mut header: Option<Header> = None;
    let mut batch: Vec<Question> = Vec::new();
    // Blank lines at the end of a file are nobody's row; one in the middle is a row with too few fields.
    let mut blank: Option<u64> = None;
    let result = loop {
        if session.interrupt.is_set() {
            break Err(Failure::Interrupted);
        }
        let record = match input.next() {
            Ok(Next::Record(record)) => record,
            Ok(Next::Idle) => {
                // Nobody is writing just now: whoever waits for an answer gets it.
                bench.answer(&mut batch, &mut out)?;
                out.flush().map_err(Failure::stdout)?;
                continue;
            }
            Ok(Next::End) => break Ok(()),
            Err(failure) => break Err(failure),
        };
        if record.is_blank() {
            blank = blank.or(Some(record.line));
            continue;
        }
        if let Some(line) = blank {
            break Err(Failure::Usage(format!("line {line}: a blank line, which has too few fields")));
        }
        let Some(columns) = &header else {
            match Header::read(&record) {
                Ok(columns) => header = Some(columns),
                Err(failure) => break Err(failure),
            }
            write_back(&mut out, &record, "verdict").map_err(Failure::stdout)?;
            continue;
        };
        match columns.question(record) {
            Ok(question) => batch.push(question),
            Err(failure) => break Err(failure),
        }
        if batch.len() >= bench.batch {
            bench.answer(&mut batch, &mut out)?;
        }
    };
    // What came before a broken line is answered all the same.
    if !matches!(result, Err(Failure::Interrupted)) {
        bench.answer(&mut batch, &mut out)?;
    }
    out.flush().map_err(Failure::stdout)?;
    bench.tell(session);
    result?;
    if header.is_none() {
        return Err(Failure::Usage("line 1: a header with operation, left and right is required".to_owned()));
    }
    Ok(if bench.lost { ExitCode::NoOracle } else { ExitCode::Agree })
}

fn write_back(out: &mut impl Write, record: &Record, verdict: &str) -> io::Result<()> {
    out.write_all(&record.raw)?;
    write!(out, ",{verdict}")?;
    out.write_all(if record.end.is_empty() { b"\n" } else { &record.end })
}

/// Where the columns are.
struct Header {
    columns: usize,
    operation: usize,
    left: usize,
    right: usize,
}

impl Header {
    fn read(record: &Record) -> Result<Header, Failure> {
        let find = |name: &str| {
            let is_it = |(index, field): &(usize, &Vec<u8>)| {
                // Spreadsheets put a byte order mark before the first name.
                let field = if *index == 0 { field.strip_prefix(b"\xef\xbb\xbf").unwrap_or(field) } else { field };
                field == name.as_bytes()
            };
            let mut places = record.fields.iter().enumerate().filter(is_it).map(|(index, _)| index);
            match (places.next(), places.next()) {
                (Some(place), None) => Ok(place),
                (Some(_), Some(_)) => Err(usage(record, &format!("the header names `{name}` twice"))),
                (None, _) => Err(usage(
                    record,
                    &format!("the header has no column `{name}`; operation, left and right are required"),
                )),
            }
        };
        Ok(Header {
            columns: record.fields.len(),
            operation: find("operation")?,
            left: find("left")?,
            right: find("right")?,
        })
    }

    fn question(&self, record: Record) -> Result<Question, Failure> {
        let (has, wants) = (record.fields.len(), self.columns);
        if has != wants {
            let how = if has < wants { "few" } else { "many" };
            return Err(usage(&record, &format!("too {how} fields: {has}, the header has {wants}")));
        }
        let word = &record.fields[self.operation];
        let operation = Operation::parse(word).ok_or_else(|| {
            let word = Operand(word.clone());
            let known = "match, valid-pattern, valid-subject, subset, overlap";
            usage(&record, &format!("unknown operation `{word}`; known: {known}"))
        })?;
        let operand = |column: usize, name: &str| {
            decode(&record.fields[column]).map_err(|error| usage(&record, &format!("column `{name}`: {error}")))
        };
        let left = operand(self.left, "left")?;
        let right = match operation {
            Operation::ValidPattern | Operation::ValidSubject => Operand::default(),
            Operation::Match | Operation::Related(_) => operand(self.right, "right")?,
        };
        Ok(Question { operation, left, right, record })
    }
}

fn usage(record: &Record, why: &str) -> Failure {
    Failure::Usage(format!("line {}: {why}", record.line))
}

/// Who answers, and how many rows at a time.
struct Bench<'a> {
    session: &'a Session,
    args: &'a Args,
    oracle: Box<dyn Oracle>,
    /// Opened when the first `valid-subject` comes: the server rules on subjects in pedantic mode only.
    pedantic: Option<Box<dyn Oracle>>,
    batch: usize,
    asked: u64,
    unsupported: u64,
    /// An operand took its connection or the server with it.
    lost: bool,
}

impl<'a> Bench<'a> {
    fn open(session: &'a Session, args: &'a Args) -> Result<Self, Failure> {
        let oracle = session.open(&args.oracle, &args.route)?;
        let batch = batch_size(&args.oracle, args.route.plan.into());
        Ok(Bench { session, args, oracle, pedantic: None, batch, asked: 0, unsupported: 0, lost: false })
    }

    fn answer(&mut self, batch: &mut Vec<Question>, out: &mut impl Write) -> Result<(), Failure> {
        if batch.is_empty() {
            return Ok(());
        }
        let mut verdicts = vec![Verdict::Unsupported; batch.len()];
        self.matches(batch, &mut verdicts)?;
        self.valid(batch, Operation::ValidPattern, &mut verdicts)?;
        self.valid(batch, Operation::ValidSubject, &mut verdicts)?;
        for relation in [Relation::Subset, Relation::Overlap] {
            let rows = rows(batch, Operation::Related(relation));
            if rows.is_empty() {
                continue;
            }
            let pairs: Vec<_> = rows.iter().map(|r| (batch[*r].left.clone(), batch[*r].right.clone())).collect();
            let answers = self.oracle.relate(relation, &pairs)?;
            for (row, answer) in rows.into_iter().zip(answers) {
                verdicts[row] = answer;
            }
        }
        for (question, verdict) in batch.drain(..).zip(verdicts) {
            self.asked += 1;
            self.unsupported += u64::from(verdict == Verdict::Unsupported);
            write_back(out, &question.record, verdict.as_str()).map_err(Failure::stdout)?;
        }
        Ok(())
    }

    /// All pairs of the batch as one grid of the distinct patterns and subjects; what is not asked costs little, since
    /// a live grid costs by its deliveries.
    fn matches(&mut self, batch: &[Question], verdicts: &mut [Verdict]) -> Result<(), Failure> {
        let rows = rows(batch, Operation::Match);
        if rows.is_empty() {
            return Ok(());
        }
        let mut patterns = Distinct::default();
        let mut subjects = Distinct::default();
        let cells: Vec<(usize, usize)> =
            rows.iter().map(|row| (patterns.place(&batch[*row].left), subjects.place(&batch[*row].right))).collect();
        let grid =
            Grid { dialect: self.session.dialect.name(), patterns: patterns.operands, subjects: subjects.operands };
        let seen = self.oracle.observe(&grid)?;
        self.note_lost(&seen);
        for (row, (pattern, subject)) in rows.into_iter().zip(cells) {
            verdicts[row] = seen.verdict(pattern, subject);
        }
        Ok(())
    }

    fn valid(&mut self, batch: &[Question], operation: Operation, verdicts: &mut [Verdict]) -> Result<(), Failure> {
        let rows = rows(batch, operation);
        if rows.is_empty() {
            return Ok(());
        }
        let patterns = operation == Operation::ValidPattern;
        if self.args.strict && !matches!(self.args.oracle, Address::Naive) {
            for row in rows {
                verdicts[row] = self.portable(&batch[row].left, patterns);
            }
            return Ok(());
        }
        let mut operands = Distinct::default();
        let cells: Vec<usize> = rows.iter().map(|row| operands.place(&batch[*row].left)).collect();
        let mut grid = Grid { dialect: self.session.dialect.name(), patterns: operands.operands, subjects: Vec::new() };
        if patterns {
            let seen = self.oracle.observe(&grid)?;
            self.note_lost(&seen);
            for (row, cell) in rows.into_iter().zip(cells) {
                verdicts[row] = seen.pattern_verdict(cell);
            }
        } else {
            std::mem::swap(&mut grid.patterns, &mut grid.subjects);
            let seen = self.judge_of_subjects()?.observe(&grid)?;
            self.note_lost(&seen);
            for (row, cell) in rows.into_iter().zip(cells) {
                verdicts[row] = seen.subject_verdict(cell);
            }
        }
        Ok(())
    }

    /// The portable rule is ours; a server knows nothing of it.
    fn portable(&self, operand: &Operand, pattern: bool) -> Verdict {
        if !in_memory(&self.args.oracle) {
            return Verdict::Unsupported;
        }
        let dialect = self.session.dialect;
        let valid = if pattern {
            dialect.validate_pattern(&operand.0, Strength::Strict)
        } else {
            dialect.validate_subject(&operand.0, Strength::Strict)
        };
        Verdict::from(valid.is_ok())
    }

    fn note_lost(&mut self, seen: &Observations) {
        let mut outcomes = seen.patterns.iter().chain(&seen.subjects);
        self.lost |= outcomes.any(|outcome| matches!(outcome, Outcome::Lost(_)));
    }

    fn judge_of_subjects(&mut self) -> Result<&mut Box<dyn Oracle>, Failure> {
        let served = matches!(
            self.args.oracle,
            Address::Auto | Address::Process { .. } | Address::Image(_) | Address::Url(_) | Address::Recorded { .. }
        );
        let nats = self.session.dialect.name().split(['@', '/']).next() == Some("nats");
        if !served || !nats || self.args.route.lane.is_some() {
            return Ok(&mut self.oracle);
        }
        if self.pedantic.is_none() {
            let route = Route { lane: Some(Lane::WIRE_PEDANTIC), ..self.args.route.clone() };
            self.pedantic = Some(self.session.open(&self.args.oracle, &route)?);
        }
        Ok(self.pedantic.as_mut().unwrap_or(&mut self.oracle))
    }

    fn tell(&mut self, session: &Session) {
        let pedantic = self.pedantic.iter_mut().flat_map(|oracle| oracle.findings());
        for finding in self.oracle.findings().into_iter().chain(pedantic) {
            session.talk.say(&format!("note: {finding}"));
        }
        if self.unsupported > 0 {
            let (asked, unsupported) = (self.asked, self.unsupported);
            session.talk.say(&format!("{unsupported} of {asked} rows are unsupported by {}", self.oracle.identity()));
        }
    }
}

/// How many rows make a good grid: a grid has as many cells as the square of its rows, so it stays small where every
/// cell is paid for.
fn batch_size(address: &Address, plan: Plan) -> usize {
    match (address, plan) {
        (Address::Cmd(_), _) | (_, Plan::Isolated) => 1,
        (Address::Reference | Address::Naive | Address::Spec, _) => 8,
        (Address::Exec(_) | Address::Tsv(_), _) => 64,
        _ => 512,
    }
}

fn rows(batch: &[Question], operation: Operation) -> Vec<usize> {
    (0..batch.len()).filter(|row| batch[*row].operation == operation).collect()
}

/// Records from standard input.
struct Input {
    stdin: Stdin,
    chunk: Vec<u8>,
    at: usize,
    reader: Reader,
    ended: bool,
}

enum Next {
    Record(Record),
    /// Nothing came for a moment.
    Idle,
    End,
}

impl Input {
    fn new() -> Input {
        Input { stdin: Stdin::new(), chunk: Vec::new(), at: 0, reader: Reader::new(), ended: false }
    }

    fn next(&mut self) -> Result<Next, Failure> {
        let usage = |error: CsvError| Failure::Usage(error.to_string());
        loop {
            while let Some(byte) = self.chunk.get(self.at) {
                self.at += 1;
                if let Some(record) = self.reader.push(*byte).map_err(usage)? {
                    return Ok(Next::Record(record));
                }
            }
            if self.ended {
                return Ok(Next::End);
            }
            let came = self.stdin.next();
            match came.map_err(|source| Failure::Input { what: "standard input".to_owned(), source })? {
                Came::Chunk(chunk) => (self.chunk, self.at) = (chunk, 0),
                Came::Nothing => return Ok(Next::Idle),
                Came::End => {
                    self.ended = true;
                    return Ok(self.reader.end().map_err(usage)?.map_or(Next::End, Next::Record));
                }
            }
        }
    }
}
