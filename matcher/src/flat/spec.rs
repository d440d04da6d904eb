//! The flat rules clause by clause. Slow on purpose.
//!
//! Must never share code with the fast matcher or with validation: it is the second opinion.

/// Is this the name that was subscribed to? See [`super::matches`].
pub fn matches(name: &[u8], subject: &[u8]) -> bool {
    if name.is_empty() || name.len() > 249 {
        return false;
    }
    // What stands between dots (NATS, RabbitMQ) and between slashes (MQTT, Solace).
    for separator in *b"./" {
        for token in name.split(|b| *b == separator) {
            if [&b"*"[..], b">", b"#", b"+"].contains(&token) {
                return false;
            }
        }
    }
    // Solace reads a `*` at the end of a level as "begins with".
    if name.split(|b| *b == b'/').any(|level| level.ends_with(b"*")) {
        return false;
    }
    name.iter().eq(subject)
}
