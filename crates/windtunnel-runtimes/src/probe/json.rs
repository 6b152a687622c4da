//! One JSON value out of what a program or a server gave.

use serde_json::Value;
use windtunnel_api::secret::Redactor;

/// The most bytes of one observation.
pub(super) const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Characters of a wrong text that are shown.
const SHOWN: usize = 200;

/// The value, or what is wrong with the text that `what` names.
pub(super) fn parse(text: &[u8], what: &str, redactor: &Redactor) -> Result<Value, String> {
    serde_json::from_slice(text).map_err(|error| match text.trim_ascii() {
        b"" => format!("{what} is empty, and has to be one JSON value"),
        _ => format!("{what} is not one JSON value: {error}: {}", excerpt(text, redactor)),
    })
}

/// The beginning of a text, on one line.
pub(super) fn excerpt(text: &[u8], redactor: &Redactor) -> String {
    let shown = redactor.excerpt(&String::from_utf8_lossy(text), SHOWN);
    format!("`{}`", shown.replace(char::is_control, " "))
}

#[cfg(test)]
mod tests {
    use windtunnel_api::Secret;

    use super::*;

    fn parse(text: &[u8], what: &str) -> Result<Value, String> {
        super::parse(text, what, &Redactor::new([Secret::new("canary-canary")]))
    }

    #[test]
    fn a_secret_across_the_end_of_the_excerpt_leaves_no_part() {
        let start = "x".repeat(SHOWN - 3);
        let error = parse(format!("{start}canary-canary…").as_bytes(), "x").unwrap_err();
        assert!(error.ends_with(&format!("`{start}***…`")), "{error}");
    }

    #[test]
    fn anything_but_one_value_is_told_with_an_excerpt() {
        assert_eq!(parse(b" {\"a\": 1}\n", "x").unwrap(), serde_json::json!({"a": 1}));
        assert_eq!(
            parse(b" \n", "the output").unwrap_err(),
            "the output is empty, and has to be one JSON value"
        );
        let error = parse(b"oh\nno", "the output").unwrap_err();
        assert!(
            error.starts_with("the output is not one JSON value: ") && error.ends_with("`oh no`"),
            "{error}"
        );
        assert!(parse(b"1 2", "x").is_err());
        assert!(parse("é".repeat(10_000).as_bytes(), "x").unwrap_err().ends_with("é…`"));
    }
}
