//! Scenario folders as cases of the case runner.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod cases;
mod folder;
mod stored;
