//! The tables as they are in the repository, what broken ones are told, and how they are written.

mod broken;
mod embedded;
mod events;
mod merging;
mod probes;
mod roundtrip;
mod staging;
