//! The `command` runtime over real processes.

#![cfg(unix)]

mod leftovers;
mod reference;
mod sessions;
mod settings;
mod support;
mod tools;
mod turns;
