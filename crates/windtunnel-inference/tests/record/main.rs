//! Recording in front of a provider that a test plays.

mod canaries;
mod passing;
mod session;
mod upstream;
