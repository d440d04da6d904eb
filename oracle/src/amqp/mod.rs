//! The wire lane of RabbitMQ: AMQP 0-9-1, our own codec over one socket, one exclusive queue a pattern.
//!
//! Must never touch an exchange or a queue that is not its own.

pub mod codec;
pub mod write;
