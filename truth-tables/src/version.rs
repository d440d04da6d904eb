//! Versions of servers as numbers between dots, and ranges of them. Must never know a server.

use std::{cmp::Ordering, fmt, str::FromStr};

/// A released version: numbers between dots (`2.9.10`). Missing parts count as zero: `2.10` equals `2.10.0`.
#[derive(Clone, Debug)]
pub struct Version {
    text: String,
    parts: Vec<u32>,
}

/// Why a text is not a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a version such as 2.9.10: numbers between dots")]
pub struct VersionError;

impl FromStr for Version {
    type Err = VersionError;

    /// # Errors
    /// Anything but one to four numbers between dots, without leading zeros, blanks or a `v`.
    fn from_str(text: &str) -> Result<Version, VersionError> {
        let number = |part: &str| {
            let plain = part.bytes().all(|b| b.is_ascii_digit()) && (part == "0" || !part.starts_with('0'));
            part.parse::<u32>().ok().filter(|_| plain).ok_or(VersionError)
        };
        let parts = text.split('.').map(number).collect::<Result<Vec<u32>, VersionError>>()?;
        if parts.len() > 4 { Err(VersionError) } else { Ok(Version { text: text.to_owned(), parts }) }
    }
}

impl Version {
    fn significant(&self) -> &[u32] {
        let end = self.parts.iter().rposition(|part| *part != 0).map_or(0, |last| last + 1);
        &self.parts[..end]
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        self.significant() == other.significant()
    }
}

impl Eq for Version {}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        self.significant().cmp(other.significant())
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Is `version` in the range of a row's `since` and `until` columns, both ends included, an empty end open?
/// A text that is not a version is in every range and bounds none: it cannot be placed.
pub fn in_range(since: &str, until: &str, version: &str) -> bool {
    let Ok(version) = version.parse::<Version>() else { return true };
    let lower = since.parse::<Version>().map_or(true, |since| since <= version);
    let upper = until.parse::<Version>().map_or(true, |until| version <= until);
    lower && upper
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().expect("a version")
    }

    #[test]
    fn versions_compare_as_numbers_not_as_text() {
        assert!(version("2.9.10") < version("2.10.0"));
        assert!(version("2.12.3") > version("2.12"));
        assert_eq!(version("2.12"), version("2.12.0"));
        assert_eq!(version("2.9.10").to_string(), "2.9.10");
    }

    #[test]
    fn what_is_not_numbers_between_dots_is_no_version() {
        for text in
            ["", "v2.1", "2..1", "2.1.", ".2", "2.x", "2.01", "2.1.0-rc1", " 2.1", "1.2.3.4.5", "99999999999", "+1"]
        {
            assert_eq!(text.parse::<Version>().err(), Some(VersionError), "{text}");
        }
    }

    #[test]
    fn a_range_holds_both_its_ends_and_an_empty_end_is_open() {
        assert!(in_range("2.9.10", "2.12.3", "2.9.10") && in_range("2.9.10", "2.12.3", "2.12.3"));
        assert!(!in_range("2.9.10", "2.12.3", "2.12.4") && !in_range("2.9.10", "", "2.9.9"));
        assert!(in_range("", "", "2.15.1"));
    }
}
