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
    "flat/clauses.csv"
    "flat/match.csv"
    "flat/relations.csv"
    "flat/validation.csv"
    "mqtt/claims.csv"
    "mqtt/clauses.csv"
    "mqtt/match.csv"
    "mqtt/observed/mosquitto@2.0.11.csv"
    "mqtt/relations.csv"
    "mqtt/validation.csv"
    "nats/claims.csv"
    "nats/clauses.csv"
    "nats/match.csv"
    "nats/relations.csv"
    "nats/validation.csv"
    "rabbitmq-2.2/clauses.csv"
    "rabbitmq-2.2/match.csv"
    "rabbitmq-2.2/relations.csv"
    "rabbitmq-2.2/validation.csv"
    "rabbitmq/claims.csv"
    "rabbitmq/clauses.csv"
    "rabbitmq/match.csv"
    "rabbitmq/relations.csv"
    "rabbitmq/validation.csv"
    "solace/claims.csv"
    "solace/clauses.csv"
    "solace/match.csv"
    "solace/relations.csv"
    "solace/validation.csv"
};
