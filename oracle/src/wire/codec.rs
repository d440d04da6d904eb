//! The NATS client protocol as a server speaks it: bytes in, frames out.
//!
//! Must never do I/O, never panic whatever the bytes are, and never know what a subject means.

/// The longest line of a server that is still read (an INFO with many cluster addresses is the longest there is).
pub const MAX_LINE: usize = 1 << 20;
/// The longest payload, headers included, that is still read. A server's own limit is 1 MiB unless configured, 64 MiB
/// at most.
pub const MAX_PAYLOAD: usize = 64 << 20;

/// One thing a server said. The slices live in the decoder until its next call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame<'a> {
    /// The JSON after `INFO `.
    Info(&'a [u8]),
    /// `MSG subject sid [reply] #bytes`, without headers.
    Msg(Msg<'a>),
    /// `HMSG subject sid [reply] #header-bytes #total-bytes`.
    HMsg {
        /// All but the headers.
        msg: Msg<'a>,
        /// The header block, `NATS/1.0` line and closing empty line included.
        headers: &'a [u8],
    },
    /// `PING`: to be answered.
    Ping,
    /// `PONG`: the answer to a `PING`, and the fence behind everything asked before it.
    Pong,
    /// `+OK`: only in verbose mode.
    Ok,
    /// `-ERR '…'`: the words without the quotes.
    Err(&'a [u8]),
}

/// A delivered message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Msg<'a> {
    /// As published.
    pub subject: &'a [u8],
    /// The subscription it was delivered to, as named in `SUB`.
    pub sid: &'a [u8],
    /// The reply subject.
    pub reply: Option<&'a [u8]>,
    /// The payload without headers.
    pub payload: &'a [u8],
}

/// What a server must not say. After an error the decoder stays at the offending line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CodecError {
    /// An unknown verb.
    #[error("unknown line `{0}`")]
    Verb(String),
    /// A known verb with wrong arguments.
    #[error("malformed line `{0}`")]
    Malformed(String),
    /// A line or payload beyond the limits.
    #[error("{0} bytes are more than is read in one go")]
    TooLong(usize),
    /// No line end behind a payload.
    #[error("no line end behind a payload of {0} bytes")]
    Unterminated(usize),
}

/// An incremental decoder. Any division of the same bytes into `feed`s gives the same frames.
#[derive(Debug, Default)]
pub struct Decoder {
    buffer: Vec<u8>,
    /// The first byte not yet handed out.
    start: usize,
    /// Up to here no line end was found (saves looking twice).
    scanned: usize,
}

/// Where a frame's parts lie in the buffer.
struct Line {
    /// Without the line end.
    end: usize,
    /// Behind the line end.
    next: usize,
}

impl Decoder {
    /// An empty one.
    pub fn new() -> Decoder {
        Decoder::default()
    }

    /// Takes bytes as they came from the socket.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned = self.scanned.saturating_sub(self.start);
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// How many bytes wait for the rest of their frame.
    pub fn pending(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// The next whole frame, if the bytes for it are there.
    ///
    /// # Errors
    /// [`CodecError`]: these bytes are not the protocol.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>, CodecError> {
        Ok(self.next_raw()?.map(|(frame, _)| frame))
    }

    /// As [`Decoder::next_frame`], with the bytes the frame was made of.
    ///
    /// # Errors
    /// As [`Decoder::next_frame`].
    pub fn next_raw(&mut self) -> Result<Option<(Frame<'_>, &[u8])>, CodecError> {
        let Some(line) = self.line()? else { return Ok(None) };
        let start = self.start;
        // The first byte tells MSG and HMSG, which are all but a few of the frames.
        match self.buffer[start..line.end].first() {
            Some(b'M' | b'm') => return self.message(line, false),
            Some(b'H' | b'h') => return self.message(line, true),
            _ => {}
        }
        let text = &self.buffer[start..line.end];
        let (verb, rest) = split_verb(text);
        let is = |name: &[u8]| verb.eq_ignore_ascii_case(name);
        let frame = if is(b"+OK") {
            Frame::Ok
        } else if is(b"-ERR") {
            Frame::Err(unquote(rest))
        } else if is(b"PING") {
            Frame::Ping
        } else if is(b"PONG") {
            Frame::Pong
        } else if is(b"INFO") {
            Frame::Info(trim(rest))
        } else {
            return Err(CodecError::Verb(shown(text)));
        };
        self.start = line.next;
        self.scanned = line.next;
        Ok(Some((frame, &self.buffer[start..line.next])))
    }

    /// The line at `start`, if it is whole.
    fn line(&mut self) -> Result<Option<Line>, CodecError> {
        let from = self.scanned.max(self.start);
        let Some(at) = self.buffer[from..].iter().position(|&b| b == b'\n') else {
            self.scanned = self.buffer.len();
            let length = self.pending();
            return if length > MAX_LINE { Err(CodecError::TooLong(length)) } else { Ok(None) };
        };
        let newline = from + at;
        // A frame whose payload is still missing is looked at again: its line end is found at once.
        self.scanned = newline;
        let length = newline - self.start;
        if length > MAX_LINE {
            return Err(CodecError::TooLong(length));
        }
        let end = if length > 0 && self.buffer[newline - 1] == b'\r' { newline - 1 } else { newline };
        Ok(Some(Line { end, next: newline + 1 }))
    }

    fn message(&mut self, line: Line, with_headers: bool) -> Result<Option<(Frame<'_>, &[u8])>, CodecError> {
        let start = self.start;
        let text = &self.buffer[start..line.end];
        let malformed = || CodecError::Malformed(shown(text));
        let mut words = text.split(|&b| b == b' ' || b == b'\t').filter(|w| !w.is_empty());
        let verb = words.next().ok_or_else(malformed)?;
        if !verb.eq_ignore_ascii_case(if with_headers { b"HMSG" } else { b"MSG" }) {
            return Err(CodecError::Verb(shown(text)));
        }
        let mut next = || words.next();
        let subject = next().ok_or_else(malformed)?;
        let sid = next().ok_or_else(malformed)?;
        let third = next().ok_or_else(malformed)?;
        let (fourth, fifth, sixth) = (next(), next(), next());
        let (reply, header_length, total) = match (with_headers, fourth, fifth, sixth) {
            (false, None, None, None) => (None, 0, number(third)),
            (false, Some(size), None, None) => (Some(third), 0, number(size)),
            (true, Some(total), None, None) => (None, number(third).ok_or_else(malformed)?, number(total)),
            (true, Some(headers), Some(total), None) => {
                (Some(third), number(headers).ok_or_else(malformed)?, number(total))
            }
            _ => return Err(malformed()),
        };
        let total = total.ok_or_else(malformed)?;
        if header_length > total {
            return Err(malformed());
        }
        if total > MAX_PAYLOAD {
            return Err(CodecError::TooLong(total));
        }
        let payload_end = line.next + total;
        let end = match self.buffer.get(payload_end..) {
            None | Some([] | [b'\r']) => return Ok(None),
            Some([b'\r', b'\n', ..]) => payload_end + 2,
            Some([b'\n', ..]) => payload_end + 1,
            Some(_) => return Err(CodecError::Unterminated(total)),
        };
        let payload = &self.buffer[line.next + header_length..payload_end];
        let msg = Msg { subject, sid, reply, payload };
        let frame = if with_headers {
            Frame::HMsg { msg, headers: &self.buffer[line.next..line.next + header_length] }
        } else {
            Frame::Msg(msg)
        };
        self.start = end;
        self.scanned = end;
        Ok(Some((frame, &self.buffer[start..end])))
    }
}

/// Decimal digits, nothing else, at most nine.
pub fn number(digits: &[u8]) -> Option<usize> {
    if digits.is_empty() || digits.len() > 9 {
        return None;
    }
    digits.iter().try_fold(0, |n: usize, &b| b.is_ascii_digit().then(|| n * 10 + usize::from(b - b'0')))
}

fn split_verb(text: &[u8]) -> (&[u8], &[u8]) {
    match text.iter().position(|&b| b == b' ' || b == b'\t') {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &[]),
    }
}

fn trim(text: &[u8]) -> &[u8] {
    text.trim_ascii()
}

fn unquote(text: &[u8]) -> &[u8] {
    let text = trim(text);
    match text {
        [b'\'', inner @ .., b'\''] => inner,
        _ => text,
    }
}

fn shown(text: &[u8]) -> String {
    wildcheck_tables::cell::escape(&text[..text.len().min(120)])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The frames and the error, as text; `cuts` says how many bytes each feed takes, in turn.
    fn read(bytes: &[u8], cuts: &[usize]) -> (Vec<String>, Option<CodecError>) {
        let mut decoder = Decoder::new();
        let mut frames = Vec::new();
        let mut rest = bytes;
        let mut turn = 0;
        loop {
            loop {
                match decoder.next_frame() {
                    Ok(Some(frame)) => frames.push(format!("{frame:?}")),
                    Ok(None) => break,
                    Err(error) => return (frames, Some(error)),
                }
            }
            if rest.is_empty() {
                return (frames, None);
            }
            let size = cuts.get(turn % cuts.len().max(1)).copied().unwrap_or(usize::MAX).clamp(1, rest.len());
            turn += 1;
            decoder.feed(&rest[..size]);
            rest = &rest[size..];
        }
    }

    fn word() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(any::<u8>().prop_filter("not a blank", |b| !b" \t\r\n".contains(b)), 1..8)
    }

    fn frame_bytes() -> impl Strategy<Value = Vec<u8>> {
        let payload = prop::collection::vec(any::<u8>(), 0..20);
        prop_oneof![
            Just(b"PING\r\n".to_vec()),
            Just(b"PONG\r\n".to_vec()),
            Just(b"+OK\r\n".to_vec()),
            Just(b"-ERR 'Invalid Subject'\r\n".to_vec()),
            Just(b"INFO {\"version\":\"2.15.1\"} \r\n".to_vec()),
            (word(), 1u32..999, prop::option::of(word()), payload.clone()).prop_map(
                |(subject, sid, reply, payload)| {
                    let mut bytes = [b"MSG ", &subject[..], b" ", sid.to_string().as_bytes(), b" "].concat();
                    if let Some(reply) = reply {
                        bytes.extend([&reply[..], b" "].concat());
                    }
                    bytes.extend([payload.len().to_string().as_bytes(), b"\r\n", &payload, b"\r\n"].concat());
                    bytes
                }
            ),
            (word(), 1u32..999, payload).prop_map(|(subject, sid, payload)| {
                let headers = b"NATS/1.0\r\nA: b\r\n\r\n";
                let line = format!(" {sid} {} {}\r\n", headers.len(), headers.len() + payload.len());
                [b"HMSG ", &subject[..], line.as_bytes(), headers, &payload, b"\r\n"].concat()
            }),
        ]
    }

    proptest! {
        #[test]
        fn any_division_of_the_bytes_gives_the_same_frames(
            frames in prop::collection::vec(frame_bytes(), 0..8),
            cuts in prop::collection::vec(1usize..9, 1..9),
        ) {
            let bytes = frames.concat();
            let whole = read(&bytes, &[]);
            prop_assert_eq!(whole.1.clone(), None);
            prop_assert_eq!(whole.0.len(), frames.len());
            prop_assert_eq!(read(&bytes, &cuts), whole);
        }

        #[test]
        fn no_bytes_make_it_panic_or_depend_on_the_division(
            bytes in prop::collection::vec(prop_oneof![
                any::<u8>(),
                prop::sample::select(b"MSGHPINO+K-ERR 019\r\n".to_vec()),
            ], 0..80),
            cuts in prop::collection::vec(1usize..9, 1..9),
        ) {
            let whole = read(&bytes, &[]);
            let cut = read(&bytes, &cuts);
            prop_assert_eq!(&cut.0, &whole.0);
            prop_assert_eq!(cut.1.is_some(), whole.1.is_some());
        }

        #[test]
        fn the_raw_bytes_of_the_frames_are_the_bytes_that_came(frames in prop::collection::vec(frame_bytes(), 0..8)) {
            let bytes = frames.concat();
            let mut decoder = Decoder::new();
            decoder.feed(&bytes);
            let mut seen = Vec::new();
            while let Some((_, raw)) = decoder.next_raw().unwrap() {
                seen.extend_from_slice(raw);
            }
            prop_assert_eq!(seen, bytes);
        }
    }

    #[test]
    fn a_message_is_taken_apart() {
        let mut decoder = Decoder::new();
        decoder.feed(b"MSG a.b 17 r.1 5\r\nhel\nX\r\n-ERR 'no'\r\n");
        let msg = Msg { subject: b"a.b", sid: b"17", reply: Some(b"r.1"), payload: b"hel\nX" };
        assert_eq!(decoder.next_frame(), Ok(Some(Frame::Msg(msg))));
        assert_eq!(decoder.next_frame(), Ok(Some(Frame::Err(b"no"))));
        assert_eq!(decoder.next_frame(), Ok(None));
        assert_eq!(decoder.pending(), 0);
    }

    #[test]
    fn an_endless_line_and_an_oversized_payload_are_refused() {
        let mut decoder = Decoder::new();
        decoder.feed(&vec![b'x'; MAX_LINE + 1]);
        assert_eq!(decoder.next_frame(), Err(CodecError::TooLong(MAX_LINE + 1)));
        let mut decoder = Decoder::new();
        decoder.feed(b"MSG a 1 999999999\r\n");
        assert_eq!(decoder.next_frame(), Err(CodecError::TooLong(999_999_999)));
        let mut decoder = Decoder::new();
        decoder.feed(b"MSG a 1 99999999999999999999\r\n");
        assert!(matches!(decoder.next_frame(), Err(CodecError::Malformed(_))));
    }
}
