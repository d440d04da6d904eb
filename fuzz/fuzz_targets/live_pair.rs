//! Does nothing: what a libFuzzer loop costs by itself, the measure for the other targets.
#![cfg_attr(fuzzing, no_main)]

fn one(data: &[u8]) {
    std::hint::black_box(data);
}

wildcheck::target!("live_pair", one);
