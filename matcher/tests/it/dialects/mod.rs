//! The dialects beside NATS: each holds the same laws, and its own sentences.

mod laws;
mod rabbitmq;
