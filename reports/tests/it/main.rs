//! What people see of a record, and the line they paste.

mod pasted;
mod rendered;
