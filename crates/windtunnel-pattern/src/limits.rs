//! How large a pattern may be.

/// Levels of JSON below the root of a pattern or list.
pub const MAX_DEPTH: usize = 64;

/// JSON values in one pattern or list, literals under `$eq` included.
pub const MAX_VALUES: usize = 10_000;

/// Bytes of one regular expression.
pub const MAX_REGEX_LEN: usize = 8 * 1024;

/// Bytes that one compiled regular expression may take.
pub const MAX_REGEX_SIZE: usize = 1024 * 1024;
