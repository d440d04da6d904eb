//! The door of a libFuzzer target: under `cfg(fuzzing)` libFuzzer's loop, otherwise a `main` that replays files.
//!
//! Must never start a server under libFuzzer: its process ends without dropping anything. Whoever runs the target owns
//! the server and passes its address.

pub mod live;
pub mod outcome;

use std::{ffi::OsString, fs, io, path::PathBuf, process::ExitCode};

#[cfg(fuzzing)]
pub use libfuzzer_sys;

/// A libFuzzer target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// Its binary, and its file in `fuzz_targets/`.
    pub name: &'static str,
    /// It asks a server, whose address is in [`live::SERVER`].
    pub live: bool,
}

/// Every target but [`EMPTY`].
pub const TARGETS: [Target; 6] = [
    Target { name: "matcher_spec", live: false },
    Target { name: "matcher_naive", live: false },
    Target { name: "wire_codec", live: false },
    Target { name: "table_parser", live: false },
    Target { name: "live_grid", live: true },
    Target { name: "live_pair", live: true },
];

/// What the others are measured against; finds nothing.
pub const EMPTY: Target = Target { name: "empty", live: false };

/// Replays every file named in `arguments` (folders: each file in them) and says how many there were.
///
/// The target itself panics on a disagreement that the baseline does not know; that ends the process as it does under
/// libFuzzer.
pub fn replay(name: &str, arguments: impl Iterator<Item = OsString>, one: fn(&[u8])) -> ExitCode {
    let (mut replayed, mut paths): (u64, Vec<PathBuf>) = (0, arguments.map(PathBuf::from).collect());
    if paths.is_empty() {
        eprintln!("usage: {name} FILE-OR-FOLDER...   replays inputs; `make fuzz-targets` fuzzes");
        return ExitCode::from(2);
    }
    paths.reverse();
    while let Some(path) = paths.pop() {
        let result: io::Result<()> = (|| {
            if path.is_dir() {
                for entry in fs::read_dir(&path)? {
                    paths.push(entry?.path());
                }
            } else {
                let data = fs::read(&path)?;
                eprintln!("{name}: {} ({} bytes)", path.display(), data.len());
                one(&data);
                replayed += 1;
            }
            Ok(())
        })();
        if let Err(error) = result {
            eprintln!("{name}: {}: {error}", path.display());
            return ExitCode::from(2);
        }
    }
    println!("{name}: {replayed} inputs replayed");
    ExitCode::SUCCESS
}

/// Makes a binary a libFuzzer target with a stable `main`: `wildcheck::target!(name, function)`, where `function` is a
/// `fn(&[u8])`.
#[macro_export]
macro_rules! target {
    ($name:literal, $one:path) => {
        #[cfg(fuzzing)]
        $crate::target::libfuzzer_sys::fuzz_target!(|data: &[u8]| {
            $one(data);
        });

        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            $crate::target::replay($name, std::env::args_os().skip(1), $one)
        }
    };
}
