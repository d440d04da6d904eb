//! What the codec writes and reads. Must never ask a broker.

use proptest::prelude::*;

use super::*;

#[test]
fn packets_are_as_the_standard_writes_them() {
    let mut out = Vec::new();
    subscribe(&mut out, Level::Five, 10, 300, b"a/b", false);
    assert_eq!(out, b"\x82\x0c\x00\x0a\x03\x0b\xac\x02\x00\x03a/b\x20");
    out.clear();
    publish(&mut out, Level::Five, b"a", b"xy");
    assert_eq!(out, b"\x30\x06\x00\x01a\x00xy");
    out.clear();
    connect(&mut out, Level::Five, None);
    assert_eq!(out, b"\x10\x0d\x00\x04MQTT\x05\x02\x00\x00\x00\x00\x00");
}

#[test]
fn packets_of_the_older_standard_have_no_properties() {
    let mut out = Vec::new();
    subscribe(&mut out, Level::Four, 10, 300, b"a/b", false);
    assert_eq!(out, b"\x82\x08\x00\x0a\x00\x03a/b\x00");
    out.clear();
    publish(&mut out, Level::Four, b"a", b"xy");
    assert_eq!(out, b"\x30\x05\x00\x01axy");
    out.clear();
    connect(&mut out, Level::Four, None);
    assert_eq!(out, b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x00\x00\x00");
    let mut decoder = Decoder::new(Level::Four);
    decoder.feed(b"\x30\x05\x00\x01axy\x90\x03\x00\x0a\x80");
    let published = Frame::Publish { topic: b"a", payload: b"xy", properties: b"" };
    assert_eq!(decoder.next_frame(), Ok(Some(published)));
    assert_eq!(decoder.next_frame(), Ok(Some(Frame::SubAck(10, 0x80))));
}

#[test]
fn a_publication_names_every_subscription_it_was_sent_for() {
    let mut decoder = Decoder::new(Level::Five);
    decoder.feed(b"\x30\x0c\x00\x01a\x06\x0b\x01\x01\x01\x0b\x02xy\xd0\x00\xe0\x01\x81");
    let Frame::Publish { topic, payload, properties } = decoder.next_frame().unwrap().unwrap() else { panic!() };
    assert_eq!((topic, payload), (&b"a"[..], &b"xy"[..]));
    assert_eq!(subscriptions(properties).unwrap(), [1, 2]);
    assert_eq!(decoder.next_frame(), Ok(Some(Frame::Pong)));
    assert_eq!(decoder.next_frame(), Ok(Some(Frame::Disconnect(0x81))));
    assert_eq!(decoder.next_frame(), Ok(None));
}

proptest! {
    #[test]
    fn any_bytes_in_any_pieces_are_frames_or_an_error_and_no_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0_usize..200,
    ) {
        let (left, right) = bytes.split_at(cut.min(bytes.len()));
        for level in [Level::Four, Level::Five] {
            prop_assert_eq!(frames(level, &[&bytes]), frames(level, &[left, right]));
        }
    }
}

fn frames(level: Level, pieces: &[&[u8]]) -> Vec<String> {
    let mut decoder = Decoder::new(level);
    let mut seen = Vec::new();
    for piece in pieces {
        decoder.feed(piece);
        loop {
            match decoder.next_frame() {
                Ok(Some(frame)) => {
                    if let Frame::Publish { properties, .. } = frame {
                        let _ = subscriptions(properties);
                    }
                    seen.push(format!("{frame:?}"));
                }
                Ok(None) => break,
                Err(error) => return [seen, vec![error.to_string()]].concat(),
            }
        }
    }
    seen
}
