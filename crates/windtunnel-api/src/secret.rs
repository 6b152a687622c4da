//! Values that are used and never shown.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::artifact::ascii::escape_json;

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

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

impl JsonSchema for Secret {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Secret".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
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

/// Words in the name of a variable or a field whose value is not to be shown.
const WORDS: [&str; 6] = ["KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "AUTH"];

/// Whether the name of a variable or a field says that its value is secret: `API_KEY`, `auth_token`, ….
///
/// ```
/// assert!(windtunnel_api::secret::names_a_secret("OPENAI_API_KEY"));
/// assert!(!windtunnel_api::secret::names_a_secret("NODE_ENV"));
/// ```
pub fn names_a_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    WORDS.iter().any(|word| name.contains(word))
}

/// Takes known secrets out of texts and JSON values before they are kept or shown.
///
/// A secret is found as it is, as JSON writes it, and, where it has several lines, as each line of at least eight characters: PEM
/// keys come back indented and joined. Secrets shorter than four bytes are not looked for: replacing them would garble everything
/// else.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    /// Every form of every secret, the longest first.
    forms: Vec<Secret>,
}

/// Shorter secrets are not looked for.
const MIN_BYTES: usize = 4;

/// Shorter lines of a secret say little of it, and stand in other texts.
const MIN_LINE_CHARS: usize = 8;

impl Redactor {
    /// A redactor of these secrets, the longest first, so that one inside another leaves nothing behind.
    pub fn new(secrets: impl IntoIterator<Item = Secret>) -> Self {
        Self::default().and(secrets)
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// A redactor of these secrets as well.
    #[must_use]
    pub fn and(&self, secrets: impl IntoIterator<Item = Secret>) -> Self {
        let mut secrets = secrets.into_iter().peekable();
        if secrets.peek().is_none() {
            return self.clone();
        }
        let mut all: HashSet<String> = self.forms.iter().map(|form| form.0.clone()).collect();
        for secret in secrets {
            all.extend(forms(secret.expose()));
        }
        let mut forms: Vec<Secret> = all.into_iter().map(Secret).collect();
        forms.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        Self { forms }
    }

    /// Bytes of the longest form of a secret that is looked for; 0 without any.
    pub fn longest(&self) -> usize {
        self.forms.first().map_or(0, |secret| secret.expose().len())
    }

    /// The text with every secret replaced by `***`.
    pub fn text(&self, text: &str) -> String {
        self.forms.iter().fold(text.to_owned(), |text, secret| {
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
    pub fn value(&self, value: &mut Value) {
        if !self.is_empty() {
            redact_value(value, &|text| self.text(text));
        }
    }
}

/// Redacts the strings and keys of a JSON value, however deep they stand in it.
pub fn redact_value(value: &mut Value, redact: &impl Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = redact(text),
        Value::Array(items) => items.iter_mut().for_each(|item| redact_value(item, redact)),
        Value::Object(map) => {
            for (key, mut entry) in std::mem::take(map) {
                redact_value(&mut entry, redact);
                map.insert(redact(&key), entry);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What to look for of one secret.
fn forms(secret: &str) -> HashSet<String> {
    // A secret that is read from a file ends with a line break that its user leaves out.
    let parts = [secret, secret.trim()].into_iter().filter(|part| part.len() >= MIN_BYTES);
    let lines = secret.lines().map(str::trim).filter(|line| line.chars().count() >= MIN_LINE_CHARS);
    let mut forms = HashSet::new();
    for part in parts.chain(lines) {
        let quoted = serde_json::Value::from(part).to_string();
        let json = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(part);
        forms.insert(part.to_owned());
        for form in [json.to_owned(), escape_json(json.to_owned())] {
            forms.insert(form.replace('/', "\\/"));
            forms.insert(form);
        }
    }
    forms
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
    fn a_secret_is_found_as_json_writes_it() {
        let secret = "\"pä/ss\" \\wörd\t😀\"";
        let redactor = Redactor::new([Secret::new(secret)]);
        let json = serde_json::json!({ "key": secret }).to_string();
        for text in [
            json.clone(),
            escape_json(json.clone()),
            json.replace('/', "\\/"),
            escape_json(json).replace('/', "\\/"),
        ] {
            assert_eq!(redactor.text(&text), r#"{"key":"***"}"#, "{text}");
        }
    }

    #[test]
    fn each_long_line_of_a_secret_is_found_alone() {
        let pem = "-----BEGIN KEY-----\r\nMIIEvQ/BADANBg\r\nshort\r\n-----END KEY-----\r\n";
        let redactor = Redactor::new([Secret::new(pem)]);
        assert_eq!(redactor.text("  MIIEvQ/BADANBg, or MIIEvQ\\/BADANBg; short"), "  ***, or ***; short");
        assert_eq!(redactor.text(&format!("<{pem}>")), "<***>");
        assert_eq!(Redactor::new([Secret::new("s3cr3t\n")]).text("s3cr3t"), "***");
    }

    #[test]
    fn a_redactor_of_more_secrets_finds_all_of_them_the_longest_first() {
        let redactor = Redactor::new([Secret::new("token")]).and([Secret::new("token-long")]);
        assert_eq!(redactor.text("a token-long and a token"), "a *** and a ***");
        assert_eq!(redactor.longest(), 10);
    }

    #[test]
    fn keys_and_nested_strings_are_redacted() {
        let redactor = Redactor::new([Secret::new("canary")]);
        let mut value = serde_json::json!({"canary": ["x canary", {"k": "canary"}], "n": 1});
        redactor.value(&mut value);
        assert_eq!(value, serde_json::json!({"***": ["x ***", {"k": "***"}], "n": 1}));
    }
}
