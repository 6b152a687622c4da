//! What is taken out before anything is kept.

use std::fmt;
use std::sync::LazyLock;

use hyper::HeaderMap;
use indexmap::IndexMap;
use regex::Regex;
use serde_json::Value;
use windtunnel_api::Secret;
use windtunnel_api::secret::Redactor;

use super::encoded::{of_basic, of_userinfo, percent_encoded};
use super::names;

/// The headers that are kept. Whatever is not named here is not, so that a header nobody has thought of cannot tell.
const KEPT_HEADERS: [&str; 11] = [
    "accept",
    "anthropic-beta",
    "anthropic-version",
    "content-type",
    "openai-beta",
    "openai-version",
    "retry-after",
    "retry-after-ms",
    "user-agent",
    "x-should-retry",
    "x-stainless-retry-count",
];

/// Headers whose values are looked for in everything that is kept, besides those whose names say that they are secret.
const SECRET_HEADERS: [&str; 12] = [
    "api-key",
    "authorization",
    "cf-aig-authorization",
    "cookie",
    "openai-organization",
    "openai-project",
    "proxy-authorization",
    "set-cookie",
    "x-amz-security-token",
    "x-api-key",
    "x-goog-api-key",
    "xi-api-key",
];

/// Shorter values are words more often than secrets, as the key `none` of a model on this machine.
const MIN_CHARS: usize = 8;

/// Shorter secrets are not looked for, here as in a [`Redactor`].
const MIN_ENCODED_BYTES: usize = 4;

/// What well-known keys look like, and what to call them.
const SHAPES: [(&str, &str); 16] = [
    (
        "a private key",
        r"(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z)",
    ),
    ("a key of a model provider", r"\bsk-[A-Za-z0-9_-]{16,}"),
    ("a key of a payment provider", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,}"),
    ("a GitHub token", r"\bgh[pousr]_[A-Za-z0-9]{20,}"),
    ("a GitHub token", r"\bgithub_pat_[A-Za-z0-9_]{20,}"),
    ("a GitLab token", r"\bglpat-[A-Za-z0-9_-]{16,}"),
    ("an AWS key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    ("a Google key", r"\bAIza[A-Za-z0-9_-]{30,}"),
    ("a Slack token", r"\bxox[a-z]-[A-Za-z0-9-]{10,}"),
    ("a Slack token", r"\bxapp-[A-Za-z0-9-]{10,}"),
    ("a Hugging Face token", r"\bhf_[A-Za-z0-9]{20,}"),
    ("an npm token", r"\bnpm_[A-Za-z0-9]{30,}"),
    ("a JSON Web Token", r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    ("a bearer token", r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._~+/-]{12,}=*"),
    (
        "a secret parameter of an address",
        r"(?i)[?&;](?:[a-z0-9-]*-)?(?:access_?token|api_?key|key|sig|signature|token|secret|password|pwd)=[^&;\s\x22'#<>\\]{8,}",
    ),
    ("a password in an address", r"\b[a-z][a-z0-9+.-]*://[^\s/:@\x22']+:[^\s/@\x22']+@"),
];

static COMPILED: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    SHAPES.into_iter().filter_map(|(name, shape)| Some((name, Regex::new(shape).ok()?))).collect()
});

/// Takes secrets out of what is kept: those that it was told of, and whatever has the shape of a well-known key.
///
/// ```
/// use windtunnel_inference::record::Redaction;
///
/// let redaction = Redaction::of_variables([("CRM_TOKEN", "canary-1"), ("LANG", "de_AT.UTF-8")]);
/// assert_eq!(redaction.text("canary-1 de_AT.UTF-8"), "*** de_AT.UTF-8");
/// assert_eq!(redaction.text("use ghp_abcdefghijklmnopqrst, please"), "use ***, please");
/// ```
#[derive(Clone, Default)]
pub struct Redaction {
    known: Redactor,
    /// The known ones as they are written in addresses.
    encoded: Vec<Regex>,
    /// Whether what only looks like a secret is none.
    trusting: bool,
}

impl Redaction {
    /// Knows the values of those variables whose names say that they are secret, and the passwords in those that are addresses.
    pub fn of_variables<N: AsRef<str>, V: Into<String>>(variables: impl IntoIterator<Item = (N, V)>) -> Self {
        let mut values = Vec::new();
        for (name, value) in variables {
            let value = value.into();
            let address = reqwest::Url::parse(value.trim()).ok().filter(|url| url.password().is_some());
            values.extend(address.iter().flat_map(of_userinfo));
            if names::of_a_setting(name.as_ref()) {
                values.push(value);
            }
        }
        Self::default().and(values.into_iter().filter(long_enough).map(Secret::new))
    }

    /// Knows what a redactor knows and suspects nothing else: what a gate judges has to be as it came.
    pub(super) fn of_known(known: Redactor) -> Self {
        Self { known, trusting: true, ..Self::default() }
    }

    /// The same, which knows these secrets too.
    #[must_use]
    pub fn and(&self, secrets: impl IntoIterator<Item = Secret>) -> Self {
        let secrets: Vec<Secret> = secrets.into_iter().collect();
        let mut encoded = self.encoded.clone();
        let long = secrets.iter().map(Secret::expose).filter(|secret| secret.len() >= MIN_ENCODED_BYTES);
        encoded.extend(long.filter_map(percent_encoded));
        Self { known: self.known.and(secrets), encoded, trusting: self.trusting }
    }

    /// The text with `***` for every secret.
    pub fn text(&self, text: &str) -> String {
        let suspected = COMPILED.iter().filter(|_| !self.trusting).map(|(_, shape)| shape);
        let shapes = self.encoded.iter().chain(suspected);
        shapes.fold(self.known.text(text), |text, shape| {
            if shape.is_match(&text) { shape.replace_all(&text, "***").into_owned() } else { text }
        })
    }

    /// The same for every string and key of a JSON value, for numbers that are secrets, and for fields whose names say that they
    /// are secret. JSON inside a string is looked at as JSON.
    pub fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(redacted) = self.json_text(text) {
                    *text = redacted;
                }
                *text = self.text(text);
            }
            Value::Number(number) => {
                if self.known.text(&number.to_string()) == "***" {
                    *value = "***".into();
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(map) => {
                for (key, mut entry) in std::mem::take(map) {
                    if !self.trusting && names::of_a_field(&key) {
                        hide(&mut entry);
                    }
                    self.value(&mut entry);
                    map.insert(self.text(&key), entry);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// The text of a JSON object or list where it has something that is to be taken out.
    fn json_text(&self, text: &str) -> Option<String> {
        text.trim_start().starts_with(['{', '[']).then_some(())?;
        let mut value: Value = serde_json::from_str(text).ok()?;
        let before = value.clone();
        self.value(&mut value);
        (value != before).then(|| value.to_string())
    }

    /// The headers that are kept, of these.
    pub(super) fn kept(&self, headers: &IndexMap<String, String>) -> IndexMap<String, String> {
        let kept = headers.iter().filter(|(name, _)| KEPT_HEADERS.contains(&name.as_str()));
        kept.map(|(name, value)| (name.clone(), self.text(value))).collect()
    }
}

/// Not a word of what is looked for.
impl fmt::Debug for Redaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redaction(***)")
    }
}

/// Takes out what stands in a secret field: texts and numbers, also in a list. An object says in its own fields what is secret.
fn hide(value: &mut Value) {
    match value {
        Value::String(text) if text.is_empty() => {}
        Value::String(_) | Value::Number(_) => *value = "***".into(),
        Value::Array(items) => items.iter_mut().for_each(hide),
        Value::Object(_) | Value::Null | Value::Bool(_) => {}
    }
}

/// The headers that may be kept, by lower-case name. All others are left behind here already.
pub(super) fn keepable(headers: &HeaderMap) -> IndexMap<String, String> {
    let keepable = |name: &str| {
        let value = headers.get(name)?;
        Some((name.to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
    };
    KEPT_HEADERS.into_iter().filter_map(keepable).collect()
}

/// The secrets in the headers of a request or an answer.
pub(super) fn in_headers(headers: &HeaderMap) -> Vec<Secret> {
    let mut secrets = Vec::new();
    for (name, value) in headers {
        let name = name.as_str();
        if KEPT_HEADERS.contains(&name) || !(SECRET_HEADERS.contains(&name) || names::of_a_setting(name)) {
            continue;
        }
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        match name {
            "cookie" | "set-cookie" => secrets.extend(cookie_values(&value)),
            _ => {
                // `Bearer <key>`: the key alone comes back in errors.
                let credentials = value.split_once(' ').map(|(_, credentials)| credentials.trim().to_owned());
                let basic = credentials.as_deref().map(of_basic).unwrap_or_default();
                secrets.extend(
                    credentials.into_iter().chain(basic).chain([value]).filter(long_enough).map(Secret::new),
                );
            }
        }
    }
    secrets
}

fn cookie_values(cookies: &str) -> Vec<Secret> {
    let values = cookies
        .split(';')
        .filter_map(|cookie| cookie.split_once('='))
        .map(|(_, value)| value.trim().to_owned());
    values.filter(long_enough).map(Secret::new).collect()
}

/// The secrets in a query, as they are sent and as they are meant.
pub(super) fn in_query(query: &str) -> Vec<Secret> {
    let secret = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        names::of_a_setting(name).then(|| value.to_owned())
    };
    let sent: Vec<String> = query.split('&').filter_map(secret).filter(long_enough).collect();
    let meant = reqwest::Url::parse(&format!("http://query/?{query}")).map_or_else(
        |_| Vec::new(),
        |url| {
            url.query_pairs()
                .filter(|(name, _)| names::of_a_setting(name))
                .map(|(_, value)| value.into_owned())
                .collect()
        },
    );
    sent.into_iter().chain(meant).filter(long_enough).map(Secret::new).collect()
}

#[expect(clippy::ptr_arg, reason = "it filters strings")]
fn long_enough(value: &String) -> bool {
    value.trim().chars().count() >= MIN_CHARS
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_shape_compiles_and_is_found() {
        assert_eq!(COMPILED.len(), SHAPES.len());
        for secret in [
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nvQ==\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\nMIIE that was cut",
            "sk-proj-abcdefghijklmnop1234",
            "sk-ant-api03-abcdefghijklmnop",
            "sk_live_abcdefghij",
            "ghp_abcdefghijklmnopqrst",
            "github_pat_abcdefghijklmnopqrst",
            "glpat-abcdefghijklmnop",
            "AKIAABCDEFGHIJKLMNOP",
            "AIzaabcdefghijklmnopqrstuvwxyz0123456",
            "xoxb-1234567890-abc",
            "xapp-1-A0123456789",
            "hf_abcdefghijklmnopqrst",
            "npm_abcdefghijklmnopqrstuvwxyz0123",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
            "Bearer abcdefghijkl",
            "basic dXNlcjpjYW5hcnk=",
            "postgres://ada:canary@",
            "?X-Amz-Signature=0123456789abcdef",
            "&X-Amz-Security-Token=0123456789abcdef",
            "&sig=abcdefg%2Bij",
            "?access_token=abcdefgh1",
            ";Password=abcdefgh1",
        ] {
            assert_eq!(
                Redaction::default().text(&format!("<{secret}>")).replace("***>", "***"),
                "<***",
                "{secret}"
            );
        }
        for text in
            ["task-manager", "risk-assessment-of-the-year", "https://example.com/a:b@c", "a bearer of news"]
        {
            assert_eq!(Redaction::default().text(text), text);
        }
    }

    #[test]
    fn keys_of_objects_and_nested_strings_are_redacted() {
        let redaction = Redaction::of_variables([("API_KEY", "canary-key"), ("PASS", "short")]);
        let mut value =
            json!({"canary-key": ["x canary-key", {"k": "{\"a\":\"canary-key\"}"}], "n": "short"});
        redaction.value(&mut value);
        assert_eq!(value, json!({"***": ["x ***", {"k": "{\"a\":\"***\"}"}], "n": "short"}));
    }

    #[test]
    fn a_secret_is_found_as_an_address_and_a_header_write_it() {
        let redaction = Redaction::of_variables([("DATABASE_URL", "postgres://ada:can%2Fary-1@db/x")]);
        for text in ["can/ary-1", "can%2Fary-1", "can%2fary-1", "YWRhOmNhbi9hcnktMQ=="] {
            assert_eq!(redaction.text(&format!("<{text}>")), "<***>", "{text}");
        }
        let basic = HeaderMap::from_iter([(
            "authorization".parse().unwrap(),
            "Basic YWRhOmNhbi9hcnktMQ==".parse().unwrap(),
        )]);
        let redaction = Redaction::default().and(in_headers(&basic));
        assert_eq!(redaction.text("<can%2Fary-1> <ada:can/ary-1>"), "<***> <***>");
        assert_eq!(format!("{redaction:?}"), "Redaction(***)");
    }

    #[test]
    fn secret_fields_and_numbers_are_redacted_also_in_a_text_that_is_json() {
        let redaction = Redaction::of_variables([("PIN_PW", "4711471147")]);
        let mut value = json!({
            "password": "hunter2", "n": 4_711_471_147_u64, "apiKey": ["a", 7], "max_tokens": 9, "token": null,
            "properties": {"token": {"type": "string"}}, "arguments": "{\"secret\": \"x\", \"id\": 1}", "list": "[1, 2]",
        });
        redaction.value(&mut value);
        let expected = json!({
            "password": "***", "n": "***", "apiKey": ["***", "***"], "max_tokens": 9, "token": null,
            "properties": {"token": {"type": "string"}}, "arguments": "{\"secret\":\"***\",\"id\":1}", "list": "[1, 2]",
        });
        assert_eq!(value, expected);
    }

    #[test]
    fn no_header_is_kept_that_is_not_named() {
        let headers: HeaderMap = [
            "authorization",
            "x-api-key",
            "api-key",
            "x-goog-api-key",
            "xi-api-key",
            "cookie",
            "set-cookie",
            "openai-organization",
            "openai-project",
            "proxy-authorization",
            "x-amz-security-token",
            "x-custom-auth",
            "x-forwarded-for",
            "x-request-id",
            "referer",
            "origin",
        ]
        .into_iter()
        .map(|name| (name.parse().unwrap(), "session=canary-1".parse().unwrap()))
        .chain([("user-agent".parse().unwrap(), "agent/1 canary-1".parse().unwrap())])
        .collect();
        let redaction = Redaction::default().and([Secret::new("canary-1")]);
        let kept = redaction.kept(&keepable(&headers));
        assert_eq!(kept, IndexMap::from([("user-agent".to_owned(), "agent/1 ***".to_owned())]));
    }

    #[test]
    fn secrets_of_headers_are_looked_for_with_and_without_their_scheme() {
        for (name, value) in [
            ("authorization", "Bearer canary-1"),
            ("authorization", "Basic canary-1"),
            ("proxy-authorization", "Bearer canary-1"),
            ("x-api-key", "canary-1"),
            ("api-key", "canary-1"),
            ("x-goog-api-key", "canary-1"),
            ("xi-api-key", "canary-1"),
            ("cookie", "a=1; session=canary-1"),
            ("set-cookie", "session=canary-1; Path=/; HttpOnly"),
            ("openai-organization", "canary-1"),
            ("openai-project", "canary-1"),
            ("x-amz-security-token", "canary-1"),
            ("x-my-secret", "canary-1"),
        ] {
            let headers = HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())]);
            let redaction = Redaction::default().and(in_headers(&headers));
            assert_eq!(redaction.text("<canary-1>"), "<***>", "{name}");
        }
    }

    #[test]
    fn secrets_of_a_query_are_looked_for_as_sent_and_as_meant() {
        let redaction =
            Redaction::default().and(in_query("v=1&api_key=can%2Bary-1&token=canary-2&Sig=can%2Bary-3"));
        let text = "can%2Bary-1 can+ary-1 canary-2 can%2Bary-3 can+ary-3 v=1";
        assert_eq!(redaction.text(text), "*** *** *** *** *** v=1");
    }
}
