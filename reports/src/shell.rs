//! The line that can be pasted into a POSIX shell to see a pair on a real server. Must never start anything that the
//! line does not show, and must never need more than `printf`, `nc` and the server.

use std::fmt::Write as _;

/// The port in the line: below the range from which systems take the ports of outgoing connections.
pub const PORT: u16 = 14222;

/// The dialect's default mode in one line: it starts a server, subscribes to `pattern`, publishes to `subject`, shows
/// what the server says (a `MSG` line where the two meet) and ends the server. `None` where [`line_on`] has a reason.
pub fn line(dialect: &str, pattern: &[u8], subject: &[u8]) -> Option<String> {
    line_on(dialect, "wire", pattern, subject, PORT).ok()
}

/// As [`line`], on a lane (`wire` or `wire-pedantic`) and a port of the caller's choice.
///
/// # Errors
/// Why there is no line, as a lower-case fragment.
pub fn line_on(dialect: &str, lane: &str, pattern: &[u8], subject: &[u8], port: u16) -> Result<String, String> {
    if dialect != "nats" {
        return Err(format!("the protocol of {dialect} cannot be typed into a shell"));
    }
    let pedantic = match lane {
        "wire" => false,
        "wire-pedantic" => true,
        other => return Err(format!("the lane {other} is not one that a shell can speak")),
    };
    expressible("pattern", pattern)?;
    expressible("subject", subject)?;
    let connect = format!(r#"CONNECT {{"verbose":false,"pedantic":{pedantic}}}"#);
    let said = [connect.as_bytes(), b"\r\nSUB ", pattern, b" 1\r\nPUB ", subject, b" 1\r\nx\r\nPING\r\n"].concat();
    let said = format(&said);
    Ok(format!("nats-server -a 127.0.0.1 -p {port} & sleep 1; printf '{said}' | nc -w1 127.0.0.1 {port}; kill $!"))
}

/// What a NATS line can carry: something, and none of the bytes that end an argument.
fn expressible(what: &str, operand: &[u8]) -> Result<(), String> {
    if operand.is_empty() {
        return Err(format!("the {what} is empty, and a protocol line has no way to name that"));
    }
    match operand.iter().find(|byte| b" \t\r\n".contains(byte)) {
        Some(byte) => {
            let name = match byte {
                b' ' => "a blank",
                b'\t' => "a tab",
                b'\r' => "a carriage return",
                _ => "a line feed",
            };
            Err(format!("the {what} holds {name}, which ends an argument of a protocol line"))
        }
        None => Ok(()),
    }
}

/// Bytes as the format of `printf` between single quotes: plain ones stay, the rest is octal.
fn format(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 16);
    for &byte in bytes {
        match byte {
            b'\r' => text.push_str("\\r"),
            b'\n' => text.push_str("\\n"),
            b'%' | b'\'' | b'\\' | b'!' => push_octal(&mut text, byte),
            0x20..=0x7e => text.push(char::from(byte)),
            _ => push_octal(&mut text, byte),
        }
    }
    text
}

fn push_octal(text: &mut String, byte: u8) {
    let _ = write!(text, "\\{byte:03o}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_the_server_the_words_and_the_end() {
        assert_eq!(
            line("nats", b"a.*", b"a.b").as_deref(),
            Some(
                "nats-server -a 127.0.0.1 -p 14222 & sleep 1; printf 'CONNECT {\"verbose\":false,\"pedantic\":false}\\r\\n\
                 SUB a.* 1\\r\\nPUB a.b 1\\r\\nx\\r\\nPING\\r\\n' | nc -w1 127.0.0.1 14222; kill $!"
            )
        );
    }

    #[test]
    fn bytes_that_a_shell_or_printf_would_read_are_octal() {
        assert_eq!(format(b"%'\\!\x00\xff\x7f$`\""), r#"\045\047\134\041\000\377\177$`""#);
    }

    #[test]
    fn what_a_protocol_line_cannot_carry_has_no_line_and_a_reason() {
        for (pattern, subject, reason) in [
            (&b""[..], &b"a"[..], "the pattern is empty, and a protocol line has no way to name that"),
            (b"a", b"", "the subject is empty, and a protocol line has no way to name that"),
            (b"a b", b"a", "the pattern holds a blank, which ends an argument of a protocol line"),
            (b"a", b"a\tb", "the subject holds a tab, which ends an argument of a protocol line"),
            (b"a", b"a\r", "the subject holds a carriage return, which ends an argument of a protocol line"),
            (b"a\n", b"a", "the pattern holds a line feed, which ends an argument of a protocol line"),
        ] {
            assert_eq!(line_on("nats", "wire", pattern, subject, PORT), Err(reason.to_owned()));
            assert_eq!(line("nats", pattern, subject), None);
        }
    }

    #[test]
    fn other_dialects_and_lanes_have_no_line() {
        assert_eq!(line("mqtt", b"a", b"a"), None);
        assert!(line_on("nats", "client", b"a", b"a", PORT).is_err());
    }
}
