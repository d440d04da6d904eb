//! The wire codec: any division of any bytes gives the same frames, and what it writes has no line end where none
//! belongs.
#![cfg_attr(fuzzing, no_main)]

use wildcheck_oracle::wire::{codec::Decoder, write};

fn one(data: &[u8]) {
    let Some((cut, bytes)) = data.split_first() else { return };
    let whole = frames([bytes].into_iter());
    let step = usize::from(*cut % 31) + 1;
    assert_eq!(whole, frames(bytes.chunks(step)), "cut every {step} bytes");
    let operand = &bytes[..bytes.len().min(64)];
    if write::cannot_carry(operand).is_none() {
        let mut line = Vec::new();
        write::sub(&mut line, operand, None, 7);
        assert_eq!(line.iter().filter(|b| **b == b'\n').count(), 1, "one SUB is one line");
        assert_eq!(line.split(|b| *b == b' ').count(), 3, "SUB, subject, sid");
    }
}

/// Every frame as text, and the error that ended them.
fn frames<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Vec<String> {
    let mut decoder = Decoder::new();
    let mut frames = Vec::new();
    for part in parts {
        decoder.feed(part);
        loop {
            match decoder.next_frame() {
                Ok(Some(frame)) => frames.push(format!("{frame:?}")),
                Ok(None) => break,
                Err(error) => {
                    frames.push(error.to_string());
                    return frames;
                }
            }
        }
    }
    frames
}

wildcheck::target!("wire_codec", one);
