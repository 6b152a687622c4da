//! The shipped hooks, each over a real folder: what it lets through, and what exactly it reports of what it does not.

#![expect(clippy::unwrap_used, reason = "what fails outside of a test function fails the test")]

mod await_inner_loops;
mod classify_feedback;
mod enforces_boundaries_from;
mod lint_artifacts;
mod outbound;
mod parameters;
mod parsing;
mod phase_selection;
mod record_feedback;
mod registered;
mod validate_artifacts;
#[cfg(unix)]
mod verify_tests;
mod world;
