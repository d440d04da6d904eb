//! AMQP 0-9-1 into bytes: what a lane says to a broker, appended to a buffer.
//!
//! Must never do I/O, and never write a frame that means something else than was asked: names, keys and texts are short
//! strings, and callers keep to [`MAX_TEXT`]. Everything is on channel 1 but the connection's own methods.

use super::codec::END;

/// The longest short string: its length travels in one byte.
pub const MAX_TEXT: usize = 255;

/// The eight bytes that open a connection.
pub const PROTOCOL: &[u8] = b"AMQP\0\0\x09\x01";

const CHANNEL: u16 = 1;
/// An empty table of arguments.
const NO_ARGUMENTS: [u8; 4] = [0; 4];

/// connection.start-ok by PLAIN. We say that we understand why a login is refused and that publishing is blocked.
pub fn login(out: &mut Vec<u8>, user: &str, password: &str) {
    let mut capabilities = Vec::new();
    for name in ["authentication_failure_close", "connection.blocked"] {
        short(&mut capabilities, name.as_bytes());
        capabilities.extend(*b"t\x01");
    }
    let mut properties = Vec::new();
    short(&mut properties, b"product");
    properties.push(b'S');
    long(&mut properties, b"wildcheck");
    short(&mut properties, b"capabilities");
    properties.push(b'F');
    long(&mut properties, &capabilities);
    method(out, 0, (10, 11), |out| {
        long(out, &properties);
        short(out, b"PLAIN");
        long(out, format!("\0{user}\0{password}").as_bytes());
        short(out, b"en_US");
    });
}

/// connection.tune-ok and connection.open: the broker's own limits on channels and frames, no heartbeat.
pub fn open(out: &mut Vec<u8>, channels: u16, greatest: u32, vhost: &str) {
    method(out, 0, (10, 31), |out| {
        out.extend(channels.to_be_bytes());
        out.extend(greatest.to_be_bytes());
        out.extend([0, 0]);
    });
    method(out, 0, (10, 40), |out| {
        short(out, vhost.as_bytes());
        out.extend([0, 0]);
    });
}

/// connection.close, as one who is done.
pub fn close(out: &mut Vec<u8>) {
    method(out, 0, (10, 50), |out| {
        out.extend(200_u16.to_be_bytes());
        short(out, b"done");
        out.extend([0; 4]);
    });
}

/// connection.close-ok.
pub fn close_ok(out: &mut Vec<u8>) {
    method(out, 0, (10, 51), |_| {});
}

/// channel.open.
pub fn channel(out: &mut Vec<u8>) {
    method(out, CHANNEL, (20, 10), |out| out.push(0));
}

/// channel.close-ok.
pub fn channel_close_ok(out: &mut Vec<u8>) {
    method(out, CHANNEL, (20, 41), |_| {});
}

/// exchange.declare of a topic exchange that goes with its last binding; not answered.
pub fn topic_exchange(out: &mut Vec<u8>, name: &[u8]) {
    method(out, CHANNEL, (40, 10), |out| {
        out.extend([0, 0]);
        short(out, name);
        short(out, b"topic");
        // auto-delete, no-wait
        out.push(0b1_0100);
        out.extend(NO_ARGUMENTS);
    });
}

/// queue.declare of a queue that goes with this connection; not answered.
pub fn queue(out: &mut Vec<u8>, name: &[u8]) {
    method(out, CHANNEL, (50, 10), |out| {
        out.extend([0, 0]);
        short(out, name);
        // exclusive, no-wait
        out.push(0b1_0100);
        out.extend(NO_ARGUMENTS);
    });
}

/// queue.bind; answered.
pub fn bind(out: &mut Vec<u8>, queue: &[u8], exchange: &[u8], key: &[u8]) {
    method(out, CHANNEL, (50, 20), |out| {
        out.extend([0, 0]);
        [queue, exchange, key].iter().for_each(|text| short(out, text));
        out.push(0);
        out.extend(NO_ARGUMENTS);
    });
}

/// queue.unbind; answered.
pub fn unbind(out: &mut Vec<u8>, queue: &[u8], exchange: &[u8], key: &[u8]) {
    method(out, CHANNEL, (50, 50), |out| {
        out.extend([0, 0]);
        [queue, exchange, key].iter().for_each(|text| short(out, text));
        out.extend(NO_ARGUMENTS);
    });
}

/// basic.consume without acknowledgements; not answered.
pub fn consume(out: &mut Vec<u8>, queue: &[u8], tag: &[u8]) {
    method(out, CHANNEL, (60, 20), |out| {
        out.extend([0, 0]);
        short(out, queue);
        short(out, tag);
        // no-ack, exclusive, no-wait
        out.push(0b1110);
        out.extend(NO_ARGUMENTS);
    });
}

/// basic.publish, the content's header and its body, which fits in one frame.
pub fn publish(out: &mut Vec<u8>, exchange: &[u8], key: &[u8], body: &[u8]) {
    method(out, CHANNEL, (60, 40), |out| {
        out.extend([0, 0]);
        short(out, exchange);
        short(out, key);
        out.push(0);
    });
    frame(out, 2, CHANNEL, |out| {
        out.extend([0, 60, 0, 0]);
        out.extend((body.len() as u64).to_be_bytes());
        out.extend([0, 0]);
    });
    // Where the header says that there is no body, a frame of it is one too many.
    if !body.is_empty() {
        frame(out, 3, CHANNEL, |out| out.extend_from_slice(body));
    }
}

/// basic.qos that limits nothing: its answer says that everything before it on the channel was done.
pub fn ping(out: &mut Vec<u8>) {
    method(out, CHANNEL, (60, 10), |out| out.extend([0; 7]));
}

fn method(out: &mut Vec<u8>, channel: u16, id: (u16, u16), arguments: impl FnOnce(&mut Vec<u8>)) {
    frame(out, 1, channel, |out| {
        out.extend(id.0.to_be_bytes());
        out.extend(id.1.to_be_bytes());
        arguments(out);
    });
}

fn frame(out: &mut Vec<u8>, kind: u8, channel: u16, payload: impl FnOnce(&mut Vec<u8>)) {
    out.push(kind);
    out.extend(channel.to_be_bytes());
    let length = out.len();
    out.extend([0; 4]);
    payload(out);
    let written = (out.len() - length - 4) as u32;
    out[length..length + 4].copy_from_slice(&written.to_be_bytes());
    out.push(END);
}

fn short(out: &mut Vec<u8>, text: &[u8]) {
    let text = &text[..text.len().min(MAX_TEXT)];
    out.push(text.len() as u8);
    out.extend_from_slice(text);
}

fn long(out: &mut Vec<u8>, text: &[u8]) {
    out.extend((text.len() as u32).to_be_bytes());
    out.extend_from_slice(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut out = Vec::new();
        write(&mut out);
        out
    }

    #[test]
    fn frames_are_as_the_standard_writes_them() {
        assert_eq!(written(channel), b"\x01\0\x01\0\0\0\x05\0\x14\0\x0a\0\xce");
        assert_eq!(
            written(|out| bind(out, b"q", b"x", b"a.#")),
            b"\x01\0\x01\0\0\0\x13\0\x32\0\x14\0\0\x01q\x01x\x03a.#\0\0\0\0\0\xce"
        );
        assert_eq!(
            written(|out| publish(out, b"x", b"a", b"hi")),
            b"\x01\0\x01\0\0\0\x0b\0\x3c\0\x28\0\0\x01x\x01a\0\xce\
              \x02\0\x01\0\0\0\x0e\0\x3c\0\0\0\0\0\0\0\0\0\x02\0\0\xce\
              \x03\0\x01\0\0\0\x02hi\xce"
        );
        assert_eq!(written(|out| queue(out, b"q")), b"\x01\0\x01\0\0\0\x0d\0\x32\0\x0a\0\0\x01q\x14\0\0\0\0\xce");
    }

    #[test]
    fn a_frame_of_ours_is_a_frame_of_the_codec() {
        use crate::amqp::codec::{Decoder, Frame};
        let long = vec![b'a'; MAX_TEXT];
        let mut decoder = Decoder::new();
        decoder.feed(&written(|out| {
            login(out, "guest", "guest");
            open(out, 0, 4096, "/");
            topic_exchange(out, b"x");
            queue(out, &long);
            bind(out, &long, b"x", &long);
            unbind(out, b"q", b"x", b"");
            consume(out, b"q", b"0");
            publish(out, b"x", &long, b"body");
            ping(out);
            close_ok(out);
            channel_close_ok(out);
            close(out);
        }));
        let mut bodies = 0;
        let mut last = None;
        for _ in 0..15 {
            let frame = decoder.next_frame().unwrap().expect("fifteen frames");
            bodies += usize::from(frame == Frame::Body(b"body"));
            last = Some(format!("{frame:?}"));
        }
        assert_eq!((bodies, decoder.next_frame()), (1, Ok(None)));
        assert_eq!(last.unwrap(), "ConnectionClose(200, [100, 111, 110, 101])");
    }
}
