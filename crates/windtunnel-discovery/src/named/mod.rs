//! Files that are tests by their name alone, with the base files that they inherit.
//!
//! [`NamingRule`] says which names those are, [`PathFilter`] which of the files are wanted, [`find`] looks for them.

mod error;
mod filter;
mod find;
mod rule;

pub use error::FindError;
pub use filter::PathFilter;
pub use find::{NamedFile, find};
pub use rule::NamingRule;
