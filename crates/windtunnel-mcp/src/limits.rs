//! How much a recorder takes before it says no.

const MIB: usize = 1024 * 1024;

/// How much a recorder takes before it says no.
///
/// Not among them, because it cannot be chosen: arguments nested deeper than 127 levels are refused, and a result nested
/// deeper makes the log unavailable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecorderLimits {
    /// Bytes of one message in either direction. A longer one is refused.
    pub message_bytes: usize,
    /// Bytes that may wait for a peer that does not read. Beyond, its connection is closed.
    pub queued_bytes: usize,
    /// Agent connections to one server at a time.
    pub connections: usize,
    /// Requests of one session that may wait for their answers at a time.
    pub pending_requests: usize,
    /// Witnessed calls kept between two resets. Beyond, the log is unavailable rather than cut.
    pub logged_calls: usize,
    /// Bytes of arguments and results kept between two resets. Beyond, the log is unavailable rather than cut.
    pub logged_bytes: usize,
}

impl Default for RecorderLimits {
    fn default() -> Self {
        Self {
            message_bytes: 32 * MIB,
            queued_bytes: 128 * MIB,
            connections: 256,
            pending_requests: 10_000,
            logged_calls: 10_000,
            logged_bytes: 128 * MIB,
        }
    }
}
