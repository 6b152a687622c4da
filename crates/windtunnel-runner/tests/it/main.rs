//! Scenarios and suites over a platform whose every step is written down, with real files and a real store.

mod order;
mod platform;
mod selftest;
mod sweep;
