//! Black-box tests of the public interface.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a helper that cannot go on fails the test")]

mod decode;
mod enums;
mod limits;
mod properties;
mod read;
mod report;
mod shapes;
mod values;
mod words;
