//! What people see of a record, and the line they paste.

mod badges;
mod changed;
mod everything;
mod pasted;
mod rendered;
mod schema;
