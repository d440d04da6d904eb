//! The same as `live_grid` with one pair an input: what a grid is measured against, and easier to shrink.
//!
//! Must never ask anything but loopback.
#![cfg_attr(fuzzing, no_main)]

use arbitrary::{Arbitrary, Unstructured};
use wildcheck::{generate::Pair, target::live};
use wildcheck_tables::Grid;

fn one(data: &[u8]) {
    let Ok(pair) = Pair::arbitrary(&mut Unstructured::new(data)) else { return };
    live::ask(&Grid::pair("nats", pair.pattern.bytes(), pair.subject.bytes()));
}

wildcheck::target!("live_pair", one);
