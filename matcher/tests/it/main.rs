//! Everything the matcher crate promises, seen from outside.

mod dialects;
mod nats;
