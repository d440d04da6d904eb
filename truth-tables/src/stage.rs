//! Writing many files so that a full disk or a kill leaves the old ones: all are staged beside their targets and on disk
//! before the first is renamed into place.
//!
//! Must never write into a file that somebody may be reading.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::TablesError;

/// New files beside their targets, not yet in place. Dropped, they vanish and nothing has changed.
#[derive(Debug)]
#[must_use = "staged files vanish unless they are committed"]
pub struct Staged {
    files: Vec<(NamedTempFile, PathBuf)>,
}

/// Writes each file that differs from what is in `dir` to a temporary file beside its target. Folders are made as needed.
///
/// # Errors
/// [`TablesError::Write`] with the file that could not be written; then nothing is left behind and nothing changed.
pub fn stage<'a>(dir: &Path, files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Result<Staged, TablesError> {
    let mut staged = Staged { files: Vec::new() };
    for (name, bytes) in files {
        let target = dir.join(name);
        match fs::read(&target) {
            Ok(old) if old == bytes => continue,
            _ => {}
        }
        let file = write_beside(&target, bytes).map_err(|source| failed(&target, source, 0))?;
        staged.files.push((file, target));
    }
    Ok(staged)
}

impl Staged {
    /// The files that differ and would be replaced.
    pub fn changed(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(_, target)| target.as_path())
    }

    /// Renames every file into place. Returns how many.
    ///
    /// # Errors
    /// [`TablesError::Write`] with the file that could not be renamed and how many were before it. Each file is whole,
    /// old or new.
    pub fn commit(self) -> Result<usize, TablesError> {
        let mut replaced = 0;
        for (file, target) in self.files {
            file.persist(&target).map_err(|error| failed(&target, error.error, replaced))?;
            replaced += 1;
            // The rename itself is made durable where the folder can be opened; where not, it happens later.
            if let Some(folder) = target.parent().and_then(|folder| File::open(folder).ok()) {
                let _ = folder.sync_all();
            }
        }
        Ok(replaced)
    }
}

fn failed(path: &Path, source: io::Error, replaced: usize) -> TablesError {
    TablesError::Write { path: path.to_owned(), source, replaced }
}

fn write_beside(target: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wildcheck-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    if let Ok(old) = fs::metadata(target) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}
