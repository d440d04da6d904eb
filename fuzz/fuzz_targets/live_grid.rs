//! The matcher against a live nats-server, a grid an input: stops at a cause that the baseline does not know.
//!
//! Must never ask anything but loopback.
#![cfg_attr(fuzzing, no_main)]

use arbitrary::Unstructured;
use wildcheck::{generate::grid_from_bytes, target::live};
use wildcheck_matcher::nats::Nats;

/// So many patterns and as many subjects at most.
const MOST: usize = 64;

fn one(data: &[u8]) {
    live::ask(&grid_from_bytes(&Nats, &mut Unstructured::new(data), MOST));
}

wildcheck::target!("live_grid", one);
