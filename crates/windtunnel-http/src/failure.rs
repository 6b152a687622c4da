//! What an answer says that is an error.

use serde_json::Value;

/// The message of an error's body in any of the usual shapes, else its text.
///
/// ```
/// assert_eq!(windtunnel_http::error_message(br#"{"error": {"message": "no such model"}}"#), "no such model");
/// ```
pub fn error_message(body: &[u8]) -> String {
    let parsed: Option<Value> = serde_json::from_slice(body).ok();
    let message = parsed.as_ref().and_then(|value| {
        let error = value.get("error").unwrap_or(value);
        error.as_str().or_else(|| error.get("message")?.as_str())
    });
    let text = message.map_or_else(|| String::from_utf8_lossy(body).trim().to_owned(), str::to_owned);
    if text.is_empty() { "no message".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_messages_are_found_in_every_usual_shape() {
        for (body, message) in [
            (r#"{"error": {"message": "no such model"}}"#, "no such model"),
            (r#"{"error": "overloaded"}"#, "overloaded"),
            (r#"{"message": "nope"}"#, "nope"),
            ("<h1>Bad gateway</h1>", "<h1>Bad gateway</h1>"),
            ("", "no message"),
        ] {
            assert_eq!(error_message(body.as_bytes()), message);
        }
    }
}
