//! Reading server-sent events, however their bytes are cut.

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// One event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SseEvent {
    /// The lines of its data, joined.
    pub data: String,
    /// Where a stream that breaks off can be taken up again.
    pub id: Option<String>,
    /// Milliseconds to wait before connecting again.
    pub retry: Option<u64>,
}

/// Takes bytes as they come and gives events as they are complete. Comments and fields without a meaning here are skipped.
///
/// ```
/// let mut parser = windtunnel_http::SseParser::new(1024);
/// assert_eq!(parser.push(b": ping\n\ndata: on")?, []);
/// assert_eq!(parser.push(b"e\r\n\r\n")?[0].data, "one");
/// # Ok::<(), windtunnel_http::TooLong>(())
/// ```
#[derive(Debug)]
pub struct SseParser {
    line: Vec<u8>,
    event: SseEvent,
    has_data: bool,
    after_cr: bool,
    is_first_line: bool,
    limit: usize,
}

/// An event was longer than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event is too long")]
pub struct TooLong;

impl SseParser {
    /// Events of at most this many bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            line: Vec::new(),
            event: SseEvent::default(),
            has_data: false,
            after_cr: false,
            is_first_line: true,
            limit,
        }
    }

    /// The events that these bytes complete.
    ///
    /// # Errors
    /// An event is longer than the limit; the stream cannot be read on.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, TooLong> {
        let mut events = Vec::new();
        for part in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            let (text, end) = match part.split_last() {
                Some((end @ (b'\n' | b'\r'), text)) => (text, Some(*end)),
                _ => (part, None),
            };
            let second_half = std::mem::take(&mut self.after_cr) && text.is_empty() && end == Some(b'\n');
            if second_half {
                continue;
            }
            self.line.extend_from_slice(text);
            if self.line.len() + self.event.data.len() > self.limit {
                return Err(TooLong);
            }
            if let Some(end) = end {
                self.after_cr = end == b'\r';
                events.extend(self.end_of_line());
            }
        }
        Ok(events)
    }

    fn end_of_line(&mut self) -> Option<SseEvent> {
        let line = std::mem::take(&mut self.line);
        let is_first = std::mem::take(&mut self.is_first_line);
        let line = if is_first { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line) } else { &line };
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            let complete = std::mem::take(&mut self.has_data) || event.id.is_some() || event.retry.is_some();
            return complete.then_some(event);
        }
        let line = String::from_utf8_lossy(line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            "id" => self.event.id = Some(value.to_owned()),
            "retry" => self.event.retry = value.parse().ok(),
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "\u{feff}id: 7\r\n: hi\r\nretry: 20\r\n\r\nevent: message\ndata: {\"a\":\ndata: 1}\n\n: ping\n\ndata:x\r\r";

    #[test]
    fn events_are_found_however_the_bytes_are_cut() {
        let expected = [
            SseEvent { data: String::new(), id: Some("7".to_owned()), retry: Some(20) },
            SseEvent { data: "{\"a\":\n1}".to_owned(), ..SseEvent::default() },
            SseEvent { data: "x".to_owned(), ..SseEvent::default() },
        ];
        for size in [1, 2, 3, 7, 1000] {
            let mut parser = SseParser::new(1000);
            let events: Vec<_> =
                STREAM.as_bytes().chunks(size).flat_map(|chunk| parser.push(chunk).unwrap()).collect();
            assert_eq!(events, expected, "cut every {size} bytes");
        }
    }

    #[test]
    fn an_event_over_the_limit_is_refused() {
        assert_eq!(SseParser::new(4).push(b"data: 12345"), Err(TooLong));
    }
}
