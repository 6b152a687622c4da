//! The score layers as pure functions over a trace
