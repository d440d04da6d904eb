//! MQTT packets, of 5 and of 3.1.1: those we write into a buffer, those a broker sends out of bytes.
//!
//! Must never do I/O, never panic on any bytes, and never write a packet that means something else than was asked.
//! Source: MQTT 5.0 and MQTT 3.1.1, sections 2 and 3.

/// The bytes are not MQTT.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not MQTT: {0}")]
pub struct CodecError(pub &'static str);

/// What the two ends speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// MQTT 3.1.1: no properties, so no subscription identifiers; a server never says why it leaves.
    Four,
    /// MQTT 5.
    #[default]
    Five,
}

/// What a broker sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame<'a> {
    /// CONNACK with its reason code.
    ConnAck(u8),
    /// SUBACK of one filter: packet id and reason code.
    SubAck(u16, u8),
    /// PUBLISH with quality 0.
    Publish {
        /// The topic.
        topic: &'a [u8],
        /// The payload.
        payload: &'a [u8],
        /// The properties, which [`subscriptions`] reads; empty in 3.1.1.
        properties: &'a [u8],
    },
    /// PINGRESP.
    Pong,
    /// DISCONNECT with its reason code.
    Disconnect(u8),
    /// Any other packet, by its type.
    Other(u8),
}

/// The longest text that can be written: its length travels in two bytes.
pub const MAX_TEXT: usize = 65_535;

/// CONNECT with a clean session, no keep-alive and an identifier that the broker chooses.
pub fn connect(out: &mut Vec<u8>, level: Level, login: Option<(&str, &str)>) {
    let mut body = Vec::new();
    text(&mut body, b"MQTT");
    let flags = if login.is_some() { 0xc2 } else { 0x02 };
    match level {
        Level::Four => body.extend([4, flags, 0, 0]),
        Level::Five => body.extend([5, flags, 0, 0, 0]),
    }
    text(&mut body, b"");
    if let Some((user, password)) = login {
        text(&mut body, user.as_bytes());
        text(&mut body, password.as_bytes());
    }
    packet(out, 0x10, &[&body]);
}

/// SUBSCRIBE to one filter with a subscription identifier; retained messages are sent when `retained` is true. In 3.1.1
/// there is no identifier, and retained messages are always sent.
pub fn subscribe(out: &mut Vec<u8>, level: Level, packet_id: u16, subscription: u32, filter: &[u8], retained: bool) {
    let mut head = packet_id.to_be_bytes().to_vec();
    if level == Level::Four {
        text(&mut head, filter);
        head.push(0);
        return packet(out, 0x82, &[&head]);
    }
    let mut property = vec![0x0b];
    varint(&mut property, subscription as usize);
    varint(&mut head, property.len());
    head.extend(property);
    text(&mut head, filter);
    head.push(if retained { 0 } else { 0x20 });
    packet(out, 0x82, &[&head]);
}

/// PUBLISH with quality 0, not retained.
pub fn publish(out: &mut Vec<u8>, level: Level, topic: &[u8], payload: &[u8]) {
    let mut head = Vec::with_capacity(topic.len() + 3);
    text(&mut head, topic);
    if level == Level::Five {
        head.push(0);
    }
    packet(out, 0x30, &[&head, payload]);
}

/// PINGREQ.
pub fn ping(out: &mut Vec<u8>) {
    out.extend([0xc0, 0]);
}

fn packet(out: &mut Vec<u8>, kind: u8, parts: &[&[u8]]) {
    out.push(kind);
    varint(out, parts.iter().map(|part| part.len()).sum());
    parts.iter().for_each(|part| out.extend_from_slice(part));
}

/// Callers keep to [`MAX_TEXT`].
fn text(out: &mut Vec<u8>, text: &[u8]) {
    let text = &text[..text.len().min(MAX_TEXT)];
    out.extend((text.len() as u16).to_be_bytes());
    out.extend_from_slice(text);
}

fn varint(out: &mut Vec<u8>, mut number: usize) {
    loop {
        let byte = (number & 0x7f) as u8;
        number >>= 7;
        out.push(if number == 0 { byte } else { byte | 0x80 });
        if number == 0 {
            return;
        }
    }
}

/// The number and how many bytes it took; `None` where it is not complete.
fn number(bytes: &[u8]) -> Result<Option<(usize, usize)>, CodecError> {
    let mut value = 0;
    for (index, byte) in bytes.iter().take(4).enumerate() {
        value |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Ok(Some((value, index + 1)));
        }
    }
    if bytes.len() >= 4 { Err(CodecError("a length of more than four bytes")) } else { Ok(None) }
}

/// Frames out of a stream of bytes.
#[derive(Default)]
pub struct Decoder {
    level: Level,
    bytes: Vec<u8>,
    at: usize,
}

impl Decoder {
    /// Nothing received yet.
    pub fn new(level: Level) -> Decoder {
        Decoder { level, ..Decoder::default() }
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
    /// The bytes are not MQTT; nothing sensible follows.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>, CodecError> {
        let rest = &self.bytes[self.at..];
        let Some((kind, after)) = rest.split_first() else { return Ok(None) };
        let Some((length, width)) = number(after)? else { return Ok(None) };
        let Some(body) = after.get(width..width + length) else { return Ok(None) };
        self.at += 1 + width + length;
        frame(self.level, *kind, body).map(Some)
    }
}

fn frame(level: Level, kind: u8, body: &[u8]) -> Result<Frame<'_>, CodecError> {
    let short = CodecError("a packet ends too early");
    match kind >> 4 {
        2 => Ok(Frame::ConnAck(*body.get(1).ok_or(short)?)),
        3 => {
            if kind & 0x06 != 0 {
                return Err(CodecError("a quality that was not asked for"));
            }
            let (topic, rest) = split_text(body).ok_or(short)?;
            let (properties, payload) = split_properties(level, rest)?;
            Ok(Frame::Publish { topic, payload, properties })
        }
        9 => {
            let id = u16::from_be_bytes([*body.first().ok_or(short)?, *body.get(1).ok_or(short)?]);
            let (_, codes) = split_properties(level, &body[2..])?;
            match codes {
                [code] => Ok(Frame::SubAck(id, *code)),
                _ => Err(CodecError("a SUBACK of another number of filters")),
            }
        }
        13 => Ok(Frame::Pong),
        14 => Ok(Frame::Disconnect(body.first().copied().unwrap_or(0))),
        other => Ok(Frame::Other(other)),
    }
}

fn split_text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::from(u16::from_be_bytes([*bytes.first()?, *bytes.get(1)?]));
    bytes[2..].split_at_checked(length)
}

fn split_properties(level: Level, bytes: &[u8]) -> Result<(&[u8], &[u8]), CodecError> {
    if level == Level::Four {
        return Ok((&[], bytes));
    }
    let short = CodecError("properties end too early");
    let (length, width) = number(bytes)?.ok_or(short)?;
    bytes[width..].split_at_checked(length).ok_or(short)
}

/// The subscription identifiers among the properties of a PUBLISH.
///
/// # Errors
/// A property that a PUBLISH has not.
pub fn subscriptions(mut properties: &[u8]) -> Result<Vec<u32>, CodecError> {
    let short = CodecError("a property ends too early");
    let mut ids = Vec::with_capacity(1);
    while let Some((kind, rest)) = properties.split_first() {
        let skip = |count: usize| rest.get(count..).ok_or(short);
        properties = match kind {
            0x0b => {
                let (id, width) = number(rest)?.ok_or(short)?;
                ids.push(id as u32);
                &rest[width..]
            }
            0x01 => skip(1)?,
            0x23 => skip(2)?,
            0x02 => skip(4)?,
            0x03 | 0x08 | 0x09 => split_text(rest).ok_or(short)?.1,
            0x26 => split_text(rest).and_then(|(_, rest)| split_text(rest)).ok_or(short)?.1,
            _ => return Err(CodecError("a property that a PUBLISH has not")),
        };
    }
    Ok(ids)
}

/// A reason code in words, as section 2.4 has them, for the codes that refuse an operand.
pub fn reason(code: u8) -> String {
    let name = match code {
        0x80 => "Unspecified error",
        0x81 => "Malformed Packet",
        0x82 => "Protocol Error",
        0x83 => "Implementation specific error",
        0x87 => "Not authorized",
        0x8f => "Topic Filter invalid",
        0x90 => "Topic Name invalid",
        0x95 => "Packet too large",
        0x97 => "Quota exceeded",
        0x9e => "Shared Subscriptions not supported",
        0xa1 => "Subscription Identifiers not supported",
        0xa2 => "Wildcard Subscriptions not supported",
        _ => "",
    };
    format!("0x{code:02x} {name}").trim_end().to_owned()
}

#[cfg(test)]
mod tests;
