//! The dialects beside NATS: each holds the same laws, and its own sentences.

mod across;
mod flat;
pub mod laws;
mod mqtt;
mod rabbitmq;
mod sets;
mod solace;
