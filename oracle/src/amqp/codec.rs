//! AMQP 0-9-1 out of bytes: the frames that a broker sends, as far as a lane needs to tell them apart.
//!
//! Must never do I/O and never panic on any bytes. What we send is written by [`super::write`].
//! Source: AMQP 0-9-1, sections 2.3.5 and 4.2, and the field types of RabbitMQ's errata.

/// The bytes are not AMQP 0-9-1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not AMQP 0-9-1: {0}")]
pub struct CodecError(pub &'static str);

/// What a broker sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame<'a> {
    /// connection.start with the table of the server's properties, which [`property`] reads.
    Start(&'a [u8]),
    /// connection.tune: the most channels, the greatest frame, the heartbeat.
    Tune(u16, u32, u16),
    /// connection.open-ok.
    Opened,
    /// connection.blocked with the reason: what is published is not read for now.
    Blocked(&'a [u8]),
    /// connection.close: the reply code and its text.
    ConnectionClose(u16, &'a [u8]),
    /// channel.close: the reply code and its text.
    ChannelClose(u16, &'a [u8]),
    /// A method that says no more than that a request was done.
    Done(Request),
    /// basic.deliver: the consumer's tag. A header and the body follow.
    Deliver(&'a [u8]),
    /// Part of the body of what was delivered last.
    Body(&'a [u8]),
    /// Any other frame.
    Other,
}

/// A request whose answer has no content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    /// channel.open
    Channel,
    /// exchange.declare
    Exchange,
    /// exchange.delete
    ExchangeDelete,
    /// queue.bind
    Bind,
    /// queue.unbind
    Unbind,
    /// basic.qos
    Qos,
}

/// A header of seven bytes stands before the payload, one byte behind it.
const HEAD: usize = 7;
pub(super) const END: u8 = 0xce;
/// Nobody negotiates frames as great as this.
const GREATEST: usize = 1 << 24;

/// Frames out of a stream of bytes.
#[derive(Default)]
pub struct Decoder {
    bytes: Vec<u8>,
    at: usize,
}

impl Decoder {
    /// Nothing received yet.
    pub fn new() -> Decoder {
        Decoder::default()
    }

    /// Takes what was received.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.at);
        self.at = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole frame; `None` until more is fed.
    ///
    /// # Errors
    /// The bytes are not AMQP 0-9-1; nothing sensible follows.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>, CodecError> {
        let rest = &self.bytes[self.at..];
        let Some((head, after)) = rest.split_at_checked(HEAD) else { return Ok(None) };
        if head.starts_with(b"AMQP") {
            return Err(CodecError("the broker speaks another version"));
        }
        let length = u32::from_be_bytes([head[3], head[4], head[5], head[6]]) as usize;
        if length > GREATEST {
            return Err(CodecError("a frame of more than was agreed"));
        }
        let Some(end) = after.get(length) else { return Ok(None) };
        if *end != END {
            return Err(CodecError("a frame without its end"));
        }
        let payload = &after[..length];
        self.at += HEAD + length + 1;
        match head[0] {
            1 => method(payload).map(Some),
            3 => Ok(Some(Frame::Body(payload))),
            2 | 8 => Ok(Some(Frame::Other)),
            _ => Err(CodecError("a frame of no known type")),
        }
    }
}

fn method(payload: &[u8]) -> Result<Frame<'_>, CodecError> {
    let mut from = Reader(payload);
    let id = (from.short()?, from.short()?);
    Ok(match id {
        (10, 10) => {
            from.take(2)?;
            Frame::Start(from.long_text()?)
        }
        (10, 30) => Frame::Tune(from.short()?, from.long()?, from.short()?),
        (10, 41) => Frame::Opened,
        (10, 50) => Frame::ConnectionClose(from.short()?, from.short_text()?),
        (10, 60) => Frame::Blocked(from.short_text()?),
        (20, 40) => Frame::ChannelClose(from.short()?, from.short_text()?),
        (20, 11) => Frame::Done(Request::Channel),
        (40, 11) => Frame::Done(Request::Exchange),
        (40, 21) => Frame::Done(Request::ExchangeDelete),
        (50, 21) => Frame::Done(Request::Bind),
        (50, 51) => Frame::Done(Request::Unbind),
        (60, 11) => Frame::Done(Request::Qos),
        (60, 60) => Frame::Deliver(from.short_text()?),
        _ => Frame::Other,
    })
}

/// The text under that name in a table of properties; `None` where there is none, or another kind of value.
///
/// # Errors
/// The table is broken before that place.
pub fn property<'a>(table: &'a [u8], name: &str) -> Result<Option<&'a [u8]>, CodecError> {
    let mut from = Reader(table);
    while !from.0.is_empty() {
        let found = from.short_text()?;
        let kind = from.take(1)?[0];
        let text = match kind {
            // Tables and arrays say their length in bytes, as texts do.
            b'S' | b'x' | b'F' | b'A' => from.long_text()?,
            b't' | b'b' | b'B' => from.take(1)?,
            b's' | b'u' => from.take(2)?,
            b'I' | b'i' | b'f' => from.take(4)?,
            b'D' => from.take(5)?,
            b'l' | b'L' | b'd' | b'T' => from.take(8)?,
            b'V' => from.take(0)?,
            _ => return Err(CodecError("a value of no known type")),
        };
        if found == name.as_bytes() {
            return Ok((kind == b'S').then_some(text));
        }
    }
    Ok(None)
}

/// What is left of a payload.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], CodecError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(CodecError("a frame ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }
    fn short(&mut self) -> Result<u16, CodecError> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }
    fn long(&mut self) -> Result<u32, CodecError> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }
    fn short_text(&mut self) -> Result<&'a [u8], CodecError> {
        let length = usize::from(self.take(1)?[0]);
        self.take(length)
    }
    fn long_text(&mut self) -> Result<&'a [u8], CodecError> {
        let length = self.long()? as usize;
        self.take(length)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn frame(kind: u8, payload: &[u8]) -> Vec<u8> {
        let length = (payload.len() as u32).to_be_bytes();
        [&[kind, 0, 1][..], &length, payload, &[END]].concat()
    }

    #[test]
    fn a_delivery_is_a_method_a_header_and_a_body() {
        let deliver = frame(1, b"\0\x3c\0\x3c\x0212\0\0\0\0\0\0\0\x01\0\x01x\x03a.b");
        let header = frame(2, b"\0\x3c\0\0\0\0\0\0\0\0\0\x02\0\0");
        let mut decoder = Decoder::new();
        decoder.feed(&[deliver, header, frame(3, b"xy"), frame(8, b"")].concat());
        assert_eq!(decoder.next_frame(), Ok(Some(Frame::Deliver(b"12"))));
        assert_eq!(decoder.next_frame(), Ok(Some(Frame::Other)));
        assert_eq!(decoder.next_frame(), Ok(Some(Frame::Body(b"xy"))));
        assert_eq!(decoder.next_frame(), Ok(Some(Frame::Other)));
        assert_eq!(decoder.next_frame(), Ok(None));
    }

    #[test]
    fn a_close_says_why_and_a_table_who_it_is() {
        let mut decoder = Decoder::new();
        decoder.feed(&frame(1, b"\0\x0a\0\x32\x01\xf5\x0bFRAME_ERROR\0\x32\0\x14"));
        assert_eq!(decoder.next_frame(), Ok(Some(Frame::ConnectionClose(501, b"FRAME_ERROR"))));
        let inner = b"\x01at\x01";
        let mut table = b"\x01cF\0\0\0\x04".to_vec();
        table.extend_from_slice(inner);
        table.extend_from_slice(b"\x07versionS\0\0\0\x063.10.8");
        assert_eq!(property(&table, "version"), Ok(Some(&b"3.10.8"[..])));
        assert_eq!(property(&table, "c"), Ok(None), "a table is no text");
        assert_eq!(property(&table, "product"), Ok(None));
        let start = [b"\0\x0a\0\x0a\0\x09", &(table.len() as u32).to_be_bytes()[..], &table].concat();
        decoder.feed(&frame(1, &start));
        assert_eq!(decoder.next_frame(), Ok(Some(Frame::Start(&table))));
    }

    #[test]
    fn what_is_no_frame_is_told() {
        let why = |bytes: &[u8]| {
            let mut decoder = Decoder::new();
            decoder.feed(bytes);
            decoder.next_frame().unwrap_err().0
        };
        assert_eq!(why(b"AMQP\0\0\x09\x01"), "the broker speaks another version");
        assert_eq!(why(b"\x01\0\0\0\0\0\x01ab"), "a frame without its end");
        assert_eq!(why(b"\x01\0\0\xff\0\0\0"), "a frame of more than was agreed");
        assert_eq!(why(&frame(5, b"")), "a frame of no known type");
        assert_eq!(why(&frame(1, b"\0\x0a\0")), "a frame ends too early");
        assert_eq!(property(b"\x01aZ", "b"), Err(CodecError("a value of no known type")));
    }

    proptest! {
        #[test]
        fn any_bytes_in_any_pieces_are_frames_or_an_error_and_no_panic(
            kind in 0_u8..10, payload in prop::collection::vec(any::<u8>(), 0..60), tail in any::<[u8; 9]>(),
            cut in 0_usize..90,
        ) {
            let bytes = [frame(kind, &payload), tail.to_vec()].concat();
            let whole = frames(&[&bytes]);
            let (left, right) = bytes.split_at(cut.min(bytes.len()));
            prop_assert_eq!(whole, frames(&[left, right]));
        }

        #[test]
        fn any_method_with_any_arguments_is_read_or_refused(
            class in prop::sample::select(vec![10_u8, 20, 40, 50, 60]), id in 0_u8..80,
            arguments in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let payload = [&[0, class, 0, id][..], &arguments].concat();
            let told = frames(&[&frame(1, &payload)]);
            prop_assert_eq!(told.len(), 1);
        }
    }

    fn frames(pieces: &[&[u8]]) -> Vec<String> {
        let mut decoder = Decoder::new();
        let mut seen = Vec::new();
        for piece in pieces {
            decoder.feed(piece);
            loop {
                match decoder.next_frame() {
                    Ok(Some(frame)) => {
                        if let Frame::Start(table) = frame {
                            let _ = property(table, "version");
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
}
