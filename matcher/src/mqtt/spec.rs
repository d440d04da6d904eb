//! The MQTT rules clause by clause, to be read beside the standard. Slow on purpose.
//!
//! Must never share code with the fast matcher or with validation: it is the second opinion.

/// Does a message with this topic name reach a subscription to this filter? See [`super::matches`].
pub fn matches(filter: &[u8], topic: &[u8]) -> bool {
    let (Some(filter), Some(topic)) = (text(filter), text(topic)) else { return false };
    // A topic name holds no wildcard character (4.7.1).
    if topic.contains(['+', '#']) {
        return false;
    }
    // Clients may not publish to $SYS… and $share…; what the server itself publishes stands under $SYS/ (4.7.2).
    if topic.starts_with("$share") || (topic.starts_with("$SYS") && topic.split('/').next() != Some("$SYS")) {
        return false;
    }
    // A shared subscription (5.0, 4.8.2): $share/NAME/FILTER.
    let filter = if filter.split('/').next() == Some("$share") {
        let mut parts = filter.splitn(3, '/').skip(1);
        match (parts.next(), parts.next()) {
            (Some(name), Some(filter)) if !name.is_empty() && !name.contains(['+', '#']) && !filter.is_empty() => {
                filter
            }
            _ => return false,
        }
    } else {
        filter
    };
    let levels = filter.split('/').count();
    for (index, level) in filter.split('/').enumerate() {
        // `+` and `#` occupy an entire level, `#` the last one (4.7.1.2, 4.7.1.3).
        if (level.contains(['+', '#']) && level.len() != 1) || (level == "#" && index + 1 != levels) {
            return false;
        }
    }
    // Topics that begin with $ are not matched by a filter that begins with a wildcard (4.7.2).
    if topic.starts_with('$') && filter.starts_with(['+', '#']) {
        return false;
    }
    let open = filter.split('/').next_back() == Some("#");
    let fixed = if open { levels - 1 } else { levels };
    let topics = topic.split('/').count();
    // `#` stands for the parent and any number of children; without it, as many levels as the filter has.
    (if open { topics >= fixed } else { topics == fixed })
        && filter.split('/').take(fixed).zip(topic.split('/')).all(|(wanted, level)| wanted == "+" || wanted == level)
}

/// 1 to 65535 bytes of UTF-8 without U+0000 (4.7.3); mosquitto also refuses control characters and non-characters
/// (1.5.4 allows that), and more than 200 slashes.
fn text(operand: &[u8]) -> Option<&str> {
    let text = core::str::from_utf8(operand).ok()?;
    let refused = |c: char| {
        c.is_control() || ('\u{fdd0}'..='\u{fdef}').contains(&c) || matches!(u32::from(c) & 0xffff, 0xfffe | 0xffff)
    };
    let fits = (1..=65535).contains(&text.len()) && text.matches('/').count() <= 200;
    (fits && !text.contains(refused)).then_some(text)
}
