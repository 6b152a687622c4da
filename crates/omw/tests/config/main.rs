//! Loading configs.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod faults;
mod folder;
mod layers;
mod schema;
mod warnings;
