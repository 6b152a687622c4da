//! Scenario folders: what is refused, what is played, and what is said of what is not as expected.

mod doubles;
mod errors;
mod expectations;
mod hostile;
mod kit;
mod malformed;
mod paths;
mod plays;
mod resume;
mod worlds;
