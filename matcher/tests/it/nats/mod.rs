//! NATS, and the approximation beside it.

mod dialect;
mod explaining;
mod matching;
mod naive;
mod relations;
mod sets;
mod support;
mod validation;
