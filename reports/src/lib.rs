//! One run record in, a report out. Must never ask an oracle or decide a verdict: it tells what the record holds.

pub mod diff;
pub mod error;
pub mod format;
pub mod render;
pub mod shell;
pub mod summary;

pub use diff::Difference;
pub use error::ReportError;
pub use format::Format;
pub use render::render;
pub use summary::Summary;
