//! A small bench harness: contenders take turns in one process, ratios are taken within a round, and the median of the
//! rounds is told. On a shared machine the times move together, the ratios hardly.

#![allow(dead_code, reason = "each bench uses a part of it")]

use std::{
    fmt::Write as _,
    hint::black_box,
    io,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// One contender: a name, and a pass over all questions that returns how many were answered yes.
pub struct Contender {
    pub name: &'static str,
    pub pass: Box<dyn Fn() -> usize>,
}

/// What was measured of one contender: the median nanoseconds a question, the median ratio to the first contender.
pub struct Figure {
    pub name: &'static str,
    pub nanos: f64,
    pub ratio: f64,
    pub instructions: Option<f64>,
}

/// Lets the contenders take turns, `rounds` times, each for at least `slice`. The first is the one compared with.
pub fn race(contenders: &[Contender], questions: usize, rounds: usize, slice: Duration) -> Vec<Figure> {
    let repeats: Vec<u32> = contenders.iter().map(|contender| calibrate(contender, slice)).collect();
    let mut nanos = vec![Vec::with_capacity(rounds); contenders.len()];
    for round in 0..rounds {
        for turn in 0..contenders.len() {
            // Another one starts each round, so that nobody always runs behind the same neighbour.
            let index = (turn + round) % contenders.len();
            let started = Instant::now();
            for _ in 0..repeats[index] {
                black_box((contenders[index].pass)());
            }
            let per = f64::from(repeats[index]) * questions as f64;
            nanos[index].push(started.elapsed().as_nanos() as f64 / per);
        }
    }
    let figure = |(index, contender): (usize, &Contender)| Figure {
        name: contender.name,
        nanos: median(nanos[index].clone()),
        ratio: median(nanos[index].iter().zip(&nanos[0]).map(|(one, first)| one / first).collect()),
        instructions: None,
    };
    contenders.iter().enumerate().map(figure).collect()
}

fn calibrate(contender: &Contender, slice: Duration) -> u32 {
    let mut repeats = 1;
    loop {
        let started = Instant::now();
        for _ in 0..repeats {
            black_box((contender.pass)());
        }
        if started.elapsed() >= slice || repeats > 1 << 24 {
            return repeats;
        }
        repeats *= 2;
    }
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The pass that valgrind counts; it finds it by this name.
#[inline(never)]
pub fn counted_pass(contender: &Contender) -> usize {
    (contender.pass)()
}

/// Runs this binary again under callgrind with these arguments, which must lead to one [`counted_pass`]; its
/// instructions, or `None` where valgrind is not to be had.
pub fn instructions(arguments: &[&str]) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"])
        .arg("--toggle-collect=*counted_pass*")
        .arg(std::env::current_exe().ok()?)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected = words.lines().find_map(|line| line.split("Collected :").nth(1))?;
    collected.trim().parse().ok()
}

/// Numbers from a seed, the same everywhere (splitmix64).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// A Markdown table with aligned columns; the first column to the left, the others to the right.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut text = String::new();
    let mut line = |cells: &[String]| {
        for (index, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let _ = if index == 0 { write!(text, "| {cell:<width$} ") } else { write!(text, "| {cell:>width$} ") };
        }
        text.push_str("|\n");
    };
    line(&head.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>());
    let rule = |(index, width): (usize, &usize)| {
        if index == 0 { "-".repeat(*width) } else { format!("{}:", "-".repeat(width - 1)) }
    };
    line(&widths.iter().enumerate().map(rule).collect::<Vec<_>>());
    rows.iter().for_each(|row| line(row));
    text
}

/// Prints the report, and writes it to the file that `--out` names.
pub fn publish(report: &str, out: Option<&str>) -> io::Result<()> {
    print!("{report}");
    let Some(out) = out else { return Ok(()) };
    if let Some(folder) = Path::new(out).parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(out, report)
}

/// The value after `--name` on the command line.
pub fn option(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.next()?;
    arguments.next()
}

/// Is `--name` on the command line?
pub fn flag(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}
