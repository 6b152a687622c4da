//! What is saved: the formats of traces, scores, ledger rows and events, each with its version.
//!
//! The shapes are those of the Python package `windtunnel-bench`, field for field, so that either program reads the
//! other's. Additions go into keys of their own; readers ignore keys they do not know.

pub mod ascii;
pub mod event;
pub mod evidence;
pub mod ledger;
pub mod marker;
pub mod score;
pub mod trace;
