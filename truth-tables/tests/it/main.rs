//! The tables as they are in the repository, and what broken ones are told.

mod embedded;
