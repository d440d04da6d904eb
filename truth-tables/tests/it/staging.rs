//! Files are written whole or not at all: a full disk and a kill leave the old ones.

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use wildcheck_tables::{Tables, TablesError, stage};

/// A folder with an old file each, and what is in it afterwards.
fn old_files() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(dir.path().join("nats")).expect("a folder");
    for name in ["causes.csv", "nats/match.csv"] {
        fs::write(dir.path().join(name), "old\n").expect("a file");
    }
    dir
}

fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(dir).expect("the folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            files.extend(contents(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            files.insert(name, fs::read(&path).expect("the file"));
        }
    }
    files
}

fn old() -> BTreeMap<String, Vec<u8>> {
    ["causes.csv", "nats/match.csv"].map(|name| (name.to_owned(), b"old\n".to_vec())).into()
}

#[test]
fn staged_files_are_not_in_place_before_the_commit_and_all_are_after_it() {
    let dir = old_files();
    let files = [("causes.csv", &b"new\n"[..]), ("nats/match.csv", b"old\n"), ("nats/observed/s@1.0.csv", b"new\n")];
    let staged = stage(dir.path(), files).expect("enough room");
    assert_eq!(staged.changed().count(), 2, "a file that does not differ is left alone");
    assert_eq!(fs::read(dir.path().join("causes.csv")).expect("the file"), b"old\n");
    assert_eq!(staged.commit().expect("renamed"), 2);
    let expected: BTreeMap<String, Vec<u8>> = files.map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).into();
    assert_eq!(contents(dir.path()), expected);
}

#[test]
fn staged_files_that_are_dropped_leave_nothing() {
    let dir = old_files();
    drop(stage(dir.path(), [("causes.csv", &b"new\n"[..])]).expect("enough room"));
    assert_eq!(contents(dir.path()), old());
}

#[test]
fn the_permissions_of_a_replaced_file_are_kept() {
    let dir = old_files();
    let path = dir.path().join("causes.csv");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
    stage(dir.path(), [("causes.csv", &b"new\n"[..])]).expect("enough room").commit().expect("renamed");
    assert_eq!(fs::metadata(&path).expect("the file").permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_file_that_cannot_be_renamed_into_place_is_told_with_how_many_were() {
    let dir = old_files();
    let staged = stage(dir.path(), [("a.csv", &b"new\n"[..]), ("b.csv", b"new\n")]).expect("enough room");
    fs::create_dir_all(dir.path().join("b.csv/in-the-way")).expect("a folder");
    let error = staged.commit().expect_err("a folder is in the way");
    assert!(matches!(&error, TablesError::Write { path, replaced: 1, .. } if path.ends_with("b.csv")), "{error}");
    assert!(error.to_string().ends_with("(1 file before it was replaced already)"), "{error}");
}

/// The names that the tests below run again in a child whose files may not grow beyond one block.
const CHILD: &str = "WILDCHECK_TEST_STAGE_IN";

/// Runs `test` again with files limited to one block; `trap` says what the signal for a larger file does.
fn limited(test: &str, trap: &str, dir: &Path) -> std::process::Output {
    let myself = std::env::current_exe().expect("this test binary");
    Command::new("sh")
        .arg("-c")
        .arg(format!("{trap} ulimit -c 0; ulimit -f 1; exec \"$0\" --exact staging::{test} --nocapture"))
        .arg(myself)
        .env(CHILD, dir)
        .output()
        .expect("a shell")
}

/// In the child: stages a small file, then one that does not fit.
fn stage_too_much(dir: &Path) -> Result<usize, TablesError> {
    let large = vec![b'x'; 1 << 16];
    stage(dir, [("causes.csv", &b"new\n"[..]), ("nats/match.csv", &large)])?.commit()
}

#[test]
fn a_full_disk_leaves_every_old_file_and_says_which_could_not_be_written() {
    if let Some(dir) = std::env::var_os(CHILD) {
        let error = stage_too_much(Path::new(&dir)).expect_err("the file is too large");
        eprintln!("told: {error}");
        return;
    }
    let dir = old_files();
    let name = "a_full_disk_leaves_every_old_file_and_says_which_could_not_be_written";
    let output = limited(name, "trap '' XFSZ;", dir.path());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    assert!(told.contains("nats/match.csv could not be written: File too large"), "{told}");
    assert_eq!(contents(dir.path()), old());
}

#[test]
fn a_kill_while_staging_leaves_every_old_file_and_the_folder_loads() {
    if let Some(dir) = std::env::var_os(CHILD) {
        let ended = stage_too_much(Path::new(&dir));
        panic!("not killed: {ended:?}");
    }
    let dir = old_files();
    let output = limited("a_kill_while_staging_leaves_every_old_file_and_the_folder_loads", "", dir.path());
    assert_eq!(output.status.code(), None, "killed by a signal");
    let mut after = contents(dir.path());
    let left: Vec<String> = after.keys().filter(|name| name.contains(".wildcheck-")).cloned().collect();
    assert!(!left.is_empty(), "the kill came while staging");
    after.retain(|name, _| !left.contains(name));
    assert_eq!(after, old());
    // What was left behind is passed over by the next reader: only the old files are told about.
    let told = Tables::load(dir.path()).expect_err("`old` is no header").to_string();
    assert!(!told.contains(".wildcheck-"), "{told}");
}
