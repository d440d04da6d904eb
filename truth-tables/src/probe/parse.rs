//! Text to a [`Probe`]. Must never accept a step that the runner would have to guess about: unknown words, names of
//! connections and subscriptions that no step made.

use std::collections::BTreeSet;

use super::{
    Flags, Header, Probe, ProbeError, Publish, Step,
    words::{Word, error, parts, unescape, words},
};

/// More messages, or bytes, than a probe may ask for.
const MOST: usize = 64 << 20;

impl Probe {
    /// Reads the `probe` column.
    ///
    /// # Errors
    /// The first step that is none, with what was expected.
    pub fn parse(text: &str) -> Result<Probe, ProbeError> {
        let mut probe = Probe::default();
        let mut names = Names::default();
        for (index, step) in parts(text, ';').into_iter().enumerate() {
            let words = words(step)?;
            match words.first().and_then(Word::plain) {
                Some("server") if index == 0 => {
                    for word in &words[1..] {
                        probe.server.push(setting(step, word)?);
                    }
                }
                Some("server") => return Err(error(step, "the server's settings come first")),
                Some("fence") if words.len() == 1 => probe.steps.push(Step::Fence),
                _ => probe.steps.push(names.step(step, &words)?),
            }
        }
        if probe.steps.is_empty() { Err(error(text, "a probe has at least one step")) } else { Ok(probe) }
    }

    /// The connections and the subscriptions that it makes.
    pub fn names(&self) -> (BTreeSet<&str>, BTreeSet<&str>) {
        let (mut conns, mut ids) = (BTreeSet::new(), BTreeSet::new());
        for step in &self.steps {
            match step {
                Step::Connect(name, _) => drop(conns.insert(name.as_str())),
                Step::Sub { id, .. } | Step::Request { id, .. } => drop(ids.insert(id.as_str())),
                _ => {}
            }
        }
        (conns, ids)
    }
}

/// `KEY=VALUE` of plain characters: it goes into a configuration file.
fn setting(step: &str, word: &Word) -> Result<(String, String), ProbeError> {
    let plain = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
    };
    word.plain()
        .and_then(|text| text.split_once('='))
        .filter(|(key, value)| plain(key) && plain(value))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .ok_or_else(|| error(step, "expected KEY=VALUE of letters, digits, `_`, `.` and `-`"))
}

/// What the steps so far have made.
#[derive(Default)]
struct Names {
    conns: BTreeSet<String>,
    ids: BTreeSet<(String, String)>,
}

impl Names {
    fn step(&mut self, step: &str, words: &[Word]) -> Result<Step, ProbeError> {
        let name = words.first().and_then(Word::plain).filter(|name| is_name(name));
        let Some(conn) = name.map(str::to_owned) else {
            return Err(error(step, "expected the name of a connection: letters, digits, `-` and `_`"));
        };
        let verb = words.get(1).and_then(Word::plain).unwrap_or_default();
        if verb == "connect" {
            if !self.conns.insert(conn.clone()) {
                return Err(error(step, "this connection is open already"));
            }
            return Ok(Step::Connect(conn, flags(step, &words[2..])?));
        }
        if !self.conns.contains(&conn) {
            return Err(error(step, format!("no step before opens the connection {conn}")));
        }
        let mut rest = Rest { step, words: words.get(2..).unwrap_or_default() };
        let made = match verb {
            "sub" => {
                let pattern = rest.operand("a pattern")?;
                let queue = rest.option("queue")?;
                Step::Sub { id: self.id(&conn, &mut rest)?, conn, pattern, queue }
            }
            "unsub" => {
                let id = rest.name("the name of a subscription")?;
                if !self.ids.contains(&(conn.clone(), id.clone())) {
                    return Err(error(step, format!("no step before subscribes {id} on {conn}")));
                }
                Step::Unsub { conn, id }
            }
            "pub" => {
                let subject = rest.operand("a subject")?;
                let reply = rest.option("reply")?;
                let size = rest.number("size", 0)?;
                let times = rest.number("times", 1)?;
                Step::Pub(Publish { conn, subject, reply, headers: Vec::new(), size, times })
            }
            "hpub" => {
                let subject = rest.operand("a subject")?;
                let headers = rest.headers()?;
                Step::Pub(Publish { conn, subject, reply: None, headers, size: 0, times: 1 })
            }
            "request" => {
                let subject = rest.operand("a subject")?;
                Step::Request { id: self.id(&conn, &mut rest)?, conn, subject }
            }
            "send" => {
                // The text as it stands: runs of blanks are part of what is sent.
                let text = step.split_once("send").map_or("", |(_, text)| text.strip_prefix(' ').unwrap_or(text));
                return Ok(Step::Send { bytes: unescape(step, text)?, conn });
            }
            "close" => Step::Close(conn),
            _ => return Err(error(step, "expected connect, sub, unsub, pub, hpub, request, send or close")),
        };
        rest.end()?;
        Ok(made)
    }

    fn id(&mut self, conn: &str, rest: &mut Rest<'_>) -> Result<String, ProbeError> {
        rest.keyword("as")?;
        let id = rest.name("a name for what arrives")?;
        if self.ids.iter().any(|(_, known)| *known == id) {
            return Err(error(rest.step, format!("the name {id} is taken")));
        }
        self.ids.insert((conn.to_owned(), id.clone()));
        Ok(id)
    }
}

pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

fn flags(step: &str, words: &[Word]) -> Result<Flags, ProbeError> {
    let mut flags = Flags::default();
    for word in words {
        match word.plain() {
            Some("verbose") => flags.verbose = true,
            Some("pedantic") => flags.pedantic = true,
            Some("headers") => flags.headers = true,
            Some("no_responders") => flags.no_responders = true,
            _ => return Err(error(step, "expected verbose, pedantic, headers or no_responders")),
        }
    }
    Ok(flags)
}

/// The words of a step that were not read yet.
struct Rest<'a> {
    step: &'a str,
    words: &'a [Word],
}

impl Rest<'_> {
    fn next(&mut self) -> Option<Word> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first.clone())
    }

    fn operand(&mut self, what: &str) -> Result<Vec<u8>, ProbeError> {
        self.next().map(|word| word.bytes).ok_or_else(|| error(self.step, format!("expected {what}")))
    }

    fn name(&mut self, what: &str) -> Result<String, ProbeError> {
        let word = self.next();
        let name = word.as_ref().and_then(Word::plain).filter(|name| is_name(name));
        name.map(str::to_owned).ok_or_else(|| error(self.step, format!("expected {what}")))
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), ProbeError> {
        match self.next().as_ref().and_then(Word::plain) {
            Some(word) if word == keyword => Ok(()),
            _ => Err(error(self.step, format!("expected `{keyword} NAME`"))),
        }
    }

    /// The operand after a keyword, where the keyword comes next.
    fn option(&mut self, keyword: &str) -> Result<Option<Vec<u8>>, ProbeError> {
        if self.words.first().and_then(Word::plain) != Some(keyword) {
            return Ok(None);
        }
        self.next();
        self.operand(&format!("a word after {keyword}")).map(Some)
    }

    fn number(&mut self, keyword: &str, absent: usize) -> Result<usize, ProbeError> {
        let Some(word) = self.option(keyword)? else { return Ok(absent) };
        let number = std::str::from_utf8(&word).ok().and_then(|text| text.parse().ok()).filter(|n| *n <= MOST);
        number.ok_or_else(|| error(self.step, format!("expected a number up to {MOST} after {keyword}")))
    }

    fn headers(&mut self) -> Result<Vec<Header>, ProbeError> {
        let mut headers = Vec::new();
        while let Some(word) = self.next() {
            let Some(at) = word.bytes.iter().position(|b| *b == b'=') else {
                return Err(error(self.step, "expected HEADER=VALUE"));
            };
            headers.push((word.bytes[..at].to_vec(), word.bytes[at + 1..].to_vec()));
        }
        if headers.is_empty() { Err(error(self.step, "expected HEADER=VALUE")) } else { Ok(headers) }
    }

    fn end(&self) -> Result<(), ProbeError> {
        match self.words.first() {
            None => Ok(()),
            Some(word) => {
                Err(error(self.step, format!("found \"{}\" behind the end", String::from_utf8_lossy(&word.bytes))))
            }
        }
    }
}
