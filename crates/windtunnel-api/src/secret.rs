//! Values that are used and never shown.

use std::fmt;

/// A value that is used and never shown: it has no `Serialize`, and prints as `***`.
///
/// ```
/// # use windtunnel_api::Secret;
/// let key = Secret::new("sk-123");
/// assert_eq!(format!("{key:?} {key}"), "*** ***");
/// assert_eq!(key.expose(), "sk-123");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Takes known secrets out of texts and JSON values before they are kept or shown.
///
/// Secrets shorter than four bytes are not looked for: replacing them would garble everything else.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    secrets: Vec<Secret>,
}

impl Redactor {
    /// A redactor of these secrets, the longest first, so that one inside another leaves nothing behind.
    pub fn new(secrets: impl IntoIterator<Item = Secret>) -> Self {
        let mut secrets: Vec<Secret> = secrets.into_iter().filter(|s| s.expose().len() >= 4).collect();
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.expose().len()));
        Self { secrets }
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// A redactor of these secrets as well.
    #[must_use]
    pub fn and(&self, secrets: impl IntoIterator<Item = Secret>) -> Self {
        let mut all = self.secrets.clone();
        all.extend(secrets);
        Self::new(all)
    }

    /// Bytes of the longest secret that is looked for; 0 without any.
    pub fn longest(&self) -> usize {
        self.secrets.first().map_or(0, |secret| secret.expose().len())
    }

    /// The text with every secret replaced by `***`.
    pub fn text(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| {
            if text.contains(secret.expose()) { text.replace(secret.expose(), "***") } else { text }
        })
    }

    /// The beginning of a text without the spaces around it, with `…` where more follows.
    ///
    /// Secrets are replaced first: of one that stands across the cut, no part is left.
    pub fn excerpt(&self, text: &str, max_chars: usize) -> String {
        let mut text = self.text(text.trim());
        if let Some((end, _)) = text.char_indices().nth(max_chars) {
            text.truncate(end);
            text.push('…');
        }
        text
    }

    /// Replaces every secret in the strings and keys of a JSON value.
    pub fn value(&self, value: &mut serde_json::Value) {
        use serde_json::Value;
        if self.is_empty() {
            return;
        }
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(map) => {
                for (key, mut entry) in std::mem::take(map) {
                    self.value(&mut entry);
                    map.insert(self.text(&key), entry);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_inside_another_leaves_nothing_behind() {
        let redactor = Redactor::new([Secret::new("token"), Secret::new("token-long")]);
        assert_eq!(redactor.text("a token-long and a token"), "a *** and a ***");
    }

    #[test]
    fn a_secret_across_the_cut_of_an_excerpt_leaves_no_part() {
        let redactor = Redactor::new([Secret::new("canary-canary")]);
        assert_eq!(redactor.excerpt(" key canary-canary ", 8), "key ***");
        assert_eq!(redactor.excerpt("key canary-canary", 5), "key *…");
        assert_eq!(redactor.excerpt(&"é".repeat(9), 9), "é".repeat(9));
        assert_eq!(redactor.excerpt(&"é".repeat(10), 9), "é".repeat(9) + "…");
    }

    #[test]
    fn keys_and_nested_strings_are_redacted() {
        let redactor = Redactor::new([Secret::new("canary")]);
        let mut value = serde_json::json!({"canary": ["x canary", {"k": "canary"}], "n": 1});
        redactor.value(&mut value);
        assert_eq!(value, serde_json::json!({"***": ["x ***", {"k": "***"}], "n": 1}));
    }
}
