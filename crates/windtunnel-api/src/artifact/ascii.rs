//! JSON text in ASCII, for the artifacts whose readers expect it.

use std::fmt::Write as _;

/// JSON text with every character beyond ASCII written as `\uXXXX`, in UTF-16 pairs where one unit is not enough.
///
/// In JSON such characters stand only inside strings, so the escaped text means the same.
///
/// ```
/// # use windtunnel_api::artifact::ascii::escape_json;
/// assert_eq!(escape_json(r#"{"é": "😀"}"#.into()), r#"{"\u00e9": "\ud83d\ude00"}"#);
/// ```
pub fn escape_json(json: String) -> String {
    if json.is_ascii() {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + json.len() / 4);
    for c in json.chars() {
        if c.is_ascii() {
            escaped.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a String cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        }
    }
    escaped
}
