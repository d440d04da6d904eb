//! The line that can be pasted into a POSIX shell. Must never need more than `printf` and `nc`.

use wildcheck_tables::Operand;

/// For that pair, where the dialect's protocol can be typed.
pub fn line(dialect: &str, pattern: &Operand, subject: &Operand) -> Option<String> {
    if dialect != "nats" {
        return None;
    }
    let connect = r#"CONNECT {"verbose":false,"pedantic":false}"#;
    let bytes =
        [connect.as_bytes(), b"\r\nSUB ", pattern.bytes(), b" 1\r\nPUB ", subject.bytes(), b" 2\r\nhi\r\nPING\r\n"]
            .concat();
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'%' => text.push_str("%%"),
            b'\r' => text.push_str("\\r"),
            b'\n' => text.push_str("\\n"),
            b'\\' | b'\'' => text.push_str(&format!("\\{byte:03o}")),
            0x20..=0x7e => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    Some(format!("  nats-server -a 127.0.0.1 -p 4222 &\n  printf '{text}' | nc -w1 127.0.0.1 4222"))
}
