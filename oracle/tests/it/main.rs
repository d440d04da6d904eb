//! The oracles against real programs and real servers.

mod adapters;
mod amqp;
mod amqp_death;
mod built;
mod configured;
mod death;
mod image;
mod lanes;
mod laws;
mod mosquitto;
mod mqtt_besides;
mod recorded;
mod redis;
mod support;
