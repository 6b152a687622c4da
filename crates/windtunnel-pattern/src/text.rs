//! Values and patterns as short text. The work is bounded by what is shown, not by the size of the value.

use std::fmt::{self, Write as _};

use serde_json::Value;

/// Characters of one string value that are shown before it is cut.
const STRING_LIMIT: usize = 80;

/// The value as compact JSON of at most `limit` characters. Long strings inside it are cut one by one, so that what
/// follows them still shows; what does not fit is replaced by `…`.
///
/// ```
/// let value = serde_json::json!({"role": "user", "content": "x".repeat(5000)});
/// let text = windtunnel_pattern::excerpt(&value, 200);
/// assert!(text.starts_with(r#"{"role":"user","content":"xxx"#));
/// assert!(text.ends_with(r#"xxx"…(+4920 bytes)}"#));
/// ```
pub fn excerpt(value: &Value, limit: usize) -> String {
    clip(limit, Compact(value))
}

/// What `shown` displays, cut to `limit` characters. Displaying stops where the limit is reached.
pub(crate) fn clip(limit: usize, shown: impl fmt::Display) -> String {
    let mut clipped = Clipped { text: String::new(), left: limit };
    if write!(clipped, "{shown}").is_err() {
        clipped.text.push('…');
    }
    clipped.text
}

/// A string as a JSON string literal.
pub(crate) fn quoted(text: &str) -> String {
    // Serialising a string to a string cannot fail.
    serde_json::to_string(text).unwrap_or_default()
}

struct Clipped {
    text: String,
    left: usize,
}

impl fmt::Write for Clipped {
    fn write_str(&mut self, written: &str) -> fmt::Result {
        let (kept, whole) = prefix(written, self.left);
        self.text.push_str(kept);
        if !whole {
            return Err(fmt::Error);
        }
        self.left -= kept.chars().count();
        Ok(())
    }
}

/// The first `limit` characters, and whether they are all of them.
fn prefix(text: &str, limit: usize) -> (&str, bool) {
    match text.char_indices().nth(limit) {
        Some((end, _)) => (text.get(..end).unwrap_or_default(), false),
        None => (text, true),
    }
}

/// JSON in one line, each long string cut.
struct Compact<'v>(&'v Value);

impl fmt::Display for Compact<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::String(text) => match prefix(text, STRING_LIMIT) {
                (_, true) => write!(f, "{}", quoted(text)),
                (kept, false) => write!(f, "{}…(+{} bytes)", quoted(kept), text.len() - kept.len()),
            },
            Value::Array(items) => {
                f.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{}", if index == 0 { "" } else { "," }, Compact(item))?;
                }
                f.write_char(']')
            }
            Value::Object(members) => {
                f.write_char('{')?;
                for (index, (key, value)) in members.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma}{}:{}", quoted(prefix(key, STRING_LIMIT).0), Compact(value))?;
                }
                f.write_char('}')
            }
            plain => write!(f, "{plain}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn short_values_are_shown_as_json() {
        let value = json!({"a": [1, 2.5, null], "b": {"c": "q\"\n"}, "d": true});
        assert_eq!(excerpt(&value, 200), value.to_string());
    }

    #[test]
    fn text_of_exactly_the_limit_is_not_cut() {
        assert_eq!(excerpt(&json!([1, 2, 3]), 7), "[1,2,3]");
        assert_eq!(excerpt(&json!([1, 2, 3]), 6), "[1,2,3…");
        assert_eq!(excerpt(&json!("äöü"), 3), "\"äö…");
    }

    #[test]
    fn a_long_string_does_not_hide_what_follows_it() {
        let value = json!({"content": "ä".repeat(100), "role": "user"});
        let text = excerpt(&value, 200);
        assert!(text.contains("\"…(+40 bytes)"), "{text}");
        assert!(text.ends_with(r#""role":"user"}"#), "{text}");
    }

    #[test]
    fn depth_costs_no_more_than_the_limit() {
        let mut deep = json!(1);
        for _ in 0..100_000 {
            deep = Value::Array(vec![deep]);
        }
        assert_eq!(excerpt(&deep, 10), format!("{}…", "[".repeat(10)));
        // Dropping it would recurse through all of it.
        std::mem::forget(deep);
    }
}
