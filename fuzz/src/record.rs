//! The folder of one run: `record.jsonl`, written event by event, and what is rendered from it.
//!
//! Must never hold an event back: a line is on disk before the next question is asked. Must never move a folder away
//! that is not one of ours.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use wildcheck_tables::RunEvent;

/// The record's file name.
pub const FILE: &str = "record.jsonl";

/// The record being written.
pub struct Record {
    file: File,
    dir: PathBuf,
}

impl Record {
    /// A fresh folder; the previous one becomes `DIR.old`, the one before that is gone.
    ///
    /// # Errors
    /// The folder cannot be made, or something else lives there.
    pub fn create(dir: &Path) -> io::Result<Record> {
        if dir.exists() {
            let old = beside(dir);
            if old.exists() {
                ours(&old)?;
                fs::remove_dir_all(&old)?;
            }
            ours(dir)?;
            fs::rename(dir, &old)?;
        }
        fs::create_dir_all(dir)?;
        let file = File::options().append(true).create_new(true).open(dir.join(FILE))?;
        Ok(Record { file, dir: dir.to_owned() })
    }

    /// Appends one event; it is with the operating system when this returns.
    ///
    /// # Errors
    /// The disk is full, the folder is gone.
    pub fn write(&mut self, event: &RunEvent) -> io::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }

    /// The record file.
    pub fn path(&self) -> PathBuf {
        self.dir.join(FILE)
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

/// `DIR.old`.
fn beside(dir: &Path) -> PathBuf {
    let mut name = dir.as_os_str().to_owned();
    while name.as_encoded_bytes().len() > 1 && name.as_encoded_bytes().ends_with(b"/") {
        name = name.to_string_lossy().trim_end_matches('/').into();
    }
    name.push(".old");
    name.into()
}

/// A folder that holds a record, or nothing.
fn ours(dir: &Path) -> io::Result<()> {
    let foreign = |why: &str| {
        Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} {why}; choose another --out", dir.display())))
    };
    if !dir.is_dir() {
        return foreign("is no folder");
    }
    if !dir.join(FILE).exists() && fs::read_dir(dir)?.next().is_some() {
        return foreign("holds other things than a run's record");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(text: &str) -> RunEvent {
        RunEvent::NotRun { what: text.to_owned(), why: "a test".to_owned() }
    }

    #[test]
    fn the_previous_record_is_kept_and_the_one_before_goes() {
        let parent = tempfile::tempdir().unwrap();
        let dir = parent.path().join("out");
        for run in ["one", "two", "three"] {
            let mut record = Record::create(&dir).unwrap();
            record.write(&event(run)).unwrap();
        }
        let read = |dir: &Path| fs::read_to_string(dir.join(FILE)).unwrap();
        assert!(read(&dir).contains("three"));
        assert!(read(&parent.path().join("out.old")).contains("two"));
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_of_somebody_else_is_left_alone() {
        let parent = tempfile::tempdir().unwrap();
        fs::write(parent.path().join("thesis.txt"), "dear").unwrap();
        assert!(Record::create(parent.path()).is_err());
        assert!(parent.path().join("thesis.txt").exists());
    }

    #[test]
    fn an_event_is_on_disk_when_write_returns() {
        let parent = tempfile::tempdir().unwrap();
        let mut record = Record::create(&parent.path().join("deep/out")).unwrap();
        record.write(&event("x")).unwrap();
        assert_eq!(fs::read_to_string(record.path()).unwrap().lines().count(), 1);
    }
}
