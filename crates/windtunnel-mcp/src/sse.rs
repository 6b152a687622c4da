//! Server-sent events: the one kind of event that MCP sends.

use bytes::Bytes;

/// A message as an event; it has to be on one line.
pub(crate) fn event(message: &str) -> Bytes {
    Bytes::from(format!("event: message\ndata: {message}\n\n"))
}

#[cfg(test)]
mod tests {
    use windtunnel_http::SseParser;

    use super::*;

    #[test]
    fn what_is_written_is_what_is_read() {
        let events = SseParser::new(1000).push(&event("{}")).unwrap();
        assert_eq!(events.iter().map(|event| event.data.as_str()).collect::<Vec<_>>(), ["{}"]);
    }
}
