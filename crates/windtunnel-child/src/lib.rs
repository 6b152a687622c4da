//! Child processes that die with their case
