//! What many releases said, side by side: lines with a cell a release, folded where neighbours are equal.
//!
//! Must never ask anybody, and never call a difference right or wrong: it says where it is.

use std::collections::BTreeMap;

use wildcheck_tables::{DialectTables, Version, in_range, row::Claim};

use crate::{claims::Audited, rows::LaneAnswers};

/// What one release said to everything.
pub struct Release {
    /// Its version.
    pub version: String,
    /// The rows, lane by lane, the main lane first.
    pub lanes: Vec<LaneAnswers>,
    /// The claims that speak of it.
    pub claims: Vec<Audited>,
}

/// A question with the answer of each release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What was asked (`match a.* a.b`, `valid-pattern a..b by client`, `nats-claim-star-one by wire`).
    pub question: String,
    /// The answers, in the order of the releases; empty where there is none.
    pub cells: Vec<String>,
    /// What the table says of each release; empty where it says nothing.
    pub recorded: Vec<String>,
}

/// All of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Matrix {
    /// The releases, oldest first.
    pub versions: Vec<String>,
    /// The lines, sorted by question.
    pub lines: Vec<Line>,
}

/// A cell that is not what the table says of that release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What was asked.
    pub question: String,
    /// The release.
    pub version: String,
    /// What the table says.
    pub recorded: String,
    /// What the release says.
    pub seen: String,
}

impl Matrix {
    /// Puts the answers side by side. The releases come oldest first.
    pub fn new(tables: &DialectTables, releases: &[Release]) -> Matrix {
        let count = releases.len();
        let mut lines: BTreeMap<String, Line> = BTreeMap::new();
        let mut put = |question: String, place: usize, seen: String, recorded: Option<String>| {
            let empty = || vec![String::new(); count];
            let line =
                lines.entry(question.clone()).or_insert_with(|| Line { question, cells: empty(), recorded: empty() });
            line.cells[place] = seen;
            if let Some(recorded) = recorded {
                line.recorded[place] = recorded;
            }
        };
        for (place, release) in releases.iter().enumerate() {
            let version = &release.version;
            if let Some(main) = release.lanes.first() {
                for (row, seen) in tables.matches.iter().zip(&main.matches) {
                    let recorded = row.server.filter(|_| in_range(&row.since, &row.until, version));
                    let question = format!("match `{}` `{}`", row.pattern, row.subject);
                    put(question, place, seen.verdict.to_string(), recorded.map(|server| server.to_string()));
                }
            }
            for lane in &release.lanes {
                for (row, answer) in tables.validation.iter().zip(&lane.validation) {
                    let Some((outcome, delivered)) = answer else { continue };
                    let recorded = row.server.filter(|_| in_range(&row.since, &row.until, version));
                    let question = format!("valid-{} `{}` by {}", row.operand.as_str(), row.text, row.lane);
                    let seen = outcome.fate(*delivered).to_string();
                    put(question, place, seen, recorded.map(|fate| fate.to_string()));
                }
            }
            for audited in &release.claims {
                let claim: &Claim = &audited.claim;
                let holds = in_range(&claim.since, &claim.until, version) && !claim.verdict.is_empty();
                let recorded = holds.then(|| claim.verdict.clone());
                put(format!("{} by {}", claim.id, claim.lane), place, audited.found.word().to_owned(), recorded);
            }
        }
        let versions = releases.iter().map(|release| release.version.clone()).collect();
        Matrix { versions, lines: lines.into_values().collect() }
    }

    /// The lines whose releases do not all say the same.
    pub fn differing(&self) -> Matrix {
        let lines = self.lines.iter().filter(|line| line.cells.windows(2).any(|two| two[0] != two[1]));
        Matrix { versions: self.versions.clone(), lines: lines.cloned().collect() }
    }

    /// Neighbouring releases that say the same to every line are one column (`2.9.10 - 2.12.3`).
    pub fn folded(&self) -> Matrix {
        let mut starts: Vec<usize> = Vec::new();
        for place in 0..self.versions.len() {
            let new = place == 0 || self.lines.iter().any(|line| line.cells[place] != line.cells[place - 1]);
            if new {
                starts.push(place);
            }
        }
        let ends = starts.iter().skip(1).map(|next| next - 1).chain([self.versions.len().saturating_sub(1)]);
        let name = |(&start, end): (&usize, usize)| {
            let (first, last) = (&self.versions[start], &self.versions[end]);
            if start == end { first.clone() } else { format!("{first} - {last}") }
        };
        let versions = starts.iter().zip(ends).map(name).collect();
        let of = |cells: &[String]| starts.iter().map(|&start| cells[start].clone()).collect();
        let line = |line: &Line| Line {
            question: line.question.clone(),
            cells: of(&line.cells),
            recorded: of(&line.recorded),
        };
        Matrix { versions, lines: self.lines.iter().map(line).collect() }
    }

    /// Every cell that is not what the table says.
    pub fn drift(&self) -> Vec<Difference> {
        let mut drift = Vec::new();
        for line in &self.lines {
            for (place, version) in self.versions.iter().enumerate() {
                let (seen, recorded) = (&line.cells[place], &line.recorded[place]);
                if !recorded.is_empty() && seen != recorded {
                    drift.push(Difference {
                        question: line.question.clone(),
                        version: version.clone(),
                        recorded: recorded.clone(),
                        seen: seen.clone(),
                    });
                }
            }
        }
        drift
    }
}

/// The releases that a text names: `all`, `2.10..2.12` (both ends with all their patches), `2.9.10`, joined by commas.
/// Oldest first, each once.
///
/// # Errors
/// A part that is none of these, or a range in which there is no release.
pub fn select(text: &str, known: &[String]) -> Result<Vec<String>, String> {
    let mut chosen: Vec<(Version, String)> = Vec::new();
    let mut put = |text: &str| {
        if let Ok(version) = text.parse::<Version>()
            && !chosen.iter().any(|(has, _)| *has == version)
        {
            chosen.push((version, text.to_owned()));
        }
    };
    for part in text.split(',').map(str::trim) {
        if part == "all" {
            known.iter().for_each(|version| put(version));
        } else if let Some((from, to)) = part.split_once("..") {
            let (Ok(low), Ok(high)) = (from.parse::<Version>(), to.parse::<Version>()) else {
                return Err(format!("`{part}` is no range such as 2.10..2.12"));
            };
            let patch = format!("{to}.");
            let inside = |text: &&String| {
                text.parse::<Version>().is_ok_and(|v| low <= v && (v <= high || text.starts_with(&patch)))
            };
            let found: Vec<&String> = known.iter().filter(inside).collect();
            if found.is_empty() {
                return Err(format!("no release is in `{part}`; `wildcheck versions` lists them"));
            }
            found.into_iter().for_each(|version| put(version));
        } else if part.parse::<Version>().is_ok() {
            put(part);
        } else {
            return Err(format!("`{part}` is none of all, 2.10..2.12, 2.9.10"));
        }
    }
    chosen.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(chosen.into_iter().map(|(_, text)| text).collect())
}

/// Where an answer flips between the first and the last of `count` releases, asking as few as it can: the last place
/// that answers as the first one does, its answer, and the next one's. `None` where first and last agree.
///
/// # Errors
/// What `ask` says.
pub fn flip<E>(
    count: usize,
    ask: &mut dyn FnMut(usize) -> Result<String, E>,
) -> Result<Option<(usize, String, String)>, E> {
    if count < 2 {
        return Ok(None);
    }
    let (mut low, mut high) = (0, count - 1);
    let before = ask(low)?;
    let mut after = ask(high)?;
    if before == after {
        return Ok(None);
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let seen = ask(middle)?;
        if seen == before {
            low = middle;
        } else {
            (high, after) = (middle, seen);
        }
    }
    Ok(Some((low, before, after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(question: &str, cells: &[&str], recorded: &[&str]) -> Line {
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Line { question: question.to_owned(), cells: own(cells), recorded: own(recorded) }
    }

    fn sample() -> Matrix {
        let versions = ["1.0.0", "1.1.0", "1.2.0", "1.3.0"].map(str::to_owned).to_vec();
        let same = line("same", &["x", "x", "x", "x"], &["x", "x", "x", "x"]);
        let flips = line("flips", &["x", "x", "y", "y"], &["x", "x", "x", ""]);
        Matrix { versions, lines: vec![flips, same] }
    }

    #[test]
    fn equal_neighbours_are_one_column_and_only_what_differs_is_left() {
        let folded = sample().differing().folded();
        assert_eq!(folded.versions, ["1.0.0 - 1.1.0", "1.2.0 - 1.3.0"]);
        assert_eq!(folded.lines.len(), 1);
        assert_eq!(folded.lines[0].cells, ["x", "y"]);
    }

    #[test]
    fn drift_is_a_cell_against_what_the_table_says_of_that_release() {
        let drift = sample().drift();
        assert_eq!(drift.len(), 1);
        assert_eq!((drift[0].version.as_str(), drift[0].seen.as_str()), ("1.2.0", "y"));
    }

    #[test]
    fn a_range_holds_the_patches_of_its_last_release() {
        let known = ["2.9.10", "2.10.0", "2.10.26", "2.11.0", "2.12.8", "2.14.0"].map(str::to_owned);
        assert_eq!(select("2.10..2.12", &known).unwrap(), ["2.10.0", "2.10.26", "2.11.0", "2.12.8"]);
        assert_eq!(select("2.14.0,2.9.10,2.14.0", &known).unwrap(), ["2.9.10", "2.14.0"]);
        assert_eq!(select("all", &known).unwrap().len(), 6);
        assert!(select("newest", &known).is_err() && select("3.0..3.1", &known).is_err());
    }

    #[test]
    fn a_flip_among_32_releases_is_found_with_7_questions() {
        for last in 0..31 {
            let mut asked = 0;
            let found = flip::<()>(32, &mut |place| {
                asked += 1;
                Ok(if place <= last { "old" } else { "new" }.to_owned())
            });
            assert_eq!(found.unwrap(), Some((last, "old".to_owned(), "new".to_owned())));
            assert!(asked <= 7, "{asked}");
        }
    }
}
