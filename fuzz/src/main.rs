//! The command line. Must never decide anything: it parses, calls the library and turns the outcome into an exit code.
fn main() {}
