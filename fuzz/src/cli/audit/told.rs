//! Audited claims as text for a terminal, Markdown, CSV and JSON. Must never judge.

use std::fmt::Write as _;

use wildcheck::claims::{self, Audited, Found, Overall};
use wildcheck_tables::row::Claim;

use super::Shape;
use crate::cli::{failure::Failure, talk::Paint};

/// The sentence with what its rows say.
pub struct Told<'a> {
    /// All rows together.
    pub overall: Overall,
    /// As [`claims::ranges`].
    pub ranges: String,
    /// A row each lane.
    pub rows: Vec<&'a Audited>,
}

/// All ids there are.
pub fn ids(claims: &[Claim]) -> Vec<&str> {
    let mut ids: Vec<&str> = claims.iter().map(|claim| claim.id.as_str()).collect();
    ids.dedup();
    ids
}

/// What goes to stdout.
///
/// # Errors
/// None in practice.
pub fn text(told: &[Told<'_>], server: &str, shape: Shape, transcript: bool, paint: Paint) -> Result<String, Failure> {
    Ok(match shape {
        Shape::Text if transcript => plain(told, paint) + &transcripts(told),
        Shape::Text => plain(told, paint),
        Shape::Md => markdown(told, server),
        Shape::Csv => csv(told)?,
        Shape::Json => json(told, server),
    })
}

/// Claim by claim; rows come sorted by id.
pub fn by_id<'a>(audited: &'a [Audited], all: &[Claim]) -> Vec<Told<'a>> {
    let same = |a: &Audited, b: &Audited| a.claim.id == b.claim.id;
    let told = |rows: &'a [Audited]| {
        let rows: Vec<&Audited> = rows.iter().collect();
        Told { overall: claims::overall(&rows, all), ranges: claims::ranges(&rows, all), rows }
    };
    audited.chunk_by(same).map(told).collect()
}

/// The sentence at the end.
pub fn counted(told: &[Told<'_>], server: &str, drifted: usize) -> String {
    let count = |which: Overall| told.iter().filter(|claim| claim.overall == which).count();
    let drift = match drifted {
        0 => "as recorded".to_owned(),
        1 => "1 verdict is not as recorded".to_owned(),
        more => format!("{more} verdicts are not as recorded"),
    };
    format!(
        "{} claims on {server}: {} confirmed, {} refuted, {} depend on the lane, {} on the version, {} not testable \
         here; {drift}",
        told.len(),
        count(Overall::Confirmed),
        count(Overall::Refuted),
        count(Overall::LaneDependent),
        count(Overall::VersionDependent),
        count(Overall::NotTestable)
    )
}

fn plain(told: &[Told<'_>], paint: Paint) -> String {
    let mut text = String::new();
    for claim in told {
        let word = format!("{:<17}", claim.overall.word());
        let word = match claim.overall {
            Overall::Confirmed => paint.good(&word),
            Overall::NotTestable => paint.dim(&word),
            _ => paint.bad(&word),
        };
        let first = &claim.rows[0].claim;
        let _ = writeln!(text, "{word} {}\n{:17} {}", first.id, "", first.claim);
        if !claim.ranges.is_empty() {
            let _ = writeln!(text, "{:17} {}", "", claim.ranges);
        }
        for row in &claim.rows {
            if claim.rows.len() > 1 || row.found != Found::Confirmed {
                let _ = writeln!(text, "{:17} {}", "", line(row));
            }
        }
    }
    text
}

/// `wire: refuted, p got 1 (…)`.
fn line(row: &Audited) -> String {
    let mut line = format!("{}: {}", row.claim.lane, row.found.word());
    if !row.found.instead().is_empty() {
        let _ = write!(line, ", {}", row.found.instead());
    }
    let note = &row.claim.note;
    if !note.is_empty() && note != row.found.instead() {
        let _ = write!(line, " ({note})");
    }
    line
}

fn markdown(told: &[Told<'_>], server: &str) -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let mut text = format!("| {server} says | claim | source | by lane |\n|---|---|---|---|\n");
    for claim in told {
        let first = &claim.rows[0].claim;
        let lanes: Vec<String> = claim.rows.iter().map(|row| cell(&line(row))).collect();
        let (sentence, source) = (cell(&first.claim), cell(&first.source));
        let ranges = if claim.ranges.is_empty() { String::new() } else { format!(" ({})", cell(&claim.ranges)) };
        let overall = claim.overall.word();
        let _ = writeln!(text, "| {overall}{ranges} | {sentence} | {source} | {} |", lanes.join("<br>"));
    }
    text
}

fn csv(told: &[Told<'_>]) -> Result<String, Failure> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    let write = |writer: &mut csv::Writer<Vec<u8>>, record: &[&str]| {
        writer.write_record(record).map_err(|error| Failure::stdout(std::io::Error::other(error)))
    };
    write(&mut writer, &["id", "claim", "overall", "lane", "verdict", "seen", "recorded"])?;
    for claim in told {
        for row in &claim.rows {
            let (c, found) = (&row.claim, &row.found);
            let lane = c.lane.to_string();
            let record =
                [&c.id, &c.claim, claim.overall.word(), &lane, found.word(), found.instead(), &c.verdict as &str];
            write(&mut writer, &record)?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| Failure::stdout(std::io::Error::other(error.to_string())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn json(told: &[Told<'_>], server: &str) -> String {
    let rows = |claim: &Told<'_>| -> Vec<serde_json::Value> {
        let row = |row: &&Audited| {
            serde_json::json!({
                "lane": row.claim.lane.to_string(),
                "verdict": row.found.word(),
                "seen": row.found.instead(),
                "recorded": row.claim.verdict,
                "probe": row.claim.probe,
                "expected": row.claim.expected,
            })
        };
        claim.rows.iter().map(row).collect()
    };
    let claims: Vec<serde_json::Value> = told
        .iter()
        .map(|claim| {
            let first = &claim.rows[0].claim;
            serde_json::json!({
                "id": first.id,
                "claim": first.claim,
                "source": first.source,
                "overall": claim.overall.word(),
                "ranges": claim.ranges,
                "lanes": rows(claim),
            })
        })
        .collect();
    format!("{}\n", serde_json::json!({ "server": server, "claims": claims }))
}

fn transcripts(told: &[Told<'_>]) -> String {
    let mut text = String::new();
    for row in told.iter().flat_map(|claim| &claim.rows).filter(|row| !row.transcript.is_empty()) {
        let _ = writeln!(text, "\nby {}: {}\nexpected: {}", row.claim.lane, row.claim.probe, row.claim.expected);
        for line in &row.transcript {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}
