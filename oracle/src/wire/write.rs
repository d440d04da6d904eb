//! The NATS client protocol as a client speaks it: commands into a byte buffer.
//!
//! Must never do I/O. Operands are written as they are: who calls has made sure that [`cannot_carry`] is silent,
//! unless breaking the line is the question.

/// Why an operand cannot be put on the wire at all, or `None`. It is the same for `SUB` and `PUB`: arguments are
/// separated by blanks, so that an operand with a blank in it would be another question.
pub fn cannot_carry(operand: &[u8]) -> Option<&'static str> {
    if operand.is_empty() {
        return Some("an empty operand is no argument on the wire");
    }
    operand.iter().find_map(|byte| match byte {
        b' ' => Some("a space ends the argument on the wire"),
        b'\t' => Some("a tab ends the argument on the wire"),
        b'\r' | b'\n' => Some("a line end ends the command on the wire"),
        _ => None,
    })
}

/// What `CONNECT` says. Everything is said on purpose: a server without it is verbose and pedantic.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Connect {
    /// Each command is answered by `+OK` or `-ERR`.
    pub verbose: bool,
    /// Subjects of publishes are checked.
    pub pedantic: bool,
    /// `no_responders`.
    pub no_responders: bool,
    /// User name and password.
    pub user: Option<(String, String)>,
    /// A token instead.
    pub token: Option<String>,
}

/// `CONNECT {…}`, with `echo` and `headers` on.
pub fn connect(out: &mut Vec<u8>, options: &Connect) {
    let mut json = serde_json::json!({
        "verbose": options.verbose,
        "pedantic": options.pedantic,
        "tls_required": false,
        "name": "wildcheck",
        "lang": "rust",
        "version": env!("CARGO_PKG_VERSION"),
        "protocol": 1,
        "echo": true,
        "headers": true,
        "no_responders": options.no_responders,
    });
    if let Some((user, password)) = &options.user {
        json["user"] = user.as_str().into();
        json["pass"] = password.as_str().into();
    }
    if let Some(token) = &options.token {
        json["auth_token"] = token.as_str().into();
    }
    out.extend_from_slice(b"CONNECT ");
    out.extend_from_slice(json.to_string().as_bytes());
    out.extend_from_slice(b"\r\n");
}

/// Decimal digits of `n`.
pub fn digits(out: &mut Vec<u8>, mut n: u64) {
    let mut text = [0u8; 20];
    let mut at = text.len();
    loop {
        at -= 1;
        text[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    out.extend_from_slice(&text[at..]);
}

/// `SUB pattern [queue] sid`.
pub fn sub(out: &mut Vec<u8>, pattern: &[u8], queue: Option<&[u8]>, sid: u64) {
    out.extend_from_slice(b"SUB ");
    out.extend_from_slice(pattern);
    out.push(b' ');
    if let Some(queue) = queue {
        out.extend_from_slice(queue);
        out.push(b' ');
    }
    digits(out, sid);
    out.extend_from_slice(b"\r\n");
}

/// `UNSUB sid`.
pub fn unsub(out: &mut Vec<u8>, sid: u64) {
    out.extend_from_slice(b"UNSUB ");
    digits(out, sid);
    out.extend_from_slice(b"\r\n");
}

/// `PUB subject [reply] #bytes` and the payload.
pub fn publish(out: &mut Vec<u8>, subject: &[u8], reply: Option<&[u8]>, payload: &[u8]) {
    out.extend_from_slice(b"PUB ");
    head(out, subject, reply);
    digits(out, payload.len() as u64);
    body(out, &[], payload);
}

/// `HPUB subject [reply] #header-bytes #total-bytes`, the headers (`NATS/1.0` line and closing empty line included)
/// and the payload.
pub fn publish_with_headers(out: &mut Vec<u8>, subject: &[u8], reply: Option<&[u8]>, headers: &[u8], payload: &[u8]) {
    out.extend_from_slice(b"HPUB ");
    head(out, subject, reply);
    digits(out, headers.len() as u64);
    out.push(b' ');
    digits(out, (headers.len() + payload.len()) as u64);
    body(out, headers, payload);
}

fn head(out: &mut Vec<u8>, subject: &[u8], reply: Option<&[u8]>) {
    out.extend_from_slice(subject);
    out.push(b' ');
    if let Some(reply) = reply {
        out.extend_from_slice(reply);
        out.push(b' ');
    }
}

fn body(out: &mut Vec<u8>, headers: &[u8], payload: &[u8]) {
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(headers);
    out.extend_from_slice(payload);
    out.extend_from_slice(b"\r\n");
}

/// `PING`: the fence.
pub fn ping(out: &mut Vec<u8>) {
    out.extend_from_slice(b"PING\r\n");
}

/// `PONG`: the answer to a server's `PING`.
pub fn pong(out: &mut Vec<u8>) {
    out.extend_from_slice(b"PONG\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_read_as_the_protocol_has_them() {
        let mut out = Vec::new();
        sub(&mut out, b"a.*", None, 17);
        sub(&mut out, b"a.>", Some(b"q"), 0);
        unsub(&mut out, 17);
        publish(&mut out, b"a.b", None, b"hello");
        publish(&mut out, b"a.b", Some(b"r"), b"");
        publish_with_headers(&mut out, b"a", None, b"NATS/1.0\r\n\r\n", b"x");
        ping(&mut out);
        pong(&mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "SUB a.* 17\r\nSUB a.> q 0\r\nUNSUB 17\r\nPUB a.b 5\r\nhello\r\nPUB a.b r 0\r\n\r\n\
             HPUB a 12 13\r\nNATS/1.0\r\n\r\nx\r\nPING\r\nPONG\r\n"
        );
    }

    #[test]
    fn connect_says_verbose_and_pedantic_on_purpose() {
        let mut out = Vec::new();
        connect(&mut out, &Connect { token: Some("t\"".to_owned()), ..Connect::default() });
        let text = String::from_utf8(out).unwrap();
        let json: serde_json::Value = serde_json::from_str(text.strip_prefix("CONNECT ").unwrap()).unwrap();
        for (key, value) in [("verbose", false), ("pedantic", false), ("echo", true), ("headers", true)] {
            assert_eq!(json[key], value, "{key}");
        }
        assert_eq!(json["auth_token"], "t\"");
    }

    #[test]
    fn only_blanks_line_ends_and_nothing_cannot_be_carried() {
        for byte in 0..=u8::MAX {
            assert_eq!(cannot_carry(&[b'a', byte]).is_some(), b" \t\r\n".contains(&byte), "byte {byte}");
        }
        assert!(cannot_carry(b"").is_some());
    }
}
