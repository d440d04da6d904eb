//! Any lane on a server of ours: lost once, the server is started again and the grid asked from its start; lost twice,
//! that is told and the grid is kept.
//!
//! Must never hide that it happened.

use std::path::PathBuf;

use wildcheck_tables::{Grid, Identity, Observations, Operand, Verdict, row::Relation};

use crate::{Oracle, OracleError, SetStep, SetsAnswer};

/// Starts the server and opens the lane, as often as it is called.
pub type Opener = Box<dyn FnMut() -> Result<Box<dyn Oracle>, OracleError> + Send>;

/// A lane that can be opened anew.
pub struct Again {
    lane: Box<dyn Oracle>,
    open: Opener,
    restarted: bool,
    keep: Option<PathBuf>,
    findings: Vec<String>,
}

impl Again {
    /// Opens the lane. `keep` is the folder for the grid that it was lost of twice; `None`: the one for temporary files.
    ///
    /// # Errors
    /// As `open`.
    pub fn new(mut open: Opener, keep: Option<PathBuf>) -> Result<Again, OracleError> {
        Ok(Again { lane: open()?, open, restarted: false, keep, findings: Vec::new() })
    }
}

impl Oracle for Again {
    fn identity(&self) -> &Identity {
        self.lane.identity()
    }

    fn observe(&mut self, grid: &Grid) -> Result<Observations, OracleError> {
        loop {
            let (what, why, kept) = match self.lane.observe(grid) {
                Err(OracleError::Lost { what, why, kept }) => (what, why, kept),
                other => return other,
            };
            if self.restarted {
                let kept = kept.map_or_else(|| keep(grid, self.keep.clone()), Ok)?;
                return Err(OracleError::Lost { what, why, kept: Some(kept) });
            }
            self.restarted = true;
            if let Some(path) = kept {
                // Not the last grid after all; a file that stays is no harm.
                let _ = std::fs::remove_file(path);
            }
            self.findings.extend(self.lane.findings());
            self.lane = (self.open)()?;
            self.findings.push(lost_once(&what, &why));
        }
    }

    fn relate(&mut self, relation: Relation, pairs: &[(Operand, Operand)]) -> Result<Vec<Verdict>, OracleError> {
        self.lane.relate(relation, pairs)
    }

    fn sets(&mut self, steps: &[SetStep]) -> Result<SetsAnswer, OracleError> {
        self.lane.sets(steps)
    }

    fn findings(&mut self) -> Vec<String> {
        let mut findings = std::mem::take(&mut self.findings);
        findings.extend(self.lane.findings());
        findings
    }
}

/// The finding about the first loss.
pub fn lost_once(what: &str, why: &str) -> String {
    format!("{what} was lost ({why}) and asked again from the start of the grid")
}

/// Writes the grid where it can be asked again.
///
/// # Errors
/// [`OracleError::Io`].
pub fn keep(grid: &Grid, folder: Option<PathBuf>) -> Result<PathBuf, OracleError> {
    let folder = folder.unwrap_or_else(std::env::temp_dir);
    let path = folder.join(format!("wildcheck-lost-grid-{}.json", std::process::id()));
    let json = serde_json::json!({"dialect": grid.dialect, "patterns": grid.patterns, "subjects": grid.subjects});
    std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&path, json.to_string()))
        .map_err(|source| OracleError::Io { path: path.clone(), source })?;
    Ok(path)
}
