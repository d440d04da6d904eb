//! The tables as they were when this was built: one list of files, held to the folder by a test.
//!
//! Must never hold a row of its own.

macro_rules! files {
    ($($file:literal)+) => {
        &[$(($file, include_bytes!(concat!("../", $file)).as_slice())),+]
    };
}

/// Every table by its name below the tables' folder, with its bytes. A new table is a new line here.
pub(crate) static FILES: &[(&str, &[u8])] = files! {
    "baseline.csv"
    "causes.csv"
    "nats/clauses.csv"
    "nats/match.csv"
    "nats/relations.csv"
    "nats/validation.csv"
};
