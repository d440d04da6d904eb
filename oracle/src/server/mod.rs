//! Servers of our own: found or downloaded, started on loopback, ended with the run.
//!
//! Must never ask a server anything beyond "are you there": lanes do that.

pub mod cache;
pub mod child;
pub mod find;
pub mod mosquitto;
pub mod nats;
pub mod nats_mqtt;
pub mod on_port;
pub(crate) mod pip;
pub mod program;
pub mod rabbitmq;
pub mod redis;

pub use find::{Found, Reach, Search, Step, cached, find, list_releases};
pub use nats::{NatsServer, Setup};
pub use rabbitmq::Rabbitmq;
