//! The committed tables: clean, canonical, and all of them built in.

use std::path::Path;

use wildcheck_tables::{Tables, review};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_committed_tables_have_no_problem() {
    if let Err(error) = Tables::load(folder()) {
        panic!("{error}");
    }
}

#[test]
fn what_is_built_in_is_what_the_folder_holds() {
    let embedded = Tables::embedded().expect("clean tables");
    let loaded = Tables::load(folder()).expect("clean tables");
    let names = |tables: &Tables| tables.render().into_keys().collect::<Vec<_>>();
    assert_eq!(names(&embedded), names(&loaded), "a table is missing in (or too much in) truth-tables/src/embed.rs");
    assert!(embedded == loaded);
}

#[test]
fn tables_rendered_are_the_files_byte_for_byte() {
    for (name, bytes) in Tables::load(folder()).expect("clean tables").render() {
        let file = std::fs::read(folder().join(&name)).expect("the file that was loaded");
        assert_eq!(String::from_utf8_lossy(&file), String::from_utf8_lossy(&bytes), "{name}");
    }
}

#[test]
fn no_committed_row_contradicts_the_reference() {
    let findings = review(&Tables::embedded().expect("clean tables"));
    let told: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", told.join("\n"));
}
